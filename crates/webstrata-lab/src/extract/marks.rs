//! Differences between two texts: what was missed, and what was wrongly kept.
//!
//! For people to read, not for scoring. Single words are a poor guide: every missed paragraph has words that occur elsewhere in the
//! answer. A word counts as found if it is part of a run of three words that also occurs in the other text, or of a line of one or two
//! words that is also a line there. Order does not matter. If one text has more copies of a run than the other, the last copies count
//! as missing. Linear in the length of the two texts.

use crate::metrics::words::split;
use std::collections::HashMap;
use std::ops::Range;

/// Words per run.
const RUN: usize = 3;
/// Placeholder for the absent words of a short line.
const NO_WORD: u32 = u32::MAX;

/// A stretch of a text, and whether its words are missing in the other text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch<'t> {
    /// The text, with white space and punctuation.
    pub text: &'t str,
    /// Whether it is missing in the other text.
    pub missing: bool,
}

/// Splits a text into stretches that the other text contains and stretches that it does not.
///
/// ```
/// use webstrata_lab::extract::marks::stretches;
/// let marked: Vec<(&str, bool)> = stretches("Home: it rained again. Share", "It rained again").iter().map(|s| (s.text, s.missing)).collect();
/// assert_eq!(marked, [("Home: ", true), ("it rained again. ", false), ("Share", true)]);
/// ```
#[must_use]
pub fn stretches<'t>(text: &'t str, other: &str) -> Vec<Stretch<'t>> {
    let mut numbers = HashMap::new();
    let mut left: HashMap<[u32; RUN], usize> = HashMap::new();
    for (_, run) in runs(&words(other, &mut numbers)) {
        *left.entry(run).or_default() += 1;
    }
    let words = words(text, &mut numbers);
    let mut found = vec![false; words.len()];
    for (range, run) in runs(&words) {
        if let Some(count) = left.get_mut(&run).filter(|count| **count > 0) {
            *count -= 1;
            found[range].fill(true);
        }
    }
    let mut cut: Vec<Stretch<'t>> = Vec::new();
    let mut start = 0;
    for (pair, at) in found.windows(2).zip(words.iter().skip(1).map(|word| word.at)) {
        if pair[0] != pair[1] {
            cut.push(Stretch { text: &text[start..at], missing: !pair[0] });
            start = at;
        }
    }
    if start < text.len() {
        cut.push(Stretch { text: &text[start..], missing: found.last().is_some_and(|found| !found) });
    }
    cut
}

/// A word of a text.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// Identifies the word, ignoring case.
    number: u32,
    /// Byte offset.
    at: usize,
    /// Whether it begins a line.
    first: bool,
}

fn words(text: &str, numbers: &mut HashMap<String, u32>) -> Vec<Word> {
    let mut words = Vec::new();
    let mut line_at = 0;
    for line in text.split_inclusive('\n') {
        for (place, word) in split(line).enumerate() {
            let next = numbers.len() as u32;
            let number = *numbers.entry(word.to_lowercase()).or_insert(next);
            // The word is a slice of the line, so its offset is the difference of the pointers.
            let at = line_at + (word.as_ptr() as usize - line.as_ptr() as usize);
            words.push(Word { number, at, first: place == 0 });
        }
        line_at += line.len();
    }
    words
}

/// All runs of three words, and all shorter lines, each with the range of its words.
fn runs(words: &[Word]) -> Vec<(Range<usize>, [u32; RUN])> {
    let key = |range: Range<usize>| {
        let mut key = [NO_WORD; RUN];
        key.iter_mut().zip(&words[range]).for_each(|(slot, word)| *slot = word.number);
        key
    };
    let long = (RUN..=words.len()).map(|end| end - RUN..end);
    let mut lines: Vec<usize> = (0..words.len()).filter(|&at| words[at].first).collect();
    lines.push(words.len());
    let short = lines.windows(2).map(|line| line[0]..line[1]).filter(|line| line.len() < RUN);
    long.chain(short).map(|range| (range.clone(), key(range))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(text: &str, other: &str) -> Vec<String> {
        let stretches = stretches(text, other);
        assert_eq!(stretches.iter().map(|s| s.text).collect::<String>(), text, "no text is lost");
        assert!(stretches.windows(2).all(|pair| pair[0].missing != pair[1].missing), "neighbours differ");
        stretches.iter().filter(|s| s.missing).map(|s| s.text.trim().to_owned()).collect()
    }

    #[test]
    fn a_missed_paragraph_is_missed_as_a_whole() {
        let gold = "Rain\nThe rain came in the night and took the bridge.\nThe bridge will be built again in the spring.";
        let answer = "Rain\nThe bridge will be built again in the spring.";
        assert_eq!(missing(gold, answer), ["The rain came in the night and took the bridge."]);
        assert_eq!(missing(answer, gold), [""; 0]);
    }

    #[test]
    fn order_is_ignored_and_copies_count() {
        assert_eq!(missing("one two three\nfour five six", "four five six\none two three"), [""; 0]);
        assert_eq!(missing("one two three\none two three", "one two three"), ["one two three"]);
    }

    #[test]
    fn texts_may_be_short_or_empty() {
        assert_eq!(missing("", "a"), [""; 0]);
        assert_eq!(missing("…", "a"), [""; 0]);
        assert_eq!(missing("Rain", "rain"), [""; 0]);
        assert_eq!(missing("Rain\nSnow", "snow"), ["Rain"]);
        assert_eq!(missing("Regen, Schnee", ""), ["Regen, Schnee"]);
        assert_eq!(missing("ß", "ß\n"), [""; 0]);
    }
}
