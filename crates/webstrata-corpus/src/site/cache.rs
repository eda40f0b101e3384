//! Web cache (Debnath et al., TKDE 2005, 6.7): bytes needed to store every block once, compared with whole pages.

use super::blocks::SiteBlock;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Storage needed for the pages of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheSavings {
    /// Pages.
    pub pages: u64,
    /// Bytes of the whole pages.
    pub whole: u64,
    /// Bytes of their distinct blocks.
    pub distinct: u64,
    /// Bytes that list the blocks of each page, 4 per block.
    pub references: u64,
    /// Bytes of the distinct blocks that are content.
    pub content: u64,
}

/// Computes the savings page by page. Memory is 8 bytes per distinct block.
///
/// ```
/// use webstrata::{Page, segment::GetBlockSet};
/// use webstrata_corpus::site::{blocks::block_set, cache::Cache};
/// let mut cache = Cache::default();
/// for text in ["One.", "Two."] {
///     let html = format!("<div>Home News Sports</div><p>{text}</p>");
///     let blocks = block_set(&Page::parse(html.as_bytes()), &GetBlockSet::html5());
///     cache.add(&blocks, &[false, true]);
/// }
/// let savings = cache.savings();
/// assert!(savings.content < savings.distinct && savings.distinct < savings.whole);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cache {
    seen: HashSet<u64>,
    kept: HashSet<u64>,
    sums: CacheSavings,
}

impl Cache {
    /// Adds the blocks of a page, and which of them are content.
    pub fn add(&mut self, blocks: &[SiteBlock], content: &[bool]) {
        self.sums.pages += 1;
        for (at, block) in blocks.iter().enumerate() {
            let bytes = u64::from(block.span.end - block.span.start);
            self.sums.whole += bytes;
            self.sums.references += 4;
            if self.seen.insert(block.source) {
                self.sums.distinct += bytes;
            }
            if content.get(at).copied().unwrap_or(true) && self.kept.insert(block.source) {
                self.sums.content += bytes;
            }
        }
    }

    /// The sums so far.
    #[must_use]
    pub fn savings(&self) -> CacheSavings {
        self.sums
    }
}
