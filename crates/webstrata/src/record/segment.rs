//! Segments as plain data.

use super::{Pair, pairs};
use crate::content::Content;
use crate::html::Paths;
use crate::label::Explanation;
use crate::segment::{Segment, Segments};
use crate::select::SegmentVerdict;
use serde::{Deserialize, Serialize};

/// One segment of a page.
///
/// ```
/// use webstrata::{Page, record::{PageRecord, RecordOptions}, segment::{Method, SegmentOptions}};
/// let page = Page::parse(b"<h1>Rain</h1><ul><li>one<li>two</ul>");
/// let options = RecordOptions::default().segments((Method::JustRules, SegmentOptions::default()));
/// let record = PageRecord::new(&page, &page.extract(), &options);
/// let list = &record.segments.as_ref().unwrap()[1];
/// assert_eq!((list.text.as_str(), list.path.as_str(), list.blocks), ("one\ntwo", "/html/body/ul", [1, 3]));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SegmentRecord {
    /// Byte ranges of the text.
    pub spans: Vec<Pair>,
    /// DOM path of the lowest element that contains the segment.
    pub path: String,
    /// The text.
    pub text: String,
    /// Whether the segment is content: more than half of its words are in blocks that are.
    pub content: bool,
    /// The role with the most words.
    pub role: String,
    /// Probability of content, averaged over the words; three decimals.
    pub score: f32,
    /// Why the segment is content or not.
    pub why: String,
    /// Number of words.
    pub words: u32,
    /// Number of words in links.
    pub link_words: u32,
    /// Words per line.
    pub text_density: f64,
    /// Indices of the first block that the segment covers, and of the one after the last. Two segments may share a block.
    pub blocks: [usize; 2],
    /// Index of the segment that this is a part of, for methods whose segments need not be contiguous; equal for all its parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<usize>,
    /// What holds the segment together, for methods that report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cohesion: Option<String>,
    /// Its class, if the method has classes; set by callers that know the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassRecord>,
}

/// A class of segments: those with the same function on a site's pages.
///
/// ```
/// use webstrata::record::ClassRecord;
/// let class = ClassRecord { label: "h1/body/html".into(), pages: 12, constancy: 0.083, template: false };
/// assert_eq!(serde_json::to_string(&class)?, r#"{"label":"h1/body/html","pages":12,"constancy":0.083,"template":false}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassRecord {
    /// Path from the segment to the root.
    pub label: String,
    /// Number of the site's pages with a segment of this class.
    pub pages: u64,
    /// Share of its pages with its most frequent text; three decimals.
    pub constancy: f64,
    /// Whether it is part of the site's template.
    pub template: bool,
}

pub(super) fn records(
    segments: &Segments<'_>,
    paths: &Paths,
    content: &Content<'_>,
    explanation: &Explanation<'_>,
) -> Vec<SegmentRecord> {
    let segmentation = segments.segmentation();
    let record = |(number, (segment, verdict)): (usize, (Segment<'_>, SegmentVerdict))| {
        let counts = segment.counts();
        SegmentRecord {
            spans: pairs(&segment.spans()),
            path: segment.node().map_or_else(String::new, |node| paths.path(node)),
            text: segment.text(),
            content: verdict.content,
            role: verdict.role.name().to_owned(),
            score: verdict.score,
            why: verdict.why(explanation),
            words: counts.words,
            link_words: counts.link_words,
            text_density: counts.density().value(),
            blocks: [verdict.blocks.start, verdict.blocks.end],
            group: segmentation.is_grouped().then(|| segmentation.group(number)),
            cohesion: segmentation.reason(number).map(str::to_owned),
            class: None,
        }
    };
    segments.iter().zip(content.label_segments(segments)).enumerate().map(record).collect()
}
