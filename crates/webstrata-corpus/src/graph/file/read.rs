//! Opens a graph.

use super::super::error::GraphError;
use super::super::map::MappedFile;
use super::super::mapped_slice::{Element, MappedSlice};
use super::super::names::{FrontCoded, Names, Texts};
use super::super::{Graph, MAX_PAGES};
use super::{ALIGNMENT, END, HAS_HOSTS, Kind, LIST_HEAD, LIST_ROW, MAGIC, MAX_TABLES, SORTED, TAIL, Table, VERSION, check};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

impl Graph {
    /// Opens a graph that [`Graph::save`], a builder or the generator has written. The file is mapped, and read once to see that
    /// it is sound.
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
    /// When it cannot be read or is damaged.
    pub fn open(path: &Path) -> Result<Graph, GraphError> {
        let (graph, tables, file) = parts(path)?;
        check::hashes(path, &file, &tables)?;
        check::graph(path, &graph)?;
        Ok(graph)
    }

    /// Opens a graph without reading all of it: for a question about a few pages. If the file is damaged the answer may be wrong.
    ///
    /// # Errors
    /// When it cannot be read, or is damaged where this looks.
    pub fn open_unchecked(path: &Path) -> Result<Graph, GraphError> {
        parts(path).map(|(graph, ..)| graph)
    }

    /// Is this a file that a graph is in? Says what its first bytes say.
    #[must_use]
    pub fn is_graph(path: &Path) -> bool {
        let mut first = [0; MAGIC.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && &first == MAGIC
    }
}

/// Numbers at the front of bytes that are taken off it.
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

/// The tables of a file, seen to lie inside of it and to have the lengths that they must have.
fn parts(path: &Path) -> Result<(Graph, Vec<Table>, Arc<MappedFile>), GraphError> {
    let wrong = |reason: &str| GraphError::damaged(path, reason);
    if cfg!(target_endian = "big") {
        return Err(wrong("this machine has the highest byte of numbers first, the file the lowest"));
    }
    let file = Arc::new(MappedFile::open(path)?);
    let bytes = file.bytes();
    if !bytes.starts_with(MAGIC) {
        return Err(wrong("it does not begin as one"));
    }
    let (front, tail) = bytes.split_at_checked(bytes.len().saturating_sub(TAIL)).ok_or_else(|| wrong("it is too short"))?;
    if !tail.ends_with(END) {
        return Err(wrong("its end is missing"));
    }
    let mut numbers = Numbers(tail);
    let (length, hash) = (numbers.long().unwrap_or_default(), numbers.long().unwrap_or_default());
    let longest = LIST_HEAD + MAX_TABLES * LIST_ROW;
    let length = usize::try_from(length).ok().filter(|&length| length <= longest && length <= front.len());
    let list = &front[front.len() - length.ok_or_else(|| wrong("its list of tables has no possible length"))?..];
    if xxh3_64(list) != hash {
        return Err(wrong("its list of tables has changed"));
    }
    let mut numbers = Numbers(list);
    let (Some(version), Some(flags)) = (numbers.short(), numbers.short()) else { return Err(wrong("its list of tables is cut")) };
    if version != VERSION {
        return Err(wrong(&format!("it has version {version}, and this program reads {VERSION}")));
    }
    let mut count =
        || numbers.long().and_then(|count| usize::try_from(count).ok()).ok_or_else(|| wrong("its list of tables is cut"));
    let (pages, hosts, links, rows) = (count()?, count()?, count()?, count()?);
    if pages >= MAX_PAGES || hosts > pages {
        return Err(wrong("it has more pages or hosts than a graph can have"));
    }
    let mut tables = Vec::new();
    for _ in 0..rows.min(MAX_TABLES) {
        let (Some(kind), Some(place), Some(length), Some(hash)) = (numbers.short(), numbers.long(), numbers.long(), numbers.long())
        else {
            return Err(wrong("its list of tables is cut"));
        };
        let end = place.checked_add(length).filter(|&end| end <= front.len() as u64);
        if end.is_none() || !place.is_multiple_of(ALIGNMENT) || tables.iter().any(|table: &Table| table.kind == kind) {
            return Err(wrong("its list of tables contradicts itself"));
        }
        tables.push(Table { kind, place, length, hash });
    }
    let find = |kind: Kind| tables.iter().find(|table| table.kind == kind as u32);
    let starts: MappedSlice<u32> = words(&file, find(Kind::Starts)).ok_or_else(|| wrong("hosts are missing"))?;
    let degrees: MappedSlice<u32> = words(&file, find(Kind::Degrees)).ok_or_else(|| wrong("out-degrees are missing"))?;
    let index: MappedSlice<u64> = words(&file, find(Kind::Index)).ok_or_else(|| wrong("the index is missing"))?;
    let adjacency: MappedSlice<u16> = words(&file, find(Kind::Stream)).ok_or_else(|| wrong("in-links are missing"))?;
    let strata: Option<MappedSlice<u8>> = words(&file, find(Kind::Strata));
    let names = match (words(&file, find(Kind::Numbers)), words(&file, find(Kind::Places)), words(&file, find(Kind::Texts))) {
        (Some(numbers), ..) => Names::Numbers(numbers),
        (_, Some(places), Some(bytes)) => {
            let host_order = words(&file, find(Kind::HostOrder)).ok_or_else(|| wrong("the order of hosts is missing"))?;
            Names::Texts(Texts { names: FrontCoded { places, bytes }, host_order, sorted: flags & SORTED != 0 })
        }
        _ => Names::Dense,
    };
    let graph = Graph { starts, has_hosts: flags & HAS_HOSTS != 0, degrees, index, adjacency, strata, names, links: links as u64 };
    if graph.num_pages() != pages || graph.num_hosts() != hosts {
        return Err(wrong("its tables do not have the lengths that it says"));
    }
    check::lengths(path, &graph)?;
    Ok((graph, tables, file))
}

fn words<T: Element>(file: &Arc<MappedFile>, table: Option<&Table>) -> Option<MappedSlice<T>> {
    let table = table?;
    let (place, length) = (usize::try_from(table.place).ok()?, usize::try_from(table.length).ok()?);
    let words = MappedSlice::Mapped(Arc::clone(file), place..place + length);
    (length.is_multiple_of(size_of::<T>()) && words.len() == length / size_of::<T>()).then_some(words)
}
