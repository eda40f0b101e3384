//! The complete training: from sets on disk to a model with its card.

use super::card::Card;
use super::corpus::{GoldBlocks, read};
use super::folds::{Extracted, FoldModels};
use super::hidden::Hidden;
use super::train::{StrataOptions, Trained, train};
use super::weak;
use crate::gold::set::GoldSet;
use rayon::prelude::*;
use std::collections::BTreeSet;
use webstrata::label::strata::{ContentModel, PageType};
use webstrata::model::{ModelError, fnv1a};
use webstrata_corpus::io::Random;

/// Training sets.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    /// Sets with whole gold texts, and with page types if known.
    pub gold: Vec<GoldSet>,
    /// Sets of articles whose gold is biased towards one tool; they get less weight.
    pub articles: Vec<GoldSet>,
    /// Sets with labelled snippets only.
    pub snippets: Vec<GoldSet>,
    /// The page type of all pages of a set whose gold does not state it, by the name of the set.
    pub page_types: Vec<(String, PageType)>,
    /// The share of a set's sites used for training, by the name of the set, for learning curves. All its pages are scored.
    pub shares: Vec<(String, f64)>,
}

/// Weight of pages of article sets.
const ARTICLE_WEIGHT: f32 = 0.4;

/// Weight of pages with labelled snippets.
const SNIPPET_WEIGHT: f32 = 0.5;

/// Minimum length of an article's gold, in words; shorter ones are from synthetic pages.
const MIN_GOLD_WORDS: usize = 100;

/// Number of progress steps of a training run with five folds.
pub const STEPS: usize = 43;

/// A trained model.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The model.
    pub model: ContentModel,
    /// For each fold of the cross-validation: the model trained without its sites.
    pub folds: FoldModels,
    /// The model card.
    pub card: Card,
}

/// Trains a model on all sets, and makes its model card.
///
/// # Errors
/// If the options specify trees that a forest cannot represent.
pub fn learn(sets: &Sets, options: &StrataOptions, progress: &(dyn Fn(&str) + Sync)) -> Result<Learned, ModelError> {
    let (pages, num_gold) = pages(sets, options, progress)?;
    let trained = train(&pages, options, progress)?;
    progress("extraction");
    let pages = &pages[..num_gold];
    let folds = FoldModels::new(trained.folds.clone());
    let extracted: Vec<Extracted> = pages.par_iter().map(|page| folds.extract(page)).collect();
    let card = Card::new(sets, pages, &trained, &extracted);
    Ok(Learned { model: trained.model, folds, card })
}

/// Ablation: F1 of the cross-validation without each group of columns; the first entry hides nothing.
///
/// # Errors
/// If the options specify trees that a forest cannot represent.
pub fn ablation(
    sets: &Sets,
    options: &StrataOptions,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Vec<(&'static str, f64)>, ModelError> {
    let (pages, num_gold) = pages(sets, options, progress)?;
    let without = |hidden: Hidden| {
        let trained = train(&pages, &StrataOptions { hidden, ..*options }, progress)?;
        Ok((hidden.name(), mean(&scores(&pages[..num_gold], &trained))))
    };
    std::iter::once(Hidden::Nothing).chain(Hidden::ALL).map(without).collect()
}

/// The pages of all sets, and the number of those with whole gold texts, which come first. A page in several sets is
/// used once. Pages with snippets get their gold from a smaller model trained on the others.
fn pages(sets: &Sets, options: &StrataOptions, progress: &(dyn Fn(&str) + Sync)) -> Result<(Vec<GoldBlocks>, usize), ModelError> {
    progress("reading");
    let mut seen = BTreeSet::new();
    let mut unseen = |page: &GoldBlocks| seen.insert((page.bytes.len(), fnv1a(page.bytes.iter().copied())));
    let typed = |page: GoldBlocks| {
        let known = || sets.page_types.iter().find(|(set, _)| *set == page.set).map(|(_, page_type)| *page_type);
        let learned = sets.shares.iter().all(|(set, share)| *set != page.set || in_share(&page.site, *share));
        GoldBlocks { page_type: page.page_type.or_else(known), weight: if learned { page.weight } else { 0.0 }, ..page }
    };
    let mut pages: Vec<GoldBlocks> = sets.gold.iter().flat_map(read).filter(|page| unseen(page)).map(typed).collect();
    let num_gold = pages.len();
    if !sets.snippets.is_empty() {
        let mut small = *options;
        (small.folds, small.first.trees, small.first.rate) = (3, options.first.trees.div_ceil(4), 0.1);
        let teacher = train(&pages, &small, progress)?.model;
        progress("snippets");
        let weak = sets.snippets.iter().flat_map(|set| weak::read(set, &teacher, SNIPPET_WEIGHT));
        pages.extend(weak.filter(|page| unseen(page)));
    }
    let articles = sets.articles.iter().flat_map(read).filter(|page| page.gold.len() > MIN_GOLD_WORDS && unseen(page));
    pages.extend(articles.map(|page| GoldBlocks { page_type: Some(PageType::Article), weight: ARTICLE_WEIGHT, ..page }));
    Ok((pages, num_gold))
}

/// Whether a site belongs to this share of all sites, by the hash of its name. Larger shares contain the smaller ones.
fn in_share(site: &str, share: f64) -> bool {
    // A different hash from the one that assigns folds, so that every fold gets its share.
    let hash = Random::new(fnv1a(site.bytes().rev())).next();
    (hash as f64) < share * u64::MAX as f64
}

/// For each page: F1 of cross-validated predictions by blocks, before the selection.
#[must_use]
pub fn scores(pages: &[GoldBlocks], trained: &Trained) -> Vec<f64> {
    let score = |(at, page): (usize, &GoldBlocks)| {
        let kept = trained.keeps(at);
        page.f1(|block| kept.get(block).copied().unwrap_or(false))
    };
    pages.iter().enumerate().map(score).collect()
}

/// The mean; 0 for an empty list.
pub(super) fn mean(scores: &[f64]) -> f64 {
    scores.iter().sum::<f64>() / (scores.len() as f64).max(1.0)
}
