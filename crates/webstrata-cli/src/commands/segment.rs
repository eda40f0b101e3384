//! `webstrata segment`: segments of pages with role, reason and byte ranges.

use super::extract_config::{check_site_options, extraction};
use super::layout::{Captured, Layouts};
use super::segment_som;
use super::site::som_options;
use crate::args::{MethodName, Methods, SegmentArgs, SegmentFormat};
use crate::color;
use crate::config::GivenOptions;
use crate::driver::{self, PageInput, Render};
use crate::output::Shape;
use crate::report::{self, Division};
use crate::summary::{Summary, count};
use anstyle::{AnsiColor, Style};
use anyhow::{Result, bail};
use webstrata::Page;
use webstrata::block::WordOptions;
use webstrata::content::Content;
use webstrata::record::{ClassRecord, PageRecord, RecordOptions, SegmentRecord};
use webstrata::segment::{Method, SegmentOptions, Segments as PageSegments};
use webstrata_corpus::Extraction;
use webstrata_corpus::format::Rendered;
use webstrata_corpus::format::serialized;
use webstrata_corpus::progress::escape_controls;
use webstrata_corpus::site::method::SiteFolder;

/// Segments all pages.
pub(crate) fn run(args: &SegmentArgs, given: &GivenOptions) -> Result<Summary> {
    let methods = methods(args);
    let som = som(args, &methods, given)?;
    check_site_options(&args.content, given, som.is_some())?;
    let options = args.content.method.segment(args.granularity).lambda(args.lambda);
    let layouts = Layouts::new(args)?;
    #[cfg(feature = "layout")]
    if args.screenshot.is_some() && methods.len() > 1 {
        bail!("--screenshot shows the segments of one method; choose one with --method");
    }
    if let Some(path) = &args.report {
        let shape = Shape { extension: "html", between: "", option: "--report", ..shape(SegmentFormat::Text) };
        let report = Report { methods, som, options, content: Segmented::new(args, given, layouts)? };
        return driver::run(&args.pages, Some(path), shape, report);
    }
    if methods.len() > 1 && args.format == SegmentFormat::Json {
        bail!("several methods need --format jsonl or text, or --report FILE; json has one object per page");
    }
    let coloured = args.format == SegmentFormat::Text && args.pages.out.is_none() && color::stdout();
    let content = Segmented::new(args, given, layouts)?;
    let job = Segments { format: args.format, methods, som, options, content, coloured };
    driver::run(&args.pages, args.pages.out.as_deref(), shape(args.format), job)
}

/// The methods, in the order of the command line.
fn methods(args: &SegmentArgs) -> Vec<MethodName> {
    let has_site = args.content.site.site.is_some();
    let of_value = |methods: &Methods| match methods {
        Methods::One(method) => vec![*method],
        Methods::All => Method::ALL.into_iter().map(MethodName::Page).chain(has_site.then_some(MethodName::Som)).collect(),
    };
    args.method.iter().flat_map(of_value).collect()
}

/// The trees of sites, if a method needs them.
fn som(args: &SegmentArgs, methods: &[MethodName], given: &GivenOptions) -> Result<Option<SiteFolder>> {
    if !methods.contains(&MethodName::Som) {
        if let Some(option) = ["alpha", "beta", "paper"].into_iter().find(|option| given.has(option)) {
            bail!("--{option} requires --method som");
        }
        return Ok(None);
    }
    let Some(folder) = &args.content.site.site else {
        bail!("--method som needs other pages: run `webstrata site` on them and pass its folder with --site DIR");
    };
    let mut options = args.content.site.options();
    options.som = som_options(args.paper, args.alpha, args.beta);
    Ok(Some(SiteFolder::open(folder, options)?))
}

/// Settings for finding the content and the layout of pages.
struct Segmented {
    extraction: Extraction,
    base_url: Option<String>,
    words: WordOptions,
    layouts: Option<Layouts>,
    /// Whether a screenshot is written.
    screenshot: bool,
}

impl Segmented {
    fn new(args: &SegmentArgs, given: &GivenOptions, layouts: Option<Layouts>) -> Result<Self> {
        Ok(Segmented {
            layouts,
            #[cfg(feature = "layout")]
            screenshot: args.screenshot.is_some(),
            #[cfg(not(feature = "layout"))]
            screenshot: false,
            extraction: extraction(&args.content, given)?,
            base_url: args.pages.base_url.clone(),
            words: args.content.method.words(),
        })
    }

    /// The page with its layout, if there are layouts.
    fn laid_out<'a>(&self, input: &PageInput<'_>, page: &Page<'a>) -> Result<Option<(Page<'a>, Captured)>, String> {
        let Some(layouts) = &self.layouts else { return Ok(None) };
        let captured = layouts.capture(input, page)?;
        Ok(Some((page.clone().with_layout(captured.layout.clone()), captured)))
    }

    /// The picture with the segments as an address, if pictures are drawn.
    fn draw(
        &self,
        captured: Option<&Captured>,
        segments: &PageSegments<'_>,
        content: &Content<'_>,
    ) -> Result<Option<String>, String> {
        let Some((layouts, captured)) = self.layouts.as_ref().filter(|layouts| layouts.draws()).zip(captured) else {
            return Ok(None);
        };
        layouts.draw(captured, segments, content).map(Some)
    }

    fn only_one(&self) -> Option<&'static str> {
        self.screenshot.then_some(
            "--screenshot FILE takes a single page; for several pages, write reports with pictures: --layout chromium --report DIR",
        )
    }

    /// The content of a page, with reasons.
    fn of<'p>(&'p self, input: &PageInput<'_>, page: &'p Page<'_>) -> Content<'p> {
        self.extraction.content(page, self.url(input), true)
    }

    fn url<'s>(&'s self, input: &PageInput<'s>) -> Option<&'s str> {
        input.url.or(self.base_url.as_deref())
    }

    /// The reason why a page cannot be segmented, if nothing is known about its site.
    fn refusal(&self, input: &PageInput<'_>, som: Option<&SiteFolder>) -> Option<String> {
        let url = self.url(input);
        let tree = som.and_then(|folder| folder.som(url).err());
        tree.or_else(|| self.extraction.check(url).err()).map(|error| error.to_string())
    }
}

/// Writes HTML reports.
struct Report {
    methods: Vec<MethodName>,
    /// The trees of sites, if a method needs them.
    som: Option<SiteFolder>,
    options: SegmentOptions,
    content: Segmented,
}

/// How a method divides the page. `None` if the method needs a tree of the page's site and none was learned.
fn division<'p>(
    method: MethodName,
    options: &SegmentOptions,
    som: Option<&SiteFolder>,
    url: Option<&str>,
    page: &'p Page<'_>,
) -> Option<Division<'p>> {
    match method {
        MethodName::Page(by) => {
            let segments = page.segments_by(&*by.segmenter_with(options));
            let cohesion = |number| segments.segmentation().reason(number).map(str::to_owned);
            let notes = (0..segments.len()).map_while(cohesion).collect();
            Some(Division { name: method.name(), rules: Some(options.rules), segments, notes })
        }
        MethodName::Som => {
            let tree = som?.som(url).ok()?;
            let (segments, classes) = segment_som::pieces(page, &tree);
            let notes = classes.iter().map(|class| class_line(class.as_ref())).collect();
            Some(Division { name: method.name(), rules: None, segments, notes })
        }
    }
}

impl Render for Report {
    fn refusal(&self, input: &PageInput<'_>) -> Option<String> {
        self.content.refusal(input, self.som.as_ref())
    }

    fn only_one(&self) -> Option<&'static str> {
        self.content.only_one()
    }

    fn page(&self, input: &PageInput<'_>, page: &Page<'_>) -> Result<Rendered, String> {
        let laid_out = self.content.laid_out(input, page)?;
        let page = laid_out.as_ref().map_or(page, |(page, _)| page);
        let content = self.content.of(input, page);
        let (som, url) = (self.som.as_ref(), self.content.url(input));
        let divided = |&method: &MethodName| division(method, &self.options, som, url, page);
        let divisions: Vec<Division<'_>> = self.methods.iter().filter_map(divided).collect();
        let captured = laid_out.as_ref().map(|(_, captured)| captured);
        let picture = match divisions.first() {
            Some(first) => self.content.draw(captured, &first.segments, &content)?,
            None => None,
        };
        Ok(Rendered { text: report::html(input.name, page, &divisions, &content, picture.as_deref()), ..Rendered::default() })
    }

    fn words(&self) -> WordOptions {
        self.content.words
    }

    fn failure(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

fn shape(format: SegmentFormat) -> Shape {
    let lines = Shape { extension: "jsonl", between: "", one_file: true, array: false, parts: false, header: "", option: "-o" };
    match format {
        SegmentFormat::Text => Shape { extension: "txt", between: "\n", one_file: false, ..lines },
        SegmentFormat::Json => Shape { extension: "json", array: true, ..lines },
        SegmentFormat::Jsonl => lines,
    }
}

struct Segments {
    format: SegmentFormat,
    methods: Vec<MethodName>,
    /// The trees of sites, if a method needs them.
    som: Option<SiteFolder>,
    options: SegmentOptions,
    content: Segmented,
    coloured: bool,
}

impl Segments {
    /// The page with the segments of a method.
    fn record(&self, method: MethodName, input: &PageInput<'_>, page: &Page<'_>, content: &Content<'_>) -> PageRecord {
        let segments = if let MethodName::Page(method) = method { Some((method, self.options)) } else { None };
        let options = RecordOptions::default().id(input.name).text(false).spans(false).segments(segments);
        let mut record = PageRecord::new(page, content, &options);
        record.layout = self.content.layouts.as_ref().map(|layouts| layouts.name().to_owned());
        if let Some(method) = self.content.extraction.method_name() {
            record.preset = Some(method.to_owned());
        }
        let tree = self.som.as_ref().and_then(|folder| folder.som(self.content.url(input)).ok());
        if let Some(tree) = tree.filter(|_| method == MethodName::Som) {
            record.method = Some(method.name().to_owned());
            record.segments = Some(segment_som::records(page, content, &tree));
        }
        record
    }

    /// Human-readable form: a heading per segment, then its text.
    fn text(&self, name: &str, method: MethodName, segments: &[SegmentRecord]) -> String {
        let style = |style: Style| if self.coloured { style } else { Style::new() };
        let (title, dim) = (style(Style::new().bold()), style(Style::new().dimmed()));
        let number = count(segments.len() as u64, "segment");
        let layout = self.content.layouts.as_ref().map_or_else(String::new, |layouts| format!(", layout by {}", layouts.name()));
        let mut out = format!("{title}{}{title:#}: {number} by {}{layout}\n", escape_controls(name), method.name());
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
            if let Some(cohesion) = &segment.cohesion {
                let part = segment.group.map_or_else(String::new, |group| format!("part of segment {group}; "));
                out.push_str(&format!("    {dim}{part}{}{dim:#}\n", escape_controls(cohesion)));
            }
            if self.som.is_some() {
                out.push_str(&format!("    {dim}{}{dim:#}\n", escape_controls(&class_line(segment.class.as_ref()))));
            }
            for line in segment.text.lines() {
                out.push_str(&format!("    {}\n", escape_controls(line)));
            }
        }
        out
    }
}

fn class_line(class: Option<&ClassRecord>) -> String {
    let Some(class) = class else { return "no class: it is not on any learned page of the site".to_owned() };
    let template = if class.template { ", template" } else { "" };
    let share = class.constancy * 100.0;
    format!("class {}: {}, same text on {share:.0}%{template}", class.label, count(class.pages, "page"))
}

impl Render for Segments {
    fn refusal(&self, input: &PageInput<'_>) -> Option<String> {
        self.content.refusal(input, self.som.as_ref())
    }

    fn only_one(&self) -> Option<&'static str> {
        self.content.only_one()
    }

    fn page(&self, input: &PageInput<'_>, page: &Page<'_>) -> Result<Rendered, String> {
        let laid_out = self.content.laid_out(input, page)?;
        let page = laid_out.as_ref().map_or(page, |(page, _)| page);
        let content = self.content.of(input, page);
        if let (Some((_, captured)), [method]) = (&laid_out, self.methods.as_slice())
            && let Some(division) = division(*method, &self.options, self.som.as_ref(), self.content.url(input), page)
        {
            self.content.draw(Some(captured), &division.segments, &content)?;
        }
        let (mut text, mut is_blank) = (String::new(), true);
        for &method in &self.methods {
            let record = self.record(method, input, page, &content);
            let segments = record.segments.as_deref().unwrap_or_default();
            is_blank &= segments.is_empty();
            match self.format {
                SegmentFormat::Text if text.is_empty() => text = self.text(input.name, method, segments),
                SegmentFormat::Text => text.push_str(&format!("\n{}", self.text(input.name, method, segments))),
                format => text.push_str(&serialized(&record, format == SegmentFormat::Json)),
            }
        }
        Ok(Rendered { text, is_blank, ..Rendered::default() })
    }

    fn words(&self) -> WordOptions {
        self.content.words
    }

    fn failure(&self, name: &str, error: &str) -> Option<String> {
        let record = || PageRecord { segments: Some(Vec::new()), ..PageRecord::failed(name, error) };
        (self.format != SegmentFormat::Text).then(|| serialized(&record(), self.format == SegmentFormat::Json))
    }
}
