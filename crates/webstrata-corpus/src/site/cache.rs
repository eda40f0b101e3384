//! Web cache (Debnath and others, TKDE 2005, 6.7): bytes to store when every block is stored once, against whole pages.

use super::blocks::SiteBlock;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// What pages of a site cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheSavings {
    /// Pages.
    pub pages: u64,
    /// Bytes of the pages as they are.
    pub whole: u64,
    /// Bytes of their blocks, every block stored once.
    pub distinct: u64,
    /// Bytes that say which blocks a page has, 4 for each.
    pub references: u64,
    /// Bytes of the blocks that were judged content, every block stored once.
    pub content: u64,
}

/// Adds up pages as they come. Memory is 8 bytes for each distinct block.
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
    /// Adds a page's blocks, and which of them were judged content.
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

    /// What was added up.
    #[must_use]
    pub fn savings(&self) -> CacheSavings {
        self.sums
    }
}
