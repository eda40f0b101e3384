//! A batch in progress: pages come in, parts are written.

use super::record::{confidence_number, date_number};
use super::{CompleteBatch, Doc, Entry, Index};
use crate::dedup::error::{DedupError, at};
use crate::dedup::json::{read_json, write_json};
use crate::dedup::signer::Signature;
use crate::io::external_sort::merge;
use crate::io::record_file::RecordWriter;
use crate::io::{TempDir, remove_temporaries};
use rayon::slice::ParallelSliceMut;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// A page's name and metadata.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Page<'a> {
    /// Its name, which need not be unique.
    pub id: &'a str,
    /// When it was fetched or published, in any format that begins with a year.
    pub date: Option<&'a str>,
    /// Confidence of its extraction, 0 to 1.
    pub confidence: Option<f32>,
}

/// Contents of `input.json`.
#[derive(Serialize, Deserialize)]
struct BatchInput {
    input: String,
    first: u32,
}

/// Contents of `part-….json`.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Part {
    docs: u32,
    items: u64,
    broken: u64,
}

/// Kinds of sorted runs: the extension of a part's file, and the file of the whole batch.
const RUNS: [&str; 2] = ["joins", "hashes"];

/// A batch that receives pages.
#[derive(Debug)]
pub struct Batch<'i> {
    index: &'i mut Index,
    path: PathBuf,
    state: CompleteBatch,
    /// The part that is being filled.
    docs: Vec<Doc>,
    keys: [Vec<Entry>; 2],
    buffered: usize,
}

impl<'i> Batch<'i> {
    pub(super) fn begin(index: &'i mut Index, input: &str) -> Result<Self, DedupError> {
        let path = index.next_batch();
        fs::create_dir_all(&path).map_err(at(&path))?;
        remove_temporaries(&path)?;
        let first = u32::try_from(index.len()).map_err(|_| DedupError::TooMany)?;
        let about = path.join("input.json");
        match read_json::<BatchInput>(&about)? {
            Some(found) if found.input != input || found.first != first => return Err(DedupError::Unfinished { path }),
            Some(_) => {}
            None => write_json(&about, &BatchInput { input: input.to_owned(), first })?,
        }
        let mut state =
            CompleteBatch { input: input.to_owned(), first, docs: 0, items: 0, broken: 0, parts: 0, path: path.clone() };
        while let Some(part) = read_json::<Part>(&part_path(&path, state.parts, "json"))? {
            state.docs = state.docs.checked_add(part.docs).ok_or(DedupError::TooMany)?;
            (state.items, state.broken, state.parts) = (part.items, part.broken, state.parts + 1);
        }
        Ok(Batch { index, path, state, docs: Vec::new(), keys: [Vec::new(), Vec::new()], buffered: 0 })
    }

    /// Records of the input that need not be read again, including those that failed.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.state.items
    }

    /// Adds a page.
    pub fn push(&mut self, page: Page<'_>, signature: &Signature) -> Result<(), DedupError> {
        self.push_all([(page, signature)].into_iter())
    }

    /// Adds the parts of one input record that are compared: a page, or its blocks.
    pub fn push_all<'p>(&mut self, parts: impl Iterator<Item = (Page<'p>, &'p Signature)>) -> Result<(), DedupError> {
        for (page, signature) in parts {
            self.push_one(page, signature)?;
        }
        // A resumed run reads a record again completely or not at all, so a record must not span two parts.
        self.state.items += 1;
        self.cut_if_full()
    }

    fn push_one(&mut self, page: Page<'_>, signature: &Signature) -> Result<(), DedupError> {
        let number = u64::from(self.state.first) + u64::from(self.state.docs) + self.docs.len() as u64;
        // Below `u32::MAX`, so that the page count fits as well.
        let doc = u32::try_from(number).ok().filter(|&doc| doc < u32::MAX).ok_or(DedupError::TooMany)?;
        for (keys, new) in self.keys.iter_mut().zip([&signature.joins, &signature.hashes]) {
            keys.extend(new.iter().map(|&key| Entry { key, doc }));
            self.buffered += new.len() * size_of::<Entry>();
        }
        self.buffered += size_of::<Doc>() + page.id.len();
        self.docs.push(Doc {
            id: page.id.to_owned(),
            content: signature.content,
            length: signature.length,
            date: date_number(page.date),
            confidence: confidence_number(page.confidence),
        });
        Ok(())
    }

    /// Counts a record that could not be read.
    pub fn skip(&mut self) -> Result<(), DedupError> {
        self.state.items += 1;
        self.state.broken += 1;
        self.cut_if_full()
    }

    fn cut_if_full(&mut self) -> Result<(), DedupError> {
        let resources = self.index.resources;
        if self.docs.len() >= resources.part.max(1) || self.buffered >= resources.sort { self.cut() } else { Ok(()) }
    }

    /// Writes the pages added since the last part. Called automatically when a part is full, and by callers that want to stop.
    pub fn cut(&mut self) -> Result<(), DedupError> {
        let number = self.state.parts;
        let mut docs = RecordWriter::create(&part_path(&self.path, number, "docs"))?;
        for doc in &self.docs {
            docs.push(doc)?;
        }
        docs.finish(true)?;
        for (keys, kind) in self.keys.iter_mut().zip(RUNS) {
            keys.par_sort_unstable();
            let mut run = RecordWriter::create(&part_path(&self.path, number, kind))?;
            for entry in keys.drain(..) {
                run.push(&entry)?;
            }
            run.finish(true)?;
        }
        let docs = u32::try_from(self.docs.len()).map_err(|_| DedupError::TooMany)?;
        let part = Part { docs, items: self.state.items, broken: self.state.broken };
        write_json(&part_path(&self.path, number, "json"), &part)?;
        self.state.docs += docs;
        self.state.parts += 1;
        self.docs.clear();
        self.buffered = 0;
        Ok(())
    }

    /// Completes the batch.
    pub fn finish(mut self) -> Result<(), DedupError> {
        if !self.docs.is_empty() || self.state.parts == 0 {
            self.cut()?;
        }
        // Freed before the merge, which needs memory of its own.
        self.keys = [Vec::new(), Vec::new()];
        self.docs = Vec::new();
        let work = TempDir::new(&self.index.dir);
        for kind in RUNS {
            let parts: Vec<PathBuf> = (0..self.state.parts).map(|part| part_path(&self.path, part, kind)).collect();
            if self.path.join(kind).exists() {
                continue; // done by an earlier run
            }
            let mut whole = RecordWriter::<Entry>::create(&self.path.join(kind))?;
            for entry in merge(&parts, &work)? {
                whole.push(&entry?)?;
            }
            whole.finish(true)?;
        }
        write_json(&self.path.join("done.json"), &self.state)?;
        for (part, kind) in (0..self.state.parts).flat_map(|part| RUNS.map(|kind| (part, kind))) {
            // Leftover files are harmless.
            let _ = fs::remove_file(part_path(&self.path, part, kind));
        }
        self.index.batches.push(self.state);
        Ok(())
    }
}

fn part_path(batch: &Path, number: u32, ending: &str) -> PathBuf {
    batch.join(format!("part-{number:06}.{ending}"))
}
