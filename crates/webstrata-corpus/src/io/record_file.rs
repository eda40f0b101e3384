//! Files of records: a kind, the records, their number and a checksum.
//!
//! ```text
//! "wsd1" kind  records (may be Zstandard)  count: u64  XXH3 of the stored records: u64
//! ```

use super::{AtomicFile, Checksum, IoError};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Take, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Version of the format.
const MAGIC: [u8; 4] = *b"wsd1";
const HEADER: u64 = 8;
const TRAILER: u64 = 16;
const BUFFER: usize = 1 << 16;
/// Fast, and still reduces addresses to a quarter of their size.
const COMPRESSION_LEVEL: i32 = 1;

/// A record that can be sorted, written and read.
pub(crate) trait Record: Ord + Send + Sized {
    /// Distinguishes files of different records.
    const KIND: [u8; 4];
    /// Whether files are compressed, which pays off for text.
    const COMPRESSED: bool = false;
    /// Approximate memory use in bytes.
    fn memory(&self) -> usize;
    fn write(&self, out: &mut impl Write) -> io::Result<()>;
    fn read(from: &mut impl RecordSource) -> io::Result<Self>;
}

/// A reader of numbers and byte strings.
pub(crate) trait RecordSource: Read + Sized {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> io::Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> io::Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a length and a byte string. Memory grows with the bytes actually read, not with the stated length.
    fn bytes(&mut self) -> io::Result<Vec<u8>> {
        const PIECE: u32 = 1 << 16;
        let length = self.u32()?;
        if length <= PIECE {
            let mut bytes = vec![0; length as usize];
            self.read_exact(&mut bytes)?;
            return Ok(bytes);
        }
        let mut bytes = Vec::new();
        let read = self.by_ref().take(length.into()).read_to_end(&mut bytes)?;
        if read < length as usize { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
    }

    /// Reads a length and a text.
    fn text(&mut self) -> io::Result<String> {
        String::from_utf8(self.bytes()?).map_err(|_| io::ErrorKind::InvalidData.into())
    }
}

impl<R: Read> RecordSource for R {}

/// Writes a length and a byte string.
pub(crate) fn write_bytes(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(bytes)
}

/// Byte strings are ordered by their bytes, so numbers in them are stored with the highest byte first.
impl Record for Vec<u8> {
    const KIND: [u8; 4] = *b"byte";
    const COMPRESSED: bool = true;

    fn memory(&self) -> usize {
        // The allocator rounds up.
        size_of::<Self>() + self.capacity() + 8
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_bytes(self, out)
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        from.bytes()
    }
}

impl Record for u64 {
    const KIND: [u8; 4] = *b"u64 ";

    fn memory(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.to_le_bytes())
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        from.u64()
    }
}

impl Record for (u64, u8) {
    const KIND: [u8; 4] = *b"u648";

    fn memory(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = [0; 9];
        bytes[..8].copy_from_slice(&self.0.to_le_bytes());
        bytes[8] = self.1;
        out.write_all(&bytes)
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        let [number @ .., byte] = from.array::<9>()?;
        Ok((u64::from_le_bytes(number), byte))
    }
}

/// Why records could not be read or written.
#[derive(Debug, Error)]
pub(crate) enum RecordError {
    #[error(transparent)]
    Io(#[from] IoError),
    #[error("{} is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: &'static str },
}

enum Encoder {
    Plain(Checksum<AtomicFile>),
    Zstd(zstd::Encoder<'static, Checksum<AtomicFile>>),
}

impl Write for Encoder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Encoder::Plain(out) => out.write(bytes),
            Encoder::Zstd(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Encoder::Plain(out) => out.flush(),
            Encoder::Zstd(out) => out.flush(),
        }
    }
}

/// Writes a file of records. It gets its name when it is finished.
pub(crate) struct RecordWriter<R> {
    path: PathBuf,
    out: BufWriter<Encoder>,
    count: u64,
    records: PhantomData<R>,
}

impl<R: Record> RecordWriter<R> {
    pub(crate) fn create(path: &Path) -> Result<Self, RecordError> {
        let mut file = AtomicFile::create(path)?;
        let begun = file.write_all(&MAGIC).and_then(|()| file.write_all(&R::KIND)).and_then(|()| {
            let out = Checksum::new(file);
            if R::COMPRESSED { zstd::Encoder::new(out, COMPRESSION_LEVEL).map(Encoder::Zstd) } else { Ok(Encoder::Plain(out)) }
        });
        let out = BufWriter::with_capacity(BUFFER, begun.map_err(IoError::on("write", path))?);
        Ok(RecordWriter { path: path.to_owned(), out, count: 0, records: PhantomData })
    }

    pub(crate) fn push(&mut self, record: &R) -> Result<(), RecordError> {
        self.count += 1;
        record.write(&mut self.out).map_err(|error| IoError::on("write", &self.path)(error).into())
    }

    /// Finishes the file. `durable` files survive a power failure; those that only this process reads need not.
    pub(crate) fn finish(self, durable: bool) -> Result<(), RecordError> {
        let RecordWriter { path, out, count, .. } = self;
        let end = || -> io::Result<AtomicFile> {
            let out = match out.into_inner().map_err(io::IntoInnerError::into_error)? {
                Encoder::Plain(out) => out,
                Encoder::Zstd(out) => out.finish()?,
            };
            let digest = out.digest();
            let mut file = out.inner;
            file.write_all(&count.to_le_bytes())?;
            file.write_all(&digest.to_le_bytes())?;
            Ok(file)
        };
        let file = end().map_err(IoError::on("write", &path))?;
        if durable {
            file.commit()?;
        } else {
            file.commit_without_sync()?;
        }
        Ok(())
    }
}

type Stored = Checksum<Take<File>>;

enum Decoder {
    Plain(Stored),
    Zstd(Box<zstd::Decoder<'static, BufReader<Stored>>>),
}

impl Decoder {
    fn stored(&mut self) -> &mut Stored {
        match self {
            Decoder::Plain(stored) => stored,
            Decoder::Zstd(decoder) => decoder.get_mut().get_mut(),
        }
    }
}

impl Read for Decoder {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Decoder::Plain(stored) => stored.read(bytes),
            Decoder::Zstd(decoder) => decoder.read(bytes),
        }
    }
}

/// Reads a file of records from beginning to end. Damage may be noticed only at the end.
pub(crate) struct RecordReader<R> {
    path: PathBuf,
    from: BufReader<Decoder>,
    count: u64,
    ended: bool,
    records: PhantomData<R>,
}

impl<R: Record> RecordReader<R> {
    pub(crate) fn open(path: &Path) -> Result<Self, RecordError> {
        let read = |error| IoError::on("read", path)(error);
        let mut file = File::open(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let mut header = [0; HEADER as usize];
        if length < HEADER + TRAILER || file.read_exact(&mut header).is_err() || header[..4] != MAGIC || header[4..] != R::KIND {
            return Err(RecordError::Damaged { path: path.to_owned(), reason: "it is not a file of the expected kind" });
        }
        let stored = Checksum::new(file.take(length - HEADER - TRAILER));
        let decoder = if R::COMPRESSED {
            let stored = BufReader::with_capacity(BUFFER, stored);
            Decoder::Zstd(Box::new(zstd::Decoder::with_buffer(stored).map_err(read)?))
        } else {
            Decoder::Plain(stored)
        };
        let from = BufReader::with_capacity(BUFFER, decoder);
        Ok(RecordReader { path: path.to_owned(), from, count: 0, ended: false, records: PhantomData })
    }

    fn damaged(&self, reason: &'static str) -> RecordError {
        RecordError::Damaged { path: self.path.clone(), reason }
    }

    fn read_error(&self, error: io::Error) -> RecordError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => self.damaged("a record is incomplete"),
            // Zstandard's errors have no kind of their own.
            io::ErrorKind::Other if R::COMPRESSED => self.damaged("its records cannot be decompressed"),
            _ => IoError::on("read", &self.path)(error).into(),
        }
    }

    fn read(&mut self) -> Result<Option<R>, RecordError> {
        if self.from.buffer().is_empty() {
            let ended = self.from.fill_buf().map(<[u8]>::is_empty);
            if ended.map_err(|error| self.read_error(error))? {
                return self.check_trailer().map(|()| None);
            }
        }
        let record = R::read(&mut self.from).map_err(|error| self.read_error(error))?;
        self.count += 1;
        Ok(Some(record))
    }

    fn check_trailer(&mut self) -> Result<(), RecordError> {
        let count = self.count;
        let stored = self.from.get_mut().stored();
        // Bytes after the records of a compressed file are damage as well, but have to be read to be hashed.
        let rest = io::copy(stored, &mut io::sink());
        let digest = stored.digest();
        let mut trailer = [0; TRAILER as usize];
        stored.inner.set_limit(TRAILER);
        let read = rest.and_then(|_| stored.inner.read_exact(&mut trailer));
        read.map_err(|error| self.read_error(error))?;
        if trailer != [count.to_le_bytes(), digest.to_le_bytes()].concat()[..] {
            return Err(self.damaged("it was changed after it was written"));
        }
        Ok(())
    }
}

impl<R: Record> Iterator for RecordReader<R> {
    type Item = Result<R, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;
    use std::fs;

    fn write<R: Record>(path: &Path, records: &[R]) {
        let mut writer = RecordWriter::create(path).unwrap();
        for record in records {
            writer.push(record).unwrap();
        }
        writer.finish(true).unwrap();
    }

    fn read<R: Record>(path: &Path) -> Result<Vec<R>, RecordError> {
        RecordReader::open(path)?.collect()
    }

    fn round_trip<R: Record + Debug>(make: fn(u64) -> R) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        for count in [0, 1, 20_000] {
            let records: Vec<R> = (0..count).map(make).collect();
            write(&path, &records);
            assert_eq!(read::<R>(&path).unwrap(), records);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_written_is_read() {
        round_trip(|number| number * 3);
        round_trip(|number| (number * 3, number as u8));
        round_trip(|number| format!("https://example.org/{number}").into_bytes());
        round_trip(|number| vec![b'x'; if number == 7 { 200_000 } else { 3 }]);
    }

    #[test]
    fn every_changed_byte_and_every_truncation_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let numbers: Vec<u64> = (0..20).collect();
        let texts: Vec<Vec<u8>> = numbers.iter().map(|number| format!("text {number}").into_bytes()).collect();
        for compressed in [false, true] {
            if compressed {
                write(&path, &texts);
            } else {
                write(&path, &numbers);
            }
            let good = fs::read(&path).unwrap();
            let is_damaged = || {
                let error = if compressed { read::<Vec<u8>>(&path).err() } else { read::<u64>(&path).err() };
                matches!(error, Some(RecordError::Damaged { .. }))
            };
            for place in 0..good.len() {
                let mut bad = good.clone();
                bad[place] ^= 0x10;
                fs::write(&path, &bad).unwrap();
                assert!(is_damaged(), "byte {place}, compressed: {compressed}");
                fs::write(&path, &good[..place]).unwrap();
                assert!(is_damaged(), "cut at {place}, compressed: {compressed}");
            }
        }
    }
}
