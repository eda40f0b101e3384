//! Forests of boosted trees: a row of features in, a score out.
//!
//! The trees are symmetric: all nodes of a level share one test (as in CatBoost; Prokhorenkova et al., 2018). Such a tree
//! overfits less than one grown freely, and it is fast: the outcomes of its tests are the bits of the leaf number, so many
//! rows can be scored together without branches or pointers to follow (`batch.rs`).

use super::batch::{LANES, Plan};
use super::file::{ModelError, ModelReader, ModelWriter};
use super::scorer::{BatchScorer, Scorer};

/// A test: whether the value of a column is above a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The column that is tested.
    pub column: u16,
    /// Values above this go right.
    pub threshold: f32,
}

/// A symmetric tree.
///
/// ```
/// use webstrata::model::{Forest, Split, Tree};
/// let stump = Tree { splits: vec![Split { column: 0, threshold: 2.5 }], values: vec![0.0, -1.0, 1.0] };
/// let forest = Forest::new(1, 0.25, &[stump]).unwrap();
/// assert_eq!(forest.score(&[2.0]), -0.75);
/// assert_eq!(forest.score(&[3.0]), 1.25);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Its tests, one per level.
    pub splits: Vec<Split>,
    /// Node values, level by level from left to right. The last level holds the leaves; the value of an inner node is the mean
    /// over the training rows that reached it, and is used for explanations only.
    pub values: Vec<f32>,
}

/// Maximum number of levels per tree.
pub const MAX_LEVELS: usize = 8;

/// Where the splits and values of a tree begin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Root {
    splits: u32,
    levels: u32,
    values: u32,
}

impl Root {
    /// Index of its first leaf.
    fn leaves(self) -> usize {
        self.values as usize + (1 << self.levels) - 1
    }
}

/// Trees whose scores are summed.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    columns: u16,
    base: f32,
    splits: Vec<Split>,
    values: Vec<f32>,
    roots: Vec<Root>,
    /// The same trees, laid out for batches.
    plan: Plan,
}

impl Forest {
    /// A forest over rows of `columns` features; `base` is added to every score.
    ///
    /// # Errors
    /// If a tree has too many levels, the wrong number of values, or a column out of range.
    pub fn new(columns: u16, base: f32, trees: &[Tree]) -> Result<Forest, ModelError> {
        let mut forest = Forest::empty(columns, base);
        trees.iter().try_for_each(|tree| forest.add(tree))?;
        Ok(forest.with_plan())
    }

    fn empty(columns: u16, base: f32) -> Forest {
        Forest { columns, base, splits: vec![], values: vec![], roots: vec![], plan: Plan::default() }
    }

    /// Adds the layout for batches, once all trees are in.
    fn with_plan(mut self) -> Forest {
        let leaves = |root: Root| &self.values[root.leaves()..root.leaves() + (1 << root.levels)];
        self.plan = Plan::new(self.roots.iter().map(|&root| (self.splits_of(root), leaves(root))));
        self
    }

    fn add(&mut self, tree: &Tree) -> Result<(), ModelError> {
        let levels = tree.splits.len();
        let is_wrong = |split: &Split| split.column >= self.columns || split.threshold.is_nan();
        if levels > MAX_LEVELS || tree.values.len() != (2 << levels) - 1 || tree.splits.iter().any(is_wrong) {
            return Err(ModelError::Tree);
        }
        self.roots.push(Root { splits: self.splits.len() as u32, levels: levels as u32, values: self.values.len() as u32 });
        self.splits.extend_from_slice(&tree.splits);
        self.values.extend_from_slice(&tree.values);
        Ok(())
    }

    /// Number of columns per row.
    #[must_use]
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// Number of trees.
    #[must_use]
    pub fn trees(&self) -> usize {
        self.roots.len()
    }

    fn splits_of(&self, root: Root) -> &[Split] {
        &self.splits[root.splits as usize..(root.splits + root.levels) as usize]
    }

    /// The score of one row. Missing values at its end count as 0.
    #[must_use]
    pub fn score(&self, row: &[f32]) -> f32 {
        let value = |split: &Split| row.get(usize::from(split.column)).copied().unwrap_or(0.0);
        let leaf = |root: Root| {
            self.splits_of(root).iter().fold(0, |at, split| 2 * at + usize::from(value(split) > split.threshold)) + root.leaves()
        };
        self.roots.iter().fold(self.base, |score, &root| score + self.values[leaf(root)])
    }

    /// The same score, computed from the batch layout in fewer instructions.
    pub(crate) fn score_row(&self, row: &[f32]) -> f32 {
        self.plan.sum(self.base, row)
    }

    /// Scores consecutive rows; the same as [`Forest::score`] for each.
    pub fn score_all(&self, rows: &[f32], scores: &mut [f32]) {
        scores.fill(self.base);
        let width = self.columns();
        if width == 0 {
            return;
        }
        let mut scorer = self.scorer();
        for (rows, scores) in rows.chunks(width * LANES).zip(scores.chunks_mut(LANES)) {
            let whole = rows.len() / width;
            for (lane, row) in rows.chunks_exact(width).enumerate() {
                for (column, value) in scorer.columns().iter_mut().zip(row) {
                    column[lane] = *value;
                }
            }
            let count = scores.len().min(whole);
            scorer.score(&mut scores[..count]);
        }
    }

    /// A scorer for batches that the caller fills in.
    pub(crate) fn scorer(&self) -> Scorer<'_> {
        Scorer::new(self)
    }

    /// The same, with room for rows of up to [`super::MAX_COLUMNS`].
    pub(crate) fn row_scorer(&self) -> Scorer<'_> {
        Scorer::with_room(self)
    }

    /// A scorer for batches that several forests score.
    pub(crate) fn batch_scorer(&self) -> BatchScorer<'_> {
        BatchScorer::new(&self.plan, self.base)
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What each column contributes to the score of a row: on the path through a tree, each change of the mean is credited
    /// to the column tested (Saabas: Interpreting random forests, 2014). `contributions` has one number per column; with
    /// the base and the means of the roots they sum to the score.
    pub fn contributions(&self, row: &[f32], contributions: &mut [f32]) {
        contributions.fill(0.0);
        if row.len() < self.columns() || contributions.len() < self.columns() {
            return;
        }
        for &root in &self.roots {
            let mut at = 0;
            for (split, level) in self.splits_of(root).iter().zip(0..) {
                let value = |level: u32, at: usize| self.values[root.values as usize + (1 << level) - 1 + at];
                let next = 2 * at + usize::from(row[usize::from(split.column)] > split.threshold);
                contributions[usize::from(split.column)] += value(level + 1, next) - value(level, at);
                at = next;
            }
        }
    }

    /// Writes the forest. Values are stored in 16 bits: leaves need no more, and the file is half the size.
    pub fn write(&self, out: &mut ModelWriter) {
        out.u16(self.columns);
        out.f32(self.base);
        out.u32(self.roots.len() as u32);
        for &root in &self.roots {
            out.u8(root.levels as u8);
            for split in self.splits_of(root) {
                out.u16(split.column);
                out.f32(split.threshold);
            }
            let values = root.values as usize..root.leaves() + (1 << root.levels);
            self.values[values].iter().for_each(|value| out.fixed_point(*value));
        }
    }

    /// Reads a forest and validates it.
    ///
    /// # Errors
    /// If the file is truncated or a tree is malformed.
    pub fn read(input: &mut ModelReader<'_>) -> Result<Forest, ModelError> {
        let columns = input.u16()?;
        let base = input.f32()?;
        let trees = input.u32()?;
        let mut forest = Forest::empty(columns, base);
        for _ in 0..trees {
            let levels = usize::from(input.u8()?);
            if levels > MAX_LEVELS {
                return Err(ModelError::Tree);
            }
            let splits =
                (0..levels).map(|_| Ok(Split { column: input.u16()?, threshold: input.f32()? })).collect::<Result<_, _>>()?;
            let values = (0..(2 << levels) - 1).map(|_| input.fixed_point()).collect::<Result<_, _>>()?;
            forest.add(&Tree { splits, values })?;
        }
        Ok(forest.with_plan())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(column: u16, threshold: f32) -> Split {
        Split { column, threshold }
    }

    fn tree() -> Tree {
        Tree { splits: vec![split(1, 0.5), split(0, 7.0)], values: vec![0.25, -1.0, 1.0, -1.5, -0.5, 0.5, 2.0] }
    }

    #[test]
    fn forests_survive_a_round_trip() {
        let alone = Tree { splits: vec![], values: vec![0.5] };
        let forest = Forest::new(2, 0.125, &[tree(), alone, tree()]).unwrap();
        let mut out = ModelWriter::default();
        forest.write(&mut out);
        let bytes = out.finish();
        let read = Forest::read(&mut ModelReader::new(&bytes).unwrap()).unwrap();
        assert_eq!(read, forest);
        for (row, score) in [([0.0, 0.0], -2.375), ([8.0, 0.0], -0.375), ([7.0, 1.0], 1.625), ([8.0, 1.0], 4.625)] {
            assert_eq!(read.score(&row), score);
        }
    }

    #[test]
    fn contributions_sum_to_the_score() {
        let forest = Forest::new(2, 0.0, &[tree()]).unwrap();
        let mut contributions = [0.0; 2];
        forest.contributions(&[8.0, 1.0], &mut contributions);
        assert_eq!(contributions, [1.0, 0.75]);
        assert_eq!(0.25 + contributions.iter().sum::<f32>(), forest.score(&[8.0, 1.0]));
    }

    proptest! {
        #[test]
        fn score_all_agrees_with_score(
            trees in prop::collection::vec((prop::collection::vec((0u16..5, -3i32..3), 0..7), any::<u64>()), 0..20),
            rows in prop::collection::vec(-4i32..4, 0..5 * 100),
        ) {
            let grown = |(splits, seed): (Vec<(u16, i32)>, u64)| {
                let values = (0..(2u64 << splits.len()) - 1).map(|at| (seed.wrapping_mul(at + 1) >> 40) as f32 / 1000.0).collect();
                Tree { splits: splits.into_iter().map(|(column, at)| split(column, at as f32)).collect(), values }
            };
            let forest = Forest::new(5, 0.5, &trees.into_iter().map(grown).collect::<Vec<_>>()).unwrap();
            let rows: Vec<f32> = rows.chunks_exact(5).flatten().map(|value| *value as f32).collect();
            let mut scores = vec![0.0; rows.len() / 5];
            forest.score_all(&rows, &mut scores);
            let single: Vec<f32> = rows.chunks_exact(5).map(|row| forest.score(row)).collect();
            prop_assert_eq!(scores, single);
        }
    }

    #[test]
    fn broken_files_are_rejected() {
        let forest = Forest::new(2, 0.0, &[tree()]).unwrap();
        let mut out = ModelWriter::default();
        forest.write(&mut out);
        let bytes = out.finish();
        for len in 0..bytes.len() {
            if let Ok(mut input) = ModelReader::new(&bytes[..len]) {
                assert!(Forest::read(&mut input).is_err(), "{len}");
            }
        }
        // Whichever byte changes, the result is an error or a usable forest, never a panic.
        for at in 0..bytes.len() {
            for value in [0, 1, 127, 128, 255] {
                let mut broken = bytes.clone();
                broken[at] = value;
                if let Ok(forest) = ModelReader::new(&broken).and_then(|mut input| Forest::read(&mut input))
                    && forest.trees() < 10
                {
                    let _ = forest.score(&[1.0, 1.0]);
                }
            }
        }
    }

    #[test]
    fn malformed_trees_are_rejected() {
        for (splits, values) in [
            (vec![], vec![]),
            (vec![split(0, 0.0)], vec![0.0]),
            (vec![split(1, 0.0)], vec![0.0; 3]),
            (vec![split(0, f32::NAN)], vec![0.0; 3]),
            (vec![split(0, 0.0); 9], vec![0.0; 1023]),
        ] {
            assert!(Forest::new(1, 0.0, &[Tree { splits, values }]).is_err());
        }
    }
}
