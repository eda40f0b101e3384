//! `webstrata segment`: segments of pages with role, reason and byte ranges.

use super::extract::serialized;
use crate::args::{SegmentArgs, SegmentFormat};
use crate::color;
use crate::config::Typed;
use crate::inputs::Input;
use crate::output::Shape;
use crate::report;
use crate::run::{self, Job, Summary};
use anstyle::{AnsiColor, Style};
use anyhow::{Result, bail};
use std::sync::Arc;
use webstrata::label::Preset;
use webstrata::record::{PageRecord, RecordOptions, SegmentRecord};
use webstrata::segment::{Granularity, Method, RuleSet};
use webstrata::{ExtractOptions, Page};
use webstrata_corpus::progress::escape_controls;

/// Segments all pages.
pub(crate) fn run(args: &SegmentArgs, typed: &Typed) -> Result<Summary> {
    if let Some(path) = &args.report {
        let methods = args.method.iter().map(|&method| (method, args.rules)).collect();
        let shape = Shape { extension: "html", between: "", one_file: false, array: false };
        return run::run(
            &args.pages,
            Some(path),
            shape,
            Arc::new(Report { methods, granularity: args.granularity, preset: args.preset }),
        );
    }
    if args.method.len() > 1 && typed.has("method") {
        bail!("several methods go with --report FILE; give one --method");
    }
    let coloured = args.format == SegmentFormat::Text && args.pages.output.is_none() && color::stdout();
    let method = args.method.first().copied().unwrap_or(Method::Strata);
    let (rules, granularity) = (args.rules, args.granularity);
    let job = Segments { format: args.format, method, rules, granularity, preset: args.preset, coloured };
    run::run(&args.pages, args.pages.output.as_deref(), shape(args.format), Arc::new(job))
}

/// Pictures of pages.
struct Report {
    methods: Vec<(Method, RuleSet)>,
    granularity: Granularity,
    preset: Preset,
}

impl Job for Report {
    fn page(&self, input: &Input, page: &Page<'_>) -> Result<String> {
        Ok(report::html(&input.name.to_string_lossy(), page, &self.methods, self.granularity, self.preset))
    }

    fn failure(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

fn shape(format: SegmentFormat) -> Shape {
    let lines = Shape { extension: "jsonl", between: "", one_file: true, array: false };
    match format {
        SegmentFormat::Text => Shape { extension: "txt", between: "\n", one_file: false, array: false },
        SegmentFormat::Json => Shape { extension: "json", array: true, ..lines },
        SegmentFormat::Jsonl => lines,
    }
}

struct Segments {
    format: SegmentFormat,
    method: Method,
    rules: RuleSet,
    granularity: Granularity,
    preset: Preset,
    coloured: bool,
}

impl Segments {
    /// For eyes: a heading a segment, then its text.
    fn text(&self, name: &str, segments: &[SegmentRecord]) -> String {
        let style = |style: Style| if self.coloured { style } else { Style::new() };
        let (title, dim) = (style(Style::new().bold()), style(Style::new().dimmed()));
        let number = segments.len();
        let plural = if number == 1 { "" } else { "s" };
        let mut out = format!("{title}{}{title:#}: {number} segment{plural} by {}\n", escape_controls(name), self.method.name());
        for (i, segment) in segments.iter().enumerate() {
            let colour = if segment.content { AnsiColor::Green } else { AnsiColor::Yellow };
            let role = style(colour.on_default());
            let (start, end) = match segment.spans.as_slice() {
                [] => (0, 0),
                spans => (spans[0][0], spans[spans.len() - 1][1]),
            };
            let verdict = if segment.content { "content" } else { "boilerplate" };
            out.push_str(&format!(
                "\n{role}[{i}] {verdict}, {}{role:#} {dim}bytes {start}–{end}, {} words, density {:.1}, {}\n    {}{dim:#}\n",
                segment.role,
                segment.words,
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

impl Job for Segments {
    fn page(&self, input: &Input, page: &Page<'_>) -> Result<String> {
        let name = input.name.to_string_lossy();
        let segments = Some((self.method, self.rules));
        let options = RecordOptions::default().id(&name).text(false).spans(false);
        let options = options.segments(segments).granularity(self.granularity);
        let content = page.extract_with(&ExtractOptions::from(self.preset).explain(true));
        let record = PageRecord::new(page, &content, &options);
        if self.format == SegmentFormat::Text {
            return Ok(self.text(&name, record.segments.as_deref().unwrap_or_default()));
        }
        Ok(serialized(&record, self.format == SegmentFormat::Json))
    }

    fn failure(&self, name: &str, error: &str) -> Option<String> {
        let record = || PageRecord { segments: Some(Vec::new()), ..PageRecord::failed(name, error) };
        (self.format != SegmentFormat::Text).then(|| serialized(&record(), self.format == SegmentFormat::Json))
    }
}
