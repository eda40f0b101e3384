//! Many pages at once, on all cores.

use crate::arrow::{self, ArrowArray, Cells};
use crate::error::Kind;
use crate::extractor::{Extractor, Shared};
use crate::html::Html;
use arrow_array::LargeStringArray;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyList;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use std::vec;
use webstrata::PageReader;
use webstrata_corpus::executor::{Event, Executor, ExecutorOptions, Job, Phase, Source};
use webstrata_corpus::input::Failure;

/// Interval at which Python handles signals while pages are extracted.
const TICK: Duration = Duration::from_millis(50);

/// A page of the batch.
#[derive(Debug)]
pub(crate) struct Item {
    html: Cell,
    url: Option<Url>,
}

#[derive(Debug)]
enum Cell {
    Null,
    Object(Html),
    Arrow(Arc<Cells>, usize),
}

#[derive(Debug)]
enum Url {
    Object(PyBackedStr),
    Arrow(Arc<Cells>, usize),
}

impl Url {
    fn get(&self) -> Option<&str> {
        match self {
            Url::Object(text) => Some(text),
            Url::Arrow(cells, row) => cells.get(*row).and_then(|bytes| std::str::from_utf8(bytes).ok()),
        }
    }
}

/// The pages of a list or a column.
struct Pages(vec::IntoIter<Item>);

impl Source for Pages {
    type Item = Item;
    type Error = Infallible;

    fn next(&mut self) -> Option<Result<Item, Infallible>> {
        self.0.next().map(Ok)
    }
}

struct ExtractJob(Arc<Shared>);

/// Readers of bytes and of text, which reuse their buffers.
struct Readers {
    bytes: PageReader,
    text: PageReader,
}

impl Job for ExtractJob {
    type Source = Pages;
    type Tools = Readers;
    type Output = Result<Option<String>, String>;
    type Background = ();

    fn tools(&self) -> Readers {
        let reader = |is_text| PageReader::new(self.0.page_options(is_text).clone());
        Readers { bytes: reader(false), text: reader(true) }
    }

    fn run(&self, readers: &mut Readers, item: &Item, phase: &dyn Fn(Phase)) -> Self::Output {
        phase(Phase::Working);
        let (bytes, is_text) = match &item.html {
            Cell::Null => return Ok(None),
            Cell::Object(html) => (html.bytes(), html.is_text()),
            Cell::Arrow(cells, row) => match cells.get(*row) {
                Some(bytes) => (bytes, cells.is_text()),
                None => return Ok(None),
            },
        };
        let reader = if is_text { &mut readers.text } else { &mut readers.bytes };
        let page = reader.read(bytes);
        let text = self.0.write(item.url.as_ref().and_then(Url::get), &page);
        reader.recycle(page);
        text.map(Some)
    }

    fn failed(&self, _: &Item, failure: Failure) -> Self::Output {
        Err(failure.message)
    }

    /// Items are already in memory, whether they are extracted or not.
    fn item_size(&self, _: &Item) -> usize {
        size_of::<Item>()
    }

    /// All outputs stay in memory until the batch is complete.
    fn output_size(&self, _: &Self::Output) -> usize {
        size_of::<Self::Output>()
    }
}

/// Extracts the pages of a list or an Arrow column; a list gives a list, a column a column. Pages that fail raise an exception or,
/// if `errors` is `null`, give `None`.
#[pyfunction]
pub(crate) fn extract_batch<'py>(
    py: Python<'py>,
    extractor: &Extractor,
    pages: &Bound<'py, PyAny>,
    urls: Option<&Bound<'py, PyAny>>,
    threads: usize,
    timeout: Option<f64>,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let is_list = pages.cast::<PyList>().is_ok();
    let keep_going = match errors {
        "raise" => false,
        "null" => true,
        other => return Err(Kind::Option.raise(format!("errors is '{other}'; choose one of: raise, null"))),
    };
    let timeout = match timeout.map(Duration::try_from_secs_f64).transpose() {
        Ok(timeout) => timeout.filter(|timeout| !timeout.is_zero()),
        Err(_) => return Err(Kind::Option.raise("timeout: give a number of seconds, such as 30 or 0.5, or None for no limit")),
    };
    let items = items(extractor, pages, urls)?;
    let outputs = run(py, extractor, items, &ExecutorOptions { threads, timeout, ..ExecutorOptions::default() }, keep_going)?;
    if is_list {
        return outputs.into_pyobject(py);
    }
    let array = py.detach(|| LargeStringArray::from(outputs));
    Ok(Bound::new(py, ArrowArray::from(array))?.into_any())
}

/// The pages with their addresses.
fn items(extractor: &Extractor, pages: &Bound<'_, PyAny>, urls: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Item>> {
    let cells = match pages.cast::<PyList>() {
        Ok(list) => list.iter().map(|page| cell(extractor, &page)).collect::<PyResult<Vec<Cell>>>()?,
        Err(_) => column(pages)?.into_iter().map(|(cells, row)| Cell::Arrow(cells, row)).collect(),
    };
    let urls: Vec<Option<Url>> = match urls {
        None => Vec::new(),
        Some(urls) => match urls.cast::<PyList>() {
            Ok(list) => {
                list.iter().map(|url| Ok(url.extract::<Option<PyBackedStr>>()?.map(Url::Object))).collect::<PyResult<_>>()?
            }
            Err(_) => column(urls)?.into_iter().map(|(cells, row)| Some(Url::Arrow(cells, row))).collect(),
        },
    };
    if !urls.is_empty() && urls.len() != cells.len() {
        return Err(Kind::Option.raise(format!("there are {} pages and {} urls", cells.len(), urls.len())));
    }
    let urls = urls.into_iter().chain(std::iter::repeat_with(|| None));
    Ok(cells.into_iter().zip(urls).map(|(html, url)| Item { html, url }).collect())
}

fn cell(extractor: &Extractor, page: &Bound<'_, PyAny>) -> PyResult<Cell> {
    if page.is_none() {
        return Ok(Cell::Null);
    }
    let html: Html = page.extract()?;
    extractor.shared.check(&html)?;
    Ok(Cell::Object(html))
}

/// The cells of a column.
fn column(column: &Bound<'_, PyAny>) -> PyResult<Vec<(Arc<Cells>, usize)>> {
    let mut rows = Vec::new();
    for chunk in arrow::chunks(column)? {
        let cells = Cells::new(chunk)?;
        rows.extend((0..cells.len()).map(|row| (Arc::clone(&cells), row)));
    }
    Ok(rows)
}

/// Runs the pages through the driver. Signals such as Ctrl-C stop it.
fn run(
    py: Python<'_>,
    extractor: &Extractor,
    items: Vec<Item>,
    options: &ExecutorOptions,
    keep_going: bool,
) -> PyResult<Vec<Option<String>>> {
    let mut texts = Vec::with_capacity(items.len());
    let failed = |error: &dyn std::fmt::Display| Kind::Page.raise(error);
    let job = ExtractJob(Arc::clone(&extractor.shared));
    let executor = Executor::start(Pages(items.into_iter()), job, options).map_err(|stop| failed(&stop))?;
    loop {
        match py.detach(|| executor.next(TICK)).map_err(|stop| failed(&stop))? {
            Event::Outputs(outputs) => outputs.try_for_each(|_, output| match output {
                Ok(text) => {
                    texts.push(text);
                    Ok(())
                }
                Err(_) if keep_going => {
                    texts.push(None);
                    Ok(())
                }
                Err(message) => Err(failed(&format!("page {}: {message}", texts.len()))),
            })?,
            Event::Background(()) | Event::Idle => {}
            Event::End => return Ok(texts),
        }
        py.check_signals()?;
    }
}
