//! Stages that change verdicts by where a unit stands: behind the end, between title and text, beside the largest.

use super::unit::{Marks, StageInfo, Trail, Unit};
use super::{Input, Stage};

/// Nothing is content from the first terminator on, once enough content words were seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutAfterEnd {
    /// Content words that must have been seen.
    pub(super) words: u32,
}

impl Default for CutAfterEnd {
    fn default() -> Self {
        CutAfterEnd { words: 60 }
    }
}

static CUT_AFTER_END: StageInfo =
    StageInfo { name: "cut-after-end", source: "boilerpipe", rules: &["boilerplate: after the end of the text of {} words"] };

impl Stage for CutAfterEnd {
    fn info(&self) -> &'static StageInfo {
        &CUT_AFTER_END
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let mut words = 0u32;
        let mut ended = false;
        let cut = |unit: Unit| {
            ended |= unit.marks.has(Marks::END) && words >= self.words;
            if !unit.content {
                return unit;
            }
            if ended {
                return unit.decided(false, trail.note(&CUT_AFTER_END, 0, &[words as f32]));
            }
            words = words.saturating_add(unit.counts.words);
            unit
        };
        units.into_iter().map(cut).collect()
    }
}

/// A heading that ends the content heads nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrailingHeadline;

static TRAILING_HEADLINE: StageInfo =
    StageInfo { name: "trailing-headline", source: "boilerpipe", rules: &["boilerplate: a heading followed by nothing"] };

impl Stage for TrailingHeadline {
    fn info(&self) -> &'static StageInfo {
        &TRAILING_HEADLINE
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let mut out = units;
        for unit in out.iter_mut().rev().filter(|u| u.content) {
            if !unit.marks.has(Marks::HEADING) {
                break;
            }
            *unit = unit.decided(false, trail.note(&TRAILING_HEADLINE, 0, &[]));
        }
        out
    }
}

/// Leaves out what is not content; the title stays.
#[derive(Clone, Copy, Debug)]
pub(super) struct DropBoilerplate;

static DROP_BOILERPLATE: StageInfo = StageInfo { name: "drop-boilerplate", source: "boilerpipe", rules: &["boilerplate: dropped"] };

impl Stage for DropBoilerplate {
    fn info(&self) -> &'static StageInfo {
        &DROP_BOILERPLATE
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let mut out = units;
        out.retain(|unit| {
            let keep = unit.content || unit.marks.has(Marks::TITLE);
            if !keep {
                trail.drop_unit(unit);
            }
            keep
        });
        out
    }
}

/// Only the content unit with most words stays content.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Largest {
    /// Others at its level with at least so many words stay as well.
    pub(super) same_level_words: Option<u32>,
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

impl Stage for Largest {
    fn info(&self) -> &'static StageInfo {
        &LARGEST
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        // Of runs with the same number of words the first wins.
        let best = units.iter().enumerate().filter(|(_, u)| u.content).max_by_key(|(i, u)| (u.counts.words, std::cmp::Reverse(*i)));
        let Some((best, &largest)) = best else { return units };
        let words = largest.counts.words as f32;
        let mut out = units;
        for (i, unit) in out.iter_mut().enumerate() {
            if i == best {
                *unit = unit.decided(true, trail.note(&LARGEST, 0, &[words]));
                unit.marks = unit.marks.with(Marks::LARGEST);
            } else {
                if unit.content {
                    *unit = unit.decided(false, trail.note(&LARGEST, 1, &[unit.counts.words as f32, words]));
                }
                unit.marks = unit.marks.with(Marks::MAYBE);
            }
        }
        if let Some(least) = self.same_level_words {
            let mut keep = |unit: &mut Unit| {
                let go_on = unit.level >= largest.level;
                if unit.level == largest.level && unit.counts.words >= least {
                    *unit = unit.decided(true, trail.note(&LARGEST, 2, &[unit.counts.words as f32]));
                }
                go_on
            };
            let (before, behind) = out.split_at_mut(best);
            let _ = before.iter_mut().rev().all(&mut keep);
            let _ = behind.iter_mut().skip(1).all(&mut keep);
        }
        out
    }
}

/// What stands between the title and the first content is content.
#[derive(Clone, Copy, Debug)]
pub(super) struct TitleToContent;

static TITLE_TO_CONTENT: StageInfo =
    StageInfo { name: "title-to-content", source: "boilerpipe", rules: &["content: between the title and the text"] };

impl Stage for TitleToContent {
    fn info(&self) -> &'static StageInfo {
        &TITLE_TO_CONTENT
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let mut out = units;
        let Some(start) = out.iter().position(|u| u.content) else { return out };
        let Some(title) = out[..start].iter().rposition(|u| u.marks.has(Marks::TITLE)) else { return out };
        for unit in &mut out[title..start] {
            *unit = unit.decided(true, trail.note(&TITLE_TO_CONTENT, 0, &[]));
        }
        out
    }
}

/// Large units at the level of the largest run are content.
#[derive(Clone, Copy, Debug)]
pub(super) struct LargeSameLevel {
    /// Least words.
    pub(super) words: u32,
}

impl Default for LargeSameLevel {
    fn default() -> Self {
        LargeSameLevel { words: 100 }
    }
}

static LARGE_SAME_LEVEL: StageInfo =
    StageInfo { name: "large-same-level", source: "boilerpipe", rules: &["content: {} words at the level of the largest run"] };

impl Stage for LargeSameLevel {
    fn info(&self) -> &'static StageInfo {
        &LARGE_SAME_LEVEL
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let mut out = units;
        let Some(level) = out.iter().find(|u| u.marks.has(Marks::LARGEST)).map(|u| u.level) else { return out };
        for unit in out.iter_mut().filter(|u| !u.content && u.level == level && u.counts.words >= self.words) {
            *unit = unit.decided(true, trail.note(&LARGE_SAME_LEVEL, 0, &[unit.counts.words as f32]));
        }
        out
    }
}

/// List items right behind the largest run, deeper than it and not linked, belong to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListAtEnd;

static LIST_AT_END: StageInfo =
    StageInfo { name: "list-at-end", source: "boilerpipe", rules: &["content: list that ends the text"] };

impl Stage for ListAtEnd {
    fn info(&self) -> &'static StageInfo {
        &LIST_AT_END
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let mut out = units;
        let mut level = None;
        for unit in &mut out {
            if unit.content && unit.marks.has(Marks::LARGEST) {
                level = Some(unit.level);
            } else if level.is_some_and(|l| unit.level > l)
                && unit.marks.has(Marks::LIST_ITEM.with(Marks::MAYBE))
                && unit.counts.link_words == 0
            {
                if !unit.content {
                    *unit = unit.decided(true, trail.note(&LIST_AT_END, 0, &[]));
                }
            } else {
                level = None;
            }
        }
        out
    }
}

/// The thesis' main-content filter: nothing below a comments marker, nothing above the title.
///
/// A marker counts only behind enough content, as in [`CutAfterEnd`]: pages link to their comments from the top as well.
#[derive(Clone, Copy, Debug)]
pub(super) struct MainContent {
    /// Content words that must stand between the title and a marker.
    pub(super) words: u32,
}

impl Default for MainContent {
    fn default() -> Self {
        MainContent { words: CutAfterEnd::default().words }
    }
}

static MAIN_CONTENT: StageInfo = StageInfo {
    name: "main-content",
    source: "Kohlschütter's thesis, 4.4.3",
    rules: &["boilerplate: above the title", "boilerplate: below a comments marker"],
};

impl Stage for MainContent {
    fn info(&self) -> &'static StageInfo {
        &MAIN_CONTENT
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let words_behind = |at: usize| -> u64 { units[at..].iter().filter(|u| u.content).map(|u| u64::from(u.counts.words)).sum() };
        // A title with less content below it than above is a repetition of the title further down.
        let all = words_behind(0);
        let title = units.iter().position(|u| u.marks.has(Marks::TITLE)).filter(|&at| 2 * words_behind(at) > all).unwrap_or(0);
        let mut words = 0;
        let mut ended = false;
        let cut = |(i, unit): (usize, Unit)| {
            ended |= i > title && words >= self.words && unit.marks.has(Marks::END);
            if !unit.content {
                return unit;
            }
            if i < title || ended {
                return unit.decided(false, trail.note(&MAIN_CONTENT, u8::from(i >= title), &[]));
            }
            words = words.saturating_add(unit.counts.words);
            unit
        };
        units.into_iter().enumerate().map(cut).collect()
    }
}

/// Splits content into its blocks again and keeps those with sentences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clauses {
    /// Least words of a clause.
    pub(super) words: u32,
}

impl Default for Clauses {
    fn default() -> Self {
        Clauses { words: 5 }
    }
}

static CLAUSES: StageInfo =
    StageInfo { name: "clauses", source: "boilerpipe", rules: &["boilerplate: no clause of at least {} words"] };

/// Characters that end a clause.
const CLAUSE_ENDS: [char; 13] = [',', '.', ':', ';', '!', '?', '。', '，', '、', '；', '！', '？', '：'];

/// Has a text a clause with an end and at least `least` words?
fn has_clause(text: &str, least: u32) -> bool {
    let mut words = 0;
    for word in text.split_whitespace() {
        // Ideographs are words of their own here, about two to a word.
        let wide = word.chars().filter(|&c| crate::block::is_unspaced(c)).count() as u32;
        words += (wide / 2).max(u32::from(word.chars().any(char::is_alphanumeric)));
        let last = word.trim_end_matches(['"', '\'', ')', '”', '’', '»', '」']);
        if last.ends_with(CLAUSE_ENDS) || (wide > 0 && word.contains(CLAUSE_ENDS)) {
            if words >= least {
                return true;
            }
            words = 0;
        }
    }
    false
}

impl Stage for Clauses {
    fn info(&self) -> &'static StageInfo {
        &CLAUSES
    }

    fn apply(&self, input: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let each = Unit::each(input.blocks);
        let mut out = Vec::with_capacity(units.len());
        for unit in units {
            if !unit.content {
                out.push(unit);
                continue;
            }
            for &block in &each[unit.first as usize..=unit.last as usize] {
                if trail.dropped[block.first as usize] {
                    continue;
                }
                let keep = has_clause(&input.text(&block), self.words);
                let step = if keep { unit.step } else { trail.note(&CLAUSES, 0, &[self.words as f32]) };
                out.push(Unit { marks: block.marks.with(unit.marks), ..block.decided(keep, step) });
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::has_clause;

    #[test]
    fn clauses_by_their_ends() {
        assert!(has_clause("The quick brown fox jumps. Yes", 5));
        assert!(has_clause("He said: \"that is not what it is.\"", 5));
        assert!(!has_clause("The quick, brown, fox jumps over", 5));
        assert!(!has_clause("The quick brown fox jumps over the dog", 5));
        assert!(has_clause("今天北京的天气非常好，大家都出门了。", 5));
    }
}
