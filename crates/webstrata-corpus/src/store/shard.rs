//! A shard: the files of a part of the input, one per table, and its errors.

use super::chunk::{EncodedChunk, Encoder, Part};
use super::format::Place;
use super::parquet::ParquetFile;
use super::{Counts, StoreError, table};
use crate::io::{AtomicFile, Checksum};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of errors.
pub(super) const ERRORS: Place = Place { folder: "errors", extension: "jsonl" };

/// A file of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its path in the folder of the run.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// XXH3 of its bytes.
    #[serde(with = "table::hex")]
    pub hash: u64,
}

/// The path of a shard's file in the folder of the run.
pub(super) fn name(place: Place, shard: u64) -> String {
    format!("{}/part-{shard:06}.{}", place.folder, place.extension)
}

/// The shard that a file belongs to, by its name in its folder.
pub(super) fn number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("part-")?.split('.').next()?;
    digits.parse().ok().filter(|_| digits.len() >= 6 && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// A file of a shard while it is being written, with its length and hash.
pub(super) type ShardFile = Checksum<AtomicFile>;

#[derive(Debug)]
enum Open {
    Plain(ShardFile),
    Parquet(ParquetFile),
}

/// Writes one shard.
///
/// ```
/// use webstrata_corpus::store::{Chunk, Encoder, Format, PageRow, PageRows, ShardWriter, Table};
/// let folder = tempfile::tempdir().unwrap();
/// let encoder = Encoder::new(Format::Jsonl, &[Table::Pages]).unwrap();
/// let mut shard = ShardWriter::create(folder.path(), 0, &encoder).unwrap();
/// let page = PageRow { id: "a.html@0".into(), ..PageRow::default() };
/// let chunk = Chunk { pages: vec![PageRows { page, ..PageRows::default() }], ..Chunk::default() };
/// shard.append(encoder.encode(&chunk).unwrap()).unwrap();
/// let (files, counts) = shard.finish().unwrap();
/// assert_eq!((files[0].name.as_str(), counts.pages), ("pages/part-000000.jsonl", 1));
/// ```
#[derive(Debug)]
pub struct ShardWriter {
    root: PathBuf,
    number: u64,
    files: Vec<(Place, Open)>,
    /// Created with its first entry: most shards have none.
    errors: Option<ShardFile>,
    counts: Counts,
}

impl ShardWriter {
    /// Begins a shard of the run in `root`.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn create(root: &Path, number: u64, encoder: &Encoder) -> Result<Self, StoreError> {
        let mut tables = encoder.columnar().iter();
        let open = |place: Place| {
            let path = root.join(name(place, number));
            let file = match tables.next() {
                Some(table) => Open::Parquet(ParquetFile::create(&path, table)?),
                None => Open::Plain(Checksum::new(AtomicFile::create(&path)?)),
            };
            Ok((place, file))
        };
        let files = encoder.format().places(encoder.tables()).into_iter().map(open).collect::<Result<_, StoreError>>()?;
        Ok(ShardWriter { root: root.to_owned(), number, files, errors: None, counts: Counts::default() })
    }

    /// Appends a chunk.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn append(&mut self, chunk: EncodedChunk) -> Result<(), StoreError> {
        for ((_, file), part) in self.files.iter_mut().zip(chunk.parts) {
            match (file, part) {
                (Open::Plain(file), Part::Bytes(bytes)) => {
                    file.write_all(&bytes).map_err(StoreError::io("write", file.inner.path()))?;
                }
                (Open::Parquet(file), Part::Rows(rows)) => file.append(rows)?,
                _ => return Err(StoreError::Encode { table: "shard", reason: "the chunk has a different format".to_owned() }),
            }
        }
        if !chunk.errors.is_empty() {
            let file = match &mut self.errors {
                Some(file) => file,
                None => self.errors.insert(Checksum::new(AtomicFile::create(&self.root.join(name(ERRORS, self.number)))?)),
            };
            file.write_all(&chunk.errors).map_err(StoreError::io("write", file.inner.path()))?;
        }
        self.counts.add(chunk.counts);
        Ok(())
    }

    /// Commits all files.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn finish(self) -> Result<(Vec<FileRecord>, Counts), StoreError> {
        let mut ready = Vec::new();
        for (place, file) in self.files {
            let file = match file {
                Open::Plain(file) => file,
                Open::Parquet(file) => file.finish()?,
            };
            ready.push((place, file));
        }
        ready.extend(self.errors.map(|file| (ERRORS, file)));
        let commit = |(place, file): (Place, ShardFile)| {
            let record = FileRecord { name: name(place, self.number), bytes: file.bytes(), hash: file.digest() };
            file.inner.commit()?;
            Ok(record)
        };
        Ok((ready.into_iter().map(commit).collect::<Result<_, StoreError>>()?, self.counts))
    }
}
