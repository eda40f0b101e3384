//! Model files: reads a trained model, with an error that names the file and the remedy.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use webstrata::label::{TrainedModel, TrainedModelError};

/// Why a model file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the model {}: {cause}", path.display())]
pub struct ModelFileError {
    path: PathBuf,
    cause: Cause,
}

#[derive(Debug, thiserror::Error)]
enum Cause {
    #[error("{0}; check the path, which is relative to the current folder")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Model(#[from] TrainedModelError),
}

/// Reads a model that `webstrata-lab train` wrote.
///
/// # Errors
/// If the file cannot be read, is not a model, or needs more than single pages.
pub fn read_model(path: &Path) -> Result<TrainedModel, ModelFileError> {
    read_with_bytes(path).map(|(_, model)| model)
}

/// Like [`read_model`], but also returns the bytes of the file, which identify the model.
pub(crate) fn read_with_bytes(path: &Path) -> Result<(Vec<u8>, TrainedModel), ModelFileError> {
    read(path).map_err(|cause| ModelFileError { path: path.to_owned(), cause })
}

fn read(path: &Path) -> Result<(Vec<u8>, TrainedModel), Cause> {
    let mut bytes = Vec::new();
    File::open(path)?.take(TrainedModel::MAX_BYTES).read_to_end(&mut bytes)?;
    let model = TrainedModel::from_bytes(&bytes)?;
    Ok((bytes, model))
}
