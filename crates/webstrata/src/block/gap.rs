//! The tags between two runs of text, computed from the tree on demand.
//!
//! Storing them would add 24 bytes per block, a third of its size, and most callers never need them.

use super::build::{BlockOptions, Treatment, treatment};
use crate::html::{Dom, Tag, TagSet};

/// Start and end tags other than `a` between the text nodes `before` (`None`: the start of the page) and `next`.
///
/// Takes time proportional to the distance between the two, so all gaps of a page together cost one pass over it.
pub(super) fn between(dom: &Dom<'_>, before: Option<u32>, next: u32, options: &BlockOptions) -> TagSet {
    let mut tags = TagSet::EMPTY;
    // Elements around the previous text that end before the next one.
    let mut open = before.map_or(0, |id| dom.record(id).parent);
    while open > 0 {
        let record = dom.record(open);
        if record.end > next {
            break;
        }
        tags.insert(record.tag);
        open = record.parent;
    }
    // Elements that start in between; those that also end there have the same tags.
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
