//! Words by text density (figures 4.14, 4.15, 4.17): the mixture of two kinds of text, told apart by the full stop.

use super::{Figure, Section, beside, number, percent, quality, ratio, row, series};
use crate::count::{MAX_DENSITY, MAX_SHORT, Summary, TENTHS};
use crate::fit::{Fitted, fit, ranked};
use crate::law::{BetaCurve, BetaNormalBeta, Law, Points, ThreeBetas};
use crate::plot::{Chart, ChartKind, Series};
use crate::table::Table;

/// Curve points between two classes.
const STEPS: u32 = 8;

/// Shares of words by density, from 1 to the last density with a notable share.
pub(super) fn shares(words: &[u64]) -> (Points, f64) {
    let sum = words.iter().sum::<u64>().max(1) as f64;
    let last = words.iter().rposition(|count| *count as f64 / sum > 1e-6).unwrap_or(0).max(1);
    let points = Points::new((1..=last).map(|class| (class as f64, words[class.min(words.len() - 1)] as f64 / sum)));
    // Divided by this, all classes are below 1.
    (points, last as f64 + 1.0)
}

fn smooth(name: &str, curve: &dyn Fn(f64) -> f64, last: f64) -> Series {
    let steps = last as u32 * STEPS;
    series(name, (STEPS / 2..=steps).map(|step| f64::from(step) / f64::from(STEPS)).map(|x| (x, curve(x))))
}

pub(super) fn all_words(summary: &Summary) -> Vec<u64> {
    let [without, with] = &summary.tallies.density_words;
    (0..=MAX_DENSITY).map(|class| without.get(class) + with.get(class)).collect()
}

/// Figure 4.14 and equation 4.17.
pub(super) fn mixture(summary: &Summary) -> Section {
    let words = all_words(summary);
    let (points, norm) = shares(&words);
    let mut section = Section {
        id: "density",
        title: "Words by text density: a Beta–Normal–Beta mixture",
        about: "Text density is the number of words per line of 80 characters. Words are counted by the rounded density of their segment \
                (figure 4.14). Short and long text each follow a Beta distribution; a normal distribution is the transition between them \
                (equation 4.18). Three Beta distributions are the thesis' second choice (equation 4.17)."
            .into(),
        ..Section::default()
    };
    let law = BetaNormalBeta { norm };
    let mixture = section.fit(fit(&law, &points));
    let betas = ThreeBetas { norm };
    let three = section.fit(fit(&betas, &points));
    let last = norm - 1.0;
    let mut table = beside();
    quality(&mut table, "Beta–Normal–Beta", mixture.as_ref(), [".998", ".0021"]);
    quality(&mut table, "three Betas", three.as_ref(), [".944", ".0031"]);
    let mut lines = Vec::new();
    let mut numbers = Table::new(&["density", "words", "share", "Beta–Normal–Beta", "long", "short", "transition", "three Betas"]);
    if let Some(fitted) = &mixture {
        let values = fitted.values();
        let mode = |a: f64, b: f64| if a > 1.0 && b > 1.0 { number((a - 1.0) / (a + b - 2.0) * norm) } else { "at an end".into() };
        row(&mut table, "mode of long text (density)", mode(values[0], values[1]), "12.15");
        row(&mut table, "mode of short text (density)", mode(values[2], values[3]), "1.99");
        row(&mut table, "d: long text among the two Betas", number(values[5]), ".64");
        let part = |at: usize| points.x.iter().map(|x| law.parts(&values, *x)[at]).sum::<f64>();
        for (at, name, thesis) in [(0, "long text", "–"), (1, "short text", "–"), (2, "the transition", "–")] {
            row(&mut table, &format!("share of words in {name}"), percent(part(at)), thesis);
        }
        let curve = law.curve(&values);
        lines.push(smooth("Beta–Normal–Beta", &*curve, last));
        for (at, name) in [(0, "long text"), (1, "short text"), (2, "transition")] {
            lines.push(smooth(name, &|x| law.parts(&values, x)[at], last));
        }
    }
    let short: u64 = words.iter().take(MAX_SHORT + 1).sum();
    row(&mut table, "words with a density of at most 8", percent(ratio(short, words.iter().sum())), "–");
    let three_values = three.as_ref().map(Fitted::values);
    for (at, (x, y)) in points.x.iter().zip(&points.y).enumerate() {
        let parts = mixture.as_ref().map_or([f64::NAN; 3], |fitted| law.parts(&fitted.values(), *x));
        let third = three_values.as_ref().map_or(f64::NAN, |values| betas.curve(values)(*x));
        let cells = [parts.iter().sum(), parts[0], parts[1], parts[2], third].map(|value: f64| format!("{value:.6}"));
        let mut line = vec![(at + 1).to_string(), words[(at + 1).min(MAX_DENSITY)].to_string(), format!("{y:.6}")];
        line.extend(cells);
        numbers.row(line);
    }
    let title = "Share of words by rounded text density";
    let mut all = vec![series("words", points.x.iter().copied().zip(points.y.iter().copied()))];
    all.extend(lines);
    let chart = Chart {
        title: title.into(),
        x: "text density".into(),
        y: "share of words".into(),
        lines_from: 1,
        ..Chart::new(ChartKind::Bars, all)
    };
    section.fits = ranked(section.fits.into_iter().map(Ok));
    section.findings = vec![table];
    section.figures = vec![Figure { file: "density", title: title.into(), charts: vec![chart], numbers }];
    section
}

/// Figure 4.17: segments with and without a full stop, and prediction of the full stop from density.
pub(super) fn full_stop(summary: &Summary) -> Section {
    let tallies = &summary.tallies;
    let mut section = Section {
        id: "full-stop",
        title: "The full stop tells short and long text apart",
        about: "Segments with at least one full stop and segments without (figure 4.17): each group with its own Beta curve. The density of a \
                segment predicts whether it has a full stop; information gain is in bits, for segments and for segments weighted by their words. The \
                thesis assigns its 69% and 31% to the wrong groups (4.18 and 9.50 of 13.68): 31% of the words are without a full stop."
            .into(),
        ..Section::default()
    };
    let mut table = beside();
    let [without, with] = &tallies.density_words;
    let sums = [without.sum(), with.sum()];
    row(&mut table, "words in segments without a full stop", percent(ratio(sums[0], sums[0] + sums[1])), "31%");
    let prediction = Prediction::new(tallies.density_segments[0].counts(), tallies.density_segments[1].counts());
    let weighted = Prediction::new(without.counts(), with.counts());
    for (name, prediction, thesis) in [("segments", &prediction, [".711", "91.4%"]), ("words", &weighted, ["–", "–"])] {
        row(&mut table, &format!("{name}: information gain of density (bits)"), format!("{:.3}", prediction.gain), thesis[0]);
        row(&mut table, &format!("{name}: correct with the best threshold"), percent(prediction.accuracy), thesis[1]);
        row(&mut table, &format!("{name}: best threshold, full stop from this density on"), prediction.threshold, "–");
        row(&mut table, &format!("{name}: correct with the majority answer"), percent(prediction.majority), "–");
    }
    let mut all = Vec::new();
    let mut lines = Vec::new();
    let mut numbers = Table::new(&["density", "part", "words", "share", "Beta"]);
    let names = [("without a full stop", [".91", ".015"]), ("with a full stop", [".94", ".014"])];
    for ((name, thesis), histogram) in names.into_iter().zip([without, with]) {
        if histogram.sum() == 0 {
            continue;
        }
        let (points, norm) = shares(histogram.counts());
        let law = BetaCurve { norm };
        let fitted = fit(&law, &points).map(|mut fitted| {
            fitted.law = format!("Beta, words {name}");
            fitted
        });
        let fitted = section.fit(fitted);
        quality(&mut table, name, fitted.as_ref(), thesis);
        let values = fitted.as_ref().map(Fitted::values);
        if let Some(values) = &values {
            lines.push(smooth(&format!("Beta, {name}"), &*law.curve(values), norm - 1.0));
        }
        for (x, y) in points.x.iter().zip(&points.y) {
            let beta = values.as_ref().map_or(f64::NAN, |values| law.curve(values)(*x));
            let words = histogram.get(*x as usize).to_string();
            numbers.row(vec![x.to_string(), name.into(), words, format!("{y:.6}"), format!("{beta:.6}")]);
        }
        all.push(series(name, points.x.iter().copied().zip(points.y)));
    }
    let lines_from = all.len();
    all.extend(lines);
    let title = "Share of words by density, without and with a full stop";
    let chart = Chart {
        title: title.into(),
        x: "text density".into(),
        y: "share of the group's words".into(),
        lines_from,
        ..Chart::new(ChartKind::Bars, all)
    };
    section.findings = vec![table];
    section.figures = vec![Figure { file: "full-stop", title: title.into(), charts: vec![chart], numbers }];
    section
}

/// How well a threshold on a class predicts a binary answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prediction {
    /// Information gain in bits.
    pub(crate) gain: f64,
    /// The second class is predicted at or above this threshold.
    pub(crate) threshold: usize,
    /// Share of correct answers with that threshold.
    pub(crate) accuracy: f64,
    /// Share of the more frequent answer.
    pub(crate) majority: f64,
}

impl Prediction {
    pub(crate) fn new(first: &[u64], second: &[u64]) -> Prediction {
        let classes = first.len().max(second.len());
        let get = |counts: &[u64], at: usize| counts.get(at).copied().unwrap_or(0);
        let sums = [first.iter().sum::<u64>(), second.iter().sum::<u64>()];
        let all = (sums[0] + sums[1]).max(1) as f64;
        let entropy = |a: u64, b: u64| {
            let sum = (a + b).max(1) as f64;
            [a, b]
                .iter()
                .filter(|count| **count > 0)
                .map(|count| -(*count as f64 / sum) * (*count as f64 / sum).log2())
                .sum::<f64>()
        };
        let mut left = 0.0;
        let (mut correct, mut best) = (sums[1], (sums[1], 0));
        for at in 0..classes {
            let (a, b) = (get(first, at), get(second, at));
            left += (a + b) as f64 / all * entropy(a, b);
            // The first answer up to this class, the second from the next class on.
            correct = correct + a - b;
            if correct > best.0 {
                best = (correct, at + 1);
            }
        }
        Prediction {
            gain: entropy(sums[0], sums[1]) - left,
            threshold: best.1,
            accuracy: best.0 as f64 / all,
            majority: sums[0].max(sums[1]) as f64 / all,
        }
    }
}

/// Figure 4.15.
pub(super) fn token_lengths(summary: &Summary) -> Section {
    let counts = summary.tallies.token_lengths.counts();
    let sum = counts.iter().sum::<u64>().max(1) as f64;
    let mut section = Section {
        id: "token-length",
        title: "Average token length: one Beta distribution",
        about: "Words by the average token length of their segment (figure 4.15). At this level there is only one kind of text."
            .into(),
        ..Section::default()
    };
    let last = counts.iter().rposition(|count| *count as f64 / sum > 1e-6).unwrap_or(0);
    let x = |class: usize| class as f64 / TENTHS;
    let points = Points::new((1..=last).map(|class| (x(class), counts[class] as f64 / sum)));
    let law = BetaCurve { norm: x(last + 1).max(30.0) };
    let fitted = section.fit(fit(&law, &points));
    let mut table = beside();
    quality(&mut table, "Beta", fitted.as_ref(), [".9876", ".003"]);
    let values = fitted.as_ref().map(Fitted::values);
    let mut numbers = Table::new(&["average token length", "words", "share", "Beta"]);
    for (at, (x, y)) in points.x.iter().zip(&points.y).enumerate() {
        let beta = values.as_ref().map_or(f64::NAN, |values| law.curve(values)(*x));
        numbers.row(vec![format!("{x:.1}"), counts[at + 1].to_string(), format!("{y:.6}"), format!("{beta:.6}")]);
    }
    let mut lines = vec![series("words", points.x.iter().copied().zip(points.y.iter().copied()).filter(|point| point.0 < 15.0))];
    if let Some(values) = &values {
        let mode = (values[0] - 1.0) / (values[0] + values[1] - 2.0) * law.norm;
        row(&mut table, "mode (letters and digits)", number(mode), "5.34");
        let curve = law.curve(values);
        lines.push(series("Beta", (5..150).map(|step| (f64::from(step) / 10.0, curve(f64::from(step) / 10.0)))));
    }
    let title = "Share of words by average token length of the segment";
    let axes = ("letters and digits per token", "share of words");
    let chart = Chart { title: title.into(), x: axes.0.into(), y: axes.1.into(), ..Chart::new(ChartKind::Line, lines) };
    section.findings = vec![table];
    section.figures = vec![Figure { file: "token-length", title: title.into(), charts: vec![chart], numbers }];
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_and_a_useless_predictor() {
        let perfect = Prediction::new(&[0, 8, 8, 0, 0], &[0, 0, 0, 8, 8]);
        assert_eq!(perfect, Prediction { gain: 1.0, threshold: 3, accuracy: 1.0, majority: 0.5 });
        let useless = Prediction::new(&[0, 4, 4], &[0, 4, 4]);
        assert!(useless.gain.abs() < 1e-12 && useless.accuracy == 0.5, "{useless:?}");
    }
}
