//! Formulas: finds them on a page and determines their TeX.
//!
//! Renderers leave several copies of a formula on a page: its source in a script, an annotation or an attribute, letters arranged
//! by style sheets, MathML for screen readers, a picture. This stage finds each formula once, with the nodes that belong to it and
//! those that are shown to readers. Selection drops the other copies, and writers use the TeX.
//!
//! `evidence.rs` tells from a few tags whether a page has formulas at all, so most pages cost nothing. `find.rs` walks the tree,
//! `image.rs` reads pictures of formulas, `raw.rs` TeX in running text, `tex.rs` cleans TeX, `mathml/` converts MathML.

mod evidence;
mod find;
mod image;
mod markup;
mod mathml;
mod raw;
mod tex;

use crate::html::Dom;
use std::ops::Range;

/// A formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Formula {
    /// Its nodes, including all copies.
    pub(crate) nodes: Range<u32>,
    /// The nodes of the copy used in plain text; empty if there is none.
    pub(crate) shown: Range<u32>,
    /// TeX on one line; empty if there is none that can be written.
    pub(crate) tex: String,
    /// Whether it is on a line of its own.
    pub(crate) display: bool,
    /// The `math` element.
    pub(crate) mathml: Option<u32>,
    /// For TeX in running text: where it starts in its first text node and ends in its last one.
    pub(crate) within: Option<Range<u32>>,
    /// Whether it is written as a formula; the selection decides.
    pub(crate) kept: bool,
}

impl Formula {
    /// The part of a text node of this length that a formula in running text covers.
    pub(crate) fn range_in(&self, node: u32, len: usize) -> Range<usize> {
        let within = self.within.clone().unwrap_or(0..0);
        let start = if node == self.nodes.start { within.start as usize } else { 0 };
        let end = if node + 1 == self.nodes.end { within.end as usize } else { len };
        start.min(len)..end.min(len)
    }
}

/// The formulas of a page, in document order, without overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Formulas {
    all: Vec<Formula>,
}

impl Formulas {
    pub(crate) fn find(dom: &Dom<'_>) -> Self {
        Formulas { all: find::find(dom) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Formula> {
        self.all.iter_mut()
    }

    /// The formulas that start in a node: one, or several in a text node.
    pub(crate) fn starting_at(&self, node: u32) -> &[Formula] {
        if self.all.is_empty() {
            return &[];
        }
        let first = self.all.partition_point(|formula| formula.nodes.start < node);
        let rest = &self.all[first..];
        &rest[..rest.iter().take_while(|formula| formula.nodes.start == node).count()]
    }

    /// The formula made of elements that contains a node.
    pub(crate) fn around(&self, node: u32) -> Option<&Formula> {
        let next = self.all.partition_point(|formula| formula.nodes.start <= node);
        let formula = self.all.get(next.checked_sub(1)?)?;
        (formula.within.is_none() && formula.nodes.contains(&node)).then_some(formula)
    }

    /// The formulas in running text that overlap a text node.
    pub(crate) fn touching(&self, node: u32) -> impl Iterator<Item = &Formula> {
        // A formula that starts earlier may extend into this node.
        let from = self.all.partition_point(|formula| formula.nodes.end <= node);
        let touching = self.all[from..].iter().take_while(move |formula| formula.nodes.start <= node);
        touching.filter(|formula| formula.within.is_some())
    }

    /// Whether a text node is a redundant copy of a formula.
    pub(crate) fn is_copy(&self, node: u32) -> bool {
        !self.all.is_empty() && self.around(node).is_some_and(|formula| !formula.shown.contains(&node))
    }
}

/// Whether an element is a MathJax element of an inline formula.
pub(crate) fn is_inline_wrapper(dom: &Dom<'_>, id: u32) -> bool {
    let node = crate::html::Node::new(dom, id);
    let name = node.name();
    let is_wrapper = name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("mjx-"));
    is_wrapper && !(name.eq_ignore_ascii_case("mjx-container") && node.attribute("display").is_some_and(|value| &*value == "true"))
}

#[cfg(test)]
mod tests;
