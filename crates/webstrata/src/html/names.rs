//! Names that a page makes up (`x-card`, `fb:like`), numbered as they come.

use super::tag::{CUSTOM_CAP, KNOWN, Tag};
use crate::span::{Span, offset};

/// Slots of the hash table: twice the cap, so that it never fills up.
const SLOTS: usize = 2 * CUSTOM_CAP;

/// Bytes of a name that count for its hash; names that differ later only share a slot.
const HASHED: usize = 64;

/// The names of one page. At most [`CUSTOM_CAP`] of them are told apart; the rest are [`Tag::OTHER`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    spans: Vec<Span>,
    slots: Vec<u16>,
}

impl Names {
    pub(crate) fn clear(&mut self) {
        if !self.spans.is_empty() {
            self.spans.clear();
            self.slots.fill(0);
        }
    }

    /// The number of the name at `start..end`.
    pub(crate) fn tag(&mut self, bytes: &[u8], start: usize, end: usize) -> Tag {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, 0);
        }
        let name = &bytes[start..end];
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for &c in &name[..name.len().min(HASHED)] {
            hash = (hash ^ u64::from(c.to_ascii_lowercase())).wrapping_mul(0x100_0000_01b3);
        }
        let mut slot = (hash >> 40) as usize % SLOTS;
        // Names that share their first bytes and their length would be compared again and again; the cap
        // on names bounds that to CUSTOM_CAP comparisons, the length check makes most of them cheap.
        loop {
            let number = usize::from(self.slots[slot]);
            if number == 0 {
                if self.spans.len() >= CUSTOM_CAP || name.len() > usize::from(u16::MAX) {
                    return Tag::OTHER;
                }
                self.spans.push(Span::new(offset(start), offset(end)));
                let number = self.spans.len() as u16; // at most CUSTOM_CAP
                self.slots[slot] = number;
                return Tag(KNOWN as u16 + number - 1);
            }
            if bytes[self.spans[number - 1].range()].eq_ignore_ascii_case(name) {
                return Tag((KNOWN + number - 1) as u16);
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// Where a made-up name stands in the source.
    pub(crate) fn span(&self, tag: Tag) -> Option<Span> {
        self.spans.get(tag.index().checked_sub(KNOWN)?).copied()
    }
}
