//! Sorting more than fits into memory: sorted runs on disk, merged when they are read.

use super::{Merge, Record, RecordWriter, merge};
use crate::dedup::error::DedupError;
use rayon::slice::ParallelSliceMut;
use std::path::{Path, PathBuf};

/// Takes records in any order and gives them back sorted.
pub(crate) struct Sorter<R> {
    work: PathBuf,
    name: &'static str,
    budget: usize,
    used: usize,
    held: Vec<R>,
    runs: Vec<PathBuf>,
}

/// Sorted records, from memory or from disk.
pub(crate) enum Sorted<R> {
    Memory(std::vec::IntoIter<R>),
    Disk(Box<Merge<R>>),
}

impl<R: Record> Sorter<R> {
    /// Runs go into `work` and hold `budget` bytes of memory each, more or less.
    pub(crate) fn new(work: &Path, name: &'static str, budget: usize) -> Self {
        Sorter { work: work.to_owned(), name, budget, used: 0, held: Vec::new(), runs: Vec::new() }
    }

    pub(crate) fn push(&mut self, record: R) -> Result<(), DedupError> {
        let memory = record.memory();
        if self.used + memory > self.budget && !self.held.is_empty() {
            self.spill()?;
        }
        if self.held.len() == self.held.capacity() {
            // Doubling would take twice the budget just before it is used up.
            let most = self.budget.saturating_sub(self.used) / memory.max(1) + 1;
            self.held.reserve_exact(self.held.len().clamp(1024, most.max(1024)));
        }
        self.used += memory;
        self.held.push(record);
        Ok(())
    }

    fn spill(&mut self) -> Result<(), DedupError> {
        self.held.par_sort_unstable();
        let path = self.work.join(format!("{}-{:06}", self.name, self.runs.len()));
        let mut writer = RecordWriter::create(&path, false)?;
        for record in self.held.drain(..) {
            writer.push(&record)?;
        }
        self.runs.push(writer.finish()?);
        self.used = 0;
        Ok(())
    }

    /// All of it in order.
    pub(crate) fn finish(mut self) -> Result<Sorted<R>, DedupError> {
        if self.runs.is_empty() {
            self.held.par_sort_unstable();
            return Ok(Sorted::Memory(self.held.into_iter()));
        }
        if !self.held.is_empty() {
            self.spill()?;
        }
        self.held = Vec::new();
        Ok(Sorted::Disk(Box::new(merge(&self.runs, &self.work)?)))
    }
}

impl<R: Record> Iterator for Sorted<R> {
    type Item = Result<R, DedupError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Sorted::Memory(records) => records.next().map(Ok),
            Sorted::Disk(merge) => merge.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dedup::index::Entry;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        /// Budgets of a few records: hundreds of runs, merged in steps.
        #[test]
        fn sorted_as_in_memory(keys in prop::collection::vec(0u64..50, 0..900), budget in 1usize..400) {
            let folder = tempfile::tempdir().unwrap();
            let mut sorter = Sorter::new(folder.path(), "test", budget);
            let mut want: Vec<Entry> = keys.iter().zip(0..).map(|(&key, doc)| Entry { key, doc }).collect();
            for &entry in &want {
                sorter.push(entry).unwrap();
            }
            want.sort_unstable();
            let got: Vec<Entry> = sorter.finish().unwrap().map(Result::unwrap).collect();
            prop_assert_eq!(got, want);
        }
    }
}
