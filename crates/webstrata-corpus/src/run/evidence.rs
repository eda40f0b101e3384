//! Evidence about sites that is known before a run, looked up page by page.

use std::fmt;
use std::sync::Arc;
use webstrata::Page;
use webstrata::label::strata::SiteEvidence;
use webstrata::segment::Segments;

/// Evidence about sites. A site is a registrable domain: `example.co.uk` for `www.example.co.uk`.
///
/// A run is deterministic only if the answers depend only on the arguments.
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
