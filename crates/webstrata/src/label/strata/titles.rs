//! Overlap between a block and the page's title.

use super::text_words::add_words;
use crate::block::Blocks;
use crate::html::Dom;
use crate::label::hash_filter::HashFilter;
use crate::label::title::head_property;

/// Blocks with at least this many words are not compared with the title.
const MAX_BLOCK_WORDS: u32 = 40;

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

    fn contains(&self, word: u32) -> bool {
        self.filter.may_contain(word) && self.hashes.binary_search(&word).is_ok()
    }

    /// Share of the block's words that occur in the title, and share of the title's words that occur in the block.
    /// Long blocks have none. `words` is scratch space.
    pub(super) fn overlap(&self, blocks: Blocks<'_>, block: usize, words: &mut Vec<u32>) -> (f32, f32) {
        words.clear();
        if self.hashes.is_empty() || blocks.records()[block].counts.words >= MAX_BLOCK_WORDS {
            return (0.0, 0.0);
        }
        for &run in blocks.runs_of(block) {
            add_words(&blocks.dom().run_text(Blocks::run_node(run)), words);
        }
        // Most blocks share no word with the title and need no sorting.
        if !words.iter().any(|&word| self.contains(word)) {
            return (0.0, 0.0);
        }
        words.sort_unstable();
        words.dedup();
        let common = words.iter().filter(|&&word| self.contains(word)).count() as f32;
        (common / words.len() as f32, common / self.hashes.len() as f32)
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
        let (of_block, of_title) = titles.overlap(page.blocks(), 0, &mut Vec::new());
        assert_eq!((of_block, of_title), (2.0 / 3.0, 0.5));
        assert_eq!(titles.overlap(page.blocks(), 1, &mut Vec::new()), (0.0, 0.0));
    }

    #[test]
    fn letters_are_words_in_scripts_without_spaces() {
        let page = Page::parse("<title>大雨の谷</title><h1>大雨</h1>".as_bytes());
        let titles = TitleWords::new(page.dom(), page.title(), true);
        assert_eq!(titles.overlap(page.blocks(), 0, &mut Vec::new()), (1.0, 0.5));
    }
}
