//! Small JSON files of an index.

use super::error::{DedupError, at, damaged};
use crate::io::write_atomically;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Largest file that is read: ours are far smaller.
const MAX_BYTES: u64 = 1 << 20;

/// Writes a value.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), DedupError> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| at(path)(error.into()))?;
    text.push(b'\n');
    Ok(write_atomically(path, &text)?)
}

/// Reads a value; `None` if there is no such file.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, DedupError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at(path)(error)),
    };
    let mut text = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut text).map_err(at(path))?;
    serde_json::from_slice(&text).map(Some).map_err(|error| damaged(path, error.to_string()))
}
