//! `webstrata segment`: segments of pages with role, reason and byte ranges.

use super::extract::serialized;
use super::extract_config::extraction;
use crate::args::{SegmentArgs, SegmentFormat};
use crate::color;
use crate::config::GivenOptions;
use crate::driver::{self, PageInput, Render, Rendered};
use crate::output::Shape;
use crate::report;
use crate::summary::{Summary, count};
use anstyle::{AnsiColor, Style};
use anyhow::{Result, bail};
use webstrata::Page;
use webstrata::content::Content;
use webstrata::record::{PageRecord, RecordOptions, SegmentRecord};
use webstrata::segment::{Granularity, Method, RuleSet};
use webstrata_corpus::Extraction;
use webstrata_corpus::progress::escape_controls;

/// Segments all pages.
pub(crate) fn run(args: &SegmentArgs, given: &GivenOptions) -> Result<Summary> {
    if let Some(path) = &args.report {
        let methods = args.method.iter().map(|&method| (method, args.rules)).collect();
        let shape = Shape { extension: "html", between: "", one_file: false, array: false, parts: false, header: "" };
        let report = Report { methods, granularity: args.granularity, content: Segmented::new(args, given)? };
        return driver::run(&args.pages, Some(path), shape, report);
    }
    if args.method.len() > 1 && given.has("method") {
        bail!("several methods need --report FILE; give one --method");
    }
    let coloured = args.format == SegmentFormat::Text && args.pages.out.is_none() && color::stdout();
    let method = args.method.first().copied().unwrap_or(Method::Strata);
    let (rules, granularity) = (args.rules, args.granularity);
    let content = Segmented::new(args, given)?;
    let job = Segments { format: args.format, method, rules, granularity, content, coloured };
    driver::run(&args.pages, args.pages.out.as_deref(), shape(args.format), job)
}

/// How the content of the pages is found.
struct Segmented {
    extraction: Extraction,
    base_url: Option<String>,
}

impl Segmented {
    fn new(args: &SegmentArgs, given: &GivenOptions) -> Result<Self> {
        Ok(Segmented { extraction: extraction(&args.content, given)?, base_url: args.pages.base_url.clone() })
    }

    /// The content of a page, with reasons.
    fn of<'p>(&'p self, input: &PageInput<'_>, page: &'p Page<'_>) -> Content<'p> {
        self.extraction.content(page, input.url.or(self.base_url.as_deref()), true)
    }
}

/// Writes HTML reports.
struct Report {
    methods: Vec<(Method, RuleSet)>,
    granularity: Granularity,
    content: Segmented,
}

impl Render for Report {
    fn page(&self, input: &PageInput<'_>, page: &Page<'_>) -> Rendered {
        let content = self.content.of(input, page);
        Rendered { text: report::html(input.name, page, &self.methods, self.granularity, &content), ..Rendered::default() }
    }

    fn failure(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

fn shape(format: SegmentFormat) -> Shape {
    let lines = Shape { extension: "jsonl", between: "", one_file: true, array: false, parts: false, header: "" };
    match format {
        SegmentFormat::Text => Shape { extension: "txt", between: "\n", one_file: false, array: false, parts: false, header: "" },
        SegmentFormat::Json => Shape { extension: "json", array: true, ..lines },
        SegmentFormat::Jsonl => lines,
    }
}

struct Segments {
    format: SegmentFormat,
    method: Method,
    rules: RuleSet,
    granularity: Granularity,
    content: Segmented,
    coloured: bool,
}

impl Segments {
    /// For reading: a heading per segment, then its text.
    fn text(&self, name: &str, segments: &[SegmentRecord]) -> String {
        let style = |style: Style| if self.coloured { style } else { Style::new() };
        let (title, dim) = (style(Style::new().bold()), style(Style::new().dimmed()));
        let number = count(segments.len() as u64, "segment");
        let mut out = format!("{title}{}{title:#}: {number} by {}\n", escape_controls(name), self.method.name());
        for (i, segment) in segments.iter().enumerate() {
            let colour = if segment.content { AnsiColor::Green } else { AnsiColor::Yellow };
            let role = style(colour.on_default());
            let (start, end) = match segment.spans.as_slice() {
                [] => (0, 0),
                spans => (spans[0][0], spans[spans.len() - 1][1]),
            };
            let verdict = if segment.content { "content" } else { "boilerplate" };
            out.push_str(&format!(
                "\n{role}[{i}] {verdict}, {}{role:#} {dim}bytes {start}–{end}, {}, density {:.1}, {}\n    {}{dim:#}\n",
                segment.role,
                count(u64::from(segment.words), "word"),
                segment.text_density,
                escape_controls(&segment.path),
                escape_controls(&segment.why)
            ));
            for line in segment.text.lines() {
                out.push_str(&format!("    {}\n", escape_controls(line)));
            }
        }
        out
    }
}

impl Render for Segments {
    fn page(&self, input: &PageInput<'_>, page: &Page<'_>) -> Rendered {
        let segments = Some((self.method, self.rules));
        let options = RecordOptions::default().id(input.name).text(false).spans(false);
        let options = options.segments(segments).granularity(self.granularity);
        let content = self.content.of(input, page);
        let mut record = PageRecord::new(page, &content, &options);
        if let Some(model) = self.content.extraction.model_name() {
            record.preset = Some(model.to_owned());
        }
        let segments = record.segments.as_deref().unwrap_or_default();
        let text = match self.format {
            SegmentFormat::Text => self.text(input.name, segments),
            format => serialized(&record, format == SegmentFormat::Json),
        };
        Rendered { text, is_blank: segments.is_empty(), ..Rendered::default() }
    }

    fn failure(&self, name: &str, error: &str) -> Option<String> {
        let record = || PageRecord { segments: Some(Vec::new()), ..PageRecord::failed(name, error) };
        (self.format != SegmentFormat::Text).then(|| serialized(&record(), self.format == SegmentFormat::Json))
    }
}
