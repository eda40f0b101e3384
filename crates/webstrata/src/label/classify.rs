//! Classifiers that are one rule: on words, on density, on both, or none.

use super::unit::{StageInfo, Trail, Unit};
use super::{Input, Stage};

/// Judges every unit by one rule; what the simple classifiers share.
fn judge_each(
    mut units: Vec<Unit>,
    trail: &mut Trail,
    info: &'static StageInfo,
    rule: impl Fn(&[Unit], usize) -> (bool, [f32; 3]),
) -> Vec<Unit> {
    for i in 0..units.len() {
        let (content, operands) = rule(&units, i);
        // Rule 0 of each stage says why something is content, rule 1 why not.
        let step = trail.note(info, u8::from(!content), &operands);
        trail.judge(&units[i], step);
        units[i] = units[i].decided(content, step);
    }
    units
}

/// Blocks with at least so many words are content (thesis 4.4.3: 10; 11 for BLOGS06).
#[derive(Clone, Copy, Debug)]
pub(super) struct MinWords(pub(super) u32);

static MIN_WORDS: StageInfo = StageInfo {
    name: "min-words",
    source: "Kohlschütter's thesis, 4.4.3",
    rules: &["content: word count {} >= {}", "boilerplate: word count {} < {}"],
};

impl Stage for MinWords {
    fn info(&self) -> &'static StageInfo {
        &MIN_WORDS
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        judge_each(units, trail, &MIN_WORDS, |units, i| {
            let unit = &units[i];
            (unit.counts.words >= self.0, [unit.counts.words as f32, self.0 as f32, 0.0])
        })
    }
}

/// Blocks that are dense and not mostly links are content: the rule that C4.8 finds on CleanEval (thesis 4.4.3).
#[derive(Clone, Copy, Debug)]
pub(super) struct DensityMin {
    /// Least text density.
    pub(super) density: f64,
    /// Largest link density.
    pub(super) links: f64,
}

impl Default for DensityMin {
    fn default() -> Self {
        DensityMin { density: 7.0, links: 0.35 }
    }
}

static DENSITY_MIN: StageInfo = StageInfo {
    name: "density-min",
    source: "Kohlschütter's thesis, 4.4.3, trained on CleanEval",
    rules: &[
        "content: text density {} >= {} and low link density {}",
        "boilerplate: text density {} (minimum {}), link density {}",
    ],
};

impl Stage for DensityMin {
    fn info(&self) -> &'static StageInfo {
        &DENSITY_MIN
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        judge_each(units, trail, &DENSITY_MIN, |units, i| {
            let unit = &units[i];
            let (density, links) = (unit.counts.density().value(), unit.counts.link_density());
            (density >= self.density && links <= self.links, [density as f32, self.density as f32, links as f32])
        })
    }
}

/// 1R: one feature, one threshold (thesis 4.4.3: text density, 10.5).
#[derive(Clone, Copy, Debug)]
pub(super) struct OneR {
    /// Least text density of content.
    pub(super) density: f64,
}

impl Default for OneR {
    fn default() -> Self {
        OneR { density: 10.5 }
    }
}

static ONE_R: StageInfo = StageInfo {
    name: "1r",
    source: "Kohlschütter's thesis, 4.4.3",
    rules: &["content: text density {} >= {}", "boilerplate: text density {} < {}"],
};

impl Stage for OneR {
    fn info(&self) -> &'static StageInfo {
        &ONE_R
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        judge_each(units, trail, &ONE_R, |units, i| {
            let unit = &units[i];
            let density = unit.counts.density().value();
            (density >= self.density, [density as f32, self.density as f32, 0.0])
        })
    }
}

/// Everything is content.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeepEverything;

static KEEP_EVERYTHING: StageInfo =
    StageInfo { name: "keep-everything", source: "baseline", rules: &["content: everything is kept"] };

impl Stage for KeepEverything {
    fn info(&self) -> &'static StageInfo {
        &KEEP_EVERYTHING
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        judge_each(units, trail, &KEEP_EVERYTHING, |_, _| (true, [0.0; 3]))
    }
}

/// Boilerpipe's rule trained on the KrdWrd Canola corpus.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canola;

static CANOLA: StageInfo = StageInfo {
    name: "canola",
    source: "boilerpipe, trained on the Canola corpus",
    rules: &["content: word count {}, previous {}, next {}", "boilerplate: word count {}, previous {}, next {}"],
};

impl Stage for Canola {
    fn info(&self) -> &'static StageInfo {
        &CANOLA
    }

    fn apply(&self, _: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        judge_each(units, trail, &CANOLA, |units, i| {
            let unit = &units[i];
            let counts = |at: Option<usize>| at.and_then(|at| units.get(at)).map(|u| u.counts).unwrap_or_default();
            let (before, behind) = (counts(i.checked_sub(1)), counts(Some(i + 1)));
            let words = unit.counts.words;
            let unlinked = behind.link_words == 0 && before.link_words == 0;
            let content = (unit.counts.link_words > 0 && behind.words > 11)
                || words > 19
                || (behind.words > 6 && unlinked && (words > 6 || before.words > 7 || behind.words > 19));
            (content, [words as f32, before.words as f32, behind.words as f32])
        })
    }
}
