//! Sorting more records than fit in memory: sorted runs on disk, merged when they are read.

use super::TempDir;
use super::record_file::{Record, RecordError, RecordReader, RecordWriter};
use rayon::slice::ParallelSliceMut;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs;
use std::marker::PhantomData;
use std::path::PathBuf;

/// Runs that are open at the same time. If there are more, groups of them are merged first.
const MAX_OPEN: usize = 96;
/// Minimum number of records by which the buffer grows.
const MIN_RECORDS: usize = 1024;
/// Minimum budget in bytes, so that a careless caller does not get one file per record.
const MIN_BUDGET: usize = 1 << 10;

/// Takes records in any order and returns them sorted.
pub(crate) struct ExternalSorter<R> {
    folder: TempDir,
    budget: usize,
    used: usize,
    unique: bool,
    records: Vec<R>,
    runs: Vec<Run>,
}

impl<R: Record> ExternalSorter<R> {
    /// Buffers about `budget` bytes of records; runs are written to `folder`.
    pub(crate) fn new(folder: &TempDir, budget: usize) -> Self {
        let budget = budget.max(MIN_BUDGET);
        ExternalSorter { folder: folder.clone(), budget, used: 0, unique: false, records: Vec::new(), runs: Vec::new() }
    }

    /// Returns each record once.
    pub(crate) fn unique(self) -> Self {
        ExternalSorter { unique: true, ..self }
    }

    pub(crate) fn push(&mut self, record: R) -> Result<(), RecordError> {
        let memory = record.memory();
        if self.used + memory > self.budget && !self.records.is_empty() {
            self.spill()?;
        }
        if self.records.len() == self.records.capacity() {
            // Doubling the buffer could exceed the budget by a factor of two.
            let room = self.budget.saturating_sub(self.used) / memory.max(1) + 1;
            self.records.reserve_exact(self.records.len().clamp(MIN_RECORDS, room.max(MIN_RECORDS)));
        }
        self.used += memory;
        self.records.push(record);
        Ok(())
    }

    fn sort(&mut self) {
        self.records.par_sort_unstable();
        if self.unique {
            self.records.dedup();
        }
    }

    fn spill(&mut self) -> Result<(), RecordError> {
        self.sort();
        self.runs.push(Run::write(&self.folder, self.records.drain(..).map(Ok))?.run);
        self.used = 0;
        Ok(())
    }

    /// All records in order.
    pub(crate) fn finish(mut self) -> Result<Sorted<R>, RecordError> {
        if self.runs.is_empty() {
            self.sort();
            return Ok(Sorted::Memory(self.records.into_iter()));
        }
        if !self.records.is_empty() {
            self.spill()?;
        }
        self.records = Vec::new();
        Merge::new(self.runs, &self.folder, self.unique).map(|merge| Sorted::Disk(Box::new(merge)))
    }

    /// All records in order, in a file that can be read several times.
    pub(crate) fn finish_to_file(mut self) -> Result<SortedFile<R>, RecordError> {
        let folder = self.folder.clone();
        if self.runs.is_empty() {
            self.sort();
            return Run::write(&folder, self.records.into_iter().map(Ok));
        }
        Run::write(&folder, self.finish()?)
    }
}

/// Records in order, from memory or from disk.
pub(crate) enum Sorted<R> {
    Memory(std::vec::IntoIter<R>),
    Disk(Box<Merge<R>>),
}

impl<R: Record> Iterator for Sorted<R> {
    type Item = Result<R, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Sorted::Memory(records) => records.next().map(Ok),
            Sorted::Disk(merge) => merge.next(),
        }
    }
}

/// A temporary file of records. It is removed with its last user.
#[derive(Debug)]
pub(crate) struct SortedFile<R> {
    run: Run,
    count: u64,
    records: PhantomData<fn() -> R>,
}

impl<R: Record> SortedFile<R> {
    /// Writes records that are already in order.
    pub(crate) fn write(folder: &TempDir, records: impl Iterator<Item = Result<R, RecordError>>) -> Result<Self, RecordError> {
        Run::write(folder, records)
    }

    /// Number of records.
    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    /// Reads the records from the first.
    pub(crate) fn read(&self) -> Result<RecordReader<R>, RecordError> {
        RecordReader::open(&self.run.path)
    }
}

/// A sorted file.
#[derive(Debug)]
struct Run {
    path: PathBuf,
    /// The folder of a temporary run, which must outlive it; `None` for a file that must not be removed.
    folder: Option<TempDir>,
}

impl Run {
    fn write<R: Record>(
        folder: &TempDir,
        records: impl Iterator<Item = Result<R, RecordError>>,
    ) -> Result<SortedFile<R>, RecordError> {
        let run = Run { path: folder.new_path()?, folder: Some(folder.clone()) };
        let mut writer = RecordWriter::create(&run.path)?;
        let mut count = 0;
        for record in records {
            writer.push(&record?)?;
            count += 1;
        }
        writer.finish(false)?;
        Ok(SortedFile { run, count, records: PhantomData })
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if self.folder.is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Reads sorted files as one; equal records come in the order of the files. If there are too many files, groups of them are
/// merged into temporary files in `folder` first.
pub(crate) fn merge<R: Record>(paths: &[PathBuf], folder: &TempDir) -> Result<Merge<R>, RecordError> {
    let run = |path: &PathBuf| Run { path: path.clone(), folder: None };
    Merge::new(paths.iter().map(run).collect(), folder, false)
}

/// Several sorted files read as one.
pub(crate) struct Merge<R> {
    readers: Vec<RecordReader<R>>,
    heads: BinaryHeap<Reverse<(R, usize)>>,
    unique: bool,
    failed: Option<RecordError>,
    /// Removed when the merge is dropped, after the readers.
    _runs: Vec<Run>,
}

impl<R: Record> Merge<R> {
    fn new(mut runs: Vec<Run>, folder: &TempDir, unique: bool) -> Result<Self, RecordError> {
        while runs.len() > MAX_OPEN {
            let mut merged = Vec::new();
            let mut rest = runs.into_iter().peekable();
            while rest.peek().is_some() {
                let group: Vec<Run> = rest.by_ref().take(MAX_OPEN).collect();
                merged.push(Run::write(folder, Merge::<R>::open(group, unique)?)?.run);
            }
            runs = merged;
        }
        Merge::open(runs, unique)
    }

    fn open(runs: Vec<Run>, unique: bool) -> Result<Self, RecordError> {
        let readers = runs.iter().map(|run| RecordReader::open(&run.path)).collect::<Result<Vec<_>, _>>()?;
        let heads = BinaryHeap::with_capacity(readers.len());
        let mut merge = Merge { readers, heads, unique, failed: None, _runs: runs };
        for (number, reader) in merge.readers.iter_mut().enumerate() {
            if let Some(record) = reader.next() {
                merge.heads.push(Reverse((record?, number)));
            }
        }
        Ok(merge)
    }

    /// Removes the smallest record and reads the next one of its file.
    fn pop(&mut self) -> Option<R> {
        let mut head = self.heads.peek_mut()?;
        let number = head.0.1;
        Some(match self.readers[number].next() {
            Some(Ok(next)) => std::mem::replace(&mut head.0.0, next),
            Some(Err(error)) => {
                self.failed = Some(error);
                PeekMut::pop(head).0.0
            }
            None => PeekMut::pop(head).0.0,
        })
    }
}

impl<R: Record> Iterator for Merge<R> {
    type Item = Result<R, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.failed.take() {
            self.heads.clear();
            return Some(Err(error));
        }
        let record = self.pop()?;
        while self.unique && self.failed.is_none() && self.heads.peek().is_some_and(|head| head.0.0 == record) {
            self.pop();
        }
        Some(Ok(record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fmt::Debug;

    fn sorter<R: Record + Clone>(folder: &TempDir, records: &[R], budget: usize, unique: bool) -> ExternalSorter<R> {
        let mut sorter = ExternalSorter::new(folder, budget);
        (sorter.budget, sorter.unique) = (budget, unique);
        for record in records {
            sorter.push(record.clone()).unwrap();
        }
        sorter
    }

    /// The oracle is a sort in memory. A small budget makes hundreds of runs, which are merged in steps.
    fn check<R: Record + Clone + Debug>(records: &[R], budget: usize, unique: bool) {
        let parent = tempfile::tempdir().unwrap();
        let folder = TempDir::new(parent.path());
        let mut want = records.to_vec();
        want.sort();
        if unique {
            want.dedup();
        }
        let sorted: Vec<R> = sorter(&folder, records, budget, unique).finish().unwrap().map(Result::unwrap).collect();
        assert_eq!(sorted, want);
        let file = sorter(&folder, records, budget, unique).finish_to_file().unwrap();
        for _ in 0..2 {
            assert_eq!(file.read().unwrap().map(Result::unwrap).collect::<Vec<_>>(), want);
        }
        assert_eq!(file.len(), want.len() as u64);
        drop(folder);
        drop(file);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn sorting_on_disk_equals_sorting_in_memory(
            strings in prop::collection::vec(prop::collection::vec(0..4u8, 0..6), 0..600),
            budget in 0usize..400,
            unique in any::<bool>(),
        ) {
            check(&strings, budget, unique);
            check(&strings, 1 << 20, unique);
            let numbers: Vec<u64> = strings.iter().map(|string| string.len() as u64 * 7).collect();
            check(&numbers, budget, unique);
            let pairs: Vec<(u64, u8)> = strings.iter().map(|string| (string.len() as u64, string.first().map_or(9, |&b| b))).collect();
            check(&pairs, budget, unique);
        }
    }

    #[test]
    fn merged_files_stay_and_damage_ends_the_merge() {
        let parent = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..200u64)
            .map(|number| {
                let path = parent.path().join(number.to_string());
                let mut writer = RecordWriter::create(&path).unwrap();
                (0..10).for_each(|step| writer.push(&(number + step * 300)).unwrap());
                writer.finish(false).unwrap();
                path
            })
            .collect();
        let folder = TempDir::new(parent.path());
        let all: Vec<u64> = merge(&paths, &folder).unwrap().map(Result::unwrap).collect();
        assert!(all.len() == 2000 && all.is_sorted() && paths.iter().all(|path| path.exists()));
        let mut bytes = fs::read(&paths[3]).unwrap();
        bytes[20] ^= 1;
        fs::write(&paths[3], bytes).unwrap();
        let found: Vec<Result<u64, RecordError>> = merge(&paths[..9], &folder).unwrap().collect();
        assert_eq!(found.iter().filter(|record| record.is_err()).count(), 1);
        assert!(matches!(found.last(), Some(Err(RecordError::Damaged { path, .. })) if *path == paths[3]));
    }
}
