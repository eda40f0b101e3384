//! A forest laid out for many rows side by side: the same scores as one row at a time, for a fraction of the work.
//!
//! Trees ask the same questions again and again (of the 1,500 of the shipped model half are different), and rows that stand
//! side by side are neighbours on a page: three of four questions have one answer for all of them, which the least and the
//! largest value of a column tell. Therefore each different question is answered once, and its answer handed to the trees
//! that ask it. A tree then adds one leaf to all rows, or one of two where a single question is open; only where more are
//! does each row find its own. Leaves are added in the order of the trees, so that every sum is rounded as that of
//! [`Forest::score`](super::Forest::score) is.

use super::forest::{Forest, MAX_LEVELS, Split};

/// Rows side by side.
pub(crate) const LANES: usize = 32;

/// The values of one column.
pub(crate) type Column = [f32; LANES];

/// By row: all bits for a yes, none for a no; or the leaf that it is led to.
type Answers = [u8; LANES];

/// Leaves of a tree at most: a byte can number them.
const LEAVES: usize = 1 << MAX_LEVELS;

/// What a column is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked {
    column: u16,
    /// Its questions.
    start: u32,
    end: u32,
}

/// A question.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Question {
    column: u16,
    /// Values above it are a yes.
    threshold: f32,
    /// Who asks it.
    start: u32,
    end: u32,
}

/// A tree that asks a question, and how far a yes moves the leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asker {
    tree: u32,
    step: u8,
}

/// The layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Plan {
    asked: Vec<Asked>,
    /// By column, thresholds ascending.
    questions: Vec<Question>,
    askers: Vec<Asker>,
    /// By tree: where its leaves begin.
    trees: Vec<u32>,
    /// The leaves of all trees, and as many behind them as the last tree could have: no number is out of bounds.
    leaves: Vec<f32>,
}

/// What is known of a tree before its rows are looked at.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// The leaf, if rows said no to all open questions.
    leaf: u8,
    /// Questions that rows differ in, and how far a yes to them moves the leaf.
    open: u8,
    questions: [(u32, u8); MAX_LEVELS],
}

impl Plan {
    /// The layout of trees: of each its questions and its leaves.
    pub(super) fn new<'t>(trees: impl Iterator<Item = (&'t [Split], &'t [f32])>) -> Self {
        let key = |split: &Split| (split.column, ordered(split.threshold));
        let mut plan = Plan::default();
        let mut all: Vec<(Split, Asker)> = Vec::new();
        for ((splits, leaves), tree) in trees.zip(0..) {
            plan.trees.push(plan.leaves.len() as u32);
            plan.leaves.extend(leaves);
            let steps = splits.iter().rev().zip(0u32..).map(|(split, level)| (*split, Asker { tree, step: 1 << level }));
            all.extend(steps);
        }
        plan.leaves.resize(plan.leaves.len() + LEAVES, 0.0);
        all.sort_by_key(|(split, _)| key(split));
        for same in all.chunk_by(|(a, _), (b, _)| key(a) == key(b)) {
            let start = plan.askers.len() as u32;
            plan.askers.extend(same.iter().map(|(_, asker)| *asker));
            let Split { column, threshold } = same[0].0;
            plan.questions.push(Question { column, threshold, start, end: plan.askers.len() as u32 });
        }
        for same in plan.questions.chunk_by(|a, b| a.column == b.column) {
            let start = plan.asked.last().map_or(0, |last: &Asked| last.end);
            plan.asked.push(Asked { column: same[0].column, start, end: start + same.len() as u32 });
        }
        plan
    }

    /// Answers all questions, and tells the trees. `answers` are those of open questions.
    fn ask(&self, sheet: &[Column], states: &mut [State], answers: &mut [Answers]) {
        for asked in &self.asked {
            let values = &sheet[usize::from(asked.column)];
            let (least, largest) = range(values);
            let own = asked.start as usize..asked.end as usize;
            for (question, number) in self.questions[own].iter().zip(asked.start..) {
                if question.threshold >= largest {
                    // No to this one and to all behind it: the leaf stays where it is.
                    break;
                }
                let askers = &self.askers[question.start as usize..question.end as usize];
                if question.threshold < least {
                    for asker in askers {
                        states[asker.tree as usize].leaf += asker.step;
                    }
                    continue;
                }
                for (answer, value) in answers[number as usize].iter_mut().zip(values) {
                    *answer = if *value > question.threshold { u8::MAX } else { 0 };
                }
                for asker in askers {
                    let state = &mut states[asker.tree as usize];
                    state.questions[usize::from(state.open) % MAX_LEVELS] = (number, asker.step);
                    state.open += 1;
                }
            }
        }
    }

    /// Adds what all trees say of all rows.
    fn add_up(&self, sheet: &[Column], states: &[State], answers: &[Answers], sums: &mut Column) {
        for (state, &start) in states.iter().zip(&self.trees) {
            let Some(leaves) = self.leaves.get(start as usize..).and_then(|rest| rest.first_chunk::<LEAVES>()) else { return };
            let leaf = leaves[usize::from(state.leaf)];
            match state.open {
                0 => sums.iter_mut().for_each(|sum| *sum += leaf),
                1 => {
                    let (number, step) = state.questions[0];
                    let other = leaves[usize::from(state.leaf.wrapping_add(step))];
                    let question = &self.questions[number as usize];
                    let values = &sheet[usize::from(question.column)];
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += if *value > question.threshold { other } else { leaf };
                    }
                }
                _ => add_each(state, answers, leaves, sums),
            }
        }
    }
}

/// Adds what a tree says of each row.
fn add_each(state: &State, answers: &[Answers], leaves: &[f32; LEAVES], sums: &mut Column) {
    let mut at = [state.leaf; LANES];
    for &(number, step) in state.questions.iter().take(usize::from(state.open)) {
        for (at, answer) in at.iter_mut().zip(&answers[number as usize]) {
            *at |= answer & step;
        }
    }
    for (sum, at) in sums.iter_mut().zip(&at) {
        *sum += leaves[usize::from(*at)];
    }
}

/// Thresholds in their order, as whole numbers: by it equal ones are found. Nought comes twice, which does no harm.
fn ordered(threshold: f32) -> i32 {
    let bits = threshold.to_bits() as i32;
    bits ^ (((bits >> 31) as u32) >> 1) as i32
}

/// The least and the largest of some values; everything is possible where one of them is no number.
fn range(values: &Column) -> (f32, f32) {
    // Halved by hand: the order of a fold over floats would have to be kept, one value at a time. The sum is no number if
    // a value is none.
    const HALF: usize = LANES / 2;
    let (mut least, mut largest, mut sum) = ([0f32; HALF], [0f32; HALF], [0f32; HALF]);
    let (left, right) = values.split_at(HALF);
    for (at, (&a, &b)) in left.iter().zip(right).enumerate() {
        least[at] = if a < b { a } else { b };
        largest[at] = if a > b { a } else { b };
        sum[at] = a + b;
    }
    let mut half = HALF / 2;
    while half > 0 {
        for at in 0..half {
            least[at] = if least[at] < least[at + half] { least[at] } else { least[at + half] };
            largest[at] = if largest[at] > largest[at + half] { largest[at] } else { largest[at + half] };
            sum[at] += sum[at + half];
        }
        half /= 2;
    }
    if sum[0].is_nan() { (f32::NEG_INFINITY, f32::INFINITY) } else { (least[0], largest[0]) }
}

/// Scores rows, so many at once, in memory that is used again.
#[derive(Debug)]
pub(crate) struct Scorer<'f> {
    plan: &'f Plan,
    base: f32,
    /// The values of all rows, column by column.
    sheet: Vec<f32>,
    states: Vec<State>,
    answers: Vec<u8>,
}

impl<'f> Scorer<'f> {
    pub(super) fn new(forest: &'f Forest, plan: &'f Plan, base: f32) -> Self {
        let questions = plan.questions.len();
        Scorer {
            sheet: vec![0.0; forest.columns() * LANES],
            states: vec![State::default(); plan.trees.len()],
            answers: vec![0; questions * LANES],
            plan,
            base,
        }
    }

    /// The values of the rows, column by column, to be filled in.
    pub(crate) fn sheet(&mut self) -> &mut [Column] {
        self.sheet.as_chunks_mut().0
    }

    /// The scores of the first rows, as many as there is place for in `scores`.
    pub(crate) fn score(&mut self, scores: &mut [f32]) {
        let count = scores.len().min(LANES);
        if count == 0 {
            return;
        }
        let sheet = self.sheet.as_chunks_mut().0;
        if count < LANES {
            // What an earlier row left behind would only blur how alike the rows are.
            for values in sheet.iter_mut() {
                let values: &mut Column = values;
                let last = values[count - 1];
                values[count..].fill(last);
            }
        }
        let answers = self.answers.as_chunks_mut().0;
        self.states.iter_mut().for_each(|state| (state.leaf, state.open) = (0, 0));
        self.plan.ask(sheet, &mut self.states, answers);
        let mut sums = [self.base; LANES];
        self.plan.add_up(sheet, &self.states, answers, &mut sums);
        scores[..count].copy_from_slice(&sums[..count]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::forest::Tree;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn thresholds_keep_their_order() {
        let ascending = [f32::NEG_INFINITY, -2.0, -0.5, -0.0, 0.0, 1e-9, 3.0, f32::INFINITY];
        assert!(ascending.map(ordered).is_sorted());
    }

    #[test]
    fn a_range_leaves_nothing_out() {
        for at in 0..LANES {
            let mut values = [3.0; LANES];
            values[at] = 9.0;
            values[(at + 5) % LANES] = -1.0;
            assert_eq!(range(&values), (-1.0, 9.0));
            values[(at + 7) % LANES] = f32::NAN;
            assert_eq!(range(&values), (f32::NEG_INFINITY, f32::INFINITY));
        }
    }

    /// Numbers that are hard to compare among those that are not.
    fn value() -> impl Strategy<Value = f32> {
        prop_oneof![
            8 => (-4i8..4).prop_map(f32::from),
            1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY), Just(-0.0), Just(1e-40)],
        ]
    }

    proptest! {
        #[test]
        fn rows_abreast_are_scored_as_one(
            trees in prop::collection::vec((prop::collection::vec((0u16..5, value()), 0..9), any::<u32>()), 0..20),
            rows in prop::collection::vec(value(), 0..5 * 100),
        ) {
            let grown = |(splits, seed): (Vec<(u16, f32)>, u32)| {
                let values = (0..(2u32 << splits.len()) - 1).map(|at| (seed.wrapping_mul(2 * at + 1) >> 8) as f32 / 1e5).collect();
                let known = splits.into_iter().filter(|(_, threshold)| !threshold.is_nan());
                let splits: Vec<Split> = known.map(|(column, threshold)| Split { column, threshold }).collect();
                let values: Vec<f32> = values;
                Tree { values: values[..(2 << splits.len()) - 1].to_vec(), splits }
            };
            let forest = Forest::new(5, 0.3, &trees.into_iter().map(grown).collect::<Vec<_>>()).unwrap();
            let rows = &rows[..rows.len() / 5 * 5];
            let mut scores = vec![0.0; rows.len() / 5];
            forest.score_all(rows, &mut scores);
            let one_by_one: Vec<u32> = rows.chunks_exact(5).map(|row| forest.score(row).to_bits()).collect();
            prop_assert_eq!(scores.into_iter().map(f32::to_bits).collect::<Vec<_>>(), one_by_one);
        }
    }
}
