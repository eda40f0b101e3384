//! Overlap between a block and the page's title.

use crate::block::{Blocks, is_unspaced};
use crate::html::{Dom, fnv};
use crate::label::hash_filter::HashFilter;
use crate::label::letter_case::word_letter;
use crate::label::title::head_property;

/// The words of the page's titles.
#[derive(Debug)]
pub(super) struct TitleWords {
    /// Hashes, sorted.
    hashes: Vec<u32>,
    filter: HashFilter<512>,
}

/// Blocks with at least this many words are not compared: they are too long for a title.
const MAX_BLOCK_WORDS: u32 = 40;

/// Words read per title.
const MAX_TITLE_WORDS: usize = 64;

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

    /// Share of the block's words that occur in the title, and share of the title's words that occur in the block.
    /// `hashes` is scratch space.
    pub(super) fn overlap(&self, blocks: Blocks<'_>, index: usize, hashes: &mut Vec<u32>) -> (f32, f32) {
        let Some(block) = blocks.get(index).filter(|block| block.counts().words < MAX_BLOCK_WORDS) else { return (0.0, 0.0) };
        if self.hashes.is_empty() {
            return (0.0, 0.0);
        }
        hashes.clear();
        for run in block.runs() {
            add_words(&blocks.dom().run_text(run.0), hashes);
        }
        // Most blocks share no word with the title, and need no sorting.
        if !hashes.iter().any(|&hash| self.filter.may_contain(hash) && self.hashes.binary_search(&hash).is_ok()) {
            return (0.0, 0.0);
        }
        hashes.sort_unstable();
        hashes.dedup();
        let common = hashes.iter().filter(|hash| self.hashes.binary_search(hash).is_ok()).count() as f32;
        (common / hashes.len() as f32, common / self.hashes.len() as f32)
    }
}

/// ASCII letters and digits in lower case; 0 for characters between words.
const LOWER: [u8; 128] = {
    let mut lower = [0; 128];
    let mut byte = 0u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            lower[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    lower
};

/// Adds the hashes of a text's words; in scripts without spaces every letter is a word.
fn add_words(text: &str, hashes: &mut Vec<u32>) {
    let mut hash = fnv::OFFSET_BASIS_32;
    let max = hashes.len() + MAX_TITLE_WORDS;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if let Some(&lower) = LOWER.get(usize::from(byte)) {
            at += 1;
            if lower != 0 {
                hash = fnv::add_32(hash, lower);
                continue;
            }
        } else {
            let Some(c) = text[at..].chars().next() else { return };
            at += c.len_utf8();
            if let Some(lower) = word_letter(c) {
                hash = fnv::add_32(hash, lower);
                if !is_unspaced(c) {
                    continue;
                }
            }
        }
        if hash != fnv::OFFSET_BASIS_32 {
            hashes.push(hash);
            hash = fnv::OFFSET_BASIS_32;
            if hashes.len() >= max {
                return;
            }
        }
    }
    if hash != fnv::OFFSET_BASIS_32 {
        hashes.push(hash);
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
        assert_eq!(TitleWords::new(page.dom(), page.title(), true).overlap(page.blocks(), 0, &mut Vec::new()), (1.0, 0.5));
    }
}
