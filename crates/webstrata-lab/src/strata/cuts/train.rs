//! Learns the model of the segmenter `strata` from marked pages.
//!
//! The second look learns from what first looks say of pages that they have not seen. The scores are those of models that
//! have not seen the page at all: for each fold everything, the first looks' own cross-validation included, is learned
//! again from the other folds. The model that is written is learned from all pages.

use super::marked::{Lesson, Marks};
use crate::learn::boost::{Binned, BoostOptions, boost};
use rayon::prelude::*;
use webstrata::block::Mask;
use webstrata::model::{Forest, ModelError};
use webstrata::segment::strata::{CutModel, CutProbabilities, GapFeatures, first_pass};
use webstrata_corpus::io::Random;

/// How the model is learned.
///
/// ```
/// use webstrata_lab::strata::cuts::CutOptions;
/// assert_eq!(CutOptions::default().thresholds, [0.45, 0.45]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CutOptions {
    /// Folds of the cross-validation, by page.
    pub folds: usize,
    /// Folds of the first looks' cross-validation inside it.
    pub inner: usize,
    /// Forests to a look.
    pub forests: usize,
    /// How the forests of a first pass are grown.
    pub first: BoostOptions,
    /// How the forests of the context pass are grown.
    pub context: BoostOptions,
    /// What a masked copy of a page counts beside the page.
    pub masked: f32,
    /// Bins to a column.
    pub bins: usize,
    /// Probabilities from which a gap is a coarse cut and a fine one. Below one half: a cut that is missed costs more than one
    /// that is too many.
    pub thresholds: [f32; 2],
}

impl Default for CutOptions {
    fn default() -> Self {
        let first = BoostOptions { trees: 100, levels: 4, rate: 0.08, columns: 0.15, curvature: 3.0, penalty: 5.0, seed: 1 };
        CutOptions {
            folds: 10,
            inner: 5,
            forests: 2,
            first,
            context: BoostOptions { trees: 80, seed: 101, ..first },
            masked: 0.5,
            bins: 64,
            thresholds: [0.45, 0.45],
        }
    }
}

/// What is hidden from the copy of a page: class names and ids, and the tags that pages before 2010 did not have.
pub const MASK: Mask =
    Mask { names: 256, seed: 1, tags: true, paragraphs: false, headings: false, head: false, capitals: false, punctuation: false };

/// What came of it.
#[derive(Clone, Debug)]
pub struct TrainedCuts {
    /// The model, learned from all pages.
    pub model: CutModel,
    /// By page: what models that had not seen it said of its gaps.
    pub opinions: Vec<CutProbabilities>,
    /// The same of its masked copy.
    pub masked: Vec<CutProbabilities>,
}

/// A page or its masked copy.
struct Version<'l> {
    page: usize,
    features: &'l GapFeatures,
    weight: f32,
    rows: Vec<f32>,
}

/// The places of the two levels in [`Lesson::marks`].
const COARSE: usize = 0;
const FINE: usize = 1;

/// Learns a model, and says what models that had not seen a page make of it.
///
/// # Errors
/// When the options ask for trees that a forest cannot have.
pub fn train_cuts(lessons: &[Lesson], options: &CutOptions, progress: &(dyn Fn(&str) + Sync)) -> Result<TrainedCuts, ModelError> {
    let course = Course::new(lessons, options);
    let folds = parted(lessons.len(), options.folds);
    let mut opinions = vec![CutProbabilities::default(); lessons.len()];
    let mut masked = opinions.clone();
    for fold in 0..options.folds {
        progress(&format!("without fold {} of {}", fold + 1, options.folds));
        let model = course.learn(&|page| folds[page] != fold)?;
        for (page, lesson) in lessons.iter().enumerate().filter(|(page, _)| folds[*page] == fold) {
            opinions[page] = model.predict(&lesson.features);
            masked[page] = model.predict(&lesson.masked);
        }
    }
    progress("all pages");
    Ok(TrainedCuts { model: course.learn(&|_| true)?, opinions, masked })
}

/// The fold of each page, in an order that is the same everywhere.
fn parted(pages: usize, folds: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pages).collect();
    Random::new(7).shuffle(&mut order);
    let mut parted = vec![0; pages];
    for (place, page) in order.into_iter().enumerate() {
        parted[page] = place % folds.max(1);
    }
    parted
}

/// All that there is to learn from.
struct Course<'l> {
    lessons: &'l [Lesson],
    options: &'l CutOptions,
    versions: Vec<Version<'l>>,
    /// The first look's rows of all versions.
    table: Binned,
}

impl<'l> Course<'l> {
    fn new(lessons: &'l [Lesson], options: &'l CutOptions) -> Self {
        let version = |page: usize, features: &'l GapFeatures, weight: f32| {
            let mut rows = Vec::new();
            features.first_rows(0..features.gaps(), &mut rows);
            Version { page, features, weight, rows }
        };
        let mut versions: Vec<Version<'l>> =
            lessons.iter().enumerate().map(|(page, lesson)| version(page, &lesson.features, 1.0)).collect();
        if options.masked > 0.0 {
            versions.extend(lessons.iter().enumerate().map(|(page, lesson)| version(page, &lesson.masked, options.masked)));
        }
        let rows: Vec<f32> = versions.iter().flat_map(|version| version.rows.iter().copied()).collect();
        let table = Binned::new(&rows, GapFeatures::first_columns().len(), options.bins);
        Course { lessons, options, versions, table }
    }

    /// Learns a model from some of the pages.
    fn learn(&self, keeps: &(dyn Fn(usize) -> bool + Sync)) -> Result<CutModel, ModelError> {
        let inner = parted(self.lessons.len(), self.options.inner);
        let first =
            |level: usize, keeps: &(dyn Fn(usize) -> bool + Sync)| self.grow(&self.table, level, &self.options.first, keeps);
        // What first looks say of pages that they have not seen.
        let mut said = vec![[const { Vec::new() }; 2]; self.versions.len()];
        for fold in 0..self.options.inner {
            let others = |page: usize| keeps(page) && inner[page] != fold;
            let (coarse, fine) = (first(COARSE, &others)?, first(FINE, &others)?);
            for (version, said) in self.versions.iter().zip(&mut said).filter(|(version, _)| inner[version.page] == fold) {
                *said = first_pass(&[&coarse, &fine], version.features);
            }
        }
        let rows: Vec<f32> = self
            .versions
            .par_iter()
            .zip(&said)
            .flat_map_iter(|(version, [coarse, fine])| {
                let mut rows = Vec::new();
                version.features.context_rows(&version.features.context(fine, coarse), 0..version.features.gaps(), &mut rows);
                rows
            })
            .collect();
        let table = Binned::new(&rows, GapFeatures::context_columns().len(), self.options.bins);
        Ok(CutModel {
            coarse: first(COARSE, keeps)?,
            first: first(FINE, keeps)?,
            context: self.grow(&table, FINE, &self.options.context, keeps)?,
            thresholds: self.options.thresholds,
        })
    }

    /// The forests of one look.
    fn grow(
        &self,
        table: &Binned,
        level: usize,
        options: &BoostOptions,
        keeps: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Vec<Forest>, ModelError> {
        let (mut labels, mut weights, mut which) = (Vec::new(), Vec::new(), Vec::new());
        for version in &self.versions {
            let marks = &self.lessons[version.page].marks[level];
            let kept = keeps(version.page);
            let share = version.weight * page_weight(marks);
            for (label, weight) in marks.labels.iter().zip(&marks.weights) {
                if kept && *weight > 0.0 {
                    which.push(labels.len() as u32);
                }
                labels.push(*label);
                weights.push(weight * share);
            }
        }
        // The options for leaves speak of rows that count 1 on average.
        let mean = which.iter().map(|&row| f64::from(weights[row as usize])).sum::<f64>() / which.len().max(1) as f64;
        weights.iter_mut().for_each(|weight| *weight /= mean.max(1e-9) as f32);
        let seeds: Vec<u64> = (0..self.options.forests as u64).collect();
        let grown = seeds
            .into_par_iter()
            .map(|seed| boost(table, &labels, &weights, &which, &BoostOptions { seed: options.seed + seed, ..*options }));
        grown.collect()
    }
}

/// What a gap of a page counts: pages of many gaps count more than others, but not as many times more as they have gaps.
fn page_weight(marks: &Marks) -> f32 {
    1.0 / marks.weights.iter().sum::<f32>().max(1.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::seg_popular::MarkedPage;
    use crate::strata::cuts::CutReport;

    /// Pages that are cut at every `hr`, and nowhere else.
    fn lessons() -> Vec<Lesson> {
        let part = |page: usize, part: usize| {
            let items = "<p>some words of a text</p>".repeat(2 + (page * 7 + part * 3) % 5);
            format!("<div data-block='1 2' data-block-type='Menu Menu'>{items}</div>")
        };
        let page = |number: usize| {
            let html = (0..4 + number % 3).map(|at| part(number, at)).collect::<Vec<_>>().join("<hr>");
            Lesson::new(&MarkedPage::new(&format!("page{number}"), html.as_bytes()))
        };
        (0..12).map(page).collect()
    }

    fn options() -> CutOptions {
        let small = BoostOptions { trees: 12, levels: 2, rate: 0.3, columns: 0.5, curvature: 0.5, penalty: 1.0, seed: 1 };
        CutOptions { folds: 3, inner: 2, forests: 2, first: small, context: small, ..CutOptions::default() }
    }

    #[test]
    fn what_is_plain_is_learned_and_always_the_same() {
        let lessons = lessons();
        let trained = train_cuts(&lessons, &options(), &|_| {}).unwrap_or_else(|why| unreachable!("{why}"));
        let report = CutReport::of(&lessons, &trained.opinions, &trained.model);
        assert_eq!(report.fine.pages, 12);
        assert!(report.fine.score.adjusted_rand > 0.99 && report.coarse.score.adjusted_rand > 0.99, "{report}");
        assert_eq!(report.fine.found, [1.0; 2]);
        let again = train_cuts(&lessons, &options(), &|_| {}).unwrap_or_else(|why| unreachable!("{why}"));
        assert_eq!(trained.model.write(), again.model.write());
        assert_eq!(CutModel::read(&trained.model.write()).map(|model| model.thresholds), Ok(trained.model.thresholds));
        assert_eq!(trained.opinions, again.opinions);
    }

    #[test]
    fn folds_are_even_and_the_same_everywhere() {
        let folds = parted(70, 10);
        for fold in 0..10 {
            assert_eq!(folds.iter().filter(|own| **own == fold).count(), 7);
        }
        assert_eq!(folds, parted(70, 10));
    }
}
