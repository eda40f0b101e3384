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
    /// The last page seen with it, so that a page counts once. Means nothing beyond one counter.
    #[serde(skip)]
    pub(crate) last: [u64; 3],
}

impl Term {
    pub(crate) fn new(text: &str) -> Term {
        Term { text: text.into(), pages: [0; 3], count: 0, last: [0; 3] }
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
    pub(crate) fn add(&mut self, text: &str, cell: Cell) {
        let text = example(text);
        if self.count == 0 || is_better(&text, &self.text) {
            self.text = text.into();
        }
        self.count += cell.segments;
        self.place(cell);
    }

    fn place(&mut self, cell: Cell) {
        match self.cells.binary_search_by_key(&(cell.density, cell.stop), |known| (known.density, known.stop)) {
            Ok(at) => {
                self.cells[at].segments += cell.segments;
                self.cells[at].words += cell.words;
            }
            Err(at) => self.cells.insert(at, cell),
        }
    }
}

/// The beginning of a text on one line.
fn example(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut line = String::new();
    while let Some(word) = words.next().filter(|_| line.len() <= EXAMPLE) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let end = line.char_indices().nth(EXAMPLE).map_or(line.len(), |(at, _)| at);
    line.truncate(end);
    line
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
