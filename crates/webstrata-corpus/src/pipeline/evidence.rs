//! What is known of sites before a run: asked for page by page.

use std::fmt;
use std::sync::Arc;
use webstrata::Page;
use webstrata::label::strata::SiteEvidence;
use webstrata::segment::Segments;

/// Knows sites. A site is a registrable domain: `example.co.uk` of `www.example.co.uk`.
///
/// A run gives the same output for any number of threads only if the answers depend on nothing but the questions.
pub trait Evidence: fmt::Debug + Send + Sync {
    /// What is known of a site.
    fn site(&self, domain: &str) -> Option<Arc<SiteEvidence>>;

    /// The classes of a page's segments among those of its site, one for each segment; none where they are not known.
    fn classes(&self, _domain: &str, _page: &Page<'_>, _segments: &Segments<'_>) -> Option<Vec<Option<String>>> {
        None
    }

    /// What tells this evidence from other evidence: a run that is gone on with must have the same.
    fn fingerprint(&self) -> String;
}

/// Makes what near duplicates are found by from a page's content.
pub trait Signer: fmt::Debug + Send + Sync {
    /// The signature of a text.
    fn sign(&self, text: &str) -> Vec<u64>;

    /// The name of the method and its parameters.
    fn name(&self) -> String;
}

/// The registrable domain of a host; the host itself where it has none, as an address of numbers.
///
/// ```
/// use webstrata_corpus::pipeline::site_of;
/// assert_eq!(site_of("www.example.co.uk"), "example.co.uk");
/// assert_eq!(site_of("127.0.0.1"), "127.0.0.1");
/// assert_eq!(site_of("localhost"), "localhost");
/// ```
#[must_use]
pub fn site_of(host: &str) -> &str {
    let is_number = host.starts_with('[') || host.rsplit('.').next().is_some_and(|last| last.bytes().all(|b| b.is_ascii_digit()));
    if is_number { host } else { psl::domain_str(host).unwrap_or(host) }
}
