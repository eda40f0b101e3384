//! The manifest of a run: its settings and its progress.

use super::{Counts, FileRecord, Format, StoreError, Table};
use crate::input::Skipped;
use crate::io::write_atomically;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Name and version of the layout of a run's folder and of the columns of its tables. Any change to a column's name, type or
/// meaning requires a new version; `docs/tables.md` documents it.
pub const LAYOUT: &str = "webstrata.run/2";

/// The layout without its version.
const NAME: &str = "webstrata.run/";

/// The fields that manifests of all versions have.
#[derive(Deserialize)]
struct Version {
    layout: String,
    software: String,
}

/// The name of the manifest.
pub(super) const MANIFEST: &str = "manifest.json";

/// The contents of `manifest.json`. Nothing in it depends on the time, the location or the number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Name and version of the layout.
    pub layout: String,
    /// Name and version of the program: other versions may extract pages differently.
    pub software: String,
    /// The format.
    pub format: Format,
    /// The tables; empty for formats without tables.
    pub tables: Vec<Table>,
    /// Other settings that affect the output, by name.
    pub settings: BTreeMap<String, String>,
    /// The input: names and sizes of its files.
    pub input: Value,
    /// Whether all of the input is done.
    pub complete: bool,
    /// Shards, once it is complete.
    pub shards: u64,
    /// Rows, once it is complete.
    pub rows: Counts,
    /// Records that were skipped because they are not pages, once it is complete.
    #[serde(default)]
    pub skipped: Skipped,
}

impl Manifest {
    /// The manifest of a new run.
    #[must_use]
    pub fn new(format: Format, tables: &[Table], settings: BTreeMap<String, String>, input: Value) -> Self {
        Manifest {
            layout: LAYOUT.to_owned(),
            software: concat!("webstrata ", env!("CARGO_PKG_VERSION")).to_owned(),
            format,
            tables: tables.to_vec(),
            settings,
            input,
            complete: false,
            shards: 0,
            rows: Counts::default(),
            skipped: Skipped::default(),
        }
    }

    /// The manifest of the run in `root`.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or it was written by a version with different tables.
    pub fn read(root: &Path) -> Result<Self, StoreError> {
        let path = root.join(MANIFEST);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(StoreError::NoRun(root.to_owned())),
            Err(error) => return Err(StoreError::io("read", &path)(error)),
        };
        let damaged = |error: serde_json::Error| StoreError::damaged(&path, error);
        let written: Version = serde_json::from_slice(&bytes).map_err(damaged)?;
        if written.layout != LAYOUT && written.layout.starts_with(NAME) {
            return Err(StoreError::OtherSchema { path: root.to_owned(), layout: written.layout, software: written.software });
        }
        serde_json::from_slice(&bytes).map_err(damaged)
    }

    /// Whether a folder contains a run, of this or another version.
    #[must_use]
    pub fn is_in(root: &Path) -> bool {
        matches!(Manifest::read(root), Ok(_) | Err(StoreError::OtherSchema { .. }))
    }

    pub(super) fn write(&self, root: &Path) -> Result<(), StoreError> {
        write_json(&root.join(MANIFEST), self)
    }

    /// A description of how this run differs from the one in the folder; `None` if it can be resumed there.
    #[must_use]
    pub fn difference(&self, begun: &Manifest) -> Option<String> {
        let differs = |what: &str, was: &dyn std::fmt::Display, is: &dyn std::fmt::Display| format!("{what} was {was} and is {is}");
        if self.software != begun.software {
            return Some(differs("the program", &begun.software, &self.software));
        }
        if self.format != begun.format {
            return Some(differs("the format", &begun.format, &self.format));
        }
        if self.tables != begun.tables {
            return Some(differs("the choice of tables", &listed(&begun.tables), &listed(&self.tables)));
        }
        let names = begun.settings.keys().chain(self.settings.keys());
        let none = "not set".to_owned();
        for name in names {
            let (was, is) = (begun.settings.get(name).unwrap_or(&none), self.settings.get(name).unwrap_or(&none));
            if was != is {
                return Some(differs(&format!("`{name}`"), was, is));
            }
        }
        (self.input != begun.input).then(|| "the input has different files, or files of different sizes".to_owned())
    }
}

/// Names of tables.
pub(super) fn listed(tables: &[Table]) -> String {
    let names: Vec<&str> = tables.iter().map(|table| table.name()).collect();
    if names.is_empty() { "no tables".to_owned() } else { names.join(",") }
}

/// A finished shard: `checkpoints/NUMBER.json`. It is written after the files of its shard; they do not count without it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The shard.
    pub shard: u64,
    /// The position of the input after it.
    pub position: Value,
    /// Rows of this shard.
    pub rows: Counts,
    /// Its files.
    pub files: Vec<FileRecord>,
}

/// Writes a value as indented JSON.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| StoreError::io("write", path)(error.into()))?;
    bytes.push(b'\n');
    Ok(write_atomically(path, &bytes)?)
}
