//! `webstrata extract`: main content of pages.

use super::choice::Choice;
use crate::args::{ExtractArgs, ExtractFormat, Only};
use crate::config::Typed;
use crate::format::front_matter::front_matter;
use crate::format::metadata;
use crate::inputs::Input;
use crate::output::Shape;
use crate::run::{self, Job, Summary};
use anyhow::{Result, bail};
use serde::Serialize;
use std::sync::Arc;
use webstrata::content::metadata::{Metadata, MetadataOptions};
use webstrata::content::{Content, RenderOptions};
use webstrata::{Page, Span};

/// Extracts the content of all pages.
pub(crate) fn run(args: &ExtractArgs, typed: &Typed) -> Result<Summary> {
    fits(args, typed)?;
    let job = Extract {
        format: args.format,
        choice: Choice::new(args, typed)?,
        render: RenderOptions { links: !args.no_links, images: args.images, ..RenderOptions::default() },
        base_url: args.pages.base_url.clone(),
        with_metadata: args.with_metadata,
        only: args.only.clone(),
        explain: args.explain,
    };
    run::run(&args.pages, args.pages.output.as_deref(), shape(args.format), Arc::new(job))
}

fn shape(format: ExtractFormat) -> Shape {
    let text = Shape { extension: "txt", between: "\n", one_file: false, array: false };
    match format {
        ExtractFormat::Text => text,
        ExtractFormat::Markdown => Shape { extension: "md", ..text },
        ExtractFormat::Json => Shape { extension: "json", between: "", one_file: true, array: true },
        ExtractFormat::Jsonl => Shape { extension: "jsonl", between: "", one_file: true, array: false },
    }
}

/// An option that does nothing for a format is a mistake of whoever typed it.
fn fits(args: &ExtractArgs, typed: &Typed) -> Result<()> {
    let format = args.format;
    let is_json = matches!(format, ExtractFormat::Json | ExtractFormat::Jsonl);
    if typed.has("explain") && !is_json {
        bail!("--explain goes with --format json or jsonl");
    }
    if typed.has("only") && format == ExtractFormat::Markdown {
        bail!("--only goes with --format text, json or jsonl");
    }
    if format != ExtractFormat::Markdown && (typed.has("no-links") || typed.has("images")) {
        bail!("--no-links and --images go with --format markdown");
    }
    let for_metadata = args.with_metadata || args.only.is_some();
    if typed.has("base-url") && format == ExtractFormat::Text && !for_metadata && args.site_rules.is_none() {
        bail!(
            "--base-url does nothing for text; it goes with --format markdown, json or jsonl, with --with-metadata or --site-rules"
        );
    }
    Ok(())
}

struct Extract {
    format: ExtractFormat,
    choice: Choice,
    render: RenderOptions,
    base_url: Option<String>,
    with_metadata: bool,
    only: Option<Only>,
    explain: bool,
}

/// A line of `extract --format jsonl`.
#[derive(Serialize)]
struct Line<'l> {
    id: &'l str,
    text: String,
    title: Option<&'l str>,
    preset: String,
    encoding: &'static str,
    encoding_because: String,
    transcoded: bool,
    spans: Vec<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<Vec<BlockLine>>,
    problems: Vec<String>,
}

/// A block of `--explain`.
#[derive(Serialize)]
struct BlockLine {
    spans: Vec<[u32; 2]>,
    path: String,
    text: String,
    content: bool,
    role: &'static str,
    why: String,
    words: u32,
    link_words: u32,
    text_density: f64,
    facts: String,
}

/// A line of `extract --only`.
#[derive(Serialize)]
struct OnlyLine<'l> {
    id: &'l str,
    metadata: serde_json::Value,
}

/// A line for a page that failed.
#[derive(Serialize)]
struct FailedLine<'l> {
    id: &'l str,
    text: &'static str,
    error: &'l str,
}

/// Spans as JSON has them.
pub(crate) fn pairs(spans: &[Span]) -> Vec<[u32; 2]> {
    spans.iter().map(|span| [span.start, span.end]).collect()
}

fn explained(content: &Content<'_>) -> Vec<BlockLine> {
    let paths = webstrata::html::Paths::new(content.blocks().dom());
    let explanation = content.explain();
    let line = |block: webstrata::block::Block<'_>| {
        let verdict = content.labels().verdict(block.index());
        BlockLine {
            spans: pairs(&block.spans()),
            path: paths.of(block.node()),
            text: block.text(),
            content: verdict.content,
            role: verdict.role(block).name(),
            why: explanation.why(block.index()),
            words: block.counts().words,
            link_words: block.counts().link_words,
            text_density: block.density().value(),
            facts: block.facts().to_string(),
        }
    };
    content.blocks().iter().map(line).collect()
}

impl Extract {
    /// A value as the format writes it.
    fn serialized(&self, value: &impl Serialize) -> Result<String> {
        let text =
            if self.format == ExtractFormat::Json { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) };
        Ok(text? + "\n")
    }

    fn is_json(&self) -> bool {
        matches!(self.format, ExtractFormat::Json | ExtractFormat::Jsonl)
    }

    fn url<'s>(&'s self, input: &'s Input) -> Option<&'s str> {
        input.url.as_deref().or(self.base_url.as_deref())
    }

    fn metadata(&self, input: &Input, page: &Page<'_>) -> Metadata {
        page.metadata(&MetadataOptions { url: self.url(input) })
    }

    fn line(&self, input: &Input, page: &Page<'_>) -> Result<String> {
        let options = self.choice.for_page(page, self.url(input));
        let content = page.extract(&options);
        self.serialized(&Line {
            id: &input.name.to_string_lossy(),
            text: content.text(),
            title: page.title(),
            preset: options.preset.to_string(),
            encoding: page.encoding().name(),
            encoding_because: page.evidence().to_string(),
            transcoded: page.is_transcoded(),
            spans: pairs(&content.spans()),
            metadata: self.with_metadata.then(|| metadata::json(&self.metadata(input, page), &Only::All)),
            blocks: self.explain.then(|| explained(&content)),
            problems: page.problems().iter().map(ToString::to_string).collect(),
        })
    }
}

impl Job for Extract {
    fn page(&self, input: &Input, page: &Page<'_>) -> Result<String> {
        if let Some(only) = &self.only {
            let metadata = self.metadata(input, page);
            if !self.is_json() {
                return Ok(metadata::lines(&metadata, only));
            }
            return self.serialized(&OnlyLine { id: &input.name.to_string_lossy(), metadata: metadata::json(&metadata, only) });
        }
        if self.is_json() {
            return self.line(input, page);
        }
        let mut out = match self.with_metadata {
            true => front_matter(&self.metadata(input, page), self.url(input)),
            false => String::new(),
        };
        let content = page.extract(&self.choice.for_page(page, self.url(input)));
        if self.format == ExtractFormat::Markdown {
            let options = RenderOptions { base: self.url(input).map(str::to_owned), ..self.render.clone() };
            out.push_str(content.markdown(&options).trim_end());
        } else if out.is_empty() {
            out = content.text();
        } else {
            out.push_str(&content.text());
        }
        out.push('\n');
        Ok(out)
    }

    fn failure(&self, name: &str, error: &str) -> Option<String> {
        if !self.is_json() {
            return None;
        }
        self.serialized(&FailedLine { id: name, text: "", error }).ok()
    }
}
