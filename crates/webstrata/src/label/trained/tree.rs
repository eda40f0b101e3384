//! Decision trees over numeric features, two branches per node.

use super::classifier::shares;

/// A test: values up to the threshold go to `low`, others to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Index of the column.
    pub column: usize,
    /// The threshold.
    pub threshold: f32,
    /// Node for values up to the threshold.
    pub low: usize,
    /// Node for values above it.
    pub high: usize,
}

/// A node; one without a split is a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Weight of each class among the training rows that reach the node.
    pub weights: Vec<f64>,
    /// The class predicted here.
    pub answer: usize,
    /// The test that selects a child.
    pub split: Option<Split>,
}

/// A decision tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Creates a tree from its nodes: the first is the root, children follow their parents, and every other node has one parent.
    /// `None` if the nodes do not form such a tree.
    #[must_use]
    pub fn from_nodes(nodes: Vec<Node>) -> Option<Self> {
        let mut reached = vec![false; nodes.len()];
        *reached.first_mut()? = true;
        for (at, node) in nodes.iter().enumerate() {
            for child in node.split.iter().flat_map(|split| [split.low, split.high]) {
                let seen = reached.get_mut(child)?;
                if *seen || child <= at {
                    return None;
                }
                *seen = true;
            }
        }
        reached.iter().all(|seen| *seen).then_some(Tree { nodes })
    }

    /// A tree from nodes known to be in the order that [`Tree::from_nodes`] requires.
    #[must_use]
    pub fn from_ordered_nodes(nodes: Vec<Node>) -> Self {
        debug_assert!(Tree::from_nodes(nodes.clone()).is_some(), "the nodes are a tree");
        Tree { nodes }
    }

    /// The nodes; the first is the root.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.split.is_none()).count()
    }

    /// Index of the leaf that a row reaches; calls `visit` with each split on the path and whether the row went low.
    pub fn walk(&self, row: &[f32], mut visit: impl FnMut(&Split, bool)) -> usize {
        let mut at = 0;
        // Children follow their parents, so this ends.
        while let Some(split) = &self.nodes[at].split {
            let low = row[split.column] <= split.threshold;
            visit(split, low);
            at = if low { split.low } else { split.high };
        }
        at
    }

    /// The leaf that a row reaches.
    #[must_use]
    pub fn leaf(&self, row: &[f32]) -> &Node {
        &self.nodes[self.walk(row, |_, _| {})]
    }

    /// The splits on a row's path, each with whether it went to the low side.
    #[must_use]
    pub fn path(&self, row: &[f32]) -> Vec<(Split, bool)> {
        let mut path = Vec::new();
        self.walk(row, |split, low| path.push((*split, low)));
        path
    }

    /// The class of a row.
    #[must_use]
    pub fn predict(&self, row: &[f32]) -> usize {
        self.leaf(row).answer
    }

    /// Share of each class in the row's leaf.
    #[must_use]
    pub fn scores(&self, row: &[f32]) -> Vec<f64> {
        shares(&self.leaf(row).weights)
    }
}

/// Builds a tree from the root down; adding a node links it to its parent.
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
}

impl TreeBuilder {
    /// Adds a node below a parent, on its low side or not, and returns its index.
    pub fn push(&mut self, node: Node, parent: Option<(usize, bool)>) -> usize {
        let at = self.nodes.len();
        if let Some((parent, is_low)) = parent
            && let Some(split) = &mut self.nodes[parent].split
        {
            *(if is_low { &mut split.low } else { &mut split.high }) = at;
        }
        self.nodes.push(node);
        at
    }

    /// Returns the tree.
    #[must_use]
    pub fn finish(self) -> Tree {
        Tree::from_ordered_nodes(self.nodes)
    }
}
