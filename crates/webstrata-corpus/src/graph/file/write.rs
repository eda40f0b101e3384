//! Writes graph files.

use super::super::assemble::{Assembler, Sink};
use super::super::error::GraphError;
use super::super::names::{Names, TextWriter};
use super::super::{Graph, assemble};
use super::{ALIGNMENT, END, HAS_HOSTS, Kind, MAGIC, SORTED, Table, VERSION};
use crate::io::{AtomicFile, IoError, TempDir};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Bytes converted at a time.
const PIECE: usize = 1 << 16;

/// A graph file being written: first the adjacency lists, with the strata spooled, then the tables that are in memory.
pub(crate) struct FileWriter {
    out: AtomicFile,
    at: u64,
    tables: Vec<Table>,
    open: Option<(Kind, u64, Box<Xxh3Default>)>,
    piece: Vec<u8>,
    strata: Option<StrataSpool>,
}

/// Names to be written.
pub(crate) enum NamesToWrite<'n> {
    Dense,
    Numbers(&'n [u32]),
    /// Returns the next name; there is one per page.
    Texts(&'n mut dyn FnMut(&mut Vec<u8>) -> Result<bool, GraphError>),
}

/// Strata in a temporary file, until their offset in the graph file is known.
struct StrataSpool {
    out: BufWriter<File>,
    path: PathBuf,
    /// Holds the file.
    _folder: TempDir,
}

impl StrataSpool {
    fn create(beside: &Path) -> Result<StrataSpool, GraphError> {
        let parent = beside.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = TempDir::new(parent.unwrap_or(Path::new(".")));
        let path = folder.new_path()?;
        let out = File::create_new(&path).map_err(IoError::on("write", &path))?;
        Ok(StrataSpool { out: BufWriter::with_capacity(PIECE, out), path, _folder: folder })
    }
}

impl FileWriter {
    /// Starts a file with the adjacency lists.
    pub(crate) fn create(path: &Path) -> Result<FileWriter, GraphError> {
        let out = AtomicFile::create(path)?;
        let mut file = FileWriter { out, at: 0, tables: Vec::new(), open: None, piece: Vec::new(), strata: None };
        file.raw(MAGIC)?;
        file.begin(Kind::Adjacency)?;
        Ok(file)
    }

    /// The final path of the file.
    pub(crate) fn path(&self) -> &Path {
        self.out.path()
    }

    fn raw(&mut self, bytes: &[u8]) -> Result<(), GraphError> {
        let path = self.out.path().to_owned();
        self.out.write_all(bytes).map_err(IoError::on("write", &path))?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn begin(&mut self, kind: Kind) -> Result<(), GraphError> {
        let padding = (ALIGNMENT - self.at % ALIGNMENT) % ALIGNMENT;
        self.raw(&vec![0; padding as usize])?;
        self.open = Some((kind, self.at, Box::default()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), GraphError> {
        if let Some((_, _, hash)) = &mut self.open {
            hash.update(bytes);
        }
        self.raw(bytes)
    }

    fn end(&mut self) {
        if let Some((kind, offset, hash)) = self.open.take() {
            self.tables.push(Table { kind: kind as u32, offset, length: self.at - offset, hash: hash.digest() });
        }
    }

    /// Writes numbers through a buffer.
    fn numbers<T: Copy, const N: usize>(&mut self, numbers: &[T], bytes: impl Fn(T) -> [u8; N]) -> Result<(), GraphError> {
        let mut piece = std::mem::take(&mut self.piece);
        let mut done = Ok(());
        for part in numbers.chunks(PIECE / N) {
            piece.clear();
            part.iter().for_each(|&number| piece.extend_from_slice(&bytes(number)));
            done = self.write(&piece);
            if done.is_err() {
                break;
            }
        }
        self.piece = piece;
        done
    }

    fn write_u64s(&mut self, kind: Kind, numbers: &[u64]) -> Result<(), GraphError> {
        self.begin(kind)?;
        self.numbers(numbers, u64::to_le_bytes)?;
        self.end();
        Ok(())
    }

    fn words(&mut self, kind: Kind, numbers: &[u32]) -> Result<(), GraphError> {
        self.begin(kind)?;
        self.numbers(numbers, u32::to_le_bytes)?;
        self.end();
        Ok(())
    }

    /// Copies the spooled strata.
    fn copy_strata(&mut self) -> Result<(), GraphError> {
        let Some(mut spool) = self.strata.take() else { return Ok(()) };
        let fail = |error| IoError::on("read", &spool.path)(error);
        spool.out.flush().map_err(fail)?;
        let mut from = BufReader::new(File::open(&spool.path).map_err(fail)?);
        self.begin(Kind::Strata)?;
        let mut piece = vec![0; PIECE];
        loop {
            let read = match from.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(fail)?,
            };
            if read == 0 {
                break;
            }
            self.write(&piece[..read])?;
        }
        self.end();
        Ok(())
    }

    /// Writes the directory and the end of the file.
    fn write_directory(&mut self, flags: u32, pages: usize, hosts: usize, links: u64) -> Result<(), GraphError> {
        let mut directory = Vec::new();
        directory.extend_from_slice(&VERSION.to_le_bytes());
        directory.extend_from_slice(&flags.to_le_bytes());
        for count in [pages as u64, hosts as u64, links, self.tables.len() as u64] {
            directory.extend_from_slice(&count.to_le_bytes());
        }
        for table in &self.tables {
            directory.extend_from_slice(&table.kind.to_le_bytes());
            for number in [table.offset, table.length, table.hash] {
                directory.extend_from_slice(&number.to_le_bytes());
            }
        }
        let (length, hash) = (directory.len() as u64, xxh3_64(&directory));
        directory.extend_from_slice(&length.to_le_bytes());
        directory.extend_from_slice(&hash.to_le_bytes());
        directory.extend_from_slice(END);
        self.raw(&directory)
    }

    fn texts(
        &mut self,
        starts: &[u32],
        next: &mut dyn FnMut(&mut Vec<u8>) -> Result<bool, GraphError>,
        order: Option<&[u32]>,
    ) -> Result<(), GraphError> {
        let (mut writer, mut name, mut piece) = (TextWriter::default(), Vec::new(), Vec::new());
        self.begin(Kind::Texts)?;
        while next(&mut name)? {
            writer.push(&name, &mut piece);
            if piece.len() >= PIECE {
                self.write(&piece)?;
                piece.clear();
            }
        }
        self.write(&piece)?;
        self.end();
        self.write_u64s(Kind::Offsets, &writer.offsets())?;
        let ascending: Vec<u32>;
        let order = match order {
            Some(order) => order,
            None => {
                ascending = (0..starts.len().saturating_sub(1) as u32).collect();
                &ascending
            }
        };
        self.words(Kind::HostOrder, order)
    }
}

impl Sink for FileWriter {
    fn words(&mut self, words: &[u16]) -> Result<(), GraphError> {
        self.numbers(words, u16::to_le_bytes)
    }

    fn strata(&mut self, strata: &[u8]) -> Result<(), GraphError> {
        if self.strata.is_none() {
            self.strata = Some(StrataSpool::create(self.out.path())?);
        }
        let Some(spool) = &mut self.strata else { return Ok(()) };
        spool.out.write_all(strata).map_err(IoError::on("write", &spool.path))?;
        Ok(())
    }
}

impl Assembler<FileWriter> {
    /// Writes the remaining tables and renames the file. Names are in the order of pages, hosts in the order of their keys.
    pub(crate) fn finish(mut self, starts: Option<Vec<u32>>, names: NamesToWrite<'_>) -> Result<(), GraphError> {
        self.close()?;
        let pages = self.degrees.len();
        let flags = if starts.is_some() { HAS_HOSTS } else { 0 } | SORTED;
        let starts = starts.unwrap_or_else(|| assemble::pseudo_host_starts(pages));
        let Assembler { sink: mut file, degrees, index, links, .. } = self;
        file.end();
        file.copy_strata()?;
        file.write_u64s(Kind::Index, &index)?;
        file.words(Kind::Degrees, &degrees)?;
        file.words(Kind::Starts, &starts)?;
        match names {
            NamesToWrite::Dense => {}
            NamesToWrite::Numbers(numbers) => file.words(Kind::Numbers, numbers)?,
            NamesToWrite::Texts(next) => file.texts(&starts, next, None)?,
        }
        file.write_directory(flags, pages, starts.len().saturating_sub(1), links)?;
        file.out.commit()?;
        Ok(())
    }
}

impl Graph {
    /// Writes the graph to a file for [`Graph::open`]. The file appears once it is complete.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), GraphError> {
        let mut file = FileWriter::create(path)?;
        file.numbers(&self.adjacency, u16::to_le_bytes)?;
        file.end();
        if let Some(strata) = &self.strata {
            file.begin(Kind::Strata)?;
            file.write(strata)?;
            file.end();
        }
        file.write_u64s(Kind::Index, &self.index)?;
        file.words(Kind::Degrees, &self.degrees)?;
        file.words(Kind::Starts, &self.starts)?;
        let mut flags = if self.has_hosts { HAS_HOSTS } else { 0 };
        match &self.names {
            Names::Dense => {}
            Names::Numbers(numbers) => file.words(Kind::Numbers, numbers)?,
            Names::Texts(texts) => {
                flags |= if texts.sorted { SORTED } else { 0 };
                file.begin(Kind::Texts)?;
                file.write(&texts.names.bytes)?;
                file.end();
                file.write_u64s(Kind::Offsets, &texts.names.offsets)?;
                file.words(Kind::HostOrder, &texts.host_order)?;
            }
        }
        file.write_directory(flags, self.num_pages(), self.num_hosts(), self.links)?;
        file.out.commit()?;
        Ok(())
    }
}
