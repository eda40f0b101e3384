//! Batches of rows, and the forests that score them. Several forests can score the same batch.

use super::batch::{Column, LANES, MAX_COLUMNS, Outcomes, Plan, range};
use super::forest::Forest;
use std::cell::RefCell;
use std::thread::LocalKey;

/// Up to [`LANES`] rows, column by column.
#[derive(Debug)]
pub(crate) struct Batch {
    values: Vec<f32>,
    /// Minimum and maximum of each column that is tested.
    ranges: Vec<(f32, f32)>,
    /// The columns that any of the forests tests, ascending: no others need to be filled in.
    tested: Vec<u16>,
}

impl Batch {
    /// A batch for these forests, which have the same columns.
    pub(crate) fn new<'f>(forests: impl Iterator<Item = &'f Forest>) -> Self {
        Batch::with_columns(0, forests)
    }

    /// A batch with at least `width` columns, used or not.
    fn with_columns<'f>(mut width: usize, forests: impl Iterator<Item = &'f Forest>) -> Self {
        let mut tested = Vec::new();
        for forest in forests {
            width = forest.columns().max(width);
            tested.extend(forest.plan().columns());
        }
        tested.sort_unstable();
        tested.dedup();
        let BatchMemory { mut values, mut ranges } = take(&SPARE_BATCHES);
        // Values left by an earlier batch are overwritten before they are tested.
        values.resize(width * LANES, 0.0);
        ranges.resize(width, (0.0, 0.0));
        Batch { values, ranges, tested }
    }

    /// The columns, to be filled in row by row.
    pub(crate) fn columns(&mut self) -> &mut [Column] {
        self.values.as_chunks_mut().0
    }

    /// Calls `fill` with each column that is tested and its number.
    pub(crate) fn fill(&mut self, mut fill: impl FnMut(usize, &mut Column)) {
        let columns: &mut [Column] = self.values.as_chunks_mut().0;
        for &column in &self.tested {
            fill(usize::from(column), &mut columns[usize::from(column)]);
        }
    }

    /// Completes a batch whose first `count` rows were filled in.
    pub(crate) fn finish(&mut self, count: usize) {
        let Some(last) = count.checked_sub(1) else { return };
        let columns: &mut [Column] = self.values.as_chunks_mut().0;
        for &column in &self.tested {
            let values = &mut columns[usize::from(column)];
            if count < LANES {
                // Pad with the last row: values left by an earlier batch would widen the ranges.
                let last = values[last];
                values[count..].fill(last);
            }
            self.ranges[usize::from(column)] = range(values);
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let memory = BatchMemory { values: std::mem::take(&mut self.values), ranges: std::mem::take(&mut self.ranges) };
        if memory.values.len() <= MAX_COLUMNS * LANES {
            keep(&SPARE_BATCHES, memory);
        }
    }
}

/// The buffers of a batch.
#[derive(Debug, Default)]
struct BatchMemory {
    values: Vec<f32>,
    ranges: Vec<(f32, f32)>,
}

// Batches take more memory than most pages need for anything else, and all of it has to be zeroed first. So each thread keeps some buffers
// for its next page.
thread_local! {
    static SPARE_BATCHES: RefCell<Vec<BatchMemory>> = const { RefCell::new(Vec::new()) };
    static SPARE_OUTCOMES: RefCell<Vec<Outcomes>> = const { RefCell::new(Vec::new()) };
}

/// Number of buffers of each kind that a thread keeps: a page uses two at a time.
const KEPT: usize = 2;

type Spare<T> = LocalKey<RefCell<Vec<T>>>;

/// Takes a spare buffer, or a new one if there is none.
fn take<T: Default>(spare: &'static Spare<T>) -> T {
    spare.try_with(|spare| spare.try_borrow_mut().ok()?.pop()).ok().flatten().unwrap_or_default()
}

/// Keeps a buffer for reuse, unless there are enough or the thread is ending.
fn keep<T>(spare: &'static Spare<T>, memory: T) {
    let _ = spare.try_with(|spare| {
        if let Ok(mut spare) = spare.try_borrow_mut()
            && spare.len() < KEPT
        {
            spare.push(memory);
        }
    });
}

/// Scores batches with one forest, reusing its buffers.
#[derive(Debug)]
pub(crate) struct BatchScorer<'f> {
    plan: &'f Plan,
    base: f32,
    outcomes: Outcomes,
}

impl<'f> BatchScorer<'f> {
    pub(super) fn new(plan: &'f Plan, base: f32) -> Self {
        BatchScorer { outcomes: take(&SPARE_OUTCOMES).fit(plan), plan, base }
    }

    /// The scores of a finished batch; those past its last row are meaningless.
    pub(crate) fn score(&mut self, batch: &Batch) -> Column {
        self.plan.sums(self.base, batch.values.as_chunks().0, &batch.ranges, &mut self.outcomes)
    }
}

impl Drop for BatchScorer<'_> {
    fn drop(&mut self) {
        keep(&SPARE_OUTCOMES, std::mem::take(&mut self.outcomes));
    }
}

/// A forest with a batch of its own.
#[derive(Debug)]
pub(crate) struct Scorer<'f> {
    batch: Batch,
    scorer: BatchScorer<'f>,
}

impl<'f> Scorer<'f> {
    pub(super) fn new(forest: &'f Forest) -> Self {
        Scorer { batch: Batch::new(std::iter::once(forest)), scorer: forest.batch_scorer() }
    }

    /// A scorer with room for [`MAX_COLUMNS`].
    pub(super) fn with_room(forest: &'f Forest) -> Self {
        Scorer { batch: Batch::with_columns(MAX_COLUMNS, std::iter::once(forest)), scorer: forest.batch_scorer() }
    }

    /// The columns, to be filled in row by row.
    pub(crate) fn columns(&mut self) -> &mut [Column] {
        self.batch.columns()
    }

    /// Scores the first `scores.len()` rows.
    pub(crate) fn score(&mut self, scores: &mut [f32]) {
        self.batch.finish(scores.len().min(LANES));
        let all = self.scorer.score(&self.batch);
        scores.iter_mut().zip(all).for_each(|(score, of_row)| *score = of_row);
    }
}
