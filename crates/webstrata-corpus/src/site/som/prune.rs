//! The pruned tree and its leaves, the segment classes (section 4.3 of the paper).
//!
//! (a) A node with text below another one with text, less than `alpha` levels deeper, is joined to it: one region of
//! the pages, marked up in two ways. Its pages are added to the other's, and its subtree goes along. (b) If all children of a node
//! are on fewer than `beta` pages, they are joined to it. Branches without text on any page are not segments and are ignored.
//!
//! Two options are not in the paper and off in [`SomOptions::paper`]; `docs/sites.md` measures their effect. With `share`, text
//! of a node absorbs what is below it only if the node has text on that share of its pages: otherwise one careless page in ten
//! thousand, with a word directly inside `body`, turns the whole site into one class. With `beta_share`, `beta` is a share of the
//! site's pages: a sample of a site then has the same classes as the site, and even a site of ten pages has classes.

use super::sample::Sample;
use super::tree::Som;
use roaring::RoaringBitmap;

/// How a tree is pruned.
///
/// ```
/// use webstrata_corpus::site::som::SomOptions;
/// assert_eq!((SomOptions::paper().alpha, SomOptions::paper().beta), (6, 8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SomOptions {
    /// Distance in levels below which two nodes with text, one inside the other, are joined.
    pub alpha: u32,
    /// Minimum number of pages with one child of a node for its children to stay separate.
    pub beta: u32,
    /// Share of a node's pages on which it must have text of its own to absorb what is below it.
    pub share: f64,
    /// Share of the site's pages that replaces `beta`, if given.
    pub beta_share: Option<f64>,
}

impl SomOptions {
    /// The paper's options.
    #[must_use]
    pub const fn paper() -> Self {
        SomOptions { alpha: 6, beta: 8, share: 0.0, beta_share: None }
    }

    /// The `beta` for a site with this many pages.
    fn beta_for(&self, pages: u64) -> u32 {
        self.beta_share.map_or(self.beta, |share| ((share * pages as f64).ceil() as u32).max(MIN_BETA))
    }
}

/// Minimum `beta`: text on a single page is not a class, however small the site.
const MIN_BETA: u32 = 2;

impl Default for SomOptions {
    fn default() -> Self {
        SomOptions { share: 0.5, beta_share: Some(0.2), ..SomOptions::paper() }
    }
}

/// A segment class: segments of several pages with the same function.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Path from the segment to the root.
    pub label: String,
    /// The same path in parts, from the root.
    pub path: Vec<String>,
    /// Pages with a segment of it.
    pub pages: RoaringBitmap,
    /// Words of its segments on all pages.
    pub words: u64,
    /// Words inside links.
    pub linked: u64,
    /// Share of the most frequent text in a sample of its pages, ignoring dates and numbers.
    pub constancy: f64,
    /// Beginnings of the text of some of its segments.
    pub texts: Vec<String>,
    /// Levels from the root.
    pub depth: u32,
    /// Index of the nearest class that contains it; a class may have text besides that of the classes inside it.
    pub within: Option<usize>,
    pub(super) sample: Sample,
}

/// The pruned tree: the assignment of the merged tree's nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Pruned {
    /// For each node: the node that it was joined to, or itself.
    pub(super) target: Vec<u32>,
    /// For each node: whether it, or anything below it that was not joined elsewhere, has text.
    pub(super) contains_text: Vec<bool>,
    /// For each node: whether it has text after joining.
    pub(super) text: Vec<bool>,
    /// For each node: whether it has children that stay separate.
    pub(super) inner: Vec<bool>,
}

impl Pruned {
    pub(super) fn new(som: &Som, options: &SomOptions) -> Pruned {
        let nodes = &som.nodes;
        let count = nodes.len();
        let parent = |at: usize| nodes[at].parent as usize;
        let mut target: Vec<u32> = (0..count as u32).collect();
        // (a): the index of the nearest node with text that is not joined, plus one.
        let mut nearest = vec![0u32; count];
        for at in 0..count {
            let text = !nodes[at].pages.is_empty();
            let above = if at == 0 { 0 } else { nearest[parent(at)] };
            if at > 0 && target[parent(at)] as usize != parent(at) {
                target[at] = target[parent(at)];
            } else if text && above > 0 && nodes[at].depth - nodes[above as usize - 1].depth < options.alpha {
                target[at] = above - 1;
            }
            let carries = text && nodes[at].pages.len() as f64 >= options.share * f64::from(nodes[at].counter);
            nearest[at] = if carries && target[at] as usize == at { at as u32 + 1 } else { above };
        }
        let mut pruned = Pruned { target, ..Pruned::default() };
        pruned.update(som);
        // (b): whether a node has a child that stays separate, and one with many pages.
        let beta = options.beta_for(som.pages());
        let mut frequent = vec![false; count];
        for at in (1..count).filter(|&at| pruned.target[at] as usize == at && pruned.contains_text[at]) {
            frequent[parent(at)] |= nodes[at].counter >= beta;
        }
        for at in 1..count {
            let (above, to) = (parent(at), pruned.target[at] as usize);
            pruned.target[at] = if to != at {
                // The node it was joined to may have been joined itself.
                pruned.target[to]
            } else if pruned.target[above] as usize != above {
                pruned.target[above]
            } else if pruned.contains_text[at] && !frequent[above] {
                above as u32
            } else {
                at as u32
            };
        }
        pruned.update(som);
        pruned
    }

    /// Recomputes which nodes have text, and which have children with text.
    fn update(&mut self, som: &Som) {
        let count = som.nodes.len();
        self.text = vec![false; count];
        for (at, node) in som.nodes.iter().enumerate() {
            self.text[self.target[at] as usize] |= !node.pages.is_empty();
        }
        self.contains_text = self.text.clone();
        self.inner = vec![false; count];
        for at in (1..count).rev() {
            let parent = som.nodes[at].parent as usize;
            if self.contains_text[at] && self.target[at] as usize == at {
                self.contains_text[parent] = true;
                self.inner[parent] = true;
            }
        }
    }
}

impl Som {
    /// The segment classes, sorted by their labels from the root.
    #[must_use]
    pub fn classes(&self, options: &SomOptions) -> Vec<Class> {
        self.classes_of(&Pruned::new(self, options)).0
    }

    /// The classes, and by node its class.
    pub(super) fn classes_of(&self, pruned: &Pruned) -> (Vec<Class>, Vec<Option<u32>>) {
        let order = self.ordered();
        let mut class_of: Vec<Option<u32>> = vec![None; self.nodes.len()];
        let mut classes: Vec<Class> = Vec::new();
        for &at in order.iter().filter(|&&at| pruned.text[at] && pruned.target[at] as usize == at) {
            class_of[at] = Some(classes.len() as u32);
            let mut above = at;
            let within = loop {
                if above == 0 {
                    break None;
                }
                above = self.nodes[above].parent as usize;
                if let Some(class) = class_of[above] {
                    break Some(class as usize);
                }
            };
            classes.push(Class {
                label: self.path(at),
                path: self.parts(at),
                pages: RoaringBitmap::new(),
                words: 0,
                linked: 0,
                constancy: 0.0,
                texts: Vec::new(),
                depth: self.nodes[at].depth,
                within,
                sample: Sample::default(),
            });
        }
        for &at in &order {
            let node = &self.nodes[at];
            class_of[at] = class_of[pruned.target[at] as usize];
            let Some(class) = class_of[at].and_then(|class| classes.get_mut(class as usize)) else { continue };
            class.pages |= &node.pages;
            class.words += node.words;
            class.linked += node.linked;
            class.sample.join(&node.sample);
        }
        for class in &mut classes {
            class.constancy = class.sample.constancy();
            class.texts = class.sample.texts().into_iter().map(str::to_owned).collect();
        }
        (classes, class_of)
    }

    /// Indices of the nodes in an order independent of the pages' order: pre-order, siblings by number and label.
    pub(super) fn ordered(&self) -> Vec<usize> {
        let mut children: Vec<(u32, u32, u32)> =
            (1..self.nodes.len() as u32).map(|at| (self.nodes[at as usize].parent, self.nodes[at as usize].number, at)).collect();
        let label = |at: u32| &self.labels[self.nodes[at as usize].label as usize];
        children.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| label(a.2).cmp(label(b.2))).then(a.1.cmp(&b.1)));
        let mut start = vec![0usize; self.nodes.len() + 1];
        for &(parent, ..) in &children {
            start[parent as usize + 1] += 1;
        }
        for at in 1..start.len() {
            start[at] += start[at - 1];
        }
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut stack: Vec<usize> = (0..self.nodes.len().min(1)).collect();
        while let Some(at) = stack.pop() {
            order.push(at);
            stack.extend(children[start[at]..start[at + 1]].iter().rev().map(|&(.., child)| child as usize));
        }
        order
    }
}
