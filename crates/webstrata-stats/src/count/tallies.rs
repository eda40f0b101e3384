//! Counts that are small for any corpus: histograms, languages, decades, links.

use super::{Histogram, MAX_DENSITY, MAX_QUOTIENT, language};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Largest sum of a count that is read from a file: 2.8e14 words.
const MAX_SUM: u64 = 1 << 48;

/// Words and segments in short and in long text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strata {
    /// Pages.
    pub pages: u64,
    /// Segments of short and of long text.
    pub segments: [u64; 2],
    /// Words of short and of long text.
    pub words: [u64; 2],
}

impl Strata {
    pub(super) fn merge(&mut self, other: &Strata) {
        self.pages += other.pages;
        for at in 0..2 {
            self.segments[at] += other.segments[at];
            self.words[at] += other.words[at];
        }
    }

    /// Share of words in short text.
    #[must_use]
    pub fn short(&self) -> f64 {
        self.words[0] as f64 / (self.words[0] + self.words[1]).max(1) as f64
    }
}

/// Counts that fit in memory for any corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tallies {
    /// All pages.
    pub all: Strata,
    /// Words by rounded density: in segments without and with a full stop.
    pub density_words: [Histogram<MAX_DENSITY>; 2],
    /// Segments by rounded density: without and with a full stop.
    pub density_segments: [Histogram<MAX_DENSITY>; 2],
    /// Words in links by rounded density.
    pub density_linked: Histogram<MAX_DENSITY>,
    /// Letters and digits by rounded density, and the tokens that contain them.
    pub density_letters: [Histogram<MAX_DENSITY>; 2],
    /// Segments by their number of words.
    pub lengths: Histogram<20_000>,
    /// Pairs of neighbouring segments by class of their density quotient (equation 4.9).
    pub quotients: Histogram<MAX_QUOTIENT>,
    /// Words by the average token length of their segment, in tenths.
    pub token_lengths: Histogram<4_000>,
    /// Pages by average token length, in thousandths.
    pub page_token_lengths: Histogram<100_000>,
    /// Pages by average density, in thousandths.
    pub page_densities: Histogram<100_000>,
    /// Pages by the quotient of density and token length, in thousandths.
    pub page_ratios: Histogram<100_000>,
    /// Sentences by their number of words.
    pub sentences: Histogram<1_000>,
    /// By primary language.
    pub languages: BTreeMap<String, Strata>,
    /// By decade, given by its first year.
    pub decades: BTreeMap<u16, Strata>,
    /// Links in short and long text: to other hosts and to the same one.
    pub links: [[u64; 2]; 2],
    /// Links in short and long text: in other roles and in navigation.
    pub navigation: [[u64; 2]; 2],
    /// Pages by the method that made their segments.
    pub methods: BTreeMap<String, u64>,
}

impl Tallies {
    pub(super) fn merge(&mut self, other: &Tallies) {
        self.all.merge(&other.all);
        for at in 0..2 {
            self.density_words[at].merge(&other.density_words[at]);
            self.density_segments[at].merge(&other.density_segments[at]);
            self.density_letters[at].merge(&other.density_letters[at]);
            for to in 0..2 {
                self.links[at][to] += other.links[at][to];
                self.navigation[at][to] += other.navigation[at][to];
            }
        }
        self.density_linked.merge(&other.density_linked);
        self.lengths.merge(&other.lengths);
        self.quotients.merge(&other.quotients);
        self.token_lengths.merge(&other.token_lengths);
        self.page_token_lengths.merge(&other.page_token_lengths);
        self.page_densities.merge(&other.page_densities);
        self.page_ratios.merge(&other.page_ratios);
        self.sentences.merge(&other.sentences);
        for (language, strata) in &other.languages {
            self.languages.entry(language.clone()).or_default().merge(strata);
        }
        for (decade, strata) in &other.decades {
            self.decades.entry(*decade).or_default().merge(strata);
        }
        for (method, pages) in &other.methods {
            *self.methods.entry(method.clone()).or_default() += pages;
        }
    }
}

impl Tallies {
    /// Checks counts read from a file. Returns the number of tokens, or none if they contradict each other or are too many.
    pub(super) fn check(&self) -> Option<u64> {
        let strata = |strata: &Strata| strata.segments.iter().chain(&strata.words).all(|count| *count <= MAX_SUM / 2);
        let sum = |all: &mut dyn Iterator<Item = &Strata>| {
            let mut sum = Strata::default();
            for part in all {
                strata(part).then_some(())?;
                (part.pages <= MAX_SUM).then_some(())?;
                sum.merge(part);
                strata(&sum).then_some(())?;
            }
            Some(sum)
        };
        let both = |histograms: &[Histogram<MAX_DENSITY>; 2]| Some([histograms[0].check(MAX_SUM)?, histograms[1].check(MAX_SUM)?]);
        let [_, tokens] = both(&self.density_letters)?;
        let segments = both(&self.density_segments)?;
        let words = both(&self.density_words)?;
        let lengths = self.lengths.check(MAX_SUM)?;
        self.density_linked.check(MAX_SUM)?;
        self.quotients.check(MAX_SUM)?;
        self.token_lengths.check(MAX_SUM)?;
        self.sentences.check(MAX_SUM)?;
        for pages in [&self.page_token_lengths, &self.page_densities, &self.page_ratios] {
            pages.check(self.all.pages)?;
        }
        let links = self.links.iter().chain(&self.navigation).flatten().all(|count| *count <= MAX_SUM);
        let languages = self.languages.keys().all(|tag| language(Some(tag)) == *tag);
        let decades = self.decades.keys().all(|decade| decade % 10 == 0 && (1990..2100).contains(decade));
        let methods = self.methods.values().all(|pages| *pages <= MAX_SUM);
        let all = sum(&mut std::iter::once(&self.all))?;
        sum(&mut self.decades.values())?;
        let same = sum(&mut self.languages.values())? == all
            && segments[0] + segments[1] == lengths
            && all.segments[0] + all.segments[1] == lengths
            && words[0] + words[1] == all.words[0] + all.words[1];
        (links && languages && decades && methods && same).then_some(tokens)
    }
}
