//! Forests of boosted trees: a row of numbers in, a score out.
//!
//! The trees are symmetric: all nodes of a level ask the same question (as in CatBoost; Prokhorenkova et al., 2018). Such a tree
//! learns less by heart than one that grows where it likes, and it is fast: the answers to its questions are the number of
//! its leaf, so many rows are asked side by side, without a branch and without a way to follow (`batch.rs`).

use super::batch::{LANES, Plan, Scorer};
use super::file::{ModelError, Reader, Writer};

/// A question: is the value of a column above the threshold?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The column that is asked for.
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
    /// Its questions, one a level.
    pub splits: Vec<Split>,
    /// Level by level, from left to right: what a node says. The last level are the leaves; what an inner node would say if it were
    /// one (the mean over what reached it in training) is for the reasons.
    pub values: Vec<f32>,
}

/// Levels of a tree at most.
pub const MAX_LEVELS: usize = 8;

/// Where a tree is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Root {
    splits: u32,
    levels: u32,
    values: u32,
}

impl Root {
    /// Where its leaves begin.
    fn leaves(self) -> usize {
        self.values as usize + (1 << self.levels) - 1
    }
}

/// Many trees whose scores are summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    columns: u16,
    base: f32,
    splits: Vec<Split>,
    values: Vec<f32>,
    roots: Vec<Root>,
    /// The same trees for many rows at once.
    plan: Plan,
}

impl Forest {
    /// A forest over rows of so many columns, with a score that it starts from.
    ///
    /// # Errors
    /// When a tree has too many levels, another number of values than its levels make, or a column that there is not.
    pub fn new(columns: u16, base: f32, trees: &[Tree]) -> Result<Forest, ModelError> {
        let mut forest = Forest::empty(columns, base);
        trees.iter().try_for_each(|tree| forest.add(tree))?;
        Ok(forest.planned())
    }

    fn empty(columns: u16, base: f32) -> Forest {
        Forest { columns, base, splits: vec![], values: vec![], roots: vec![], plan: Plan::default() }
    }

    /// The forest with its layout for many rows, once all trees are in it.
    fn planned(mut self) -> Forest {
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

    fn splits_of(&self, root: Root) -> &[Split] {
        &self.splits[root.splits as usize..(root.splits + root.levels) as usize]
    }

    /// The score of one row. A row that is too short has 0 where it ends.
    #[must_use]
    pub fn score(&self, row: &[f32]) -> f32 {
        let value = |split: &Split| row.get(usize::from(split.column)).copied().unwrap_or(0.0);
        let leaf = |root: Root| {
            self.splits_of(root).iter().fold(0, |at, split| 2 * at + usize::from(value(split) > split.threshold)) + root.leaves()
        };
        self.roots.iter().fold(self.base, |score, &root| score + self.values[leaf(root)])
    }

    /// The scores of many rows, one after the other in `rows`: the same as [`Forest::score`] of each.
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
                for (column, value) in scorer.sheet().iter_mut().zip(row) {
                    column[lane] = *value;
                }
            }
            let count = scores.len().min(whole);
            scorer.score(&mut scores[..count]);
        }
    }

    /// What scores rows that are filled in column by column.
    pub(crate) fn scorer(&self) -> Scorer<'_> {
        Scorer::new(self, &self.plan, self.base)
    }

    /// What each column added to the score of a row: along the way through each tree, the change of the mean is the
    /// merit of the column that was asked (Saabas: Interpreting random forests, 2014). `contributions` has one number a column;
    /// with the base and the roots' means they add up to the score.
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

    /// Writes it. Values are kept in 16 bits: a leaf needs no more, and the file is half as large.
    pub fn write(&self, out: &mut Writer) {
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

    /// Reads it, and checks that it can be used.
    ///
    /// # Errors
    /// When it ends too early or makes no sense.
    pub fn read(input: &mut Reader<'_>) -> Result<Forest, ModelError> {
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
        Ok(forest.planned())
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
    fn written_and_read_it_is_the_same() {
        let alone = Tree { splits: vec![], values: vec![0.5] };
        let forest = Forest::new(2, 0.125, &[tree(), alone, tree()]).unwrap();
        let mut out = Writer::default();
        forest.write(&mut out);
        let bytes = out.finish();
        let read = Forest::read(&mut Reader::new(&bytes).unwrap()).unwrap();
        assert_eq!(read, forest);
        for (row, score) in [([0.0, 0.0], -2.375), ([8.0, 0.0], -0.375), ([7.0, 1.0], 1.625), ([8.0, 1.0], 4.625)] {
            assert_eq!(read.score(&row), score);
        }
    }

    #[test]
    fn merits_add_up() {
        let forest = Forest::new(2, 0.0, &[tree()]).unwrap();
        let mut contributions = [0.0; 2];
        forest.contributions(&[8.0, 1.0], &mut contributions);
        assert_eq!(contributions, [1.0, 0.75]);
        assert_eq!(0.25 + contributions.iter().sum::<f32>(), forest.score(&[8.0, 1.0]));
    }

    proptest! {
        #[test]
        fn many_rows_are_scored_as_one(
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
            let one_by_one: Vec<f32> = rows.chunks_exact(5).map(|row| forest.score(row)).collect();
            prop_assert_eq!(scores, one_by_one);
        }
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
        // Any byte changed: an error or a forest that can be asked, never a panic.
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
