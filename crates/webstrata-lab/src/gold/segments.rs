//! Segments in `gold.jsonl`, as exported by `webstrata-lab annotate`: `gold_segments` is a list of level 2 segments, each with its
//! number, the number of its level 1 segment, and its byte ranges in the page (or in its UTF-8 transcoding).

use super::LabelledSpans;
use super::seg_popular::{MarkedPage, Marks, ReadError};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use webstrata::Span;
use webstrata::decode::{DecodeOptions, decode};

/// A line of `gold.jsonl`.
#[derive(Deserialize)]
struct Line {
    id: String,
    #[serde(default)]
    gold_segments: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    top: u32,
    sub: u32,
    spans: Vec<(u32, u32)>,
}

/// The pages of a set whose gold has segments, sorted by name; `None` if there is no such page. Malformed lines, and ids that are
/// not file names, are skipped.
pub(super) fn read(set: &Path) -> Result<Option<Vec<MarkedPage>>, ReadError> {
    let Ok(gold) = fs::read(set.join("gold.jsonl")) else { return Ok(None) };
    let lines = gold.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Line>(line).ok());
    let mut lines: Vec<Line> = lines.filter(|line| !line.gold_segments.is_empty()).collect();
    lines.retain(|line| !line.id.contains(['/', '\\', '\0']) && !line.id.starts_with(".."));
    lines.sort_by(|a, b| a.id.cmp(&b.id));
    lines.dedup_by(|next, first| next.id == first.id);
    let page = |line: &Line| {
        let path = set.join("html").join(format!("{}.html", line.id));
        let bytes = fs::read(&path).map_err(|source| ReadError { path, source })?;
        Ok(marked(line, &bytes))
    };
    let pages: Vec<MarkedPage> = lines.iter().map(page).collect::<Result<_, _>>()?;
    Ok((!pages.is_empty()).then_some(pages))
}

fn marked(line: &Line, bytes: &[u8]) -> MarkedPage {
    let html = decode(bytes, &DecodeOptions::default()).text.into_owned();
    let spans = |segment: &Segment| {
        let marks = Marks { top: Some(segment.top), sub: Some(segment.sub) };
        segment.spans.iter().filter(|span| span.0 < span.1).map(move |span| (Span::new(span.0, span.1), marks)).collect::<Vec<_>>()
    };
    let marks: LabelledSpans<Marks> = line.gold_segments.iter().flat_map(spans).collect();
    let tops: BTreeSet<u32> = line.gold_segments.iter().map(|segment| segment.top).collect();
    MarkedPage::from_marks(&line.id, html, marks, tops.len() + line.gold_segments.len())
}
