//! Edit distance and alignment.
//!
//! - [`distance`]: the minimum number of insertions, deletions and substitutions of characters (Levenshtein), by the bit-vector
//!   algorithm of Myers (J. ACM 46:3, 1999) as extended to long patterns by Hyyrö.
//! - [`similarity`]: 1 − d / max(|a|, |b|); 1 for two empty texts.
//! - [`align`]: the pairs, in the order of both sequences, with the largest sum of weights.

use std::collections::HashMap;

/// The edit distance of two sequences.
///
/// ```
/// use webstrata_lab::metrics::edit::distance;
/// let characters = |text: &str| text.chars().collect::<Vec<_>>();
/// assert_eq!(distance(&characters("kitten"), &characters("sitting")), 3);
/// ```
#[must_use]
pub fn distance(a: &[char], b: &[char]) -> usize {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if pattern.is_empty() {
        return text.len();
    }
    Columns::new(pattern).run(text)
}

/// Vertical differences of the matrix, 64 rows per machine word.
struct Columns {
    length: usize,
    plus: Vec<u64>,
    minus: Vec<u64>,
    /// Positions of each character in the pattern.
    places: HashMap<char, Vec<u64>>,
}

impl Columns {
    fn new(pattern: &[char]) -> Self {
        let words = pattern.len().div_ceil(64);
        let mut places: HashMap<char, Vec<u64>> = HashMap::new();
        for (at, &c) in pattern.iter().enumerate() {
            places.entry(c).or_insert_with(|| vec![0; words])[at / 64] |= 1 << (at % 64);
        }
        Columns { length: pattern.len(), plus: vec![u64::MAX; words], minus: vec![0; words], places }
    }

    fn run(mut self, text: &[char]) -> usize {
        let none = vec![0; self.plus.len()];
        let last = 1u64 << ((self.length - 1) % 64);
        let mut score = self.length;
        for c in text {
            let places = self.places.get(c).unwrap_or(&none);
            // The first row increases by one with every character of the text.
            let (mut more, mut less) = (1u64, 0u64);
            let top = self.plus.len() - 1;
            for (word, &equal) in places.iter().enumerate() {
                let (plus, minus) = (self.plus[word], self.minus[word]);
                let vertical = equal | minus;
                let equal = equal | less;
                let horizontal = (((equal & plus).wrapping_add(plus)) ^ plus) | equal;
                let (mut up, mut down) = (minus | !(horizontal | plus), plus & horizontal);
                if word == top {
                    score += usize::from(up & last != 0);
                    score -= usize::from(down & last != 0);
                }
                let carried = (up >> 63, down >> 63);
                up = (up << 1) | more;
                down = (down << 1) | less;
                (more, less) = carried;
                self.plus[word] = down | !(vertical | up);
                self.minus[word] = up & vertical;
            }
        }
        score
    }
}

/// The similarity of two texts, from 0 to 1.
///
/// ```
/// use webstrata_lab::metrics::edit::similarity;
/// assert_eq!(similarity("rain", "rain"), 1.0);
/// assert_eq!(similarity("rain", "train"), 0.8);
/// assert_eq!(similarity("rain", ""), 0.0);
/// ```
#[must_use]
pub fn similarity(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    1.0 - distance(&a, &b) as f64 / a.len().max(b.len()) as f64
}

/// Whether the similarity is at least `least`. Texts whose lengths differ too much are not compared.
#[must_use]
pub fn is_similar(a: &str, b: &str, least: f64) -> bool {
    let (short, long) = (a.chars().count().min(b.chars().count()), a.chars().count().max(b.chars().count()));
    a == b || (short as f64 >= long as f64 * least && similarity(a, b) >= least)
}

/// Pairs of elements of two lists, in the order of both, with the largest sum of weights; pairs of weight 0 are left out.
/// Ties are broken in favour of the earliest elements.
///
/// ```
/// use webstrata_lab::metrics::edit::align;
/// let (gold, answer) = (["a", "b", "c"], ["b", "a", "c"]);
/// let same = |i: usize, j: usize| f64::from(u8::from(gold[i] == answer[j]));
/// assert_eq!(align(3, 3, same), [(0, 1), (2, 2)]);
/// ```
#[must_use]
pub fn align(gold: usize, answer: usize, mut weight: impl FnMut(usize, usize) -> f64) -> Vec<(usize, usize)> {
    let weights: Vec<f64> = (0..gold * answer).map(|at| weight(at / answer, at % answer)).collect();
    // best[i][j]: the best sum for the elements from i and j on.
    let width = answer + 1;
    let mut best = vec![0.0f64; (gold + 1) * width];
    for i in (0..gold).rev() {
        for j in (0..answer).rev() {
            let paired = weights[i * answer + j] + best[(i + 1) * width + j + 1];
            best[i * width + j] = paired.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < gold && j < answer {
        let (here, weight) = (best[i * width + j], weights[i * answer + j]);
        if weight > 0.0 && here == weight + best[(i + 1) * width + j + 1] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == best[i * width + j + 1] {
            j += 1;
        } else {
            i += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The textbook dynamic program.
    fn plain(a: &[char], b: &[char]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut corner = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let next = (corner + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
                corner = row[j + 1];
                row[j + 1] = next;
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn matches_the_textbook_edit_distance(a in "[abc]{0,200}", b in "[abc]{0,200}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(distance(&a, &b), plain(&a, &b));
        }

        #[test]
        fn alignments_ascend(weights in proptest::collection::vec(0u8..4, 30)) {
            let pairs = align(5, 6, |i, j| f64::from(weights[i * 6 + j]));
            prop_assert!(pairs.windows(2).all(|p| p[0].0 < p[1].0 && p[0].1 < p[1].1));
            prop_assert!(pairs.iter().all(|&(i, j)| weights[i * 6 + j] > 0));
        }
    }

    #[test]
    fn similarity_of_texts_that_only_differ_in_length() {
        assert_eq!((similarity("", ""), similarity("", "ab")), (1.0, 0.0));
        assert!(is_similar("abcdefghij", "abcdefghi", 0.9) && !is_similar("abcdefghij", "abcdefgh", 0.9));
    }

    #[test]
    fn nothing_aligns_with_nothing() {
        assert!(align(0, 3, |_, _| 1.0).is_empty() && align(3, 0, |_, _| 1.0).is_empty() && align(2, 2, |_, _| 0.0).is_empty());
    }
}
