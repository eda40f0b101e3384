//! The tags between two runs of text, read off the tree when they are asked for.
//!
//! Twenty-four bytes a block would be a third of all that is kept of it, and most users never ask.

use super::build::{BlockOptions, Treatment, treatment};
use crate::html::{Dom, Tag, TagSet};

/// Start and end tags between the text nodes `before` (none: the start of the page) and `next`, without `a`.
///
/// Costs what stands between the two: for all gaps of a page, the page once.
pub(super) fn between(dom: &Dom<'_>, before: Option<u32>, next: u32, options: &BlockOptions) -> TagSet {
    let mut tags = TagSet::EMPTY;
    // Elements round the text before that end before the next one.
    let mut open = before.map_or(0, |id| dom.record(id).parent);
    while open > 0 {
        let record = dom.record(open);
        if record.end > next {
            break;
        }
        tags.insert(record.tag);
        open = record.parent;
    }
    // Elements that start in between; those that end there as well are the same tags.
    let mut id = before.map_or(0, |id| id + 1);
    while id < next {
        let record = dom.record(id);
        if record.tag != Tag::TEXT {
            tags.insert(record.tag);
        }
        let enter = record.tag == Tag::TEXT || treatment(record.tag, options) == Treatment::Enter;
        id = if enter { id + 1 } else { record.end };
    }
    tags.difference(TagSet::from_tags(&[Tag::A]))
}
