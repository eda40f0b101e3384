//! Counts of a corpus: filled page by page and merged in any order, always with the same result.
//!
//! All counts are integers, so sums do not depend on their order. Histograms are bounded; terms, fingerprints and page profiles
//! spill to temporary files when they exceed their memory limit.

mod chunk;
mod file;
mod histogram;
mod index;
mod memo;
#[cfg(test)]
mod oracle;
mod page;
mod spill;
mod tallies;
mod templates;
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
use page::Block;
use templates::Templates;
use terms::Terms;
use webstrata_corpus::io::TempDir;

/// Largest density class: a line of 80 characters has at most 40 words.
pub const MAX_DENSITY: usize = 60;
/// Text up to this rounded density is short (thesis, 4.3.2: the boundary between its two Beta distributions).
pub const MAX_SHORT: usize = 8;
/// Largest class of the density quotient of neighbouring segments.
pub const MAX_QUOTIENT: usize = 400;
/// Classes per unit in histograms of averages.
pub const FINE: f64 = 1000.0;
/// Classes per unit in the histogram of token lengths.
pub const TENTHS: f64 = 10.0;

/// Memory limits of the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Terms in memory, over all threads.
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
        // About 110 bytes per term, 200 per fingerprint, 160 per page, including the slack of hash tables.
        let share = |part: u64, size: u64| usize::try_from(bytes / part / size).unwrap_or(usize::MAX).max(1000);
        Memory { terms: share(2, 110), fingerprints: share(3, 200), pages: share(6, 160) }
    }

    /// The share of one of several threads.
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

/// All counts of a corpus, or of a part of it.
#[derive(Debug)]
pub struct Counts {
    /// Counts that are small for any corpus.
    pub tallies: Tallies,
    terms: Terms,
    templates: Templates,
    pub(crate) pages: Spilled<String, Profile>,
    memory: Memory,
    folder: TempDir,
    memo: Memo,
    block: Block,
}

impl Counts {
    /// Creates empty counts. What does not fit in memory spills to `folder`.
    #[must_use]
    pub fn new(memory: Memory, folder: &TempDir) -> Counts {
        Counts {
            tallies: Tallies::default(),
            terms: Terms::new(memory.terms, folder),
            templates: Templates::new(memory.fingerprints, folder),
            pages: Spilled::new(memory.pages, folder),
            memory,
            folder: folder.clone(),
            memo: Memo::new(memory.terms),
            block: Block::default(),
        }
    }

    /// Counts a page.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn add(&mut self, page: PageFacts<'_>) -> Result<(), StatsError> {
        let sums = self.segments(page);
        for link in page.links() {
            let Some(segment) = link.segment.and_then(|number| page.segments().get(number as usize)) else { continue };
            let long = usize::from(rounded(segment.density) > MAX_SHORT);
            if let Some(same) = link.same_host {
                self.tallies.links[long][usize::from(same)] += 1;
            }
            self.tallies.navigation[long][usize::from(link.navigation)] += 1;
        }
        let strata = sums.strata;
        let words = strata.words[0] + strata.words[1];
        if words > 0 && sums.tokens > 0 {
            let (density, token) = (sums.density as f64 / words as f64 / FINE, sums.letters as f64 / sums.tokens as f64);
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
            spill::Sum::sum(self.pages.entry(page.id().to_owned(), Profile::default), sums.profile);
        }
        if self.terms.settle()? {
            self.memo.clear();
        }
        self.templates.settle()?;
        self.pages.settle()
    }

    /// Sorts what was counted, so that merging takes little time. Called by the thread that counted, after its last page.
    pub(crate) fn sort(&mut self) {
        self.terms.sort();
        self.templates.sort();
        self.pages.sort();
    }

    /// Adds the counts of other pages.
    pub fn merge(&mut self, other: Counts) {
        self.tallies.merge(&other.tallies);
        self.terms.merge(other.terms);
        self.templates.merge(other.templates);
        self.pages.merge(other.pages);
    }
}

/// The density class: the density rounded to an integer, at least 1 for text.
pub(crate) fn rounded(density: f32) -> usize {
    // The sum is exact in double precision, and truncation is one instruction, unlike rounding.
    ((f64::from(density.clamp(0.0, 1e4)) + 0.5) as usize).max(1)
}

/// The primary subtag of a language; `und` if it is not a language tag.
fn language(tag: Option<&str>) -> String {
    let primary = tag.unwrap_or_default().split(['-', '_']).next().unwrap_or_default();
    if (2..=3).contains(&primary.len()) && primary.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return primary.to_ascii_lowercase();
    }
    "und".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_are_rounded() {
        let naive = |density: f32| (density.clamp(0.0, 1e4).round() as usize).max(1);
        let near = |density: f32| [density.next_down(), density, density.next_up()];
        let halves = (0..=20_002).flat_map(|number| near(number as f32 / 2.0));
        for density in halves.chain([f32::NAN, f32::INFINITY, f32::MIN_POSITIVE, f32::MAX, -3.5, -0.0]) {
            assert_eq!(rounded(density), naive(density), "{density}");
        }
    }
}
