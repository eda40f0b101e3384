//! The blocks of a segment: its lines, divided where headings begin and end.
//!
//! Segments are larger than headings: a section with its heading is one segment, and so is a list of terms with their definitions.
//! A heading or a term counts more than the text it names, so it gets a weight of its own. Thresholds (at least K words, at least
//! density D) also apply to blocks, as in the thesis. A line of a segment's text is the text between two line breaks of the page, so
//! blocks separated only by inline elements are one; in tables of `run --method taggap`, every segment is a block of the thesis.

use crate::schema::Class;
use webstrata::block::{Counts, WordOptions};
use webstrata_corpus::store::SegmentRow;

/// A block of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part<'s> {
    pub(crate) text: &'s str,
    /// Whether it is a heading, or a term in a definition list.
    pub(crate) heading: bool,
    pub(crate) words: u32,
    pub(crate) density: f32,
}

impl Part<'_> {
    /// The class of the block in a segment of this class. Headings of menus name the topics of other pages.
    pub(crate) fn class(&self, segment: Class) -> Class {
        match segment {
            Class::Title | Class::Navigation => segment,
            _ if self.heading => Class::Heading,
            other => other,
        }
    }
}

/// The blocks of a segment that have text, in order.
pub(crate) fn parts(segment: &SegmentRow) -> Vec<Part<'_>> {
    let text = segment.text.as_str();
    let mut cuts: Vec<(usize, usize, bool)> = Vec::new();
    let mut at = 0;
    for &[start, end] in &segment.headings {
        let (start, end) = (start as usize, end as usize);
        // Ranges from damaged tables are ignored.
        if at <= start && start < end && text.is_char_boundary(start) && text.is_char_boundary(end) {
            cuts.extend([(at, start, false), (start, end, true)]);
            at = end;
        }
    }
    cuts.push((at, text.len(), false));
    let pieces = cuts.into_iter().flat_map(|(start, end, heading)| text[start..end].split('\n').map(move |line| (line, heading)));
    let mut parts: Vec<Part<'_>> = pieces
        .map(|(line, heading)| (line.trim(), heading))
        .filter(|(line, _)| !line.is_empty())
        .map(|(text, heading)| Part { text, heading, words: segment.words, density: segment.text_density })
        .collect();
    if parts.len() > 1 {
        for part in &mut parts {
            let counts = Counts::of_text(part.text, &WordOptions::default());
            (part.words, part.density) = (counts.words, counts.density().value() as f32);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_headings_are_parts() {
        let text = "Rain\nIt falls.\ndrizzle light rain";
        let mut row = SegmentRow { text: text.into(), headings: vec![[0, 4], [15, 22]], ..SegmentRow::default() };
        let found: Vec<(&str, bool, u32)> = parts(&row).into_iter().map(|part| (part.text, part.heading, part.words)).collect();
        assert_eq!(found, [("Rain", true, 1), ("It falls.", false, 2), ("drizzle", true, 1), ("light rain", false, 2)]);
        // Whatever the ranges are, no text is lost.
        for headings in [vec![[9, 3]], vec![[0, 9999]], vec![[5, 9], [2, 3]], vec![[0, 0]]] {
            row.headings = headings;
            let all: String = parts(&row).iter().flat_map(|part| part.text.split(' ')).collect();
            assert_eq!(all, text.replace([' ', '\n'], ""));
        }
        assert!(parts(&SegmentRow::default()).is_empty());
    }

    #[test]
    fn headings_of_menus_are_menus() {
        let part = Part { text: "More", heading: true, words: 1, density: 1.0 };
        assert_eq!(Class::ALL.map(|class| part.class(class) == Class::Heading), [false, true, true, true, false, true]);
    }
}
