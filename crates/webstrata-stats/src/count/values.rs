//! Values that are counted by key: terms, fingerprints, profiles of pages.

use super::spill::Sum;
use serde::{Deserialize, Serialize};

/// Length of the text kept as an example, in characters.
const EXAMPLE: usize = 60;

/// A term: in how many pages it occurs in short and in long text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Term {
    pub(crate) text: Box<str>,
    /// Pages with it in short text, in long text, and in any.
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

/// Segments and words of a fingerprint with one density, without or with a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) density: u8,
    pub(crate) stop: bool,
    pub(crate) segments: u64,
    pub(crate) words: u64,
}

/// A fingerprint: how often it occurs, and where in the histogram of densities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Template {
    /// The beginning of the shortest of its texts, or of the last of these in alphabetical order: `Home` rather than `HOME` or `1 Home`.
    pub(crate) text: Box<str>,
    pub(crate) count: u64,
    pub(crate) cells: Vec<Cell>,
}

impl Template {
    /// Adds a segment with this text.
    pub(crate) fn add(&mut self, text: &str, cell: Cell, buffer: &mut String) {
        if self.count == 0 || !is_example(&self.text, text) {
            example(text, buffer);
            if self.count == 0 || is_better(buffer, &self.text) {
                self.text = buffer.as_str().into();
            }
        }
        self.count += cell.segments;
        self.place(cell);
    }

    /// Its segments and words; none for what no text has.
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

    fn place(&mut self, cell: Cell) {
        match self.cells.binary_search_by_key(&(cell.density, cell.stop), |known| (known.density, known.stop)) {
            Ok(at) => {
                self.cells[at].segments += cell.segments;
                self.cells[at].words += cell.words;
            }
            Err(at) => {
                // Nearly all have one cell only.
                if self.cells.is_empty() {
                    self.cells.reserve_exact(1);
                }
                self.cells.insert(at, cell);
            }
        }
    }
}

/// The beginning of a text on one line.
fn example(text: &str, line: &mut String) {
    line.clear();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next().filter(|_| line.len() <= EXAMPLE) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let end = line.char_indices().nth(EXAMPLE).map_or(line.len(), |(at, _)| at);
    line.truncate(end);
}

/// Whether a glance is enough to see that a text has this example: it is the text, or it is full and the text begins with it.
fn is_example(example: &str, text: &str) -> bool {
    let full = example.len() == EXAMPLE && example.is_ascii();
    (text.len() == example.len() || full) && !example.ends_with(' ') && text.starts_with(example)
}

/// Whether a text is the better example of two.
fn is_better(text: &str, than: &str) -> bool {
    (text.len(), than) < (than.len(), text)
}

impl Sum for Template {
    fn sum(&mut self, other: Template) {
        if self.count == 0 || (other.count > 0 && is_better(&other.text, &self.text)) {
            self.text = other.text;
        }
        self.count += other.count;
        for cell in other.cells {
            self.place(cell);
        }
    }
}

/// Classes of segment lengths by which a page is compared with the corpus: the first length of each.
pub(crate) const LENGTHS: [u32; 11] = [1, 2, 3, 4, 5, 7, 10, 15, 25, 50, 100];

/// A page: its segments by class of length.
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

    proptest! {
        /// A glance never says that a text has an example that it has not.
        #[test]
        fn examples_at_a_glance(first in "([a-c]{1,9} {1,2}){0,14}", second in "([a-cé]{1,9} ){0,14}", cut in 0usize..80) {
            let of = |text: &str| {
                let mut line = String::new();
                example(text, &mut line);
                line
            };
            let cut: String = first.chars().take(cut).collect();
            for text in [format!("{first}{second}"), cut, format!("{first} {second}"), second] {
                if is_example(&of(&first), &text) {
                    prop_assert_eq!(of(&first), of(&text));
                }
            }
            prop_assert!(first.contains("  ") || of(&first) != first || first.ends_with(' ') || is_example(&of(&first), &first));
        }
    }
}
