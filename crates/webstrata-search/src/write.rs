//! Builds an index from the tables of a run, or page by page.

use crate::class_weights::{ClassCounter, ClassWeight, SiteClasses};
use crate::document::{Further, document, key};
use crate::error::from_tantivy;
use crate::manifest::{self, State, classes_file, tantivy_folder};
use crate::schema::{Fields, SPLIT};
use crate::split::Split;
use crate::{Clusters, Index, SearchError, TopicRanks};
use rayon::prelude::*;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::schema::IndexRecordOption;
use tantivy::{TantivyDocument, Term};
use webstrata_corpus::io::IoError;
use webstrata_corpus::run::site_of;
use webstrata_corpus::store::{PageRow, Rows, SegmentRow, StoreError, pages, segments};

/// Minimum memory of a tantivy thread.
const MIN_HEAP: usize = 16 << 20;
/// Pages per batch: their words are found in parallel.
const BATCH: usize = 128;

/// Options for building an index.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// Memory for words before they are written to disk, in bytes; at least 16 MB per thread.
    pub memory: usize,
    /// Pages between commits: the most that an interrupted command has to repeat.
    pub checkpoint: u64,
    /// Add the tables to those in the index instead of refusing different ones; pages with the same address are replaced.
    pub add: bool,
    /// Threads that write, limited by the memory.
    pub threads: usize,
    /// Link ranks of the pages, stored with them.
    pub ranks: Option<Arc<TopicRanks>>,
    /// Clusters of near duplicates; searches show one page of each.
    pub clusters: Option<Arc<Clusters>>,
}

impl Default for IndexOptions {
    fn default() -> Self {
        IndexOptions { memory: 128 << 20, checkpoint: 20_000, add: false, threads: 2, ranks: None, clusters: None }
    }
}

/// Result of a build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Pages of the tables in the index.
    pub pages: u64,
    /// Those already there before.
    pub pages_before: u64,
    /// Bytes of text that were indexed.
    pub bytes: u64,
    /// Whether all pages of the tables are in the index.
    pub complete: bool,
}

/// Writes to an index. It holds a lock: no other process can write at the same time.
///
/// ```
/// use webstrata_corpus::store::PageRow;
/// use webstrata_search::{Index, IndexOptions, IndexWriter, SearchOptions};
/// let folder = tempfile::tempdir().unwrap();
/// let mut writer = IndexWriter::open(folder.path(), &IndexOptions::default())?;
/// let page = |url: &str, title: &str| PageRow { url: Some(url.into()), title: Some(title.into()), ..PageRow::default() };
/// writer.add(&page("https://example.org/1", "Rain"), &[])?;
/// writer.add(&page("https://example.org/2", "Rain and snow"), &[])?;
/// writer.replace(&page("https://example.org/1", "Hail"), &[])?;
/// writer.delete("https://example.org/2");
/// writer.finish()?;
/// let index = Index::open(folder.path())?;
/// let hits = |query: &str| index.search(&query.parse().unwrap(), &SearchOptions::default()).unwrap().hits.len();
/// assert_eq!((index.pages(), hits("rain"), hits("hail")), (1, 0, 1));
/// # Ok::<(), webstrata_search::SearchError>(())
/// ```
pub struct IndexWriter {
    path: PathBuf,
    fields: Fields,
    classes: SiteClasses,
    writer: tantivy::IndexWriter,
    further: Further,
    state: State,
}

impl std::fmt::Debug for IndexWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "IndexWriter({})", self.path.display())
    }
}

impl IndexWriter {
    /// Opens an index for writing, or creates it. Uncommitted changes are lost.
    ///
    /// # Errors
    /// If the folder contains something else, is being written to, or is damaged.
    pub fn open(path: &Path, options: &IndexOptions) -> Result<IndexWriter, SearchError> {
        let mut manifest = manifest::begin(path)?;
        if let Some(ranks) = &options.ranks {
            let names: Vec<String> = ranks.names().into_iter().map(str::to_owned).collect();
            let is_new = !tantivy_folder(path).join("meta.json").exists();
            if manifest.ranks != names {
                if !is_new {
                    let reason = "the index was begun with ranks of other topics, or with none; build it again";
                    return Err(SearchError::Option(reason.into()));
                }
                manifest.ranks = names;
                manifest::write(path, &manifest)?;
            }
        }
        let fields = Fields::new();
        let folder = tantivy_folder(path);
        let failed = from_tantivy(path);
        let mut index = if folder.join("meta.json").exists() {
            tantivy::Index::open_in_dir(&folder).map_err(&failed)?
        } else {
            // A command that was killed while it created the index leaves files without a commit.
            if folder.exists() {
                fs::remove_dir_all(&folder).map_err(IoError::on("remove", &folder))?;
            }
            fs::create_dir_all(&folder).map_err(IoError::on("create the folder", &folder))?;
            tantivy::Index::create_in_dir(&folder, fields.schema.clone()).map_err(&failed)?
        };
        if index.schema() != fields.schema {
            return Err(SearchError::Damaged { path: path.to_owned(), reason: "its fields differ from its format".into() });
        }
        register(&mut index);
        let state = State::parse(index.load_metas().map_err(&failed)?.payload.as_deref());
        let threads = (options.memory / MIN_HEAP).clamp(1, options.threads.max(1));
        let writer = index.writer_with_num_threads(threads, options.memory.max(threads * MIN_HEAP)).map_err(&failed)?;
        let classes = match classes_file(path) {
            file if file.exists() => SiteClasses::read(&file)?,
            _ => SiteClasses::default(),
        };
        let further = Further { ranks: options.ranks.clone(), clusters: options.clusters.clone() };
        Ok(IndexWriter { path: path.to_owned(), fields, classes, writer, further, state })
    }

    /// Adds a page with its segments.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn add(&mut self, page: &PageRow, segments: &[SegmentRow]) -> Result<(), SearchError> {
        self.add_document(document(&self.fields, &self.classes, &self.further, page, segments))
    }

    /// Adds a page in place of the one with the same address (or id, if it has no address).
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn replace(&mut self, page: &PageRow, segments: &[SegmentRow]) -> Result<(), SearchError> {
        self.remove(key(page.url.as_deref(), &page.id));
        self.add(page, segments)
    }

    /// Deletes the page with this address or id.
    pub fn delete(&mut self, name: &str) {
        self.remove(key(Some(name), name));
        self.writer.delete_term(Term::from_field_text(self.fields.id, name));
    }

    /// Makes additions and deletions visible to searches.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn commit(&mut self) -> Result<(), SearchError> {
        let failed = from_tantivy(&self.path);
        let payload = serde_json::to_string(&self.state).map_err(|error| SearchError::Option(error.to_string()))?;
        let mut commit = self.writer.prepare_commit().map_err(&failed)?;
        commit.set_payload(&payload);
        commit.commit().map_err(&failed).map(drop)
    }

    /// Commits, and waits for background work.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn finish(mut self) -> Result<(), SearchError> {
        self.commit()?;
        self.writer.wait_merging_threads().map_err(from_tantivy(&self.path))
    }

    fn remove(&self, key: u64) {
        self.writer.delete_term(Term::from_field_u64(self.fields.key, key));
    }

    fn add_document(&self, document: TantivyDocument) -> Result<(), SearchError> {
        self.writer.add_document(document).map(drop).map_err(from_tantivy(&self.path))
    }

    /// Sets the weights of segment classes for pages added from now on.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn set_class_weights(&mut self, weights: Vec<ClassWeight>) -> Result<(), SearchError> {
        self.classes = SiteClasses::new(weights);
        self.classes.write(&classes_file(&self.path))
    }
}

/// Registers the tokenizer of all fields.
pub(crate) fn register(index: &mut tantivy::Index) {
    index.tokenizers().register(SPLIT, Split::default());
    // Writing and reading positions depends on this option.
    debug_assert!(IndexRecordOption::WithFreqsAndPositions.has_positions());
}

/// Joins the pages of tables with their segments.
struct Joined {
    pages: Rows<PageRow>,
    segments: std::iter::Peekable<Rows<SegmentRow>>,
}

impl Joined {
    fn open(tables: &Path) -> Result<Joined, StoreError> {
        Ok(Joined { pages: pages(tables)?, segments: segments(tables)?.peekable() })
    }

    fn next(&mut self) -> Result<Option<(PageRow, Vec<SegmentRow>)>, StoreError> {
        let Some(page) = self.pages.next().transpose()? else { return Ok(None) };
        let mut own = Vec::new();
        // Segments are in the order of their pages; an error also ends the list.
        while let Some(row) = self.segments.next_if(|row| row.as_ref().map_or(true, |row| row.page == page.id)) {
            own.push(row?);
        }
        Ok(Some((page, own)))
    }
}

/// Adds the tables of a run to an index, or continues an interrupted build. `watch` gets progress reports, and may stop the build
/// between pages.
///
/// # Errors
/// If the tables cannot be read, the index cannot be written, or it has other tables and [`IndexOptions::add`] is not set.
pub fn build(
    tables: &Path,
    out: &Path,
    options: &IndexOptions,
    watch: &mut dyn FnMut(&Built) -> ControlFlow<()>,
) -> Result<Built, SearchError> {
    Joined::open(tables)?; // errors of the tables come before a folder is made
    let fingerprint = manifest::fingerprint_of_run(tables)?;
    let mut writer = IndexWriter::open(out, options)?;
    let same = writer.state.tables == fingerprint;
    if !same && !writer.state.tables.is_empty() && !options.add {
        return Err(SearchError::OtherTables { path: out.to_owned(), built_from: writer.state.path.clone() });
    }
    if !same && !writer.state.tables.is_empty() && !writer.state.complete {
        let reason = format!("{} has only a part of {}; finish that first", out.display(), writer.state.path);
        return Err(SearchError::Option(reason));
    }
    if !same {
        // Replace only if there are pages to replace: deleted pages count in statistics until their part is merged.
        let replace = Index::open(out).is_ok_and(|index| index.pages() > 0);
        let path = tables.display().to_string();
        writer.state = State { tables: fingerprint, path, pages: 0, complete: false, replace };
    }
    let replace = writer.state.replace;
    let before = writer.state.pages;
    let mut built = Built { pages: before, pages_before: before, bytes: 0, complete: writer.state.complete };
    if built.complete {
        return Ok(built);
    }
    if !classes_file(out).exists() {
        let mut counter = ClassCounter::default();
        let mut rows = Joined::open(tables)?;
        while let Some((page, segments)) = rows.next()? {
            counter.add(page.host.as_deref().map(site_of).unwrap_or_default(), page.title.as_deref(), &segments);
            if watch(&built).is_break() {
                return Ok(built);
            }
        }
        writer.set_class_weights(counter.finish())?;
    }
    let mut rows = Joined::open(tables)?;
    for _ in 0..before {
        rows.next()?;
    }
    let mut since = 0;
    loop {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH {
            let Some(row) = rows.next()? else { break };
            batch.push(row);
        }
        if batch.is_empty() {
            break;
        }
        built.bytes += batch.iter().flat_map(|(_, segments)| segments).map(|segment| segment.text.len() as u64).sum::<u64>();
        let (fields, classes, further) = (&writer.fields, &writer.classes, &writer.further);
        let documents: Vec<(u64, TantivyDocument)> = batch
            .par_iter()
            .map(|(page, segments)| (key(page.url.as_deref(), &page.id), document(fields, classes, further, page, segments)))
            .collect();
        for (key, document) in documents {
            if replace {
                writer.remove(key);
            }
            writer.add_document(document)?;
            writer.state.pages += 1;
            since += 1;
            built.pages = writer.state.pages;
            if since >= options.checkpoint {
                since = 0;
                writer.commit()?;
            }
        }
        if watch(&built).is_break() {
            writer.commit()?;
            return Ok(built);
        }
    }
    writer.state.complete = true;
    writer.finish()?;
    built.complete = true;
    Ok(built)
}
