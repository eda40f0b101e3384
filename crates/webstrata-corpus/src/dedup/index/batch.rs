//! A batch under way: pages come in, parts are written.

use super::record::{date_number, sureness};
use super::{Complete, Doc, Entry, Index};
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

/// What is known of a page besides its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Page<'a> {
    /// What it is called. Two pages may have the same.
    pub id: &'a str,
    /// When it was fetched or published; what begins with a year is understood.
    pub date: Option<&'a str>,
    /// How sure its extraction was, 0 to 1.
    pub confidence: Option<f32>,
}

/// What is in `input.json`.
#[derive(Serialize, Deserialize)]
struct Begun {
    input: String,
    first: u32,
}

/// What is in `part-….json`.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Part {
    docs: u32,
    items: u64,
    broken: u64,
}

/// Sorted runs of one kind of keys: its ending, and the file of the whole batch.
const RUNS: [&str; 2] = ["joins", "hashes"];

/// A batch that pages are put into.
#[derive(Debug)]
pub struct Batch<'i> {
    index: &'i mut Index,
    path: PathBuf,
    state: Complete,
    /// The part that is being filled.
    docs: Vec<Doc>,
    keys: [Vec<Entry>; 2],
    held: usize,
}

impl<'i> Batch<'i> {
    pub(super) fn begin(index: &'i mut Index, input: &str) -> Result<Self, DedupError> {
        let path = index.next_batch();
        fs::create_dir_all(&path).map_err(at(&path))?;
        remove_temporaries(&path)?;
        let first = u32::try_from(index.len()).map_err(|_| DedupError::TooMany)?;
        let about = path.join("input.json");
        match read_json::<Begun>(&about)? {
            Some(found) if found.input != input || found.first != first => return Err(DedupError::Unfinished { path }),
            Some(_) => {}
            None => write_json(&about, &Begun { input: input.to_owned(), first })?,
        }
        let mut state = Complete { input: input.to_owned(), first, docs: 0, items: 0, broken: 0, parts: 0, path: path.clone() };
        while let Some(part) = read_json::<Part>(&part_path(&path, state.parts, "json"))? {
            state.docs = state.docs.checked_add(part.docs).ok_or(DedupError::TooMany)?;
            (state.items, state.broken, state.parts) = (part.items, part.broken, state.parts + 1);
        }
        Ok(Batch { index, path, state, docs: Vec::new(), keys: [Vec::new(), Vec::new()], held: 0 })
    }

    /// Records of the input that need not be read again, broken ones among them.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.state.items
    }

    /// Takes a page.
    pub fn push(&mut self, page: Page<'_>, signature: &Signature) -> Result<(), DedupError> {
        let number = u64::from(self.state.first) + u64::from(self.state.docs) + self.docs.len() as u64;
        // One below the greatest number, so that the number of pages is one, too.
        let doc = u32::try_from(number).ok().filter(|&doc| doc < u32::MAX).ok_or(DedupError::TooMany)?;
        for (keys, new) in self.keys.iter_mut().zip([&signature.joins, &signature.hashes]) {
            keys.extend(new.iter().map(|&key| Entry { key, doc }));
            self.held += new.len() * size_of::<Entry>();
        }
        self.held += size_of::<Doc>() + page.id.len();
        self.docs.push(Doc {
            id: page.id.to_owned(),
            content: signature.content,
            length: signature.length,
            date: date_number(page.date),
            sureness: sureness(page.confidence),
        });
        self.state.items += 1;
        self.cut_if_full()
    }

    /// Takes note of a record that could not be read.
    pub fn skip(&mut self) -> Result<(), DedupError> {
        self.state.items += 1;
        self.state.broken += 1;
        self.cut_if_full()
    }

    fn cut_if_full(&mut self) -> Result<(), DedupError> {
        let resources = self.index.resources;
        if self.docs.len() >= resources.part.max(1) || self.held >= resources.sort { self.cut() } else { Ok(()) }
    }

    /// Writes what came since the last part. Called by itself when there is enough, and by who wants to stop.
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
        self.held = 0;
        Ok(())
    }

    /// All pages of the input are in.
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
                continue; // a run before came this far
            }
            let mut whole = RecordWriter::<Entry>::create(&self.path.join(kind))?;
            for entry in merge(&parts, &work)? {
                whole.push(&entry?)?;
            }
            whole.finish(true)?;
        }
        write_json(&self.path.join("done.json"), &self.state)?;
        for (part, kind) in (0..self.state.parts).flat_map(|part| RUNS.map(|kind| (part, kind))) {
            // What stays behind is in nobody's way.
            let _ = fs::remove_file(part_path(&self.path, part, kind));
        }
        self.index.batches.push(self.state);
        Ok(())
    }
}

fn part_path(batch: &Path, number: u32, ending: &str) -> PathBuf {
    batch.join(format!("part-{number:06}.{ending}"))
}
