//! The marks of one annotator on one page, and their initial state.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use webstrata::Page;
use webstrata::label::Role;
use webstrata::label::strata::PageType;
use webstrata::segment::{Granularity, StrataSegmenter};

/// Format version of saved files.
pub const FORMAT: &str = "webstrata.annotation/1";
/// Maximum length of a note in bytes.
pub const MAX_NOTE: usize = 2000;
/// The page type of pages of none of the types in [`PageType::ALL`].
pub const OTHER: &str = "other";

/// The state in which an annotator first sees a page. Annotators correct predictions less often than they should, so labels that
/// started from a prediction favour its method. Every file records its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// Nothing is marked.
    #[default]
    Empty,
    /// The page is labelled and segmented by `strata`.
    Strata,
}

impl Start {
    /// The name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Start::Empty => "empty",
            Start::Strata => "strata",
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The marks on a block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockMarks {
    /// Byte ranges of its text in the page, or in its UTF-8 transcoding.
    pub spans: Vec<(u32, u32)>,
    /// Whether it is main content.
    pub content: bool,
    /// Its role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// 1 if a level 1 segment starts here (and thus a level 2 segment), 2 if only a level 2 segment does, otherwise 0.
    #[serde(default)]
    pub cut: u8,
}

/// The marks of one annotator on one page, as saved.
///
/// ```
/// use webstrata_lab::annotate::marks::{Annotation, Start};
/// let html = b"<nav><a href=/>Home</a></nav><h1>Rain</h1><p>It has been raining in the valley for three days.";
/// let empty = Annotation::new("a", "anna", html, Start::Empty);
/// assert_eq!((empty.blocks.len(), empty.blocks.iter().filter(|block| block.content).count()), (3, 0));
/// assert!(empty.segments().is_none());
/// let predicted = Annotation::new("a", "anna", html, Start::Strata);
/// assert!(predicted.start == Start::Strata && predicted.page_type.is_some());
/// assert!(predicted.blocks.iter().all(|block| block.role.is_some()));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Annotation {
    /// [`FORMAT`].
    pub format: String,
    /// The page's id.
    pub id: String,
    /// SHA-256 of the page's bytes, in hexadecimal digits.
    pub sha256: String,
    /// Who marked it.
    pub annotator: String,
    /// What the annotator saw first.
    pub start: Start,
    /// Number of times it was saved.
    pub version: u64,
    /// Whether the annotator has finished the page.
    pub done: bool,
    /// The page type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_type: Option<String>,
    /// The annotator's own confidence, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sure: Option<f32>,
    /// A remark.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The marks on the blocks of the page, in document order.
    pub blocks: Vec<BlockMarks>,
}

/// A change sent by the browser: all marks of a page, without the fields that the server sets.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The version that the change is based on.
    pub version: u64,
    /// Whether the annotator has finished the page.
    pub done: bool,
    /// The page type.
    pub page_type: Option<String>,
    /// The annotator's confidence.
    pub sure: Option<f32>,
    /// A remark.
    pub note: String,
    /// For each block: content, role, cut.
    pub marks: Vec<(bool, Option<String>, u8)>,
}

/// Why a change is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The page was saved elsewhere in the meantime.
    #[error("this page was changed elsewhere (version {saved}, not {sent}); reload it")]
    Outdated {
        /// The saved version.
        saved: u64,
        /// The version that the change is based on.
        sent: u64,
    },
    /// The change does not fit the page.
    #[error("{0}")]
    Invalid(String),
}

impl Annotation {
    /// The initial marks on a page.
    #[must_use]
    pub fn new(id: &str, annotator: &str, html: &[u8], start: Start) -> Self {
        let page = Page::parse(html);
        let spans = |block: webstrata::block::Block<'_>| block.spans().iter().map(|span| (span.start, span.end)).collect();
        let blocks = page.blocks().iter().map(|block| BlockMarks { spans: spans(block), ..BlockMarks::default() }).collect();
        let mut marks = Annotation {
            format: FORMAT.to_owned(),
            id: id.to_owned(),
            sha256: sha256(html),
            annotator: annotator.to_owned(),
            start,
            version: 0,
            done: false,
            page_type: None,
            sure: None,
            note: String::new(),
            blocks,
        };
        if start == Start::Strata {
            marks.predict(&page);
        }
        marks
    }

    /// Marks the page as `strata` labels and segments it.
    fn predict(&mut self, page: &Page<'_>) {
        let content = page.extract();
        self.page_type = content.labels().page_type().map(|page_type| page_type.name().to_owned());
        for (block, marks) in page.blocks().iter().zip(&mut self.blocks) {
            marks.content = content.is_content(block.index());
            marks.role = Some(content.role(block).name().to_owned());
        }
        for (cut, granularity) in [(2, Granularity::Fine), (1, Granularity::Coarse)] {
            for segment in &page.segments_by(&StrataSegmenter { granularity }) {
                let Some(first) = segment.spans().first().copied() else { continue };
                // A segment that begins inside a block is assigned to the next block.
                let at = self.blocks.partition_point(|block| block.spans.first().is_some_and(|span| span.0 < first.start));
                if let Some(block) = self.blocks.get_mut(at) {
                    block.cut = cut;
                }
            }
        }
    }

    /// Applies a change.
    ///
    /// # Errors
    /// If the change is based on an older version, or does not fit the page.
    pub fn apply(&mut self, change: Change) -> Result<(), Refused> {
        if change.version != self.version {
            return Err(Refused::Outdated { saved: self.version, sent: change.version });
        }
        let invalid = |text: String| Err(Refused::Invalid(text));
        if change.marks.len() != self.blocks.len() {
            return invalid(format!("the page has {} blocks, not {}", self.blocks.len(), change.marks.len()));
        }
        for (_, role, cut) in &change.marks {
            if let Some(role) = role.as_ref().filter(|role| Role::from_str(role).is_err()) {
                return invalid(format!("unknown role {role:?}"));
            }
            if *cut > 2 {
                return invalid(format!("a cut is 0, 1 or 2, not {cut}"));
            }
        }
        if let Some(page_type) = change.page_type.as_ref().filter(|name| !page_types().any(|known| known == name.as_str())) {
            return invalid(format!("unknown page type {page_type:?}"));
        }
        if change.sure.is_some_and(|sure| !(0.0..=1.0).contains(&sure)) {
            return invalid("the confidence is a number from 0 to 1".to_owned());
        }
        if change.note.len() > MAX_NOTE {
            return invalid(format!("the note has more than {MAX_NOTE} bytes"));
        }
        self.version += 1;
        self.done = change.done;
        self.page_type = change.page_type;
        self.sure = change.sure;
        self.note = change.note;
        for (block, (content, role, cut)) in self.blocks.iter_mut().zip(change.marks) {
            block.content = content;
            block.role = role;
            block.cut = cut;
        }
        Ok(())
    }

    /// Whether the saved marks belong to these blocks of this page.
    #[must_use]
    pub fn fits(&self, fresh: &Annotation) -> bool {
        let spans = |marks: &Annotation| marks.blocks.iter().map(|block| block.spans.clone()).collect::<Vec<_>>();
        self.sha256 == fresh.sha256 && spans(self) == spans(fresh)
    }

    /// The level 1 and level 2 segments of each block, numbered from 0; `None` if no segment was marked.
    ///
    /// ```
    /// use webstrata_lab::annotate::marks::{Annotation, Start};
    /// let mut marks = Annotation::new("a", "anna", b"<p>one<p>two<p>three<p>four", Start::Empty);
    /// (marks.blocks[1].cut, marks.blocks[2].cut) = (2, 1);
    /// assert_eq!(marks.segments().unwrap(), [(0, 0), (0, 1), (1, 2), (1, 2)]);
    /// ```
    #[must_use]
    pub fn segments(&self) -> Option<Vec<(u32, u32)>> {
        // The first block always starts a segment, so a mark there carries no information.
        if self.blocks.iter().skip(1).all(|block| block.cut == 0) {
            return None;
        }
        let mut at = (0, 0);
        let next = |(number, block): (usize, &BlockMarks)| {
            if number > 0 {
                at.0 += u32::from(block.cut == 1);
                at.1 += u32::from(block.cut > 0);
            }
            at
        };
        Some(self.blocks.iter().enumerate().map(next).collect())
    }
}

/// Names of the page types to choose from.
pub fn page_types() -> impl Iterator<Item = &'static str> {
    PageType::ALL.into_iter().map(PageType::name).chain([OTHER])
}

/// The SHA-256 hash in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &[u8] = b"<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><p>It has been raining.<p>For three days.";

    fn change(marks: &Annotation) -> Change {
        let each = |block: &BlockMarks| (block.content, block.role.clone(), block.cut);
        let marks_of = marks.blocks.iter().map(each).collect();
        Change { version: marks.version, done: false, page_type: None, sure: None, note: String::new(), marks: marks_of }
    }

    #[test]
    fn changes_are_checked() {
        let mut marks = Annotation::new("a", "anna", HTML, Start::Empty);
        let good = change(&marks);
        let mut refused = |edit: &dyn Fn(&mut Change), want: &str| {
            let mut bad = good.clone();
            edit(&mut bad);
            let error = marks.apply(bad).unwrap_err().to_string();
            assert!(error.contains(want), "{error}");
        };
        refused(&|change| change.version = 4, "version 0, not 4");
        refused(&|change| change.marks.truncate(2), "4 blocks, not 2");
        refused(&|change| change.marks[0].1 = Some("heading2".to_owned()), "unknown role \"heading2\"");
        refused(&|change| change.marks[0].2 = 3, "0, 1 or 2, not 3");
        refused(&|change| change.page_type = Some("blog".to_owned()), "unknown page type \"blog\"");
        refused(&|change| change.sure = Some(f32::NAN), "from 0 to 1");
        refused(&|change| change.note = "x".repeat(MAX_NOTE + 1), "2000 bytes");
        assert_eq!(marks.version, 0);
        let mut right = good;
        (right.marks[2], right.page_type) = ((true, Some("body".to_owned()), 1), Some(OTHER.to_owned()));
        marks.apply(right).unwrap();
        assert_eq!((marks.version, marks.blocks[2].content, marks.blocks[2].cut), (1, true, 1));
    }

    #[test]
    fn files_are_read_back() {
        let mut marks = Annotation::new("a", "anna", HTML, Start::Strata);
        (marks.note, marks.sure) = ("two readings".to_owned(), Some(0.5));
        let text = serde_json::to_string(&marks).unwrap();
        assert!(text.contains("\"start\":\"strata\"") && text.contains(FORMAT));
        assert_eq!(serde_json::from_str::<Annotation>(&text).unwrap(), marks);
        assert!(marks.fits(&Annotation::new("a", "ben", HTML, Start::Empty)));
        assert!(!marks.fits(&Annotation::new("a", "anna", b"<p>Other", Start::Empty)));
    }

    #[test]
    fn checksums_are_the_published_ones() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
