//! Blocks instead of pages: finds text that several pages and sites share, and computes what storing it once would save.
//!
//! S. Debnath, P. Mitra, N. Pal, C. L. Giles: Automatic Identification of Informative Sections of Web Pages. IEEE TKDE 17(9), 2005,
//! section 6.7: a cache that stores the blocks of GetBlockSet rather than pages stores each of them once. Their cache is per site and
//! requires equal blocks; here, near duplicates across sites count as well, because syndicated text appears on many sites in different surroundings.

use super::clusters::{MatchKind, Row};
use super::error::{DedupError, damaged};
use super::index::Index;
use super::output::{Out, is_parquet};
use super::signer::{Signature, Signer};
use super::table::Table;
use crate::Document;
use crate::io::TempDir;
use crate::io::external_sort::ExternalSorter;
use crate::io::record_file::{Record, RecordSource};
use crate::site::blocks::block_set;
use crate::site::digest::site_of;
use arrow_array::{ArrayRef, BooleanArray, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use webstrata::block::GapModel;
use webstrata::segment::GetBlockSet;
use xxhash_rust::xxh3::xxh3_64;

/// The [`Settings::text_source`](super::Settings::text_source) of an index of blocks.
pub const BLOCKS: &str = "blocks";

/// Bytes of a reference to a stored block, as in [`crate::site::cache`].
const REFERENCE: u64 = 4;

/// Separates the parts of a block's id; no address and no file name contains it.
const SEPARATOR: char = '\0';

/// The blocks of a page with text: their ids and signatures, in order.
pub(super) fn sign(document: &Document, page: &webstrata::Page<'_>, signer: &mut Signer) -> Vec<(String, Signature)> {
    let name = document.url.clone().unwrap_or_else(|| document.origin.to_string()).replace(SEPARATOR, " ");
    let site = site_of(document.url.as_deref(), "").replace(SEPARATOR, " ");
    let atoms = page.blocks_by(GapModel::Tags);
    let blocks = block_set(page, &GetBlockSet::html5()).into_iter().filter_map(|block| {
        let texts: Vec<_> = block.atoms.clone().filter_map(|atom| atoms.get(atom)).map(|atom| atom.text()).collect();
        let signature = signer.sign(&texts.join(" "));
        let id = format!("{name}{SEPARATOR}{site}{SEPARATOR}{}{SEPARATOR}{}", block.span.start, block.span.end);
        // Without keys there are no words, and nothing to compare.
        (!signature.joins.is_empty()).then_some((id, signature))
    });
    blocks.collect()
}

/// The parts of a block's id.
struct BlockId<'i> {
    page: &'i str,
    site: &'i str,
    start: u32,
    end: u32,
}

impl<'i> BlockId<'i> {
    fn parse(id: &'i str) -> Option<BlockId<'i>> {
        let mut parts = id.split(SEPARATOR);
        let (page, site) = (parts.next()?, parts.next()?);
        let (start, end) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(BlockId { page, site, start, end })
    }

    fn name(&self) -> String {
        format!("{}#{}-{}", self.page, self.start, self.end)
    }
}

/// The verdict on a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockRow {
    /// Its page: the address, or where the page was read from.
    pub page: String,
    /// The site of the page; empty if the address is unknown.
    pub site: String,
    /// First byte of the block in the page.
    pub start: u32,
    /// First byte after it.
    pub end: u32,
    /// The block that is kept, as `page#start-end`: the same for all blocks of the cluster.
    pub cluster: String,
    /// Whether this block is the one that is kept.
    pub keep: bool,
    /// Blocks in the cluster.
    pub size: u32,
    /// How it matches the kept block.
    #[serde(rename = "match")]
    pub same: Option<MatchKind>,
}

/// Savings from storing each block once. Bytes are those of the source, including markup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockSavings {
    /// Blocks with text.
    pub blocks: u64,
    /// Blocks that are copies of a kept block.
    pub copies: u64,
    /// Clusters of more than one block.
    pub clusters: u64,
    /// Clusters that span more than one site.
    pub shared: u64,
    /// Bytes of all blocks.
    pub whole: u64,
    /// Bytes if every site stores its blocks once, with a reference of 4 bytes per block.
    pub per_site: u64,
    /// Bytes if blocks are stored once for all sites, with the same references.
    pub once: u64,
}

impl BlockSavings {
    /// Share of the bytes that is saved if every site stores its blocks once.
    #[must_use]
    pub fn saved_per_site(&self) -> f64 {
        1.0 - self.per_site as f64 / self.whole.max(1) as f64
    }

    /// Share of the bytes that is saved if blocks are stored once for all sites.
    #[must_use]
    pub fn saved(&self) -> f64 {
        1.0 - self.once as f64 / self.whole.max(1) as f64
    }
}

/// A block with its cluster and site. Within a site, the block that would be stored sorts first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Copy {
    cluster: u64,
    site: u64,
    /// 0 for the block that is kept.
    other: u8,
    /// `u32::MAX` minus its size in bytes, so that larger blocks sort first.
    inverse_size: u32,
}

impl Record for Copy {
    const KIND: [u8; 4] = *b"copy";

    fn memory(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.cluster.to_le_bytes())?;
        out.write_all(&self.site.to_le_bytes())?;
        out.write_all(&[self.other])?;
        out.write_all(&self.inverse_size.to_le_bytes())
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        Ok(Copy { cluster: from.u64()?, site: from.u64()?, other: from.array::<1>()?[0], inverse_size: from.u32()? })
    }
}

/// Writes one row per block, as Parquet if the name ends with `.parquet`, otherwise as JSON Lines, and returns the possible savings.
/// The file appears when it is complete.
///
/// # Errors
/// If the index is damaged or is not an index of blocks, or if the file cannot be written.
pub fn write_blocks(
    path: &Path,
    index: &Index,
    rows: impl Iterator<Item = Result<Row, DedupError>>,
) -> Result<BlockSavings, DedupError> {
    let mut out = if is_parquet(path) { Out::Table(Box::new(Table::create(path, schema(), columns)?)) } else { Out::lines(path)? };
    let work = TempDir::new(index.dir());
    let mut copies = ExternalSorter::new(&work, index.resources().sort / 2);
    let mut savings = BlockSavings::default();
    for row in rows {
        let row = row?;
        let (Some(id), Some(kept)) = (BlockId::parse(&row.id), BlockId::parse(&row.cluster)) else {
            return Err(damaged(index.dir(), "it is not an index of blocks"));
        };
        let bytes = id.end.saturating_sub(id.start);
        savings.blocks += 1;
        savings.copies += u64::from(!row.keep);
        savings.clusters += u64::from(row.keep && row.size > 1);
        savings.whole += u64::from(bytes);
        // Pages without an address count as one site.
        let (cluster, site) = (xxh3_64(row.cluster.as_bytes()), xxh3_64(id.site.as_bytes()));
        copies.push(Copy { cluster, site, other: u8::from(!row.keep), inverse_size: u32::MAX - bytes })?;
        out.push(
            path,
            BlockRow {
                page: id.page.to_owned(),
                site: id.site.to_owned(),
                start: id.start,
                end: id.end,
                cluster: kept.name(),
                keep: row.keep,
                size: row.size,
                same: row.same,
            },
        )?;
    }
    let mut last: Option<(u64, u64)> = None;
    let (mut sites, mut stored) = (0u64, 0);
    for copy in copies.finish()? {
        let copy = copy?;
        let bytes = u64::from(u32::MAX - copy.inverse_size);
        let new_cluster = last.is_none_or(|(cluster, _)| cluster != copy.cluster);
        if new_cluster {
            savings.shared += u64::from(sites > 1);
            sites = 0;
        }
        if new_cluster || last.is_some_and(|(_, site)| site != copy.site) {
            sites += 1;
            savings.per_site += bytes;
        }
        stored += if copy.other == 0 { bytes } else { 0 };
        last = Some((copy.cluster, copy.site));
    }
    savings.shared += u64::from(sites > 1);
    savings.once = stored + savings.blocks * REFERENCE;
    savings.per_site += savings.blocks * REFERENCE;
    out.finish()?;
    Ok(savings)
}

fn schema() -> Arc<Schema> {
    let text = |name: &str, optional: bool| Field::new(name, DataType::Utf8, optional);
    let number = |name: &str| Field::new(name, DataType::UInt32, false);
    Arc::new(Schema::new(vec![
        text("page", false),
        text("site", false),
        number("start"),
        number("end"),
        text("cluster", false),
        Field::new("keep", DataType::Boolean, false),
        number("size"),
        text("match", true),
    ]))
}

fn columns(rows: &[BlockRow]) -> Vec<ArrayRef> {
    let texts = |of: fn(&BlockRow) -> &String| Arc::new(StringArray::from_iter_values(rows.iter().map(of)));
    let numbers = |of: fn(&BlockRow) -> u32| Arc::new(UInt32Array::from_iter_values(rows.iter().map(of)));
    vec![
        texts(|row| &row.page),
        texts(|row| &row.site),
        numbers(|row| row.start),
        numbers(|row| row.end),
        texts(|row| &row.cluster),
        Arc::new(rows.iter().map(|row| Some(row.keep)).collect::<BooleanArray>()),
        numbers(|row| row.size),
        Arc::new(rows.iter().map(|row| row.same.map(MatchKind::name)).collect::<StringArray>()),
    ]
}
