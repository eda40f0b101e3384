//! Sorting more than fits into memory: byte strings are sorted by the bufferful, put aside, and merged.
//!
//! Strings compare by their bytes, so numbers are written with the highest byte first. What is put aside is packed, and is gone
//! when the sorter is, whatever ends it.

use super::GraphError;
use crate::store::StoreError;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use zstd::stream::{Decoder, Encoder};

/// Files that are merged at a time.
const FAN_IN: usize = 64;
/// Longest string: two addresses and more.
const MAX_LEN: u32 = 1 << 17;
/// Fast, and still a quarter of the size.
const LEVEL: i32 = 1;
/// The end of a file of strings, where the length of one would be.
const END: u32 = u32::MAX;

/// A folder for what is put aside. It goes with its last user.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
    made: std::cell::Cell<u32>,
}

impl Scratch {
    /// An empty folder inside of `folder`.
    pub(crate) fn new(folder: &Path) -> Result<Scratch, GraphError> {
        let folder = folder.join(".sorting.tmp");
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(StoreError::io("remove", &folder))?;
        }
        fs::create_dir_all(&folder).map_err(StoreError::io("make the folder", &folder))?;
        Ok(Scratch { folder, made: std::cell::Cell::new(0) })
    }

    fn name(&self) -> PathBuf {
        self.made.set(self.made.get() + 1);
        self.folder.join(format!("{:08}", self.made.get()))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A file of strings that can be read often.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    path: PathBuf,
    pub(crate) count: u64,
}

impl Run {
    /// The strings, from the first.
    pub(crate) fn read(&self) -> Result<RunReader, GraphError> {
        let file = File::open(&self.path).map_err(StoreError::io("read", &self.path))?;
        let strings = Decoder::with_buffer(BufReader::with_capacity(1 << 16, file)).map_err(StoreError::io("read", &self.path))?;
        Ok(RunReader { path: self.path.clone(), strings, ended: false })
    }

    fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Reads a file of strings.
pub(crate) struct RunReader {
    path: PathBuf,
    strings: Decoder<'static, BufReader<File>>,
    ended: bool,
}

impl RunReader {
    /// The next string, put into `string`. False at the end.
    pub(crate) fn next(&mut self, string: &mut Vec<u8>) -> Result<bool, GraphError> {
        if self.ended {
            return Ok(false);
        }
        let mut length = [0; 4];
        let mut read = |bytes: &mut [u8]| match self.strings.read_exact(bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(GraphError::Changed(self.path.clone())),
            other => other.map_err(|error| StoreError::io("read", &self.path)(error).into()),
        };
        read(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length == END {
            self.ended = true;
            return Ok(false);
        }
        if length > MAX_LEN {
            return Err(GraphError::Changed(self.path.clone()));
        }
        string.resize(length as usize, 0);
        read(string)?;
        Ok(true)
    }
}

/// Writes a file of strings.
pub(crate) struct RunWriter {
    path: PathBuf,
    out: Encoder<'static, BufWriter<File>>,
    count: u64,
}

impl RunWriter {
    pub(crate) fn new(scratch: &Scratch) -> Result<RunWriter, GraphError> {
        let path = scratch.name();
        let file = File::create(&path).map_err(StoreError::io("write", &path))?;
        let out = Encoder::new(BufWriter::with_capacity(1 << 16, file), LEVEL).map_err(StoreError::io("write", &path))?;
        Ok(RunWriter { path, out, count: 0 })
    }

    pub(crate) fn push(&mut self, string: &[u8]) -> Result<(), GraphError> {
        let length = u32::try_from(string.len()).unwrap_or(END).min(MAX_LEN);
        let result = self.out.write_all(&length.to_le_bytes()).and_then(|()| self.out.write_all(&string[..length as usize]));
        result.map_err(StoreError::io("write", &self.path))?;
        self.count += 1;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<Run, GraphError> {
        let fail = StoreError::io("write", &self.path);
        let result = self.out.write_all(&END.to_le_bytes()).and_then(|()| self.out.finish()).and_then(|mut out| out.flush());
        result.map_err(fail)?;
        Ok(Run { path: self.path, count: self.count })
    }
}

/// Takes strings in any order.
pub(crate) struct Sorter<'s> {
    scratch: &'s Scratch,
    memory: usize,
    /// Are equal strings one?
    unique: bool,
    bytes: Vec<u8>,
    /// Where each string stands in `bytes`.
    places: Vec<(usize, u32)>,
    runs: Vec<Run>,
}

impl<'s> Sorter<'s> {
    /// A sorter with a buffer of `memory` bytes.
    pub(crate) fn new(scratch: &'s Scratch, memory: usize, unique: bool) -> Sorter<'s> {
        Sorter { scratch, memory: memory.max(1 << 10), unique, bytes: Vec::new(), places: Vec::new(), runs: Vec::new() }
    }

    pub(crate) fn push(&mut self, string: &[u8]) -> Result<(), GraphError> {
        let used = self.bytes.len() + self.places.len() * size_of::<(usize, u32)>();
        if used + string.len() > self.memory && !self.places.is_empty() {
            self.spill()?;
        }
        let length = u32::try_from(string.len()).unwrap_or(MAX_LEN).min(MAX_LEN);
        self.places.push((self.bytes.len(), length));
        self.bytes.extend_from_slice(&string[..length as usize]);
        Ok(())
    }

    fn spill(&mut self) -> Result<(), GraphError> {
        let Sorter { bytes, places, .. } = self;
        let string = |&(from, length): &(usize, u32)| &bytes[from..from + length as usize];
        places.sort_unstable_by(|one, two| string(one).cmp(string(two)));
        if self.unique {
            places.dedup_by(|one, two| string(one) == string(two));
        }
        let mut run = RunWriter::new(self.scratch)?;
        for place in places.iter() {
            run.push(string(place))?;
        }
        self.runs.push(run.finish()?);
        self.bytes.clear();
        self.places.clear();
        Ok(())
    }

    /// All strings in order, as one file.
    pub(crate) fn finish(mut self) -> Result<Run, GraphError> {
        self.spill()?;
        self.bytes = Vec::new();
        self.places = Vec::new();
        while self.runs.len() > 1 {
            let merged =
                self.runs.chunks(FAN_IN).map(|runs| merge(self.scratch, runs, self.unique)).collect::<Result<Vec<_>, _>>()?;
            self.runs = merged;
        }
        match self.runs.pop() {
            Some(run) => Ok(run),
            None => RunWriter::new(self.scratch)?.finish(),
        }
    }
}

/// Merges sorted files into one, and removes them.
fn merge(scratch: &Scratch, runs: &[Run], unique: bool) -> Result<Run, GraphError> {
    let mut readers = runs.iter().map(Run::read).collect::<Result<Vec<_>, _>>()?;
    let mut heads = BinaryHeap::with_capacity(readers.len());
    for (number, reader) in readers.iter_mut().enumerate() {
        let mut string = Vec::new();
        if reader.next(&mut string)? {
            heads.push(Reverse((string, number)));
        }
    }
    let mut out = RunWriter::new(scratch)?;
    let mut last: Option<Vec<u8>> = None;
    while let Some(Reverse((mut string, number))) = heads.pop() {
        if !unique || last.as_ref() != Some(&string) {
            out.push(&string)?;
            if unique {
                let kept = last.get_or_insert_default();
                kept.clear();
                kept.extend_from_slice(&string);
            }
        }
        if readers[number].next(&mut string)? {
            heads.push(Reverse((string, number)));
        }
    }
    let merged = out.finish()?;
    runs.iter().for_each(Run::remove);
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(strings: &[Vec<u8>], memory: usize, unique: bool) -> Vec<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(folder.path()).unwrap();
        let mut sorter = Sorter::new(&scratch, memory, unique);
        for string in strings {
            sorter.push(string).unwrap();
        }
        let run = sorter.finish().unwrap();
        let (mut reader, mut string, mut found) = (run.read().unwrap(), Vec::new(), Vec::new());
        while reader.next(&mut string).unwrap() {
            found.push(string.clone());
        }
        assert_eq!(run.count, found.len() as u64);
        drop(scratch);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        found
    }

    proptest! {
        #[test]
        fn on_disk_as_in_memory(strings in prop::collection::vec(prop::collection::vec(0..4u8, 0..6), 0..2000), unique in any::<bool>()) {
            let mut want = strings.clone();
            want.sort();
            if unique {
                want.dedup();
            }
            // The least memory makes more files than are merged at a time.
            prop_assert_eq!(sorted(&strings, 0, unique), want.clone());
            prop_assert_eq!(sorted(&strings, 1 << 20, unique), want);
        }
    }

    #[test]
    fn files_that_changed_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(folder.path()).unwrap();
        let mut run = RunWriter::new(&scratch).unwrap();
        for number in 0..10_000u32 {
            run.push(&number.wrapping_mul(2_654_435_761).to_be_bytes()).unwrap();
        }
        let run = run.finish().unwrap();
        let bytes = fs::read(&run.path).unwrap();
        fs::write(&run.path, &bytes[..bytes.len() / 2]).unwrap();
        let mut reader = run.read().unwrap();
        let mut string = Vec::new();
        let error = loop {
            match reader.next(&mut string) {
                Ok(more) => assert!(more, "the end of half a file was taken for its end"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, GraphError::Changed(_)), "{error}");
    }
}
