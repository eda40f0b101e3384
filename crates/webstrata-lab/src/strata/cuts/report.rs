//! Scores of out-of-fold models on annotated pages.

use super::marked::{Marks, Sample};
use crate::segmentation::Score;
use crate::table::{Table, share};
use rayon::prelude::*;
use std::fmt;
use webstrata::segment::Granularity;
use webstrata::segment::strata::{CutModel, CutProbabilities};

/// Scores at one level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevelReport {
    /// Number of scored pages.
    pub pages: usize,
    /// Score at the default granularity of the level.
    pub score: Score,
    /// Score at the best granularity per page by Adjusted Rand.
    pub best: Score,
    /// Number of marked blocks with text.
    pub blocks: usize,
    /// Share of them matched by a segment with a Jaccard coefficient of at least 0.9, and of at least 0.7.
    pub found: [f64; 2],
}

/// The scores at both levels.
///
/// ```
/// use webstrata_lab::strata::cuts::CutReport;
/// assert!(CutReport::default().to_string().contains("AdjRand"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CutReport {
    /// Level 2, cut at [`Granularity::Fine`].
    pub fine: LevelReport,
    /// Level 1, cut at [`Granularity::Coarse`].
    pub coarse: LevelReport,
}

/// Number of granularities tried per page.
const STEPS: u16 = 100;

impl CutReport {
    /// Scores predictions for pages. Only the thresholds of `model` are used, not its forests.
    #[must_use]
    pub fn new(samples: &[Sample], predictions: &[CutProbabilities], model: &CutModel) -> CutReport {
        let strengths: Vec<Vec<f32>> = predictions
            .iter()
            .map(|page| page.coarse.iter().zip(&page.fine).map(|(&coarse, &fine)| model.strength(coarse, fine)).collect())
            .collect();
        let level = |place: usize, granularity: Granularity| {
            let pages: Vec<(&Marks, &[f32])> = samples
                .iter()
                .zip(&strengths)
                .map(|(sample, strengths)| (&sample.marks[place], strengths.as_slice()))
                .filter(|(marks, _)| marks.is_scored())
                .collect();
            LevelReport::new(&pages, granularity)
        };
        CutReport { coarse: level(0, Granularity::Coarse), fine: level(1, Granularity::Fine) }
    }
}

impl LevelReport {
    fn new(pages: &[(&Marks, &[f32])], granularity: Granularity) -> LevelReport {
        let cuts = |strengths: &[f32], granularity: Granularity| -> Vec<bool> {
            strengths.iter().map(|strength| *strength >= 1.0 - granularity.value()).collect()
        };
        let scores: Vec<Score> = pages.iter().map(|(marks, strengths)| marks.score(&cuts(strengths, granularity))).collect();
        let best: Vec<Score> = pages
            .par_iter()
            .map(|(marks, strengths)| {
                let tried = (0..=STEPS).map(|step| f32::from(step) / f32::from(STEPS));
                let all = tried.map(|value| marks.score(&cuts(strengths, Granularity::Value(value))));
                all.fold(Score { adjusted_rand: -2.0, ..Score::default() }, |best, score| {
                    if score.adjusted_rand > best.adjusted_rand { score } else { best }
                })
            })
            .collect();
        let fits: Vec<f64> = pages.iter().flat_map(|(marks, strengths)| marks.fits(&cuts(strengths, granularity))).collect();
        let found = [0.9, 0.7].map(|min| fits.iter().filter(|fit| **fit >= min).count() as f64 / fits.len().max(1) as f64);
        LevelReport { pages: pages.len(), score: Score::mean(&scores), best: Score::mean(&best), blocks: fits.len(), found }
    }
}

impl fmt::Display for CutReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&["marks", "granularity", "pages", "AdjRand", "NMI", "BCubed P", "R", "F", "segments"]);
        for (name, default, level) in [("level 2", "fine", &self.fine), ("level 1", "coarse", &self.coarse)] {
            for (granularity, score) in [(default, &level.score), ("best per page", &level.best)] {
                let Score { adjusted_rand, nmi, bcubed, segments } = *score;
                table.row(vec![
                    name.to_owned(),
                    granularity.to_owned(),
                    level.pages.to_string(),
                    share(adjusted_rand),
                    share(nmi),
                    share(bcubed.precision),
                    share(bcubed.recall),
                    share(bcubed.f),
                    format!("{segments:.1}"),
                ]);
            }
        }
        write!(f, "{}", table.markdown())?;
        for (name, level) in [("level 2, fine", &self.fine), ("level 1, coarse", &self.coarse)] {
            let [close, near] = level.found;
            writeln!(
                f,
                "\nBlocks found, {name}: {} of {} with Jaccard >= 0.9, {} with Jaccard >= 0.7.",
                share(close),
                level.blocks,
                share(near)
            )?;
        }
        Ok(())
    }
}
