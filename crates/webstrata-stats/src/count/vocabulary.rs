//! Summaries of terms, fingerprints and profiles after all pages are counted: one pass over each, with little memory.

use super::text::term;
use super::{Counts, LENGTHS, MAX_DENSITY, Profile, Spilled, Tallies, Template, Term};
use crate::count::Histogram;
use crate::error::StatsError;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use xxhash_rust::xxh3::xxh3_64;

/// Size of the thesis' corpus in pages, and the number of pages or segments below which it ignores a term or a text.
const THESIS_PAGES: u64 = 316_448;
const THESIS_FREQUENT: u64 = 100;
/// Smallest such minimum: below it, ratios are noise.
const MIN_FREQUENT: u64 = 10;
/// Fingerprints with at least this frequency are templates (4.3.3).
pub(crate) const TEMPLATE: u64 = 10;
/// Density up to which text counts as template text without comparison with other pages (4.3.3).
pub(crate) const LOW: usize = 5;
/// Rows of tables.
const TOP_TERMS: usize = 20;
const TOP_TEMPLATES: usize = 60;
const RARE_TEMPLATES: usize = 14;
/// Highest frequency of a rare text.
const RARE: u64 = 3;
/// Minimum number of segments for a page to be compared with the corpus.
const MIN_SEGMENTS: u64 = 20;
/// Deviating pages that are listed, largest deviation first.
const MAX_DEVIATIONS: usize = 100_000;
/// Classes of deviation per bit.
const DEVIATION_CLASSES: f64 = 100.0;
/// Classes of typicality per unit.
const TYPICALITY_CLASSES: f64 = 10_000.0;

/// Frequencies of frequencies: enough to compute ranks, however many items there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Frequencies(pub BTreeMap<u64, u64>);

impl Frequencies {
    /// Adds an item with a given frequency.
    pub fn add(&mut self, frequency: u64) {
        *self.0.entry(frequency).or_default() += 1;
    }

    /// Number of items.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.0.values().sum()
    }
}

/// A term and its typicality, from -1 (only in the first part) to +1 (only in the second).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Typical {
    /// The term.
    pub term: String,
    /// Equation 4.19.
    pub typicality: f64,
}

/// Summary of terms.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TermSummary {
    /// Terms by their number of occurrences.
    pub frequencies: Frequencies,
    /// Pages (or segments) in which a term must occur to be compared.
    pub minimum: u64,
    /// Terms by typicality in ten-thousandths.
    pub typicalities: BTreeMap<i32, u64>,
    /// The most typical terms of the first part and of the second.
    pub typical: [Vec<Typical>; 2],
}

/// Summary of fingerprints.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TemplateSummary {
    /// Distinct fingerprints by frequency.
    pub frequencies: Frequencies,
    /// Distinct fingerprints that are templates.
    pub templates: u64,
    /// Words in templates by density, without and with a full stop.
    pub words: [Histogram<MAX_DENSITY>; 2],
    /// The most frequent texts.
    pub frequent: Vec<(u64, String)>,
    /// Some rare texts of low density.
    pub rare: Vec<(u64, String)>,
    /// Terms of low density: in rare texts (first) and in frequent ones (second), counted in segments.
    pub terms: TermSummary,
}

/// A page that deviates from the corpus.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Deviation {
    /// Id of the page.
    pub page: String,
    /// Bits per segment by which its segment lengths deviate from those of the corpus, less the deviation expected by chance.
    pub bits: f64,
    /// Its segments.
    pub segments: u64,
    /// Its words.
    pub words: u64,
    /// The most overrepresented segment length.
    pub reason: String,
}

/// All reported results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Counts.
    pub tallies: Tallies,
    /// Terms in short and in long text.
    pub terms: TermSummary,
    /// Fingerprints.
    pub templates: TemplateSummary,
    /// Pages by deviation, in hundredths of a bit.
    pub deviations: Histogram<1_000>,
    /// The minimum deviation of listed pages.
    pub threshold: f64,
    /// Pages above that threshold, worst first.
    pub deviating: Vec<Deviation>,
}

impl Counts {
    /// Summarises all terms, fingerprints and pages in one pass each.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn finish(self) -> Result<Summary, StatsError> {
        let Counts { tallies, terms, templates, pages, memory, folder, .. } = self;
        let minimum = frequent(tallies.all.pages);
        let segments = tallies.all.segments.iter().sum();
        let of_templates = || {
            let mut low = Spilled::new(memory.terms, &folder);
            let mut templates = summarise(templates.finish(), minimum, &mut low)?;
            templates.terms =
                typicality(low, segments, minimum, |term| [term.pages[0], term.pages[1], term.pages[0] + term.pages[1]])?;
            Ok(templates)
        };
        // Terms and fingerprints take about the same time.
        let (terms, templates) = std::thread::scope(|scope| {
            let templates = scope.spawn(of_templates);
            let terms =
                typicality(terms.finish(), tallies.all.pages, minimum, |term| [term.pages[0], term.pages[1], term.pages[2]]);
            (terms, templates.join().unwrap_or(Err(StatsError::Thread)))
        });
        let (deviations, threshold, deviating) = deviations(pages, &tallies)?;
        Ok(Summary { tallies, terms: terms?, templates: templates?, deviations, threshold, deviating })
    }
}

/// The thesis' minimum of 100, in proportion to the size of the corpus.
fn frequent(pages: u64) -> u64 {
    (pages * THESIS_FREQUENT / THESIS_PAGES).max(MIN_FREQUENT)
}

/// A float with a total order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Score(f64);

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The largest items, by score and then by name.
struct Top<K: Ord> {
    size: usize,
    heap: BinaryHeap<Reverse<(K, Reverse<String>)>>,
}

impl<K: Ord> Top<K> {
    fn new(size: usize) -> Self {
        Top { size, heap: BinaryHeap::new() }
    }

    fn add(&mut self, score: K, name: &str) {
        if self.heap.len() == self.size && self.heap.peek().is_some_and(|Reverse((least, _))| score < *least) {
            return;
        }
        self.heap.push(Reverse((score, Reverse(name.to_owned()))));
        if self.heap.len() > self.size {
            self.heap.pop();
        }
    }

    fn sorted(self) -> Vec<(K, String)> {
        let mut all: Vec<(K, Reverse<String>)> = self.heap.into_iter().map(|Reverse(item)| item).collect();
        all.sort_by(|a, b| b.cmp(a));
        all.into_iter().map(|(score, Reverse(name))| (score, name)).collect()
    }
}

/// Typicality of all terms: `log_{N+1} (w2 + 1) / (w1 + 1)` (equation 4.19).
fn typicality(
    terms: Spilled<u64, Term>,
    all: u64,
    minimum: u64,
    weights: impl Fn(&Term) -> [u64; 3],
) -> Result<TermSummary, StatsError> {
    let base = ((all + 1) as f64).ln();
    let mut summary = TermSummary { minimum, ..TermSummary::default() };
    let mut top = [Top::new(TOP_TERMS), Top::new(TOP_TERMS)];
    terms.for_each(|_, term| {
        summary.frequencies.add(term.count);
        let [first, second, any] = weights(&term);
        if any >= minimum && base > 0.0 {
            let value = ((second + 1) as f64 / (first + 1) as f64).ln() / base;
            *summary.typicalities.entry((value * TYPICALITY_CLASSES).round() as i32).or_default() += 1;
            top[0].add(Score(-value), &term.text);
            top[1].add(Score(value), &term.text);
        }
        Ok(())
    })?;
    let list = |top: Top<Score>, sign: f64| {
        top.sorted().into_iter().map(|(score, term)| Typical { term, typicality: score.0 * sign }).collect()
    };
    let [first, second] = top;
    summary.typical = [list(first, -1.0), list(second, 1.0)];
    Ok(summary)
}

fn summarise(
    templates: Spilled<u128, Template>,
    minimum: u64,
    low: &mut Spilled<u64, Term>,
) -> Result<TemplateSummary, StatsError> {
    let mut summary = TemplateSummary::default();
    let mut frequent = Top::new(TOP_TEMPLATES);
    let mut buffer = String::new();
    templates.for_each(|_, template| {
        summary.frequencies.add(template.count);
        frequent.add(template.count, &template.text);
        let low_segments: u64 =
            template.cells.iter().filter(|cell| usize::from(cell.density) <= LOW).map(|cell| cell.segments).sum();
        if template.count >= TEMPLATE {
            summary.templates += 1;
            for cell in &template.cells {
                summary.words[usize::from(cell.stop)].add(usize::from(cell.density), cell.words);
            }
        }
        if low_segments > 0 {
            // Fingerprints are in the order of their hashes, so the first ones are a random sample.
            if template.count <= RARE && summary.rare.len() < RARE_TEMPLATES {
                summary.rare.push((template.count, template.text.to_string()));
            }
            let place = usize::from(template.count >= minimum);
            for token in template.text.split_whitespace() {
                if let Some(term) = term(token, &mut buffer) {
                    let known = low.entry(xxh3_64(term.as_bytes()), || Term::new(term));
                    known.count += low_segments;
                    known.pages[place] += low_segments;
                }
            }
            low.settle()?;
        }
        Ok(())
    })?;
    summary.frequent = frequent.sorted();
    Ok(summary)
}

/// Pages whose segment lengths differ from those of the corpus.
fn deviations(pages: Spilled<String, Profile>, tallies: &Tallies) -> Result<(Histogram<1_000>, f64, Vec<Deviation>), StatsError> {
    let mut law = Profile::default();
    let mut shares = [0.0; LENGTHS.len()];
    for (words, count) in tallies.lengths.counts().iter().enumerate().skip(1) {
        let class = LENGTHS.partition_point(|first| *first as usize <= words).saturating_sub(1);
        shares[class] += *count as f64;
        law.words += *count;
    }
    // Half a segment is added to each class, so that none has probability zero.
    let all = law.words as f64 + shares.len() as f64 / 2.0;
    let shares = shares.map(|count| (count + 0.5) / all);
    let mut histogram = Histogram::default();
    let mut top = BinaryHeap::new();
    pages.for_each(|page, profile| {
        let segments: u64 = profile.segments.iter().map(|count| u64::from(*count)).sum();
        if segments < MIN_SEGMENTS {
            return Ok(());
        }
        let bits = bits(&profile, &shares, segments as f64);
        histogram.add((bits * DEVIATION_CLASSES).round() as usize, 1);
        top.push(Reverse((Score(bits), Reverse(page), profile.segments, profile.words)));
        if top.len() > MAX_DEVIATIONS {
            top.pop();
        }
        Ok(())
    })?;
    let threshold = far_out(&histogram);
    let mut deviating: Vec<_> = top.into_iter().map(|Reverse(item)| item).filter(|item| item.0.0 > threshold).collect();
    deviating.sort_by(|a, b| b.cmp(a));
    let deviation = |(bits, Reverse(page), counts, words): (Score, Reverse<String>, [u32; LENGTHS.len()], u64)| {
        let segments = counts.iter().map(|count| u64::from(*count)).sum();
        Deviation { page, bits: bits.0, segments, words, reason: reason(&counts, &shares, segments as f64) }
    };
    Ok((histogram, threshold, deviating.into_iter().map(deviation).collect()))
}

/// The divergence of a page from the law, less the average divergence of a page that follows the law.
fn bits(profile: &Profile, shares: &[f64; LENGTHS.len()], segments: f64) -> f64 {
    let term = |(count, share): (&u32, &f64)| {
        let count = f64::from(*count);
        if count == 0.0 { 0.0 } else { count * (count / segments / share).ln() }
    };
    let divergence: f64 = profile.segments.iter().zip(shares).map(term).sum();
    let chance = (LENGTHS.len() - 1) as f64 / 2.0;
    ((divergence - chance) / segments / std::f64::consts::LN_2).max(0.0)
}

/// Tukey's outer fence: the third quartile plus three times the interquartile range.
fn far_out(histogram: &Histogram<1_000>) -> f64 {
    let all = histogram.sum();
    let quantile = |share: f64| {
        let mut left = (all as f64 * share) as u64;
        let at = histogram.counts().iter().position(|count| {
            let here = left < *count;
            left = left.saturating_sub(*count);
            here
        });
        at.unwrap_or(0) as f64 / DEVIATION_CLASSES
    };
    let (low, high) = (quantile(0.25), quantile(0.75));
    high + 3.0 * (high - low)
}

/// The class of segment lengths that contributes most to the deviation, in words.
fn reason(counts: &[u32; LENGTHS.len()], shares: &[f64; LENGTHS.len()], segments: f64) -> String {
    let gain = |at: usize| {
        let share = f64::from(counts[at]) / segments;
        if share == 0.0 { 0.0 } else { share * (share / shares[at]).ln() }
    };
    let most = (0..counts.len()).max_by(|a, b| gain(*a).total_cmp(&gain(*b))).unwrap_or(0);
    let words = match (LENGTHS[most], LENGTHS.get(most + 1)) {
        (1, _) => "1 word".to_owned(),
        (first, Some(next)) if *next == first + 1 => format!("{first} words"),
        (first, Some(next)) => format!("{first} to {} words", next - 1),
        (first, None) => format!("{first} words or more"),
    };
    let percent = |share: f64| (share * 100.0).round();
    format!(
        "{}% of its segments have {words}, {}% in the corpus",
        percent(f64::from(counts[most]) / segments),
        percent(shares[most])
    )
}
