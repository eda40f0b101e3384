//! Many sorted runs as one, in order.

use super::{Record, RecordReader, RecordWriter};
use crate::dedup::error::{DedupError, at};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs that are open at once. More are merged in steps.
const OPEN: usize = 96;

/// Sorted runs, read as one. Equal records come in the order of the runs.
pub(crate) struct Merge<R> {
    runs: Vec<RecordReader<R>>,
    heads: BinaryHeap<Reverse<(R, usize)>>,
    failed: Option<DedupError>,
}

impl<R: Record> Merge<R> {
    fn new(paths: &[PathBuf]) -> Result<Self, DedupError> {
        let runs = paths.iter().map(|path| RecordReader::open(path)).collect::<Result<Vec<_>, _>>()?;
        let mut merge = Merge { heads: BinaryHeap::with_capacity(runs.len()), runs, failed: None };
        for run in 0..merge.runs.len() {
            if let Some(record) = merge.runs[run].next() {
                merge.heads.push(Reverse((record?, run)));
            }
        }
        Ok(merge)
    }
}

impl<R: Record> Iterator for Merge<R> {
    type Item = Result<R, DedupError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.failed.take() {
            self.heads.clear();
            return Some(Err(error));
        }
        let mut head = self.heads.peek_mut()?;
        let run = head.0.1;
        let record = match self.runs[run].next() {
            Some(Ok(next)) => std::mem::replace(&mut head.0, (next, run)).0,
            Some(Err(error)) => {
                self.failed = Some(error);
                std::collections::binary_heap::PeekMut::pop(head).0.0
            }
            None => std::collections::binary_heap::PeekMut::pop(head).0.0,
        };
        Some(Ok(record))
    }
}

/// Reads sorted runs as one; if they are too many, some are merged into files in `work` before.
pub(crate) fn merge<R: Record>(paths: &[PathBuf], work: &Path) -> Result<Merge<R>, DedupError> {
    let mut paths = paths.to_vec();
    let mut made = 0;
    while paths.len() > OPEN {
        let mut next = Vec::new();
        for group in paths.chunks(OPEN) {
            let path = work.join(format!("{}-merged-{made:06}", String::from_utf8_lossy(&R::KIND)));
            made += 1;
            next.push(merged::<R>(group, &path, false)?);
            for used in group.iter().filter(|used| used.starts_with(work)) {
                fs::remove_file(used).map_err(at(used))?;
            }
        }
        paths = next;
    }
    Merge::new(&paths)
}

/// Merges a few runs into one file.
fn merged<R: Record>(paths: &[PathBuf], to: &Path, lasting: bool) -> Result<PathBuf, DedupError> {
    let mut writer = RecordWriter::create(to, lasting)?;
    for record in Merge::<R>::new(paths)? {
        writer.push(&record?)?;
    }
    writer.finish()
}
