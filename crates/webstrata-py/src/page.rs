//! A parsed page that Python keeps.

use crate::error::Kind;
use crate::extractor::{Extractor, written};
use crate::html::Html;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use webstrata::record::{PageRecord, RecordOptions};
use webstrata::segment::{Granularity, Method, RuleSet, SegmentOptions};
use webstrata_corpus::format::PageWriter;

/// A parsed page.
#[pyclass(frozen, module = "webstrata._webstrata")]
#[derive(Debug)]
pub(crate) struct Page {
    page: webstrata::Page<'static>,
    url: Option<String>,
}

/// The parts of a record.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
struct Parts {
    text: bool,
    metadata: bool,
    readability: bool,
    blocks: bool,
    features: bool,
    links: bool,
    images: bool,
    /// The method of the segments, and its parameters.
    segments: Option<SegmentKeywords>,
}

#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
struct SegmentKeywords {
    method: String,
    granularity: Option<String>,
    rules: Option<String>,
    theta: Option<f64>,
    width: Option<u32>,
}

impl SegmentKeywords {
    fn parse(&self) -> PyResult<(Method, SegmentOptions)> {
        let invalid = |message: String| Kind::Option.raise(message);
        let method: Method = self.method.parse().map_err(|error| Kind::Option.raise(error))?;
        let mut options = SegmentOptions::default();
        if let Some(rules) = &self.rules {
            if !matches!(method, Method::BfRulebased | Method::JustRules | Method::GetBlockSet) {
                return Err(invalid(format!("rules requires the method bf-rulebased, just-rules or getblockset, not {method}")));
            }
            options.rules = rules.parse::<RuleSet>().map_err(|error| Kind::Option.raise(error))?;
        }
        if let Some(granularity) = &self.granularity {
            if method != Method::Strata {
                return Err(invalid(format!("granularity requires the method strata, not {method}")));
            }
            options.granularity = granularity.parse::<Granularity>().map_err(|error| Kind::Option.raise(error))?;
        }
        if let Some(theta) = self.theta {
            if !method.name().starts_with("bf-") {
                return Err(invalid(format!("theta requires a Block Fusion method, not {method}")));
            }
            if !(0.0..=1.0).contains(&theta) {
                return Err(invalid("theta: give a number from 0 (equal densities only) to 1 (everything)".into()));
            }
            options.theta = Some(theta);
        }
        if let Some(width) = self.width {
            if method != Method::WordWrap {
                return Err(invalid(format!("width requires the method wordwrap, not {method}")));
            }
            if !(10..=1000).contains(&width) {
                return Err(invalid(format!("width is {width}; give a number from 10 to 1000")));
            }
            options.width = width;
        }
        Ok((method, options))
    }
}

#[pymethods]
impl Page {
    #[new]
    fn new(py: Python<'_>, html: Html, url: Option<String>, extractor: &Extractor) -> PyResult<Self> {
        let shared = &extractor.shared;
        shared.check(&html)?;
        let parse = || webstrata::Page::parse_with(html.bytes(), shared.page_options(html.is_text())).into_owned();
        Ok(Page { page: py.detach(parse), url })
    }

    /// The text that byte spans refer to, as UTF-8.
    fn source<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.page.dom().source().as_bytes())
    }

    /// Whether the page is in the language of the options.
    fn has_language(&self, py: Python<'_>, extractor: &Extractor) -> bool {
        py.detach(|| extractor.shared.has_language(self.url.as_deref(), &self.page))
    }

    /// The content in a format, regardless of the format of the options.
    fn render(&self, py: Python<'_>, extractor: &Extractor, format: &str) -> PyResult<String> {
        let format = format.parse().map_err(|error| Kind::Option.raise(error))?;
        let url = self.url.as_deref();
        extractor.shared.writer.extraction.check(url).map_err(|error| Kind::Page.raise(error))?;
        let work = || written(&PageWriter { format, ..extractor.shared.writer.clone() }, url, &self.page);
        Ok(py.detach(work))
    }

    /// The page as JSON, with these parts.
    fn record(&self, py: Python<'_>, extractor: &Extractor, parts: Parts) -> PyResult<String> {
        let segments = parts.segments.as_ref().map(SegmentKeywords::parse).transpose()?;
        let url = self.url.as_deref();
        let options = RecordOptions::default()
            .id(url.unwrap_or_default())
            .url(url)
            .text(parts.text)
            .spans(parts.text)
            .metadata(parts.metadata)
            .readability(parts.readability)
            .segments(segments)
            .blocks(parts.blocks)
            .why(parts.blocks)
            .features(parts.features)
            .links(parts.links)
            .images(parts.images);
        let needs_content = parts.text || parts.blocks || parts.readability || parts.links || parts.images || segments.is_some();
        if !needs_content {
            return Ok(py.detach(|| PageRecord::metadata_only(&self.page, &options).to_json()));
        }
        let extraction = &extractor.shared.writer.extraction;
        extraction.check(url).map_err(|error| Kind::Page.raise(error))?;
        let work = || {
            let content = extraction.content(&self.page, url, options.needs_reasons());
            let mut record = PageRecord::new(&self.page, &content, &options);
            if let Some(method) = extraction.method_name() {
                record.preset = Some(method.to_owned());
            }
            record.to_json()
        };
        Ok(py.detach(work))
    }
}
