//! A block classifier with its features, classes and provenance.
//!
//! The file is JSON (`file.rs` has its layout) with a format name, a version, the features by name, the classifier, and a card: data, date,
//! command, scores. Files may come from anywhere: their size is bounded, every number is checked, and trees cannot contain cycles.

use super::classifier::Classifier;
use super::column::{Column, UnknownFeature};
use super::file;
use crate::block::GapModel;
use serde::{Deserialize, Serialize};

/// Name of the format.
pub const FORMAT: &str = "webstrata-block-model";
/// Version of the format; others are rejected.
pub const VERSION: u32 = 1;
/// Maximum size of a file, in bytes.
pub const MAX_BYTES: u64 = 16 << 20;

/// Provenance of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Name of the training set.
    pub data: String,
    /// Date of training.
    pub date: String,
    /// The command that reproduces it.
    pub command: String,
    /// The learner.
    pub learner: String,
    /// Number of training pages.
    pub pages: u64,
    /// Number of blocks that have words.
    pub blocks: u64,
    /// Number of words in them.
    pub words: u64,
    /// Folds of the cross-validation.
    pub folds: u64,
    /// The grouping unit of the folds.
    pub by: String,
    /// Scores of the cross-validation, weighted by words.
    pub scores: Scores,
}

/// Scores over all classes, each class weighted by its words: the columns of the thesis' table 4.9.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F1: the mean of the classes' F1, not that of the means.
    pub f1: f64,
    /// False positive rate.
    pub false_positives: f64,
    /// Area under the ROC curve by the classifier's scores.
    pub area: f64,
    /// Area under the ROC curve of the answers alone, without scores: what Weka reports for rules and support vector machines.
    pub area_of_answers: f64,
}

/// A trained classifier of blocks.
///
/// ```
/// use webstrata::block::GapModel;
/// use webstrata::label::trained::{BlockModel, classifier::{Classifier, ZeroR}, column::Column, model::Card};
/// let always_content = Classifier::ZeroR(ZeroR::from_shares(vec![0.2, 0.8]));
/// let classes = [("boilerplate", false), ("content", true)];
/// let model = BlockModel::new(GapModel::Lines, classes, Column::list("words").unwrap(), always_content, Card::default());
/// assert_eq!(BlockModel::from_json(model.to_json().unwrap().as_bytes()).unwrap(), model);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BlockModel {
    pub(super) gaps: GapModel,
    pub(super) classes: Vec<String>,
    /// For each class: whether it is content.
    pub(super) content: Vec<bool>,
    pub(super) columns: Vec<Column>,
    pub(super) classifier: Classifier,
    pub(super) card: Card,
}

impl BlockModel {
    /// Creates a model from its parts; each class has a name and a flag for content.
    #[must_use]
    pub fn new<'n>(
        gaps: GapModel,
        classes: impl IntoIterator<Item = (&'n str, bool)>,
        columns: Vec<Column>,
        classifier: Classifier,
        card: Card,
    ) -> Self {
        let (classes, content) = classes.into_iter().map(|(name, content)| (name.to_owned(), content)).unzip();
        BlockModel { gaps, classes, content, columns, classifier, card }
    }

    /// How the training pages were cut into blocks.
    #[must_use]
    pub fn gaps(&self) -> GapModel {
        self.gaps
    }

    /// Names of the classes.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Whether a class is content.
    #[must_use]
    pub fn is_content(&self, class: usize) -> bool {
        self.content.get(class).copied().unwrap_or(false)
    }

    /// The features it uses.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The classifier.
    #[must_use]
    pub fn classifier(&self) -> &Classifier {
        &self.classifier
    }

    /// The model's provenance.
    #[must_use]
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// The text of a model file.
    ///
    /// # Errors
    /// If a number in the model is not finite.
    pub fn to_json(&self) -> Result<String, BlockModelError> {
        file::write(self)
    }

    /// Parses the text of a model file.
    ///
    /// # Errors
    /// The text is too long, not a model, of a different version, or inconsistent.
    pub fn from_json(bytes: &[u8]) -> Result<BlockModel, BlockModelError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(BlockModelError::TooLong);
        }
        file::read(bytes)
    }
}

/// Why a model cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BlockModelError {
    /// The file is larger than any model.
    #[error("the model is larger than {MAX_BYTES} bytes")]
    TooLong,
    /// The file is not JSON, or its fields are not those of a model.
    #[error("not a webstrata model: {0}")]
    Json(#[from] serde_json::Error),
    /// A different format.
    #[error("the format is '{0}', not '{FORMAT}'")]
    Format(String),
    /// A different version.
    #[error("the model has version {0}, but this program reads version {VERSION}")]
    Version(u32),
    /// A feature that this program does not have.
    #[error(transparent)]
    Feature(#[from] UnknownFeature),
    /// The parts of the model are inconsistent.
    #[error("the model is damaged: {0}")]
    Damaged(&'static str),
}

impl BlockModelError {
    /// Advice for the user.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        match self {
            BlockModelError::Version(version) if *version > VERSION => {
                "a newer webstrata wrote it: use that one, or train the model again"
            }
            BlockModelError::Version(_) => "an older webstrata wrote it: train the model again",
            BlockModelError::TooLong | BlockModelError::Json(_) | BlockModelError::Format(_) => {
                "check that it is the right file; `webstrata-lab train blocks SET -o FILE` writes one"
            }
            BlockModelError::Feature(_) | BlockModelError::Damaged(_) => {
                "train it again: `webstrata-lab train blocks SET -o FILE` writes one"
            }
        }
    }
}
