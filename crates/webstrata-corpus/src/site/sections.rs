//! A file of sections by name: one per site of a crawl.
//!
//! The file has a first line that identifies it, a section per site, a table of names and offsets, and the offset of the table. A reader
//! keeps the table in memory and reads a site on request. Files may come from anywhere: lengths and checksums are checked before
//! anything is used.

use super::file::{self, FileError};
use crate::io::{AtomicFile, IoError};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

const TABLE: &[u8] = b"table\n";

/// Largest section that is read.
const MAX_BYTES: u64 = 1 << 30;

/// For each site: offset, length and checksum.
type Table = BTreeMap<String, (u64, u64, u64)>;

/// Writes a file, which appears when it is complete.
#[derive(Debug)]
pub(super) struct SectionWriter {
    file: AtomicFile,
    at: u64,
    table: Table,
}

impl SectionWriter {
    /// Begins a file; `magic` is its first line.
    pub(super) fn create(path: &Path, magic: &[u8]) -> Result<Self, IoError> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(magic).map_err(IoError::on("write", path))?;
        Ok(SectionWriter { file, at: magic.len() as u64, table: BTreeMap::new() })
    }

    /// Adds a site; empty sections are left out.
    pub(super) fn add(&mut self, site: &str, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.file.write_all(bytes)?;
        self.table.insert(site.to_owned(), (self.at, bytes.len() as u64, xxh3_64(bytes)));
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Completes the file.
    pub(super) fn finish(mut self) -> Result<(), FileError> {
        self.file.write_all(&file::pack(TABLE, &self.table)?)?;
        self.file.write_all(&self.at.to_le_bytes())?;
        self.file.commit().map_err(|error| FileError::Io(error.error))
    }
}

/// A file of sections.
#[derive(Debug)]
pub(super) struct SectionFile {
    /// Locked, because a file has only one position.
    file: Mutex<File>,
    table: Table,
    /// Checksum of the table, which contains the checksums of all sites.
    checksum: u64,
}

impl SectionFile {
    /// Opens a file with this first line.
    pub(super) fn open(path: &Path, magic: &[u8]) -> Result<Self, FileError> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut first = vec![0; magic.len()];
        file.read_exact(&mut first).map_err(|_| FileError::Kind)?;
        if first != magic {
            return Err(FileError::Kind);
        }
        let end = length.checked_sub(8).ok_or(FileError::Damaged)?;
        file.seek(SeekFrom::Start(end))?;
        let mut last = [0; 8];
        file.read_exact(&mut last)?;
        let start = u64::from_le_bytes(last);
        let bytes = read_section(&mut file, start, end.checked_sub(start).ok_or(FileError::Damaged)?)?;
        let table: Table = file::unpack(TABLE, &bytes)?;
        if table.values().any(|&(at, size, _)| at.checked_add(size).is_none_or(|to| to > start)) {
            return Err(FileError::Inconsistent("a site extends beyond the end"));
        }
        Ok(SectionFile { file: Mutex::new(file), table, checksum: xxh3_64(&bytes) })
    }

    /// Names of the sites, sorted.
    pub(super) fn sites(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(String::as_str)
    }

    /// Whether there is a section of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    /// A number that is the same for files with the same sections.
    pub(super) fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The section of a site, if there is one.
    pub(super) fn section(&self, name: &str) -> Result<Option<Vec<u8>>, FileError> {
        let Some(&(at, size, sum)) = self.table.get(name) else { return Ok(None) };
        let bytes = read_section(&mut self.file.lock().unwrap_or_else(PoisonError::into_inner), at, size)?;
        if xxh3_64(&bytes) == sum { Ok(Some(bytes)) } else { Err(FileError::Damaged) }
    }
}

fn read_section(file: &mut File, at: u64, size: u64) -> Result<Vec<u8>, FileError> {
    if size > MAX_BYTES {
        return Err(FileError::Inconsistent("a section is too large"));
    }
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == size { Ok(bytes) } else { Err(FileError::Damaged) }
}
