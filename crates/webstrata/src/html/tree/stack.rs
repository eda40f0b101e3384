//! The stack of open elements, which answers every query in the standard in constant time.
//!
//! The standard walks the stack for each "has an element in scope"; on hostile input that is
//! quadratic. Here each entry carries the position of the nearest scope boundary, special element and
//! list barrier at or below it, and `last` has the position of the topmost open element of each
//! tag, so that a walk becomes a comparison of two positions.

use crate::html::tag::{NO_BARRIER, SCOPE, SPECIAL, TAG_SLOTS, Tag};

/// Position on the stack, counted from 1; 0 means none.
pub(super) type Position = u16;

/// An element in SVG or MathML.
pub(super) const FOREIGN: u8 = 1;
/// A foreign element inside which HTML rules apply (`foreignObject`, `mtext` …).
pub(super) const INTEGRATION: u8 = 2;
/// A foreign element in MathML.
pub(super) const MATHML: u8 = 4;

/// Node number of an entry whose end is already set.
pub(super) const ENDED: u32 = u32::MAX;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) node: u32,
    pub(super) flags: u32,
    /// [`Tag::NONE`] for an element closed while elements above it stay open.
    pub(super) tag: Tag,
    /// The next lower element with the same tag.
    previous: Position,
    pub(super) scope: Position,
    pub(super) special: Position,
    pub(super) barrier: Position,
    /// The nearest element that is not foreign.
    pub(super) html: Position,
    pub(super) namespace: u8,
}

/// What remains to be done for a popped entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Popped {
    /// The node whose end must be set, unless it already is.
    pub(super) node: Option<u32>,
    pub(super) flags: u32,
}

#[derive(Debug)]
pub(super) struct Stack {
    entries: Vec<Open>,
    /// The topmost HTML element by tag, followed by the topmost foreign element by tag.
    last: Vec<Position>,
}

/// Index of an element in `last`.
#[inline(always)]
fn slot(tag: Tag, namespace: u8) -> usize {
    tag.index() + if namespace & FOREIGN != 0 { TAG_SLOTS } else { 0 }
}

impl Default for Stack {
    fn default() -> Self {
        Stack { entries: Vec::with_capacity(256), last: vec![0; 2 * TAG_SLOTS] }
    }
}

impl Stack {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.last.fill(0);
    }

    #[inline(always)]
    pub(super) fn depth(&self) -> Position {
        self.entries.len() as Position // the depth cap is 16-bit
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The innermost open element. The root is never popped before the end; an empty stack yields a dummy that matches nothing.
    #[inline(always)]
    pub(super) fn top(&self) -> Open {
        match self.entries.last() {
            Some(&open) => open,
            None => {
                Open { node: 0, flags: 0, tag: Tag::NONE, previous: 0, scope: 0, special: 0, barrier: 0, html: 0, namespace: 0 }
            }
        }
    }

    /// Position of the topmost open HTML element with this tag.
    #[inline(always)]
    pub(super) fn last(&self, tag: Tag) -> Position {
        self.last[tag.index()]
    }

    /// Position of the topmost open foreign element with this tag.
    pub(super) fn last_foreign(&self, tag: Tag) -> Position {
        self.last[slot(tag, FOREIGN)]
    }

    #[inline(always)]
    pub(super) fn get(&self, at: Position) -> Option<&Open> {
        self.entries.get((at as usize).wrapping_sub(1))
    }

    #[inline(always)]
    pub(super) fn push(&mut self, tag: Tag, flags: u32, node: u32, namespace: u8) {
        let at = self.depth() + 1;
        let below = self.top();
        let previous = std::mem::replace(&mut self.last[slot(tag, namespace)], at);
        self.entries.push(Open {
            node,
            flags,
            tag,
            previous,
            scope: if flags & SCOPE != 0 { at } else { below.scope },
            special: if flags & SPECIAL != 0 { at } else { below.special },
            barrier: if flags & (SPECIAL | NO_BARRIER) == SPECIAL { at } else { below.barrier },
            html: if namespace & FOREIGN == 0 { at } else { below.html },
            namespace,
        });
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Popped> {
        let open = self.entries.pop()?;
        if open.tag != Tag::NONE {
            self.last[slot(open.tag, open.namespace)] = open.previous;
        }
        Some(Popped { node: (open.node != ENDED).then_some(open.node), flags: open.flags })
    }

    /// Whether the innermost entry's element is already closed.
    #[inline(always)]
    pub(super) fn top_is_closed(&self) -> bool {
        self.entries.last().is_some_and(|open| open.tag == Tag::NONE)
    }

    /// Hides the element at `at` from all queries; elements above it stay open. With `ended`, the caller
    /// sets its end; otherwise the end is set when the entry is popped.
    pub(super) fn deactivate(&mut self, at: Position, ended: bool) {
        let Some(open) = self.entries.get_mut((at as usize).wrapping_sub(1)) else { return };
        let Open { tag, previous, flags, .. } = *open;
        let slot = slot(tag, open.namespace);
        if ended {
            open.node = ENDED;
        }
        if tag == Tag::NONE {
            return;
        }
        open.tag = Tag::NONE;
        if flags & SPECIAL != 0 {
            self.forget_special(at);
        }
        if self.last[slot] == at {
            self.last[slot] = previous;
            return;
        }
        // Not the topmost of its tag: unlink it from the list.
        let mut above = self.last[slot];
        while above > at {
            let Some(open) = self.entries.get_mut(above as usize - 1) else { return };
            if open.previous == at {
                open.previous = previous;
                return;
            }
            above = open.previous;
        }
    }

    /// Updates the elements above a special element that no longer counts as one.
    ///
    /// Only a `form` ends this way, and only once; the next form is above all these elements. So each element is visited once.
    fn forget_special(&mut self, at: Position) {
        let below = self.get(at - 1).map_or((0, 0), |open| (open.special, open.barrier));
        for open in self.entries.iter_mut().skip(at as usize - 1) {
            if open.special == at {
                open.special = below.0;
            }
            if open.barrier == at {
                open.barrier = below.1;
            }
        }
    }

    /// Position of an open `p` in button scope, or 0.
    #[inline(always)]
    pub(super) fn p_in_button_scope(&self) -> Position {
        let p = self.last(Tag::P);
        if p != 0 && p > self.top().scope && p > self.last(Tag::BUTTON) { p } else { 0 }
    }
}
