//! The index: pages and their keys on disk, in batches.
//!
//! ```text
//! settings.json            what is compared, and how
//! lock                     held by the process that works on it
//! batch-000000/            the pages of one input
//!   input.json             which input, and the number of its first page
//!   part-000000.docs       pages: id, length, date, confidence
//!   part-000000.joins      sorted run of (key, page): pages that share one are duplicates
//!   part-000000.hashes     sorted run of (hash, page), if signatures are smallest hashes
//!   part-000000.json       the part is complete: pages, and how far the input was read
//!   joins, hashes          the runs of all parts, merged when the batch is complete
//!   done.json              the batch is complete
//! roots-…                  the cluster of each page, for this state of the index
//! .webstrata.….tmp/        temporary files of sorts
//! ```
//!
//! A file gets its name only when it is complete, and a part counts once its `.json` exists: a killed run leaves finished parts
//! and nothing that could be mistaken for one. Clusters do not depend on how pages are divided into parts and batches, and
//! therefore not on where a run was killed.

mod batch;
mod record;

pub use batch::{Batch, Page};
pub(crate) use record::{Doc, Entry, confidence_number, date_number};

use super::error::{DedupError, at, damaged};
use super::json::{read_json, write_json};
use super::options::{Resources, Similarity};
use crate::io::record_file::RecordReader;
use crate::io::{is_temporary, remove_temporaries};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The settings of an index. Pages can only be added with the same settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How texts are compared.
    pub similarity: Similarity,
    /// Which text of a page is compared, as in `content` or `largest-segment=just-rules`.
    #[serde(rename = "of")]
    pub text_source: String,
}

/// Contents of `settings.json`.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct SettingsFile {
    format: u32,
    #[serde(flatten)]
    settings: Settings,
}

const FORMAT: u32 = 1;

/// A complete batch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CompleteBatch {
    pub(crate) input: String,
    pub(crate) first: u32,
    pub(crate) docs: u32,
    pub(crate) items: u64,
    pub(crate) broken: u64,
    pub(crate) parts: u32,
    #[serde(skip)]
    pub(crate) path: PathBuf,
}

impl CompleteBatch {
    /// Its pages in order.
    pub(crate) fn docs(&self) -> impl Iterator<Item = Result<Doc, DedupError>> + use<> {
        let path = self.path.clone();
        let parts = (0..self.parts).map(move |part| RecordReader::open(&path.join(format!("part-{part:06}.docs"))));
        parts.flat_map(|part| {
            let (good, bad) = match part {
                Ok(reader) => (Some(reader), None),
                Err(error) => (None, Some(Err(error))),
            };
            good.into_iter().flatten().chain(bad).map(|doc| doc.map_err(DedupError::from))
        })
    }
}

/// An index of pages, in a folder.
///
/// ```
/// use webstrata_corpus::dedup::{Index, Keep, Page, Settings, Signer, Similarity};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let settings = Settings { similarity: Similarity::fineweb(), text_source: "content".into() };
/// let mut index = Index::open(folder.path(), &settings, Default::default())?;
/// let mut signer = Signer::new(settings.similarity);
///
/// let mut batch = index.batch("today", false)?.expect("a new batch");
/// for (id, text) in [("a", "It rained all day."), ("b", "it rained – all day"), ("c", "The sun came out at last.")] {
///     batch.push(Page { id, date: None, confidence: None }, &signer.sign(text))?;
/// }
/// batch.finish()?;
///
/// let clusters: Vec<String> =
///     index.clusters(Keep::Longest, &())?.map(|row| row.map(|row| row.cluster)).collect::<Result<_, _>>()?;
/// assert_eq!(clusters, ["b", "b", "c"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Index {
    dir: PathBuf,
    settings: Settings,
    resources: Resources,
    batches: Vec<CompleteBatch>,
    /// Held while this value exists.
    _lock: File,
}

impl Index {
    /// Opens an index, or creates one if the folder is missing or empty.
    pub fn open(dir: &Path, settings: &Settings, resources: Resources) -> Result<Self, DedupError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let lock = lock(dir)?;
        remove_temporaries(dir)?;
        let settings = Settings { similarity: settings.similarity.clamped(), text_source: settings.text_source.clone() };
        let path = dir.join("settings.json");
        let not_an_index = || DedupError::NotAnIndex { path: dir.to_owned() };
        let found = read_json::<SettingsFile>(&path).map_err(|error| match error {
            // Without batches, it is a file of another program.
            DedupError::Damaged { .. } if !dir.join("batch-000000").exists() => not_an_index(),
            error => error,
        })?;
        match found {
            Some(found) if found.format != FORMAT => {
                return Err(damaged(&path, format!("it has format {}, this program writes {FORMAT}", found.format)));
            }
            Some(found) if found.settings != settings => {
                let words = |s: &Settings| format!("{} of {}", s.similarity, s.text_source);
                let (found, wanted) = (words(&found.settings), words(&settings));
                return Err(DedupError::Settings { path: dir.to_owned(), found, wanted });
            }
            Some(_) => {}
            None if has_other_files(dir)? => return Err(not_an_index()),
            None => write_json(&path, &SettingsFile { format: FORMAT, settings: settings.clone() })?,
        }
        let mut index = Index { dir: dir.to_owned(), settings, resources, batches: Vec::new(), _lock: lock };
        while let Some(batch) = read_json::<CompleteBatch>(&index.next_batch().join("done.json"))? {
            if u64::from(batch.first) != index.len() {
                return Err(damaged(&index.next_batch(), "its page numbers do not continue those of the batch before"));
            }
            index.batches.push(CompleteBatch { path: index.next_batch(), ..batch });
        }
        Ok(index)
    }

    fn next_batch(&self) -> PathBuf {
        self.dir.join(format!("batch-{:06}", self.batches.len()))
    }

    /// Begins a batch for an input, or resumes it after a kill. `input` identifies the input. Returns `None`
    /// if a batch of that input is complete, so that it is not added twice. `add` allows pages of other inputs in the index.
    pub fn batch(&mut self, input: &str, add: bool) -> Result<Option<Batch<'_>>, DedupError> {
        if self.batches.iter().any(|batch| batch.input == input) {
            return Ok(None);
        }
        if !add && !self.batches.is_empty() {
            return Err(DedupError::Occupied { path: self.dir.clone() });
        }
        Batch::begin(self, input).map(Some)
    }

    /// Number of pages in complete batches.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.batches.iter().map(|batch| u64::from(batch.docs)).sum()
    }

    /// Whether there are no pages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Page numbers of an input's batch, and how many of its records could not be read.
    #[must_use]
    pub fn pages_of(&self, input: &str) -> Option<(std::ops::Range<u64>, u64)> {
        let batch = self.batches.iter().find(|batch| batch.input == input)?;
        Some((u64::from(batch.first)..u64::from(batch.first) + u64::from(batch.docs), batch.broken))
    }

    /// Number of records of an input, including those that could not be read.
    #[must_use]
    pub fn items_of(&self, input: &str) -> Option<u64> {
        self.batches.iter().find(|batch| batch.input == input).map(|batch| batch.items)
    }

    /// How its texts are compared.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn resources(&self) -> Resources {
        self.resources
    }

    pub(crate) fn batches(&self) -> &[CompleteBatch] {
        &self.batches
    }

    /// The sorted runs of one kind, of all batches.
    pub(crate) fn runs(&self, kind: &str) -> Vec<PathBuf> {
        self.batches.iter().map(|batch| batch.path.join(kind)).filter(|path| path.exists()).collect()
    }

    /// The file with the cluster of each page, for the current state of the index.
    pub(crate) fn roots_path(&self) -> PathBuf {
        let mut state = String::new();
        for batch in &self.batches {
            state += &format!("{:?} {} {}\n", batch.input, batch.first, batch.docs);
        }
        self.dir.join(format!("roots-{:016x}", xxh3_64(state.as_bytes())))
    }

    /// Removes the clusters of earlier states.
    pub(crate) fn drop_old_roots(&self) -> Result<(), DedupError> {
        let current = self.roots_path();
        for entry in fs::read_dir(&self.dir).map_err(at(&self.dir))? {
            let path = entry.map_err(at(&self.dir))?.path();
            let old = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("roots-"));
            if old && path != current {
                fs::remove_file(&path).map_err(at(&path))?;
            }
        }
        Ok(())
    }
}

fn lock(dir: &Path) -> Result<File, DedupError> {
    let path = dir.join("lock");
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(at(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(DedupError::Input(format!(
            "another process is using the index {}; wait for it, or choose another folder",
            dir.display()
        ))),
        Err(TryLockError::Error(error)) => Err(at(&path)(error)),
    }
}

/// Whether the folder has files besides the lock and temporary ones.
fn has_other_files(dir: &Path) -> Result<bool, DedupError> {
    for entry in fs::read_dir(dir).map_err(at(dir))? {
        let name = entry.map_err(at(dir))?.file_name();
        if name != "lock" && !is_temporary(&name.to_string_lossy()) {
            return Ok(true);
        }
    }
    Ok(false)
}
