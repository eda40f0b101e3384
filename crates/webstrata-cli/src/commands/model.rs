//! Model files that were typed: what is wrong with one is said with its name and what to do.

use anyhow::{Result, anyhow};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use webstrata::label::strata::{self, Strata};
use webstrata::label::{Explanation, Input, Labeller, Labels};
use webstrata_corpus::progress::error;
use webstrata_lab::learn::labeller::ModelLabeller;
use webstrata_lab::learn::model::{Model, ModelError, VERSION};

/// What makes a model.
const TRAIN: &str = "`webstrata train blocks SET -o FILE` writes one";

/// A model of either kind.
#[derive(Clone, Debug)]
pub(crate) enum AnyModel {
    /// Of `train blocks`.
    Blocks(Box<ModelLabeller>),
    /// Of `train strata`.
    Strata(Box<strata::ContentModel>),
}

impl Labeller for AnyModel {
    fn name(&self) -> &'static str {
        match self {
            AnyModel::Blocks(model) => model.name(),
            AnyModel::Strata(_) => "strata",
        }
    }

    fn label(&self, input: &Input<'_>) -> Labels {
        match self {
            AnyModel::Blocks(model) => model.label(input),
            AnyModel::Strata(model) => Strata::new(model).label(input),
        }
    }

    fn explain(&self, input: &Input<'_>) -> Explanation<'static> {
        match self {
            AnyModel::Blocks(model) => model.explain(input),
            AnyModel::Strata(model) => Strata::new(model).explain(input),
        }
    }
}

/// What models of strata begin with.
const MARK: &[u8; 4] = b"wstr";

/// No model of strata is as long.
const LONGEST: u64 = 64 << 20;

/// Reads a model that is to judge pages.
pub(crate) fn read(path: &Path) -> Result<AnyModel> {
    if let Some(bytes) = strata_file(path) {
        let model = strata::ContentModel::read(&bytes)
            .map_err(|error| anyhow!("cannot use the model {}: {error}; `webstrata train strata` writes one", path.display()))?;
        return Ok(AnyModel::Strata(Box::new(model)));
    }
    read_blocks(path).map(|model| AnyModel::Blocks(Box::new(model)))
}

/// The bytes of a file that begins like a model of strata. What cannot be read is left to the other reader to complain of.
fn strata_file(path: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    let mut bytes = vec![0; MARK.len()];
    file.read_exact(&mut bytes).ok()?;
    if bytes != MARK {
        return None;
    }
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Reads a model of `train blocks`.
pub(crate) fn read_blocks(path: &Path) -> Result<ModelLabeller> {
    let model = Model::read(path).map_err(|error| {
        let remedy = match &error {
            // What is said of versions is said here, for older and newer ones.
            ModelError::Version(version) => {
                let remedy = if *version > VERSION { "a newer webstrata wrote it: use that one, or" } else { "an older webstrata wrote it:" };
                return anyhow!(
                    "cannot use the model {}: it has version {version}, and this program reads version {VERSION}; {remedy} train it again",
                    path.display()
                );
            }
            ModelError::Io(_) => "check the name, which is relative to the current folder".to_owned(),
            ModelError::TooLong | ModelError::Json(_) | ModelError::Format(_) => {
                format!("check that it is the right file; {TRAIN}")
            }
            ModelError::Feature(_) | ModelError::Damaged(_) => format!("train it again: {TRAIN}"),
        };
        anyhow!("cannot use the model {}: {error}; {remedy}", path.display())
    })?;
    ModelLabeller::new(model).map_err(|error| anyhow!("cannot use the model {}: {error}", path.display()))
}

/// Says so when a model is measured on what it was trained on, by the name of the set.
pub(crate) fn warn_if_trained_on(model: &AnyModel, name: &str, set: &str) {
    if let AnyModel::Blocks(model) = model {
        warn_if_blocks_of(model, name, set);
    }
}

/// The same for models of blocks.
pub(crate) fn warn_if_blocks_of(model: &ModelLabeller, name: &str, set: &str) {
    if model.model().card().data == set {
        error(&format!(
            "{name}: trained on a set of this name ({set}); on its own pages a model looks better than it is: see what \
             `webstrata train blocks` printed"
        ));
    }
}
