//! Weights of segment classes, learned from the pages of their site without relevance judgements.
//!
//! Segments with the same function on the pages of a site form a class: the class that `webstrata site` found, or else the DOM path
//! of the segment without positions, as in the SOM tree. The headings in segments of a class form a class of their own, and so do
//! page titles. A weight combines two observations (E. de Moura, D. Fernandes et al.: Using
//! structural information to improve search in Web collections, JASIST 2010; D. Fernandes et al.: A site oriented method for
//! segmenting Web pages, SIGIR 2011, section 5):
//!
//! - **Inverse class frequency.** A class whose segments all say the same is a template. If n(t) of the class's S segments contain
//!   the term t, then
//!   `icf = Σ n(t) · ln(S / n(t)) / (Σ n(t) · ln S)`, the mean over the terms of its segments: 0 if all segments are equal, 1 if
//!   they have no word in common.
//! - **Spread.** A term in many segments of a page is what the page is about.
//!   `spread = mean over segments, and over the terms in them, of the number of segments of the page with the term`.
//!
//! The weight is `icf · spread / √words`, where `words` is the mean number of words per segment. It is scaled so that the average
//! word of the site has the weight 1, and clamped to 0.05 … 8. Of two classes that say the same, the one with fewer words weighs
//! more. The papers name the ingredients; the form of the product is ours, chosen on the manuals of Django, SymPy and Linux
//! (`docs/search.md`). Classes with fewer than [`MIN_SEGMENTS`] segments say nothing about their site and have the weight 1. Terms are sampled
//! from the first [`SAMPLE`] segments of a class.

use crate::SearchError;
use crate::parts::parts;
use crate::schema::MAX_SITE_CLASSES;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use webstrata_corpus::io::{IoError, write_atomically};
use webstrata_corpus::store::SegmentRow;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Classes with fewer segments get no weight of their own: the threshold of the SOM paper's table 1.
pub const MIN_SEGMENTS: u64 = 8;
/// Segments per class whose terms are counted.
pub const SAMPLE: u64 = 64;
/// Terms counted per segment.
const MAX_TERMS: usize = 512;
/// Total number of terms counted, at eight bytes each: classes that do not fit have the weight 1.
const MAX_COUNTERS: usize = 1 << 24;
/// Smallest and largest weight.
const LEAST: f64 = 0.05;
const MAX_WEIGHT: f64 = 8.0;

/// A segment class with its weight and the operands of the weight.
///
/// ```
/// use webstrata_search::{ClassCounter, ClassWeight};
/// use webstrata_corpus::store::SegmentRow;
/// let segment = |path: &str, text: String| SegmentRow { path: path.into(), text, ..SegmentRow::default() };
/// let mut counter = ClassCounter::default();
/// for page in 0..10 {
///     let topic = format!("topic{page}");
///     let menu = segment("/html/body/nav[1]", "home news sport".into());
///     let heading = segment("/html/body/h1", topic.clone());
///     let body = segment("/html/body/p[2]", format!("{topic} is what this text{page} says"));
///     counter.add("example.org", None, &[menu, heading, body]);
/// }
/// let weights: Vec<ClassWeight> = counter.finish();
/// let of = |class: &str| weights.iter().find(|weight| weight.class == class).unwrap().weight;
/// assert!(of("/html/body/nav") < 0.1 && of("/html/body/h1") > of("/html/body/p"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassWeight {
    /// The site.
    pub site: String,
    /// The class.
    pub class: String,
    /// Number of segments.
    pub segments: u64,
    /// Number of words in them.
    pub words: u64,
    /// Inverse class frequency.
    pub icf: f64,
    /// Spread.
    pub spread: f64,
    /// The weight.
    pub weight: f64,
}

#[derive(Debug, Default)]
struct Counts {
    site: String,
    class: String,
    segments: u64,
    words: u64,
    spread: f64,
    sampled: u64,
    terms: HashMap<u32, u32>,
}

/// Counts the terms of segment classes.
#[derive(Debug, Default)]
pub struct ClassCounter {
    classes: HashMap<u64, Counts>,
    counters: usize,
}

/// Class name of titles.
const TITLES: &str = "title";
/// Suffix of the class names of headings.
const HEADINGS: &str = " headings";

/// The name of a segment's class.
fn class_name(segment: &SegmentRow) -> String {
    if let Some(class) = &segment.class {
        return class.clone();
    }
    let parts = segment.path.split('/').map(|part| part.split('[').next().unwrap_or_default());
    parts.collect::<Vec<_>>().join("/")
}

fn class_key(site: &str, class: &str) -> u64 {
    xxh3_64_with_seed(class.as_bytes(), xxh3_64(site.as_bytes()))
}

/// The distinct terms of a text, as hashes.
fn terms(text: &str) -> Vec<u32> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut terms: Vec<u32> = words.take(8 * MAX_TERMS).map(|word| xxh3_64(word.to_lowercase().as_bytes()) as u32).collect();
    terms.sort_unstable();
    terms.dedup();
    terms.truncate(MAX_TERMS);
    terms
}

/// Text of a page that belongs to one class.
struct Unit {
    class: String,
    terms: Vec<u32>,
    words: u64,
}

impl Unit {
    fn new(class: String, text: &str) -> Unit {
        Unit { class, terms: terms(text), words: text.split_whitespace().count() as u64 }
    }
}

/// Splits a page into its title and, for each segment, its headings and the rest.
fn units(title: Option<&str>, segments: &[SegmentRow]) -> Vec<Unit> {
    let mut units: Vec<Unit> = title.map(|title| Unit::new(TITLES.into(), title)).into_iter().collect();
    for segment in segments {
        let class = class_name(segment);
        if segment.headings.is_empty() {
            units.push(Unit::new(class, &segment.text));
            continue;
        }
        let parts = parts(segment);
        let text = |heading| {
            let own = parts.iter().filter(|part| part.heading == heading).map(|part| part.text);
            own.collect::<Vec<_>>().join(" ")
        };
        units.push(Unit::new(format!("{class}{HEADINGS}"), &text(true)));
        units.push(Unit::new(class, &text(false)));
    }
    units.retain(|unit| !unit.terms.is_empty());
    units
}

impl ClassCounter {
    /// Adds the title and the segments of a page.
    pub fn add(&mut self, site: &str, title: Option<&str>, segments: &[SegmentRow]) {
        let units = units(title, segments);
        let mut on_page: HashMap<u32, u32> = HashMap::new();
        units.iter().flat_map(|unit| &unit.terms).for_each(|term| *on_page.entry(*term).or_default() += 1);
        for Unit { class, terms, words } in units {
            let key = class_key(site, &class);
            if !self.classes.contains_key(&key) && self.classes.len() >= MAX_SITE_CLASSES as usize / 4 {
                continue;
            }
            let counts = self.classes.entry(key).or_insert_with(|| Counts { site: site.to_owned(), class, ..Counts::default() });
            counts.segments += 1;
            counts.words += words.max(1);
            let spread: u32 = terms.iter().map(|term| on_page.get(term).copied().unwrap_or(1)).sum();
            counts.spread += f64::from(spread) / terms.len() as f64;
            if counts.sampled < SAMPLE && self.counters < MAX_COUNTERS {
                counts.sampled += 1;
                let before = counts.terms.len();
                terms.iter().for_each(|term| *counts.terms.entry(*term).or_default() += 1);
                self.counters += counts.terms.len() - before;
            }
        }
    }

    /// Returns the weights of all classes, by site and class.
    #[must_use]
    pub fn finish(self) -> Vec<ClassWeight> {
        let mut classes: Vec<Counts> = self.classes.into_values().collect();
        classes.sort_by(|one, two| (&one.site, &one.class).cmp(&(&two.site, &two.class)));
        let mut weights: Vec<ClassWeight> = classes
            .into_iter()
            .map(|counts| {
                let (icf, spread) = (icf(&counts), counts.spread / counts.segments.max(1) as f64);
                let Counts { site, class, segments, words, .. } = counts;
                let mean = words.max(1) as f64 / segments.max(1) as f64;
                ClassWeight { site, class, segments, words, icf, spread, weight: icf * spread / mean.sqrt() }
            })
            .collect();
        let mut sites: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        for class in weights.iter().filter(|class| class.segments >= MIN_SEGMENTS) {
            let (sum, words) = sites.entry(class.site.clone()).or_default();
            *sum += class.weight * class.words as f64;
            *words += class.words as f64;
        }
        for class in &mut weights {
            let average = sites.get(&class.site).map_or(0.0, |(sum, words)| sum / words);
            let scaled = if average > 0.0 { class.weight / average } else { 1.0 };
            class.weight = if class.segments >= MIN_SEGMENTS { scaled.clamp(LEAST, MAX_WEIGHT) } else { 1.0 };
        }
        weights
    }
}

fn icf(counts: &Counts) -> f64 {
    let sampled = counts.sampled as f64;
    if sampled < 2.0 {
        return 1.0;
    }
    // Summed in ascending order, because the order of a hash map varies.
    let mut numbers: Vec<u32> = counts.terms.values().copied().collect();
    numbers.sort_unstable();
    let (mut rare, mut all) = (0.0, 0.0);
    for number in numbers.into_iter().map(f64::from) {
        rare += number * (sampled / number).ln();
        all += number * sampled.ln();
    }
    if all > 0.0 { rare / all } else { 1.0 }
}

/// The segment classes of an index, numbered from 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteClasses {
    numbers: HashMap<u64, u32>,
    weights: Vec<ClassWeight>,
}

impl SiteClasses {
    pub(crate) fn new(weights: Vec<ClassWeight>) -> SiteClasses {
        let numbers = weights.iter().zip(1..).map(|(class, number)| (class_key(&class.site, &class.class), number)).collect();
        SiteClasses { numbers, weights }
    }

    /// The ids of a segment's class and of its headings' class; 0 for an unknown class.
    pub(crate) fn numbers(&self, site: &str, segment: &SegmentRow) -> [u32; 2] {
        if self.numbers.is_empty() {
            return [0; 2];
        }
        let name = class_name(segment);
        let headings = if segment.headings.is_empty() { 0 } else { self.of(site, &format!("{name}{HEADINGS}")) };
        [self.of(site, &name), headings]
    }

    /// The id of the class of titles; 0 if it is unknown.
    pub(crate) fn title(&self, site: &str) -> u32 {
        self.of(site, TITLES)
    }

    fn of(&self, site: &str, class: &str) -> u32 {
        self.numbers.get(&class_key(site, class)).copied().unwrap_or(0)
    }

    /// Weights by class number.
    pub(crate) fn by_number(&self) -> Vec<f32> {
        std::iter::once(1.0).chain(self.weights.iter().map(|class| class.weight as f32)).collect()
    }

    pub(crate) fn weights(&self) -> &[ClassWeight] {
        &self.weights
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), SearchError> {
        let mut text = Vec::new();
        for class in &self.weights {
            serde_json::to_writer(&mut text, class).map_err(|error| SearchError::Option(error.to_string()))?;
            text.push(b'\n');
        }
        Ok(write_atomically(path, &text)?)
    }

    pub(crate) fn read(path: &Path) -> Result<SiteClasses, SearchError> {
        let text = std::fs::read_to_string(path).map_err(IoError::on("read", path))?;
        let damaged = |reason: String| SearchError::Damaged { path: path.to_owned(), reason };
        let weights = text.lines().map(serde_json::from_str).collect::<Result<Vec<ClassWeight>, _>>();
        let weights = weights.map_err(|error| damaged(error.to_string()))?;
        let keys: HashSet<u64> = weights.iter().map(|class| class_key(&class.site, &class.class)).collect();
        let fine = weights.iter().all(|class| class.weight.is_finite() && class.weight >= 0.0) && keys.len() == weights.len();
        if fine { Ok(SiteClasses::new(weights)) } else { Err(damaged("invalid class weights".into())) }
    }
}
