//! Overlap between a block and the page's title.

use super::text_words::{BlockWords, add_words};
use crate::html::Dom;
use crate::label::hash_filter::HashFilter;
use crate::label::title::head_property;

/// The words of the page's titles.
#[derive(Debug)]
pub(super) struct TitleWords {
    /// Hashes, sorted.
    hashes: Vec<u32>,
    filter: HashFilter<512>,
}

impl TitleWords {
    /// The words of the `title` element and of `og:title`.
    pub(super) fn new(dom: &Dom<'_>, title: Option<&str>, head: bool) -> Self {
        let mut hashes = Vec::new();
        add_words(title.unwrap_or_default(), &mut hashes);
        if head {
            add_words(head_property(dom, "og:title").as_deref().unwrap_or_default(), &mut hashes);
        }
        hashes.sort_unstable();
        hashes.dedup();
        TitleWords { filter: HashFilter::new(hashes.iter().copied()), hashes }
    }

    /// The hashes of the words, ascending.
    pub(super) fn hashes(&self) -> &[u32] {
        &self.hashes
    }

    /// Share of the block's words that occur in the title, and share of the title's words that occur in the block.
    /// `distinct` is scratch space.
    pub(super) fn overlap(&self, words: &BlockWords, block: usize, distinct: &mut Vec<u32>) -> (f32, f32) {
        let words = words.of(block);
        // Most blocks share no word with the title and need no sorting.
        if !words.iter().any(|&hash| self.filter.may_contain(hash) && self.hashes.binary_search(&hash).is_ok()) {
            return (0.0, 0.0);
        }
        distinct.clear();
        distinct.extend_from_slice(words);
        distinct.sort_unstable();
        distinct.dedup();
        let common = distinct.iter().filter(|hash| self.hashes.binary_search(hash).is_ok()).count() as f32;
        (common / distinct.len() as f32, common / self.hashes.len() as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    #[test]
    fn overlap_is_measured_both_ways() {
        let page = Page::parse("<title>Rain in the valley</title><h1>RAIN in May</h1><p>雨".as_bytes());
        let titles = TitleWords::new(page.dom(), page.title(), true);
        let (of_block, of_title) = titles.overlap(&BlockWords::new(page.blocks()), 0, &mut Vec::new());
        assert_eq!((of_block, of_title), (2.0 / 3.0, 0.5));
        assert_eq!(titles.overlap(&BlockWords::new(page.blocks()), 1, &mut Vec::new()), (0.0, 0.0));
    }

    #[test]
    fn letters_are_words_in_scripts_without_spaces() {
        let page = Page::parse("<title>大雨の谷</title><h1>大雨</h1>".as_bytes());
        let titles = TitleWords::new(page.dom(), page.title(), true);
        assert_eq!(titles.overlap(&BlockWords::new(page.blocks()), 0, &mut Vec::new()), (1.0, 0.5));
    }
}
