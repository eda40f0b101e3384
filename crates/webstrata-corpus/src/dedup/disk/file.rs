//! A file of records: its kind, the records, their number and a checksum. It has its name only when it is whole.

use super::Record;
use crate::dedup::error::{DedupError, at, damaged};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Take, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3Default;

/// Version of the files; one that is changed gets another.
const MAGIC: [u8; 4] = *b"wsd1";
const HEAD: u64 = 8;
const TAIL: u64 = 16;
const BUFFER: usize = 64 << 10;
/// A file of settings that is longer is none of ours.
const LONGEST_JSON: u64 = 1 << 20;

/// Counts what goes through it into a checksum.
struct Summed<T> {
    inner: T,
    sum: Xxh3Default,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.sum.update(&bytes[..read]);
        Ok(read)
    }
}

/// The name of a file while it is being written.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    name.into()
}

/// Writes a file of records.
pub(crate) struct RecordWriter<R> {
    path: PathBuf,
    out: BufWriter<Summed<File>>,
    count: u64,
    lasting: bool,
    records: PhantomData<R>,
}

impl<R: Record> RecordWriter<R> {
    /// `lasting`: does it have to survive the machine? Files that are made and used by one run do not.
    pub(crate) fn create(path: &Path, lasting: bool) -> Result<Self, DedupError> {
        let mut file = File::create(temporary(path)).map_err(at(path))?;
        file.write_all(&MAGIC).and_then(|()| file.write_all(&R::KIND)).map_err(at(path))?;
        let out = BufWriter::with_capacity(BUFFER, Summed { inner: file, sum: Xxh3Default::new() });
        Ok(RecordWriter { path: path.to_owned(), out, count: 0, lasting, records: PhantomData })
    }

    pub(crate) fn push(&mut self, record: &R) -> Result<(), DedupError> {
        self.count += 1;
        record.write(&mut self.out).map_err(at(&self.path))
    }

    /// The file gets its name.
    pub(crate) fn finish(self) -> Result<PathBuf, DedupError> {
        let RecordWriter { path, out, count, lasting, .. } = self;
        let done = || -> io::Result<()> {
            let Summed { inner: mut file, sum } = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.write_all(&count.to_le_bytes())?;
            file.write_all(&sum.digest().to_le_bytes())?;
            if lasting {
                file.sync_all()?;
            }
            fs::rename(temporary(&path), &path)
        };
        done().map_err(at(&path))?;
        Ok(path)
    }
}

/// Reads a file of records from its beginning to its end. That all of it was read right is known at the end.
pub(crate) struct RecordReader<R> {
    path: PathBuf,
    from: BufReader<Summed<Take<File>>>,
    read: u64,
    over: bool,
    records: PhantomData<R>,
}

impl<R: Record> RecordReader<R> {
    pub(crate) fn open(path: &Path) -> Result<Self, DedupError> {
        let mut file = File::open(path).map_err(at(path))?;
        let length = file.metadata().map_err(at(path))?.len();
        let mut head = [0; HEAD as usize];
        if length < HEAD + TAIL || file.read_exact(&mut head).is_err() || head[..4] != MAGIC || head[4..] != R::KIND {
            return Err(damaged(path, "this is not a file of the kind that belongs here"));
        }
        let records = Summed { inner: file.take(length - HEAD - TAIL), sum: Xxh3Default::new() };
        let from = BufReader::with_capacity(BUFFER, records);
        Ok(RecordReader { path: path.to_owned(), from, read: 0, over: false, records: PhantomData })
    }

    fn step(&mut self) -> Result<Option<R>, DedupError> {
        let buffered = self.from.buffer().len() as u64;
        if buffered == 0 && self.from.get_ref().inner.limit() == 0 {
            return self.check().map(|()| None);
        }
        let record = R::read(&mut self.from).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => damaged(&self.path, "a record is not whole"),
            _ => at(&self.path)(error),
        })?;
        self.read += 1;
        Ok(Some(record))
    }

    fn check(&mut self) -> Result<(), DedupError> {
        let sum = self.from.get_ref().sum.digest();
        let mut tail = [0; TAIL as usize];
        let take = &mut self.from.get_mut().inner;
        take.set_limit(TAIL);
        take.read_exact(&mut tail).map_err(at(&self.path))?;
        if tail != [self.read.to_le_bytes(), sum.to_le_bytes()].concat()[..] {
            return Err(damaged(&self.path, "it was changed after it was written"));
        }
        Ok(())
    }
}

impl<R: Record> Iterator for RecordReader<R> {
    type Item = Result<R, DedupError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let step = self.step().transpose();
        self.over = !matches!(step, Some(Ok(_)));
        step
    }
}

/// Writes a small file of settings.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), DedupError> {
    let write = || -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(value)?;
        text.push(b'\n');
        let mut file = File::create(temporary(path))?;
        file.write_all(&text)?;
        file.sync_all()?;
        fs::rename(temporary(path), path)
    };
    write().map_err(at(path))
}

/// Reads a small file of settings; none if there is no such file.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, DedupError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at(path)(error)),
    };
    let mut text = Vec::new();
    file.take(LONGEST_JSON).read_to_end(&mut text).map_err(at(path))?;
    serde_json::from_slice(&text).map(Some).map_err(|error| damaged(path, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dedup::index::Entry;

    fn write(path: &Path, count: u32) {
        let mut writer = RecordWriter::create(path, true).unwrap();
        for doc in 0..count {
            writer.push(&Entry { key: u64::from(doc) * 3, doc }).unwrap();
        }
        assert!(!path.exists(), "no name before it is whole");
        writer.finish().unwrap();
    }

    fn read(path: &Path) -> Result<Vec<Entry>, DedupError> {
        RecordReader::open(path)?.collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        for count in [0, 1, 20_000] {
            let _ = fs::remove_file(&path);
            write(&path, count);
            let read = read(&path).unwrap();
            assert_eq!(read, (0..count).map(|doc| Entry { key: u64::from(doc) * 3, doc }).collect::<Vec<_>>());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        write(&path, 20);
        let good = fs::read(&path).unwrap();
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 0x10;
            fs::write(&path, &bad).unwrap();
            assert!(matches!(read(&path), Err(DedupError::Damaged { .. })), "byte {place}");
            fs::write(&path, &good[..place]).unwrap();
            assert!(read(&path).is_err(), "cut at {place}");
        }
    }
}
