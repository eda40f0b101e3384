//! Stages that change verdicts by position: after the end of the text, between title and text, next to the largest run.

use super::Input;
use super::clauses::has_clause;
use super::unit::{FnStage, Marks, StageInfo, Trail, Unit};

/// Content words that must precede a marker of the end of the text: pages link to their comments from the top as well.
const WORDS_BEFORE_END: u32 = 60;

/// Nothing is content from the first terminator on, once there were enough content words.
pub(super) fn cut_after_end() -> FnStage {
    static INFO: StageInfo =
        StageInfo { name: "cut-after-end", source: "boilerpipe", rules: &["boilerplate: after the end of the text of {} words"] };
    FnStage::new(&INFO, |_, units, trail| {
        let mut words = 0u32;
        let mut ended = false;
        let cut = |unit: Unit| {
            ended |= unit.marks.has(Marks::END) && words >= WORDS_BEFORE_END;
            if !unit.content {
                return unit;
            }
            if ended {
                return unit.decided(false, trail.note(&INFO, 0, &[words as f32]));
            }
            words = words.saturating_add(unit.counts.words);
            unit
        };
        units.into_iter().map(cut).collect()
    })
}

/// A heading at the end of the content is not content: nothing follows it.
pub(super) fn trailing_headline() -> FnStage {
    static INFO: StageInfo =
        StageInfo { name: "trailing-headline", source: "boilerpipe", rules: &["boilerplate: a heading followed by nothing"] };
    FnStage::new(&INFO, |_, mut units, trail| {
        for unit in units.iter_mut().rev().filter(|u| u.content) {
            if !unit.marks.has(Marks::HEADING) {
                break;
            }
            *unit = unit.decided(false, trail.note(&INFO, 0, &[]));
        }
        units
    })
}

/// Drops units that are not content, except the title.
pub(super) fn drop_boilerplate() -> FnStage {
    static INFO: StageInfo = StageInfo { name: "drop-boilerplate", source: "boilerpipe", rules: &["boilerplate: dropped"] };
    FnStage::new(&INFO, |_, mut units, trail| {
        units.retain(|unit| {
            let keep = unit.content || unit.marks.has(Marks::TITLE);
            if !keep {
                trail.drop_unit(unit);
            }
            keep
        });
        units
    })
}

/// Only the content unit with the most words stays content.
pub(super) fn largest() -> FnStage {
    FnStage::new(&LARGEST, |_, units, trail| keep_largest(units, trail).0)
}

/// Like [`largest`], but other units at its level with at least 150 words also stay content.
pub(super) fn largest_and_same_level() -> FnStage {
    const MIN_WORDS: u32 = 150;
    FnStage::new(&LARGEST, |_, units, trail| {
        let (mut units, best) = keep_largest(units, trail);
        let Some(best) = best else { return units };
        let level = units[best].level;
        // Walks away from the largest run in both directions, until a unit is at a higher level.
        let mut keep = |unit: &mut Unit| {
            let inside = unit.level >= level;
            if unit.level == level && unit.counts.words >= MIN_WORDS {
                *unit = unit.decided(true, trail.note(&LARGEST, 2, &[unit.counts.words as f32]));
            }
            inside
        };
        let (before, after) = units.split_at_mut(best);
        let _ = before.iter_mut().rev().all(&mut keep);
        let _ = after.iter_mut().skip(1).all(&mut keep);
        units
    })
}

static LARGEST: StageInfo = StageInfo {
    name: "largest",
    source: "Kohlschütter's thesis, 4.4.3; boilerpipe",
    rules: &[
        "content: the largest run, {} words",
        "boilerplate: {} words, the largest run has {}",
        "content: {} words at the level of the largest run",
    ],
};

/// Returns the units and the index of the largest. Ties go to the first.
fn keep_largest(mut units: Vec<Unit>, trail: &mut Trail) -> (Vec<Unit>, Option<usize>) {
    let best = units.iter().enumerate().filter(|(_, u)| u.content).max_by_key(|(i, u)| (u.counts.words, std::cmp::Reverse(*i)));
    let Some((best, &largest)) = best else { return (units, None) };
    let words = largest.counts.words as f32;
    for (i, unit) in units.iter_mut().enumerate() {
        if i == best {
            *unit = unit.decided(true, trail.note(&LARGEST, 0, &[words]));
            unit.marks = unit.marks.with(Marks::LARGEST);
        } else {
            if unit.content {
                *unit = unit.decided(false, trail.note(&LARGEST, 1, &[unit.counts.words as f32, words]));
            }
            unit.marks = unit.marks.with(Marks::MIGHT_BE_CONTENT);
        }
    }
    (units, Some(best))
}

/// Everything between the title and the first content is content.
pub(super) fn title_to_content() -> FnStage {
    static INFO: StageInfo =
        StageInfo { name: "title-to-content", source: "boilerpipe", rules: &["content: between the title and the text"] };
    FnStage::new(&INFO, |_, mut units, trail| {
        let Some(start) = units.iter().position(|u| u.content) else { return units };
        let Some(title) = units[..start].iter().rposition(|u| u.marks.has(Marks::TITLE)) else { return units };
        for unit in &mut units[title..start] {
            *unit = unit.decided(true, trail.note(&INFO, 0, &[]));
        }
        units
    })
}

/// Units with at least 100 words at the level of the largest run are content.
pub(super) fn large_same_level() -> FnStage {
    const MIN_WORDS: u32 = 100;
    static INFO: StageInfo =
        StageInfo { name: "large-same-level", source: "boilerpipe", rules: &["content: {} words at the level of the largest run"] };
    FnStage::new(&INFO, |_, mut units, trail| {
        let Some(level) = units.iter().find(|u| u.marks.has(Marks::LARGEST)).map(|u| u.level) else { return units };
        for unit in units.iter_mut().filter(|u| !u.content && u.level == level && u.counts.words >= MIN_WORDS) {
            *unit = unit.decided(true, trail.note(&INFO, 0, &[unit.counts.words as f32]));
        }
        units
    })
}

/// Unlinked list items directly after the largest run, and deeper than it, belong to it.
pub(super) fn list_at_end() -> FnStage {
    static INFO: StageInfo =
        StageInfo { name: "list-at-end", source: "boilerpipe", rules: &["content: list at the end of the text"] };
    FnStage::new(&INFO, |_, mut units, trail| {
        let mut level = None;
        for unit in &mut units {
            if unit.content && unit.marks.has(Marks::LARGEST) {
                level = Some(unit.level);
            } else if level.is_some_and(|l| unit.level > l)
                && unit.marks.has(Marks::LIST_ITEM.with(Marks::MIGHT_BE_CONTENT))
                && unit.counts.link_words == 0
            {
                if !unit.content {
                    *unit = unit.decided(true, trail.note(&INFO, 0, &[]));
                }
            } else {
                level = None;
            }
        }
        units
    })
}

/// The main-content filter of the thesis: nothing below a comments marker, nothing above the title.
///
/// A marker counts only after enough content, as in [`cut_after_end`].
pub(super) fn main_content() -> FnStage {
    static INFO: StageInfo = StageInfo {
        name: "main-content",
        source: "Kohlschütter's thesis, 4.4.3",
        rules: &["boilerplate: above the title", "boilerplate: below a comments marker"],
    };
    FnStage::new(&INFO, |_, units, trail| {
        let words_from = |at: usize| -> u64 { units[at..].iter().filter(|u| u.content).map(|u| u64::from(u.counts.words)).sum() };
        // A title with less content below it than above is a repetition of the title further down.
        let all = words_from(0);
        let title = units.iter().position(|u| u.marks.has(Marks::TITLE)).filter(|&at| 2 * words_from(at) > all).unwrap_or(0);
        let mut words = 0u32;
        let mut ended = false;
        let cut = |(i, unit): (usize, Unit)| {
            ended |= i > title && words >= WORDS_BEFORE_END && unit.marks.has(Marks::END);
            if !unit.content {
                return unit;
            }
            if i < title || ended {
                return unit.decided(false, trail.note(&INFO, u8::from(i >= title), &[]));
            }
            words = words.saturating_add(unit.counts.words);
            unit
        };
        units.into_iter().enumerate().map(cut).collect()
    })
}

/// Splits content into its blocks again and keeps those with a clause of at least 5 words.
pub(super) fn clauses() -> FnStage {
    const MIN_WORDS: u32 = 5;
    static INFO: StageInfo =
        StageInfo { name: "clauses", source: "boilerpipe", rules: &["boilerplate: no clause of at least {} words"] };
    FnStage::new(&INFO, |input: &Input<'_>, units, trail| {
        let blocks = Unit::for_blocks(input.blocks);
        let mut out = Vec::with_capacity(units.len());
        for unit in units {
            if !unit.content {
                out.push(unit);
                continue;
            }
            for &block in &blocks[unit.first as usize..=unit.last as usize] {
                if trail.dropped[block.first as usize] {
                    continue;
                }
                let keep = has_clause(&input.text(&block), MIN_WORDS);
                let step = if keep { unit.step } else { trail.note(&INFO, 0, &[MIN_WORDS as f32]) };
                out.push(Unit { marks: block.marks.with(unit.marks), ..block.decided(keep, step) });
            }
        }
        out
    })
}
