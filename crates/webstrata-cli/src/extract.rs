//! `webstrata extract`: main content of pages.

use crate::args::{ExtractArgs, ExtractFormat};
use crate::metadata;
use crate::pages::{self, Job, Summary};
use anyhow::{Result, bail};
use serde::Serialize;
use webstrata::content::metadata::MetadataOptions;
use webstrata::content::{Content, RenderOptions};
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page, Span};

/// Extracts the content of all pages.
pub(crate) fn run(args: &ExtractArgs) -> Result<Summary> {
    if args.explain && args.format != ExtractFormat::Jsonl {
        bail!("--explain goes with --format jsonl");
    }
    if args.with_metadata && args.format != ExtractFormat::Jsonl {
        bail!("--with-metadata goes with --format jsonl");
    }
    if args.format != ExtractFormat::Markdown && (args.no_links || args.images) {
        bail!("--no-links and --images go with --format markdown");
    }
    if args.base_url.is_some() && args.format != ExtractFormat::Markdown && !args.with_metadata {
        bail!("--base-url goes with --format markdown or --with-metadata");
    }
    let markdown = RenderOptions { base: args.base_url.clone(), links: !args.no_links, images: args.images };
    let job = Extract { markdown, metadata: args.with_metadata, format: args.format, explain: args.explain, preset: args.preset };
    pages::run(&args.pages, &job)
}

struct Extract {
    markdown: RenderOptions,
    metadata: bool,
    format: ExtractFormat,
    explain: bool,
    preset: Preset,
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

impl Job for Extract {
    fn extension(&self) -> &'static str {
        match self.format {
            ExtractFormat::Text => "txt",
            ExtractFormat::Markdown => "md",
            ExtractFormat::Jsonl => "jsonl",
        }
    }

    fn separator(&self) -> &'static str {
        match self.format {
            ExtractFormat::Text | ExtractFormat::Markdown => "\n",
            ExtractFormat::Jsonl => "",
        }
    }

    fn page(&self, name: &str, page: &Page<'_>) -> Result<String> {
        let content = page.extract(&ExtractOptions::from(self.preset));
        if self.format == ExtractFormat::Markdown {
            return Ok(content.markdown(&self.markdown).trim_end().to_owned() + "\n");
        }
        let mut text = content.text();
        if self.format == ExtractFormat::Text {
            text.push('\n');
            return Ok(text);
        }
        let line = Line {
            id: name,
            text,
            title: page.title(),
            preset: self.preset.to_string(),
            encoding: page.encoding().name(),
            encoding_because: page.evidence().to_string(),
            transcoded: page.is_transcoded(),
            spans: pairs(&content.spans()),
            metadata: self
                .metadata
                .then(|| metadata::json(&page.metadata(&MetadataOptions { url: self.markdown.base.as_deref() }))),
            blocks: self.explain.then(|| explained(&content)),
            problems: page.problems().iter().map(ToString::to_string).collect(),
        };
        Ok(serde_json::to_string(&line)? + "\n")
    }

    fn failure(&self, name: &str, error: &str) -> Option<String> {
        let line = || serde_json::to_string(&FailedLine { id: name, text: "", error }).ok();
        (self.format == ExtractFormat::Jsonl).then(line).flatten().map(|line| line + "\n")
    }
}
