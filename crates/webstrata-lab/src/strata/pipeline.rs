//! The whole pipeline: from sets on disk to a model and what is known of it.

use super::card::Card;
use super::corpus::{GoldBlocks, read};
use super::train::{Hidden, StrataOptions, Trained, train};
use super::weak;
use crate::gold::set::GoldSet;
use webstrata::label::strata::{ContentModel, PageType};
use webstrata::model::ModelError;

/// What is learned from.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    /// Sets with whole gold texts, and page types if known.
    pub gold: Vec<GoldSet>,
    /// Sets of articles whose gold leans to one tool's view: they count less.
    pub articles: Vec<GoldSet>,
    /// Sets of which only pieces are marked.
    pub snippets: Vec<GoldSet>,
}

/// What pages of sets of articles count.
const ARTICLES: f32 = 0.4;

/// What pages with marked pieces count.
const SNIPPETS: f32 = 0.5;

/// Shorter golds among articles are of made-up pages.
const SHORTEST: usize = 100;

/// Steps of a pipeline with five folds that progress is told by.
pub const STEPS: usize = 30;

/// Learns a model from all sets, and writes its card.
///
/// # Errors
/// When the options ask for trees that a forest cannot have.
pub fn learn(sets: &Sets, options: &StrataOptions, progress: &(dyn Fn(&str) + Sync)) -> Result<(ContentModel, Card), ModelError> {
    let (pages, strict) = pages(sets, options, progress)?;
    let trained = train(&pages, options, progress)?;
    let card = Card::new(sets, &pages[..strict], &trained);
    Ok((trained.model, card))
}

/// What each group of columns is worth: F1 of the cross-validation without it, nothing hidden first.
///
/// # Errors
/// When the options ask for trees that a forest cannot have.
pub fn ablation(
    sets: &Sets,
    options: &StrataOptions,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Vec<(&'static str, f64)>, ModelError> {
    let (pages, strict) = pages(sets, options, progress)?;
    let without = |hidden: Hidden| {
        let trained = train(&pages, &StrataOptions { hidden, ..*options }, progress)?;
        Ok((hidden.name(), mean(&scores(&pages[..strict], &trained))))
    };
    std::iter::once(Hidden::Nothing).chain(Hidden::ALL).map(without).collect()
}

/// The pages of all sets, those with whole golds first, and how many these are. Pages with marked pieces are given their golds
/// by a smaller model, learned from the others.
fn pages(sets: &Sets, options: &StrataOptions, progress: &(dyn Fn(&str) + Sync)) -> Result<(Vec<GoldBlocks>, usize), ModelError> {
    progress("reading");
    let mut pages: Vec<GoldBlocks> = sets.gold.iter().flat_map(read).collect();
    let strict = pages.len();
    if !sets.snippets.is_empty() {
        let mut small = *options;
        (small.folds, small.first.trees, small.first.rate) = (3, options.first.trees.div_ceil(4), 0.1);
        let teacher = train(&pages, &small, progress)?.model;
        progress("pieces");
        pages.extend(sets.snippets.iter().flat_map(|set| weak::read(set, &teacher, SNIPPETS)));
    }
    let articles = sets.articles.iter().flat_map(read).filter(|page| page.gold.len() > SHORTEST);
    pages.extend(articles.map(|page| GoldBlocks { page_type: Some(PageType::Article), weight: ARTICLES, ..page }));
    Ok((pages, strict))
}

/// By page: F1 of what models that had not seen its site keep.
#[must_use]
pub fn scores(pages: &[GoldBlocks], trained: &Trained) -> Vec<f64> {
    let score = |(at, page): (usize, &GoldBlocks)| {
        let kept = trained.keeps(at);
        page.f1(|block| kept.get(block).copied().unwrap_or(false))
    };
    pages.iter().enumerate().map(score).collect()
}

/// The mean; 0 of nothing.
pub(super) fn mean(scores: &[f64]) -> f64 {
    scores.iter().sum::<f64>() / (scores.len() as f64).max(1.0)
}
