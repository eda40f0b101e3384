//! Counts of a corpus: filled page by page, merged in any order, always the same.
//!
//! All counts are whole numbers, so sums do not depend on their order. Histograms are bounded; terms, fingerprints and profiles of pages
//! go to temporary files when they exceed the memory they may take.

mod chunk;
mod file;
mod histogram;
mod memo;
#[cfg(test)]
mod oracle;
mod spill;
mod tallies;
mod terms;
mod text;
mod tokens;
mod values;
mod vocabulary;

pub use chunk::{Chunk, LinkFacts, PageFacts, SegmentFacts};
pub(crate) use file::is_counts;
pub use histogram::Histogram;
pub(crate) use spill::Spilled;
pub use tallies::{Strata, Tallies};
pub(crate) use values::{LENGTHS, Profile, Template, Term};
pub use vocabulary::{Deviation, Frequencies, Summary, TemplateSummary, TermSummary, Typical};

use crate::error::StatsError;
use memo::Memo;
use terms::Terms;
use values::Cell;
use webstrata_corpus::io::TempDir;
use webstrata_corpus::site::{Fingerprint, FingerprintMarks};

/// Largest density class: a line of 80 characters has at most 40 words.
pub const MAX_DENSITY: usize = 60;
/// Text up to this rounded density is short (thesis, 4.3.2: the boundary of its two Beta distributions).
pub const MAX_SHORT: usize = 8;
/// Largest class of the density quotient of neighbouring segments.
pub const MAX_QUOTIENT: usize = 400;
/// Classes per unit in histograms of averages.
pub const FINE: f64 = 1000.0;
/// Classes per unit in the histogram of token lengths.
pub const TENTHS: f64 = 10.0;

/// How much memory counters may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Terms in memory, of all threads together.
    pub terms: usize,
    /// Fingerprints in memory.
    pub fingerprints: usize,
    /// Pages in memory.
    pub pages: usize,
}

impl Memory {
    /// Divides a number of bytes among the counters.
    #[must_use]
    pub fn bytes(bytes: u64) -> Memory {
        // About 110 bytes a term, 200 a fingerprint, 160 a page, with the room that hash tables leave.
        let share = |part: u64, size: u64| usize::try_from(bytes / part / size).unwrap_or(usize::MAX).max(1000);
        Memory { terms: share(2, 110), fingerprints: share(3, 200), pages: share(6, 160) }
    }

    /// The part of one of several threads.
    #[must_use]
    pub fn divided(self, threads: usize) -> Memory {
        let part = |all: usize| (all / threads.max(1)).max(500);
        Memory { terms: part(self.terms), fingerprints: part(self.fingerprints), pages: part(self.pages) }
    }
}

impl Default for Memory {
    fn default() -> Self {
        Memory::bytes(512 << 20)
    }
}

/// All counts of a corpus or of a part of it.
#[derive(Debug)]
pub struct Counts {
    /// Those that are small for any corpus.
    pub tallies: Tallies,
    terms: Terms,
    pub(crate) templates: Spilled<u128, Template>,
    pub(crate) pages: Spilled<String, Profile>,
    memory: Memory,
    folder: TempDir,
    seen: u64,
    memo: Memo,
    /// Normalised words of a segment.
    words: Vec<u8>,
    buffer: String,
}

impl Counts {
    /// No counts yet. What does not fit in memory goes to `folder`.
    #[must_use]
    pub fn new(memory: Memory, folder: &TempDir) -> Counts {
        Counts {
            tallies: Tallies::default(),
            terms: Terms::new(memory.terms, folder),
            templates: Spilled::new(memory.fingerprints, folder),
            pages: Spilled::new(memory.pages, folder),
            memory,
            folder: folder.clone(),
            seen: 0,
            memo: Memo::new(memory.terms),
            words: Vec::new(),
            buffer: String::new(),
        }
    }

    /// Counts a page.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn add(&mut self, page: PageFacts<'_>) -> Result<(), StatsError> {
        self.seen += 1;
        let mut strata = Strata { pages: 1, ..Strata::default() };
        let mut profile = Profile::default();
        let (mut letters, mut tokens, mut density_sum, mut before) = (0, 0, 0u64, None);
        for segment in page.segments().iter().filter(|segment| segment.words > 0) {
            let density = rounded(segment.density);
            let found = self.segment(page.text(segment), page.text_and_rest(segment), segment, density);
            let long = usize::from(density > MAX_SHORT);
            strata.segments[long] += 1;
            strata.words[long] += u64::from(segment.words);
            profile.add(segment.words);
            letters += found[0];
            tokens += found[1];
            // Weighted by words, in thousandths, so that the sum is exact.
            density_sum += u64::from(segment.words) * (f64::from(segment.density).clamp(0.0, 1e4) * FINE).round() as u64;
            if let Some(class) = before.and_then(|before| quotient(before, segment.density)) {
                self.tallies.quotients.add(class, 1);
            }
            before = Some(segment.density);
        }
        for link in page.links() {
            let Some(segment) = link.segment.and_then(|number| page.segments().get(number as usize)) else { continue };
            let long = usize::from(rounded(segment.density) > MAX_SHORT);
            if let Some(same) = link.same_host {
                self.tallies.links[long][usize::from(same)] += 1;
            }
            self.tallies.navigation[long][usize::from(link.navigation)] += 1;
        }
        let words = strata.words[0] + strata.words[1];
        if words > 0 && tokens > 0 {
            let (density, token) = (density_sum as f64 / words as f64 / FINE, letters as f64 / tokens as f64);
            self.tallies.page_densities.add((density * FINE).round() as usize, 1);
            self.tallies.page_token_lengths.add((token * FINE).round() as usize, 1);
            self.tallies.page_ratios.add((density / token.max(0.01) * FINE).round() as usize, 1);
        }
        self.tallies.all.merge(&strata);
        self.tallies.languages.entry(language(page.language())).or_default().merge(&strata);
        if let Some(year) = page.year() {
            self.tallies.decades.entry(year / 10 * 10).or_default().merge(&strata);
        }
        if words > 0 {
            spill::Sum::sum(self.pages.entry(page.id().to_owned(), Profile::default), profile);
        }
        if self.terms.settle()? {
            self.memo.clear();
        }
        self.templates.settle()?;
        self.pages.settle()
    }

    /// Counts a segment; returns the letters and the tokens of its text. `rest` is the buffer that the text is at the beginning of.
    fn segment(&mut self, text: &str, rest: &[u8], segment: &SegmentFacts, density: usize) -> [u64; 2] {
        let words = u64::from(segment.words);
        let (mut letters, mut tokens, mut stop, mut sentence) = (0, 0, false, 0);
        let mut marks = FingerprintMarks::default();
        let long = usize::from(density > MAX_SHORT);
        self.words.clear();
        let mut at = 0;
        while let Some((start, end)) = tokens::next(text, at) {
            at = end;
            let facts = self.memo.token(&text[start..end], &rest[start..], &mut self.terms, &mut self.words);
            if facts.letters > 0 {
                letters += u64::from(facts.letters);
                tokens += 1;
                sentence += 1;
            }
            if let Some(term) = facts.term {
                self.terms.add(term, long, self.seen);
            }
            marks |= facts.marks;
            stop |= facts.stop;
            if facts.ends && sentence > 0 {
                self.tallies.sentences.add(sentence, 1);
                sentence = 0;
            }
        }
        let tallies = &mut self.tallies;
        tallies.density_words[usize::from(stop)].add(density, words);
        tallies.density_segments[usize::from(stop)].add(density, 1);
        tallies.density_linked.add(density, (f64::from(segment.link_density).clamp(0.0, 1.0) * words as f64).round() as u64);
        tallies.density_letters[0].add(density, letters);
        tallies.density_letters[1].add(density, tokens);
        tallies.lengths.add(segment.words as usize, 1);
        if tokens > 0 {
            tallies.token_lengths.add((letters as f64 / tokens as f64 * TENTHS).round() as usize, words);
        }
        if let Some(fingerprint) = Fingerprint::of_words(&mut self.words, marks) {
            let cell = Cell { density: density.min(MAX_DENSITY) as u8, stop, segments: 1, words };
            self.templates.entry(fingerprint.0, Template::default).add(text, cell, &mut self.buffer);
        }
        [letters, tokens]
    }

    /// Adds the counts of other pages.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn merge(&mut self, other: Counts) -> Result<(), StatsError> {
        self.tallies.merge(&other.tallies);
        self.terms.merge(other.terms)?;
        self.templates.merge(other.templates)?;
        self.pages.merge(other.pages)
    }
}

/// The density class: the nearest whole number, at least 1 for text.
pub(crate) fn rounded(density: f32) -> usize {
    (density.clamp(0.0, 1e4).round() as usize).max(1)
}

/// The class of two neighbours' density quotient (equation 4.9); none if they are the same.
fn quotient(before: f32, after: f32) -> Option<usize> {
    let (before, after) = (f64::from(before), f64::from(after));
    (before != after && after > 0.0).then(|| ((before - after).abs() / after).ceil() as usize)
}

/// The primary subtag of a language, `und` for what is none.
fn language(tag: Option<&str>) -> String {
    let primary = tag.unwrap_or_default().split(['-', '_']).next().unwrap_or_default();
    if (2..=3).contains(&primary.len()) && primary.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return primary.to_ascii_lowercase();
    }
    "und".to_owned()
}
