//! The tree of a page for graph cuts: lines of text as leaves, and the elements that hold several of them as inner nodes.
//!
//! The paper's nodes are those of the DOM with visible text. Chains of elements with a single child are collapsed, because their
//! nodes have the same text, and inline elements are ignored, so a leaf is a line and not a word in bold. Pages above the limit
//! are coarsened: small neighbouring elements become one leaf. That bounds the work on any page.

use crate::block::outline::Outline;
use crate::block::{Blocks, Mask, WordBoundary};
use std::ops::Range;

/// A leaf: consecutive blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its blocks: `start..end`.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The element around it, in the outline.
    pub(super) element: u32,
    /// The inner node above it.
    pub(super) parent: u32,
}

/// An inner node: an element with several children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inner {
    /// The element, in the outline.
    pub(super) element: u32,
    /// The inner node above it; the first node is its own.
    pub(super) parent: u32,
    /// The leaves below it.
    pub(super) leaves: Range<u32>,
    /// Number of inner nodes above it.
    pub(super) depth: u32,
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) outline: Outline,
    pub(super) leaves: Vec<Leaf>,
    /// In document order, parents before children.
    pub(super) inner: Vec<Inner>,
}

impl Tree {
    /// The tree of a page, with at most about `limit` leaves.
    pub(super) fn new(blocks: Blocks<'_>, limit: usize) -> Self {
        let outline = Outline::new(blocks, Mask::default());
        let mut leaves: Vec<Leaf> = Vec::new();
        for block in blocks {
            let (index, element) = (block.index() as u32, outline.innermost.get(block.index()).copied().unwrap_or(0));
            match leaves.last_mut() {
                Some(last) if block.boundary() != WordBoundary::Line => last.end = index + 1,
                _ => leaves.push(Leaf { start: index, end: index + 1, element, parent: 0 }),
            }
        }
        let mut group = 2;
        while leaves.len() > limit.max(1) {
            leaves = coarser(&outline, &leaves, group);
            group *= 2;
        }
        let mut tree = Tree { outline, leaves, inner: Vec::new() };
        tree.add_inner_nodes();
        tree
    }

    fn add_inner_nodes(&mut self) {
        let ranges = leaf_ranges(&self.outline, &self.leaves);
        let elements = &self.outline.elements;
        let mut children = vec![0u32; elements.len()];
        for leaf in &self.leaves {
            children[leaf.element as usize] += 1;
        }
        for at in 1..elements.len() {
            children[elements[at].parent as usize] += u32::from(!ranges[at].is_empty());
        }
        // For each element: the innermost inner node that is it or contains it.
        let mut nodes = vec![0u32; elements.len()];
        for at in 0..elements.len() {
            let parent = nodes[elements[at].parent as usize];
            nodes[at] = parent;
            if children[at] > 1 && !ranges[at].is_empty() {
                nodes[at] = self.inner.len() as u32;
                let depth = self.inner.get(parent as usize).map_or(0, |above| above.depth + 1);
                self.inner.push(Inner { element: at as u32, parent, leaves: ranges[at].clone(), depth });
            }
        }
        if self.inner.is_empty() {
            self.inner.push(Inner { element: 0, parent: 0, leaves: 0..self.leaves.len() as u32, depth: 0 });
        }
        for leaf in &mut self.leaves {
            leaf.parent = nodes[leaf.element as usize];
        }
    }

    /// The deepest node above two inner nodes.
    pub(super) fn common_ancestor(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            // Parents have smaller numbers.
            if a > b {
                a = self.inner[a as usize].parent;
            } else {
                b = self.inner[b as usize].parent;
            }
        }
        a
    }
}

/// For each element of the outline: its leaves.
fn leaf_ranges(outline: &Outline, leaves: &[Leaf]) -> Vec<Range<u32>> {
    let first = |block: u32| leaves.partition_point(|leaf| leaf.start < block) as u32;
    outline.elements.iter().map(|element| first(element.start)..first(element.end)).collect()
}

/// Merges neighbouring leaves and elements below the same element into leaves of at most `group` current leaves.
fn coarser(outline: &Outline, leaves: &[Leaf], group: u32) -> Vec<Leaf> {
    let ranges = leaf_ranges(outline, leaves);
    let mut joined: Vec<Leaf> = Vec::new();
    let mut size = 0;
    let mut next = 0u32;
    while (next as usize) < leaves.len() {
        let leaf = leaves[next as usize];
        // The largest element around the leaf that starts with it and is small enough.
        let (mut end, mut element) = (next + 1, leaf.element);
        let mut at = leaf.element;
        loop {
            let range = &ranges[at as usize];
            let parent = outline.elements[at as usize].parent;
            if range.start != next || range.end - range.start > group || parent == at {
                break;
            }
            (end, element) = (range.end.max(next + 1), parent);
            at = parent;
        }
        let blocks_end = leaves[end as usize - 1].end;
        match joined.last_mut() {
            Some(last) if last.element == element && size + end - next <= group => {
                last.end = blocks_end;
                size += end - next;
            }
            _ => {
                joined.push(Leaf { start: leaf.start, end: blocks_end, element, parent: 0 });
                size = end - next;
            }
        }
        next = end;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use crate::block::GapModel;

    /// Blocks and parents of the leaves, and parents and leaves of the inner nodes.
    type Shape = (Vec<(u32, u32, u32)>, Vec<(u32, Range<u32>)>);

    fn shape(html: &str, limit: usize) -> Shape {
        let page = Page::parse(html.as_bytes());
        let tree = Tree::new(page.blocks_by(GapModel::Tags), limit);
        let leaves = tree.leaves.iter().map(|leaf| (leaf.start, leaf.end, leaf.parent)).collect();
        (leaves, tree.inner.iter().map(|inner| (inner.parent, inner.leaves.clone())).collect())
    }

    #[test]
    fn chains_are_collapsed_and_lines_are_leaves() {
        let html = "<div><div><ul><li>one <b>bold</b> word</li><li>two</li></ul></div></div><div><p>three</p></div>";
        let (leaves, inner) = shape(html, 100);
        assert_eq!(leaves, [(0, 3, 1), (3, 4, 1), (4, 5, 0)]);
        assert_eq!(inner, [(0, 0..3), (0, 0..2)]);
    }

    #[test]
    fn large_pages_become_coarser_and_keep_every_block() {
        for (html, blocks) in [
            ("<p>x".repeat(5_000), 5_000),
            (format!("<ul>{}</ul>", "<li><div><p>x<p>y</div>".repeat(3_000)), 6_000),
            (format!("{}x", "<div>x".repeat(400)), 400),
        ] {
            let (leaves, inner) = shape(&html, 100);
            assert!(leaves.len() <= 100, "{}", leaves.len());
            assert_eq!((leaves[0].0, leaves[leaves.len() - 1].1), (0, blocks));
            assert!(leaves.windows(2).all(|pair| pair[0].1 == pair[1].0));
            assert!(inner.len() <= leaves.len());
        }
    }

    #[test]
    fn ancestors_are_found() {
        let page = Page::parse(b"<div><p>a<p>b</div><div><div><p>c<p>d</div><p>e</div>");
        let tree = Tree::new(page.blocks_by(GapModel::Tags), 100);
        let parents: Vec<u32> = tree.leaves.iter().map(|leaf| leaf.parent).collect();
        assert_eq!(parents, [1, 1, 3, 3, 2]);
        assert_eq!((tree.common_ancestor(3, 2), tree.common_ancestor(1, 3), tree.common_ancestor(1, 1)), (2, 0, 1));
    }
}
