//! The site evidence file: the facts about each site of a crawl, by the site's name (`sections.rs` has the format).

use super::blocks::BlockTags;
use super::content_extractor::BlockTemplate;
use super::facts::SiteFacts;
use super::file::{self, FileError};
use super::sections::{SectionFile, SectionWriter};
use super::som::Som;
use crate::io::IoError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

const MAGIC: &[u8] = b"webstrata site evidence 2\n";
const SITE: &[u8] = b"site\n";

#[derive(Serialize, Deserialize)]
struct Stored {
    pages: u64,
    fingerprints: BTreeMap<u64, u32>,
    template: Vec<u8>,
    template_pages: u32,
    tags: BlockTags,
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
        let (template_pages, tags) = (self.template_pages, self.tags);
        file::pack(SITE, &Stored { pages: self.pages, fingerprints, template, template_pages, tags, som })
    }

    /// Reads serialised facts.
    ///
    /// # Errors
    /// If the bytes are not site facts, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<SiteFacts, FileError> {
        let stored: Stored = file::unpack(SITE, bytes)?;
        Ok(SiteFacts {
            pages: stored.pages,
            fingerprints: stored.fingerprints,
            template: BlockTemplate::from_bytes(&stored.template)?,
            template_pages: stored.template_pages,
            tags: stored.tags,
            som: Arc::new(Som::from_bytes(&stored.som)?),
        })
    }
}

/// Writes an evidence file, which appears when it is complete.
#[derive(Debug)]
pub struct EvidenceWriter(SectionWriter);

impl EvidenceWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path) -> Result<Self, IoError> {
        SectionWriter::create(path, MAGIC).map(EvidenceWriter)
    }

    /// Adds a site as serialised by [`SiteFacts::to_bytes`]; empty facts are left out.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, site: &str, facts: &[u8]) -> io::Result<()> {
        self.0.add(site, facts)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), FileError> {
        self.0.finish()
    }
}

/// An evidence file.
#[derive(Debug)]
pub struct EvidenceFile(SectionFile);

impl EvidenceFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, is not an evidence file, or is damaged.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        SectionFile::open(path, MAGIC).map(EvidenceFile)
    }

    /// Names of the sites, sorted.
    pub fn sites(&self) -> impl Iterator<Item = &str> {
        self.0.sites()
    }

    /// Whether anything is known about a site.
    #[must_use]
    pub fn has(&self, site: &str) -> bool {
        self.0.has(site)
    }

    /// A number that is the same for files with the same sites and facts.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.0.checksum()
    }

    /// The facts of a site, if there are any.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn site(&self, name: &str) -> Result<Option<SiteFacts>, FileError> {
        self.0.section(name)?.map(|bytes| SiteFacts::from_bytes(&bytes)).transpose()
    }
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
