//! How much of a page's title a block says.

use crate::block::{Blocks, is_unspaced};
use crate::html::{Dom, Tag, fnv};
use crate::label::letter_case::word_letter;

/// The words of the page's titles, as sums, sorted.
#[derive(Debug)]
pub(super) struct TitleWords {
    sums: Vec<u32>,
    /// By some bits of a sum: may it be one of them?
    sieve: [bool; SIEVE],
}

const SIEVE: usize = 512;

fn sieve(sum: u32) -> usize {
    sum as usize % SIEVE
}

/// Longer blocks are no titles.
const LONGEST: u32 = 40;

/// Words of a title that are read.
const WORDS: usize = 64;

impl TitleWords {
    /// The words of the `title` element and of `og:title`.
    pub(super) fn new(dom: &Dom<'_>, title: Option<&str>, head: bool) -> Self {
        let mut sums = Vec::new();
        add(title.unwrap_or_default(), &mut sums);
        if head {
            let named = dom.nodes().take(HEAD).filter(|node| node.tag() == Tag::META);
            let og = named.filter(|n| n.attribute("property").is_some_and(|p| p.eq_ignore_ascii_case("og:title")));
            for content in og.filter_map(|n| n.attribute("content")).take(1) {
                add(&content, &mut sums);
            }
        }
        sums.sort_unstable();
        sums.dedup();
        let mut sieve_of = [false; SIEVE];
        sums.iter().for_each(|&sum| sieve_of[sieve(sum)] = true);
        TitleWords { sums, sieve: sieve_of }
    }

    /// Share of a block's words that are in the title, and share of the title's words that are in the block.
    pub(super) fn overlap(&self, blocks: Blocks<'_>, index: usize, sums: &mut Vec<u32>) -> (f32, f32) {
        let Some(block) = blocks.get(index).filter(|block| block.counts().words < LONGEST) else { return (0.0, 0.0) };
        if self.sums.is_empty() {
            return (0.0, 0.0);
        }
        sums.clear();
        for run in block.runs() {
            add(&blocks.dom().run_text(run.0), sums);
        }
        // Most blocks say nothing of the title: no need to find out how many words they have.
        if !sums.iter().any(|&sum| self.sieve[sieve(sum)] && self.sums.binary_search(&sum).is_ok()) {
            return (0.0, 0.0);
        }
        sums.sort_unstable();
        sums.dedup();
        let common = sums.iter().filter(|sum| self.sums.binary_search(sum).is_ok()).count() as f32;
        (common / sums.len() as f32, common / self.sums.len() as f32)
    }
}

/// Nodes among which the head is looked for.
const HEAD: usize = 400;

/// Letters and digits of ASCII in lower case; 0 for what stands between words.
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

/// Adds the words of a text; in scripts without spaces every letter is one.
fn add(text: &str, sums: &mut Vec<u32>) {
    let mut sum = fnv::OFFSET_BASIS_32;
    let most = sums.len() + WORDS;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if let Some(&lower) = LOWER.get(usize::from(byte)) {
            at += 1;
            if lower != 0 {
                sum = fnv::add_32(sum, lower);
                continue;
            }
        } else {
            let Some(c) = text[at..].chars().next() else { return };
            at += c.len_utf8();
            if let Some(lower) = word_letter(c) {
                sum = fnv::add_32(sum, lower);
                if !is_unspaced(c) {
                    continue;
                }
            }
        }
        if sum != fnv::OFFSET_BASIS_32 {
            sums.push(sum);
            sum = fnv::OFFSET_BASIS_32;
            if sums.len() >= most {
                return;
            }
        }
    }
    if sum != fnv::OFFSET_BASIS_32 {
        sums.push(sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    #[test]
    fn overlap_both_ways() {
        let page = Page::parse("<title>Rain in the valley</title><h1>RAIN in May</h1><p>雨".as_bytes());
        let titles = TitleWords::new(page.dom(), page.title(), true);
        let (of_block, of_title) = titles.overlap(page.blocks(), 0, &mut Vec::new());
        assert_eq!((of_block, of_title), (2.0 / 3.0, 0.5));
        assert_eq!(titles.overlap(page.blocks(), 1, &mut Vec::new()), (0.0, 0.0));
    }

    #[test]
    fn letters_of_scripts_without_spaces_are_words() {
        let page = Page::parse("<title>大雨の谷</title><h1>大雨</h1>".as_bytes());
        assert_eq!(TitleWords::new(page.dom(), page.title(), true).overlap(page.blocks(), 0, &mut Vec::new()), (1.0, 0.5));
    }
}
