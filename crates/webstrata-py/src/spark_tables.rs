//! Files as rows of pages, and pages as the rows that a run writes.

use crate::spark_arrow::{Columns, invalid, read, text, write};
use crate::spark_documents::{from_batch, reason_name, to_batch};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use webstrata::ExtractOptions;
use webstrata::select::SiteRules;
use webstrata_corpus::dedup::Similarity;
use webstrata_corpus::executor::panic_guard;
use webstrata_corpus::input::{Failure, Input, InputOptions, Item, Reason, Sources};
use webstrata_corpus::run::{Evidence, PageRowMaker, RunOptions, Signer};
use webstrata_corpus::site::evidence_reader::EvidenceReader;
use webstrata_corpus::store::{ErrorRow, LinkRow, PageRow, PageRows, Row, SegmentRow, Table};
use webstrata_corpus::{Extraction, Origin};

/// Maximum rows and bytes of a batch of pages; the page that exceeds them is included.
const MAX_ROWS: usize = 1000;
const MAX_BYTES: usize = 8 << 20;

/// The files that paths, folders and patterns name, in the order in which a run reads them.
#[pyfunction]
pub(crate) fn find_files(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Vec<PathBuf>> {
    py.detach(|| {
        let sources = Sources::new(paths).map_err(invalid)?;
        sources.files(&InputOptions::default()).map_err(|error| PyOSError::new_err(error.to_string()))
    })
}

/// The pages of one file, batch by batch.
#[pyclass]
pub(crate) struct Documents {
    input: Mutex<Option<Input>>,
    path: PathBuf,
}

impl Documents {
    /// The next items; empty at the end. A file that cannot be opened is a single item.
    fn items(&self) -> Vec<Item> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut items, mut bytes) = (Vec::new(), 0);
        while let Some(open) = input.as_mut() {
            let failure = match panic_guard::catch(|| open.next()) {
                Ok(Some(Ok(item))) => {
                    bytes += item.size();
                    items.push(item);
                    if items.len() >= MAX_ROWS || bytes >= MAX_BYTES {
                        break;
                    }
                    continue;
                }
                Ok(None) => None,
                Ok(Some(Err(error))) => Some(Failure::new(Reason::Unreadable, error.to_string())),
                Err(message) => Some(Failure::new(Reason::Failed, message)),
            };
            items.extend(failure.map(|failure| broken(&self.path, failure)));
            *input = None;
        }
        items
    }
}

fn broken(path: &Path, failure: Failure) -> Item {
    let origin = Origin::new(&path.to_string_lossy(), 0);
    Item::Broken(webstrata_corpus::input::Broken { origin, failure, whole_file: true })
}

#[pymethods]
impl Documents {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, max_bytes: u64, any_status: bool) -> PyResult<Self> {
        let options = InputOptions { max_bytes, any_status, ..InputOptions::default() };
        let input = py.detach(|| Input::stream(Sources::new([path.clone()])?, &options)).map_err(invalid)?;
        Ok(Documents { input: Mutex::new(Some(input)), path })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Vec<u8>>> {
        let items = py.detach(|| self.items());
        if items.is_empty() {
            return Ok(None);
        }
        py.detach(|| to_batch(&items).and_then(|batch| write(&batch))).map(Some).map_err(invalid)
    }
}

/// Options of extraction, by the names of the command line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Settings {
    preset: Option<String>,
    mode: Option<String>,
    comments: Option<bool>,
    tables: Option<bool>,
    title: Option<bool>,
    method: Option<String>,
    granularity: Option<String>,
    /// The text of a rules file.
    site_rules: Option<String>,
    /// An evidence file.
    site_evidence: Option<PathBuf>,
    signatures: Option<String>,
    max_bytes: Option<usize>,
}

impl Settings {
    fn run_options(self, table: Table) -> Result<RunOptions, String> {
        fn parse<T: std::str::FromStr<Err: ToString>>(text: &str) -> Result<T, String> {
            text.parse().map_err(|error: T::Err| error.to_string())
        }
        let mut options = RunOptions { tables: vec![table], ..RunOptions::default() };
        let mut extract = match self.preset {
            Some(preset) => ExtractOptions::from(parse::<webstrata::label::Preset>(&preset)?),
            None => ExtractOptions::default(),
        };
        if let Some(mode) = self.mode {
            extract = extract.mode(parse(&mode)?);
        }
        if let Some(comments) = self.comments {
            extract = extract.comments(comments);
        }
        if let Some(tables) = self.tables {
            extract = extract.tables(tables);
        }
        if let Some(title) = self.title {
            extract = extract.title(title);
        }
        options.extraction = Extraction::new(extract);
        if let Some(rules) = self.site_rules {
            let rules = SiteRules::parse(&rules).map_err(|error| error.to_string())?;
            options.extraction = options.extraction.with_site_rules(rules);
        }
        if let Some(method) = self.method {
            options.method = parse(&method)?;
        }
        if let Some(granularity) = self.granularity {
            options.segment.granularity = parse(&granularity)?;
        }
        if let Some(path) = self.site_evidence {
            let evidence = EvidenceReader::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            options.evidence = Some(Arc::new(evidence) as Arc<dyn Evidence>);
        }
        if let Some(name) = self.signatures {
            options.signer = Some(Arc::new(similarity(&name)?) as Arc<dyn Signer>);
        }
        if let Some(max_bytes) = self.max_bytes {
            options.page.limits.bytes = max_bytes;
        }
        Ok(options)
    }
}

/// How texts are compared, by name.
pub(crate) fn similarity(name: &str) -> Result<Similarity, String> {
    match name {
        "fineweb" => Ok(Similarity::fineweb()),
        "paper" => Ok(Similarity::paper()),
        _ => Err(format!("unknown similarity '{name}'; use fineweb or paper")),
    }
}

/// The rows to make from pages.
#[derive(Clone, Copy)]
enum Wanted {
    Table(Table),
    Errors,
}

impl Wanted {
    fn parse(name: &str) -> Result<Self, String> {
        if name == "errors" {
            return Ok(Wanted::Errors);
        }
        name.parse().map(Wanted::Table).map_err(|error: webstrata_corpus::store::UnknownTable| format!("{error}, errors"))
    }

    fn batch(self, pages: &[PageRows], errors: &[ErrorRow]) -> Result<RecordBatch, ArrowError> {
        match self {
            Wanted::Errors => error_batch(errors),
            Wanted::Table(Table::Pages) => batch(pages.iter().map(|rows| &rows.page).collect::<Vec<&PageRow>>()),
            Wanted::Table(Table::Segments) => batch(pages.iter().flat_map(|rows| &rows.segments).collect::<Vec<&SegmentRow>>()),
            Wanted::Table(Table::Links) => batch(pages.iter().flat_map(|rows| &rows.links).collect::<Vec<&LinkRow>>()),
        }
    }
}

fn batch<R: Row>(rows: Vec<&R>) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_new(R::schema(), R::columns(&rows))
}

fn error_batch(rows: &[ErrorRow]) -> Result<RecordBatch, ArrowError> {
    let text = |name: &str, nullable: bool| Field::new(name, DataType::Utf8, nullable);
    let number = |name: &str| Field::new(name, DataType::Int64, false);
    let fields = vec![
        text("reason", false),
        text("file", false),
        number("offset"),
        number("inside"),
        text("url", true),
        text("message", false),
    ];
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| reason_name(row.reason)))),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.file))),
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.offset.cast_signed()))),
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.inside.cast_signed()))),
        Arc::new(rows.iter().map(|row| row.url.as_deref()).collect::<StringArray>()),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.message))),
    ];
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

/// The columns of a table (`pages`, `segments`, `links`, `errors`, `documents`), as an empty batch.
#[pyfunction]
pub(crate) fn schema(table: &str) -> PyResult<Vec<u8>> {
    let empty = if table == "documents" { to_batch(&[]) } else { Wanted::parse(table).map_err(invalid)?.batch(&[], &[]) };
    empty.and_then(|batch| write(&batch)).map_err(invalid)
}

/// Turns pages into rows. Used by one thread at a time.
#[pyclass]
pub(crate) struct Extractor {
    maker: Mutex<PageRowMaker>,
    wanted: Wanted,
}

#[pymethods]
impl Extractor {
    #[new]
    fn new(table: &str, settings: &str) -> PyResult<Self> {
        let wanted = Wanted::parse(table).map_err(invalid)?;
        let settings: Settings = serde_json::from_str(settings).map_err(invalid)?;
        let made = if let Wanted::Table(table) = wanted { table } else { Table::Pages };
        let maker = PageRowMaker::new(&settings.run_options(made).map_err(invalid)?).map_err(invalid)?;
        Ok(Extractor { maker: Mutex::new(maker), wanted })
    }

    /// The rows of a batch of pages.
    fn rows(&self, py: Python<'_>, batch: &[u8]) -> PyResult<Vec<u8>> {
        py.detach(|| self.make(batch)).map_err(invalid)
    }
}

impl Extractor {
    fn make(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut maker = self.maker.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut pages, mut errors) = (Vec::new(), Vec::new());
        for batch in read(bytes).map_err(|error| error.to_string())? {
            let columns = Columns(&batch);
            let ids = if batch.column_by_name("file").is_none() { columns.texts("id")?.or(columns.texts("url")?) } else { None };
            for (row, item) in from_batch(&batch)?.iter().enumerate() {
                match maker.rows(item) {
                    Ok(mut rows) => {
                        if let Some(id) = text(ids, row) {
                            rename(&mut rows, id);
                        }
                        pages.push(rows);
                    }
                    Err(error) => errors.push(error),
                }
            }
        }
        self.wanted.batch(&pages, &errors).and_then(|batch| write(&batch)).map_err(|error| error.to_string())
    }
}

/// Gives the rows of a page the id that the caller knows it by.
fn rename(rows: &mut PageRows, id: &str) {
    let old = std::mem::replace(&mut rows.page.id, id.to_owned());
    rows.segments.iter_mut().for_each(|segment| id.clone_into(&mut segment.page));
    for link in &mut rows.links {
        id.clone_into(&mut link.page);
        if link.source == old {
            id.clone_into(&mut link.source);
        }
    }
}
