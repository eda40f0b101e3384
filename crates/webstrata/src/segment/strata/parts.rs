//! The parts of a page: where it may be cut, and the tree of its parts.
//!
//! An **atom** is a sequence of text runs with nothing but inline tags and line breaks between them; it is never cut. Between
//! two neighbouring atoms is a **gap**. A **part** is an element with text, or an atom that has no element of its own but
//! has elements as siblings. Elements with the same text, such as a `div` around a `div`, are one part. Everything is computed
//! in linear time and without recursion: each part is the outermost one that starts at a gap, or ends at one, at most once.

use crate::block::outline::{Element, Outline};
use crate::block::{Blocks, INLINE_OBJECTS, Mask, WordBoundary};
use crate::html::{INLINE, Tag, TagSet};

/// No element: the part is bare text.
pub(super) const NONE: u32 = u32::MAX;

/// Tags that never separate text: they are part of a line, or invisible.
const SOFT: TagSet = INLINE.union(INLINE_OBJECTS).union(TagSet::from_tags(&[
    Tag::BR,
    Tag::SCRIPT,
    Tag::STYLE,
    Tag::NOSCRIPT,
    Tag::TEMPLATE,
    Tag::LINK,
    Tag::META,
    Tag::BASE,
]));

/// A part of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The outermost and the innermost element with this text; [`NONE`] for bare text.
    pub(super) top: u32,
    pub(super) bottom: u32,
    /// Number of such elements.
    pub(super) chain: u32,
    /// The part that contains it; the first part is its own parent.
    pub(super) parent: u32,
    /// Its atoms, `end` excluded.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) depth: u32,
    /// Steps down to the deepest atom in it.
    pub(super) height: u32,
    /// Its index among the children of its parent.
    pub(super) index: u32,
    pub(super) children: u32,
}

/// A place where the page may be cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// The first block after it.
    pub(super) block: u32,
    /// The innermost part with text on both sides.
    pub(super) outer: u32,
    /// The outermost parts that end and start at it.
    pub(super) left: u32,
    pub(super) right: u32,
    /// Tags in it.
    pub(super) tags: TagSet,
    /// Number of elements with text that end in it, and that start in it.
    pub(super) ended: u32,
    pub(super) started: u32,
}

/// The parts of a page and the gaps between its atoms.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) outline: Outline,
    /// First block of each atom, then the number of blocks.
    pub(super) atoms: Vec<u32>,
    pub(super) parts: Vec<Part>,
    /// For each atom: the innermost part that contains it.
    pub(super) leaf: Vec<u32>,
    pub(super) gaps: Vec<Gap>,
    /// For each element: index after its last descendant.
    pub(super) subtree_end: Vec<u32>,
}

impl Parts {
    pub(super) fn new(blocks: Blocks<'_>, mask: Mask) -> Self {
        let outline = Outline::new(blocks, mask);
        let (atoms, tags) = atoms(blocks);
        let mut parts = Parts { subtree_end: subtree_ends(&outline), outline, atoms, ..Parts::default() };
        if !blocks.is_empty() {
            parts.find_parts(blocks.len());
            parts.find_gaps(&tags);
        }
        parts
    }

    /// Number of atoms.
    pub(super) fn count(&self) -> usize {
        self.atoms.len().saturating_sub(1)
    }

    /// The outermost element of a part.
    pub(super) fn outside(&self, part: &Part) -> Option<&Element> {
        self.outline.elements.get(part.top as usize)
    }

    /// The innermost element of a part.
    pub(super) fn inside(&self, part: &Part) -> Option<&Element> {
        self.outline.elements.get(part.bottom as usize)
    }

    fn find_parts(&mut self, blocks: usize) {
        let mut atom_of = Vec::with_capacity(blocks);
        for (atom, pair) in self.atoms.windows(2).enumerate() {
            atom_of.resize(pair[1] as usize, atom as u32);
        }
        let count = self.count() as u32;
        let range = |element: &Element| {
            let start = atom_of.get(element.start as usize).copied().unwrap_or(0);
            let last = (element.end as usize).checked_sub(1).and_then(|last| atom_of.get(last)).copied().unwrap_or(start);
            (start, last + 1)
        };
        let mut part_of: Vec<u32> = Vec::with_capacity(self.outline.elements.len());
        let mut parts: Vec<Part> = Vec::with_capacity(self.outline.elements.len());
        for (at, element) in self.outline.elements.iter().enumerate() {
            let at = at as u32;
            // The first element is the whole page, regardless of its range.
            let (start, end) = if at == 0 { (0, count) } else { range(element) };
            let parent = if at == 0 { 0 } else { part_of[element.parent as usize] };
            match parts.get_mut(parent as usize).filter(|outer| (outer.start, outer.end) == (start, end)) {
                Some(same) => {
                    same.bottom = at;
                    same.chain += 1;
                    part_of.push(parent);
                }
                None => {
                    part_of.push(parts.len() as u32);
                    let depth = if at == 0 { 0 } else { parts[parent as usize].depth + 1 };
                    let (top, bottom, chain) = (at, at, 1);
                    parts.push(Part { top, bottom, chain, parent, start, end, depth, height: 0, index: 0, children: 0 });
                }
            }
        }
        let elements = parts.len();
        self.leaf = (0..count)
            .map(|atom| {
                let innermost = self.outline.innermost.get(self.atoms[atom as usize] as usize).copied().unwrap_or(0);
                let parent = part_of[innermost as usize];
                let outer = parts[parent as usize];
                if outer.end - outer.start == 1 {
                    return parent;
                }
                let bare = Part {
                    top: NONE,
                    bottom: NONE,
                    chain: 0,
                    parent,
                    start: atom,
                    end: atom + 1,
                    depth: outer.depth + 1,
                    height: 0,
                    index: 0,
                    children: 0,
                };
                parts.push(bare);
                parts[parent as usize].height = 1;
                parts.len() as u32 - 1
            })
            .collect();
        for at in (1..elements).rev() {
            let Part { parent, height, .. } = parts[at];
            let outer = &mut parts[parent as usize];
            outer.height = outer.height.max(height + 1);
        }
        self.parts = parts;
    }

    fn find_gaps(&mut self, tags: &[TagSet]) {
        let depth = |part: &Part| self.outline.elements.get(part.bottom as usize).map_or(0, |element| u32::from(element.depth));
        for (at, &tags) in (1..self.count() as u32).zip(tags) {
            let mut right = self.leaf[at as usize];
            while self.outer(right).start >= at {
                right = self.parts[right as usize].parent;
            }
            let mut left = self.leaf[at as usize - 1];
            while self.outer(left).end <= at {
                left = self.parts[left as usize].parent;
            }
            let outer = self.parts[right as usize].parent;
            let base = depth(&self.parts[outer as usize]);
            let inner = |atom: u32| {
                let innermost = self.outline.innermost.get(self.atoms[atom as usize] as usize).copied().unwrap_or(0);
                u32::from(self.outline.elements[innermost as usize].depth)
            };
            let (ended, started) = (inner(at - 1).saturating_sub(base), inner(at).saturating_sub(base));
            self.gaps.push(Gap { block: self.atoms[at as usize], outer, left, right, tags, ended, started });
        }
        for at in 0..self.gaps.len() {
            let Gap { outer, left, right, .. } = self.gaps[at];
            self.parts[right as usize].index = self.parts[left as usize].index + 1;
            let children = &mut self.parts[outer as usize].children;
            *children = if *children == 0 { 2 } else { *children + 1 };
        }
    }

    fn outer(&self, part: u32) -> &Part {
        &self.parts[self.parts[part as usize].parent as usize]
    }
}

/// The first block of each atom, then the number of blocks; and the tags of the gaps between the atoms.
fn atoms(blocks: Blocks<'_>) -> (Vec<u32>, Vec<TagSet>) {
    let mut starts = vec![];
    let mut gaps = vec![];
    for block in blocks {
        if block.index() == 0 {
            starts.push(0);
        } else if block.boundary() == WordBoundary::Line {
            let tags = block.gap();
            if !tags.is_subset(SOFT) {
                starts.push(block.index() as u32);
                gaps.push(tags);
            }
        }
    }
    if !starts.is_empty() {
        starts.push(blocks.len() as u32);
    }
    (starts, gaps)
}

/// For each element: index after its last descendant.
fn subtree_ends(outline: &Outline) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..=outline.elements.len() as u32).collect();
    for at in (1..ends.len()).rev() {
        let parent = outline.elements[at].parent as usize;
        ends[parent] = ends[parent].max(ends[at]);
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use crate::block::GapModel;

    fn with_parts<T>(html: &str, check: impl FnOnce(&Parts) -> T) -> T {
        let page = Page::parse(html.as_bytes());
        check(&Parts::new(page.blocks_by(GapModel::Tags), Mask::default()))
    }

    #[test]
    fn line_breaks_and_inline_tags_make_no_gap() {
        with_parts("<p>one <b>two</b><br>three <img> four<p>five", |parts| {
            assert_eq!(parts.count(), 2);
            assert_eq!(parts.gaps.len(), 1);
        });
        with_parts("one<hr>two<div></div>three", |parts| assert_eq!(parts.count(), 3));
        with_parts("", |parts| assert_eq!((parts.count(), parts.gaps.len()), (0, 0)));
    }

    #[test]
    fn nested_elements_with_the_same_text_are_one_part() {
        with_parts("<div id=a><div id=b><p>one</p><p>two</p></div></div><div>three</div>", |parts| {
            // The page; the two nested `div`; two `p`; the last `div`.
            assert_eq!(parts.parts.len(), 5);
            assert_eq!(parts.parts.iter().map(|p| p.chain).collect::<Vec<_>>(), [2, 2, 1, 1, 1]);
            assert_eq!(parts.parts.iter().map(|p| p.height).collect::<Vec<_>>(), [2, 1, 0, 0, 0]);
            assert_eq!(parts.parts.iter().map(|p| p.children).collect::<Vec<_>>(), [2, 2, 0, 0, 0]);
            let gaps: Vec<_> = parts.gaps.iter().map(|g| (g.outer, g.left, g.right)).collect();
            assert_eq!(gaps, [(1, 2, 3), (0, 1, 4)]);
            assert_eq!(parts.gaps.iter().map(|g| (g.ended, g.started)).collect::<Vec<_>>(), [(1, 1), (3, 1)]);
        });
    }

    #[test]
    fn bare_text_is_a_part() {
        with_parts("<div>one<p>two</p>three</div><p>four", |parts| {
            let bare: Vec<_> = parts.parts.iter().filter(|p| p.top == NONE).map(|p| (p.start, p.parent, p.index)).collect();
            assert_eq!(bare, [(0, 1, 0), (2, 1, 2)]);
        });
    }

    #[test]
    fn deep_and_strange_pages() {
        for html in [
            "<div>x".repeat(5000),
            "<math><mi>x</mi><mtext><div>a</div>".repeat(300),
            "x <math><mi>x</mi></math> y <math><mtext><p>z</math>".repeat(50),
            "<table>x<tr>y<td>z".repeat(300),
            "<noscript>a<p>b</noscript><select><option>c</select><p>d".repeat(20),
        ] {
            with_parts(&html, |parts| {
                assert_eq!(parts.gaps.len() + 1, parts.count());
                let children: u32 = parts.parts.iter().map(|p| p.children).sum();
                assert!(children as usize >= parts.gaps.len());
            });
        }
    }
}
