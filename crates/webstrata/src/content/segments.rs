//! Segments together with the labelling method's verdicts on them.

use super::Content;
use crate::label::{Explanation, Input, Role};
use crate::segment::{Segment, Segments};
use crate::select::{ExtractOptions, SegmentVerdict, label_segments};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

impl Content<'_> {
    /// The verdicts on segments of the same page, in order. Tables, records and reports use the same verdicts.
    #[must_use]
    pub fn label_segments(&self, segments: &Segments<'_>) -> Vec<SegmentVerdict> {
        label_segments(segments, self.blocks(), &self.labels, &self.selection, self.roles())
    }
}

/// The segments of a page with role, score and reason. Dereferences to [`Segments`].
///
/// Verdicts come from the method `strata`, aggregated from blocks weighted by words, regardless of the segmentation method. They
/// are computed on first use, so segments alone need no labelling. For another labelling method see
/// [`Content::label_segments`].
///
/// ```
/// use webstrata::{Page, label::Role, segment::Method};
/// let text = "It has been raining in the valley for three days, and nobody can remember when that last happened. ".repeat(4);
/// let html = format!("<nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><h1>Rain</h1><p>{text}</p>");
/// let page = Page::parse(html.as_bytes());
/// for segment in page.segments(Method::Strata) {
///     println!("{} {:?} {}", segment.role(), segment.spans(), segment.why());
/// }
/// let menu = page.segments(Method::JustRules).into_iter().next().unwrap();
/// assert_eq!((menu.role(), menu.is_content(), menu.text().as_str()), (Role::Navigation, false, "Home\nNews"));
/// assert!(menu.score() < 0.5);
/// assert!(menu.why().contains("not content"));
/// ```
#[derive(Clone)]
pub struct LabelledSegments<'p> {
    shared: Arc<Shared<'p>>,
}

struct Shared<'p> {
    segments: Segments<'p>,
    input: Input<'p>,
    labelled: OnceLock<(Content<'p>, Vec<SegmentVerdict>)>,
    explanation: OnceLock<Explanation<'static>>,
}

impl<'p> Shared<'p> {
    fn labelled(&self, explain: bool) -> &(Content<'p>, Vec<SegmentVerdict>) {
        self.labelled.get_or_init(|| {
            let content = Content::new(self.input, None, &ExtractOptions::default().explain(explain));
            let verdicts = content.label_segments(&self.segments);
            (content, verdicts)
        })
    }

    fn explanation(&self) -> &Explanation<'static> {
        self.explanation.get_or_init(|| self.labelled(true).0.explain().into_owned())
    }
}

impl<'p> LabelledSegments<'p> {
    pub(crate) fn new(segments: Segments<'p>, input: Input<'p>) -> Self {
        let shared = Shared { segments, input, labelled: OnceLock::new(), explanation: OnceLock::new() };
        LabelledSegments { shared: Arc::new(shared) }
    }

    /// The segments in document order.
    #[must_use]
    pub fn iter(&self) -> LabelledSegmentsIter<'p> {
        LabelledSegmentsIter { shared: Arc::clone(&self.shared), next: 0 }
    }

    /// The segments without verdicts, for functions that take [`Segments`].
    #[must_use]
    pub fn as_segments(&self) -> &Segments<'p> {
        &self.shared.segments
    }
}

impl<'p> Deref for LabelledSegments<'p> {
    type Target = Segments<'p>;

    fn deref(&self) -> &Segments<'p> {
        &self.shared.segments
    }
}

impl fmt::Debug for LabelledSegments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.segments.fmt(f)
    }
}

impl<'p> IntoIterator for LabelledSegments<'p> {
    type Item = LabelledSegment<'p>;
    type IntoIter = LabelledSegmentsIter<'p>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'p> IntoIterator for &LabelledSegments<'p> {
    type Item = LabelledSegment<'p>;
    type IntoIter = LabelledSegmentsIter<'p>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Iterator over [`LabelledSegments`].
///
/// ```
/// use webstrata::{Page, segment::Method};
/// let page = Page::parse(b"<p>one<hr><p>two");
/// let mut segments = page.segments(Method::JustRules).into_iter();
/// assert_eq!(segments.len(), 2);
/// assert_eq!(segments.next().unwrap().text(), "one");
/// ```
#[derive(Clone)]
pub struct LabelledSegmentsIter<'p> {
    shared: Arc<Shared<'p>>,
    next: usize,
}

impl fmt::Debug for LabelledSegmentsIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LabelledSegmentsIter").field("next", &self.next).finish_non_exhaustive()
    }
}

impl<'p> Iterator for LabelledSegmentsIter<'p> {
    type Item = LabelledSegment<'p>;

    fn next(&mut self) -> Option<LabelledSegment<'p>> {
        let segment = self.shared.segments.get(self.next)?;
        let number = self.next;
        self.next += 1;
        Some(LabelledSegment { segment, number, shared: Arc::clone(&self.shared) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.shared.segments.len().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for LabelledSegmentsIter<'_> {}

impl std::iter::FusedIterator for LabelledSegmentsIter<'_> {}

/// One segment of a page with its verdict. Dereferences to [`Segment`].
///
/// ```
/// use webstrata::{Page, label::Role, segment::Method};
/// let page = Page::parse(b"<nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><hr><p>It rained.");
/// let menu = page.segments(Method::JustRules).iter().next().unwrap();
/// assert_eq!((menu.role(), menu.is_content()), (Role::Navigation, false));
/// assert!(menu.why().starts_with("not content: 0 of 2 words are content; block "));
/// assert_eq!(menu.counts().link_words, 2); // a method of `Segment`
/// ```
#[derive(Clone)]
pub struct LabelledSegment<'p> {
    segment: Segment<'p>,
    number: usize,
    shared: Arc<Shared<'p>>,
}

impl<'p> LabelledSegment<'p> {
    fn verdict(&self) -> Option<&SegmentVerdict> {
        self.shared.labelled(false).1.get(self.number)
    }

    /// The role.
    #[must_use]
    pub fn role(&self) -> Role {
        self.verdict().map_or(Role::Boilerplate, |verdict| verdict.role)
    }

    /// Whether the segment is content.
    #[must_use]
    pub fn is_content(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict.content)
    }

    /// How likely the segment is content, from 0 to 1; see [`SegmentVerdict::score`].
    #[must_use]
    pub fn score(&self) -> f32 {
        self.verdict().map_or(0.0, |verdict| verdict.score)
    }

    /// Why the segment is content or not; see [`SegmentVerdict::why`].
    #[must_use]
    pub fn why(&self) -> String {
        let explanation = self.shared.explanation();
        self.verdict().map(|verdict| verdict.why(explanation)).unwrap_or_default()
    }

    /// The segment without its verdict.
    #[must_use]
    pub fn segment(&self) -> Segment<'p> {
        self.segment
    }
}

impl<'p> Deref for LabelledSegment<'p> {
    type Target = Segment<'p>;

    fn deref(&self) -> &Segment<'p> {
        &self.segment
    }
}

impl fmt::Debug for LabelledSegment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LabelledSegment").field("number", &self.number).field("segment", &self.segment).finish_non_exhaustive()
    }
}
