//! Raised and lowered text that belongs to the word before it.

use super::Style;
use super::build::Walk;
use crate::html::{Tag, flag, is_white};

/// Maximum number of tags between a word and the raised text that belongs to it.
const MAX_TAGS_BEFORE: u32 = 8;

impl Walk<'_> {
    /// The style of a run, with [`Style::ATTACHED`] if it is raised or lowered and no white space precedes it. Raised text in code
    /// becomes plain code.
    pub(super) fn raised(&self, id: u32, style: Style, run: &str) -> Style {
        if !style.intersects(Style::RAISED) {
            return style;
        }
        if style.contains(Style::CODE) {
            return style.difference(Style::RAISED);
        }
        let mut attached = !run.starts_with(is_white);
        for before in (id.saturating_sub(MAX_TAGS_BEFORE)..=id).rev() {
            let record = self.dom.record(before);
            attached &= record.flags & flag::SPACE_BEFORE == 0;
            if before < id && record.tag == Tag::TEXT {
                attached &= !self.dom.run_text(before).ends_with(is_white);
                break;
            }
        }
        if attached { style.union(Style::ATTACHED) } else { style }
    }
}
