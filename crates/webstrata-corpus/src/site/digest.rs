//! The data of a page that its site needs: a tree of labels, fingerprints, and blocks with their terms. Plain data, kept on disk
//! until all pages of the site have been read.

use super::blocks::{BlockTags, SiteBlock};
use super::facts::fingerprints_of;
use super::file::{self, FileError};
use super::frequencies::segment_fingerprints;
use super::sample::SamplePage;
use super::som::PageTree;
use serde::{Deserialize, Serialize};
use webstrata::Page;
use webstrata_domain::registrable_domain;

/// Contents of a digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DigestOptions {
    /// The tags that divide pages into blocks.
    pub tags: BlockTags,
    /// Whether the shingles of elements are kept, which take more space than everything else.
    pub shingles: bool,
}

const MAGIC: &[u8] = b"webstrata page digest 1\n";

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
    /// The tags by which it was divided.
    pub(super) tags: BlockTags,
    /// Fingerprints of its blocks.
    pub(super) fingerprints: Vec<u64>,
    /// Fingerprints of its segments, one each.
    pub(super) segments: Vec<u64>,
    pub(super) sample: SamplePage,
    pub(super) tree: PageTree,
}

impl Digest {
    /// The digest of a page.
    #[must_use]
    pub fn new(page: &Page<'_>, site: &str, number: u32, name: &str) -> Digest {
        Digest::with(page, site, number, name, &DigestOptions::default())
    }

    /// The digest of a page, with options.
    #[must_use]
    pub fn with(page: &Page<'_>, site: &str, number: u32, name: &str, options: &DigestOptions) -> Digest {
        Digest {
            site: site.to_owned(),
            number,
            name: name.to_owned(),
            tags: options.tags,
            fingerprints: fingerprints_of(page),
            segments: segment_fingerprints(page, options.tags),
            sample: SamplePage::new(page, options),
            tree: PageTree::new(page),
        }
    }

    /// The digest as bytes.
    ///
    /// # Errors
    /// If it cannot be serialised, which does not happen in memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        file::pack(MAGIC, self)
    }

    /// Reads bytes written by [`Digest::to_bytes`].
    ///
    /// # Errors
    /// If the bytes are not a digest, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Digest, FileError> {
        let digest: Digest = file::unpack(MAGIC, bytes)?;
        if digest.is_valid() { Ok(digest) } else { Err(FileError::Inconsistent("a page is inconsistent")) }
    }

    /// The blocks of the page.
    #[must_use]
    pub fn blocks(&self) -> Vec<SiteBlock> {
        self.sample.blocks()
    }

    /// The tree of the page.
    #[must_use]
    pub fn tree(&self) -> &PageTree {
        &self.tree
    }

    /// Whether [`Digest::with`] could have made it: a file may contain anything.
    pub(super) fn is_valid(&self) -> bool {
        self.tree.is_valid() && self.fingerprints.is_sorted_by(|a, b| a < b) && self.sample.is_valid()
    }
}

/// The site of a URL: its registrable domain by the public suffix list, or its host if it has none (an IP address). `unnamed` is
/// the site of pages without an address.
#[must_use]
pub fn site_of(address: Option<&str>, unnamed: &str) -> String {
    let Some(address) = address.and_then(|address| url::Url::parse(address).ok()) else { return unnamed.to_owned() };
    match address.host() {
        Some(url::Host::Domain(host)) => registrable_domain(host).to_ascii_lowercase(),
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
