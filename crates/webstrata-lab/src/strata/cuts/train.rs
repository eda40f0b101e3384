//! Trains the model of the segmenter `strata` on annotated pages.
//!
//! The context pass is trained on out-of-fold predictions of the first pass. The scores are those of models that
//! have not seen the page at all: for each fold everything, including the inner cross-validation of the first pass, is trained
//! again on the other folds. The final model is trained on all pages.

use super::marked::{Marks, Sample};
use crate::learn::boost::{Binned, BoostOptions, boost};
use rayon::prelude::*;
use webstrata::block::Mask;
use webstrata::model::{Forest, ModelError};
use webstrata::segment::strata::{CutModel, CutProbabilities, GapFeatures, first_pass};
use webstrata_corpus::io::Random;

/// Training options.
///
/// ```
/// use webstrata_lab::strata::cuts::CutOptions;
/// assert_eq!(CutOptions::default().thresholds, [0.45, 0.45]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CutOptions {
    /// Number of folds of the cross-validation, by page.
    pub folds: usize,
    /// Number of folds of the inner cross-validation of the first pass.
    pub inner: usize,
    /// Number of forests per pass.
    pub forests: usize,
    /// Forests of the first pass.
    pub first: BoostOptions,
    /// Forests of the context pass.
    pub context: BoostOptions,
    /// Weight of a masked copy, relative to its page.
    pub masked: f32,
    /// Maximum number of bins per column.
    pub bins: usize,
    /// Minimum probabilities of a coarse cut and of a fine cut. They are below one half because a missed cut costs more than
    /// a spurious one.
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

/// Features hidden in the masked copy of a page: class names, ids, and the tags that pages before 2010 did not have.
pub const MASK: Mask = Mask {
    names: 256,
    seed: 1,
    tags: true,
    paragraphs: false,
    headings: false,
    head: false,
    capitals: false,
    punctuation: false,
    words: false,
};

/// Result of the training.
#[derive(Clone, Debug)]
pub struct TrainedCuts {
    /// The model, trained on all pages.
    pub model: CutModel,
    /// For each page: out-of-fold probabilities of its gaps.
    pub predictions: Vec<CutProbabilities>,
    /// The same for its masked copy.
    pub masked: Vec<CutProbabilities>,
}

/// A page or its masked copy.
struct Version<'l> {
    page: usize,
    features: &'l GapFeatures,
    weight: f32,
    rows: Vec<f32>,
}

/// Indices of the two levels in [`Sample::marks`].
const COARSE: usize = 0;
const FINE: usize = 1;

/// Trains a model, with out-of-fold predictions for every page.
///
/// # Errors
/// If the options specify trees that a forest cannot represent.
pub fn train_cuts(samples: &[Sample], options: &CutOptions, progress: &(dyn Fn(&str) + Sync)) -> Result<TrainedCuts, ModelError> {
    let trainer = Trainer::new(samples, options);
    let folds = folds_of(samples.len(), options.folds);
    let mut predictions = vec![CutProbabilities::default(); samples.len()];
    let mut masked = predictions.clone();
    for fold in 0..options.folds {
        progress(&format!("without fold {} of {}", fold + 1, options.folds));
        let model = trainer.learn(&|page| folds[page] != fold)?;
        for (page, sample) in samples.iter().enumerate().filter(|(page, _)| folds[*page] == fold) {
            predictions[page] = model.predict(&sample.features);
            masked[page] = model.predict(&sample.masked);
        }
    }
    progress("all pages");
    Ok(TrainedCuts { model: trainer.learn(&|_| true)?, predictions, masked })
}

/// The fold of each page; deterministic.
pub(super) fn folds_of(pages: usize, folds: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pages).collect();
    Random::new(7).shuffle(&mut order);
    let mut folds_by_page = vec![0; pages];
    for (place, page) in order.into_iter().enumerate() {
        folds_by_page[page] = place % folds.max(1);
    }
    folds_by_page
}

/// Training data.
struct Trainer<'l> {
    samples: &'l [Sample],
    options: &'l CutOptions,
    versions: Vec<Version<'l>>,
    /// First-pass rows of all versions.
    table: Binned,
}

impl<'l> Trainer<'l> {
    fn new(samples: &'l [Sample], options: &'l CutOptions) -> Self {
        let version = |page: usize, features: &'l GapFeatures, weight: f32| {
            let mut rows = Vec::new();
            features.first_rows(0..features.gaps(), &mut rows);
            Version { page, features, weight, rows }
        };
        let mut versions: Vec<Version<'l>> =
            samples.iter().enumerate().map(|(page, sample)| version(page, &sample.features, 1.0)).collect();
        if options.masked > 0.0 {
            versions.extend(samples.iter().enumerate().map(|(page, sample)| version(page, &sample.masked, options.masked)));
        }
        let rows: Vec<f32> = versions.iter().flat_map(|version| version.rows.iter().copied()).collect();
        let table = Binned::new(&rows, GapFeatures::first_columns().len(), options.bins);
        Trainer { samples, options, versions, table }
    }

    /// Trains a model on some of the pages.
    fn learn(&self, keeps: &(dyn Fn(usize) -> bool + Sync)) -> Result<CutModel, ModelError> {
        let inner = folds_of(self.samples.len(), self.options.inner);
        let first =
            |level: usize, keeps: &(dyn Fn(usize) -> bool + Sync)| self.grow(&self.table, level, &self.options.first, keeps);
        // Out-of-fold predictions of the first pass.
        let mut predicted = vec![[const { Vec::new() }; 2]; self.versions.len()];
        for fold in 0..self.options.inner {
            let others = |page: usize| keeps(page) && inner[page] != fold;
            let (coarse, fine) = (first(COARSE, &others)?, first(FINE, &others)?);
            for (version, predicted) in self.versions.iter().zip(&mut predicted).filter(|(version, _)| inner[version.page] == fold)
            {
                *predicted = first_pass(&[&coarse, &fine], version.features);
            }
        }
        let rows: Vec<f32> = self
            .versions
            .par_iter()
            .zip(&predicted)
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

    /// The forests of one pass.
    fn grow(
        &self,
        table: &Binned,
        level: usize,
        options: &BoostOptions,
        keeps: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Vec<Forest>, ModelError> {
        let (mut labels, mut weights, mut which) = (Vec::new(), Vec::new(), Vec::new());
        for version in &self.versions {
            let marks = &self.samples[version.page].marks[level];
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
        // Leaf options assume a mean row weight of 1.
        let mean = which.iter().map(|&row| f64::from(weights[row as usize])).sum::<f64>() / which.len().max(1) as f64;
        weights.iter_mut().for_each(|weight| *weight /= mean.max(1e-9) as f32);
        let seeds: Vec<u64> = (0..self.options.forests as u64).collect();
        let grown = seeds
            .into_par_iter()
            .map(|seed| boost(table, &labels, &weights, &which, &BoostOptions { seed: options.seed + seed, ..*options }));
        grown.collect()
    }
}

/// Weight of a gap: pages with many gaps get more weight in total, but less than proportionally.
pub(super) fn page_weight(marks: &Marks) -> f32 {
    1.0 / marks.weights.iter().sum::<f32>().max(1.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::seg_popular::MarkedPage;
    use crate::strata::cuts::CutReport;

    /// Pages to be cut at every `hr` and nowhere else.
    fn samples() -> Vec<Sample> {
        let part = |page: usize, part: usize| {
            let items = "<p>some words of a text</p>".repeat(2 + (page * 7 + part * 3) % 5);
            format!("<div data-block='1 2' data-block-type='Menu Menu'>{items}</div>")
        };
        let page = |number: usize| {
            let html = (0..4 + number % 3).map(|at| part(number, at)).collect::<Vec<_>>().join("<hr>");
            Sample::new(&MarkedPage::new(&format!("page{number}"), html.as_bytes()))
        };
        (0..12).map(page).collect()
    }

    fn options() -> CutOptions {
        let small = BoostOptions { trees: 12, levels: 2, rate: 0.3, columns: 0.5, curvature: 0.5, penalty: 1.0, seed: 1 };
        CutOptions { folds: 3, inner: 2, forests: 2, first: small, context: small, ..CutOptions::default() }
    }

    #[test]
    fn obvious_cuts_are_learned_deterministically() {
        let samples = samples();
        let trained = train_cuts(&samples, &options(), &|_| {}).unwrap_or_else(|why| unreachable!("{why}"));
        let report = CutReport::new(&samples, &trained.predictions, &trained.model);
        assert_eq!(report.fine.pages, 12);
        assert!(report.fine.score.adjusted_rand > 0.99 && report.coarse.score.adjusted_rand > 0.99, "{report}");
        assert_eq!(report.fine.found, [1.0; 2]);
        let again = train_cuts(&samples, &options(), &|_| {}).unwrap_or_else(|why| unreachable!("{why}"));
        assert_eq!(trained.model.write(), again.model.write());
        assert_eq!(CutModel::read(&trained.model.write()).map(|model| model.thresholds), Ok(trained.model.thresholds));
        assert_eq!(trained.predictions, again.predictions);
    }

    #[test]
    fn folds_are_even_and_deterministic() {
        let folds = folds_of(70, 10);
        for fold in 0..10 {
            assert_eq!(folds.iter().filter(|own| **own == fold).count(), 7);
        }
        assert_eq!(folds, folds_of(70, 10));
    }
}
