//! `webstrata extract`: main content of pages.

use super::extract_config::{check_site_options, extraction};
use crate::args::{ExtractArgs, ExtractFormat, TablesFormat};
use crate::config::GivenOptions;
use crate::driver::{self, PageInput, Render};
use crate::output::Shape;
use crate::summary::Summary;
use anyhow::{Result, bail};
use webstrata::Page;
use webstrata::block::WordOptions;
use webstrata::content::RenderOptions;
use webstrata::segment::Granularity;
use webstrata_corpus::format::{PageWriter, Rendered, csv};

/// Extracts the content of all pages.
pub(crate) fn run(args: &ExtractArgs, given: &GivenOptions) -> Result<Summary> {
    check_options(args, given)?;
    check_site_options(&args.content, given, false)?;
    let writer = PageWriter {
        format: args.format.into(),
        extraction: extraction(&args.content, given)?,
        render: RenderOptions::default().links(!args.no_links).images(args.images).markdown_tables(args.markdown_tables.into()),
        with_metadata: args.with_metadata,
        only: args.only.clone(),
        links: args.links,
        images: args.images,
        explain: args.explain,
        method: args.method,
        segment: args.content.method.segment(Granularity::default()),
        tables: args.tables.map(Into::into),
    };
    let job = Extract { writer, base_url: args.pages.base_url.clone(), words: args.content.method.words() };
    driver::run(&args.pages, args.pages.out.as_deref(), shape(args.format, args.tables), job)
}

fn shape(format: ExtractFormat, tables: Option<TablesFormat>) -> Shape {
    let text = Shape { extension: "txt", between: "\n", one_file: false, array: false, parts: false, header: "", option: "-o" };
    match tables {
        Some(TablesFormat::Csv) => return Shape { extension: "csv", parts: true, ..text },
        Some(TablesFormat::Json) => return Shape { extension: "jsonl", between: "", one_file: true, ..text },
        None => {}
    }
    match format {
        ExtractFormat::Text => text,
        ExtractFormat::Markdown => Shape { extension: "md", ..text },
        ExtractFormat::Html => Shape { extension: "html", ..text },
        ExtractFormat::Json => Shape { extension: "json", between: "", one_file: true, array: true, ..text },
        ExtractFormat::Jsonl => Shape { extension: "jsonl", between: "", one_file: true, ..text },
        ExtractFormat::Csv => Shape { extension: "csv", between: "", one_file: true, header: csv::HEADER, ..text },
        ExtractFormat::Xml | ExtractFormat::Xmltei => Shape { extension: "xml", ..text },
    }
}

/// Refuses options that have no effect with the format.
fn check_options(args: &ExtractArgs, given: &GivenOptions) -> Result<()> {
    let format = args.format;
    let is_json = matches!(format, ExtractFormat::Json | ExtractFormat::Jsonl);
    let is_xml = matches!(format, ExtractFormat::Xml | ExtractFormat::Xmltei);
    let has_form = is_xml || matches!(format, ExtractFormat::Markdown | ExtractFormat::Html);
    let is_plain = matches!(format, ExtractFormat::Text | ExtractFormat::Csv);
    if given.has("markdown-tables") && format != ExtractFormat::Markdown {
        bail!("--markdown-tables requires --format markdown");
    }
    if given.has("explain") && !is_json {
        bail!("--explain requires --format json or jsonl");
    }
    if given.has("method") && !is_json {
        bail!("--method requires --format json or jsonl; `webstrata segment` writes only segments");
    }
    if given.has("only") && (has_form || format == ExtractFormat::Csv) {
        bail!("--only requires --format text, json or jsonl");
    }
    if given.has("no-links") && !has_form {
        bail!("--no-links requires --format markdown, html, xml or xmltei");
    }
    if is_plain && (given.has("links") || given.has("images")) {
        bail!("--links and --images require --format markdown, html, xml, xmltei, json or jsonl");
    }
    let for_metadata = args.with_metadata || args.only.is_some();
    if given.has("base-url")
        && format == ExtractFormat::Text
        && !matches!(args.tables, Some(TablesFormat::Json))
        && !for_metadata
        && args.content.site_rules.is_none()
        && args.content.site.site.is_none()
    {
        bail!("--base-url has no effect on text; use it with another format, --with-metadata, --site-rules or --site");
    }
    Ok(())
}

struct Extract {
    writer: PageWriter,
    base_url: Option<String>,
    words: WordOptions,
}

impl Extract {
    fn url<'s>(&'s self, input: &PageInput<'s>) -> Option<&'s str> {
        input.url.or(self.base_url.as_deref())
    }
}

impl Render for Extract {
    fn words(&self) -> WordOptions {
        self.words
    }

    fn refusal(&self, input: &PageInput<'_>) -> Option<String> {
        let needs_content = self.writer.only.is_none();
        self.writer.extraction.check(self.url(input)).err().filter(|_| needs_content).map(|error| error.to_string())
    }

    fn page(&self, input: &PageInput<'_>, page: &Page<'_>) -> Result<Rendered, String> {
        Ok(self.writer.page(input.name, self.url(input), page))
    }

    fn failure(&self, name: &str, error: &str) -> Option<String> {
        self.writer.failure(name, error)
    }
}
