//! The files of a run's tables, by shard.

use crate::error::StatsError;
use std::path::{Path, PathBuf};
use webstrata_corpus::store::{Checkpoint, Manifest, StoreError, Table};

/// A run: its manifest, and the files of each shard.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) manifest: Manifest,
    pub(super) shards: Vec<Shard>,
}

/// The files of a shard; a table that was not written has none.
#[derive(Clone, Debug, Default)]
pub(super) struct Shard {
    pub(super) pages: Option<PathBuf>,
    pub(super) segments: Option<PathBuf>,
    pub(super) links: Option<PathBuf>,
    /// Bytes of all files of the shard.
    pub(super) bytes: u64,
}

/// Opens a complete run.
pub(super) fn run(root: &Path) -> Result<Run, StatsError> {
    let manifest = Manifest::read(root)?;
    if !manifest.complete {
        return Err(StoreError::Incomplete(root.to_owned()).into());
    }
    if !manifest.format.has_tables() || !manifest.tables.contains(&Table::Segments) {
        let names: Vec<&str> = manifest.tables.iter().map(|table| table.name()).collect();
        let (format, tables) = (manifest.format.name(), names.join(","));
        return Err(StoreError::NoTable { path: root.to_owned(), table: "segments", format, tables }.into());
    }
    let mut shards = Vec::new();
    for number in 0..manifest.shards {
        let path = root.join(format!("checkpoints/{number:06}.json"));
        let bytes = std::fs::read(&path).map_err(StatsError::io("read it", &path))?;
        let checkpoint: Checkpoint = serde_json::from_slice(&bytes).map_err(|error| StatsError::damaged(&path, error))?;
        let file = |table: Table| {
            let named = |name: &str| name.strip_prefix(table.name()).is_some_and(|rest| rest.starts_with("/part-"));
            let file = checkpoint.files.iter().find(|file| named(&file.name) && !file.name.contains(".."))?;
            Some(root.join(&file.name))
        };
        let (pages, segments, links) = (file(Table::Pages), file(Table::Segments), file(Table::Links));
        let size = |path: &Option<PathBuf>| path.as_ref().and_then(|path| path.metadata().ok()).map_or(0, |data| data.len());
        let bytes = size(&pages) + size(&segments) + size(&links);
        shards.push(Shard { pages, segments, links, bytes });
    }
    Ok(Run { manifest, shards })
}
