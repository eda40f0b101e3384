//! Cost of building an index: time, size and memory, compared with a plain tantivy index over the same pages.

use super::latency::page;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tantivy::schema::{STORED, STRING, Schema, TEXT};
use webstrata_corpus::store::{PageRow, SegmentRow};
use webstrata_search::{ClassCounter, IndexOptions, IndexWriter, SearchError};

/// Memory of both writers.
const MEMORY: usize = 256 << 20;
/// Pages generated at a time; the time for generating them is not counted.
const BATCH: u64 = 1000;
/// Pages whose segment classes are counted; `build` counts all pages.
const COUNTED: u64 = 5000;

/// Measurements of a build.
#[derive(Clone, Copy, Debug, Default)]
pub struct Generated {
    /// Time.
    pub time: Duration,
    /// Time of the plain index.
    pub plain_time: Duration,
    /// Bytes of text.
    pub bytes: u64,
    /// Bytes on disk.
    pub size: u64,
    /// Bytes of the plain index on disk.
    pub plain_size: u64,
    /// Peak memory of the process in bytes, if the system reports it.
    pub memory: Option<u64>,
}

/// An index built without segments: one field of all text with positions, and the stored fields that results need.
struct Plain {
    writer: tantivy::IndexWriter,
    text: tantivy::schema::Field,
    stored: [tantivy::schema::Field; 4],
}

impl Plain {
    fn create(folder: &Path) -> tantivy::Result<Plain> {
        fs::create_dir_all(folder).map_err(|error| tantivy::TantivyError::InvalidArgument(error.to_string()))?;
        let mut schema = Schema::builder();
        let text = schema.add_text_field("all", TEXT);
        let id = schema.add_text_field("id", STRING | STORED);
        let stored = ["url", "name", "text"].map(|name| schema.add_text_field(name, STORED));
        let [url, name, content] = stored;
        let index = tantivy::Index::create_in_dir(folder, schema.build())?;
        Ok(Plain { writer: index.writer_with_num_threads(1, MEMORY)?, text, stored: [id, url, name, content] })
    }

    fn add(&mut self, page: &PageRow, segments: &[SegmentRow]) -> tantivy::Result<()> {
        let mut document = tantivy::TantivyDocument::new();
        document.add_text(self.text, page.title.as_deref().unwrap_or_default());
        segments.iter().for_each(|segment| document.add_text(self.text, &segment.text));
        let values = [&page.id, page.url.as_deref().unwrap_or_default(), page.title.as_deref().unwrap_or_default(), &page.text];
        self.stored.iter().zip(values).for_each(|(field, value)| document.add_text(*field, value));
        self.writer.add_document(document).map(drop)
    }

    fn finish(mut self) -> tantivy::Result<()> {
        self.writer.commit()?;
        self.writer.wait_merging_threads()
    }
}

/// Measures the time to add pages in batches. Both writers have background threads, so the two indexes are built one after the other.
fn timed(
    pages: u64,
    mut add: impl FnMut(&PageRow, &[SegmentRow]) -> Result<(), SearchError>,
    tick: &dyn Fn(),
) -> Result<(Duration, u64), SearchError> {
    let (mut time, mut bytes, mut from) = (Duration::ZERO, 0, 0);
    while from < pages {
        let rows: Vec<(PageRow, Vec<SegmentRow>)> = (from..pages.min(from + BATCH)).map(page).collect();
        from += rows.len() as u64;
        bytes += rows.iter().flat_map(|(_, segments)| segments).map(|segment| segment.text.len() as u64).sum::<u64>();
        let started = Instant::now();
        rows.iter().try_for_each(|(row, segments)| add(row, segments))?;
        time += started.elapsed();
        rows.iter().for_each(|_| tick());
    }
    Ok((time, bytes))
}

/// Builds an index of generated pages, and then a plain one in `plain`.
///
/// # Errors
/// If an index cannot be written.
pub fn generate(folder: &Path, plain: &Path, pages: u64, tick: &dyn Fn()) -> Result<Generated, SearchError> {
    let failed = |error: tantivy::TantivyError| SearchError::Option(error.to_string());
    let options = IndexOptions { memory: MEMORY, threads: 1, ..IndexOptions::default() };
    let mut writer = IndexWriter::open(folder, &options)?;
    let mut counter = ClassCounter::default();
    for number in 0..pages.min(COUNTED) {
        let (row, segments) = page(number);
        counter.add("example.org", row.title.as_deref(), &segments);
    }
    writer.set_class_weights(counter.finish())?;
    let mut made = Generated::default();
    (made.time, made.bytes) = timed(pages, |row, segments| writer.add(row, segments), tick)?;
    let started = Instant::now();
    writer.finish()?;
    made.time += started.elapsed();
    // Measured before the other index takes memory.
    made.memory = peak();
    let mut other = Plain::create(plain).map_err(failed)?;
    (made.plain_time, _) = timed(pages, |row, segments| other.add(row, segments).map_err(failed), &|| {})?;
    let started = Instant::now();
    other.finish().map_err(failed)?;
    made.plain_time += started.elapsed();
    (made.size, made.plain_size) = (size(&folder.join("tantivy")), size(plain));
    Ok(made)
}

/// Total size of the files in a folder.
fn size(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    files.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// Peak memory of this process without mapped files, if the system reports it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let of = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    };
    Some(of("VmHWM:")?.saturating_sub(of("RssFile:").unwrap_or(0)))
}
