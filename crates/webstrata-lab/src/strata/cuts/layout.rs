//! Trains the layout pass of the segmenter `strata`, on predictions for pages that the earlier passes have not seen.

use super::marked::Sample;
use super::train::{CutOptions, TrainedCuts, folds_of, page_weight};
use crate::learn::boost::{Binned, BoostOptions, boost};
use webstrata::model::{Forest, ModelError};
use webstrata::segment::strata::{CutProbabilities, LayoutModel, LayoutRows};

/// Small trees: there are few rows and few features.
const FOREST: BoostOptions =
    BoostOptions { trees: 60, levels: 3, rate: 0.08, columns: 0.4, curvature: 4.0, penalty: 8.0, seed: 301 };

/// Index of the fine level in [`Sample::marks`].
const FINE: usize = 1;

/// Result of the training.
#[derive(Clone, Debug)]
pub struct TrainedLayout {
    /// The model, trained on all pages.
    pub model: LayoutModel,
    /// For each page: out-of-fold probabilities of its gaps.
    pub predictions: Vec<CutProbabilities>,
}

/// Trains the pass; `rows` are those of the samples. The folds are those of [`super::train_cuts`], so no model predicts a page it has seen.
///
/// # Errors
/// If a forest cannot represent the trees.
pub fn train_layout(
    samples: &[Sample],
    rows: &[LayoutRows],
    cuts: &TrainedCuts,
    options: &CutOptions,
) -> Result<TrainedLayout, ModelError> {
    let table: Vec<f32> = rows
        .iter()
        .zip(&cuts.predictions)
        .flat_map(|(rows, cuts)| (0..cuts.fine.len()).flat_map(move |gap| rows.row(gap, cuts)))
        .collect();
    let table = Binned::new(&table, LayoutRows::columns(), options.bins);
    let folds = folds_of(samples.len(), options.folds);
    let learn = |keeps: &dyn Fn(usize) -> bool| -> Result<LayoutModel, ModelError> {
        Ok(LayoutModel { fine: grow(samples, &table, keeps)? })
    };
    let mut predictions = cuts.predictions.clone();
    for fold in 0..options.folds {
        let model = learn(&|page| folds[page] != fold)?;
        for page in (0..samples.len()).filter(|page| folds[*page] == fold) {
            predictions[page] = model.correct(&rows[page], &cuts.predictions[page]);
        }
    }
    Ok(TrainedLayout { model: learn(&|_| true)?, predictions })
}

/// Grows the forest for fine cuts from the pages for which `keeps` is true.
fn grow(samples: &[Sample], table: &Binned, keeps: &dyn Fn(usize) -> bool) -> Result<Forest, ModelError> {
    let (mut labels, mut weights, mut which) = (Vec::new(), Vec::new(), Vec::new());
    for (page, sample) in samples.iter().enumerate() {
        let marks = &sample.marks[FINE];
        let share = page_weight(marks);
        for (label, weight) in marks.labels.iter().zip(&marks.weights) {
            if keeps(page) && *weight > 0.0 {
                which.push(labels.len() as u32);
            }
            labels.push(*label);
            weights.push(weight * share);
        }
    }
    let mean = which.iter().map(|&row| f64::from(weights[row as usize])).sum::<f64>() / which.len().max(1) as f64;
    weights.iter_mut().for_each(|weight| *weight /= mean.max(1e-9) as f32);
    boost(table, &labels, &weights, &which, &FOREST)
}
