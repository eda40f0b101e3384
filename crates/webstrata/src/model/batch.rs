//! Scores many rows together: the same scores as one row at a time, for a fraction of the work.
//!
//! Trees repeat their tests (of the 1,500 in the shipped model only half are distinct), and the rows of a batch are
//! neighbours on a page: three of four tests have the same outcome for all of them, as the minimum and maximum of a column
//! show. So each distinct test runs once, and its outcome is passed to every tree that uses it. A tree then adds one leaf
//! to all rows, or one of two leaves if a single test is undecided; only if more are undecided does each row look up its
//! own leaf. Leaves are added in tree order, so every sum is rounded exactly as in [`Forest::score`](super::Forest::score).

use super::forest::{MAX_LEVELS, Split};

/// Rows per batch.
pub(crate) const LANES: usize = 32;

/// Column capacity of a batch of rows, so that rows can be written without bounds checks.
pub(crate) const MAX_COLUMNS: usize = 512;

/// The values of one column, by row.
pub(crate) type Column = [f32; LANES];

/// For each row: all bits set if the value is above the threshold, else none.
type LaneMask = [u8; LANES];

/// Maximum number of leaves per tree; a byte can number them.
const MAX_LEAVES: usize = 1 << MAX_LEVELS;

/// The tests on one column.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ColumnTests {
    column: u16,
    /// Range in [`Plan::tests`].
    start: u32,
    end: u32,
}

/// A distinct test: whether the value of `column` is above `threshold`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Test {
    column: u16,
    threshold: f32,
    /// Range in [`Plan::uses`].
    start: u32,
    end: u32,
}

/// One use of a test: the tree, and what a positive outcome adds to the leaf number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TestUse {
    tree: u32,
    step: u8,
}

/// A forest laid out for batches.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Plan {
    columns: Vec<ColumnTests>,
    /// Sorted by column, then by threshold.
    tests: Vec<Test>,
    uses: Vec<TestUse>,
    /// For each tree: where its leaves begin.
    trees: Vec<u32>,
    /// The leaves of all trees, padded by [`MAX_LEAVES`] so that no leaf number is out of bounds.
    leaves: Vec<f32>,
}

/// State of a tree before individual rows are examined.
#[derive(Clone, Copy, Debug, Default)]
struct TreeState {
    /// The leaf of a row for which all undecided tests are negative.
    leaf: u8,
    /// Number of tests on which the rows differ.
    undecided: u8,
    /// Those tests, each with what a positive outcome adds to the leaf number.
    tests: [(u32, u8); MAX_LEVELS],
}

impl Plan {
    /// Lays out trees given as pairs of splits and leaves.
    pub(super) fn new<'t>(trees: impl Iterator<Item = (&'t [Split], &'t [f32])>) -> Self {
        let key = |split: &Split| (split.column, ordered(split.threshold));
        let mut plan = Plan::default();
        let mut all: Vec<(Split, TestUse)> = Vec::new();
        for ((splits, leaves), tree) in trees.zip(0..) {
            plan.trees.push(plan.leaves.len() as u32);
            plan.leaves.extend(leaves);
            let steps = splits.iter().rev().zip(0u32..).map(|(split, level)| (*split, TestUse { tree, step: 1 << level }));
            all.extend(steps);
        }
        plan.leaves.resize(plan.leaves.len() + MAX_LEAVES, 0.0);
        all.sort_by_key(|(split, _)| key(split));
        for same in all.chunk_by(|(a, _), (b, _)| key(a) == key(b)) {
            let start = plan.uses.len() as u32;
            plan.uses.extend(same.iter().map(|(_, test_use)| *test_use));
            let Split { column, threshold } = same[0].0;
            plan.tests.push(Test { column, threshold, start, end: plan.uses.len() as u32 });
        }
        for same in plan.tests.chunk_by(|a, b| a.column == b.column) {
            let start = plan.columns.last().map_or(0, |last: &ColumnTests| last.end);
            plan.columns.push(ColumnTests { column: same[0].column, start, end: start + same.len() as u32 });
        }
        plan
    }

    /// The columns that are tested, ascending.
    pub(super) fn columns(&self) -> impl Iterator<Item = u16> {
        self.columns.iter().map(|tests| tests.column)
    }

    /// The sums of `base` and the leaves that each row reaches. `ranges` are the minimum and maximum of each column.
    pub(super) fn sums(&self, base: f32, columns: &[Column], ranges: &[(f32, f32)], outcomes: &mut Outcomes) -> Column {
        let masks = outcomes.masks.as_chunks_mut().0;
        outcomes.states.iter_mut().for_each(|state| (state.leaf, state.undecided) = (0, 0));
        self.run_tests(columns, ranges, &mut outcomes.states, masks);
        let mut sums = [base; LANES];
        self.add_leaves(columns, &outcomes.states, masks, &mut sums);
        sums
    }

    /// The sum for one row; missing values at its end count as 0. Thresholds ascend, so each column stops at its first negative test.
    pub(super) fn sum(&self, base: f32, row: &[f32]) -> f32 {
        let mut leaves = vec![0u8; self.trees.len()];
        for group in &self.columns {
            let value = row.get(usize::from(group.column)).copied().unwrap_or(0.0);
            let positive = self.tests[group.start as usize..group.end as usize].iter().take_while(|test| value > test.threshold);
            for test in positive {
                for test_use in &self.uses[test.start as usize..test.end as usize] {
                    leaves[test_use.tree as usize] += test_use.step;
                }
            }
        }
        self.trees.iter().zip(&leaves).fold(base, |sum, (&start, &leaf)| sum + self.leaves[start as usize + usize::from(leaf)])
    }

    /// Runs all tests and updates the trees. `outcomes` receives the row-by-row outcomes of undecided tests.
    fn run_tests(&self, columns: &[Column], ranges: &[(f32, f32)], states: &mut [TreeState], outcomes: &mut [LaneMask]) {
        for group in &self.columns {
            let values = &columns[usize::from(group.column)];
            let (min, max) = ranges[usize::from(group.column)];
            let own = group.start as usize..group.end as usize;
            for (test, number) in self.tests[own].iter().zip(group.start..) {
                if test.threshold >= max {
                    // Negative, as are all tests after it: thresholds ascend.
                    break;
                }
                let uses = &self.uses[test.start as usize..test.end as usize];
                if test.threshold < min {
                    for test_use in uses {
                        states[test_use.tree as usize].leaf += test_use.step;
                    }
                    continue;
                }
                compare(values, test.threshold, &mut outcomes[number as usize]);
                for test_use in uses {
                    let state = &mut states[test_use.tree as usize];
                    state.tests[usize::from(state.undecided) % MAX_LEVELS] = (number, test_use.step);
                    state.undecided += 1;
                }
            }
        }
    }

    /// Adds the leaves of all trees to the sums of all rows.
    fn add_leaves(&self, columns: &[Column], states: &[TreeState], outcomes: &[LaneMask], sums: &mut Column) {
        for (state, &start) in states.iter().zip(&self.trees) {
            let Some(leaves) = self.leaves.get(start as usize..).and_then(|rest| rest.first_chunk::<MAX_LEAVES>()) else { return };
            let leaf = leaves[usize::from(state.leaf)];
            match state.undecided {
                0 => sums.iter_mut().for_each(|sum| *sum += leaf),
                1 => {
                    let (number, step) = state.tests[0];
                    let other = leaves[usize::from(state.leaf.wrapping_add(step))];
                    let test = &self.tests[number as usize];
                    let values = &columns[usize::from(test.column)];
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += if *value > test.threshold { other } else { leaf };
                    }
                }
                _ => add_by_row(state, outcomes, leaves, sums),
            }
        }
    }
}

/// The outcomes of a test, row by row.
// Not inlined: inside a larger function the compiler either vectorises this loop or unrolls it into one comparison per row, depending on
// how it happens to split the crate, and scoring takes 50% more instructions when it is unrolled.
#[inline(never)]
fn compare(values: &Column, threshold: f32, outcomes: &mut LaneMask) {
    for (outcome, value) in outcomes.iter_mut().zip(values) {
        *outcome = if *value > threshold { u8::MAX } else { 0 };
    }
}

/// Adds the leaf that each row reaches in a tree.
fn add_by_row(state: &TreeState, outcomes: &[LaneMask], leaves: &[f32; MAX_LEAVES], sums: &mut Column) {
    let mut at = [state.leaf; LANES];
    for &(number, step) in state.tests.iter().take(usize::from(state.undecided)) {
        for (at, outcome) in at.iter_mut().zip(&outcomes[number as usize]) {
            *at |= outcome & step;
        }
    }
    for (sum, at) in sums.iter_mut().zip(&at) {
        *sum += leaves[usize::from(*at)];
    }
}

/// An integer key that sorts like the thresholds; equal keys mean equal tests. Zero has two keys, which is harmless.
fn ordered(threshold: f32) -> i32 {
    let bits = threshold.to_bits() as i32;
    bits ^ (((bits >> 31) as u32) >> 1) as i32
}

/// The minimum and maximum of the values; the whole number line if one of them is NaN.
pub(super) fn range(values: &Column) -> (f32, f32) {
    let [min, max, sum] = fours(values);
    // The sum is NaN if any value is.
    if (sum[0] + sum[1] + sum[2] + sum[3]).is_nan() {
        return (f32::NEG_INFINITY, f32::INFINITY);
    }
    (lower(lower(min[0], min[1]), lower(min[2], min[3])), higher(higher(max[0], max[1]), higher(max[2], max[3])))
}

fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Minima, maxima and sums of every fourth value.
// Not inlined: together with the last steps of the reduction, the compiler would use vectors of two.
#[inline(never)]
fn fours(values: &Column) -> [[f32; 4]; 3] {
    let (chunks, _) = values.as_chunks::<4>();
    let Some((first, rest)) = chunks.split_first() else { return [[f32::NAN; 4]; 3] };
    let (mut min, mut max, mut sum) = (*first, *first, *first);
    for chunk in rest {
        for at in 0..4 {
            min[at] = lower(min[at], chunk[at]);
            max[at] = higher(max[at], chunk[at]);
            sum[at] += chunk[at];
        }
    }
    [min, max, sum]
}

/// Scratch memory for scoring with one forest.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    states: Vec<TreeState>,
    masks: Vec<u8>,
}

impl Outcomes {
    /// Resizes it for a forest. Values left by another forest are overwritten before they are read.
    pub(super) fn fit(mut self, plan: &Plan) -> Self {
        self.states.resize(plan.trees.len(), TreeState::default());
        self.masks.resize(plan.tests.len() * LANES, 0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::forest::{Forest, Tree};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_keep_the_order_of_thresholds() {
        let ascending = [f32::NEG_INFINITY, -2.0, -0.5, -0.0, 0.0, 1e-9, 3.0, f32::INFINITY];
        assert!(ascending.map(ordered).is_sorted());
    }

    #[test]
    fn ranges_cover_every_lane() {
        for at in 0..LANES {
            let mut values = [3.0; LANES];
            values[at] = 9.0;
            values[(at + 5) % LANES] = -1.0;
            assert_eq!(range(&values), (-1.0, 9.0));
            values[(at + 7) % LANES] = f32::NAN;
            assert_eq!(range(&values), (f32::NEG_INFINITY, f32::INFINITY));
        }
    }

    /// Mostly small integers, and some numbers that are hard to compare.
    fn value() -> impl Strategy<Value = f32> {
        prop_oneof![
            8 => (-4i8..4).prop_map(f32::from),
            1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY), Just(-0.0), Just(1e-40)],
        ]
    }

    proptest! {
        #[test]
        fn batches_score_like_single_rows(
            trees in prop::collection::vec((prop::collection::vec((0u16..5, value()), 0..9), any::<u32>()), 0..20),
            rows in prop::collection::vec(value(), 0..5 * 100),
        ) {
            let grown = |(splits, seed): (Vec<(u16, f32)>, u32)| {
                let values = (0..(2u32 << splits.len()) - 1).map(|at| (seed.wrapping_mul(2 * at + 1) >> 8) as f32 / 1e5).collect();
                let valid = splits.into_iter().filter(|(_, threshold)| !threshold.is_nan());
                let splits: Vec<Split> = valid.map(|(column, threshold)| Split { column, threshold }).collect();
                let values: Vec<f32> = values;
                Tree { values: values[..(2 << splits.len()) - 1].to_vec(), splits }
            };
            let forest = Forest::new(5, 0.3, &trees.into_iter().map(grown).collect::<Vec<_>>()).unwrap();
            let rows = &rows[..rows.len() / 5 * 5];
            let mut scores = vec![0.0; rows.len() / 5];
            forest.score_all(rows, &mut scores);
            let single: Vec<u32> = rows.chunks_exact(5).map(|row| forest.score(row).to_bits()).collect();
            prop_assert_eq!(scores.into_iter().map(f32::to_bits).collect::<Vec<_>>(), &single[..]);
            let by_tests: Vec<u32> = rows.chunks_exact(5).map(|row| forest.score_row(row).to_bits()).collect();
            prop_assert_eq!(by_tests, single);
            prop_assert_eq!(forest.score_row(&rows[..rows.len().min(3)]).to_bits(), forest.score(&rows[..rows.len().min(3)]).to_bits());
        }
    }
}
