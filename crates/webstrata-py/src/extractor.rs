//! Extraction with fixed options.

use crate::error::Kind;
use crate::html::{Html, for_text};
use crate::options::{Keywords, primary};
use crate::readers::Readers;
use pyo3::prelude::*;
use std::sync::Arc;
use webstrata::content::metadata::MetadataOptions;
use webstrata::{Page, PageOptions};
use webstrata_corpus::format::{PageFormat, PageWriter};

/// Options, checked once and used for any number of pages, on any number of threads.
#[pyclass(frozen, module = "webstrata._webstrata")]
#[derive(Debug)]
pub(crate) struct Extractor {
    pub(crate) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) writer: PageWriter,
    bytes: Readers,
    text: Readers,
    /// Whether an encoding was given, which is invalid for text.
    chose_encoding: bool,
    language: Option<String>,
}

impl Shared {
    /// How a page is read.
    pub(crate) fn page_options(&self, is_text: bool) -> &PageOptions {
        self.readers(is_text).options()
    }

    fn readers(&self, is_text: bool) -> &Readers {
        if is_text { &self.text } else { &self.bytes }
    }

    /// Refuses text if an encoding was given.
    pub(crate) fn check(&self, html: &Html) -> PyResult<()> {
        if self.chose_encoding && html.is_text() {
            return Err(Kind::Option
                .raise("encoding and content_type are for pages as bytes; this page is a str, so it is already decoded"));
        }
        Ok(())
    }

    /// Whether the page is in the requested language. Pages of unknown language pass.
    pub(crate) fn has_language(&self, url: Option<&str>, page: &Page<'_>) -> bool {
        let Some(wanted) = &self.language else { return true };
        let found = page.metadata_with(&MetadataOptions::default().url(url)).language;
        found.is_none_or(|found| primary(&found.value) == *wanted)
    }

    /// The page in the format of the options. The error is the reason why it cannot be extracted.
    pub(crate) fn write(&self, url: Option<&str>, page: &Page<'_>) -> Result<String, String> {
        self.writer.extraction.check(url).map_err(|error| error.to_string())?;
        if !self.has_language(url, page) {
            return Ok(String::new());
        }
        Ok(written(&self.writer, url, page))
    }
}

/// The output of the command line, without the final line break.
pub(crate) fn written(writer: &PageWriter, url: Option<&str>, page: &Page<'_>) -> String {
    let mut text = writer.page(url.unwrap_or_default(), url, page).text;
    if writer.format != PageFormat::Html {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    text
}

#[pymethods]
impl Extractor {
    #[new]
    fn new(options: Keywords) -> PyResult<Self> {
        let bytes = options.page()?;
        let shared = Shared {
            writer: options.writer()?,
            text: Readers::new(for_text(&bytes)),
            chose_encoding: bytes.encoding.is_some() || bytes.transport.is_some(),
            bytes: Readers::new(bytes),
            language: options.target_language(),
        };
        Ok(Extractor { shared: Arc::new(shared) })
    }

    /// The content of a page.
    #[pyo3(signature = (html, url=None))]
    fn extract(&self, py: Python<'_>, html: Html, url: Option<&str>) -> PyResult<String> {
        self.shared.check(&html)?;
        let work = || self.shared.readers(html.is_text()).read(html.bytes(), |page| self.shared.write(url, page));
        py.detach(work).map_err(|message| Kind::Page.raise(message))
    }
}
