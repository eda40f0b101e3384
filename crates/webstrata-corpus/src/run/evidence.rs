//! Evidence about sites that is known before a run, looked up page by page.

use std::fmt;
use std::sync::Arc;
use webstrata::Page;
use webstrata::label::strata::SiteEvidence;
use webstrata::segment::Segments;

/// Evidence about sites. A site is a registrable domain: `example.co.uk` for `www.example.co.uk`.
///
/// A run is deterministic only if the answers depend on nothing but the arguments.
pub trait Evidence: fmt::Debug + Send + Sync {
    /// The evidence about a site.
    fn site(&self, domain: &str) -> Option<Arc<SiteEvidence>>;

    /// The classes of a page's segments, one per segment; `None` where they are unknown.
    fn classes(&self, _domain: &str, _page: &Page<'_>, _segments: &Segments<'_>) -> Option<Vec<Option<String>>> {
        None
    }

    /// Identifies this evidence: a resumed run must have the same.
    fn fingerprint(&self) -> String;
}

/// Makes the signatures by which near duplicates are found.
pub trait Signer: fmt::Debug + Send + Sync {
    /// The signature of a text.
    fn sign(&self, text: &str) -> Vec<u64>;

    /// The name of the method and its parameters.
    fn name(&self) -> String;
}

/// The registrable domain of a host, or the host itself if it has none, such as an IP address.
///
/// ```
/// use webstrata_corpus::run::site_of;
/// assert_eq!(site_of("www.example.co.uk"), "example.co.uk");
/// assert_eq!(site_of("127.0.0.1"), "127.0.0.1");
/// assert_eq!(site_of("localhost"), "localhost");
/// ```
#[must_use]
pub fn site_of(host: &str) -> &str {
    let is_number = host.starts_with('[') || host.rsplit('.').next().is_some_and(|last| last.bytes().all(|b| b.is_ascii_digit()));
    if is_number { host } else { psl::domain_str(host).unwrap_or(host) }
}
