//! Gold standards: pages labelled by annotators. One file per format.

pub mod held_out;
pub mod judgements;
pub mod l3s_blocks;
pub mod seg_popular;
mod segments;
pub mod set;
pub mod structure;

use webstrata::{Page, PageOptions, Span};

/// Parses a page that is stored as UTF-8, whatever encoding it declares.
fn parse_utf8(html: &str) -> Page<'_> {
    Page::parse_with(html.as_bytes(), &PageOptions::default().encoding(encoding_rs::UTF_8))
}

/// Byte ranges with labels, ascending and disjoint, for lookup by offset.
///
/// ```
/// use webstrata::Span;
/// use webstrata_lab::gold::LabelledSpans;
/// let spans: LabelledSpans<char> = [(Span::new(0, 4), 'a'), (Span::new(6, 9), 'b')].into_iter().collect();
/// assert_eq!([spans.at(3), spans.at(5), spans.at(6)], [Some('a'), None, Some('b')]);
/// ```
#[derive(Clone, Debug)]
pub struct LabelledSpans<L> {
    spans: Vec<(Span, L)>,
}

impl<L: Copy> LabelledSpans<L> {
    /// The label of the span that contains the byte.
    #[must_use]
    pub fn at(&self, byte: u32) -> Option<L> {
        let before = self.spans.partition_point(|(span, _)| span.start <= byte);
        let (span, label) = self.spans.get(before.checked_sub(1)?)?;
        (byte < span.end).then_some(*label)
    }
}

impl<L> FromIterator<(Span, L)> for LabelledSpans<L> {
    /// Sorts the spans; where two overlap, the one that starts later wins.
    fn from_iter<I: IntoIterator<Item = (Span, L)>>(spans: I) -> Self {
        let mut spans: Vec<(Span, L)> = spans.into_iter().filter(|(span, _)| !span.is_empty()).collect();
        spans.sort_by_key(|(span, _)| *span);
        LabelledSpans { spans }
    }
}
