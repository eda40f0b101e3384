//! Models that users train on labelled pages, and labellers built from them.
//!
//! There are two formats. The learners of Kohlschütter's thesis (1R, trees, linear support vector machines) write a [`BlockModel`],
//! as JSON; the method `strata` writes a [`strata::ContentModel`], which is binary. [`TrainedModel`] reads either.
//! Training is in the crate `webstrata-lab`, which builds classifiers from the parts in this module.

pub mod classifier;
pub mod column;
mod file;
pub mod labeller;
pub mod model;
pub mod parts;
pub mod published;
pub mod tree;

pub use labeller::{ModelLabeller, UnsuitableModel};
pub use model::{BlockModel, BlockModelError};

use super::strata::{self, StrataLabeller};
use super::{Explanation, Input, Labeller, Labels};

/// First bytes of a model of `strata`.
const STRATA_MAGIC: &[u8] = b"wstr";

/// A model read from a file, ready to label pages.
///
/// ```
/// use webstrata::label::TrainedModel;
/// let error = TrainedModel::from_bytes(b"{\"weights\": [1, 2]}").unwrap_err();
/// assert!(error.to_string().starts_with("not a webstrata model"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TrainedModel {
    /// A classifier of single blocks.
    Blocks(Box<ModelLabeller>),
    /// A model of the method `strata`.
    Strata(Box<strata::ContentModel>),
}

impl TrainedModel {
    /// Maximum size of a model file, in bytes.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// Reads a model of either format.
    ///
    /// # Errors
    /// If the bytes are not a model, are damaged or of a different version, or the model needs more than a single page.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TrainedModelError> {
        if bytes.starts_with(STRATA_MAGIC) {
            return Ok(TrainedModel::Strata(Box::new(strata::ContentModel::read(bytes)?)));
        }
        Ok(TrainedModel::Blocks(Box::new(ModelLabeller::new(BlockModel::from_json(bytes)?)?)))
    }
}

impl Labeller for TrainedModel {
    fn name(&self) -> &'static str {
        match self {
            TrainedModel::Blocks(model) => model.name(),
            TrainedModel::Strata(_) => "strata",
        }
    }

    fn label(&self, input: &Input<'_>) -> Labels {
        match self {
            TrainedModel::Blocks(model) => model.label(input),
            TrainedModel::Strata(model) => StrataLabeller::new(model).label(input),
        }
    }

    fn explain(&self, input: &Input<'_>) -> Explanation<'static> {
        match self {
            TrainedModel::Blocks(model) => model.explain(input),
            TrainedModel::Strata(model) => StrataLabeller::new(model).explain(input),
        }
    }
}

/// Why a file is not a usable model.
///
/// ```
/// use webstrata::label::{TrainedModel, TrainedModelError};
/// let error = TrainedModel::from_bytes(b"wstr, but cut off").unwrap_err();
/// assert!(matches!(error, TrainedModelError::Strata(_)));
/// assert!(error.to_string().ends_with("`webstrata-lab train strata` writes one"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainedModelError {
    /// A damaged model of `strata`, or one of a different version.
    #[error("{0}; `webstrata-lab train strata` writes one")]
    Strata(#[from] crate::model::ModelError),
    /// Not a model of blocks, or a damaged one.
    #[error("{0}; {remedy}", remedy = .0.remedy())]
    Blocks(#[from] BlockModelError),
    /// A model that cannot label single pages.
    #[error(transparent)]
    UnsuitableModel(#[from] UnsuitableModel),
}
