//! Writes a graph.

use super::super::assemble::{Assembler, Sink};
use super::super::error::GraphError;
use super::super::names::{Names, TextWriter};
use super::super::{Graph, assemble};
use super::{ALIGNMENT, END, HAS_HOSTS, Kind, MAGIC, SORTED, Table, VERSION};
use crate::io::AtomicFile;
use crate::store::StoreError;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Bytes that are converted at a time.
const PIECE: usize = 1 << 16;

/// A graph that is being written: first the stream, with the strata put aside, then the tables that fit into memory.
pub(crate) struct FileWriter {
    out: AtomicFile,
    at: u64,
    tables: Vec<Table>,
    open: Option<(Kind, u64, Box<Xxh3Default>)>,
    piece: Vec<u8>,
    temp_dir: Option<TempDir>,
}

/// Names as the writer of a file takes them.
pub(crate) enum NamesToWrite<'n> {
    Dense,
    Numbers(&'n [u32]),
    /// Gives the next name; the number of names is that of the pages.
    Texts(&'n mut dyn FnMut(&mut Vec<u8>) -> Result<bool, GraphError>),
}

/// A file beside that is gone when it is dropped.
struct TempDir {
    path: PathBuf,
    out: BufWriter<File>,
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl TempDir {
    fn new(path: &Path) -> Result<TempDir, GraphError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let path = path.with_file_name(format!(".{name}.strata.tmp"));
        let out = File::create_new(&path).or_else(|_| std::fs::remove_file(&path).and_then(|()| File::create_new(&path)));
        Ok(TempDir { out: BufWriter::with_capacity(PIECE, out.map_err(StoreError::io("write", &path))?), path })
    }
}

impl FileWriter {
    /// Begins a file with the table of in-links.
    pub(crate) fn create(path: &Path) -> Result<FileWriter, GraphError> {
        let out = AtomicFile::create(path)?;
        let mut file = FileWriter { out, at: 0, tables: Vec::new(), open: None, piece: Vec::new(), temp_dir: None };
        file.raw(MAGIC)?;
        file.begin(Kind::Stream)?;
        Ok(file)
    }

    /// The name that the file will have.
    pub(crate) fn path(&self) -> &Path {
        self.out.path()
    }

    fn raw(&mut self, bytes: &[u8]) -> Result<(), GraphError> {
        let path = self.out.path().to_owned();
        self.out.write_all(bytes).map_err(StoreError::io("write", &path))?;
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
        if let Some((kind, place, hash)) = self.open.take() {
            self.tables.push(Table { kind: kind as u32, place, length: self.at - place, hash: hash.digest() });
        }
    }

    /// Writes numbers by way of a piece of bytes.
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

    fn longs(&mut self, kind: Kind, numbers: &[u64]) -> Result<(), GraphError> {
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

    /// The strata that were put aside.
    fn copy_strata(&mut self) -> Result<(), GraphError> {
        let Some(mut temp_dir) = self.temp_dir.take() else { return Ok(()) };
        let fail = |error| StoreError::io("read", &temp_dir.path)(error);
        temp_dir.out.flush().map_err(fail)?;
        let mut from = BufReader::new(File::open(&temp_dir.path).map_err(fail)?);
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

    /// The list of tables, and the end.
    fn list(&mut self, flags: u32, pages: usize, hosts: usize, links: u64) -> Result<(), GraphError> {
        let mut list = Vec::new();
        list.extend_from_slice(&VERSION.to_le_bytes());
        list.extend_from_slice(&flags.to_le_bytes());
        for count in [pages as u64, hosts as u64, links, self.tables.len() as u64] {
            list.extend_from_slice(&count.to_le_bytes());
        }
        for table in &self.tables {
            list.extend_from_slice(&table.kind.to_le_bytes());
            for number in [table.place, table.length, table.hash] {
                list.extend_from_slice(&number.to_le_bytes());
            }
        }
        let (length, hash) = (list.len() as u64, xxh3_64(&list));
        list.extend_from_slice(&length.to_le_bytes());
        list.extend_from_slice(&hash.to_le_bytes());
        list.extend_from_slice(END);
        self.raw(&list)
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
        self.longs(Kind::Places, &writer.places())?;
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
        if self.temp_dir.is_none() {
            self.temp_dir = Some(TempDir::new(self.out.path())?);
        }
        let Some(temp_dir) = &mut self.temp_dir else { return Ok(()) };
        temp_dir.out.write_all(strata).map_err(StoreError::io("write", &temp_dir.path))?;
        Ok(())
    }
}

impl Assembler<FileWriter> {
    /// Writes what is left, and gives the file its name. Names are in the order of pages, hosts in the order of their names.
    pub(crate) fn finish(mut self, starts: Option<Vec<u32>>, names: NamesToWrite<'_>) -> Result<(), GraphError> {
        self.close()?;
        let pages = self.degrees.len();
        let flags = if starts.is_some() { HAS_HOSTS } else { 0 } | SORTED;
        let starts = starts.unwrap_or_else(|| assemble::starts_of_numbers(pages));
        let Assembler { sink: mut file, degrees, index, links, .. } = self;
        file.end();
        file.copy_strata()?;
        file.longs(Kind::Index, &index)?;
        file.words(Kind::Degrees, &degrees)?;
        file.words(Kind::Starts, &starts)?;
        match names {
            NamesToWrite::Dense => {}
            NamesToWrite::Numbers(numbers) => file.words(Kind::Numbers, numbers)?,
            NamesToWrite::Texts(next) => file.texts(&starts, next, None)?,
        }
        file.list(flags, pages, starts.len().saturating_sub(1), links)?;
        file.out.commit()?;
        Ok(())
    }
}

impl Graph {
    /// Writes the graph to a file, which [`Graph::open`] maps. The file appears when it is whole.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), GraphError> {
        let mut file = FileWriter::create(path)?;
        file.numbers(&self.adjacency, u16::to_le_bytes)?;
        file.end();
        if let Some(strata) = &self.strata {
            file.begin(Kind::Strata)?;
            file.write(strata)?;
            file.end();
        }
        file.longs(Kind::Index, &self.index)?;
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
                file.longs(Kind::Places, &texts.names.places)?;
                file.words(Kind::HostOrder, &texts.host_order)?;
            }
        }
        file.list(flags, self.num_pages(), self.num_hosts(), self.links)?;
        file.out.commit()?;
        Ok(())
    }
}
