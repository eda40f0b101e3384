//! Block Fusion (Kohlschütter, Nejdl: A Densitometric Approach to Web Page Segmentation, CIKM 2008;
//! thesis 4.2.2, Algorithm 4.1): neighbouring blocks of similar text density are one segment.
//!
//! A pass goes through the blocks from left to right. At block `i`:
//! - (smoothed) if the densities of `i-1` and `i+1` are equal and that of `i` is lower, the three are fused; in the variant of the
//!   thesis' footnote 6, if both densities are at most 5;
//! - else, if the slope delta of `i-1` and `i` is at most `theta`, the two are fused.
//!
//! Either way the result is the left neighbour of the next block. Passes are repeated until one fuses
//! nothing. In the rule-based variant no fusion, smoothing included, crosses a gap with a forcing tag, and a gap of
//! nothing but `no_gap` tags is always crossed.
//!
//! The paper calls this linear, but a page can be built on which every pass fuses one pair. Here a
//! pass visits only blocks whose neighbourhood has changed since their last visit: a fusion
//! puts at most two blocks on the list for the next pass, so there are at most `n + 3f` visits for `n`
//! blocks and `f < n` fusions, whatever the number of passes. The result is the same: the tests keep
//! the plain version, and a property test shows that both agree pass by pass.

use super::{RuleSet, Segmentation, Segmenter};
use crate::block::{Blocks, Counts, Density, Threshold};
use crate::options::setters;

/// Whether the smoothing rule is applied.
///
/// ```
/// use webstrata::segment::{FusionOptions, Smoothing};
/// assert_eq!(FusionOptions::plain().smoothing, Smoothing::Off);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Smoothing {
    /// BF-plain.
    Off,
    /// BF-smoothed.
    On,
    /// BF-smoothed with the criterion of the thesis' footnote 6 (4.2.4): the densities of both neighbours are at most 5, regardless of
    /// the block between them.
    Low,
}

impl Smoothing {
    /// Whether three neighbouring blocks with these densities are fused.
    fn fuses(self, [left, own, right]: [Density; 3]) -> bool {
        let low = Density::new(5, 1, 5);
        match self {
            Smoothing::Off => false,
            Smoothing::On => left == right && own < left,
            Smoothing::Low => left <= low && right <= low,
        }
    }
}

/// Options for Block Fusion.
///
/// ```
/// use webstrata::segment::{FusionOptions, Smoothing};
/// assert_eq!(FusionOptions::plain().theta, 0.38);
/// assert_eq!(FusionOptions::smoothed().smoothing, Smoothing::On);
/// assert_eq!(FusionOptions::paper().rules.unwrap().name, "paper");
/// let once = FusionOptions::default().theta(0.5).smoothing(Smoothing::Off).rules(None).passes(1);
/// assert_eq!(once, FusionOptions::plain().theta(0.5).passes(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FusionOptions {
    /// Maximum slope delta between blocks that are fused. Thesis 4.2.4: 0.38 without rules, 0.60 with them.
    pub theta: f64,
    /// Smoothing.
    pub smoothing: Smoothing,
    /// Tag rules; `None` for BF-plain and BF-smoothed.
    pub rules: Option<RuleSet>,
    /// Maximum number of passes; if `None`, passes continue until one fuses nothing.
    pub passes: Option<u32>,
}

setters! { FusionOptions { theta: f64, smoothing: Smoothing } into { rules: Option<RuleSet>, passes: Option<u32> } }

impl FusionOptions {
    /// BF-plain.
    #[must_use]
    pub const fn plain() -> Self {
        FusionOptions { theta: 0.38, smoothing: Smoothing::Off, rules: None, passes: None }
    }

    /// BF-smoothed.
    #[must_use]
    pub const fn smoothed() -> Self {
        FusionOptions { theta: 0.38, smoothing: Smoothing::On, rules: None, passes: None }
    }

    /// BF-smoothed with the criterion of the thesis' footnote 6.
    #[must_use]
    pub const fn smoothed_low() -> Self {
        FusionOptions { smoothing: Smoothing::Low, ..FusionOptions::smoothed() }
    }

    /// BF-rulebased.
    #[must_use]
    pub const fn rule_based(rules: RuleSet) -> Self {
        FusionOptions { theta: 0.60, smoothing: Smoothing::On, rules: Some(rules), passes: None }
    }

    /// BF-rulebased with the paper's tags: the best method in the papers' tables.
    #[must_use]
    pub const fn paper() -> Self {
        FusionOptions::rule_based(RuleSet::paper())
    }
}

impl Default for FusionOptions {
    fn default() -> Self {
        FusionOptions::rule_based(RuleSet::html5())
    }
}

/// The Block Fusion segmenter.
///
/// ```
/// use webstrata::{Page, block::GapModel, segment::{Fusion, FusionOptions, Segmenter}};
/// let page = Page::parse(b"<p>one two</p><p>two three</p><hr><p>six seven</p>");
/// let segments = Fusion::new(FusionOptions::paper()).segment(page.blocks_by(GapModel::Tags));
/// assert_eq!(segments.len(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fusion {
    options: FusionOptions,
}

impl Fusion {
    /// Block Fusion with these options.
    #[must_use]
    pub const fn new(options: FusionOptions) -> Self {
        Fusion { options }
    }
}

impl Segmenter for Fusion {
    fn name(&self) -> &'static str {
        match (self.options.rules, self.options.smoothing) {
            (Some(_), _) => "bf-rulebased",
            (None, Smoothing::On) => "bf-smoothed",
            (None, Smoothing::Low) => "bf-smoothed-low",
            (None, Smoothing::Off) => "bf-plain",
        }
    }

    fn segment(&self, blocks: Blocks<'_>) -> Segmentation {
        let counts = blocks.iter().map(|b| b.counts());
        let gaps = blocks.iter().map(|b| match &self.options.rules {
            None => Gap::Open,
            Some(rules) => match b.gap() {
                gap if rules.forces(gap) => Gap::Forced,
                gap if rules.ignores(gap) => Gap::None,
                _ => Gap::Open,
            },
        });
        let starts = fuse(counts.zip(gaps).collect(), &self.options);
        Segmentation::from_blocks(starts, blocks.len())
    }
}

/// The rules' verdict on the gap before a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// Never crossed.
    Forced,
    /// Always crossed.
    None,
    /// The densities decide.
    Open,
}

/// End of the linked list, in both directions.
const END: u32 = u32::MAX;

/// A block with the blocks fused into it, in a doubly linked list.
struct Cell {
    counts: Counts,
    gap: Gap,
    previous: u32,
    next: u32,
    /// The last pass that put it on the work list.
    listed: u32,
    alive: bool,
}

struct List {
    cells: Vec<Cell>,
    theta: Threshold,
    smoothing: Smoothing,
}

/// Fuses blocks and returns the numbers of those that start a segment.
pub(super) fn fuse(blocks: Vec<(Counts, Gap)>, options: &FusionOptions) -> Vec<u32> {
    let n = blocks.len() as u32;
    let cells = blocks.into_iter().zip(0u32..).map(|((counts, gap), i)| Cell {
        counts,
        gap,
        previous: if i == 0 { END } else { i - 1 },
        next: if i + 1 == n { END } else { i + 1 },
        listed: 0,
        alive: true,
    });
    let mut list = List { cells: cells.collect(), theta: Threshold::new(options.theta), smoothing: options.smoothing };
    let mut work: Vec<u32> = (1..n).collect();
    let mut next_work = Vec::new();
    let mut pass = 0;
    while !work.is_empty() && options.passes.is_none_or(|max| pass < max) {
        pass += 1;
        let mut visited = 0; // blocks before this one were visited in this pass
        for &start in &work {
            if start < visited {
                continue;
            }
            let mut at = start;
            while at != END && list.cells[at as usize].alive {
                visited = at + 1;
                let Some(fused) = list.visit(at) else { break };
                list.note(fused, pass, &mut next_work);
                at = list.cells[fused as usize].next;
            }
        }
        work.clear();
        std::mem::swap(&mut work, &mut next_work);
    }
    (0..n).filter(|&i| list.cells[i as usize].alive).collect()
}

impl List {
    /// Visits block `at`. If it fuses with its left neighbour, returns that neighbour, which has absorbed it.
    fn visit(&mut self, at: u32) -> Option<u32> {
        let cell = &self.cells[at as usize];
        let previous = cell.previous;
        if previous == END {
            return None;
        }
        let left = &self.cells[previous as usize];
        if self.smoothing != Smoothing::Off && cell.next != END && cell.gap != Gap::Forced {
            let right = &self.cells[cell.next as usize];
            let densities = [left, cell, right].map(|cell| cell.counts.density());
            if right.gap != Gap::Forced && self.smoothing.fuses(densities) {
                let next = cell.next;
                self.absorb(previous, at);
                self.absorb(previous, next);
                return Some(previous);
            }
        }
        let fuses = match cell.gap {
            Gap::Forced => false,
            Gap::None => true,
            Gap::Open => left.counts.density().is_within(cell.counts.density(), self.theta),
        };
        if !fuses {
            return None;
        }
        self.absorb(previous, at);
        Some(previous)
    }

    /// `left` absorbs its right neighbour.
    fn absorb(&mut self, left: u32, right: u32) {
        let absorbed = &mut self.cells[right as usize];
        absorbed.alive = false;
        let (counts, next) = (absorbed.counts, absorbed.next);
        let cell = &mut self.cells[left as usize];
        cell.counts = cell.counts.fuse(counts);
        cell.next = next;
        if next != END {
            self.cells[next as usize].previous = left;
        }
    }

    /// Adds to the work list the blocks that the next pass must visit because `fused` changed: the block itself and the one before it.
    fn note(&mut self, fused: u32, pass: u32, work: &mut Vec<u32>) {
        for block in [self.cells[fused as usize].previous, fused] {
            if block != END && self.cells[block as usize].listed != pass {
                self.cells[block as usize].listed = pass;
                work.push(block);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Algorithm 4.1 as written: whole passes over a list.
    fn naive(mut blocks: Vec<(Counts, Gap, u32)>, options: &FusionOptions) -> Vec<u32> {
        let theta = Threshold::new(options.theta);
        for _ in 0..options.passes.unwrap_or(u32::MAX) {
            let mut changed = false;
            let mut i = 1;
            while i < blocks.len() {
                let smooth = i + 1 < blocks.len() && blocks[i].1 != Gap::Forced && blocks[i + 1].1 != Gap::Forced && {
                    let [left, own, right] = [i - 1, i, i + 1].map(|at| blocks[at].0.density().value());
                    match options.smoothing {
                        Smoothing::Off => false,
                        Smoothing::On => left == right && own < left,
                        Smoothing::Low => left <= 5.0 && right <= 5.0,
                    }
                };
                let fuses = match blocks[i].1 {
                    Gap::Forced => false,
                    Gap::None => true,
                    Gap::Open => blocks[i - 1].0.density().is_within(blocks[i].0.density(), theta),
                };
                if smooth {
                    blocks[i - 1].0 = blocks[i - 1].0.fuse(blocks[i].0).fuse(blocks[i + 1].0);
                    blocks.drain(i..=i + 1);
                    changed = true;
                } else if fuses {
                    blocks[i - 1].0 = blocks[i - 1].0.fuse(blocks[i].0);
                    blocks.remove(i);
                    changed = true;
                } else {
                    i += 1;
                }
            }
            if !changed {
                break;
            }
        }
        blocks.into_iter().map(|(_, _, start)| start).collect()
    }

    fn counts(words: u32, lines: u32) -> Counts {
        let last_line = words.checked_div(lines).unwrap_or(0).max(1).min(words);
        Counts { words, lines, last_line, ..Counts::default() }
    }

    fn block() -> impl Strategy<Value = (Counts, Gap)> {
        // Few different densities, so that equal ones (and smoothing) occur.
        let gap = prop_oneof![6 => Just(Gap::Open), 1 => Just(Gap::None), 1 => Just(Gap::Forced)];
        ((1u32..14, 1u32..4), gap).prop_map(|((density, lines), gap)| (counts(density * lines, lines), gap))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]
        #[test]
        fn the_work_list_agrees_with_whole_passes(
            blocks in proptest::collection::vec(block(), 0..60),
            theta in prop_oneof![Just(0.0), Just(0.2), Just(0.38), Just(0.6), Just(f64::INFINITY), 0.0..1.0f64],
            smoothing in prop_oneof![Just(Smoothing::Off), Just(Smoothing::On), Just(Smoothing::Low)],
            passes in prop_oneof![Just(None), (0u32..4).prop_map(Some)],
        ) {
            let options = FusionOptions { theta, smoothing, rules: None, passes };
            let numbered = blocks.iter().zip(0..).map(|(&(c, g), i)| (c, g, i)).collect();
            prop_assert_eq!(fuse(blocks, &options), naive(numbered, &options));
        }
    }

    #[test]
    fn many_passes_stay_linear() {
        // A staircase on which each pass can fuse only at one end.
        let stairs = |n: u32| (0..n).map(|i| (counts(1000 + 700 * (n - i), 1), Gap::Open)).collect::<Vec<_>>();
        let options = FusionOptions { theta: 0.0005, ..FusionOptions::smoothed() };
        let starts = fuse(stairs(100_000), &options);
        assert!(!starts.is_empty());
    }

    #[test]
    fn smoothing_fuses_a_lower_block_between_equal_ones() {
        let row = vec![(counts(10, 1), Gap::Open), (counts(1, 1), Gap::Open), (counts(10, 1), Gap::Open)];
        assert_eq!(fuse(row.clone(), &FusionOptions::smoothed()), [0]);
        assert_eq!(fuse(row.clone(), &FusionOptions::plain()), [0, 1, 2]);
        let mut forced = row;
        forced[2].1 = Gap::Forced;
        assert_eq!(fuse(forced, &FusionOptions::smoothed()), [0, 1, 2]);
    }
}
