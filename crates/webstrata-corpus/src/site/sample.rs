//! A sample of the pages of a site with their blocks, from which the methods of the TKDE paper learn.
//!
//! ContentExtractor needs 5 to 10 pages (Debnath et al. 2005, table 4), so a site keeps at most [`SAMPLE_PAGES`]. Thresholds are applied
//! when a page is judged, not when pages are learned. Which pages are kept depends on their numbers alone, so pages may come in any
//! order and more may be added later.

use super::blocks::{FEATURES, SiteBlock, block_set_from_atoms};
use super::digest::DigestOptions;
use super::file::{self, FileError};
use super::lin_ho::tables;
use super::shingling::{ShingledPage, ShinglingOptions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use webstrata::block::{Blocks, GapModel};
use webstrata::segment::Segmenter;
use webstrata::{Page, Span};
use xxhash_rust::xxh3::xxh3_64;

/// Maximum number of pages kept per site.
pub const SAMPLE_PAGES: usize = 100;

/// Maximum weight of the pages kept per site, in terms and shingles of 8 bytes, because pages may be of any size.
const MAX_WEIGHT: usize = 4 << 20;

/// A page of a site, with its blocks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SamplePage {
    /// Hash of its source, by which it is recognised.
    pub(super) source: u64,
    blocks: Vec<StoredBlock>,
    /// Indices of the blocks at which the parts divided by tables start.
    pub(super) table_parts: Vec<u32>,
    /// Its elements with their shingles, if requested.
    pub(super) shingles: Option<ShingledPage>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredBlock {
    terms: Vec<u64>,
    values: [u32; FEATURES],
    atoms: (u32, u32),
    span: (u32, u32),
    source: u64,
}

impl SamplePage {
    /// The blocks of a page.
    #[must_use]
    pub fn new(page: &Page<'_>, options: &DigestOptions) -> SamplePage {
        let shingles = options.shingles.then(|| ShingledPage::new(page, &ShinglingOptions::default()));
        SamplePage { shingles, ..SamplePage::from_atoms(page.blocks_by(GapModel::Tags), options) }
    }

    /// Like [`SamplePage::new`], for a page given by its atoms, without shingles.
    #[must_use]
    pub fn from_atoms(atoms: Blocks<'_>, options: &DigestOptions) -> SamplePage {
        let blocks = block_set_from_atoms(atoms, &options.tags.partition());
        let starts: Vec<u32> = tables().segment(atoms).ranges().map(|(from, _)| from.block).collect();
        let is_start = |block: &SiteBlock| !block.atoms.is_empty() && starts.binary_search(&(block.atoms.start as u32)).is_ok();
        let mut table_parts: Vec<u32> = (0..).zip(&blocks).filter(|(_, block)| is_start(block)).map(|(at, _)| at).collect();
        // What precedes the first text belongs to the first part.
        match table_parts.first_mut() {
            Some(first) => *first = 0,
            None => table_parts.extend((!blocks.is_empty()).then_some(0)),
        }
        SamplePage {
            source: page_hash(atoms),
            blocks: blocks.into_iter().map(StoredBlock::new).collect(),
            table_parts,
            shingles: None,
        }
    }

    /// The blocks of the page.
    #[must_use]
    pub fn blocks(&self) -> Vec<SiteBlock> {
        self.blocks.iter().map(StoredBlock::block).collect()
    }

    /// Number of terms and shingles.
    fn weight(&self) -> usize {
        let terms: usize = self.blocks.iter().map(|block| block.terms.len() + 8).sum();
        terms + self.shingles.as_ref().map_or(0, ShingledPage::weight)
    }

    /// Whether [`SamplePage::new`] could have made it: a file may contain anything.
    pub(super) fn is_valid(&self) -> bool {
        let block = |b: &StoredBlock| b.terms.is_sorted_by(|x, y| x < y) && b.span.0 <= b.span.1 && b.atoms.0 <= b.atoms.1;
        self.blocks.iter().all(block)
            && self.table_parts.is_sorted_by(|a, b| a < b)
            && self.table_parts.last().is_none_or(|&last| (last as usize) < self.blocks.len())
            && self.table_parts.first().is_none_or(|&first| first == 0)
            && self.shingles.as_ref().is_none_or(ShingledPage::is_valid)
    }
}

/// The hash by which a page is recognised.
pub(super) fn page_hash(atoms: Blocks<'_>) -> u64 {
    xxh3_64(atoms.dom().source().as_bytes())
}

impl StoredBlock {
    fn new(block: SiteBlock) -> Self {
        StoredBlock {
            terms: block.terms,
            values: block.values,
            atoms: (block.atoms.start as u32, block.atoms.end as u32),
            span: (block.span.start, block.span.end),
            source: block.source,
        }
    }

    fn block(&self) -> SiteBlock {
        SiteBlock {
            atoms: self.atoms.0 as usize..self.atoms.1 as usize,
            span: Span::new(self.span.0, self.span.1),
            values: self.values,
            terms: self.terms.clone(),
            source: self.source,
        }
    }
}

/// The pages kept of a site.
///
/// ```
/// use webstrata::Page;
/// use webstrata_corpus::site::sample::{SamplePage, SiteSample};
/// let mut sample = SiteSample::default();
/// for number in 0..3 {
///     sample.add(number, SamplePage::new(&Page::parse(b"<p>Rain"), &Default::default()));
/// }
/// assert_eq!(sample.len(), 3);
/// let file = sample.to_bytes().unwrap();
/// assert_eq!(SiteSample::from_bytes(&file).unwrap().to_bytes().unwrap(), file);
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SiteSample {
    /// Pages in an order that depends only on their numbers.
    pages: BTreeMap<(u64, u32), SamplePage>,
    weight: usize,
}

const MAGIC: &[u8] = b"sample\n";

impl SiteSample {
    /// Adds a page, or leaves it out if there are enough.
    pub fn add(&mut self, number: u32, page: SamplePage) {
        let order = (xxh3_64(&number.to_le_bytes()), number);
        if self.pages.len() >= SAMPLE_PAGES && self.pages.last_key_value().is_some_and(|(last, _)| order > *last) {
            return;
        }
        self.weight += page.weight();
        if let Some(before) = self.pages.insert(order, page) {
            self.weight -= before.weight();
        }
        // A page stays if all pages up to it fit within the limits, so the order in which they were added does not matter.
        while self.pages.len() > SAMPLE_PAGES || (self.weight > MAX_WEIGHT && self.pages.len() > 2) {
            let Some((_, last)) = self.pages.pop_last() else { break };
            self.weight -= last.weight();
        }
    }

    /// The pages.
    pub fn pages(&self) -> impl Iterator<Item = &SamplePage> {
        self.pages.values()
    }

    /// Number of pages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Serialises it.
    ///
    /// # Errors
    /// If it cannot be serialised, which does not happen in memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        file::pack(MAGIC, self)
    }

    /// Reads a serialised sample.
    ///
    /// # Errors
    /// If the bytes are not a sample, or are damaged or inconsistent.
    pub fn from_bytes(bytes: &[u8]) -> Result<SiteSample, FileError> {
        let mut sample: SiteSample = file::unpack(MAGIC, bytes)?;
        if sample.pages.len() > SAMPLE_PAGES || sample.pages.values().any(|page| !page.is_valid()) {
            return Err(FileError::Inconsistent("a page is inconsistent"));
        }
        sample.weight = sample.pages.values().map(SamplePage::weight).sum();
        Ok(sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> SamplePage {
        let html = format!("<div>Menu</div><table><tr><td>{text}</td></tr></table><p>End");
        SamplePage::new(&Page::parse(html.as_bytes()), &DigestOptions { shingles: true, ..DigestOptions::default() })
    }

    #[test]
    fn the_same_pages_are_kept_in_any_order() {
        let numbers: Vec<u32> = (0..300).collect();
        let (mut one, mut two) = (SiteSample::default(), SiteSample::default());
        numbers.iter().for_each(|&number| one.add(number, page(&format!("text {number}"))));
        numbers.iter().rev().for_each(|&number| two.add(number, page(&format!("text {number}"))));
        assert_eq!(one.len(), SAMPLE_PAGES);
        assert_eq!(one.to_bytes().unwrap(), two.to_bytes().unwrap());
    }

    #[test]
    fn parts_divided_by_tables() {
        let page = page("One two");
        let texts: Vec<usize> = page.blocks().iter().map(|block| block.terms.len()).collect();
        let with_text: Vec<u32> = (0..).zip(&texts).filter(|(_, terms)| **terms > 0).map(|(at, _)| at).collect();
        assert_eq!(page.table_parts, [0, with_text[1], with_text[2]]);
    }

    #[test]
    fn a_damaged_sample_is_refused() {
        let mut sample = SiteSample::default();
        (0..3).for_each(|number| sample.add(number, page(&format!("text of page {number}"))));
        let bytes = sample.to_bytes().unwrap();
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0x21;
            assert!(SiteSample::from_bytes(&broken).is_err());
            if at >= MAGIC.len() && at < bytes.len() - 8 {
                file::reseal(&mut broken);
                // If it can be read at all, it is consistent.
                if let Ok(sample) = SiteSample::from_bytes(&broken) {
                    assert!(sample.pages().all(SamplePage::is_valid));
                }
            }
        }
    }
}
