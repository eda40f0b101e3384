//! A page as the SOM tree sees it: labelled elements, and leaves that own the text (section 4.1 of the paper).
//!
//! - The **label** of an element is its tag and the names of its attributes (sorted, so that their order does not matter), then its
//!   parent's label. Siblings with equal labels are numbered from 1.
//! - An element that directly contains text is a leaf and owns all text below it.
//! - A **recurrent structure** is also a leaf: if it covers all children with text, their parent is the leaf; otherwise the children it
//!   covers become one node, with the label of the first (or those of the pattern, joined by `+`).
//!
//! Choices that the paper leaves open: elements that never contain text (`img`, `br`, `script`) are left out. Two siblings have the same pattern
//! if their subtrees have the same tags, counting recurrent structures once and elements without text not at all. Boxes (`div`,
//! `section`, `ul` …) carry descriptive names, so boxes whose id or first class differs, ignoring digits, are
//! not a repetition; otherwise the columns of a page would be merged.

use super::recurrent::items;
use crate::site::fingerprint::FingerprintBuilder;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use webstrata::Page;
use webstrata::block::{Blocks, GapModel};
use webstrata::html::{Node, NodeId, Tag, TagSet};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// No node.
const NONE: u32 = u32::MAX;

/// Maximum number of attributes in a label, and of bytes in one name: pages may have any number of any length.
const MAX_ATTRIBUTES: usize = 16;
const MAX_NAME_BYTES: usize = 48;

/// Characters of a leaf's text kept for display.
const MAX_EXCERPT: usize = 160;

/// Elements that never contain text for readers.
const TEXTLESS: TagSet = TagSet::from_tags(&[
    Tag::HEAD,
    Tag::SCRIPT,
    Tag::STYLE,
    Tag::TEMPLATE,
    Tag::LINK,
    Tag::META,
    Tag::TITLE,
    Tag::IMG,
    Tag::BR,
    Tag::HR,
    Tag::INPUT,
    Tag::WBR,
    Tag::AREA,
    Tag::BASE,
    Tag::COL,
    Tag::EMBED,
    Tag::PARAM,
    Tag::SOURCE,
    Tag::TRACK,
    Tag::SVG,
    Tag::IFRAME,
    Tag::CANVAS,
]);

/// Elements with descriptive names.
const BOXES: TagSet = TagSet::from_tags(&[
    Tag::DIV,
    Tag::SECTION,
    Tag::ARTICLE,
    Tag::ASIDE,
    Tag::HEADER,
    Tag::FOOTER,
    Tag::NAV,
    Tag::MAIN,
    Tag::UL,
    Tag::OL,
    Tag::DL,
    Tag::TABLE,
    Tag::FORM,
    Tag::TD,
    Tag::TBODY,
]);

/// A node of the tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TreeNode {
    /// Index of its parent; the root is its own.
    pub(crate) parent: u32,
    /// Its own part of the label, an index into [`PageTree::labels`].
    pub(crate) label: u32,
    /// Its number among siblings with an equal label; 0 if it is the only one.
    pub(crate) number: u32,
    /// Its text, if it is a leaf with text.
    pub(crate) text: Option<LeafText>,
}

/// The text of a leaf.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeafText {
    pub(crate) words: u32,
    pub(crate) linked: u32,
    /// Its fingerprint: the same for equal texts, ignoring dates and numbers.
    pub(crate) print: u64,
    /// Its beginning.
    pub(crate) shown: String,
}

/// A page prepared for the SOM tree. It does not refer to the page.
///
/// ```
/// use webstrata::Page;
/// use webstrata_corpus::site::som::PageTree;
/// let html = b"<body><div class=a>Menu</div><div class=b><h1>Rain</h1><p>One.<p>Two <b>three</b>.</div>";
/// let tree = PageTree::new(&Page::parse(html));
/// let leaves: Vec<String> = tree.leaves().map(|leaf| tree.label(leaf)).collect();
/// assert_eq!(leaves, ["1/div/class/body/html", "h1/2/div/class/body/html", "p/2/div/class/body/html"]);
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PageTree {
    pub(crate) nodes: Vec<TreeNode>,
    pub(crate) labels: Vec<String>,
    /// The leaf of each text node of the page, by the text node's number.
    #[serde(skip)]
    runs: Vec<(u32, u32)>,
}

impl PageTree {
    /// Prepares a page.
    #[must_use]
    pub fn new(page: &Page<'_>) -> PageTree {
        PageTree::from_blocks(page.blocks_by(GapModel::Tags))
    }

    /// Prepares a page given by its blocks of [`GapModel::Tags`].
    #[must_use]
    pub fn from_blocks(atoms: Blocks<'_>) -> PageTree {
        Builder::new(atoms).finish(atoms)
    }

    /// Indices of the leaves with text, in page order.
    pub fn leaves(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.iter().enumerate().filter(|(_, node)| node.text.is_some()).map(|(at, _)| at)
    }

    /// The whole label of a node, as in the paper: its own part first, the root's last.
    #[must_use]
    pub fn label(&self, node: usize) -> String {
        let mut out = String::new();
        let mut at = node;
        while let Some(node) = self.nodes.get(at) {
            if !out.is_empty() {
                out.push('/');
            }
            push_own(&mut out, node.number, self.labels.get(node.label as usize).map_or("", String::as_str));
            if node.parent as usize == at {
                break;
            }
            at = node.parent as usize;
        }
        out
    }

    /// Whether it could have been made from a page: a file may contain anything.
    pub(crate) fn is_valid(&self) -> bool {
        let node = |(at, node): (usize, &TreeNode)| {
            (node.label as usize) < self.labels.len() && (node.parent as usize) < at.max(1) && (at > 0 || node.parent == 0)
        };
        self.nodes.iter().enumerate().all(node)
    }

    /// The leaf that a text node of the page belongs to; `None` if the tree was read without its page.
    #[must_use]
    pub fn leaf_of(&self, text: NodeId) -> Option<usize> {
        let at = self.runs.binary_search_by_key(&(text.index() as u32), |run| run.0).ok()?;
        Some(self.runs[at].1 as usize)
    }
}

/// A node's own part with its number: `2/div/class`.
pub(super) fn push_own(out: &mut String, number: u32, label: &str) {
    if number > 0 {
        out.push_str(&number.to_string());
        out.push('/');
    }
    out.push_str(label);
}

/// Elements of the page in document order, and their roles in the tree.
struct Builder<'p> {
    /// For each node of the page: the nearest element that is not left out.
    element_of: Vec<u32>,
    elements: Vec<Node<'p>>,
    parent: Vec<u32>,
    /// Whether it directly contains text.
    has_own_text: Vec<bool>,
    /// Whether it contains text at any depth.
    contains_text: Vec<bool>,
    /// The leaf that the element becomes part of; itself for a leaf.
    leaf: Vec<u32>,
    /// Indices into `elements` of the siblings that name the pattern of a run, by the run's first sibling.
    patterns: HashMap<u32, Vec<u32>>,
}

impl<'p> Builder<'p> {
    fn new(atoms: Blocks<'p>) -> Self {
        let dom = atoms.dom();
        let mut builder = Builder {
            element_of: vec![0; dom.len()],
            elements: Vec::new(),
            parent: Vec::new(),
            has_own_text: Vec::new(),
            contains_text: Vec::new(),
            leaf: Vec::new(),
            patterns: HashMap::new(),
        };
        for node in dom.nodes() {
            let id = node.id().index();
            let outer = node.parent().map(|parent| builder.element_of[parent.id().index()]);
            let skipped = !node.is_element() || TEXTLESS.contains(node.tag()) || node.is_foreign();
            builder.element_of[id] = match outer {
                Some(outer) if skipped => outer,
                _ => {
                    let place = builder.elements.len() as u32;
                    builder.elements.push(node);
                    builder.parent.push(outer.unwrap_or(place));
                    place
                }
            };
        }
        builder.has_own_text = vec![false; builder.elements.len()];
        for run in atoms.iter().flat_map(|block| block.runs()) {
            let element = builder.element_of[run.index()] as usize;
            builder.has_own_text[element] = true;
        }
        builder.find_text();
        builder.find_runs();
        builder
    }

    /// Finds the elements with text, and those that belong to a leaf because it directly contains text.
    fn find_text(&mut self) {
        self.contains_text = self.has_own_text.clone();
        for at in (1..self.elements.len()).rev() {
            if self.contains_text[at] {
                self.contains_text[self.parent[at] as usize] = true;
            }
        }
        self.leaf = vec![NONE; self.elements.len()];
        for at in 0..self.elements.len() {
            let outer = if at == 0 { NONE } else { self.leaf[self.parent[at] as usize] };
            self.leaf[at] = if outer == NONE && self.has_own_text[at] { at as u32 } else { outer };
        }
    }

    /// Finds recurrent structures from the innermost elements outwards, then assigns each element its leaf.
    fn find_runs(&mut self) {
        let count = self.elements.len();
        // Children with text, as linked lists: first child and next sibling.
        let (mut first, mut next) = (vec![NONE; count], vec![NONE; count]);
        for at in (1..count).rev() {
            if self.contains_text[at] {
                let parent = self.parent[at] as usize;
                next[at] = first[parent];
                first[parent] = at as u32;
            }
        }
        let mut shape = vec![0u64; count];
        let mut key = vec![0u64; count];
        let mut whole = vec![false; count];
        let mut run = vec![NONE; count];
        let mut children: Vec<u32> = Vec::new();
        for at in (0..count).rev().filter(|&at| self.contains_text[at]) {
            let tag = xxh3_64(self.elements[at].name().as_bytes());
            children.clear();
            if self.leaf[at] == NONE {
                children.extend(
                    std::iter::successors(Some(first[at]), |&child| next.get(child as usize).copied()).take_while(|&c| c != NONE),
                );
            }
            let keys: Vec<u64> = children.iter().map(|&child| key[child as usize]).collect();
            let items = items(&keys);
            whole[at] = items.len() == 1 && items[0].is_run();
            shape[at] = tag;
            for item in &items {
                let mut pattern: Vec<u32> = Vec::new();
                for &child in &children[item.start..item.end] {
                    if pattern.last().is_none_or(|&last| key[last as usize] != key[child as usize]) && pattern.len() < item.period {
                        pattern.push(child);
                    }
                    if item.is_run() {
                        run[child as usize] = children[item.start];
                    }
                }
                for &child in &pattern {
                    shape[at] = xxh3_64_with_seed(&shape[child as usize].to_le_bytes(), shape[at]);
                }
                if item.is_run() && item.period > 1 {
                    self.patterns.insert(children[item.start], pattern);
                }
            }
            key[at] = if BOXES.contains(self.elements[at].tag()) { shape[at] ^ box_name(self.elements[at]) } else { shape[at] };
        }
        for at in 0..count {
            let outer = if at == 0 { NONE } else { self.leaf[self.parent[at] as usize] };
            self.leaf[at] = if outer != NONE {
                outer
            } else if run[at] != NONE {
                run[at]
            } else if whole[at] || self.has_own_text[at] {
                at as u32
            } else {
                NONE
            };
        }
    }

    fn finish(self, atoms: Blocks<'_>) -> PageTree {
        let mut tree = PageTree::default();
        let mut label_of: HashMap<String, u32> = HashMap::new();
        let mut place_of = vec![NONE; self.elements.len()];
        for (at, &element) in self.elements.iter().enumerate() {
            if self.leaf[at] != NONE && self.leaf[at] as usize != at {
                place_of[at] = place_of[self.leaf[at] as usize];
                continue;
            }
            let label = match self.patterns.get(&(at as u32)) {
                Some(pattern) if self.leaf[at] as usize == at => {
                    pattern.iter().map(|&part| own_label(self.elements[part as usize])).collect::<Vec<_>>().join("+")
                }
                _ => own_label(element),
            };
            let known = label_of.len() as u32;
            let label = *label_of.entry(label).or_insert_with_key(|label| {
                tree.labels.push(label.clone());
                known
            });
            place_of[at] = tree.nodes.len() as u32;
            let parent = if at == 0 { 0 } else { place_of[self.parent[at] as usize] };
            tree.nodes.push(TreeNode { parent, label, number: 0, text: None });
        }
        tree.number_siblings();
        tree.read_text(atoms, |run| place_of[self.element_of[run.index()] as usize]);
        tree
    }
}

impl PageTree {
    fn number_siblings(&mut self) {
        let mut order: Vec<u32> = (1..self.nodes.len() as u32).collect();
        let key = |at: u32| (self.nodes[at as usize].parent, self.nodes[at as usize].label);
        order.sort_by_key(|&at| (key(at), at));
        let mut numbers: Vec<(u32, u32)> = Vec::new();
        for same in order.chunk_by(|&a, &b| key(a) == key(b)).filter(|same| same.len() > 1) {
            numbers.extend(same.iter().copied().zip(1..));
        }
        for (at, number) in numbers {
            self.nodes[at as usize].number = number;
        }
    }

    fn read_text(&mut self, atoms: Blocks<'_>, leaf_of: impl Fn(NodeId) -> u32) {
        let mut builders: HashMap<u32, FingerprintBuilder> = HashMap::new();
        let mut seen: Vec<u32> = Vec::new();
        for block in atoms {
            self.runs.extend(block.runs().map(|run| (run.index() as u32, leaf_of(run))));
            // Only link tags can separate the runs of a block, and adjacent links are one leaf.
            let Some(leaf) = block.runs().next().map(&leaf_of) else { continue };
            let Some(node) = self.nodes.get_mut(leaf as usize) else { continue };
            let leaf_text = node.text.get_or_insert_with(|| {
                seen.push(leaf);
                LeafText::default()
            });
            let text = block.text();
            leaf_text.words = leaf_text.words.saturating_add(block.counts().words);
            leaf_text.linked = leaf_text.linked.saturating_add(block.counts().link_words);
            let room = MAX_EXCERPT.saturating_sub(leaf_text.shown.chars().count());
            if room > 0 && !leaf_text.shown.is_empty() {
                leaf_text.shown.push(' ');
            }
            leaf_text.shown.extend(text.chars().take(room));
            builders.entry(leaf).or_default().push(&text);
        }
        for leaf in seen {
            if let (Some(text), Some(maker)) = (&mut self.nodes[leaf as usize].text, builders.get(&leaf)) {
                text.print = maker.finish().map_or(0, |print| print.short());
            }
        }
        self.runs.sort_unstable();
    }
}

/// An element's own part of its label: the tag and the names of its attributes.
fn own_label(element: Node<'_>) -> String {
    let mut names: Vec<String> = element.attributes().map(|a| cut(a.name()).to_ascii_lowercase()).collect();
    names.sort_unstable();
    names.dedup();
    names.truncate(MAX_ATTRIBUTES);
    let mut label = cut(element.name()).to_ascii_lowercase();
    for name in names {
        label.push('/');
        label.push_str(&name);
    }
    label
}

fn cut(name: &str) -> &str {
    let end = (0..=MAX_NAME_BYTES.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    &name[..end]
}

/// The name of a box: its id and first class without digits.
fn box_name(element: Node<'_>) -> u64 {
    let letters = |text: &str| text.bytes().take(200).filter(|b| !b.is_ascii_digit()).collect::<Vec<u8>>();
    let id = element.attribute("id").map(|id| letters(&id)).unwrap_or_default();
    let class = element.attribute("class").map(|c| letters(c.split_whitespace().next().unwrap_or(""))).unwrap_or_default();
    xxh3_64_with_seed(&class, xxh3_64(&id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(html: &str) -> Vec<(String, String)> {
        let page = Page::parse(html.as_bytes());
        let tree = PageTree::new(&page);
        tree.leaves().map(|at| (tree.label(at), tree.nodes[at].text.clone().unwrap_or_default().shown)).collect()
    }

    fn labels(html: &str) -> Vec<String> {
        leaves(html).into_iter().map(|leaf| leaf.0).collect()
    }

    #[test]
    fn the_labels_of_figure_2() {
        let seen = labels("<html><body><div class=x>One</div><img src=y><div class=z>Two</div></body></html>");
        assert_eq!(seen, ["1/div/class/body/html", "2/div/class/body/html"]);
        assert_eq!(labels("<p id=a class=b>x"), labels("<p CLASS=b id=c>x"));
    }

    #[test]
    fn text_inside_makes_a_leaf_of_all_below() {
        let html = "<div id=a>Last year in <a href=x>Orlando</a> <i>it</i> rained.</div><div id=b><a href=y>More</a></div>";
        assert_eq!(
            leaves(html),
            [
                ("1/div/id/body/html".into(), "Last year in Orlando it rained.".into()),
                ("a/href/2/div/id/body/html".into(), "More".into())
            ]
        );
    }

    #[test]
    fn recurrent_structures_are_one_leaf() {
        assert_eq!(
            labels("<ul><li><a href=x>One</a><li class=on><a href=y>Two</a></ul><h1>T</h1>"),
            ["ul/body/html", "h1/body/html"]
        );
        assert_eq!(
            labels("<div><h1>T</h1><p>One<p>Two<p>Three</div><h2>x</h2>"),
            ["h1/div/body/html", "p/div/body/html", "h2/body/html"]
        );
        assert_eq!(labels("<dl><dt>a<dd>b<dt>c<dd>d</dl><h2>x</h2>"), ["dl/body/html", "h2/body/html"]);
        assert_eq!(labels("<h1>T</h1><h2>a</h2><p>b<p>c<h2>d</h2><p class=x>e"), ["h1/body/html", "h2+p/body/html"]);
    }

    #[test]
    fn columns_are_not_repetition_but_comments_are() {
        let columns = "<div id=left><p>a</div><div id=main><p>b</div><div id=right><p>c</div>";
        assert_eq!(labels(columns), ["p/1/div/id/body/html", "p/2/div/id/body/html", "p/3/div/id/body/html"]);
        let comments = "<h1>T</h1><div id=c1><p>a</div><div id=c2><p>b<p>b</div><div id=c3><p>c</div>";
        assert_eq!(labels(comments), ["h1/body/html", "div/id/body/html"]);
    }

    #[test]
    fn every_word_has_a_leaf() {
        for html in [
            "",
            "text",
            "<table><tr><td>a<td>b",
            "<svg><text>x</text></svg>",
            "<noscript>All of it</noscript>",
            "<p><a>a</a><a>b</a>",
        ] {
            let page = Page::parse(html.as_bytes());
            let tree = PageTree::new(&page);
            for run in page.blocks_by(GapModel::Tags).iter().flat_map(|b| b.runs()) {
                let leaf = tree.leaf_of(run).map(|leaf| tree.nodes[leaf].text.is_some());
                assert_eq!(leaf, Some(true), "{html}");
            }
            let words: u32 = page.blocks_by(GapModel::Tags).iter().map(|b| b.counts().words).sum();
            assert_eq!(words, tree.nodes.iter().filter_map(|n| n.text.as_ref()).map(|t| t.words).sum::<u32>());
        }
    }
}
