//! The model: forests that estimate the probability of a cut at each gap, and their file.
//!
//! The coarse level has one pass, the fine level a first pass and a context pass, which sees the results of the other two.
//! Annotators mark few coarse parts per page, so a context pass for those would only overfit. A pass averages a few forests
//! trained on different features.

use super::context_pass::ContextRows;
use super::features::GapFeatures;
use super::gap_batches::GapBatches;
use super::hierarchy::{COARSE, FINE, Hierarchy};
use super::layout_pass::{LayoutModel, LayoutRows};
use crate::block::{Blocks, Mask};
use crate::model::{Batch, BatchScorer, Forest, LANES, ModelError, ModelReader, ModelWriter, probability};
use std::sync::LazyLock;

/// Maximum number of forests per pass.
const MAX_FORESTS: u8 = 16;

/// A trained model of the segmenter.
///
/// ```
/// use webstrata::segment::strata::CutModel;
/// let model = CutModel::shipped();
/// assert_eq!(&CutModel::read(&model.write())?, model);
/// assert!(CutModel::read(b"{}").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CutModel {
    /// The pass for coarse cuts.
    pub coarse: Vec<Forest>,
    /// The first pass for fine cuts.
    pub first: Vec<Forest>,
    /// The context pass for fine cuts.
    pub context: Vec<Forest>,
    /// Minimum probabilities of a coarse cut and of a fine cut.
    pub thresholds: [f32; 2],
}

/// The probabilities that a model predicts for the gaps of a page.
///
/// ```
/// use webstrata::{Page, block::{GapModel, Mask}, segment::strata::{GapFeatures, CutModel}};
/// let page = Page::parse(b"<p>one<p>two");
/// let cuts = CutModel::shipped().predict(&GapFeatures::new(page.blocks_by(GapModel::Tags), Mask::default()));
/// assert!(cuts.coarse.len() == 1 && cuts.fine[0] > 0.0 && cuts.fine[0] < 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CutProbabilities {
    /// For each gap: probability of a coarse cut.
    pub coarse: Vec<f32>,
    /// For each gap: probability of a fine cut after the first pass.
    pub first: Vec<f32>,
    /// For each gap: probability of a fine cut after the context pass.
    pub fine: Vec<f32>,
}

static SHIPPED: LazyLock<CutModel> = LazyLock::new(|| CutModel::read(include_bytes!("cuts.model")).unwrap_or_default());

impl CutModel {
    /// The model that ships with the library.
    #[must_use]
    pub fn shipped() -> &'static CutModel {
        &SHIPPED
    }

    /// Reads a model.
    ///
    /// # Errors
    /// If the file is not a model, is damaged, has a different version, or was trained with different features.
    pub fn read(file: &[u8]) -> Result<CutModel, ModelError> {
        let mut input = ModelReader::new(file)?;
        let thresholds = [input.f32()?, input.f32()?];
        let (first, context) = (GapFeatures::first_columns().len(), GapFeatures::context_columns().len());
        let mut pass = |expected: usize| {
            let count = input.u8()?;
            if count == 0 || count > MAX_FORESTS {
                return Err(ModelError::Tree);
            }
            let forests = (0..count).map(|_| Forest::read(&mut input)).collect::<Result<Vec<_>, _>>()?;
            match forests.iter().map(Forest::columns).find(|columns| *columns != expected) {
                Some(found) => Err(ModelError::Features { found, expected }),
                None => Ok(forests),
            }
        };
        Ok(CutModel { coarse: pass(first)?, first: pass(first)?, context: pass(context)?, thresholds })
    }

    /// Writes the model.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out = ModelWriter::default();
        self.thresholds.iter().for_each(|threshold| out.f32(*threshold));
        for pass in [&self.coarse, &self.first, &self.context] {
            out.u8(pass.len() as u8);
            pass.iter().for_each(|forest| forest.write(&mut out));
        }
        out.finish()
    }

    /// Predicts the cuts of a page.
    #[must_use]
    pub fn predict(&self, features: &GapFeatures) -> CutProbabilities {
        let batches = features.batches();
        let [coarse, first] = run_passes(&[&self.coarse, &self.first], &batches, features.gaps(), None);
        let fine = run_context_pass(&self.context, features, &batches, &first, &coarse);
        CutProbabilities { coarse, first, fine }
    }

    /// The gaps of a page by strength. `blocks` must be those of [`crate::block::GapModel::Tags`].
    ///
    /// Coarse cuts are the strongest, then the other fine cuts, then the rest. So granularities are nested, even where the
    /// two levels disagree.
    #[must_use]
    pub fn hierarchy(&self, blocks: Blocks<'_>) -> Hierarchy {
        let features = GapFeatures::new(blocks, Mask::default());
        let mut cuts = self.predict(&features);
        if let (Some(rows), Some(layout)) = (LayoutRows::new(blocks, &features), LayoutModel::shipped()) {
            cuts = layout.correct(&rows, &cuts);
        }
        let strengths = cuts.coarse.iter().zip(&cuts.fine).map(|(&coarse, &fine)| self.strength(coarse, fine));
        Hierarchy::new((0..features.gaps()).map(|gap| features.block(gap)).zip(strengths).collect(), blocks.len())
    }

    /// The strength of a gap, from its probabilities of being a coarse cut and a fine cut.
    #[must_use]
    pub fn strength(&self, coarse: f32, fine: f32) -> f32 {
        let [min_coarse, min_fine] = self.thresholds;
        let part = |value: f32, from: f32, to: f32| ((value - from) / (to - from).max(1e-6)).clamp(0.0, 1.0);
        // A zone of strengths ends before the next one begins.
        const INSIDE: f32 = 0.999;
        if coarse >= min_coarse {
            1.0 - COARSE + COARSE * part(coarse, min_coarse, 1.0)
        } else if fine >= min_fine {
            1.0 - FINE + (FINE - COARSE) * INSIDE * part(fine, min_fine, 1.0)
        } else {
            (1.0 - FINE) * INSIDE * part(fine, 0.0, min_fine)
        }
    }
}

/// Runs several first passes on the same rows.
#[must_use]
pub fn first_pass<const N: usize>(passes: &[&[Forest]; N], features: &GapFeatures) -> [Vec<f32>; N] {
    run_passes(passes, &features.batches(), features.gaps(), None)
}

/// The probabilities of fine cuts after the context pass.
#[must_use]
pub fn context_pass(pass: &[Forest], features: &GapFeatures, first: &[f32], coarse: &[f32]) -> Vec<f32> {
    run_context_pass(pass, features, &features.batches(), first, coarse)
}

fn run_context_pass(pass: &[Forest], features: &GapFeatures, batches: &GapBatches<'_>, first: &[f32], coarse: &[f32]) -> Vec<f32> {
    let context = features.context(first, coarse);
    let [fine] = run_passes(&[pass], batches, features.gaps(), Some(&context));
    fine
}

/// The probabilities of all gaps by several passes, each from the mean score of its forests.
fn run_passes<const N: usize>(
    passes: &[&[Forest]; N],
    batches: &GapBatches<'_>,
    gaps: usize,
    context: Option<&ContextRows<'_>>,
) -> [Vec<f32>; N] {
    let mut batch = Batch::new(passes.iter().copied().flatten());
    let mut scorers = passes.map(|pass| pass.iter().map(Forest::batch_scorer).collect::<Vec<BatchScorer<'_>>>());
    let mut probabilities = [const { Vec::new() }; N];
    for start in (0..gaps).step_by(LANES) {
        let gaps = start..(start + LANES).min(gaps);
        batches.fill(gaps.clone(), context, &mut batch);
        for (probabilities, pass) in probabilities.iter_mut().zip(&mut scorers) {
            let mut sums = [0f32; LANES];
            for scorer in pass.iter_mut() {
                sums.iter_mut().zip(scorer.score(&batch)).for_each(|(sum, score)| *sum += score);
            }
            let number = pass.len().max(1) as f32;
            probabilities.extend(sums[..gaps.len()].iter().map(|sum| probability(sum / number)));
        }
    }
    probabilities
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Granularity;

    #[test]
    fn the_shipped_model_is_valid() {
        let model = CutModel::read(include_bytes!("cuts.model"));
        assert!(model.is_ok(), "{:?}", model.err());
        assert!(include_bytes!("cuts.model").len() < 150_000);
    }

    #[test]
    fn each_level_has_its_range_of_strengths() {
        let model = CutModel { thresholds: [0.4, 0.5], ..CutModel::default() };
        let cut = |coarse: f32, fine: f32, granularity: Granularity| {
            Hierarchy::new(vec![(1, model.strength(coarse, fine))], 2).at(granularity).len() == 2
        };
        for step in 0..=1000 {
            let probability = step as f32 / 1000.0;
            // A coarse cut is a fine cut, whatever its fine probability.
            assert_eq!(cut(probability, 0.0, Granularity::Coarse), probability >= 0.4);
            assert_eq!(cut(probability, 0.0, Granularity::Fine), probability >= 0.4);
            assert_eq!(cut(0.0, probability, Granularity::Fine), probability >= 0.5);
            assert!(!cut(0.0, probability, Granularity::Coarse) && !cut(0.39, probability, Granularity::Coarse));
            assert!(
                !cut(probability, probability, Granularity::Value(0.0)) && cut(probability, probability, Granularity::Value(1.0))
            );
        }
        assert!(model.strength(0.0, 0.9) > model.strength(0.0, 0.6));
    }

    #[test]
    fn damaged_files_are_rejected() {
        let file = include_bytes!("cuts.model");
        for len in (0..file.len()).step_by(997) {
            assert!(CutModel::read(&file[..len]).is_err());
        }
        let mut fewer = CutModel::shipped().clone();
        fewer.context = fewer.first.clone();
        assert!(matches!(CutModel::read(&fewer.write()), Err(ModelError::Features { .. })));
    }
}
