//! Files of counts: the counts of a part of a corpus, which can be added to those of other parts.
//!
//! The file contains, with numbers in little-endian order: the line [`MAGIC`]; the small counts, as a length of four bytes and that many
//! bytes of postcard; terms, fingerprints and pages, each as records of the same form, sorted by key, with a length of 0 after the last
//! one; the XXH3 hash of everything before it. The same pages give the same bytes, regardless of the number of threads and of how parts
//! were merged.
//!
//! Input is checked: a file of another kind or version, a damaged file, and counts that no corpus can have are errors.

use super::spill::{Key, Sum};
use super::values::{Profile, Template, Term};
use super::{Counts, Strata, Tallies};
use crate::error::StatsError;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use webstrata_corpus::io::{AtomicFile, Checksum, IoError};
use xxhash_rust::xxh3::xxh3_64;

/// The start of any file of counts, up to its version.
const KIND: &[u8] = b"webstrata.counts/";
/// The start of a file of counts of this version.
const MAGIC: &[u8] = b"webstrata.counts/1\n";
/// Maximum size of the small counts, in bytes: histograms have at most 350,000 classes.
const MAX_TALLIES: u32 = 16 << 20;
/// Maximum size of a record, in bytes: page ids can be long.
const MAX_RECORD: u32 = 1 << 20;

/// Whether a file claims to contain counts, of this or another version.
pub(crate) fn is_counts(path: &Path) -> bool {
    let mut start = [0; KIND.len()];
    path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == KIND
}

impl Counts {
    /// Writes the counts to a file that [`Counts::read`] can read.
    ///
    /// # Errors
    /// If the file or a temporary one cannot be written.
    pub fn write(self, path: &Path) -> Result<(), StatsError> {
        let Counts { tallies, terms, templates, pages, .. } = self;
        let mut file = Writer { out: Checksum::new(AtomicFile::create(path)?), path };
        file.bytes(MAGIC)?;
        file.record(&postcard::to_stdvec(&tallies).map_err(|error| StatsError::damaged(path, error))?, MAX_TALLIES)?;
        terms.finish().for_each(|key, term| file.value(&(key, term)))?;
        file.bytes(&[0; 4])?;
        templates.finish().for_each(|key, template| file.value(&(key, template)))?;
        file.bytes(&[0; 4])?;
        pages.for_each(|key, profile| file.value(&(key, profile)))?;
        file.bytes(&[0; 4])?;
        let digest = file.out.digest();
        file.bytes(&digest.to_le_bytes())?;
        Ok(file.out.inner.commit()?)
    }

    /// Adds the counts from a file that [`Counts::write`] wrote.
    ///
    /// # Errors
    /// If the file is damaged or has another version. These counts are then unusable, because part of the file may have been added.
    pub fn read(&mut self, path: &Path) -> Result<(), StatsError> {
        let file = File::open(path).map_err(IoError::on("read", path))?;
        let mut file = Reader { input: Checksum::new(BufReader::with_capacity(1 << 16, file)), path, bytes: Vec::new() };
        let mut magic = [0; MAGIC.len()];
        file.exactly(&mut magic)?;
        if magic != MAGIC {
            let other = "its counts are of a different version; write it again with `webstrata stats count`";
            return Err(file.damaged(if magic.starts_with(KIND) { other } else { "it has no counts" }));
        }
        let tallies: Tallies = file.record(MAX_TALLIES)?.ok_or_else(|| file.damaged("it has no counts"))?;
        let mut left = Left::new(&tallies).ok_or_else(|| file.damaged("its counts contradict each other"))?;
        self.tallies.merge(&tallies);
        Left::new(&self.tallies).ok_or_else(|| file.damaged("there are too many counts"))?;
        file.section(|key, term| if left.term(key, &term) { self.terms.sum(key, term).map(Some) } else { Ok(None) })?;
        file.section(
            |key, template| if left.template(&template) { self.templates.sum(key, template).map(Some) } else { Ok(None) },
        )?;
        file.section(|key, page| if left.page(&page) { self.pages.sum(key, page).map(Some) } else { Ok(None) })?;
        let found = file.input.digest();
        let mut digest = [0; 8];
        file.exactly(&mut digest)?;
        if digest != found.to_le_bytes() {
            return Err(file.damaged("its checksum is wrong"));
        }
        match file.input.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(file.damaged("there is data after its end")),
            Err(error) => Err(IoError::on("read", path)(error).into()),
        }
    }
}

struct Writer<'a> {
    out: Checksum<AtomicFile>,
    path: &'a Path,
}

impl Writer<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), StatsError> {
        self.out.write_all(bytes).map_err(|error| IoError::on("write", self.path)(error).into())
    }

    fn value(&mut self, record: &impl serde::Serialize) -> Result<(), StatsError> {
        let bytes = postcard::to_stdvec(record).map_err(|error| StatsError::damaged(self.path, error))?;
        self.record(&bytes, MAX_RECORD)
    }

    fn record(&mut self, bytes: &[u8], longest: u32) -> Result<(), StatsError> {
        let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= longest);
        let length = length.ok_or_else(|| StatsError::damaged(self.path, "the id of a page is too long to be written"))?;
        self.bytes(&length.to_le_bytes())?;
        self.bytes(bytes)
    }
}

struct Reader<'a> {
    input: Checksum<BufReader<File>>,
    path: &'a Path,
    bytes: Vec<u8>,
}

impl Reader<'_> {
    fn damaged(&self, reason: impl ToString) -> StatsError {
        StatsError::damaged(self.path, reason)
    }

    fn exactly(&mut self, bytes: &mut [u8]) -> Result<(), StatsError> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => self.damaged("its end is missing"),
            _ => IoError::on("read", self.path)(error).into(),
        })
    }

    /// The next record; `None` at the end of a section.
    fn record<T: DeserializeOwned>(&mut self, longest: u32) -> Result<Option<T>, StatsError> {
        let mut length = [0; 4];
        self.exactly(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length == 0 {
            return Ok(None);
        }
        if length > longest {
            return Err(self.damaged("a record is too long"));
        }
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.resize(length as usize, 0);
        self.exactly(&mut bytes)?;
        let (value, rest) = postcard::take_from_bytes(&bytes).map_err(|error| self.damaged(error))?;
        if !rest.is_empty() {
            return Err(self.damaged("a record is longer than its value"));
        }
        self.bytes = bytes;
        Ok(Some(value))
    }

    /// Visits the records of a section. `visit` returns none for an impossible record.
    fn section<K: Key + Clone, V: Sum>(
        &mut self,
        mut visit: impl FnMut(K, V) -> Result<Option<()>, StatsError>,
    ) -> Result<(), StatsError> {
        let mut last: Option<K> = None;
        while let Some((key, value)) = self.record::<(K, V)>(MAX_RECORD)? {
            if last.is_some_and(|last| last >= key) {
                return Err(self.damaged("its records are not in order"));
            }
            visit(key.clone(), value)?.ok_or_else(|| self.damaged("a record contradicts the counts"))?;
            last = Some(key);
        }
        Ok(())
    }
}

/// The totals that records may still use up: no term can occur more often than there are tokens.
struct Left {
    pages: u64,
    page_entries: u64,
    tokens: u64,
    segments: [u64; 2],
    words: [u64; 2],
}

impl Left {
    /// Returns none if the small counts are too large or contradict each other.
    fn new(tallies: &Tallies) -> Option<Left> {
        let tokens = tallies.check()?;
        let Strata { pages, segments, words } = tallies.all;
        let (segments, words) = (segments[0] + segments[1], words[0] + words[1]);
        Some(Left { pages, page_entries: pages, tokens, segments: [segments; 2], words: [words; 2] })
    }

    fn term(&mut self, key: u64, term: &Term) -> bool {
        let [short, long, any] = term.pages;
        let possible = !term.text.is_empty()
            && key == xxh3_64(term.text.as_bytes())
            && (1..=term.count).contains(&any)
            && any <= self.pages
            && short.max(long) <= any
            && any - short <= long;
        possible && take(&mut self.tokens, term.count)
    }

    fn template(&mut self, template: &Template) -> bool {
        let Some((segments, words)) = template.check() else { return false };
        take(&mut self.segments[0], segments) && take(&mut self.words[0], words)
    }

    fn page(&mut self, page: &Profile) -> bool {
        let segments: u64 = page.segments.iter().map(|count| u64::from(*count)).sum();
        segments > 0
            && take(&mut self.page_entries, 1)
            && take(&mut self.segments[1], segments)
            && take(&mut self.words[1], page.words)
    }
}

/// Subtracts `count`, if that much is left.
fn take(left: &mut u64, count: u64) -> bool {
    left.checked_sub(count).inspect(|rest| *left = *rest).is_some()
}
