//! Values counted by key: terms, fingerprints, page profiles.

use super::spill::Sum;
use super::tokens;
use serde::{Deserialize, Serialize};

/// Length of an example text, in characters.
const EXAMPLE: usize = 60;

/// A term: the number of pages on which it occurs in short and in long text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Term {
    pub(crate) text: Box<str>,
    /// Pages with the term in short text, in long text, and in either.
    pub(crate) pages: [u64; 3],
    /// Occurrences.
    pub(crate) count: u64,
}

impl Term {
    pub(crate) fn new(text: &str) -> Term {
        Term { text: text.into(), pages: [0; 3], count: 0 }
    }
}

impl Sum for Term {
    fn sum(&mut self, other: Term) {
        if other.text < self.text {
            self.text = other.text;
        }
        for (pages, other) in self.pages.iter_mut().zip(other.pages) {
            *pages += other;
        }
        self.count += other.count;
    }
}

/// Segments and words of a fingerprint with the same density, without or with a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) density: u8,
    pub(crate) stop: bool,
    pub(crate) segments: u64,
    pub(crate) words: u64,
}

impl Cell {
    /// Whether two cells have the same density and full stop.
    #[inline]
    pub(super) fn is_same(&self, other: &Cell) -> bool {
        (self.density, self.stop) == (other.density, other.stop)
    }

    /// Adds a cell to sorted cells.
    pub(super) fn place(cells: &mut Vec<Cell>, cell: Cell) {
        match cells.binary_search_by_key(&(cell.density, cell.stop), |known| (known.density, known.stop)) {
            Ok(at) => {
                cells[at].segments += cell.segments;
                cells[at].words += cell.words;
            }
            Err(at) => cells.insert(at, cell),
        }
    }
}

/// A fingerprint: how often it occurs, and its densities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Template {
    /// The beginning of the shortest of its texts; among those, the last in alphabetical order: `Home` rather than `HOME` or `1 Home`.
    pub(crate) text: Box<str>,
    pub(crate) count: u64,
    pub(crate) cells: Vec<Cell>,
}

impl Template {
    /// The number of segments and words; `None` if they are impossible.
    pub(crate) fn check(&self) -> Option<(u64, u64)> {
        let (mut segments, mut words) = (0u64, 0u64);
        for cell in &self.cells {
            segments = segments.checked_add(cell.segments)?;
            words = words.checked_add(cell.words)?;
        }
        let known = self.cells.iter().all(|cell| usize::from(cell.density) <= super::MAX_DENSITY && cell.segments > 0);
        let sorted = self.cells.is_sorted_by(|a, b| (a.density, a.stop) < (b.density, b.stop));
        (known && sorted && self.count > 0 && self.count == segments && self.text.len() <= EXAMPLE * 4).then_some((segments, words))
    }
}

/// The beginning of a text on one line. Most texts have only single spaces and ASCII letters; then it is a slice of the text.
pub(super) fn example(text: &str, line: &mut String) {
    line.clear();
    match text.get(..text.len().min(EXAMPLE)) {
        // Whether a trailing space is kept depends on what follows.
        Some(start) if start.is_ascii() && is_plain(start.as_bytes()) && !start.ends_with(' ') => line.push_str(start),
        _ => example_by_words(text, line),
    }
}

/// Whether all white space is single spaces, and none is at the beginning.
fn is_plain(text: &[u8]) -> bool {
    let mut before = b' ';
    let mut plain = true;
    for byte in text {
        plain &= *byte > b' ' || (*byte == b' ' && before != b' ');
        before = *byte;
    }
    plain
}

/// The beginning of any text on one line, word by word.
fn example_by_words(text: &str, line: &mut String) {
    line.clear();
    let mut at = 0;
    while let Some((start, end)) = tokens::next(text, at).filter(|_| line.len() <= EXAMPLE) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&text[start..end]);
        at = end;
    }
    let end =
        if line.is_ascii() { line.len().min(EXAMPLE) } else { line.char_indices().nth(EXAMPLE).map_or(line.len(), |(at, _)| at) };
    line.truncate(end);
}

/// Quick check whether a text has this example: they are equal, or the example has its full length and the text begins with it.
pub(super) fn is_example(example: &[u8], text: &str) -> bool {
    let text = text.as_bytes();
    if !text.starts_with(example) {
        return false;
    }
    // Counts the bytes that start a character.
    let full = || example.len() >= EXAMPLE && example.iter().filter(|byte| **byte as i8 >= -0x40).count() == EXAMPLE;
    // A trailing space is kept if a word follows.
    match example.last() {
        Some(b' ') => full() && text.get(example.len()).is_some_and(u8::is_ascii_graphic),
        _ => text.len() == example.len() || full(),
    }
}

/// Whether a text is the better of two examples.
pub(super) fn is_better(text: &[u8], than: &[u8]) -> bool {
    (text.len(), than) < (than.len(), text)
}

impl Sum for Template {
    fn sum(&mut self, other: Template) {
        if self.count == 0 || (other.count > 0 && is_better(other.text.as_bytes(), self.text.as_bytes())) {
            self.text = other.text;
        }
        self.count += other.count;
        for cell in other.cells {
            Cell::place(&mut self.cells, cell);
        }
    }
}

/// Classes of segment lengths in which a page is compared with the corpus, each by its first length.
pub(crate) const LENGTHS: [u32; 11] = [1, 2, 3, 4, 5, 7, 10, 15, 25, 50, 100];

/// A page profile: its segments by class of length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Profile {
    pub(crate) segments: [u32; LENGTHS.len()],
    pub(crate) words: u64,
}

impl Profile {
    pub(crate) fn add(&mut self, words: u32) {
        let class = LENGTHS.partition_point(|first| *first <= words).saturating_sub(1);
        self.segments[class] = self.segments[class].saturating_add(1);
        self.words += u64::from(words);
    }
}

impl Sum for Profile {
    fn sum(&mut self, other: Profile) {
        for (count, other) in self.segments.iter_mut().zip(other.segments) {
            *count = count.saturating_add(other);
        }
        self.words += other.words;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An example from the words of the standard library.
    fn by_split(text: &str) -> String {
        let mut line = String::new();
        for word in text.split_whitespace() {
            if line.len() > EXAMPLE {
                break;
            }
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
        line.chars().take(EXAMPLE).collect()
    }

    proptest! {
        /// The quick check has no false positives.
        #[test]
        fn examples_at_a_glance(first in "([a-cé]{1,9} {1,2}){0,14}", second in "([a-cé]{1,9} ){0,14}", cut in 0usize..80) {
            let of = |text: &str| {
                let mut line = String::new();
                example_by_words(text, &mut line);
                line
            };
            let cut: String = first.chars().take(cut).collect();
            for text in [format!("{first}{second}"), cut.clone(), format!("{cut}\u{a0}"), format!("{first} {second}"), second] {
                if is_example(of(&first).as_bytes(), &text) {
                    prop_assert_eq!(of(&first), of(&text));
                }
            }
            prop_assert!(first.contains("  ") || of(&first) != first || first.ends_with(' ') || is_example(of(&first).as_bytes(), &first));
        }

        /// An example that is a slice of the text equals the one built word by word.
        #[test]
        fn examples_match_the_word_by_word_version(text in "[ \\t\u{a0}]{0,1}([a-cé!]{1,20}[ ]{1,2}|[a-c]{1,20} |[a-c]{1,20}[ \\n\u{b}\u{2009}]){0,9}") {
            for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
                let (mut fast, mut naive) = (String::new(), String::new());
                example(&text[..end], &mut fast);
                example_by_words(&text[..end], &mut naive);
                prop_assert_eq!(&fast, &naive);
                prop_assert_eq!(fast, by_split(&text[..end]));
            }
        }
    }
}
