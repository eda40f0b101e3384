//! The list of active formatting elements: reopens them in the next block, and ends them at an end
//! tag inside another block (HTML standard, 13.2.4.3 and the adoption agency of 13.2.6.4.7).

use super::stack::{ENDED, Position};
use super::{Builder, NO_NODE};
use crate::html::dom::flag;
use crate::html::tag::{FORMAT, SPECIAL, Tag};
use crate::limits::Problem;
use crate::span::offset;

/// Maximum number of formatting elements after the last marker. The standard has no cap; without one,
/// 500 open `<font>` cost 500 nodes in every paragraph. Real pages have at most five.
pub(super) const MAX_ACTIVE: usize = 12;

/// Maximum number of elements with the same tag and attributes (the "Noah's Ark clause").
const MAX_ALIKE: usize = 3;

/// A formatting element that is reopened around the next text if its block closed it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    /// [`Tag::NONE`] for a marker.
    tag: Tag,
    node: u32,
    /// Position on the stack; 0 if closed.
    at: Position,
    from: u32,
    to: u32,
}

impl Active {
    pub(super) fn marker() -> Self {
        Active { tag: Tag::NONE, node: NO_NODE, at: 0, from: 0, to: 0 }
    }
}

impl Builder<'_> {
    /// Index of the first entry after the last marker.
    fn active_start(&self) -> usize {
        self.active.iter().rposition(|entry| entry.tag == Tag::NONE).map_or(0, |marker| marker + 1)
    }

    /// Index of the last entry with this tag after the last marker.
    pub(super) fn active_index(&self, tag: Tag) -> Option<usize> {
        let from = self.active_start();
        self.active[from..].iter().rposition(|entry| entry.tag == tag).map(|k| from + k)
    }

    fn any_closed(&self) -> bool {
        self.active[self.active_start()..].iter().any(|entry| entry.at == 0)
    }

    /// Records that a formatting element left the stack and must be reopened before the next text.
    #[inline]
    pub(super) fn formatting_closed(&mut self, node: u32) {
        let from = self.active_start();
        if let Some(entry) = self.active[from..].iter_mut().rev().find(|entry| entry.node == node) {
            entry.at = 0;
            self.dirty = true;
        }
    }

    /// Removes the innermost open element from the list if it is the last entry, as on well-formed pages.
    #[inline(always)]
    pub(super) fn drop_innermost(&mut self, at: Position) -> bool {
        let node = self.stack.top().node;
        let last = self.active.last().is_some_and(|entry| entry.at == at && entry.node == node);
        if last {
            self.active.pop();
        }
        last
    }

    pub(super) fn clear_to_marker(&mut self) {
        while let Some(entry) = self.active.pop() {
            if entry.tag == Tag::NONE {
                break;
            }
        }
        self.dirty = self.any_closed();
    }

    /// Adds an element that was just opened.
    pub(super) fn activate(&mut self, tag: Tag, node: u32, from: usize, to: usize) {
        let start = self.active_start();
        if self.active.len() == start {
            // The first entry has nothing to be compared with.
        } else if self.active.len() - start >= MAX_ACTIVE {
            self.active.remove(start);
        } else {
            let source = &self.bytes[from..to];
            let alike = |entry: &Active| entry.tag == tag && self.bytes.get(entry.from as usize..entry.to as usize) == Some(source);
            let mut same = (start..self.active.len()).filter(|&i| alike(&self.active[i]));
            let first = same.next();
            if same.count() + 1 >= MAX_ALIKE
                && let Some(first) = first
            {
                self.active.remove(first);
            }
        }
        self.active.push(Active { tag, node, at: self.stack.depth(), from: offset(from), to: offset(to) });
    }

    /// Reopens the formatting elements that were closed along with their blocks.
    #[inline(always)]
    pub(super) fn reopen(&mut self, at: usize) {
        if self.dirty {
            self.reopen_closed(at);
        }
    }

    #[cold]
    fn reopen_closed(&mut self, at: usize) {
        self.dirty = false;
        let start = self.active_start();
        let Some(first) = (start..self.active.len()).find(|&i| self.active[i].at == 0) else { return };
        for i in first..self.active.len() {
            let entry = self.active[i];
            if entry.at != 0 {
                continue;
            }
            let Some(left) = self.reopenings.checked_sub(1) else { return self.stop_reopening(at) };
            self.reopenings = left;
            let depth = self.stack.depth();
            let node = self.push(entry.tag, entry.tag.flags(), entry.from as usize, entry.to as usize, flag::IMPLIED, 0);
            if node == NO_NODE {
                return;
            }
            // Beyond the depth cap the element was not opened; treat it as open so that it is not tried again.
            self.active[i].node = node;
            self.active[i].at = self.stack.depth().max(depth);
        }
    }

    #[cold]
    fn stop_reopening(&mut self, at: usize) {
        let reported = self.tables.problems.iter().any(|p| matches!(p, Problem::ReopeningStopped { .. }));
        if !reported {
            self.tables.problems.push(Problem::ReopeningStopped { at: offset(at) });
        }
    }

    /// End tag of a formatting element, or a second `<a>` inside an open one.
    pub(super) fn end_formatting(&mut self, tag: Tag) {
        let Some(index) = self.active_index(tag) else {
            let at = self.stack.last(tag);
            if at > self.stack.top().special {
                self.pop_to(at);
            }
            return;
        };
        let entry = self.active[index];
        let top = self.stack.top();
        if entry.at != 0 && entry.at <= top.scope {
            return; // it belongs to another cell or object
        }
        self.active.remove(index);
        self.dirty = self.any_closed();
        // Closed, or reopened beyond the depth cap and so never on the stack.
        if self.stack.get(entry.at).is_none_or(|open| open.node != entry.node) {
            return;
        }
        if entry.at > top.special {
            self.pop_to(entry.at);
        } else {
            self.end_inside_block(entry.at);
        }
    }

    /// Ends the formatting element at `at` while blocks above it stay open.
    ///
    /// The first block (the "furthest block") becomes its sibling. Up to the innermost block, inline
    /// elements that are not formatting elements end before the block inside them, and formatting
    /// elements stay open around it; everything open inside the innermost block is closed.
    ///
    /// A block is visited once per active formatting element below it, of which there are at most [`MAX_ACTIVE`].
    fn end_inside_block(&mut self, at: Position) {
        let Some(&ended) = self.stack.get(at) else { return };
        let end = self.next_node();
        let innermost = self.stack.top().special;
        self.pop_above(innermost);
        let from = self.active_start();
        let mut parent = self.tables.nodes.get(ended.node as usize).map_or(0, |record| record.parent);
        let mut first = at; // elements from here up end where the next kept one starts
        for position in at + 1..=innermost {
            let Some(&open) = self.stack.get(position) else { break };
            let active = |entry: &Active| entry.node == open.node;
            let keep = open.tag != Tag::NONE
                && (open.flags & SPECIAL != 0 || (open.flags & FORMAT != 0 && self.active[from..].iter().any(active)));
            if keep {
                for dropped in first..position {
                    self.end_at(dropped, open.node);
                }
                self.tables.nodes[open.node as usize].parent = parent;
                parent = open.node;
                first = position + 1;
            }
        }
        self.tables.nodes[ended.node as usize].flags |= flag::ENDED_EARLY;
        self.tables.formatting_ends.push((ended.node, end));
    }

    /// Ends the element at a stack position before node `end`, and hides it from the stack's queries.
    fn end_at(&mut self, at: Position, end: u32) {
        if let Some(&open) = self.stack.get(at)
            && open.node != ENDED
        {
            self.tables.nodes[open.node as usize].end = end;
            self.stack.deactivate(at, true);
        }
    }
}
