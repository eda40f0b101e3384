//! The site evidence file: what is known about each site of a crawl, by the site's name.
//!
//! The file has a first line that identifies it, a section per site, a table of names and offsets, and the offset of the table. A reader
//! keeps the table in memory and reads a site on request.

use super::content_extractor::BlockTemplate;
use super::facts::SiteFacts;
use super::file::{self, FileError};
use super::som::Som;
use crate::io::{AtomicFile, IoError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8] = b"webstrata site evidence 1\n";
const SITE: &[u8] = b"site\n";
const TABLE: &[u8] = b"table\n";

/// Largest section that is read.
const MAX_BYTES: u64 = 1 << 30;

/// For each site: offset, length and checksum.
type Table = BTreeMap<String, (u64, u64, u64)>;

#[derive(Serialize, Deserialize)]
struct Stored {
    pages: u64,
    fingerprints: BTreeMap<u64, u32>,
    template: Vec<u8>,
    template_pages: u32,
    som: Vec<u8>,
}

impl SiteFacts {
    /// Serialises the facts.
    ///
    /// # Errors
    /// If they cannot be serialised, which does not happen in memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        let (template, som) = (self.template.to_bytes()?, self.som.to_bytes()?);
        let fingerprints = self.fingerprints.clone();
        file::pack(SITE, &Stored { pages: self.pages, fingerprints, template, template_pages: self.template_pages, som })
    }

    /// Reads serialised facts.
    ///
    /// # Errors
    /// If the bytes are something else or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<SiteFacts, FileError> {
        let stored: Stored = file::unpack(SITE, bytes)?;
        Ok(SiteFacts {
            pages: stored.pages,
            fingerprints: stored.fingerprints,
            template: BlockTemplate::from_bytes(&stored.template)?,
            template_pages: stored.template_pages,
            som: Arc::new(Som::from_bytes(&stored.som)?),
        })
    }
}

/// Writes a file of evidence, which appears when it is complete.
#[derive(Debug)]
pub struct EvidenceWriter {
    file: AtomicFile,
    at: u64,
    table: Table,
}

impl EvidenceWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path) -> Result<Self, IoError> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(MAGIC).map_err(IoError::on("write", path))?;
        Ok(EvidenceWriter { file, at: MAGIC.len() as u64, table: BTreeMap::new() })
    }

    /// Adds a site as serialised by [`SiteFacts::to_bytes`]; empty facts are left out.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, site: &str, facts: &[u8]) -> io::Result<()> {
        if facts.is_empty() {
            return Ok(());
        }
        self.file.write_all(facts)?;
        self.table.insert(site.to_owned(), (self.at, facts.len() as u64, xxh3_64(facts)));
        self.at += facts.len() as u64;
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<(), FileError> {
        self.file.write_all(&file::pack(TABLE, &self.table)?)?;
        self.file.write_all(&self.at.to_le_bytes())?;
        self.file.commit().map_err(|error| FileError::Io(error.error))
    }
}

/// A file of evidence.
#[derive(Debug)]
pub struct EvidenceFile {
    /// Threads take turns: a file has one position.
    file: Mutex<File>,
    table: Table,
    /// Checksum of the table, which contains the checksums of all sites.
    checksum: u64,
}

impl EvidenceFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, is something else, or is damaged.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut magic = vec![0; MAGIC.len()];
        file.read_exact(&mut magic).map_err(|_| FileError::Kind)?;
        if magic != MAGIC {
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
            return Err(FileError::Inconsistent("a site is beyond the end"));
        }
        Ok(EvidenceFile { file: Mutex::new(file), table, checksum: xxh3_64(&bytes) })
    }

    /// Names of the sites, sorted.
    pub fn sites(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(String::as_str)
    }

    /// A number that is the same for files with the same sites and facts.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The facts of a site, if there are any.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn site(&self, name: &str) -> Result<Option<SiteFacts>, FileError> {
        let Some(&(at, size, sum)) = self.table.get(name) else { return Ok(None) };
        let bytes = read_section(&mut self.file.lock().unwrap_or_else(PoisonError::into_inner), at, size)?;
        if xxh3_64(&bytes) != sum {
            return Err(FileError::Damaged);
        }
        SiteFacts::from_bytes(&bytes).map(Some)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::digest::Digest;
    use crate::site::facts::{FactsBuilder, Signals};
    use webstrata::Page;
    use webstrata::label::strata::SiteSignals;

    fn facts(site: &str, pages: u32) -> SiteFacts {
        let mut builder = FactsBuilder::default();
        for n in 0..pages {
            let html = format!("<div>Menu of {site} with some words</div><p>Text {} here", "y".repeat(n as usize + 1));
            builder.add(&Digest::new(&Page::parse(html.as_bytes()), site, n, "x"));
        }
        builder.finish()
    }

    #[test]
    fn sites_are_read_back_and_damage_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evidence");
        let mut writer = EvidenceWriter::create(&path).unwrap();
        for site in ["b.org", "a.org"] {
            writer.add(site, &facts(site, 5).to_bytes().unwrap()).unwrap();
        }
        assert!(!path.exists());
        writer.finish().unwrap();
        let file = EvidenceFile::open(&path).unwrap();
        assert_eq!(file.sites().collect::<Vec<_>>(), ["a.org", "b.org"]);
        assert!(file.site("c.org").unwrap().is_none());
        let known = file.site("b.org").unwrap().unwrap();
        let page = b"<div>Menu of b.org with some words</div><p>Quite another text";
        let page = Page::parse(page);
        let shifts = known.judge(Signals::default()).shifts(page.blocks());
        assert_eq!(shifts, facts("b.org", 5).judge(Signals::default()).shifts(page.blocks()));
        assert!(shifts[0] > 3.0 && shifts[1] == 0.0, "{shifts:?}");
        let bytes = std::fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(7) {
            let mut broken = bytes.clone();
            broken[at] ^= 0x40;
            std::fs::write(&path, &broken).unwrap();
            let whole = EvidenceFile::open(&path)
                .is_ok_and(|file| ["a.org", "b.org"].iter().all(|site| matches!(file.site(site), Ok(Some(_)))));
            assert!(!whole, "byte {at}");
        }
    }
}
