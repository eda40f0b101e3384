//! Decision trees over text density, words and links of a block and its neighbours: tables with one evaluator.
//!
//! The two published trees (Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010; thesis 4.4.3, Algorithms 4.2 and 4.3) are reference classifiers, reproduced to the
//! letter, with the constants as printed: a link density of 1/3 is above 0.333333. Before the first and after the last block
//! every feature is 0.

use super::unit::{StageInfo, Trail, Unit};
use super::{Input, Stage};
use crate::block::Neighbour;

/// The feature that a node tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// Share of words in links.
    LinkDensity,
    /// Text density.
    TextDensity,
    /// Number of words.
    Words,
}

/// The target of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// Another node, by number.
    Node(u8),
    /// A leaf, numbered from left to right, with its verdict: content or not.
    Leaf(u8, bool),
}

/// One node: `operand(of) <= threshold` leads to `low`, else to `high`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    /// The feature that is tested …
    pub(super) operand: Operand,
    /// … of which block.
    pub(super) of: Neighbour,
    /// The threshold.
    pub(super) threshold: f64,
    /// Branch for values up to the threshold.
    pub(super) low: Branch,
    /// Branch for values above it.
    pub(super) high: Branch,
}

/// A decision tree as a table.
#[derive(Debug)]
pub(super) struct Tree {
    /// Nodes; the first is the root.
    pub(super) nodes: &'static [TreeNode],
    /// Name, source, and the path to each leaf in words. The operands of a path are those on it, in order.
    pub(super) info: StageInfo,
}

use Branch::{Leaf, Node};
use Neighbour::{Current, Next, Previous};
use Operand::{LinkDensity, TextDensity, Words};

const fn node(operand: Operand, of: Neighbour, threshold: f64, low: Branch, high: Branch) -> TreeNode {
    TreeNode { operand, of, threshold, low, high }
}

/// Algorithm 4.2, the densitometric classifier.
pub(super) static DENSITOMETRIC: Tree = Tree {
    nodes: &[
        node(LinkDensity, Current, 0.333333, Node(1), Leaf(7, false)),
        node(LinkDensity, Previous, 0.555556, Node(2), Node(6)),
        node(TextDensity, Current, 9.0, Node(3), Node(5)),
        node(TextDensity, Next, 10.0, Node(4), Leaf(2, true)),
        node(TextDensity, Previous, 4.0, Leaf(0, false), Leaf(1, true)),
        node(TextDensity, Next, 0.0, Leaf(3, false), Leaf(4, true)),
        node(TextDensity, Next, 11.0, Leaf(5, false), Leaf(6, true)),
    ],
    info: StageInfo {
        name: "density",
        source: "Kohlschütter's thesis, Algorithm 4.2",
        rules: &[
            "boilerplate: link density {} < 1/3, previous link density {} <= 5/9, text density {} <= 9, next text density {} <= 10, previous text density {} <= 4",
            "content: link density {} < 1/3, previous link density {} <= 5/9, text density {} <= 9, next text density {} <= 10, previous text density {} > 4",
            "content: link density {} < 1/3, previous link density {} <= 5/9, text density {} <= 9, next text density {} > 10",
            "boilerplate: link density {} < 1/3, previous link density {} <= 5/9, text density {} > 9, next text density {} = 0",
            "content: link density {} < 1/3, previous link density {} <= 5/9, text density {} > 9, next text density {} > 0",
            "boilerplate: link density {} < 1/3, previous link density {} > 5/9, next text density {} <= 11",
            "content: link density {} < 1/3, previous link density {} > 5/9, next text density {} > 11",
            "boilerplate: link density {} >= 1/3",
        ],
    },
};

/// Algorithm 4.3, the number-of-words classifier, with a maximum link density and its wording.
macro_rules! num_words {
    ($name:literal, $link_density:literal, $low:literal, $high:literal) => {
        Tree {
            nodes: &[
                node(LinkDensity, Current, $link_density, Node(1), Leaf(7, false)),
                node(LinkDensity, Previous, 0.555556, Node(2), Node(5)),
                node(Words, Current, 16.0, Node(3), Leaf(3, true)),
                node(Words, Next, 15.0, Node(4), Leaf(2, true)),
                node(Words, Previous, 4.0, Leaf(0, false), Leaf(1, true)),
                node(Words, Current, 40.0, Node(6), Leaf(6, true)),
                node(Words, Next, 17.0, Leaf(4, false), Leaf(5, true)),
            ],
            info: StageInfo {
                name: $name,
                source: "Kohlschütter's thesis, Algorithm 4.3",
                rules: &[
                    concat!("boilerplate: link density {} ", $low, ", previous link density {} <= 5/9, word count {} <= 16, next word count {} <= 15, previous word count {} <= 4"),
                    concat!("content: link density {} ", $low, ", previous link density {} <= 5/9, word count {} <= 16, next word count {} <= 15, previous word count {} > 4"),
                    concat!("content: link density {} ", $low, ", previous link density {} <= 5/9, word count {} <= 16, next word count {} > 15"),
                    concat!("content: link density {} ", $low, ", previous link density {} <= 5/9, word count {} > 16"),
                    concat!("boilerplate: link density {} ", $low, ", previous link density {} > 5/9, word count {} <= 40, next word count {} <= 17"),
                    concat!("content: link density {} ", $low, ", previous link density {} > 5/9, word count {} <= 40, next word count {} > 17"),
                    concat!("content: link density {} ", $low, ", previous link density {} > 5/9, word count {} > 40"),
                    concat!("boilerplate: link density {} ", $high),
                ],
            },
        }
    };
}

/// Algorithm 4.3 as printed.
pub(super) static NUM_WORDS: Tree = num_words!("num-words", 0.333333, "< 1/3", ">= 1/3");

/// The same with 1/3 itself within the limit, for `article` and as a feature of `strata`. F1 of `article` is .002 higher with it
/// (fundus-dev, own-pages), and `strata` was trained with it.
pub(super) static ARTICLE_WORDS: Tree = num_words!("article-words", 0.333_333_333_333_333_3, "<= 1/3", "> 1/3");

impl Operand {
    fn value(self, unit: Option<&Unit>) -> f64 {
        let Some(unit) = unit else { return 0.0 };
        match self {
            LinkDensity => unit.counts.link_density(),
            TextDensity => unit.counts.density().value(),
            Words => f64::from(unit.counts.words),
        }
    }
}

impl Tree {
    /// The leaf of the unit at `index` and its verdict; `path` receives the values tested.
    fn evaluate(&self, units: &[Unit], index: usize, path: &mut Vec<f32>) -> (u8, bool) {
        path.clear();
        let mut at = 0u8;
        loop {
            let Some(node) = self.nodes.get(usize::from(at)) else { return (0, false) };
            let unit = match node.of {
                Previous => index.checked_sub(1).and_then(|i| units.get(i)),
                Current => units.get(index),
                Next => units.get(index + 1),
            };
            let value = node.operand.value(unit);
            path.push(value as f32);
            match if value <= node.threshold { node.low } else { node.high } {
                Node(next) => at = next,
                Leaf(leaf, content) => return (leaf, content),
            }
        }
    }
}

impl Stage for &'static Tree {
    fn info(&self) -> &'static StageInfo {
        &self.info
    }

    fn apply(&self, _: &Input<'_>, mut units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let mut path = Vec::new();
        for i in 0..units.len() {
            let (leaf, content) = self.evaluate(&units, i, &mut path);
            let step = trail.note(&self.info, leaf, &path);
            trail.judge(&units[i], step);
            units[i] = units[i].decided(content, step);
        }
        units
    }
}
