//! Counts by key, for more keys than fit in memory: the excess is sorted, written to temporary files, and merged when read.
//!
//! Values are sums, so neither the order of additions nor the moments of spilling change the result.

use crate::error::StatsError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};
use std::fs::File;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use webstrata_corpus::io::TempDir;

/// Maximum number of files open at the same time.
const MAX_OPEN: usize = 64;
/// Longest record that is read back: a key and a value take a few hundred bytes.
const MAX_RECORD: u32 = 1 << 24;

/// A value that can be added to another one with the same key.
pub(crate) trait Sum: Serialize + DeserializeOwned {
    /// Adds a value.
    fn sum(&mut self, other: Self);
}

/// A hasher for keys that are already hashes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }

    fn write_u128(&mut self, value: u128) {
        self.0 = value as u64;
    }
}

/// A key of spilled counts.
pub(crate) trait Key: Ord + Eq + Hash + Serialize + DeserializeOwned {}

impl<K: Ord + Eq + Hash + Serialize + DeserializeOwned> Key for K {}

/// Values by key, spilled to files when there are too many.
#[derive(Debug)]
pub(crate) struct Spilled<K, V> {
    map: HashMap<K, V, BuildHasherDefault<Hashed>>,
    limit: usize,
    folder: TempDir,
    /// Sorted files.
    files: Vec<PathBuf>,
    /// Sorted values of other counters, already in memory.
    kept: Vec<Vec<(K, V)>>,
}

impl<K: Key, V: Sum> Spilled<K, V> {
    /// Keeps at most about `limit` keys in memory.
    pub(crate) fn new(limit: usize, folder: &TempDir) -> Self {
        Spilled { map: HashMap::default(), limit: limit.max(1), folder: folder.clone(), files: Vec::new(), kept: Vec::new() }
    }

    /// The value of a key, for additions.
    #[inline]
    pub(crate) fn entry(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        self.map.entry(key).or_insert_with(new)
    }

    /// Writes the values to a file if there are too many. Called between two pages, when no value is in use.
    #[inline]
    pub(crate) fn settle(&mut self) -> Result<(), StatsError> {
        if self.map.len() > self.limit { self.spill() } else { Ok(()) }
    }

    fn sorted(&mut self) -> Vec<(K, V)> {
        let mut records: Vec<(K, V)> = self.map.drain().collect();
        records.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        records
    }

    fn spill(&mut self) -> Result<(), StatsError> {
        let records = self.sorted();
        self.write(records)
    }

    /// Writes values, sorted by key, to a file.
    pub(crate) fn write(&mut self, records: Vec<(K, V)>) -> Result<(), StatsError> {
        let mut run = RunWriter::create(&self.folder)?;
        for record in records {
            run.write(&record)?;
        }
        self.files.push(run.finish()?);
        Ok(())
    }

    /// Adds values, sorted by key, that are already in memory and no longer held where they came from.
    pub(crate) fn keep(&mut self, records: Vec<(K, V)>) {
        if !records.is_empty() {
            self.kept.push(records);
        }
    }

    /// Sorts the values in memory; no more are added after that.
    pub(crate) fn sort(&mut self) {
        let records = self.sorted();
        self.keep(records);
    }

    /// Adds a value to the value of a key.
    pub(crate) fn sum(&mut self, key: K, value: V) -> Result<(), StatsError> {
        match self.map.entry(key) {
            Entry::Occupied(mut own) => own.get_mut().sum(value),
            Entry::Vacant(place) => {
                place.insert(value);
            }
        }
        self.settle()
    }

    /// Adds all values of another counter. Those in memory stay there.
    pub(crate) fn merge(&mut self, mut other: Self) {
        self.files.append(&mut other.files);
        other.sort();
        self.kept.append(&mut other.kept);
    }

    /// Visits all values, by key.
    pub(crate) fn for_each(mut self, mut visit: impl FnMut(K, V) -> Result<(), StatsError>) -> Result<(), StatsError> {
        self.sort();
        while self.files.len() > MAX_OPEN {
            let rest = self.files.split_off(MAX_OPEN);
            let group = std::mem::replace(&mut self.files, rest);
            let mut run = RunWriter::create(&self.folder)?;
            merge_runs(open(&group)?, &mut |key: K, value: V| run.write(&(key, value)))?;
            self.files.push(run.finish()?);
            for path in group {
                let _ = std::fs::remove_file(path);
            }
        }
        let mut runs = open(&self.files)?;
        runs.extend(self.kept.into_iter().map(|records| Run::Kept(records.into_iter())));
        merge_runs(runs, &mut visit)
    }
}

/// A run of sorted values.
enum Run<K, V> {
    File(RunReader),
    Kept(std::vec::IntoIter<(K, V)>),
}

impl<K: Key, V: Sum> Run<K, V> {
    fn next(&mut self) -> Result<Option<(K, V)>, StatsError> {
        match self {
            Run::File(file) => file.next(),
            Run::Kept(records) => Ok(records.next()),
        }
    }
}

fn open<K, V>(paths: &[PathBuf]) -> Result<Vec<Run<K, V>>, StatsError> {
    paths.iter().map(|path| RunReader::open(path.clone()).map(Run::File)).collect()
}

/// Merges sorted runs, visiting each key once.
fn merge_runs<K: Key, V: Sum>(
    mut runs: Vec<Run<K, V>>,
    visit: &mut dyn FnMut(K, V) -> Result<(), StatsError>,
) -> Result<(), StatsError> {
    if let [Run::Kept(records)] = &mut runs[..] {
        return records.try_for_each(|(key, value)| visit(key, value));
    }
    let mut heap: BinaryHeap<Reverse<(K, usize)>> = BinaryHeap::new();
    let mut heads: Vec<Option<V>> = Vec::new();
    for (number, run) in runs.iter_mut().enumerate() {
        let head = run.next()?;
        heads.push(head.map(|(key, value)| {
            heap.push(Reverse((key, number)));
            value
        }));
    }
    let mut current: Option<(K, V)> = None;
    while let Some(Reverse((key, number))) = heap.pop() {
        let Some(value) = heads[number].take() else { continue };
        if let Some((next, value)) = runs[number].next()? {
            heap.push(Reverse((next, number)));
            heads[number] = Some(value);
        }
        match &mut current {
            Some((last, sum)) if *last == key => sum.sum(value),
            _ => {
                if let Some((key, value)) = current.replace((key, value)) {
                    visit(key, value)?;
                }
            }
        }
    }
    current.map_or(Ok(()), |(key, value)| visit(key, value))
}

/// Writes a sorted file.
struct RunWriter {
    path: PathBuf,
    out: BufWriter<File>,
}

impl RunWriter {
    fn create(folder: &TempDir) -> Result<Self, StatsError> {
        let path = folder.new_path()?;
        let file = File::create(&path).map_err(|source| StatsError::Temporary { path: path.clone(), source })?;
        Ok(RunWriter { path, out: BufWriter::new(file) })
    }

    fn write(&mut self, record: &impl Serialize) -> Result<(), StatsError> {
        let bytes = postcard::to_stdvec(record).map_err(|error| StatsError::damaged(&self.path, error))?;
        let written = self.out.write_all(&(bytes.len() as u32).to_le_bytes()).and_then(|()| self.out.write_all(&bytes));
        written.map_err(|source| StatsError::Temporary { path: self.path.clone(), source })
    }

    fn finish(mut self) -> Result<PathBuf, StatsError> {
        self.out.flush().map_err(|source| StatsError::Temporary { path: self.path.clone(), source })?;
        Ok(self.path)
    }
}

/// Reads a sorted file.
struct RunReader {
    path: PathBuf,
    input: BufReader<File>,
    bytes: Vec<u8>,
}

impl RunReader {
    fn open(path: PathBuf) -> Result<Self, StatsError> {
        let file = File::open(&path).map_err(|source| StatsError::Temporary { path: path.clone(), source })?;
        Ok(RunReader { path, input: BufReader::new(file), bytes: Vec::new() })
    }

    fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, StatsError> {
        let mut length = [0; 4];
        match self.input.read_exact(&mut length) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(source) => return Err(StatsError::Temporary { path: self.path.clone(), source }),
        }
        let length = u32::from_le_bytes(length);
        if length > MAX_RECORD {
            return Err(StatsError::damaged(&self.path, "a record is too long"));
        }
        self.bytes.resize(length as usize, 0);
        let failed = |source| StatsError::Temporary { path: self.path.clone(), source };
        self.input.read_exact(&mut self.bytes).map_err(failed)?;
        postcard::from_bytes(&self.bytes).map(Some).map_err(|error| StatsError::damaged(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    impl Sum for u64 {
        fn sum(&mut self, other: u64) {
            *self += other;
        }
    }

    /// However little fits in memory, and however the counts are merged, they equal those of a map.
    #[test]
    fn counts_are_those_of_a_map() {
        let parent = tempfile::tempdir().unwrap();
        let folder = TempDir::new(parent.path());
        let mut random = webstrata_corpus::io::Random::new(7);
        let numbers: Vec<u64> = (0..5000).map(|_| u64::from(random.scaled(900))).collect();
        let mut oracle = BTreeMap::new();
        numbers.iter().for_each(|number| *oracle.entry(*number).or_insert(0u64) += 1);
        for (limit, parts) in [(1, 1), (10, 3), (100, 7), (100_000, 2)] {
            let mut all = Spilled::<u64, u64>::new(limit, &folder);
            for part in numbers.chunks(numbers.len() / parts + 1) {
                let mut counts = Spilled::new(limit, &folder);
                for number in part {
                    *counts.entry(*number, || 0) += 1;
                    counts.settle().unwrap();
                }
                all.merge(counts);
            }
            let mut found = BTreeMap::new();
            all.for_each(|key, value| {
                assert!(found.insert(key, value).is_none());
                Ok(())
            })
            .unwrap();
            assert_eq!(found, oracle);
        }
        drop(folder);
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
