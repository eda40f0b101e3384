//! The table of segments.

use super::table::{self, Table, row};
use serde::{Deserialize, Serialize};
use webstrata::label::Role;

/// One segment of a page.
///
/// ```
/// use webstrata::label::Role;
/// use webstrata_corpus::store::SegmentRow;
/// let row = SegmentRow { page: "a.html@0".into(), spans: vec![[3, 9]], role: Some(Role::Body), ..SegmentRow::default() };
/// assert!(serde_json::to_string(&row).unwrap().starts_with(r#"{"page":"a.html@0","number":0,"text":"","headings":[],"spans":[[3,9]],"#));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SegmentRow {
    /// Id of its page.
    pub page: String,
    /// Its number on the page, from 0.
    pub number: u32,
    /// Its text, with the page's line breaks and white space collapsed.
    pub text: String,
    /// Byte ranges of `text` in headings (`h1` … `h6`) and terms of definition lists (`dt`) that are not links.
    #[serde(default)]
    pub headings: Vec<[u32; 2]>,
    /// Byte ranges of its text.
    pub spans: Vec<[u32; 2]>,
    /// Whether they refer to the UTF-8 that the page was converted to, instead of the page as it was read.
    pub transcoded: bool,
    /// DOM path of the lowest element that contains all of it.
    pub path: String,
    /// The role of most of its words; `None` if a later version wrote a role that this one does not know.
    #[serde(with = "table::role_name")]
    pub role: Option<Role>,
    /// Whether more than half of it is content.
    pub content: bool,
    /// The probability that it is content: the mean over its blocks, weighted by words, or the share of its words that is content if
    /// the method has no probabilities.
    pub score: f32,
    /// Number of words.
    pub words: u32,
    /// Words per line.
    pub text_density: f32,
    /// Share of its words in links.
    pub link_density: f32,
    /// Its class among the segments of the site, if there is evidence about the site.
    pub class: Option<String>,
}

row!(
    SegmentRow,
    Table::Segments,
    [page, number, text, headings, spans, transcoded, path, role, content, score, words, text_density, link_density, class]
);
