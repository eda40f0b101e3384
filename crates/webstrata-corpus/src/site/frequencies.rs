//! Templates by the frequency of fingerprints, over any corpus (Kohlschütter's thesis, 4.3.3).
//!
//! Pages are segmented by BF-RuleBased, as in 4.3.2; every segment has a [`Fingerprint`], and a segment whose fingerprint occurs at least
//! 10 times in the corpus is a template. Occurrences are counted, not pages, regardless of the site. They are counted on disk, so memory does not
//! grow with the corpus.

use super::blocks::BlockTags;
use super::file::FileError;
use super::fingerprint::Fingerprint;
use crate::io::TempDir;
use crate::io::external_sort::ExternalSorter;
use crate::io::record_file::{Record, RecordError, RecordReader, RecordSource, RecordWriter};
use std::io::{self, Write};
use std::path::Path;
use webstrata::Page;
use webstrata::block::{Blocks, GapModel};
use webstrata::segment::{Fusion, FusionOptions, Segmenter, Segments};

/// Minimum number of occurrences of a template (4.3.3).
pub const MIN_FREQUENCY: u32 = 10;

/// Memory for sorting, in bytes.
const SORT_MEMORY: usize = 32 << 20;

/// The segments that have fingerprints: those of BF-RuleBased.
pub(super) fn fused(atoms: Blocks<'_>, tags: BlockTags) -> Segments<'_> {
    Segments::new(atoms, Fusion::new(FusionOptions::rule_based(tags.rules())).segment(atoms))
}

/// Fingerprints of a page's segments, one for each segment with letters.
pub(super) fn segment_fingerprints(page: &Page<'_>, tags: BlockTags) -> Vec<u64> {
    let segments = fused(page.blocks_by(GapModel::Tags), tags);
    segments.iter().filter_map(|segment| Fingerprint::new(&segment.text())).map(Fingerprint::short).collect()
}

/// A fingerprint and its number of occurrences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frequency {
    print: u64,
    count: u32,
}

impl Record for Frequency {
    const KIND: [u8; 4] = *b"prnt";

    fn memory(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.print.to_le_bytes())?;
        out.write_all(&self.count.to_le_bytes())
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        Ok(Frequency { print: from.u64()?, count: from.u32()? })
    }
}

/// Counts fingerprints.
pub(super) struct FrequencyCounter {
    sorter: ExternalSorter<Frequency>,
}

impl FrequencyCounter {
    /// Creates a counter with temporary files in this folder.
    pub(super) fn new(folder: &Path) -> Self {
        FrequencyCounter { sorter: ExternalSorter::new(&TempDir::new(folder), SORT_MEMORY) }
    }

    /// Adds an occurrence of each of these fingerprints.
    pub(super) fn add(&mut self, prints: &[u64]) -> Result<(), FileError> {
        prints.iter().try_for_each(|&print| self.sorter.push(Frequency { print, count: 1 }).map_err(file_error))
    }

    /// Adds the counts in a file.
    pub(super) fn add_file(&mut self, path: &Path) -> Result<(), FileError> {
        for frequency in RecordReader::<Frequency>::open(path).map_err(file_error)? {
            self.sorter.push(frequency.map_err(file_error)?).map_err(file_error)?;
        }
        Ok(())
    }

    /// Writes the counts to a file, by fingerprint.
    pub(super) fn finish(self, path: &Path) -> Result<(), FileError> {
        let mut writer = RecordWriter::create(path).map_err(file_error)?;
        let mut last: Option<Frequency> = None;
        for next in self.sorter.finish().map_err(file_error)? {
            let next = next.map_err(file_error)?;
            match &mut last {
                Some(last) if last.print == next.print => last.count = last.count.saturating_add(next.count),
                _ => {
                    if let Some(done) = last.replace(next) {
                        writer.push(&done).map_err(file_error)?;
                    }
                }
            }
        }
        if let Some(done) = last {
            writer.push(&done).map_err(file_error)?;
        }
        writer.finish(true).map_err(file_error)
    }
}

fn file_error(error: RecordError) -> FileError {
    match error {
        RecordError::Io(error) => FileError::Io(error.error),
        RecordError::Damaged { reason, .. } => FileError::Inconsistent(reason),
    }
}

/// The fingerprints of a corpus that occur often enough to be templates.
#[derive(Clone, Debug, Default)]
pub struct Templates {
    /// Fingerprints, ascending, and their frequencies.
    frequent: Vec<(u64, u32)>,
}

impl Templates {
    /// Reads the fingerprints that occur at least `min` times from a file of `webstrata site`.
    ///
    /// # Errors
    /// If the file cannot be read, is not a file of fingerprints, or is damaged.
    pub fn open(path: &Path, min: u32) -> Result<Templates, FileError> {
        let mut frequent: Vec<(u64, u32)> = Vec::new();
        for frequency in RecordReader::<Frequency>::open(path).map_err(file_error)? {
            let Frequency { print, count } = frequency.map_err(file_error)?;
            if count >= min {
                frequent.push((print, count));
            }
        }
        if !frequent.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(FileError::Inconsistent("fingerprints out of order"));
        }
        Ok(Templates { frequent })
    }

    /// How often a fingerprint occurs in the corpus, if it is a template.
    #[must_use]
    pub fn frequency(&self, print: Fingerprint) -> Option<u32> {
        let at = self.frequent.binary_search_by_key(&print.short(), |known| known.0).ok()?;
        Some(self.frequent[at].1)
    }

    /// Number of templates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frequent.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frequent.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_counted_over_pages_and_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fingerprints");
        let html = "<h1>Rain</h1><ul><li>Home<li>News</ul><h2>Other</h2><ul><li>Home<li>News</ul>";
        let prints = segment_fingerprints(&Page::parse(html.as_bytes()), BlockTags::Html5);
        assert_eq!(prints.len(), 4, "two lists, two headings");
        let mut counter = FrequencyCounter::new(folder.path());
        (0..4).for_each(|_| counter.add(&prints).unwrap());
        counter.finish(&path).unwrap();
        let of = |text: &str, min| Templates::open(&path, min).unwrap().frequency(Fingerprint::new(text).unwrap());
        assert_eq!((of("Home News", 5), of("Rain", 5), of("Rain", 4)), (Some(8), None, Some(4)));
        // New counts are added to earlier ones.
        let mut again = FrequencyCounter::new(folder.path());
        again.add_file(&path).unwrap();
        again.add(&prints).unwrap();
        again.finish(&path).unwrap();
        assert_eq!((of("Home News", MIN_FREQUENCY), of("Rain", 5)), (Some(10), Some(5)));
        let bytes = std::fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0x11;
            std::fs::write(&path, &broken).unwrap();
            assert!(Templates::open(&path, 1).is_err(), "byte {at}");
        }
    }
}
