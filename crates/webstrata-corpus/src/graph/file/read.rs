//! Opens graph files.

use super::super::error::GraphError;
use super::super::map::MappedFile;
use super::super::mapped_slice::{Element, MappedSlice};
use super::super::names::{FrontCoded, Names, Texts};
use super::super::{Graph, MAX_PAGES};
use super::{
    ALIGNMENT, DIRECTORY_ENTRY, DIRECTORY_HEADER, END, FOOTER, HAS_HOSTS, Kind, MAGIC, MAX_TABLES, SORTED, Table, VERSION, check,
};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

impl Graph {
    /// Opens a graph file written by [`Graph::save`], a builder or the generator. The file is mapped, and read once to verify it.
    /// Nothing may modify it while the graph is in use: that is undefined behaviour, and truncating it kills the process.
    ///
    /// ```
    /// use webstrata_corpus::graph::Graph;
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("web.graph");
    /// Graph::from_names([("https://a.org/", "https://b.org/")])?.save(&path)?;
    /// let graph = Graph::open(&path)?;
    /// assert_eq!((graph.name(0), graph.find("https://b.org/")), ("https://a.org/".to_owned(), Some(1)));
    /// # Ok::<(), webstrata_corpus::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn open(path: &Path) -> Result<Graph, GraphError> {
        let (graph, tables, file) = parts(path)?;
        check::hashes(path, &file, &tables)?;
        check::graph(path, &graph)?;
        Ok(graph)
    }

    /// Opens a graph file without verifying it, for queries about a few pages. If the file is damaged, answers may be wrong.
    ///
    /// # Errors
    /// If it cannot be read, or its directory is damaged.
    pub fn open_unchecked(path: &Path) -> Result<Graph, GraphError> {
        parts(path).map(|(graph, ..)| graph)
    }

    /// Whether a file is a graph, judged by its first bytes.
    #[must_use]
    pub fn is_graph(path: &Path) -> bool {
        let mut first = [0; MAGIC.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && &first == MAGIC
    }
}

/// Reads numbers from the front of a slice.
struct Numbers<'b>(&'b [u8]);

impl Numbers<'_> {
    fn short(&mut self) -> Option<u32> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*bytes))
    }

    fn long(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }
}

/// The tables of a file, with valid bounds and lengths.
fn parts(path: &Path) -> Result<(Graph, Vec<Table>, Arc<MappedFile>), GraphError> {
    let invalid = |reason: &str| GraphError::damaged(path, reason);
    if cfg!(target_endian = "big") {
        return Err(invalid("graph files cannot be read on big-endian machines"));
    }
    let file = Arc::new(MappedFile::open(path)?);
    let bytes = file.bytes();
    if !bytes.starts_with(MAGIC) {
        return Err(invalid("it does not begin with the signature of a graph file"));
    }
    let (front, tail) = bytes.split_at_checked(bytes.len().saturating_sub(FOOTER)).ok_or_else(|| invalid("it is too short"))?;
    if !tail.ends_with(END) {
        return Err(invalid("its end is missing"));
    }
    let mut numbers = Numbers(tail);
    let (length, hash) = (numbers.long().unwrap_or_default(), numbers.long().unwrap_or_default());
    let longest = DIRECTORY_HEADER + MAX_TABLES * DIRECTORY_ENTRY;
    let length = usize::try_from(length).ok().filter(|&length| length <= longest && length <= front.len());
    let list = &front[front.len() - length.ok_or_else(|| invalid("the length of its directory is impossible"))?..];
    if xxh3_64(list) != hash {
        return Err(invalid("its directory has changed"));
    }
    let mut numbers = Numbers(list);
    let (Some(version), Some(flags)) = (numbers.short(), numbers.short()) else {
        return Err(invalid("its directory is truncated"));
    };
    if version != VERSION {
        return Err(invalid(&format!("it has version {version}; this program reads version {VERSION}")));
    }
    let mut count =
        || numbers.long().and_then(|count| usize::try_from(count).ok()).ok_or_else(|| invalid("its directory is truncated"));
    let (pages, hosts, links, rows) = (count()?, count()?, count()?, count()?);
    if pages >= MAX_PAGES || hosts > pages {
        return Err(invalid("it has more pages or hosts than a graph can have"));
    }
    let mut tables = Vec::new();
    for _ in 0..rows.min(MAX_TABLES) {
        let (Some(kind), Some(offset), Some(length), Some(hash)) =
            (numbers.short(), numbers.long(), numbers.long(), numbers.long())
        else {
            return Err(invalid("its directory is truncated"));
        };
        let end = offset.checked_add(length).filter(|&end| end <= front.len() as u64);
        if end.is_none() || !offset.is_multiple_of(ALIGNMENT) || tables.iter().any(|table: &Table| table.kind == kind) {
            return Err(invalid("its directory is inconsistent"));
        }
        tables.push(Table { kind, offset, length, hash });
    }
    let find = |kind: Kind| tables.iter().find(|table| table.kind == kind as u32);
    let starts: MappedSlice<u32> = slice(&file, find(Kind::Starts)).ok_or_else(|| invalid("hosts are missing"))?;
    let degrees: MappedSlice<u32> = slice(&file, find(Kind::Degrees)).ok_or_else(|| invalid("out-degrees are missing"))?;
    let index: MappedSlice<u64> = slice(&file, find(Kind::Index)).ok_or_else(|| invalid("the index is missing"))?;
    let adjacency: MappedSlice<u16> = slice(&file, find(Kind::Adjacency)).ok_or_else(|| invalid("adjacency lists are missing"))?;
    let strata: Option<MappedSlice<u8>> = slice(&file, find(Kind::Strata));
    let names = match (slice(&file, find(Kind::Numbers)), slice(&file, find(Kind::Offsets)), slice(&file, find(Kind::Texts))) {
        (Some(numbers), ..) => Names::Numbers(numbers),
        (_, Some(offsets), Some(bytes)) => {
            let host_order = slice(&file, find(Kind::HostOrder)).ok_or_else(|| invalid("the order of hosts is missing"))?;
            Names::Texts(Texts { names: FrontCoded { offsets, bytes }, host_order, sorted: flags & SORTED != 0 })
        }
        _ => Names::Dense,
    };
    let graph = Graph { starts, has_hosts: flags & HAS_HOSTS != 0, degrees, index, adjacency, strata, names, links: links as u64 };
    if graph.num_pages() != pages || graph.num_hosts() != hosts {
        return Err(invalid("the lengths of its tables differ from the stated ones"));
    }
    check::lengths(path, &graph)?;
    Ok((graph, tables, file))
}

fn slice<T: Element>(file: &Arc<MappedFile>, table: Option<&Table>) -> Option<MappedSlice<T>> {
    let table = table?;
    let (offset, length) = (usize::try_from(table.offset).ok()?, usize::try_from(table.length).ok()?);
    let slice = MappedSlice::Mapped(Arc::clone(file), offset..offset + length);
    (length.is_multiple_of(size_of::<T>()) && slice.len() == length / size_of::<T>()).then_some(slice)
}
