//! Rows of segments: the result of a segmenter, with the page library's verdicts.

use crate::store::{PageRow, Row, SegmentRow};
use webstrata::content::Content;
use webstrata::html::Paths;
use webstrata::segment::{Segment, Segments};
use webstrata::select::SegmentVerdict;

/// Maximum bytes of the segments of a page. Paths repeat parts of the page, so a page of 1 MB could otherwise take gigabytes.
const MAX_BYTES: usize = 32 << 20;

/// The rows of a page's segments, and whether some were left out.
pub(super) fn rows(page: &PageRow, segments: &Segments<'_>, paths: &Paths, content: &Content<'_>) -> (Vec<SegmentRow>, bool) {
    let mut rows = Vec::with_capacity(segments.len().min(1 << 10));
    let mut room = MAX_BYTES;
    for (number, (segment, verdict)) in segments.iter().zip(content.label_segments(segments)).enumerate() {
        let row = row(page, number, segment, &verdict, paths);
        let Some(left) = room.checked_sub(row.size()) else { return (rows, true) };
        room = left;
        rows.push(row);
    }
    (rows, false)
}

fn row(page: &PageRow, number: usize, segment: Segment<'_>, verdict: &SegmentVerdict, paths: &Paths) -> SegmentRow {
    let spans = segment.spans();
    let counts = segment.counts();
    SegmentRow {
        page: page.id.clone(),
        number: u32::try_from(number).unwrap_or(u32::MAX),
        text: segment.text(),
        headings: segment.headings(),
        spans: spans.iter().map(|span| [span.start, span.end]).collect(),
        transcoded: page.transcoded,
        path: segment.node().map_or_else(String::new, |node| paths.path(node)),
        role: Some(verdict.role),
        content: verdict.content,
        score: verdict.score,
        words: counts.words,
        text_density: thousandths(counts.density().value() as f32),
        link_density: thousandths(counts.link_density() as f32),
        class: None,
    }
}

/// Rounds to three decimals: more would suggest false precision and compress badly.
pub(super) fn thousandths(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata::label::Role;
    use webstrata::record::{PageRecord, RecordOptions};
    use webstrata::segment::{Method, SegmentOptions};
    use webstrata::{ExtractOptions, Page};

    #[test]
    fn segments_have_the_verdict_of_the_labelling_method() {
        let text = "It has been raining in the valley for three days, and nobody can remember when that last happened. ".repeat(4);
        let html =
            format!("<nav class=menu><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><h1>Rain</h1><p>{text}</p>");
        let page = Page::parse(html.as_bytes());
        let content = page.extract();
        let segments = page.segments(Method::JustRules);
        let (rows, cut) = rows(&PageRow::default(), &segments, &Paths::new(page.dom()), &content);
        assert!(!cut && rows.len() == segments.len());
        let of = |word: &str| {
            rows.iter().find(|row| row.spans.iter().any(|&[start, end]| html[start as usize..end as usize].contains(word)))
        };
        let (menu, body) = (of("Home").unwrap(), of("raining").unwrap());
        assert!(!menu.content && menu.link_density > 0.9 && menu.score < body.score, "{menu:?} {body:?}");
        assert_eq!((menu.role, body.role, body.content), (Some(Role::Navigation), Some(Role::Body), true));
        assert!(body.text_density > 10.0 && body.path.starts_with("/html/body"));
    }

    #[test]
    fn paths_of_a_hostile_page_are_limited() {
        let html = "<div>".repeat(400) + &"<p>a".repeat(120_000);
        let page = Page::parse(html.as_bytes());
        let content = page.extract();
        let (rows, cut) = rows(&PageRow::default(), &page.segments(Method::TagGap), &Paths::new(page.dom()), &content);
        assert!(cut);
        assert!(rows.iter().map(Row::size).sum::<usize>() <= MAX_BYTES);
    }

    /// `segment` writes records and `run` writes rows: both must give a segment the same verdict.
    #[test]
    fn rows_and_records_have_the_same_verdicts() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pages");
        let mut compared = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let Ok(bytes) = std::fs::read(entry.unwrap().path().join("page.html")) else { continue };
            let page = Page::parse(&bytes);
            let content = page.extract();
            for method in Method::ALL {
                let segments = page.segments(method);
                let (rows, cut) = rows(&PageRow::default(), &segments, &Paths::new(page.dom()), &content);
                let options = RecordOptions::default().segments((method, SegmentOptions::default()));
                let explained = page.extract_with(&ExtractOptions::default().explain(true));
                let records = PageRecord::new(&page, &explained, &options).segments.unwrap();
                assert!(!cut && rows.len() == records.len() && rows.len() == segments.iter().len());
                for ((row, record), segment) in rows.iter().zip(&records).zip(&segments) {
                    let verdict = (row.content, row.role.map_or("", Role::name), row.score);
                    assert_eq!(verdict, (record.content, record.role.as_str(), record.score));
                    assert_eq!(verdict, (segment.is_content(), segment.role().name(), segment.score()));
                    assert_eq!(record.why, segment.why());
                    assert!(
                        !record.why.is_empty() && row.spans == record.spans && row.path == record.path && row.text == record.text
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
