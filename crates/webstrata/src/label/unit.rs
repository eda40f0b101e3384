//! The data that stages pass on: a sequence of units, each of one block or of several fused ones, with a verdict and the step
//! that made it.

use super::{Input, Stage};
use crate::block::{Blocks, Context, Counts};
use std::fmt;

/// Marks on a unit, set by one stage for another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    /// Matches the page's title.
    pub(super) const TITLE: Marks = Marks(1);
    /// Marks the end of the text ("User comments").
    pub(super) const END: Marks = Marks(1 << 1);
    /// Is a heading.
    pub(super) const HEADING: Marks = Marks(1 << 2);
    /// Is a list item.
    pub(super) const LIST_ITEM: Marks = Marks(1 << 3);
    /// Is the run with the most words.
    pub(super) const LARGEST: Marks = Marks(1 << 4);
    /// Was content before another run was found to be the largest.
    pub(super) const MIGHT_BE_CONTENT: Marks = Marks(1 << 5);

    /// Whether all marks of `other` are set.
    pub(super) const fn has(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union with the marks of `other`.
    pub(super) const fn with(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

/// Blocks `first..=last`, fused, with a verdict.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    /// Number of its first block.
    pub(super) first: u32,
    /// Number of its last block.
    pub(super) last: u32,
    /// Words, lines and linked words of all of them.
    pub(super) counts: Counts,
    /// Number of enclosing elements that are not inline: the minimum of its blocks.
    pub(super) level: u16,
    /// Marks.
    pub(super) marks: Marks,
    /// Whether it is content.
    pub(super) content: bool,
    /// The step that decided last.
    pub(crate) step: u32,
}

impl Unit {
    /// One unit per block, none of them content yet.
    pub(crate) fn for_blocks(blocks: Blocks<'_>) -> Vec<Unit> {
        let unit = |(i, record): (usize, &crate::block::Record)| {
            let mut marks = Marks::default();
            if record.context.intersects(Context::HEADING) {
                marks = marks.with(Marks::HEADING);
            }
            if record.context.intersects(Context::LIST) {
                marks = marks.with(Marks::LIST_ITEM);
            }
            let number = i as u32;
            Unit { first: number, last: number, counts: record.counts, level: record.level, marks, content: false, step: 0 }
        };
        blocks.records().iter().enumerate().map(unit).collect()
    }

    /// Fuses this unit and the next one; content if either is.
    #[must_use]
    pub(crate) fn fuse(self, next: Unit) -> Unit {
        Unit {
            first: self.first,
            last: next.last,
            counts: self.counts.fuse(next.counts),
            level: self.level.min(next.level),
            marks: self.marks.with(next.marks),
            content: self.content || next.content,
            step: self.step,
        }
    }

    /// The same unit with another verdict and the step that explains it.
    #[must_use]
    pub(crate) fn decided(self, content: bool, step: u32) -> Unit {
        Unit { content, step, ..self }
    }
}

/// Maximum number of operands of a step.
pub(crate) const MAX_OPERANDS: usize = 5;

/// One decision: the stage, its rule and the operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) stage: &'static StageInfo,
    pub(crate) rule: u8,
    pub(crate) operands: [f32; MAX_OPERANDS],
}

/// Description of a stage.
///
/// ```
/// use webstrata::label::Preset;
/// let tree = Preset::NumWordsRules.pipeline().stages().next().unwrap();
/// assert_eq!((tree.name, tree.source), ("num-words", "Kohlschütter's thesis, Algorithm 4.3"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StageInfo {
    /// The name, as users see it.
    pub name: &'static str,
    /// The paper or program that it comes from.
    pub source: &'static str,
    /// The text of its rules, by number, with `{}` for each operand.
    pub rules: &'static [&'static str],
}

/// The function of a stage without parameters.
type Apply = fn(&Input<'_>, Vec<Unit>, &mut Trail) -> Vec<Unit>;

/// A stage that is a function.
pub(super) struct FnStage {
    info: &'static StageInfo,
    apply: Apply,
}

impl FnStage {
    pub(super) const fn new(info: &'static StageInfo, apply: Apply) -> Self {
        FnStage { info, apply }
    }
}

impl fmt::Debug for FnStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.name)
    }
}

impl Stage for FnStage {
    fn info(&self) -> &'static StageInfo {
        self.info
    }

    fn apply(&self, input: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        (self.apply)(input, units, trail)
    }
}

static START: StageInfo = StageInfo { name: "start", source: "", rules: &["not decided yet"] };

/// The blocks dropped so far and, if reasons are recorded, all steps in order.
#[derive(Clone, Debug)]
pub(crate) struct Trail {
    /// Whether each block was dropped.
    pub(crate) dropped: Vec<bool>,
    /// Empty unless reasons are recorded.
    steps: Vec<Step>,
    /// For each block, the step of the stage that judged it by its own features.
    pub(crate) judged: Vec<u32>,
    /// For each block, the last step before it was dropped.
    pub(crate) dropped_by: Vec<u32>,
}

impl Trail {
    /// A trail without reasons.
    pub(crate) fn without_reasons(blocks: usize) -> Self {
        Trail { dropped: vec![false; blocks], steps: Vec::new(), judged: Vec::new(), dropped_by: Vec::new() }
    }

    /// A trail with reasons: about 50 bytes more per block.
    pub(crate) fn with_reasons(blocks: usize) -> Self {
        let start = Step { stage: &START, rule: 0, operands: [0.0; MAX_OPERANDS] };
        Trail { steps: vec![start], judged: vec![0; blocks], dropped_by: vec![0; blocks], ..Trail::without_reasons(blocks) }
    }

    fn has_reasons(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Records a step and returns its number; 0 unless reasons are recorded.
    pub(crate) fn note(&mut self, stage: &'static StageInfo, rule: u8, operands: &[f32]) -> u32 {
        if !self.has_reasons() {
            return 0;
        }
        let mut all = [0.0; MAX_OPERANDS];
        for (slot, value) in all.iter_mut().zip(operands) {
            *slot = *value;
        }
        self.steps.push(Step { stage, rule, operands: all });
        self.steps.len() as u32 - 1
    }

    /// Records that a step judged the blocks of a unit by their own features.
    pub(crate) fn judge(&mut self, unit: &Unit, step: u32) {
        if self.has_reasons() {
            self.judged[unit.first as usize..=unit.last as usize].fill(step);
        }
    }

    /// Drops a unit.
    pub(crate) fn drop_unit(&mut self, unit: &Unit) {
        let blocks = unit.first as usize..=unit.last as usize;
        self.dropped[blocks.clone()].fill(true);
        if self.has_reasons() {
            self.dropped_by[blocks].fill(unit.step);
        }
    }

    /// The stage that made a step.
    pub(crate) fn stage(&self, step: u32) -> Option<&'static StageInfo> {
        self.steps.get(step as usize).map(|step| step.stage)
    }

    /// A description of a step.
    pub(crate) fn explain(&self, step: u32) -> String {
        let Some(step) = self.steps.get(step as usize) else { return String::new() };
        let text = step.stage.rules.get(step.rule as usize).copied().unwrap_or("");
        let mut operands = step.operands.iter();
        let mut out = format!("{}: ", step.stage.name);
        let mut parts = text.split("{}");
        out.push_str(parts.next().unwrap_or(""));
        for part in parts {
            let value = f64::from(operands.next().copied().unwrap_or(0.0));
            // Two decimals are enough to see why; whole numbers have none.
            let shown = if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") };
            out.push_str(&shown);
            out.push_str(part);
        }
        out
    }
}
