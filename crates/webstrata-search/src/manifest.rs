//! The folder of an index: its format and its build progress.
//!
//! ```text
//! webstrata-index.json   format, and names of the ranks
//! classes.jsonl          weights of segment classes
//! tantivy/               the index; its commits record how many pages are done
//! ```

use crate::SearchError;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use webstrata_corpus::io::{IoError, write_atomically};
use xxhash_rust::xxh3::xxh3_64;

/// The index format. Any change to fields, words or marks makes a new format.
pub const FORMAT: &str = "webstrata.index/2";

const MANIFEST: &str = "webstrata-index.json";

/// The manifest of the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: String,
    /// Names of the ranks stored with pages.
    #[serde(default)]
    pub(crate) ranks: Vec<String>,
}

/// Build progress of an index: the payload of its last commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The tables being added, as a hash of their manifest.
    pub(crate) tables: String,
    /// Their path.
    pub(crate) path: String,
    /// Number of their pages that are done.
    pub(crate) pages: u64,
    /// Whether all of their pages are done.
    pub(crate) complete: bool,
    /// Whether their pages replace others.
    pub(crate) replace: bool,
}

impl State {
    pub(crate) fn parse(payload: Option<&str>) -> State {
        payload.and_then(|payload| serde_json::from_str(payload).ok()).unwrap_or_default()
    }
}

pub(crate) fn tantivy_folder(root: &Path) -> PathBuf {
    root.join("tantivy")
}

pub(crate) fn classes_file(root: &Path) -> PathBuf {
    root.join("classes.jsonl")
}

/// Checks that the folder is an index of this format.
pub(crate) fn check(root: &Path) -> Result<Manifest, SearchError> {
    let path = root.join(MANIFEST);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Err(SearchError::NoIndex(root.to_owned()));
        }
        Err(error) => return Err(IoError::on("read", &path)(error).into()),
    };
    let manifest: Manifest = serde_json::from_slice(&bytes)
        .map_err(|error| SearchError::Damaged { path: root.to_owned(), reason: format!("{MANIFEST}: {error}") })?;
    if manifest.format != FORMAT {
        return Err(SearchError::Format { path: root.to_owned(), found: manifest.format, expected: FORMAT });
    }
    Ok(manifest)
}

/// Makes a folder an empty index, unless it is an index already. Callers can keep other files in it from then on.
///
/// # Errors
/// If the folder contains something else, or cannot be written.
pub fn make_folder(root: &Path) -> Result<(), SearchError> {
    begin(root).map(drop)
}

/// Makes the folder an index, unless it is one already.
pub(crate) fn begin(root: &Path) -> Result<Manifest, SearchError> {
    match check(root) {
        Err(SearchError::NoIndex(_)) => {}
        other => return other,
    }
    fs::create_dir_all(root).map_err(IoError::on("create the folder", root))?;
    let entries = fs::read_dir(root).map_err(IoError::on("read the folder", root))?;
    let foreign = entries.filter_map(Result::ok).any(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    if foreign {
        return Err(SearchError::Occupied(root.to_owned()));
    }
    let manifest = Manifest { format: FORMAT.to_owned(), ranks: Vec::new() };
    write(root, &manifest)?;
    Ok(manifest)
}

pub(crate) fn write(root: &Path, manifest: &Manifest) -> Result<(), SearchError> {
    let text = serde_json::to_vec_pretty(manifest).map_err(|error| SearchError::Option(error.to_string()))?;
    Ok(write_atomically(&root.join(MANIFEST), &text)?)
}

/// The hash of a run's manifest: its settings, its input and the number of rows.
pub(crate) fn fingerprint_of_run(tables: &Path) -> Result<String, SearchError> {
    let path = tables.join("manifest.json");
    let bytes = fs::read(&path).map_err(IoError::on("read", &path))?;
    Ok(format!("{:016x}", xxh3_64(&bytes)))
}
