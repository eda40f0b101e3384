//! Single-rule classifiers: on words, on density, on both, or on nothing.

use super::unit::{StageInfo, Trail, Unit};
use super::{Input, Stage};

/// Judges unit `i`: returns whether it is content, and the operands that decided.
type Rule = fn(units: &[Unit], i: usize, thresholds: [f64; 2]) -> (bool, [f32; 3]);

/// A classifier that judges each unit by one rule.
#[derive(Debug)]
pub(super) struct Classifier {
    /// Rule 0 says why a unit is content, rule 1 why it is not.
    info: &'static StageInfo,
    rule: Rule,
    thresholds: [f64; 2],
}

impl Stage for Classifier {
    fn info(&self) -> &'static StageInfo {
        self.info
    }

    fn apply(&self, _: &Input<'_>, mut units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        for i in 0..units.len() {
            let (content, operands) = (self.rule)(&units, i, self.thresholds);
            let step = trail.note(self.info, u8::from(!content), &operands);
            trail.judge(&units[i], step);
            units[i] = units[i].decided(content, step);
        }
        units
    }
}

/// Blocks with at least `words` words are content (thesis 4.4.3: 10; 11 for BLOGS06).
pub(super) fn min_words(words: u32) -> Classifier {
    static INFO: StageInfo = StageInfo {
        name: "min-words",
        source: "Kohlschütter's thesis, 4.4.3",
        rules: &["content: word count {} >= {}", "boilerplate: word count {} < {}"],
    };
    let rule: Rule = |units, i, [min, _]| {
        let words = units[i].counts.words;
        (f64::from(words) >= min, [words as f32, min as f32, 0.0])
    };
    Classifier { info: &INFO, rule, thresholds: [f64::from(words), 0.0] }
}

/// Dense blocks that are not mostly links are content: the rule that C4.8 finds on CleanEval (thesis 4.4.3: density at least
/// 7, links at most 0.35).
pub(super) fn density_min() -> Classifier {
    static INFO: StageInfo = StageInfo {
        name: "density-min",
        source: "Kohlschütter's thesis, 4.4.3, trained on CleanEval",
        rules: &[
            "content: text density {} >= {} and low link density {}",
            "boilerplate: text density {} (minimum {}), link density {}",
        ],
    };
    let rule: Rule = |units, i, [density, links]| {
        let counts = units[i].counts;
        let (has, linked) = (counts.density().value(), counts.link_density());
        (has >= density && linked <= links, [has as f32, density as f32, linked as f32])
    };
    Classifier { info: &INFO, rule, thresholds: [7.0, 0.35] }
}

/// 1R: one feature, one threshold (thesis 4.4.3: text density, 10.5).
pub(super) fn one_r() -> Classifier {
    static INFO: StageInfo = StageInfo {
        name: "1r",
        source: "Kohlschütter's thesis, 4.4.3",
        rules: &["content: text density {} >= {}", "boilerplate: text density {} < {}"],
    };
    let rule: Rule = |units, i, [min, _]| {
        let density = units[i].counts.density().value();
        (density >= min, [density as f32, min as f32, 0.0])
    };
    Classifier { info: &INFO, rule, thresholds: [10.5, 0.0] }
}

/// Everything is content.
pub(super) fn keep_everything() -> Classifier {
    static INFO: StageInfo = StageInfo { name: "keep-everything", source: "baseline", rules: &["content: everything is kept"] };
    Classifier { info: &INFO, rule: |_, _, _| (true, [0.0; 3]), thresholds: [0.0; 2] }
}

/// Boilerpipe's rule trained on the KrdWrd Canola corpus.
pub(super) fn canola() -> Classifier {
    static INFO: StageInfo = StageInfo {
        name: "canola",
        source: "boilerpipe, trained on the Canola corpus",
        rules: &["content: word count {}, previous {}, next {}", "boilerplate: word count {}, previous {}, next {}"],
    };
    let rule: Rule = |units, i, _| {
        let counts = |at: Option<usize>| at.and_then(|at| units.get(at)).map(|u| u.counts).unwrap_or_default();
        let (before, unit, after) = (counts(i.checked_sub(1)), units[i].counts, counts(Some(i + 1)));
        let unlinked = after.link_words == 0 && before.link_words == 0;
        let content = (unit.link_words > 0 && after.words > 11)
            || unit.words > 19
            || (after.words > 6 && unlinked && (unit.words > 6 || before.words > 7 || after.words > 19));
        (content, [unit.words as f32, before.words as f32, after.words as f32])
    };
    Classifier { info: &INFO, rule, thresholds: [0.0; 2] }
}
