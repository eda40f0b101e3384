//! `webstrata extract`: main content of pages.

use super::extract_config::{check_site_options, extraction};
use crate::args::{ExtractArgs, ExtractFormat, Only, TablesFormat};
use crate::config::GivenOptions;
use crate::driver::{self, PageInput, Render, Rendered};
use crate::format::front_matter::front_matter;
use crate::format::xml::{self, PageParts};
use crate::format::{csv, html, metadata, tables};
use crate::output::Shape;
use crate::summary::Summary;
use anyhow::{Result, bail};
use webstrata::Page;
use webstrata::block::WordOptions;
use webstrata::content::RenderOptions;
use webstrata::content::metadata::{Metadata, MetadataOptions};
use webstrata::record::{PageRecord, RecordOptions};
use webstrata::segment::{Granularity, Method, SegmentOptions};
use webstrata_corpus::Extraction;
use webstrata_corpus::run::text_hash;

/// Extracts the content of all pages.
pub(crate) fn run(args: &ExtractArgs, given: &GivenOptions) -> Result<Summary> {
    check_options(args, given)?;
    check_site_options(&args.content, given, false)?;
    let job = Extract {
        format: args.format,
        extraction: extraction(&args.content, given)?,
        render: RenderOptions::default().links(!args.no_links).images(args.images).markdown_tables(args.markdown_tables.into()),
        base_url: args.pages.base_url.clone(),
        with_metadata: args.with_metadata,
        only: args.only.clone(),
        links: args.links,
        images: args.images,
        explain: args.explain,
        method: args.method,
        segment: args.content.method.segment(Granularity::default()),
        words: args.content.method.words(),
        tables: args.tables,
    };
    driver::run(&args.pages, args.pages.out.as_deref(), shape(args.format, args.tables), job)
}

fn shape(format: ExtractFormat, tables: Option<TablesFormat>) -> Shape {
    let text = Shape { extension: "txt", between: "\n", one_file: false, array: false, parts: false, header: "" };
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
        bail!("--markdown-tables goes with --format markdown");
    }
    if given.has("explain") && !is_json {
        bail!("--explain goes with --format json or jsonl");
    }
    if given.has("method") && !is_json {
        bail!("--method goes with --format json or jsonl; `webstrata segment` writes segments alone");
    }
    if given.has("only") && (has_form || format == ExtractFormat::Csv) {
        bail!("--only goes with --format text, json or jsonl");
    }
    if given.has("no-links") && !has_form {
        bail!("--no-links goes with --format markdown, html, xml or xmltei");
    }
    if is_plain && (given.has("links") || given.has("images")) {
        bail!("--links and --images go with --format markdown, html, xml, xmltei, json or jsonl");
    }
    let for_metadata = args.with_metadata || args.only.is_some();
    if given.has("base-url")
        && format == ExtractFormat::Text
        && !for_metadata
        && args.content.site_rules.is_none()
        && args.content.site.site.is_none()
    {
        bail!("--base-url does nothing for text; it goes with the other formats, with --with-metadata, --site-rules or --site");
    }
    Ok(())
}

struct Extract {
    format: ExtractFormat,
    extraction: Extraction,
    render: RenderOptions,
    base_url: Option<String>,
    with_metadata: bool,
    only: Option<Only>,
    links: bool,
    images: bool,
    explain: bool,
    method: Option<Method>,
    segment: SegmentOptions,
    words: WordOptions,
    tables: Option<TablesFormat>,
}

/// A record as JSON.
pub(super) fn serialized(record: &PageRecord, pretty: bool) -> String {
    if pretty { record.to_json_pretty() + "\n" } else { record.to_json() + "\n" }
}

impl Extract {
    fn is_json(&self) -> bool {
        matches!(self.format, ExtractFormat::Json | ExtractFormat::Jsonl)
    }

    fn url<'s>(&'s self, input: &PageInput<'s>) -> Option<&'s str> {
        input.url.or(self.base_url.as_deref())
    }

    fn metadata(&self, input: &PageInput<'_>, page: &Page<'_>) -> Metadata {
        page.metadata_with(&MetadataOptions::default().url(self.url(input)))
    }

    /// The data tables of a page.
    fn tables(&self, format: TablesFormat, input: &PageInput<'_>, page: &Page<'_>) -> Rendered {
        let url = self.url(input);
        let content = self.extraction.content(page, url, false);
        let (text, parts) = match format {
            TablesFormat::Json => (tables::json(input.name, url, &content), Vec::new()),
            TablesFormat::Csv => {
                let parts = tables::csv(&content);
                (parts.join("\n"), parts)
            }
        };
        Rendered { is_blank: text.is_empty(), text, parts }
    }

    /// The page as a record: complete in `json`, with what was requested in `jsonl`.
    fn record(&self, input: &PageInput<'_>, page: &Page<'_>) -> PageRecord {
        let url = self.url(input);
        let all = self.format == ExtractFormat::Json;
        let method = self.method.or(all.then_some(Method::Strata));
        let options = RecordOptions::default()
            .id(input.name)
            .url(url)
            .metadata(all || self.with_metadata)
            .readability(all || self.with_metadata)
            .segments(method.map(|method| (method, self.segment)))
            .blocks(all || self.explain)
            .why(all || self.explain)
            .features(all)
            .links(all || self.links)
            .images(all || self.images);
        if let Some(only) = &self.only {
            let mut record = PageRecord::metadata_only(page, &options);
            if let Only::Fields(fields) = only {
                let names: Vec<&str> = fields.iter().map(|&name| if name == "author" { "authors" } else { name }).collect();
                record.metadata = record.metadata.map(|metadata| metadata.only(&names));
            }
            return record;
        }
        let content = self.extraction.content(page, url, options.needs_reasons());
        let mut record = PageRecord::new(page, &content, &options);
        if let Some(method) = self.extraction.method_name() {
            record.preset = Some(method.to_owned());
        }
        if let Some(readability) = &mut record.readability {
            let render = RenderOptions::default().base(url.map(str::to_owned)).images(true);
            readability.content = Some(content.html(&render));
        }
        record
    }

    /// The page as a row of CSV or an XML document: readers' comments are apart from the content.
    fn with_parts(&self, input: &PageInput<'_>, page: &Page<'_>) -> Rendered {
        let url = self.url(input);
        let metadata = self.metadata(input, page);
        let mut content = self.extraction.content(page, url, false);
        let mut comments = Vec::new();
        // Methods without roles do not say whether a page has comments, so the page is extracted without them, too.
        if content.options().comments {
            let options = content.options().clone().comments(false);
            let without = self.extraction.content_with(page, url, &options);
            comments = xml::comments(&content, &without);
            content = without;
        }
        let text = content.text();
        let fingerprint = format!("{:016x}", text_hash(&text));
        let is_blank = text.trim().is_empty() && comments.is_empty();
        let parts = PageParts { metadata: &metadata, url, id: input.name, fingerprint, comments };
        let document = || content.document(&self.render.clone().base(url.map(str::to_owned)));
        let text = match self.format {
            ExtractFormat::Xml => document().xml(&parts.xml_options()),
            ExtractFormat::Xmltei => document().tei(&parts.xml_options()),
            _ => csv::row(&parts, &text),
        };
        Rendered { text, is_blank, ..Rendered::default() }
    }
}

impl Render for Extract {
    fn words(&self) -> WordOptions {
        self.words
    }

    fn refusal(&self, input: &PageInput<'_>) -> Option<String> {
        let needs_content = self.only.is_none();
        self.extraction.check(self.url(input)).err().filter(|_| needs_content).map(|error| error.to_string())
    }

    fn page(&self, input: &PageInput<'_>, page: &Page<'_>) -> Rendered {
        if let Some(tables) = self.tables {
            return self.tables(tables, input, page);
        }
        if matches!(self.format, ExtractFormat::Csv | ExtractFormat::Xml | ExtractFormat::Xmltei) {
            return self.with_parts(input, page);
        }
        if self.is_json() {
            let record = self.record(input, page);
            let is_blank = record.text.as_ref().is_some_and(|text| text.trim().is_empty());
            return Rendered { text: serialized(&record, self.format == ExtractFormat::Json), is_blank, ..Rendered::default() };
        }
        if let Some(only) = &self.only {
            let text = metadata::lines(&self.metadata(input, page), only);
            return Rendered { is_blank: text.is_empty(), text, ..Rendered::default() };
        }
        let url = self.url(input);
        let metadata = self.with_metadata.then(|| self.metadata(input, page));
        let content = self.extraction.content(page, url, false);
        let render = || self.render.clone().base(url.map(str::to_owned));
        let body = match self.format {
            ExtractFormat::Html => content.html(&render()),
            ExtractFormat::Markdown => content.markdown(&render()),
            _ => content.text(),
        };
        let is_blank = body.trim().is_empty();
        if self.format == ExtractFormat::Html {
            return Rendered { text: html::document(page.title(), metadata.as_ref(), &body), is_blank, ..Rendered::default() };
        }
        let mut text = metadata.map(|metadata| front_matter(&metadata, url)).unwrap_or_default();
        text.push_str(if self.format == ExtractFormat::Markdown { body.trim_end() } else { &body });
        text.push('\n');
        Rendered { text, is_blank, ..Rendered::default() }
    }

    fn failure(&self, name: &str, error: &str) -> Option<String> {
        let record = || PageRecord { text: Some(String::new()), ..PageRecord::failed(name, error) };
        self.is_json().then(|| serialized(&record(), self.format == ExtractFormat::Json))
    }
}
