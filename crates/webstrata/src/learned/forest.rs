//! Forests of boosted trees: a row of numbers in, a score out.
//!
//! Laid out for speed: the nodes of all trees stand in one array of eight bytes each, children are found by number, and
//! eight rows go through one tree after the other side by side.

use super::file::{ModelError, Reader, Writer};

/// A node: an inner one asks whether `row[column] <= threshold`; a leaf has a value.
///
/// ```
/// use webstrata::learned::{Forest, Node, Tree};
/// let stump = Tree { nodes: vec![
///     Node::Split { column: 0, threshold: 2.5, left: 1, right: 2, mean: 0.0 },
///     Node::Leaf { value: -1.0 },
///     Node::Leaf { value: 1.0 },
/// ] };
/// let forest = Forest::new(1, 0.25, &[stump]).unwrap();
/// assert_eq!(forest.score(&[2.0]), -0.75);
/// assert_eq!(forest.score(&[3.0]), 1.25);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// An inner node.
    Split {
        /// The column that is asked for.
        column: u16,
        /// Where it is parted: values up to this go left.
        threshold: f32,
        /// Number of the child for small values.
        left: u16,
        /// Number of the child for large values.
        right: u16,
        /// What the node would say if it were a leaf: the mean over what reached it in training.
        mean: f32,
    },
    /// A leaf.
    Leaf {
        /// What it adds to the score.
        value: f32,
    },
}

/// A tree: its nodes, the root first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The nodes; children have larger numbers than their parents.
    pub nodes: Vec<Node>,
}

/// A node as stored. A leaf leads to itself, so that a way through the tree may be too long but never wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    threshold: f32,
    column: u16,
    /// For values up to the threshold, and for those above.
    next: [u8; 2],
}

/// The largest number of leaves a tree may have.
const MOST_LEAVES: usize = 128;

/// Where a tree is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Root {
    first: u32,
    nodes: u32,
    /// Steps from the root to the deepest leaf.
    depth: u32,
}

/// Many trees whose scores are summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    columns: u16,
    base: f32,
    steps: Vec<Step>,
    /// By node: what a leaf adds, and what an inner node would add if it were one (for reasons only).
    values: Vec<f32>,
    roots: Vec<Root>,
}

impl Forest {
    /// A forest over rows of so many columns, with a score that it starts from.
    ///
    /// # Errors
    /// When a tree has too many leaves, a child before its parent, or a column that there is not.
    pub fn new(columns: u16, base: f32, trees: &[Tree]) -> Result<Forest, ModelError> {
        let mut forest = Forest { columns, base, steps: vec![], values: vec![], roots: vec![] };
        trees.iter().try_for_each(|tree| forest.add(tree))?;
        Ok(forest)
    }

    fn add(&mut self, tree: &Tree) -> Result<(), ModelError> {
        let leaves = tree.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count();
        if leaves == 0 || leaves > MOST_LEAVES || tree.nodes.len() != 2 * leaves - 1 {
            return Err(ModelError::Tree);
        }
        let mut depths = vec![0u32; tree.nodes.len()];
        let first = self.steps.len() as u32;
        for (at, node) in tree.nodes.iter().enumerate() {
            let (step, value) = match *node {
                Node::Split { column, threshold, left, right, mean } => {
                    if column >= self.columns || threshold.is_nan() {
                        return Err(ModelError::Tree);
                    }
                    for child in [left, right].map(usize::from) {
                        // Children stand behind their parents: no way leads in circles.
                        *depths.get_mut(child).filter(|_| child > at).ok_or(ModelError::Tree)? = depths[at] + 1;
                    }
                    (Step { threshold, column, next: [left as u8, right as u8] }, mean)
                }
                Node::Leaf { value } => (Step { threshold: f32::INFINITY, column: 0, next: [at as u8; 2] }, value),
            };
            self.steps.push(step);
            self.values.push(value);
        }
        let depth = depths.into_iter().max().unwrap_or(0);
        self.roots.push(Root { first, nodes: tree.nodes.len() as u32, depth });
        Ok(())
    }

    /// How many columns its rows have.
    #[must_use]
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// How many trees it has.
    #[must_use]
    pub fn trees(&self) -> usize {
        self.roots.len()
    }

    /// The score of one row. A row that is too short has 0 where it ends.
    #[must_use]
    pub fn score(&self, row: &[f32]) -> f32 {
        let mut scores = [0.0];
        let mut whole = row.to_vec();
        whole.resize(self.columns(), 0.0);
        self.score_all(&whole, &mut scores);
        scores[0]
    }

    /// The scores of many rows, one after the other in `rows`.
    pub fn score_all(&self, rows: &[f32], scores: &mut [f32]) {
        scores.fill(self.base);
        let width = self.columns();
        if width == 0 {
            return;
        }
        // Eight rows go through a tree side by side: no step waits for the one before it of another row, and there is no
        // branch to guess.
        const ABREAST: usize = 8;
        for (rows, scores) in rows.chunks(width * ABREAST).zip(scores.chunks_mut(ABREAST)) {
            if rows.len() < width * ABREAST {
                for (row, score) in rows.chunks_exact(width).zip(scores.iter_mut()) {
                    *score += self.roots.iter().map(|root| self.values[self.leaf(root, row)]).sum::<f32>();
                }
                continue;
            }
            for root in &self.roots {
                let steps = &self.steps[root.first as usize..(root.first + root.nodes) as usize];
                let mut at = [0u8; ABREAST];
                for _ in 0..root.depth {
                    for (lane, at) in at.iter_mut().enumerate() {
                        let step = &steps[usize::from(*at)];
                        let above = rows[lane * width + usize::from(step.column)] > step.threshold;
                        *at = step.next[usize::from(above)];
                    }
                }
                for (score, at) in scores.iter_mut().zip(at) {
                    *score += self.values[root.first as usize + usize::from(at)];
                }
            }
        }
    }

    /// The place of the leaf that a row comes to.
    fn leaf(&self, root: &Root, row: &[f32]) -> usize {
        let steps = &self.steps[root.first as usize..(root.first + root.nodes) as usize];
        let mut at = 0u8;
        for _ in 0..root.depth {
            let step = &steps[usize::from(at)];
            at = step.next[usize::from(row[usize::from(step.column)] > step.threshold)];
        }
        root.first as usize + usize::from(at)
    }

    /// What each column added to the score of a row: along the way through each tree, the change of the mean is the
    /// merit of the column that was asked (Saabas: Interpreting random forests, 2014). `merits` has one number a column;
    /// with the base and the roots' means they add up to the score.
    pub fn merits(&self, row: &[f32], merits: &mut [f32]) {
        merits.fill(0.0);
        if row.len() < self.columns() || merits.len() < self.columns() {
            return;
        }
        for root in &self.roots {
            let mut at = root.first as usize;
            for _ in 0..root.depth {
                let step = self.steps[at];
                let next =
                    root.first as usize + usize::from(step.next[usize::from(row[usize::from(step.column)] > step.threshold)]);
                if next == at {
                    break;
                }
                merits[usize::from(step.column)] += self.values[next] - self.values[at];
                at = next;
            }
        }
    }

    /// Writes it. Values are kept in 16 bits: a leaf needs no more, and the file is a third smaller.
    pub fn write(&self, out: &mut Writer) {
        out.u16(self.columns);
        out.f32(self.base);
        out.u32(self.roots.len() as u32);
        for root in &self.roots {
            out.u8(root.nodes.div_ceil(2) as u8);
            for at in 0..root.nodes as usize {
                let step = self.steps[root.first as usize + at];
                let is_leaf = usize::from(step.next[0]) == at;
                out.u8(u8::from(!is_leaf));
                if !is_leaf {
                    out.u16(step.column);
                    out.f32(step.threshold);
                    out.u8(step.next[0]);
                    out.u8(step.next[1]);
                }
                out.small(self.values[root.first as usize + at]);
            }
        }
    }

    /// Reads it, and checks that it can be used: no child that there is not, no way in circles.
    ///
    /// # Errors
    /// When it ends too early or makes no sense.
    pub fn read(input: &mut Reader<'_>) -> Result<Forest, ModelError> {
        let columns = input.u16()?;
        let base = input.f32()?;
        let trees = input.u32()?;
        let mut forest = Forest { columns, base, steps: vec![], values: vec![], roots: vec![] };
        for _ in 0..trees {
            let leaves = usize::from(input.u8()?);
            let mut tree = Tree::default();
            for _ in 0..(2 * leaves).saturating_sub(1) {
                let node = if input.u8()? == 0 {
                    Node::Leaf { value: input.small()? }
                } else {
                    let (column, threshold) = (input.u16()?, input.f32()?);
                    let (left, right) = (u16::from(input.u8()?), u16::from(input.u8()?));
                    Node::Split { column, threshold, left, right, mean: input.small()? }
                };
                tree.nodes.push(node);
            }
            forest.add(&tree)?;
        }
        Ok(forest)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn tree() -> Tree {
        Tree {
            nodes: vec![
                Node::Split { column: 1, threshold: 0.5, left: 1, right: 2, mean: 0.25 },
                Node::Leaf { value: -1.0 },
                Node::Split { column: 0, threshold: 7.0, left: 3, right: 4, mean: 1.0 },
                Node::Leaf { value: 0.5 },
                Node::Leaf { value: 2.0 },
            ],
        }
    }

    #[test]
    fn written_and_read_it_is_the_same() {
        let alone = Tree { nodes: vec![Node::Leaf { value: 0.5 }] };
        let forest = Forest::new(2, 0.125, &[tree(), alone, tree()]).unwrap();
        let mut out = Writer::default();
        forest.write(&mut out);
        let bytes = out.finish();
        let read = Forest::read(&mut Reader::new(&bytes).unwrap()).unwrap();
        assert_eq!(read, forest);
        for (row, score) in [([0.0, 0.0], -1.375), ([7.0, 1.0], 1.625), ([8.0, 1.0], 4.625)] {
            assert_eq!(read.score(&row), score);
        }
        let mut scores = [0.0; 3];
        read.score_all(&[0.0, 0.0, 7.0, 1.0, 8.0, 1.0], &mut scores);
        assert_eq!(scores, [-1.375, 1.625, 4.625]);
    }

    #[test]
    fn merits_add_up() {
        let forest = Forest::new(2, 0.0, &[tree()]).unwrap();
        let mut merits = [0.0; 2];
        forest.merits(&[8.0, 1.0], &mut merits);
        assert_eq!(merits, [1.0, 0.75]);
        assert_eq!(0.25 + merits.iter().sum::<f32>(), forest.score(&[8.0, 1.0]));
    }

    #[test]
    fn broken_files_are_errors() {
        let forest = Forest::new(2, 0.0, &[tree()]).unwrap();
        let mut out = Writer::default();
        forest.write(&mut out);
        let bytes = out.finish();
        for len in 0..bytes.len() {
            if let Ok(mut input) = Reader::new(&bytes[..len]) {
                assert!(Forest::read(&mut input).is_err(), "{len}");
            }
        }
        // Any byte changed: an error or a forest that can be asked, never a panic or an endless way.
        for at in 0..bytes.len() {
            for value in [0, 1, 127, 128, 255] {
                let mut broken = bytes.clone();
                broken[at] = value;
                if let Ok(forest) = Reader::new(&broken).and_then(|mut input| Forest::read(&mut input))
                    && forest.trees() < 10
                {
                    let _ = forest.score(&[1.0, 1.0]);
                }
            }
        }
    }

    #[test]
    fn senseless_trees_are_errors() {
        let split = |left, right| Node::Split { column: 0, threshold: 0.0, left, right, mean: 0.0 };
        let leaf = Node::Leaf { value: 0.0 };
        for nodes in [vec![], vec![split(0, 1), leaf], vec![split(1, 2), leaf], vec![leaf, leaf], vec![split(1, 9), leaf, leaf]] {
            assert!(Forest::new(1, 0.0, &[Tree { nodes }]).is_err());
        }
        assert!(Forest::new(0, 0.0, &[Tree { nodes: vec![split(1, 2), leaf, leaf] }]).is_err());
    }
}
