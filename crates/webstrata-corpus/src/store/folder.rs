//! The folder of a run: creates, resumes and completes it.
//!
//! ```text
//! manifest.json              settings and input of the run
//! pages/part-000000.parquet  segments/…  links/…   tables, one file per shard
//! errors/part-000000.jsonl   inputs that produced no row, if there are any
//! checkpoints/000000.json    a shard that is done
//! ```
//!
//! A shard counts once its checkpoint exists. Files without one were left by a run that did not finish,
//! and are removed when it is resumed.

use super::manifest::write_json;
use super::shard::{ERRORS, number};
use super::{Checkpoint, Counts, Manifest, StoreError};
use crate::input::Skipped;
use crate::io::{is_temporary, remove_temporaries};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const CHECKPOINTS: &str = "checkpoints";

/// The folder of a run for its writer. No other process can write to it.
#[derive(Debug)]
pub struct RunFolder {
    root: PathBuf,
    /// Held, not read. The lock is released when the process ends, even if it is killed.
    _lock: Option<File>,
}

/// Progress of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunState {
    /// Whether nothing is left to do.
    pub complete: bool,
    /// Shards done.
    pub shards: u64,
    /// Their rows.
    pub rows: Counts,
    /// The last shard.
    pub last: Option<Checkpoint>,
    /// Skipped records, if it is complete.
    pub skipped: Skipped,
}

impl RunFolder {
    /// Starts a run, or resumes the one in the folder. Unfinished files are removed.
    ///
    /// # Errors
    /// If the folder has other files, a run with different settings, or a run in progress.
    pub fn open(root: &Path, manifest: &Manifest) -> Result<(RunFolder, RunState), StoreError> {
        fs::create_dir_all(root).map_err(StoreError::io("create the folder", root))?;
        let folder = RunFolder { root: root.to_owned(), _lock: lock(root)? };
        let begun = match Manifest::read(root) {
            Ok(begun) => begun,
            Err(StoreError::NoRun(_)) => {
                if names(root)?.iter().any(|name| !is_temporary(name)) {
                    return Err(StoreError::Occupied(root.to_owned()));
                }
                remove_temporaries(root)?;
                manifest.write(root)?;
                return Ok((folder, RunState::default()));
            }
            Err(error) => return Err(error),
        };
        if let Some(difference) = manifest.difference(&begun) {
            return Err(StoreError::Changed { path: root.to_owned(), difference });
        }
        let mut state = folder.state(begun.complete)?;
        (state.complete, state.skipped) = (begun.complete, begun.skipped);
        if !begun.complete {
            folder.clear(manifest, state.shards)?;
        }
        Ok((folder, state))
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Writes the checkpoint of a shard, which makes the shard count.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn commit(&self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        write_json(&self.root.join(checkpoint_name(checkpoint.shard)), checkpoint)
    }

    /// Marks the run as complete.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn complete(&self, manifest: &Manifest, shards: u64, rows: Counts, skipped: Skipped) -> Result<(), StoreError> {
        Manifest { complete: true, shards, rows, skipped, ..manifest.clone() }.write(&self.root)
    }

    /// Reads the checkpoints, and checks that the files of their shards exist.
    fn state(&self, complete: bool) -> Result<RunState, StoreError> {
        let mut state = RunState::default();
        while let Some(checkpoint) = read_checkpoint(&self.root, state.shards)? {
            for file in &checkpoint.files {
                let path = self.root.join(&file.name);
                let found = fs::metadata(&path).map_err(StoreError::io("find", &path))?.len();
                if found != file.bytes {
                    return Err(StoreError::damaged(&path, format!("it has {found} bytes instead of {}", file.bytes)));
                }
            }
            state.shards += 1;
            state.rows.add(checkpoint.rows);
            state.last = Some(checkpoint);
        }
        let written = Manifest::read(&self.root)?.shards;
        if complete && written != state.shards {
            return Err(StoreError::damaged(&self.root, format!("{} of {written} checkpoints exist", state.shards)));
        }
        Ok(state)
    }

    /// Removes files of shards without a checkpoint.
    fn clear(&self, manifest: &Manifest, shards: u64) -> Result<(), StoreError> {
        remove_temporaries(&self.root)?;
        let places = manifest.format.places(&manifest.tables).into_iter().chain([ERRORS]).map(|place| place.folder);
        for name in places.chain([CHECKPOINTS]) {
            let folder = self.root.join(name);
            if !folder.is_dir() {
                continue;
            }
            remove_temporaries(&folder)?;
            for name in names(&folder)? {
                if number(&name).is_some_and(|number| number >= shards) {
                    let path = folder.join(name);
                    fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
                }
            }
        }
        Ok(())
    }
}

fn checkpoint_name(shard: u64) -> String {
    format!("{CHECKPOINTS}/{shard:06}.json")
}

/// The checkpoint of a shard, if it is done.
pub(super) fn read_checkpoint(root: &Path, shard: u64) -> Result<Option<Checkpoint>, StoreError> {
    let path = root.join(checkpoint_name(shard));
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::io("read", &path)(error)),
    };
    let checkpoint: Checkpoint = serde_json::from_slice(&bytes).map_err(|error| StoreError::damaged(&path, error))?;
    if checkpoint.shard != shard {
        return Err(StoreError::damaged(&path, format!("it belongs to shard {}", checkpoint.shard)));
    }
    Ok(Some(checkpoint))
}

fn names(folder: &Path) -> Result<Vec<String>, StoreError> {
    let entries = fs::read_dir(folder).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned())).collect::<Result<Vec<_>, _>>()
    });
    let mut names = entries.map_err(StoreError::io("read", folder))?;
    names.sort();
    Ok(names)
}

/// Locks the folder for this process. On systems that cannot lock folders, other processes are not kept out.
fn lock(root: &Path) -> Result<Option<File>, StoreError> {
    let Ok(folder) = File::open(root) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(fs::TryLockError::WouldBlock) => Err(StoreError::Busy(root.to_owned())),
        Err(fs::TryLockError::Error(_)) => Ok(None),
    }
}
