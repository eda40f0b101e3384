//! `webstrata segment`: segments of pages with role, reason and byte ranges.

use crate::args::{SegmentArgs, SegmentFormat};
use crate::extract::pairs;
use crate::pages::{self, Job, Summary};
use anyhow::Result;
use serde::Serialize;
use webstrata::Page;
use webstrata::html::Paths;
use webstrata::label::label_segments;
use webstrata::segment::{Method, RuleSet};

/// Segments all pages.
pub(crate) fn run(args: &SegmentArgs) -> Result<Summary> {
    let SegmentFormat::Jsonl = args.format;
    pages::run(&args.pages, &Segment { method: args.method, rules: args.rules })
}

struct Segment {
    method: Method,
    rules: RuleSet,
}

/// A line of `segment --format jsonl`.
#[derive(Serialize)]
struct Line<'l> {
    id: &'l str,
    method: &'static str,
    rules: &'static str,
    encoding: &'static str,
    encoding_because: String,
    transcoded: bool,
    segments: Vec<SegmentLine>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct SegmentLine {
    spans: Vec<[u32; 2]>,
    path: String,
    text: String,
    content: bool,
    role: &'static str,
    score: f32,
    why: String,
    words: u32,
    link_words: u32,
    text_density: f64,
}

#[derive(Serialize)]
struct FailedLine<'l> {
    id: &'l str,
    segments: [(); 0],
    error: &'l str,
}

impl Job for Segment {
    fn extension(&self) -> &'static str {
        "jsonl"
    }

    fn page(&self, name: &str, page: &Page<'_>) -> Result<String> {
        let segments = page.segments_by(&*self.method.segmenter(self.rules));
        let paths = Paths::new(page.dom());
        let line = |(segment, label): (webstrata::segment::Segment<'_>, webstrata::label::SegmentLabel)| SegmentLine {
            spans: pairs(&segment.spans()),
            path: segment.node().map_or_else(String::new, |node| paths.of(node)),
            text: segment.text(),
            content: label.content,
            role: label.role.name(),
            score: label.score,
            why: label.why,
            words: segment.counts().words,
            link_words: segment.counts().link_words,
            text_density: segment.counts().density().value(),
        };
        let line = Line {
            id: name,
            method: self.method.name(),
            rules: self.rules.name,
            encoding: page.encoding().name(),
            encoding_because: page.evidence().to_string(),
            transcoded: page.is_transcoded(),
            segments: segments.iter().zip(label_segments(&segments)).map(line).collect(),
            problems: page.problems().iter().map(ToString::to_string).collect(),
        };
        Ok(serde_json::to_string(&line)? + "\n")
    }

    fn failure(&self, name: &str, error: &str) -> Option<String> {
        serde_json::to_string(&FailedLine { id: name, segments: [], error }).ok().map(|line| line + "\n")
    }
}
