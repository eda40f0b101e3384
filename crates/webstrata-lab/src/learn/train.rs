//! Trains a model with its card on labelled blocks.
//!
//! The thesis' learners and L-Extractor (Debnath, Mitra, Pal, Giles: Automatic identification of informative sections of Web pages,
//! TKDE 17, 2005: a linear C-SVC with C = 1 over features of blocks, 5-fold cross-validation) are options of the same function: see
//! [`TrainOptions::l_extractor`]. The rows of L-Extractor are the parts into which GetBlockSet divides a page, all of equal weight; its
//! features are their words and their tags by kind, divided by the largest values on the page.

use super::classifier::{Learner, model};
use super::column::Column;
use super::cross_validation::{By, cross_validate_watched};
use super::dataset::{Classes, LabelledBlocks};
use super::svm::SvmOptions;
use super::tree::TreeOptions;
use webstrata::label::trained::model::{BlockModel, Card};

/// Options for training and evaluation.
///
/// ```
/// use webstrata_lab::learn::train::TrainOptions;
/// assert_eq!((TrainOptions::default().learner.name(), TrainOptions::default().folds), ("tree", 10));
/// assert_eq!((TrainOptions::l_extractor().learner.name(), TrainOptions::l_extractor().folds), ("svm", 5));
/// ```
#[derive(Clone, Debug)]
pub struct TrainOptions {
    /// The learner.
    pub learner: Learner,
    /// The features.
    pub columns: Vec<Column>,
    /// The classes.
    pub classes: Classes,
    /// Number of folds of the cross-validation.
    pub folds: usize,
    /// The unit that folds keep together.
    pub by: By,
}

impl Default for TrainOptions {
    /// The thesis' tree over all local features.
    fn default() -> Self {
        TrainOptions {
            learner: Learner::Tree(TreeOptions::thesis()),
            columns: Column::local(),
            classes: Classes::Two,
            folds: 10,
            by: By::Page,
        }
    }
}

impl TrainOptions {
    /// L-Extractor: a linear support vector machine, C = 1, five folds, on GetBlockSet's counts (section 7).
    #[must_use]
    pub fn l_extractor() -> Self {
        let learner = Learner::Svm(SvmOptions::default());
        TrainOptions { learner, columns: Column::parts(), folds: 5, ..TrainOptions::default() }
    }
}

/// Provenance that the training function cannot know: it reads no clock.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Name of the data.
    pub data: String,
    /// The date.
    pub date: String,
    /// The command.
    pub command: String,
}

/// Evaluates a learner by cross-validation, then trains it on all blocks.
#[must_use]
pub fn train(blocks: &LabelledBlocks, options: &TrainOptions, about: About) -> BlockModel {
    train_watched(blocks, options, about, &|| ())
}

/// Like [`train`], but calls `done` for each fold and after the final training.
#[must_use]
pub fn train_watched(blocks: &LabelledBlocks, options: &TrainOptions, about: About, done: &(dyn Fn() + Sync)) -> BlockModel {
    let data = blocks.dataset(&options.columns, options.classes);
    let card = Card {
        data: about.data,
        date: about.date,
        command: about.command,
        learner: options.learner.name().to_owned(),
        pages: blocks.page_count() as u64,
        blocks: data.len() as u64,
        // Parts are not weighted by their words.
        words: blocks.blocks().map(|(_, words)| u64::from(words)).sum(),
        folds: options.folds as u64,
        by: options.by.to_string(),
        scores: cross_validate_watched(&data, &options.learner, options.folds, options.by, done),
    };
    let model = model(&data, blocks.gaps(), options.learner.fit(&data, &data.rows()), card);
    done();
    model
}
