//! Tag names that the standard does not define (`x-card`, `fb:like`), numbered as they occur.

use super::fnv::fnv1a;
use super::tag::{CUSTOM_CAP, KNOWN, Tag};
use crate::span::{Span, offset};

/// Slots of the hash table: twice the cap, so that it never fills up.
const SLOTS: usize = 2 * CUSTOM_CAP;

/// Maximum length of a name. Longer ones become [`Tag::OTHER`]; no element of interest has one.
const MAX_NAME: usize = 256;

/// Maximum number of slots probed for one name. A half-full table has probe sequences of two or three; if all names of a page
/// hash to the same slot, those beyond the maximum become [`Tag::OTHER`].
const MAX_PROBES: usize = 16;

/// The custom names of one page. At most [`CUSTOM_CAP`] of them are distinguished; the rest are [`Tag::OTHER`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    spans: Vec<Span>,
    slots: Vec<Slot>,
}

/// A name's number, counted from 1 (0: free slot), and some bits of its hash, so that a lookup rarely compares more than one name.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    number: u16,
    check: u16,
}

impl Names {
    pub(crate) fn clear(&mut self) {
        if !self.spans.is_empty() {
            self.spans.clear();
            self.slots.fill(Slot::default());
        }
    }

    /// The tag for the name at `start..end`.
    pub(crate) fn tag(&mut self, bytes: &[u8], start: usize, end: usize) -> Tag {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, Slot::default());
        }
        let name = &bytes[start..end];
        if name.len() > MAX_NAME {
            return Tag::OTHER;
        }
        let hash = hash(name);
        let check = (hash >> 16) as u16;
        let mut at = (hash >> 40) as usize % SLOTS;
        for _ in 0..MAX_PROBES {
            let slot = self.slots[at];
            let number = usize::from(slot.number);
            if number == 0 {
                if self.spans.len() >= CUSTOM_CAP {
                    return Tag::OTHER;
                }
                self.spans.push(Span::new(offset(start), offset(end)));
                let number = self.spans.len() as u16; // at most CUSTOM_CAP
                self.slots[at] = Slot { number, check };
                return Tag(KNOWN as u16 + number - 1);
            }
            if slot.check == check && bytes[self.spans[number - 1].range()].eq_ignore_ascii_case(name) {
                return Tag((KNOWN + number - 1) as u16);
            }
            at = (at + 1) % SLOTS;
        }
        Tag::OTHER
    }

    /// Where a custom name first occurs in the source.
    pub(crate) fn span(&self, tag: Tag) -> Option<Span> {
        self.spans.get(tag.index().checked_sub(KNOWN)?).copied()
    }
}

/// Hash of the name in lower case.
fn hash(name: &[u8]) -> u64 {
    fnv1a(name.iter().map(u8::to_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinguished_up_to_the_cap() {
        let source: String = (0..CUSTOM_CAP + 50).map(|i| format!("name-{i:04} NAME-{i:04} ")).collect();
        let mut names = Names::default();
        let mut seen = std::collections::BTreeSet::new();
        for i in 0..CUSTOM_CAP + 50 {
            let lower = names.tag(source.as_bytes(), i * 20, i * 20 + 9);
            let upper = names.tag(source.as_bytes(), i * 20 + 10, i * 20 + 19);
            assert_eq!(lower, upper, "name {i}");
            seen.insert(lower);
        }
        // Probe sequences that are too long may lose a name or two.
        assert!(seen.len() > CUSTOM_CAP * 9 / 10, "{}", seen.len());
        assert_eq!(names.tag("x".repeat(MAX_NAME + 1).as_bytes(), 0, MAX_NAME + 1), Tag::OTHER);
        names.clear();
        assert_eq!(names.tag(b"first", 0, 5), Tag(KNOWN as u16));
    }
}
