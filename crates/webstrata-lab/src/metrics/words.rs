//! Words of an answer against words of the gold text.
//!
//! - **Bag of words**: precision, recall and F1 of the multisets. Both empty count as 1, one empty as 0.
//! - **Order-aware** (ROUGE-L; Lin: ROUGE, a package for automatic evaluation of summaries, 2004, with beta 1): the longest
//!   common subsequence instead of the common multiset.
//!
//! Words are defined as in the public scorers of this field: runs of letters, digits and `_` (Python's `\w`: the
//! Unicode categories L and N), in lower case. Combining marks end a word there, so they do here: scores must be comparable.

use std::collections::HashMap;
use unicode_general_category::{GeneralCategory, get_general_category};

/// Precision, recall and their harmonic mean.
///
/// ```
/// use webstrata_lab::metrics::words::Prf;
/// let score = Prf::new(2, 4, 8); // 2 in common, 4 answered, 8 wanted
/// assert_eq!((score.precision, score.recall), (0.5, 0.25));
/// assert_eq!(score.f1(), 1.0 / 3.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prf {
    /// Share of the answer that is correct.
    pub precision: f64,
    /// Share of the gold that was found.
    pub recall: f64,
}

impl Prf {
    /// Computes the score from counts: common, answered, wanted. An empty answer is right if nothing is wanted; otherwise an empty side scores 0.
    #[must_use]
    pub fn new(common: usize, answered: usize, wanted: usize) -> Self {
        if answered == 0 && wanted == 0 {
            return Prf { precision: 1.0, recall: 1.0 };
        }
        let share = |of: usize| if of == 0 { 0.0 } else { common as f64 / of as f64 };
        Prf { precision: share(answered), recall: share(wanted) }
    }

    /// Harmonic mean.
    #[must_use]
    pub fn f1(self) -> f64 {
        let sum = self.precision + self.recall;
        if sum == 0.0 { 0.0 } else { 2.0 * self.precision * self.recall / sum }
    }
}

/// Maps words to numbers. Texts to be compared must share a vocabulary.
///
/// ```
/// use webstrata_lab::metrics::words::{Vocabulary, bag, sequence};
/// let mut vocabulary = Vocabulary::default();
/// let gold = vocabulary.read("It rained. It rained again.");
/// let answer = vocabulary.read("again it RAINED");
/// let score = bag(&gold, &answer);
/// assert_eq!((score.precision, score.recall), (1.0, 0.6));
/// assert_eq!(sequence(&gold, &answer).precision, 2.0 / 3.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    numbers: HashMap<String, u32>,
}

impl Vocabulary {
    /// The words of a text, in order.
    pub fn read(&mut self, text: &str) -> Vec<u32> {
        // Lower-case first: a letter may become two, the second of which is a mark that ends the word.
        let lower = text.to_lowercase();
        let number = |word: &str| {
            if let Some(&number) = self.numbers.get(word) {
                return number;
            }
            let next = self.numbers.len() as u32;
            self.numbers.insert(word.to_owned(), next);
            next
        };
        split(&lower).map(number).collect()
    }
}

/// The words of a text, in order and unchanged.
///
/// ```
/// let words: Vec<&str> = webstrata_lab::metrics::words::split("l’été: 3,5 km_h").collect();
/// assert_eq!(words, ["l", "été", "3", "5", "km_h"]);
/// ```
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

fn is_word(c: char) -> bool {
    use GeneralCategory as G;
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    matches!(
        get_general_category(c),
        G::UppercaseLetter
            | G::LowercaseLetter
            | G::TitlecaseLetter
            | G::ModifierLetter
            | G::OtherLetter
            | G::DecimalNumber
            | G::LetterNumber
            | G::OtherNumber
    )
}

/// Bag-of-words score of an answer.
#[must_use]
pub fn bag(gold: &[u32], answer: &[u32]) -> Prf {
    Prf::new(common(gold, answer), answer.len(), gold.len())
}

/// Size of the common multiset.
pub(crate) fn common(a: &[u32], b: &[u32]) -> usize {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for word in a {
        *counts.entry(*word).or_default() += 1;
    }
    b.iter()
        .filter(|word| match counts.get_mut(word) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        })
        .count()
}

/// Order-aware score of an answer.
#[must_use]
pub fn sequence(gold: &[u32], answer: &[u32]) -> Prf {
    Prf::new(longest_common(gold, answer), answer.len(), gold.len())
}

/// Length of the longest common subsequence, 64 columns at a time (Hyyrö: Bit-parallel LCS-length computation
/// revisited, 2004): one addition and three bit operations per 64 cells of the table.
#[must_use]
pub fn longest_common(a: &[u32], b: &[u32]) -> usize {
    // A common prefix and suffix are part of it.
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    if a.is_empty() || b.is_empty() {
        return start + end;
    }
    let blocks = a.len().div_ceil(64);
    // For each word: its positions in `a`, as (block, bits), ascending.
    let mut places: HashMap<u32, Vec<(u32, u64)>> = HashMap::new();
    for (at, word) in a.iter().enumerate() {
        let list = places.entry(*word).or_default();
        let (block, bit) = ((at / 64) as u32, 1u64 << (at % 64));
        match list.last_mut() {
            Some((last, bits)) if *last == block => *bits |= bit,
            _ => list.push((block, bit)),
        }
    }
    // A zero bit is a step of the staircase: a position of `a` at which the common subsequence grows by one word.
    let mut row = vec![u64::MAX; blocks];
    for word in b {
        let Some(list) = places.get(word) else { continue };
        let mut list = list.iter().peekable();
        let mut carry = false;
        // Blocks before the first position are unchanged.
        let first = list.peek().map_or(0, |(block, _)| *block as usize);
        for (block, v) in row.iter_mut().enumerate().skip(first) {
            let bits = list.next_if(|(at, _)| *at as usize == block).map_or(0, |(_, bits)| *bits);
            let hit = *v & bits;
            let (sum, over) = v.overflowing_add(hit);
            let (sum, more) = sum.overflowing_add(u64::from(carry));
            carry = over || more;
            *v = sum | (*v & !bits);
            if !carry && list.peek().is_none() {
                break;
            }
        }
    }
    let steps: usize = row
        .iter()
        .enumerate()
        .map(|(block, v)| {
            let used = (a.len() - block * 64).min(64);
            let mask = if used == 64 { u64::MAX } else { (1 << used) - 1 };
            (!v & mask).count_ones() as usize
        })
        .sum();
    start + steps + end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook algorithm.
    fn naive(a: &[u32], b: &[u32]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    fn random(state: &mut u64, len: usize, words: u64) -> Vec<u32> {
        let mut next = || {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *state >> 33
        };
        (0..len).map(|_| (next() % words) as u32).collect()
    }

    #[test]
    fn fast_subsequence_matches_the_naive_one() {
        let mut state = 7;
        for case in 0..600u64 {
            let (n, m, words) = (case as usize % 200, (case as usize * 7) % 150, 1 + case % 40);
            let a = random(&mut state, n, words);
            let b = random(&mut state, m, words);
            assert_eq!(longest_common(&a, &b), naive(&a, &b), "case {case}: {a:?} {b:?}");
        }
    }

    #[test]
    fn matches_values_computed_by_hand() {
        let mut vocabulary = Vocabulary::default();
        // Lin's own example: "police killed the gunman" against two candidates.
        let gold = vocabulary.read("police killed the gunman");
        let first = vocabulary.read("police kill the gunman");
        let second = vocabulary.read("the gunman kill police");
        assert_eq!(sequence(&gold, &first).f1(), 0.75);
        assert_eq!(sequence(&gold, &second).f1(), 0.5);
        assert_eq!(bag(&gold, &second).f1(), 0.75);
        // "a a b" against "a b b": one a and one b in common.
        let (x, y) = (vocabulary.read("a a b"), vocabulary.read("a b b"));
        assert_eq!(bag(&x, &y).f1(), 2.0 / 3.0);
        assert_eq!(bag(&[], &[]).f1(), 1.0);
        assert_eq!(bag(&x, &[]).f1(), 0.0);
        assert_eq!(bag(&[], &x).f1(), 0.0);
    }

    #[test]
    fn words_match_pythons_w() {
        // re.findall(r"\w+", text.lower()) of Python 3.11 on the same text.
        let mut vocabulary = Vocabulary::default();
        let text = "Ünï_cøde ½ x² ⅻ 漢字かな한국어 ไทยที่ नमस्ते Ⓐ İstanbul e\u{301}t ß 3.14 don't";
        let words: Vec<String> = split(&text.to_lowercase()).map(str::to_owned).collect();
        let python = [
            "ünï_cøde",
            "½",
            "x²",
            "ⅻ",
            "漢字かな한국어",
            "ไทยท",
            "नमस",
            "त",
            "i",
            "stanbul",
            "e",
            "t",
            "ß",
            "3",
            "14",
            "don",
            "t",
        ];
        assert_eq!(words, python);
        assert_eq!(vocabulary.read(text).len(), words.len());
    }
}
