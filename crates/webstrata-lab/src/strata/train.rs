//! Trains the model of `strata` on pages with gold texts.
//!
//! Every stage is trained on out-of-fold predictions of the previous stage: words, page types, first pass and context pass
//! are each cross-validated by site, and the next stage sees only those predictions. The final model is trained on all
//! pages. Each page also has a masked copy ([`Mask`]), so that the model does not depend on names
//! and tags that pages of other years, sites and languages lack.

use super::answers::{self, DECISIONS, Predictions};
use super::corpus::GoldBlocks;
use super::floors;
use super::hidden::Hidden;
use super::words::{WORDS_OF_NAMES, WORDS_OF_TEXTS, WordPage, learn};
use crate::learn::boost::{Binned, BoostOptions, boost, boost_on};
use rayon::prelude::*;
use std::collections::BTreeSet;
use webstrata::Page;
use webstrata::block::Mask;
use webstrata::label::strata::{
    CONTEXT_COLUMNS, ContentModel, PageFeatures, PageType, PageWords, WordTables, apply_rule_prior, context_probabilities,
    is_article, page_type_probabilities,
};
use webstrata::model::{Forest, ModelError, fnv1a, logit, probability};
use webstrata_corpus::io::Random;

/// Training options.
#[derive(Clone, Copy, Debug)]
pub struct StrataOptions {
    /// Number of folds of the cross-validation, by site.
    pub folds: usize,
    /// Weight of a masked copy, relative to its page.
    pub masked: f32,
    /// Weight of other pages in the forest for articles, and of articles in the forest for other pages.
    pub other: f32,
    /// Forest of the first pass.
    pub first: BoostOptions,
    /// Forest of the context pass.
    pub context: BoostOptions,
    /// Forest that predicts the F1 of an answer.
    pub answers: BoostOptions,
    /// Forests of the page types.
    pub page_types: BoostOptions,
    /// Maximum number of bins per column.
    pub bins: usize,
    /// Columns hidden for the ablation.
    pub hidden: Hidden,
}

impl StrataOptions {
    /// Default number of folds.
    pub const FOLDS: u16 = 5;
    /// Default number of trees of the first pass.
    pub const TREES: u16 = 250;
}

impl Default for StrataOptions {
    fn default() -> Self {
        let small = BoostOptions { trees: 80, levels: 4, rate: 0.08, columns: 0.4, curvature: 1.0, penalty: 1.0, seed: 3 };
        StrataOptions {
            folds: usize::from(Self::FOLDS),
            masked: 0.5,
            other: 0.1,
            first: BoostOptions { trees: usize::from(Self::TREES), rate: 0.08, ..BoostOptions::default() },
            context: BoostOptions { trees: 40, levels: 3, rate: 0.1, columns: 0.6, ..BoostOptions::default() },
            answers: BoostOptions { trees: 120, levels: 4, rate: 0.08, columns: 0.4, curvature: 1.0, penalty: 2.0, seed: 5 },
            page_types: small,
            bins: 64,
            hidden: Hidden::Nothing,
        }
    }
}

/// Result of the training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The model.
    pub model: ContentModel,
    /// For each fold: the model trained without its sites. Floors and caution, eight numbers, are those of the whole model.
    pub folds: Vec<ContentModel>,
    /// For each page: out-of-fold probabilities of its blocks.
    pub probabilities: Vec<Vec<f32>>,
    /// The same before the context pass.
    pub first: Vec<Vec<f32>>,
    /// For each page: out-of-fold probabilities of the page types, as reported.
    pub page_types: Vec<[f32; PageType::ALL.len()]>,
    /// For each page: whether each block is kept, by out-of-fold models.
    pub kept: Vec<Vec<bool>>,
    /// For each page: its out-of-fold confidence.
    pub confidence: Vec<f32>,
    /// For each page: F1 of simpler decisions, see [`DECISIONS`].
    pub decisions: Vec<[f32; DECISIONS.len()]>,
}

impl Trained {
    /// Whether each block of a page is kept by out-of-fold models.
    #[must_use]
    pub fn keeps(&self, page: usize) -> &[bool] {
        self.kept.get(page).map_or(&[], Vec::as_slice)
    }
}

/// A page or its masked copy.
struct Version<'p> {
    page: &'p GoldBlocks,
    mask: Mask,
    fold: usize,
    names: PageWords,
    texts: PageWords,
    weights: Vec<f32>,
}

/// Trains a model.
///
/// # Errors
/// If the options specify trees that a forest cannot represent.
pub fn train(pages: &[GoldBlocks], options: &StrataOptions, progress: &(dyn Fn(&str) + Sync)) -> Result<Trained, ModelError> {
    let versions = versions(pages, options);
    progress("words");
    let tables: Vec<WordTables> = (0..=options.folds).into_par_iter().map(|left_out| words_without(&versions, left_out)).collect();
    let mut features: Vec<PageFeatures> = versions
        .par_iter()
        .map(|version| with_input(version.page, |input| PageFeatures::new(input, version.mask, &tables[version.fold])))
        .collect();
    progress("page types");
    let (page_types, page_type_answers) = learn_page_types(&versions, &features, PageFeatures::page, options)?;
    let (reported_types, reported) = learn_page_types(&versions, &features, PageFeatures::page_with_words, options)?;
    features.par_iter_mut().zip(&page_type_answers).for_each(|(features, page_types)| features.set_page_types(page_types));
    let hidden: Vec<usize> =
        PageFeatures::columns().iter().enumerate().filter(|(_, name)| options.hidden.hides(name)).map(|(at, _)| at).collect();
    features.par_iter_mut().for_each(|features| features.hide(&hidden));
    progress("first pass");
    let labels: Vec<f32> = versions.iter().flat_map(|version| version.page.shares.iter().copied()).collect();
    let weights: Vec<f32> = versions.iter().flat_map(|version| version.weights.iter().copied()).collect();
    let folds: Vec<u8> = versions.iter().flat_map(|version| vec![version.fold as u8; version.page.shares.len()]).collect();
    let training = TrainingRows { labels: &labels, weights: &weights, folds: &folds, options };
    let rows: Vec<f32> = features.iter().flat_map(|features| features.rows().iter().copied()).collect();
    let columns = PageFeatures::columns().len();
    // One forest sees mostly articles, the other mostly other pages.
    let experts = [true, false].map(|articles| {
        let weights: Vec<f32> = versions
            .iter()
            .flat_map(|version| {
                let scale = if version.page.is_article() == Some(!articles) { options.other } else { 1.0 };
                version.weights.iter().map(move |weight| weight * scale)
            })
            .collect();
        TrainingRows { weights: &weights, ..training }.learn(&rows, columns, None, &options.first, progress)
    });
    let [articles, others] = experts;
    let (articles, others) = (articles?, others?);
    drop(rows);
    let first: Vec<Vec<f32>> = versions
        .par_iter()
        .zip(&features)
        .zip(&page_type_answers)
        .map(|((version, features), page_types)| {
            let forests = if is_article(page_types) { &articles } else { &others };
            let mut scores = vec![0.0; features.blocks()];
            forests[version.fold].score_all(features.rows(), &mut scores);
            scores.into_iter().map(probability).collect()
        })
        .collect();
    progress("context pass");
    let rows: Vec<f32> = features.iter().zip(&first).flat_map(|(features, first)| features.context_rows(first)).collect();
    let before: Vec<f32> = first.iter().flatten().map(|&probability| logit(probability)).collect();
    let contexts = training.learn(&rows, CONTEXT_COLUMNS.len(), Some(&before), &options.context, progress)?;
    let judged = |at: usize| {
        let mut probabilities =
            context_probabilities(&contexts[versions[at].fold], &features[at].context_rows(&first[at]), &first[at]);
        apply_rule_prior(
            &mut probabilities,
            features[at].words(),
            features[at].by_rules(),
            page_type_answers[at][PageType::Article as usize],
        );
        probabilities
    };
    // Pages come before their masked copies.
    let probabilities: Vec<Vec<f32>> = (0..pages.len()).map(judged).collect();
    let words: Vec<&[f32]> = features.iter().take(pages.len()).map(PageFeatures::words).collect();
    let floors = floors::learn(pages, &probabilities, &words, &page_type_answers);
    progress("answers");
    let predictions = Predictions {
        features: &features[..pages.len()],
        probabilities: &probabilities,
        page_types: &page_type_answers[..pages.len()],
        floors: &floors,
    };
    let page_folds: Vec<usize> = versions.iter().take(pages.len()).map(|version| version.fold).collect();
    let answers = answers::learn(pages, &predictions, &page_folds, options)?;
    let sets: BTreeSet<&str> = pages.iter().map(|page| page.set.as_str()).collect();
    let trained_on: Vec<String> = sets.into_iter().map(str::to_owned).collect();
    let mut models: Vec<ContentModel> = tables
        .into_iter()
        .zip(page_types.into_iter().zip(reported_types))
        .zip(articles.into_iter().zip(others))
        .zip(contexts.into_iter().zip(answers.forests))
        .map(|(((words, (page_types, reported_types)), (articles, others)), (context, answers_forest))| ContentModel {
            words,
            page_types,
            reported_types,
            articles,
            others,
            context,
            answers: answers_forest,
            floors,
            caution: answers.caution,
            trained_on: trained_on.clone(),
        })
        .collect();
    let model = models.pop().ok_or(ModelError::Truncated)?;
    let page_types = reported[..pages.len()].to_vec();
    let first = first[..pages.len()].to_vec();
    let (kept, confidence, decisions) = (answers.kept, answers.confidence, answers.decisions);
    Ok(Trained { model, folds: models, probabilities, first, page_types, kept, confidence, decisions })
}

/// The fold of a site, by the hash of its name.
pub(super) fn fold_of(site: &str, folds: usize) -> usize {
    (Random::new(fnv1a(site.bytes())).next() % folds.max(1) as u64) as usize
}

fn with_input<T>(page: &GoldBlocks, then: impl FnOnce(&webstrata::label::Input<'_>) -> T) -> T {
    let parsed = Page::parse(&page.bytes);
    then(&parsed.input())
}

/// The pages, followed by a masked copy of each.
fn versions<'p>(pages: &'p [GoldBlocks], options: &StrataOptions) -> Vec<Version<'p>> {
    let version = |(page, mask, weight): (&'p GoldBlocks, Mask, f32)| Version {
        page,
        mask,
        fold: fold_of(&page.site, options.folds),
        names: with_input(page, |input| PageWords::of_names(input, mask)),
        texts: with_input(page, |input| PageWords::of_texts(input, mask)),
        weights: block_weights(page, weight * page.weight),
    };
    let plain = pages.iter().map(|page| (page, Mask::default(), 1.0));
    let masked = pages.iter().zip(0u32..).map(|(page, number)| (page, mask(number), options.masked));
    let all: Vec<_> = if options.masked > 0.0 { plain.chain(masked).collect() } else { plain.collect() };
    all.into_par_iter().map(version).collect()
}

/// Features hidden in the masked copy of a page: always the tags and the head, often all names and words, sometimes features that
/// other scripts lack.
fn mask(number: u32) -> Mask {
    let mut random = Random::new(u64::from(number) ^ 0x5eed);
    let mut below = |share: usize| random.below(100) < share;
    Mask {
        names: if below(50) { 256 } else { 180 },
        seed: number,
        tags: true,
        head: true,
        paragraphs: below(30),
        headings: below(30),
        capitals: below(40),
        punctuation: below(15),
        words: below(70),
    }
}

/// Weights of a page's blocks. A block is weighted by its words, a page by its gold and partly by its length: an error of ten words
/// matters more if the gold is short, but a short gold on a long page must not outweigh all other pages.
fn block_weights(page: &GoldBlocks, weight: f32) -> Vec<f32> {
    let all: usize = page.words.iter().map(Vec::len).sum();
    let size = page.gold.len() as f32 + 40.0 + 0.3 * all as f32;
    page.words.iter().map(|words| ((words.len() as f32 + 0.3) / size).min(0.5) * weight).collect()
}

/// Word weights learned from the pages outside a fold; from all pages if there is no such fold.
fn words_without(versions: &[Version<'_>], left_out: usize) -> WordTables {
    let table = |of: for<'v> fn(&'v Version<'_>) -> &'v PageWords, options| {
        let pages: Vec<WordPage<'_>> = versions
            .iter()
            .filter(|version| version.fold != left_out && version.page.weight > 0.0)
            .map(|version| WordPage {
                words: of(version),
                site: &version.page.site,
                shares: &version.page.shares,
                weights: &version.weights,
                page_type: version.page.page_type,
            })
            .collect();
        learn(&pages, options)
    };
    WordTables { names: table(|version| &version.names, &WORDS_OF_NAMES), texts: table(|version| &version.texts, &WORDS_OF_TEXTS) }
}

/// For each left-out fold, then for all pages: one forest per page type.
type FoldForests = Vec<Vec<Forest>>;

/// Trains forests for the page types on page rows: for each left-out fold, then on all pages. Also returns their out-of-fold predictions.
fn learn_page_types(
    versions: &[Version<'_>],
    features: &[PageFeatures],
    row: fn(&PageFeatures) -> &[f32],
    options: &StrataOptions,
) -> Result<(FoldForests, Vec<[f32; PageType::ALL.len()]>), ModelError> {
    let columns = features.first().map_or(0, |features| row(features).len());
    let rows: Vec<f32> = features.iter().flat_map(|features| row(features).iter().copied()).collect();
    let table = Binned::new(&rows, columns, options.bins);
    let weights: Vec<f32> = versions
        .iter()
        .map(|v| {
            if v.page.page_type.is_none() {
                0.0
            } else if v.mask.is_empty() {
                v.page.weight
            } else {
                v.page.weight * options.masked
            }
        })
        .collect();
    let learn = |left_out: usize| {
        let which: Vec<u32> =
            (0..versions.len() as u32).filter(|&at| versions[at as usize].fold != left_out && weights[at as usize] > 0.0).collect();
        let forest = |page_type: PageType| {
            let labels: Vec<f32> = versions.iter().map(|v| f32::from(u8::from(v.page.page_type == Some(page_type)))).collect();
            boost(&table, &labels, &weights, &which, &options.page_types)
        };
        PageType::ALL.into_iter().map(forest).collect::<Result<Vec<_>, _>>()
    };
    let forests = (0..=options.folds).map(learn).collect::<Result<Vec<_>, _>>()?;
    let answers =
        versions.iter().zip(features).map(|(v, features)| page_type_probabilities(&forests[v.fold], row(features))).collect();
    Ok((forests, answers))
}

/// Training rows of blocks.
#[derive(Clone, Copy)]
struct TrainingRows<'l> {
    labels: &'l [f32],
    weights: &'l [f32],
    folds: &'l [u8],
    options: &'l StrataOptions,
}

impl TrainingRows<'_> {
    /// Trains one forest per left-out fold, then one on all rows.
    fn learn(
        &self,
        rows: &[f32],
        columns: usize,
        before: Option<&[f32]>,
        boosting: &BoostOptions,
        progress: &(dyn Fn(&str) + Sync),
    ) -> Result<Vec<Forest>, ModelError> {
        let table = Binned::new(rows, columns, self.options.bins);
        let (kept, weights) = self.thinned();
        let mut forests = Vec::new();
        for left_out in 0..=self.options.folds {
            progress(&format!("fold {left_out}"));
            let which: Vec<u32> = kept.iter().copied().filter(|&row| usize::from(self.folds[row as usize]) != left_out).collect();
            forests.push(match before {
                None => boost(&table, self.labels, &weights, &which, boosting)?,
                Some(before) => boost_on(&table, self.labels, &weights, &which, before, boosting)?,
            });
        }
        Ok(forests)
    }

    /// Thins out short blocks, which are numerous and light: most are dropped, and the rest get more weight.
    fn thinned(&self) -> (Vec<u32>, Vec<f32>) {
        let mut sorted: Vec<f32> = self.weights.to_vec();
        sorted.sort_unstable_by(f32::total_cmp);
        let large = sorted.get(sorted.len() * 85 / 100).copied().unwrap_or(1.0).max(1e-9);
        let mean = self.weights.iter().map(|&w| f64::from(w)).sum::<f64>() / (self.weights.len() as f64).max(1.0);
        let mut random = Random::new(11);
        let mut kept = Vec::new();
        let mut weights = vec![0.0; self.weights.len()];
        for (row, &weight) in self.weights.iter().enumerate() {
            let share = (weight / large).clamp(0.06, 1.0);
            if random.below(1 << 20) < (share * (1 << 20) as f32) as usize {
                kept.push(row as u32);
                weights[row] = weight / share / mean as f32;
            }
        }
        (kept, weights)
    }
}
