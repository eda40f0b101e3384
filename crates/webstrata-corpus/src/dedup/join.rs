//! From keys to sets of duplicates, without comparing all pairs.
//!
//! Pages with the same *join* key are adjacent in the merged runs and are joined to the first of them: as many steps as there are
//! entries, however many pages share a key.
//!
//! Smallest hashes: two pages are duplicates if they share at least `agree` of their hashes, and a hash of a menu may be on
//! millions of pages. Candidates are not counted pair by pair. Two pages share `agree` hashes exactly if they share one combination
//! of `agree` of them, so each combination becomes a key (70 for 4 of 8), and pages with the same key are joined as above. Hashes that
//! only one page has are dropped first, which leaves most pages of a collection without any combination:
//!
//! 1. the merged hashes give (page, hash) for each hash on several pages; sorted by page;
//! 2. pages with at least `agree` remaining hashes give a key per combination; sorted by key;
//! 3. pages with the same key are joined.
//!
//! Each step is a sort on disk. The result is exactly that of comparing all pairs, up to 64-bit collisions (the probability that any two
//! of ten million keys collide is one in a hundred thousand).

use super::error::{DedupError, damaged};
use super::index::{Entry, Index};
use super::keys::combinations;
use super::options::Scheme;
use super::union::Sets;
use super::watch::{Stage, Watch};
use crate::io::TempDir;
use crate::io::external_sort::{ExternalSorter, merge};
use crate::io::record_file::{Record, RecordError, RecordReader, RecordSource, RecordWriter};
use std::io::{self, Write};

/// The root of a page's set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Root(u32);

impl Record for Root {
    const KIND: [u8; 4] = *b"root";

    fn memory(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.0.to_le_bytes())
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        from.u32().map(Root)
    }
}

/// A page and a hash that it shares with others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shared {
    doc: u32,
    hash: u64,
}

impl Record for Shared {
    const KIND: [u8; 4] = *b"shrd";

    fn memory(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.doc.to_le_bytes())?;
        out.write_all(&self.hash.to_le_bytes())
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        Ok(Shared { doc: from.u32()?, hash: from.u64()? })
    }
}

/// The root of every page's set: read if it is stored, otherwise computed and stored.
pub(crate) fn roots(index: &Index, watch: &dyn Watch) -> Result<Vec<u32>, DedupError> {
    let pages = u32::try_from(index.len()).map_err(|_| DedupError::TooMany)?;
    let path = index.roots_path();
    if path.exists() {
        let roots: Vec<u32> =
            RecordReader::open(&path)?.map(|root| root.map(|Root(root)| root)).collect::<Result<_, RecordError>>()?;
        let valid = roots.len() as u64 == u64::from(pages) && roots.iter().zip(0..).all(|(&root, page)| root <= page);
        return if valid { Ok(roots) } else { Err(damaged(&path, "its pages differ from those of the index")) };
    }
    let mut sets = Sets::new(pages);
    let work = TempDir::new(index.dir());
    watch.stage(Stage::Joining);
    join(index, &mut sets, merge(&index.runs("joins"), &work)?, watch)?;
    if let Scheme::Smallest { agree, .. } = index.settings().similarity.scheme {
        join_by_combinations(index, &work, agree.into(), &mut sets, watch)?;
    }
    drop(work);
    let roots = sets.into_roots();
    index.drop_old_roots()?;
    let mut writer = RecordWriter::create(&path)?;
    for &root in &roots {
        writer.push(&Root(root))?;
    }
    writer.finish(true)?;
    Ok(roots)
}

/// Joins neighbours with the same key.
fn join(
    index: &Index,
    sets: &mut Sets,
    entries: impl Iterator<Item = Result<Entry, RecordError>>,
    watch: &dyn Watch,
) -> Result<(), DedupError> {
    let mut first: Option<Entry> = None;
    for (entry, number) in entries.zip(0u64..) {
        check_stop(number, watch)?;
        let entry = entry?;
        if u64::from(entry.doc) >= index.len() {
            return Err(damaged(index.dir(), "it has keys of a page that it does not have"));
        }
        match first {
            Some(first) if first.key == entry.key => sets.join(first.doc, entry.doc),
            _ => first = Some(entry),
        }
    }
    Ok(())
}

fn join_by_combinations(index: &Index, work: &TempDir, agree: usize, sets: &mut Sets, watch: &dyn Watch) -> Result<(), DedupError> {
    let budget = index.resources().sort;
    let mut shared = ExternalSorter::new(work, budget);
    let mut before: Option<(Entry, bool)> = None;
    for (entry, number) in merge::<Entry>(&index.runs("hashes"), work)?.zip(0u64..) {
        check_stop(number, watch)?;
        let entry = entry?;
        let same = match before {
            Some((first, kept)) if first.key == entry.key => {
                if !kept {
                    shared.push(Shared { doc: first.doc, hash: first.key })?;
                }
                shared.push(Shared { doc: entry.doc, hash: entry.key })?;
                true
            }
            _ => false,
        };
        before = Some((entry, same));
    }

    watch.stage(Stage::Combining);
    let mut keys = ExternalSorter::new(work, budget);
    let (mut doc, mut hashes) = (None, Vec::new());
    for (shared, number) in shared.finish()?.zip(0u64..) {
        check_stop(number, watch)?;
        let shared = shared?;
        if doc != Some(shared.doc) {
            add_combinations(doc, &hashes, agree, &mut keys)?;
            doc = Some(shared.doc);
            hashes.clear();
        }
        hashes.push(shared.hash);
    }
    add_combinations(doc, &hashes, agree, &mut keys)?;
    join(index, sets, keys.finish()?, watch)
}

/// Adds a key for each combination of `agree` hashes.
fn add_combinations(doc: Option<u32>, hashes: &[u64], agree: usize, keys: &mut ExternalSorter<Entry>) -> Result<(), DedupError> {
    let Some(doc) = doc else { return Ok(()) };
    combinations(hashes, agree, |key| Ok(keys.push(Entry { key, doc })?))
}

/// Checks at intervals whether to stop.
fn check_stop(number: u64, watch: &dyn Watch) -> Result<(), DedupError> {
    if number.is_multiple_of(1 << 20) && watch.stop() { Err(DedupError::Stopped) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        for (hashes, agree, want) in [(8, 4, 70), (4, 4, 1), (5, 4, 5), (3, 4, 0), (8, 1, 8), (6, 6, 1)] {
            let mut keys = ExternalSorter::new(&TempDir::new(folder.path()), 1 << 20);
            add_combinations(Some(7), &(10..10 + hashes).collect::<Vec<u64>>(), agree, &mut keys).unwrap();
            let mut keys: Vec<u64> = keys.finish().unwrap().map(|entry| entry.unwrap().key).collect();
            keys.dedup();
            assert_eq!(keys.len(), want, "{agree} of {hashes}");
        }
    }
}
