//! What a site needs from a page: a tree of labels, fingerprints, and blocks with their terms. Plain data, kept on disk until all
//! pages of the site have been read.

use super::blocks::{FEATURES, SiteBlock, block_set};
use super::facts::fingerprints_of;
use super::som::PageTree;
use serde::{Deserialize, Serialize};
use webstrata::segment::GetBlockSet;
use webstrata::{Page, Span};

/// The digest of a page of a site.
///
/// ```
/// use webstrata_corpus::site::digest::{Digest, site_of};
/// let page = webstrata::Page::parse(b"<h1>Rain</h1><p>It rains.");
/// let digest = Digest::new(&page, &site_of(Some("https://news.bbc.co.uk/1.html"), "local"), 0, "1.html");
/// assert_eq!(digest.site, "bbc.co.uk");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Digest {
    /// The site, by its registrable domain.
    pub site: String,
    /// The page's number, unique in the whole crawl.
    pub number: u32,
    /// The page's name in reports.
    pub name: String,
    /// Fingerprints of its blocks.
    pub(super) fingerprints: Vec<u64>,
    blocks: Vec<StoredBlock>,
    pub(super) tree: PageTree,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredBlock {
    terms: Vec<u64>,
    values: [u32; FEATURES],
    atoms: (u32, u32),
    span: (u32, u32),
    source: u64,
}

impl Digest {
    /// The digest of a page.
    #[must_use]
    pub fn new(page: &Page<'_>, site: &str, number: u32, name: &str) -> Digest {
        let stored = |block: SiteBlock| StoredBlock {
            terms: block.terms,
            values: block.values,
            atoms: (block.atoms.start as u32, block.atoms.end as u32),
            span: (block.span.start, block.span.end),
            source: block.source,
        };
        Digest {
            site: site.to_owned(),
            number,
            name: name.to_owned(),
            fingerprints: fingerprints_of(page),
            blocks: block_set(page, &GetBlockSet::html5()).into_iter().map(stored).collect(),
            tree: PageTree::new(page),
        }
    }

    /// Its blocks.
    #[must_use]
    pub fn blocks(&self) -> Vec<SiteBlock> {
        let block = |stored: &StoredBlock| SiteBlock {
            atoms: stored.atoms.0 as usize..stored.atoms.1 as usize,
            span: Span::new(stored.span.0, stored.span.1),
            values: stored.values,
            terms: stored.terms.clone(),
            source: stored.source,
        };
        self.blocks.iter().map(block).collect()
    }

    /// Its tree.
    #[must_use]
    pub fn tree(&self) -> &PageTree {
        &self.tree
    }

    /// Whether [`Digest::new`] could have made it: a file may contain anything.
    pub(super) fn is_valid(&self) -> bool {
        self.tree.is_valid()
            && self.fingerprints.is_sorted_by(|a, b| a < b)
            && self.blocks.iter().all(|b| b.terms.is_sorted_by(|x, y| x < y) && b.span.0 <= b.span.1)
    }
}

/// The site of an address: its registrable domain by the public suffix list, or its host if it has none (an IP address). `unnamed` is
/// the site of pages without an address.
#[must_use]
pub fn site_of(address: Option<&str>, unnamed: &str) -> String {
    let Some(address) = address.and_then(|address| url::Url::parse(address).ok()) else { return unnamed.to_owned() };
    match address.host() {
        Some(url::Host::Domain(host)) => psl::domain_str(host).unwrap_or(host).to_ascii_lowercase(),
        Some(other) => other.to_string(),
        None => unnamed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_by_registrable_domain() {
        for (address, site) in [
            ("http://a.b.example.com/x", "example.com"),
            ("https://WWW.Guardian.co.uk", "guardian.co.uk"),
            ("http://192.168.0.1:80/x", "192.168.0.1"),
            ("http://[::1]/", "[::1]"),
            ("http://localhost/x", "localhost"),
            ("file:///home/x.html", "local"),
            ("no address", "local"),
        ] {
            assert_eq!(site_of(Some(address), "local"), site, "{address}");
        }
    }
}
