//! The words of short texts and titles, as evidence for the type of a page.
//!
//! Headings and buttons reveal what a page is for: "Add to basket", "3 replies", "Jobs in Hamburg". Long texts do not: their words
//! are about their topic. A word unknown to the model has no weight, so for pages in other languages than those of the training
//! pages the type is predicted from the other features.
//!
//! They are used for the reported page type, not for the verdicts: there they gained nothing, neither as block features nor through
//! better page types (F1 within .003 on all sets), and cost .04 on Russian pages.

use super::page_type::PageType;
use super::titles::TitleWords;
use crate::block::{Mask, is_unspaced};
use crate::html::fnv;
use crate::label::Input;
use crate::label::letter_case::word_letter;
use crate::model::{WEIGHT_STEP, WordTable};

/// In blocks with more words than this, words have no weight.
const MAX_SHORT_WORDS: u32 = 15;

/// Words read per text run.
const MAX_RUN_WORDS: usize = 64;

/// ASCII letters and digits in lower case; 0 for characters between words.
pub(super) const LOWER: [u8; 128] = {
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

/// The same for all bytes; -1 for those beyond ASCII.
const FOLDED: [i8; 256] = {
    let mut folded = [-1; 256];
    let mut byte = 0;
    while byte < LOWER.len() {
        folded[byte] = LOWER[byte].cast_signed();
        byte += 1;
    }
    folded
};

/// Adds the hashes of a text's words; in scripts without spaces every letter is a word.
pub(super) fn add_words(text: &str, hashes: &mut Vec<u32>) {
    let mut hash = fnv::OFFSET_BASIS_32;
    let max = hashes.len() + MAX_RUN_WORDS;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let lower = FOLDED[usize::from(byte)];
        if lower > 0 {
            hash = fnv::add_32(hash, lower.cast_unsigned());
            at += 1;
            continue;
        }
        if lower == 0 {
            at += 1;
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

/// Words of the title are hashed separately: a title is about the page, other short texts are about a part of it.
const TITLE_MARK: u32 = 0x7469_746c;

/// The words of a page's short texts, and the marked words of its title, with repetitions.
pub(super) fn words_of_page(input: &Input<'_>, mask: Mask) -> Vec<u32> {
    let mut words = Vec::new();
    if mask.words {
        return words;
    }
    for block in input.blocks.iter().filter(|block| block.counts().words <= MAX_SHORT_WORDS) {
        for run in block.runs() {
            add_words(&input.blocks.dom().run_text(run.0), &mut words);
        }
    }
    let titles = TitleWords::new(input.blocks.dom(), input.title, !mask.head);
    words.extend(titles.hashes().iter().map(|word| word ^ TITLE_MARK));
    words
}

/// The weights of the words of a page's short texts and title, by page type.
pub(super) fn text_weights(input: &Input<'_>, mask: Mask, table: &WordTable) -> [f32; PageType::ALL.len()] {
    score_page(words_of_page(input, mask).into_iter(), table)
}

/// For each page type: the sum of the weights of the distinct words in the table, scaled by [`page_scale`].
fn score_page(words: impl Iterator<Item = u32>, table: &WordTable) -> [f32; PageType::ALL.len()] {
    let mut seen = vec![false; table.len()];
    let (mut sums, mut known) = ([0i32; PageType::ALL.len()], 0usize);
    for (index, weights) in words.filter_map(|word| table.get(word)) {
        if !std::mem::replace(&mut seen[index], true) {
            known += 1;
            for (sum, weight) in sums.iter_mut().zip(weights.page_types) {
                *sum += i32::from(weight);
            }
        }
    }
    sums.map(|sum| sum as f32 * WEIGHT_STEP * page_scale(known))
}

/// Factor for the sum of the weights of this many known words. A long page has more words, but its type is no more certain; a
/// page in another language has few known words, such as "RSS" and "Twitter", and they reveal little about it.
#[must_use]
pub fn page_scale(known: usize) -> f32 {
    4.0 / (known as f32 + FEW_WORDS).sqrt()
}

/// With fewer known words than this, each counts less than it would among many.
const FEW_WORDS: f32 = 40.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use crate::model::WordWeights;

    fn word(text: &str) -> u32 {
        let mut hashes = Vec::new();
        add_words(text, &mut hashes);
        hashes[0]
    }

    /// The weight for articles of a page on which one word has the weight 1.
    fn score(html: &str, word: u32) -> f32 {
        let table = WordTable::new(vec![(word, WordWeights { page_types: [32; 7], ..WordWeights::default() })]);
        let page = Page::parse(html.as_bytes());
        text_weights(&page.input(), Mask::default(), &table)[0]
    }

    #[test]
    fn words_of_short_texts_count_once() {
        assert_eq!(score("<h2>Replies</h2><p>3 replies</p><p>Rain", word("replies")), page_scale(1));
        assert_eq!(score(&format!("<p>{}", "rain and so on ".repeat(5)), word("rain")), 0.0);
    }

    #[test]
    fn words_of_titles_count_apart() {
        let html = "<title>Rain</title><p>It is raining.";
        assert_eq!((score(html, word("rain")), score(html, word("rain") ^ TITLE_MARK)), (0.0, page_scale(1)));
    }
}
