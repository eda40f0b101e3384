//! Sorting links by target, then by source, more of them than fit into memory.

use super::super::error::GraphError;
use crate::store::StoreError;
use rayon::slice::ParallelSliceMut;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A link as sorting sees it.
pub(crate) trait Key: Ord + Copy + Send {
    /// Bytes of one.
    const BYTES: usize;
    /// Writes it.
    fn put(self, bytes: &mut [u8]);
    /// Reads it.
    fn get(bytes: &[u8]) -> Self;
}

fn long(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The target in the upper half, the source in the lower.
impl Key for u64 {
    const BYTES: usize = 8;

    fn put(self, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&self.to_le_bytes());
    }

    fn get(bytes: &[u8]) -> u64 {
        long(bytes)
    }
}

/// With the stratum.
impl Key for (u64, u8) {
    const BYTES: usize = 9;

    fn put(self, bytes: &mut [u8]) {
        self.0.put(bytes);
        bytes[8] = self.1;
    }

    fn get(bytes: &[u8]) -> (u64, u8) {
        (long(bytes), bytes[8])
    }
}

/// A folder for what does not fit, made when it is needed and gone with its owner.
#[derive(Debug)]
pub(crate) struct TempDir {
    inside: PathBuf,
    folder: Option<PathBuf>,
}

impl TempDir {
    /// A folder inside of another.
    pub(crate) fn new(inside: &Path) -> TempDir {
        TempDir { inside: inside.to_owned(), folder: None }
    }

    /// The folder, which is there now, and nobody else's.
    pub(crate) fn folder(&mut self) -> Result<&Path, GraphError> {
        if self.folder.is_none() {
            fs::create_dir_all(&self.inside).map_err(StoreError::io("make the folder", &self.inside))?;
            let made = (0..u32::MAX).find_map(|number| {
                let folder = self.inside.join(format!(".webstrata-rank-{}-{number}.tmp", std::process::id()));
                match fs::create_dir(&folder) {
                    Ok(()) => Some(Ok(folder)),
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
                    Err(error) => Some(Err(StoreError::io("make the folder", &folder)(error))),
                }
            });
            self.folder = made.transpose()?;
        }
        Ok(self.folder.as_deref().unwrap_or(&self.inside))
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Takes links in any order.
#[derive(Debug)]
pub(crate) struct KeySorter<K> {
    keys: Vec<K>,
    most: usize,
    runs: Vec<PathBuf>,
    temp_dir: TempDir,
}

impl<K: Key> KeySorter<K> {
    /// A sorter with `memory` bytes for keys.
    pub(crate) fn new(memory: usize, temp_dir: TempDir) -> KeySorter<K> {
        KeySorter { keys: Vec::new(), most: (memory / size_of::<K>()).max(16), runs: Vec::new(), temp_dir }
    }

    pub(crate) fn push(&mut self, key: K) -> Result<(), GraphError> {
        if self.keys.len() >= self.most {
            self.spill()?;
        }
        self.keys.push(key);
        Ok(())
    }

    fn sort(&mut self) {
        self.keys.par_sort_unstable();
        self.keys.dedup();
    }

    fn spill(&mut self) -> Result<(), GraphError> {
        self.sort();
        let path = self.temp_dir.folder()?.join(format!("{:06}", self.runs.len()));
        let file = File::create(&path).map_err(StoreError::io("write", &path))?;
        let mut out = BufWriter::with_capacity(1 << 18, file);
        let mut bytes = vec![0; K::BYTES];
        for key in self.keys.drain(..) {
            key.put(&mut bytes);
            out.write_all(&bytes).map_err(StoreError::io("write", &path))?;
        }
        out.flush().map_err(StoreError::io("write", &path))?;
        self.runs.push(path);
        Ok(())
    }

    /// All links in order, each once.
    pub(crate) fn finish(mut self) -> Result<Sorted<K>, GraphError> {
        self.sort();
        let mut sorted = Sorted {
            keys: std::mem::take(&mut self.keys).into_iter(),
            runs: Vec::new(),
            heads: BinaryHeap::new(),
            last: None,
            _temp_dir: self.temp_dir,
        };
        // Files that are read side by side: a spill is a part of the memory, so there are as many as the links are larger than it.
        for path in self.runs {
            let file = File::open(&path).map_err(StoreError::io("read", &path))?;
            sorted.runs.push((BufReader::with_capacity(1 << 16, file), path));
        }
        for run in 0..=sorted.runs.len() {
            sorted.refill(run)?;
        }
        Ok(sorted)
    }
}

/// Links in order.
#[derive(Debug)]
pub(crate) struct Sorted<K: Key> {
    keys: std::vec::IntoIter<K>,
    runs: Vec<(BufReader<File>, PathBuf)>,
    heads: BinaryHeap<Reverse<(K, usize)>>,
    last: Option<K>,
    _temp_dir: TempDir,
}

impl<K: Key> Sorted<K> {
    /// Puts the next of a run onto the heap; the run behind the last is the memory.
    fn refill(&mut self, run: usize) -> Result<(), GraphError> {
        let next = match self.runs.get_mut(run) {
            None => self.keys.next(),
            Some((file, path)) => {
                let mut bytes = [0; 16];
                match file.read_exact(&mut bytes[..K::BYTES]) {
                    Ok(()) => Some(K::get(&bytes)),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
                    Err(error) => return Err(StoreError::io("read", path)(error).into()),
                }
            }
        };
        if let Some(key) = next {
            self.heads.push(Reverse((key, run)));
        }
        Ok(())
    }

    /// The next link.
    pub(crate) fn next(&mut self) -> Result<Option<K>, GraphError> {
        if self.runs.is_empty() {
            // All of it is in memory, without its equals; the first is on the heap.
            return Ok(self.heads.pop().map(|Reverse((key, _))| key).or_else(|| self.keys.next()));
        }
        while let Some(Reverse((key, run))) = self.heads.pop() {
            self.refill(run)?;
            if self.last != Some(key) {
                self.last = Some(key);
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted<K: Key>(keys: &[K], memory: usize) -> Vec<K> {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = KeySorter::new(memory, TempDir::new(folder.path()));
        keys.iter().for_each(|&key| sorter.push(key).unwrap());
        let mut sorted = sorter.finish().unwrap();
        let found = std::iter::from_fn(|| sorted.next().unwrap()).collect();
        drop(sorted);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]

        #[test]
        fn on_disk_as_in_memory(keys in prop::collection::vec((0..400u64, 0..3u8), 0..500)) {
            let mut want = keys.clone();
            want.sort_unstable();
            want.dedup();
            prop_assert_eq!(sorted(&keys, 0), want.clone());
            prop_assert_eq!(sorted(&keys, 1 << 20), want);
            let longs: Vec<u64> = keys.iter().map(|key| key.0 << 30).collect();
            prop_assert_eq!(sorted(&longs, 0), sorted(&longs, 1 << 20));
        }
    }
}
