//! A classifier that can be kept: what it looks at, what it answers, and where it comes from.
//!
//! The file is JSON text (`model_file.rs` has its form) with a name, a version, the features by name, the tree or the weights, and a card: data, date,
//! command, scores. A file may come from anywhere: it is bounded in size, every number in it is checked, and a tree in it cannot lead in a circle.

use super::classifier::Classifier;
use super::column::{Column, UnknownFeature};
use super::cross_validation::Scores;
use super::model_file;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use webstrata::block::GapModel;

/// Name of the format.
pub const FORMAT: &str = "webstrata-block-model";
/// Its version; others are refused.
pub const VERSION: u32 = 1;
/// Longest file that is read, in bytes.
pub const MAX_BYTES: u64 = 16 << 20;

/// Where a model comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The data that it was trained on.
    pub data: String,
    /// When: given by who trained it.
    pub date: String,
    /// The command that trains it again.
    pub command: String,
    /// The learner.
    pub learner: String,
    /// Pages it was trained on.
    pub pages: u64,
    /// Blocks with words.
    pub blocks: u64,
    /// Their words.
    pub words: u64,
    /// Folds of the cross-validation.
    pub folds: u64,
    /// What stayed together in a fold.
    pub by: String,
    /// What came out of it, weighted by words.
    pub scores: Scores,
}

/// A trained model.
///
/// ```
/// use webstrata::block::GapModel;
/// use webstrata_lab::learn::{classifier::Learner, column::Column, dataset::{Classes, Dataset}, model::{Card, Model}, tree::TreeOptions};
/// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 20), 1, 0)).collect();
/// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
/// let tree = Learner::Tree(TreeOptions::default()).fit(&data, &data.rows());
/// let model = Model::new(&data, GapModel::Lines, tree, Card::default());
/// assert_eq!(Model::from_json(model.to_json().unwrap().as_bytes()).unwrap(), model);
/// assert_eq!(model.columns(), data.columns());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub(super) gaps: GapModel,
    pub(super) classes: Vec<String>,
    /// By class: is it content?
    pub(super) content: Vec<bool>,
    pub(super) columns: Vec<Column>,
    pub(super) classifier: Classifier,
    pub(super) card: Card,
}

impl Model {
    /// A model from what was learnt from a data set; class 0 is boilerplate, all others are content.
    #[must_use]
    pub fn new(data: &super::dataset::Dataset, gaps: GapModel, classifier: Classifier, card: Card) -> Self {
        Model {
            gaps,
            classes: data.class_names().iter().map(|name| (*name).to_owned()).collect(),
            content: (0..data.classes()).map(|class| class > 0).collect(),
            columns: data.columns().to_vec(),
            classifier,
            card,
        }
    }

    /// How the pages were cut that it was trained on.
    #[must_use]
    pub fn gaps(&self) -> GapModel {
        self.gaps
    }

    /// Names of the classes.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Is a class content?
    #[must_use]
    pub fn is_content(&self, class: usize) -> bool {
        self.content.get(class).copied().unwrap_or(false)
    }

    /// What it looks at.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// What was learnt.
    #[must_use]
    pub fn classifier(&self) -> &Classifier {
        &self.classifier
    }

    /// Where it comes from.
    #[must_use]
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// The text of a model file.
    ///
    /// # Errors
    /// A number in it is not finite.
    pub fn to_json(&self) -> Result<String, ModelError> {
        model_file::write(self)
    }

    /// Reads the text of a model file.
    ///
    /// # Errors
    /// It is too long, no model, of another version, or does not add up.
    pub fn from_json(bytes: &[u8]) -> Result<Model, ModelError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(ModelError::TooLong);
        }
        model_file::read(bytes)
    }

    /// Reads a model file; no more than [`MAX_BYTES`] of it.
    ///
    /// # Errors
    /// As [`Model::from_json`], or the file cannot be read.
    pub fn read(path: &Path) -> Result<Model, ModelError> {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        Model::from_json(&bytes)
    }
}

/// Why a model cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read the model: {0}")]
    Io(#[from] io::Error),
    /// It is longer than any model.
    #[error("the model has more than {MAX_BYTES} bytes")]
    TooLong,
    /// It is no JSON, or has other parts than a model has.
    #[error("not a model of webstrata: {0}")]
    Json(#[from] serde_json::Error),
    /// It says that it is something else.
    #[error("the format is '{0}', not '{FORMAT}'")]
    Format(String),
    /// It is of another version.
    #[error("the model has version {0}, this program reads version {VERSION}; train it again")]
    Version(u32),
    /// It uses a feature that this program does not have.
    #[error(transparent)]
    Feature(#[from] UnknownFeature),
    /// Its parts do not fit together.
    #[error("the model is damaged: {0}")]
    Damaged(&'static str),
}
