//! Checkpoints: the state of a worker after an iteration, to resume from.
//!
//! ```text
//! magic          "wsranks1"
//! header         task, partition and partitions (32 bits each), iteration, pages, residuals, sum of ranks; little-endian
//! residuals      of each iteration so far
//! values         what the links of each page carry
//! end            XXH3 of the above
//! ```
//!
//! All workers write checkpoints of the same iterations, and none starts the next iteration before its checkpoint is written. So when
//! one writes a checkpoint, all have written the one before; two are kept. Only those that all workers have are used.

use super::error::DistributedError;
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use webstrata_corpus::io::{AtomicFile, IoError};
use xxhash_rust::xxh3::Xxh3Default;

/// First bytes of a file.
const MAGIC: &[u8; 8] = b"wsranks1";
const HEAD: usize = 48;
/// File extension.
const EXTENSION: &str = "checkpoint";
/// Limit of the number of iterations in a file.
const MAX_ITERATIONS: u64 = 1 << 24;
/// Values read or written at a time.
const BUFFER_VALUES: usize = 1 << 13;

/// Location and interval of checkpoints.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// A folder; several processes may share it.
    pub folder: PathBuf,
    /// Minimum time between two; 0 = after every iteration.
    pub every: Duration,
}

/// State of a worker.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) residuals: Vec<f64>,
    /// Sum of all ranks in the last iteration.
    pub(crate) sum: f64,
    pub(crate) carried: Vec<[f64; 1]>,
}

/// The checkpoints of one partition.
#[derive(Clone, Debug)]
pub(crate) struct CheckpointStore {
    folder: PathBuf,
    task: u64,
    partition: usize,
    partitions: usize,
    pages: usize,
}

/// Why a file cannot be used.
enum Unusable {
    /// It is not as it was written.
    Damaged(String),
    /// It belongs to another computation.
    Other,
    Io(IoError),
}

impl CheckpointStore {
    /// Opens a folder. Returns the iterations for which there are checkpoints, ascending, and messages about unusable files.
    pub(crate) fn open(
        folder: &Path,
        task: u64,
        partition: usize,
        partitions: usize,
        pages: usize,
    ) -> Result<(CheckpointStore, Vec<u64>, Vec<String>), DistributedError> {
        let store = CheckpointStore { folder: folder.to_owned(), task, partition, partitions, pages };
        fs::create_dir_all(folder).map_err(IoError::on("make the folder", folder))?;
        let (mut iterations, mut notes) = (Vec::new(), Vec::new());
        for (name, its_partition, its_partitions, iteration) in names(folder)? {
            let other = |what: String| DistributedError::OtherCheckpoints { folder: folder.to_owned(), what };
            if its_partitions != partitions {
                return Err(other(format!("a run of {its_partitions} processes")));
            }
            if its_partition != partition {
                continue;
            }
            match store.read(iteration) {
                Ok(_) => iterations.push(iteration),
                Err(Unusable::Other) => return Err(other("another graph or other options".to_owned())),
                Err(Unusable::Damaged(reason)) => {
                    notes.push(format!("{} is damaged ({reason}) and ignored", folder.join(name).display()));
                }
                Err(Unusable::Io(error)) => return Err(error.into()),
            }
        }
        iterations.sort_unstable();
        store.remove_unfinished()?;
        Ok((store, iterations, notes))
    }

    fn name(&self, iteration: u64) -> String {
        format!("process-{}-of-{}-iteration-{iteration}.{EXTENSION}", self.partition, self.partitions)
    }

    /// Removes temporary files that this worker left when it was killed.
    fn remove_unfinished(&self) -> Result<(), IoError> {
        let ours = format!(".process-{}-of-{}-", self.partition, self.partitions);
        for entry in fs::read_dir(&self.folder).map_err(IoError::on("read", &self.folder))? {
            let entry = entry.map_err(IoError::on("read", &self.folder))?;
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(&ours) && name.ends_with(".tmp")) {
                fs::remove_file(entry.path()).map_err(IoError::on("remove", &entry.path()))?;
            }
        }
        Ok(())
    }

    /// The state after an iteration.
    pub(crate) fn load(&self, iteration: u64) -> Result<State, DistributedError> {
        self.read(iteration).map_err(|unusable| match unusable {
            Unusable::Io(error) => error.into(),
            // It was valid when the folder was opened.
            _ => IoError::on("read", &self.folder.join(self.name(iteration)))(ErrorKind::InvalidData.into()).into(),
        })
    }

    fn read(&self, iteration: u64) -> Result<State, Unusable> {
        let path = self.folder.join(self.name(iteration));
        let system = |error: io::Error| Unusable::Io(IoError::on("read", &path)(error));
        let damaged = |reason: &str| Unusable::Damaged(reason.to_owned());
        let file = File::open(&path).map_err(system)?;
        let length = file.metadata().map_err(system)?.len();
        let mut input = BufReader::with_capacity(1 << 16, file);
        let mut head = [0; 8 + HEAD];
        input.read_exact(&mut head).map_err(|_| damaged("it is too short"))?;
        let rest = head.strip_prefix(MAGIC).ok_or_else(|| damaged("it does not start like a checkpoint"))?;
        let long = |at: usize| rest.get(at * 8..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let [task, worker_id, its_iteration, pages, residuals, sum] = [0, 1, 2, 3, 4, 5].map(long);
        let all = pages.checked_add(residuals).and_then(|count| count.checked_mul(8)).and_then(|bytes| bytes.checked_add(8));
        if residuals > MAX_ITERATIONS || all.and_then(|all| all.checked_add(head.len() as u64)) != Some(length) {
            return Err(damaged("its length differs from the stated one"));
        }
        if task == self.task && pages != self.pages as u64 {
            return Err(damaged("it has a different number of pages"));
        }
        let mut hash = Xxh3Default::new();
        hash.update(&head);
        let mut numbers = |count: u64, keep: bool| -> Result<Vec<f64>, Unusable> {
            let mut numbers = Vec::new();
            let (mut left, mut buffer) = (count as usize, vec![0; BUFFER_VALUES * 8]);
            while left > 0 {
                let bytes = &mut buffer[..left.min(BUFFER_VALUES) * 8];
                input.read_exact(bytes).map_err(system)?;
                hash.update(bytes);
                left -= bytes.len() / 8;
                if keep {
                    numbers.extend(
                        bytes.chunks_exact(8).filter_map(|bytes| bytes.first_chunk().map(|bytes| f64::from_le_bytes(*bytes))),
                    );
                }
            }
            Ok(numbers)
        };
        let ours = task == self.task;
        let (residuals, values) = (numbers(residuals, ours)?, numbers(pages, ours)?);
        let mut end = [0; 8];
        input.read_exact(&mut end).map_err(system)?;
        if hash.digest() != u64::from_le_bytes(end) {
            return Err(damaged("its checksum is wrong"));
        }
        if !ours {
            return Err(Unusable::Other);
        }
        if worker_id != self.worker_id() || its_iteration != iteration || residuals.len() as u64 != iteration {
            return Err(damaged("it belongs to another worker or iteration"));
        }
        Ok(State { residuals, sum: f64::from_bits(sum), carried: values.into_iter().map(|value| [value]).collect() })
    }

    fn worker_id(&self) -> u64 {
        self.partition as u64 | (self.partitions as u64) << 32
    }

    /// Writes the state after an iteration, and removes old checkpoints.
    pub(crate) fn write(&self, residuals: &[f64], sum: f64, carried: &[[f64; 1]]) -> Result<(), IoError> {
        let iteration = residuals.len() as u64;
        let path = self.folder.join(self.name(iteration));
        let mut out = AtomicFile::create(&path)?;
        let mut hash = Xxh3Default::new();
        let mut buffer = MAGIC.to_vec();
        for number in [self.task, self.worker_id(), iteration, carried.len() as u64, residuals.len() as u64, sum.to_bits()] {
            buffer.extend(number.to_le_bytes());
        }
        let mut put = |bytes: &[u8]| {
            hash.update(bytes);
            out.write_all(bytes).map_err(IoError::on("write", &path))
        };
        put(&buffer)?;
        let carried = carried.chunks(BUFFER_VALUES).map(|values| values.as_flattened());
        for values in residuals.chunks(BUFFER_VALUES).chain(carried) {
            buffer.clear();
            buffer.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            put(&buffer)?;
        }
        let end = hash.digest().to_le_bytes();
        out.write_all(&end).map_err(IoError::on("write", &path))?;
        out.commit()?;
        let mut others = self.own_iterations()?;
        let before = others.iter().copied().filter(|&other| other < iteration).max();
        others.retain(|&other| other != iteration && Some(other) != before);
        self.remove(&others);
        Ok(())
    }

    fn own_iterations(&self) -> Result<Vec<u64>, IoError> {
        let ours =
            names(&self.folder)?.into_iter().filter(|&(_, partition, of, _)| (partition, of) == (self.partition, self.partitions));
        Ok(ours.map(|(.., iteration)| iteration).collect())
    }

    fn remove(&self, iterations: &[u64]) {
        for &iteration in iterations {
            // A file that stays is harmless.
            let _ = fs::remove_file(self.folder.join(self.name(iteration)));
        }
    }

    /// Removes all checkpoints, and the folder if it is empty.
    pub(crate) fn clear(&self) {
        if let Ok(iterations) = self.own_iterations() {
            self.remove(&iterations);
        }
        let _ = fs::remove_dir(&self.folder);
    }
}

/// The checkpoints in a folder: name, partition, partitions, iteration.
fn names(folder: &Path) -> Result<Vec<(String, usize, usize, u64)>, IoError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(IoError::on("read", folder))? {
        let name = entry.map_err(IoError::on("read", folder))?.file_name();
        let Some(name) = name.to_str() else { continue };
        let parts: Option<Vec<&str>> =
            name.strip_suffix(EXTENSION).and_then(|name| name.strip_suffix('.')).map(|name| name.split('-').collect());
        if let Some(["process", partition, "of", partitions, "iteration", iteration]) = parts.as_deref()
            && let (Ok(partition), Ok(partitions), Ok(iteration)) = (partition.parse(), partitions.parse(), iteration.parse())
        {
            found.push((name.to_owned(), partition, partitions, iteration));
        }
    }
    found.sort();
    Ok(found)
}

/// The last iteration for which all have a checkpoint; 0 if there is none.
pub(crate) fn common(mine: &[u64], others: &[&[u64]]) -> u64 {
    let common = mine.iter().copied().filter(|iteration| others.iter().all(|iterations| iterations.contains(iteration)));
    common.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(iterations: usize) -> State {
        State {
            residuals: vec![0.5; iterations],
            sum: 0.75,
            carried: (0..20_000).map(|page| [f64::from(page) * iterations as f64]).collect(),
        }
    }

    fn write(store: &CheckpointStore, iterations: usize) {
        let State { residuals, sum, carried } = state(iterations);
        store.write(&residuals, sum, &carried).unwrap();
    }

    #[test]
    fn the_last_two_are_kept_and_read_back() {
        let here = tempfile::tempdir().unwrap();
        let open = |task, partition, partitions| CheckpointStore::open(here.path(), task, partition, partitions, 20_000);
        let (store, iterations, notes) = open(7, 1, 2).unwrap();
        assert!(iterations.is_empty() && notes.is_empty());
        for iterations in [3, 5, 9] {
            write(&store, iterations);
        }
        let (store, iterations, notes) = open(7, 1, 2).unwrap();
        assert_eq!((iterations, notes.len()), (vec![5, 9], 0));
        assert_eq!(store.load(5).unwrap(), state(5));
        assert_eq!(common(&[5, 9], &[&[3, 5], &[5]]), 5);
        assert_eq!(common(&[5, 9], &[&[3], &[5]]), 0);
        // Resumed from 5: the checkpoint of 9 is stale.
        fs::write(here.path().join(".process-1-of-2-iteration-8.checkpoint.tmp"), "").unwrap();
        write(&store, 7);
        assert_eq!(open(7, 1, 2).unwrap().1, [5, 7]);
        // Other workers have their own files, and other computations are refused.
        assert!(open(7, 0, 2).unwrap().1.is_empty());
        assert_eq!(fs::read_dir(here.path()).unwrap().count(), 2);
        assert!(open(8, 1, 2).unwrap_err().to_string().contains("another graph or other options"));
        assert!(open(7, 1, 3).unwrap_err().to_string().contains("2 processes"));
        store.clear();
        assert!(!here.path().exists());
    }

    #[test]
    fn damage_is_detected() {
        let here = tempfile::tempdir().unwrap();
        let (store, ..) = CheckpointStore::open(here.path(), 7, 0, 1, 20_000).unwrap();
        write(&store, 2);
        write(&store, 4);
        let path = here.path().join(store.name(4));
        let sound = fs::read(&path).unwrap();
        for at in [0, 9, 17, 25, 33, 41, 49, 60, 100, 8000, sound.len() - 3] {
            let mut bytes = sound.clone();
            bytes[at] ^= 4;
            fs::write(&path, bytes).unwrap();
            let (_, iterations, notes) = CheckpointStore::open(here.path(), 7, 0, 1, 20_000).unwrap();
            assert_eq!((iterations, notes.len()), (vec![2], 1), "byte {at}");
            assert!(notes[0].contains("iteration-4") && notes[0].contains("damaged"), "{notes:?}");
        }
        for length in [0, 30, 56, 1000, sound.len() - 1] {
            fs::write(&path, &sound[..length]).unwrap();
            assert_eq!(CheckpointStore::open(here.path(), 7, 0, 1, 20_000).unwrap().1, [2]);
        }
    }
}
