//! The model: forests that say how likely each gap is a cut, and the file they are in.
//!
//! Three looks: one for the coarse level, and two for the fine one, of which the second sees what the other two said. People
//! mark few coarse parts on a page, and a second look at those only learns them by heart. A look is the mean of a few
//! forests that were grown from different columns.

use super::features::GapFeatures;
use super::hierarchy::{COARSE, FINE, Hierarchy};
use crate::block::{Blocks, Mask};
use crate::model::{Forest, ModelError, Reader, Writer, probability};
use std::sync::LazyLock;

/// Gaps that are looked at together: their rows are made, asked and forgotten, so that no page takes much memory.
const BATCH: usize = 256;

/// Most forests of one look.
const MOST_FORESTS: u8 = 16;

/// What was learned.
///
/// ```
/// use webstrata::segment::strata::CutModel;
/// let model = CutModel::shipped();
/// assert_eq!(&CutModel::read(&model.write()).unwrap(), model);
/// assert!(CutModel::read(b"{}").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CutModel {
    /// The look for coarse cuts.
    pub coarse: Vec<Forest>,
    /// The first look for fine cuts.
    pub first: Vec<Forest>,
    /// The second look.
    pub second: Vec<Forest>,
    /// Probabilities from which a gap is a coarse cut and a fine one.
    pub thresholds: [f32; 2],
}

/// What a model says of the gaps of a page.
///
/// ```
/// use webstrata::{Page, block::{GapModel, Mask}, segment::strata::{GapFeatures, CutModel}};
/// let page = Page::parse(b"<p>one<p>two");
/// let opinion = CutModel::shipped().judge(&GapFeatures::new(page.blocks_by(GapModel::Tags), Mask::default()));
/// assert!(opinion.coarse.len() == 1 && opinion.fine[0] > 0.0 && opinion.fine[0] < 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CutProbabilities {
    /// The probability that each is a coarse cut.
    pub coarse: Vec<f32>,
    /// The probability that each is a fine cut, after the first look.
    pub first: Vec<f32>,
    /// The same after the second.
    pub fine: Vec<f32>,
}

static SHIPPED: LazyLock<CutModel> = LazyLock::new(|| CutModel::read(include_bytes!("cuts.model")).unwrap_or_default());

impl CutModel {
    /// The model that comes with the library.
    #[must_use]
    pub fn shipped() -> &'static CutModel {
        &SHIPPED
    }

    /// Reads a model.
    ///
    /// # Errors
    /// When it is none, damaged, of another version, or made for other columns.
    pub fn read(file: &[u8]) -> Result<CutModel, ModelError> {
        let mut input = Reader::new(file)?;
        let thresholds = [input.f32()?, input.f32()?];
        let (first, second) = (GapFeatures::first_columns().len(), GapFeatures::context_columns().len());
        let mut look = |expected: usize| {
            let count = input.u8()?;
            if count == 0 || count > MOST_FORESTS {
                return Err(ModelError::Tree);
            }
            let forests = (0..count).map(|_| Forest::read(&mut input)).collect::<Result<Vec<_>, _>>()?;
            match forests.iter().map(Forest::columns).find(|columns| *columns != expected) {
                Some(found) => Err(ModelError::Columns { found, expected }),
                None => Ok(forests),
            }
        };
        Ok(CutModel { coarse: look(first)?, first: look(first)?, second: look(second)?, thresholds })
    }

    /// The file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out = Writer::default();
        self.thresholds.iter().for_each(|threshold| out.f32(*threshold));
        for look in [&self.coarse, &self.first, &self.second] {
            out.u8(look.len() as u8);
            look.iter().for_each(|forest| forest.write(&mut out));
        }
        out.finish()
    }

    /// What it says of a page.
    #[must_use]
    pub fn judge(&self, features: &GapFeatures) -> CutProbabilities {
        let [coarse, first] = [&self.coarse, &self.first].map(|look| look.as_slice());
        let [coarse, first] = first_pass(&[coarse, first], features);
        let fine = context_pass(&self.second, features, &first, &coarse);
        CutProbabilities { coarse, first, fine }
    }

    /// The cuts of a page by strength; `blocks` are those of [`crate::block::GapModel::Tags`].
    ///
    /// Coarse cuts are the strongest, then the other fine ones, then the rest: so every granularity is nested in the finer
    /// ones, whatever the two levels say of a gap.
    #[must_use]
    pub fn hierarchy(&self, blocks: Blocks<'_>) -> Hierarchy {
        let features = GapFeatures::new(blocks, Mask::default());
        let opinion = self.judge(&features);
        let strengths = opinion.coarse.iter().zip(&opinion.fine).map(|(&coarse, &fine)| self.strength(coarse, fine));
        Hierarchy::new((0..features.gaps()).map(|gap| features.block(gap)).zip(strengths).collect(), blocks.len())
    }

    /// The strength of a gap from its probabilities to be a coarse cut and a fine one.
    #[must_use]
    pub fn strength(&self, coarse: f32, fine: f32) -> f32 {
        let [coarse_from, fine_from] = self.thresholds;
        let part = |value: f32, from: f32, to: f32| ((value - from) / (to - from).max(1e-6)).clamp(0.0, 1.0);
        // A zone ends before the next one begins.
        const INSIDE: f32 = 0.999;
        if coarse >= coarse_from {
            1.0 - COARSE + COARSE * part(coarse, coarse_from, 1.0)
        } else if fine >= fine_from {
            1.0 - FINE + (FINE - COARSE) * INSIDE * part(fine, fine_from, 1.0)
        } else {
            (1.0 - FINE) * INSIDE * part(fine, 0.0, fine_from)
        }
    }
}

/// The probabilities by several first looks at once: the rows are made once.
#[must_use]
pub fn first_pass<const N: usize>(looks: &[&[Forest]; N], features: &GapFeatures) -> [Vec<f32>; N] {
    let mut probabilities = [const { Vec::new() }; N];
    let mut rows = Vec::new();
    for start in (0..features.gaps()).step_by(BATCH) {
        let gaps = start..(start + BATCH).min(features.gaps());
        rows.clear();
        features.first_rows(gaps.clone(), &mut rows);
        for (probabilities, look) in probabilities.iter_mut().zip(looks) {
            ask(look, &rows, gaps.len(), probabilities);
        }
    }
    probabilities
}

/// The probabilities of fine cuts after the second look.
#[must_use]
pub fn context_pass(look: &[Forest], features: &GapFeatures, first: &[f32], coarse: &[f32]) -> Vec<f32> {
    let said = features.context(first, coarse);
    let mut probabilities = Vec::with_capacity(first.len());
    let mut rows = Vec::new();
    for start in (0..features.gaps()).step_by(BATCH) {
        let gaps = start..(start + BATCH).min(features.gaps());
        rows.clear();
        features.context_rows(&said, gaps.clone(), &mut rows);
        ask(look, &rows, gaps.len(), &mut probabilities);
    }
    probabilities
}

/// Adds the probabilities of some rows: those of the mean score of the forests.
fn ask(look: &[Forest], rows: &[f32], count: usize, probabilities: &mut Vec<f32>) {
    let mut sums = [0f32; BATCH];
    let mut scores = [0f32; BATCH];
    let count = count.min(BATCH);
    for forest in look {
        forest.score_all(rows, &mut scores[..count]);
        sums.iter_mut().zip(&scores[..count]).for_each(|(sum, score)| *sum += score);
    }
    let number = look.len().max(1) as f32;
    probabilities.extend(sums[..count].iter().map(|sum| probability(sum / number)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Granularity;

    #[test]
    fn the_shipped_model_reads() {
        let model = CutModel::read(include_bytes!("cuts.model"));
        assert!(model.is_ok(), "{:?}", model.err());
        assert!(include_bytes!("cuts.model").len() < 150_000);
    }

    #[test]
    fn strengths_are_in_the_zones_of_their_levels() {
        let model = CutModel { thresholds: [0.4, 0.5], ..CutModel::default() };
        let cut = |coarse: f32, fine: f32, granularity: Granularity| {
            Hierarchy::new(vec![(1, model.strength(coarse, fine))], 2).at(granularity).len() == 2
        };
        for step in 0..=1000 {
            let probability = step as f32 / 1000.0;
            // A coarse cut is a fine cut, whatever the fine look says.
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
    fn damaged_files_are_errors() {
        let file = include_bytes!("cuts.model");
        for len in (0..file.len()).step_by(997) {
            assert!(CutModel::read(&file[..len]).is_err());
        }
        let mut fewer = CutModel::shipped().clone();
        fewer.second = fewer.first.clone();
        assert!(matches!(CutModel::read(&fewer.write()), Err(ModelError::Columns { .. })));
    }
}
