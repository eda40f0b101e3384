//! Pages of WARC files, folders and tables, one after another.

use crate::error::Kind;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use webstrata_corpus::Document;
use webstrata_corpus::input::{Broken, Input, InputError, InputOptions, Item, Sources};

/// Reads pages in the order of the input. Threads may share it; each page goes to only one of them.
#[pyclass(frozen, module = "webstrata._webstrata")]
#[derive(Debug)]
pub(crate) struct Reader {
    input: Mutex<Input>,
}

/// How pages are read.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
struct Keywords {
    extensions: Vec<String>,
    any_status: bool,
    max_bytes: u64,
    html_column: String,
    url_column: String,
    date_column: String,
}

fn raise(error: InputError) -> PyErr {
    Kind::Input.raise(error)
}

#[pymethods]
impl Reader {
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>, options: Keywords) -> PyResult<Self> {
        let Keywords { extensions, any_status, max_bytes, html_column, url_column, date_column } = options;
        let options = InputOptions { max_bytes, html_column, url_column, date_column, any_status };
        let open = || Input::stream(Sources::new(paths)?.with_extensions(&extensions), &options);
        Ok(Reader { input: Mutex::new(py.detach(open).map_err(raise)?) })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The fields of the next record.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let next = py.detach(|| self.input.lock().unwrap_or_else(PoisonError::into_inner).next());
        match next.transpose().map_err(raise)? {
            None => Ok(None),
            Some(item) => fields(py, &item).map(Some),
        }
    }
}

fn fields<'py>(py: Python<'py>, item: &Item) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("name", item.name())?;
    fields.set_item("file", &*item.origin().file)?;
    fields.set_item("offset", item.origin().offset)?;
    fields.set_item("url", item.url())?;
    match item {
        Item::Document(document) => fields_of_page(&fields, document)?,
        Item::Broken(Broken { failure, .. }) => fields.set_item("error", &failure.message)?,
        Item::File(_) => {}
    }
    Ok(fields)
}

fn fields_of_page(fields: &Bound<'_, PyDict>, document: &Document) -> PyResult<()> {
    let capture = &document.capture;
    fields.set_item("html", PyBytes::new(fields.py(), &document.bytes))?;
    fields.set_item("date", &document.date)?;
    fields.set_item("charset", &document.charset)?;
    fields.set_item("status", capture.status)?;
    fields.set_item("content_type", &capture.content_type)?;
    fields.set_item("record_id", &capture.record_id)?;
    fields.set_item("problems", &document.problems)
}
