//! Trains the forest that predicts the F1 of an answer, on cross-validated predictions for blocks.
//!
//! The label of an answer is its F1. The forest is also cross-validated, by the same folds, so that the scores on the card
//! and the confidence are those of pages that no part of the model has seen.

use super::card::LOW_CONFIDENCE;
use super::corpus::GoldBlocks;
use super::train::StrataOptions;
use crate::learn::boost::{Binned, boost};
use rayon::prelude::*;
use webstrata::label::strata::{ANSWER_COLUMNS, PageFeatures, PageType, answers_of, choose_answer};
use webstrata::model::{Forest, ModelError};

/// Cross-validated predictions for the pages.
pub(super) struct Predictions<'p> {
    pub(super) features: &'p [PageFeatures],
    pub(super) probabilities: &'p [Vec<f32>],
    pub(super) page_types: &'p [[f32; PageType::ALL.len()]],
    pub(super) floors: &'p [f32; PageType::ALL.len()],
}

/// The forests, and the cross-validated answer for each page with its predicted F1.
pub(super) struct Answers {
    /// For each left-out fold, then for all pages.
    pub(super) forests: Vec<Forest>,
    pub(super) kept: Vec<Vec<bool>>,
    pub(super) confidence: Vec<f32>,
    pub(super) caution: f32,
    pub(super) decisions: Vec<[f32; DECISIONS.len()]>,
}

/// Decision rules for the card, from simple to full: the gain of a step is the difference from the one before.
pub const DECISIONS: [&str; 3] = ["one threshold", "best of thresholds and ranges", "best of all answers"];

/// Kinds of answers that keep or drop groups of blocks together, by their numbers: paths, elements, repeated units.
const GROUP_KINDS: std::ops::Range<f32> = 4.0..9.0;

/// The candidate answers for a page: the blocks that each keeps, its feature row and its F1.
struct Considered {
    kept: Vec<Vec<bool>>,
    rows: Vec<f32>,
    scores: Vec<f32>,
}

impl Considered {
    /// F1 of each of [`DECISIONS`], given the answer chosen among all.
    fn decisions(&self, forest: &Forest, chosen: usize) -> [f32; DECISIONS.len()] {
        let rows: Vec<&[f32]> = self.rows.chunks_exact(ANSWER_COLUMNS.len()).collect();
        let simple: Vec<usize> =
            (0..rows.len()).filter(|&at| !rows[at].first().is_some_and(|kind| GROUP_KINDS.contains(kind))).collect();
        let values: Vec<f32> = simple.iter().flat_map(|&at| rows[at].iter().copied()).collect();
        let among_simple = simple.get(choose_answer(forest, &values).0).copied().unwrap_or(0);
        [0, among_simple, chosen].map(|at| self.scores.get(at).copied().unwrap_or(0.0))
    }
}

impl Predictions<'_> {
    fn considered(&self, page: usize, gold: &GoldBlocks) -> Considered {
        let page_types = &self.page_types[page];
        let floor = self.floors.iter().zip(page_types).map(|(floor, probability)| floor * probability).sum();
        let (kept, rows) = answers_of(&self.features[page], &self.probabilities[page], page_types, floor);
        let scores = kept.iter().map(|kept| gold.f1(|block| kept[block]) as f32).collect();
        Considered { kept, rows, scores }
    }
}

/// Learns the forest; `folds` has the fold of each page.
pub(super) fn learn(
    pages: &[GoldBlocks],
    predictions: &Predictions<'_>,
    folds: &[usize],
    options: &StrataOptions,
) -> Result<Answers, ModelError> {
    let considered: Vec<Considered> = pages.par_iter().enumerate().map(|(at, page)| predictions.considered(at, page)).collect();
    let rows: Vec<f32> = considered.iter().flat_map(|page| page.rows.iter().copied()).collect();
    let labels: Vec<f32> = considered.iter().flat_map(|page| page.scores.iter().copied()).collect();
    // The answers for a page together weigh as much as the page.
    let weights = per_row(&considered, |at| pages[at].weight / considered[at].scores.len() as f32);
    let fold_of_row = per_row(&considered, |at| folds[at]);
    let table = Binned::new(&rows, ANSWER_COLUMNS.len(), options.bins);
    let without = |left_out: usize| {
        let which: Vec<u32> =
            (0..labels.len() as u32).filter(|&row| fold_of_row[row as usize] != left_out && weights[row as usize] > 0.0).collect();
        boost(&table, &labels, &weights, &which, &options.answers)
    };
    let forests = (0..=options.folds).map(without).collect::<Result<Vec<Forest>, _>>()?;
    let chosen: Vec<(usize, f32)> =
        considered.par_iter().zip(folds).map(|(page, &fold)| choose_answer(&forests[fold], &page.rows)).collect();
    let caution = caution(&considered, &chosen);
    let decisions =
        considered.par_iter().zip(folds).zip(&chosen).map(|((page, &fold), &(at, _))| page.decisions(&forests[fold], at)).collect();
    let kept = considered.into_iter().zip(&chosen).map(|(page, &(at, _))| page.kept.into_iter().nth(at).unwrap_or_default());
    Ok(Answers {
        kept: kept.collect(),
        confidence: chosen.iter().map(|&(_, predicted)| predicted.powf(caution)).collect(),
        caution,
        decisions,
        forests,
    })
}

/// A value per page, repeated for each of its answers.
fn per_row<T: Clone>(considered: &[Considered], of_page: impl Fn(usize) -> T) -> Vec<T> {
    considered.iter().enumerate().flat_map(|(at, page)| vec![of_page(at); page.scores.len()]).collect()
}

/// Share of the pages with an F1 below [`BAD_F1`] that a confidence below [`LOW_CONFIDENCE`] should flag.
const FLAGGED_SHARE: f64 = 0.92;
const BAD_F1: f32 = 0.5;

/// Step between the exponents tried, from 1 on.
const CAUTION_STEP: f32 = 0.125;
const MAX_CAUTION: f32 = 6.0;

/// The smallest exponent that flags enough bad pages.
fn caution(considered: &[Considered], chosen: &[(usize, f32)]) -> f32 {
    let bad: Vec<f32> = considered
        .iter()
        .zip(chosen)
        .filter(|(page, (at, _))| page.scores.get(*at).is_some_and(|score| *score < BAD_F1))
        .map(|(_, (_, predicted))| *predicted)
        .collect();
    let mut exponent = 1.0;
    while exponent < MAX_CAUTION {
        let flagged = bad.iter().filter(|predicted| predicted.powf(exponent) < LOW_CONFIDENCE).count() as f64;
        if flagged >= FLAGGED_SHARE * bad.len() as f64 {
            break;
        }
        exponent += CAUTION_STEP;
    }
    exponent
}
