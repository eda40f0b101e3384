//! Numbers the vertices of named links.
//!
//! The names are sorted, which numbers them; the links are spooled to disk meanwhile, and each end is then looked up in the
//! sorted names. Besides the names, only the data that the caller derives from the numbered links has to be sorted. Memory is
//! bounded, because the names are searched in a mapped file.

use super::MAX_PAGES;
use super::error::GraphError;
use super::map::MappedFile;
use super::mapped_slice::MappedSlice;
use super::names::{BUCKET, FrontCoded, TextWriter};
use crate::io::external_sort::{ExternalSorter, SortedFile};
use crate::io::record_file::{Record, RecordReader, RecordSource, RecordWriter, write_bytes};
use crate::io::{IoError, TempDir};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Vertices whose numbers are remembered: a few are the target of most links.
const CACHED: usize = 1 << 14;
/// Bytes written at a time.
const BUFFER: usize = 1 << 16;

/// A link between two vertices, given by their keys (`vertex.rs`), with a byte for the caller.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NamedLink {
    pub(crate) from: Vec<u8>,
    pub(crate) to: Vec<u8>,
    pub(crate) tag: u8,
}

impl Record for NamedLink {
    const KIND: [u8; 4] = *b"link";
    const COMPRESSED: bool = true;

    fn memory(&self) -> usize {
        size_of::<Self>() + self.from.len() + self.to.len()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_bytes(&self.from, out)?;
        write_bytes(&self.to, out)?;
        out.write_all(&[self.tag])
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        Ok(NamedLink { from: from.bytes()?, to: from.bytes()?, tag: from.array::<1>()?[0] })
    }
}

/// Links whose vertices are numbered in the order of their keys.
#[derive(Debug)]
pub(crate) struct Numbering {
    keys: SortedFile<Vec<u8>>,
    links: PathBuf,
    /// Holds the files above.
    temp_dir: TempDir,
}

impl Numbering {
    /// Reads links. `memory` bytes are used for sorting the names, and temporary files go to `temp_dir`.
    pub(crate) fn new(
        links: impl IntoIterator<Item = Result<NamedLink, GraphError>>,
        temp_dir: &TempDir,
        memory: usize,
    ) -> Result<Numbering, GraphError> {
        let path = temp_dir.new_path()?;
        let mut spool = RecordWriter::create(&path)?;
        let mut keys = ExternalSorter::new(temp_dir, memory).unique();
        // Links come page by page.
        let mut last = None;
        for link in links {
            let link = link?;
            spool.push(&link)?;
            if last.as_ref() != Some(&link.from) {
                keys.push(link.from.clone())?;
                last = Some(link.from);
            }
            keys.push(link.to)?;
        }
        spool.finish(false)?;
        let keys = keys.finish_to_file()?;
        if keys.len() >= MAX_PAGES as u64 {
            return Err(GraphError::TooLarge);
        }
        Ok(Numbering { keys, links: path, temp_dir: temp_dir.clone() })
    }

    /// Number of vertices.
    pub(crate) fn num_vertices(&self) -> usize {
        self.keys.len() as usize
    }

    /// The keys of the vertices in the order of their numbers.
    pub(crate) fn keys(&self) -> Result<RecordReader<Vec<u8>>, GraphError> {
        Ok(self.keys.read()?)
    }

    /// Calls `visit` with the source, target and tag of each link.
    pub(crate) fn for_each_link(&self, mut visit: impl FnMut(u32, u32, u8) -> Result<(), GraphError>) -> Result<(), GraphError> {
        let mut lookup = Lookup::new(self.keys()?, &self.temp_dir)?;
        for link in RecordReader::<NamedLink>::open(&self.links)? {
            let link = link?;
            visit(lookup.number(&link.from), lookup.number(&link.to), link.tag)?;
        }
        Ok(())
    }
}

/// Finds the numbers of keys.
struct Lookup {
    keys: FrontCoded,
    cache: Vec<(Vec<u8>, u32)>,
}

impl Lookup {
    /// Writes the keys front-coded to a temporary file and maps it.
    fn new(keys: RecordReader<Vec<u8>>, temp_dir: &TempDir) -> Result<Lookup, GraphError> {
        let path = temp_dir.new_path()?;
        let write = |error| IoError::on("write", &path)(error);
        let mut file = BufWriter::with_capacity(BUFFER, File::create_new(&path).map_err(write)?);
        let (mut writer, mut bytes) = (TextWriter::default(), Vec::new());
        for key in keys {
            bytes.clear();
            writer.push(&key?, &mut bytes);
            file.write_all(&bytes).map_err(write)?;
        }
        let file = file.into_inner().map_err(|error| write(error.into_error()))?;
        let length = file.metadata().map_err(write)?.len() as usize;
        let bytes = match length {
            0 => MappedSlice::from(Vec::new()),
            length => MappedSlice::Mapped(Arc::new(MappedFile::open(&path)?), 0..length),
        };
        let keys = FrontCoded { offsets: writer.offsets().into(), bytes };
        Ok(Lookup { keys, cache: vec![(Vec::new(), 0); CACHED] })
    }

    /// The index of a key, which must be among the keys.
    fn number(&mut self, key: &[u8]) -> u32 {
        let cached = &mut self.cache[xxh3_64(key) as usize % CACHED];
        if cached.0 != key {
            cached.0.clear();
            cached.0.extend_from_slice(key);
            cached.1 = find(&self.keys, key);
        }
        cached.1
    }
}

/// The position of a key in sorted keys.
fn find(keys: &FrontCoded, key: &[u8]) -> u32 {
    let (mut low, mut high) = (0, keys.offsets.len());
    while low < high {
        let middle = low.midpoint(high);
        if keys.first(middle) <= key { low = middle + 1 } else { high = middle }
    }
    let bucket = low.saturating_sub(1);
    let mut reader = keys.read(bucket);
    for at in 0..BUCKET {
        if reader.advance().is_none() {
            break;
        }
        if reader.name == key {
            return (bucket * BUCKET + at) as u32;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn numbers_are_positions_among_sorted_keys(
            links in prop::collection::vec(("[a-c]{0,5}", "[a-d]{0,6}", any::<u8>()), 0..400),
            memory in prop_oneof![Just(2_000usize), Just(1 << 20)],
        ) {
            let parent = tempfile::tempdir().unwrap();
            let named = links.iter().map(|(from, to, tag)| {
                Ok(NamedLink { from: from.clone().into_bytes(), to: to.clone().into_bytes(), tag: *tag })
            });
            let numbering = Numbering::new(named, &TempDir::new(parent.path()), memory).unwrap();
            let keys: BTreeSet<&str> = links.iter().flat_map(|(from, to, _)| [from.as_str(), to.as_str()]).collect();
            let keys: Vec<&str> = keys.into_iter().collect();
            let found: Vec<Vec<u8>> = numbering.keys().unwrap().map(Result::unwrap).collect();
            prop_assert!(found.iter().map(Vec::as_slice).eq(keys.iter().map(|key| key.as_bytes())));
            let mut at = 0;
            numbering.for_each_link(|from, to, tag| {
                let (want_from, want_to, want_tag) = &links[at];
                assert_eq!((keys[from as usize], keys[to as usize], tag), (want_from.as_str(), want_to.as_str(), *want_tag));
                at += 1;
                Ok(())
            }).unwrap();
            prop_assert_eq!((at, numbering.num_vertices()), (links.len(), keys.len()));
            drop(numbering);
            prop_assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);
        }
    }
}
