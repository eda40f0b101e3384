//! Lengths: words per segment and the random writers (figures 4.23, 4.25), density quotients (4.3, 4.12), sentences.

use super::{Figure, Section, beside, number, percent, quality, ratio, row, series};
use crate::count::Summary;
use crate::fit::{Fitted, FrumkinaMethod, fit, fit_frumkina, ranked};
use crate::law::{BetaCurve, Law, NegativeHypergeometric, Points, StratifiedWriter, Writer};
use crate::plot::{Chart, ChartKind};
use crate::table::Table;

/// Largest number of words shown in the figure.
const DRAWN: usize = 60;
/// Longest sentence that is fitted: longer ones are lists.
const MAX_SENTENCE: usize = 120;

/// Figures 4.23 and 4.25.
pub(super) fn writers(summary: &Summary) -> Section {
    let counts = summary.tallies.lengths.counts();
    let sum = counts.iter().sum::<u64>().max(1) as f64;
    let mut section = Section {
        id: "writer",
        title: "Words per segment: the stratified random writer",
        about: "After each word the author ends the block with a fixed probability: a geometric distribution (equation 4.20). The \
                stratified writer first chooses short or long text, each with a probability of its own (equation 4.21). The thesis counts \
                text blocks: use tables of `run --method taggap`."
            .into(),
        ..Section::default()
    };
    let points = Points::new((1..counts.len()).map(|words| (words as f64, counts[words] as f64 / sum)));
    let one = section.fit(fit(&Writer, &points));
    let two = section.fit(fit(&StratifiedWriter, &points));
    let mut table = beside();
    for (name, fitted, thesis) in
        [("one kind of text", &one, ["96.7%", ".0046"]), ("short and long text", &two, ["98.81%", ".0027"])]
    {
        let Some(fitted) = fitted else { continue };
        row(&mut table, &format!("adjusted R², {name}"), format!("{:.2}%", fitted.r_squared_adjusted * 100.0), thesis[0]);
        row(&mut table, &format!("RMSE, {name}"), number(fitted.rmse), thesis[1]);
    }
    if let Some(value) = one.as_ref().and_then(|one| one.get("P_T(N)")) {
        row(&mut table, "P_T(N)", number(value), ".3145");
    }
    if let Some(two) = &two {
        let [weight, short, long] = std::array::from_fn(|at| two.parameters[at].value);
        row(&mut table, "P_N(S): segments of short text", number(weight), ".7586");
        row(&mut table, "P_S(N)", number(short), ".3968");
        row(&mut table, "P_L(N)", number(long), ".04369");
        row(&mut table, "mean words of short text", number(1.0 / short), "2.52");
        row(&mut table, "mean words of long text", number(1.0 / long), "22.89");
    }
    row(&mut table, "words of the longest segment", counts.len().saturating_sub(1), "1122");
    let curves = [one.as_ref().map(Fitted::values), two.as_ref().map(Fitted::values)];
    let laws: [&dyn Law; 2] = [&Writer, &StratifiedWriter];
    let value = |at: usize, x: f64| curves[at].as_ref().map_or(f64::NAN, |values| laws[at].curve(values)(x));
    let mut numbers = Table::new(&["words", "segments", "share", "one kind of text", "short and long text"]);
    for (x, y) in points.x.iter().zip(&points.y).filter(|(_, y)| **y > 0.0) {
        let count = counts[*x as usize].to_string();
        numbers.row(vec![x.to_string(), count, format!("{y:.6}"), format!("{:.6}", value(0, *x)), format!("{:.6}", value(1, *x))]);
    }
    let title = "Share of segments by their number of words";
    let drawn: Vec<f64> = points.x.iter().copied().take(DRAWN).collect();
    let line = |name: &str, at: usize| series(name, drawn.iter().map(|x| (*x, value(at, *x).max(1e-5))));
    let lines = vec![
        series("segments", drawn.iter().copied().zip(points.y.iter().copied())),
        line("one kind of text", 0),
        line("short and long text", 1),
    ];
    let chart = Chart {
        title: title.into(),
        x: "words".into(),
        y: "share of segments".into(),
        logarithmic: (false, true),
        ..Chart::new(ChartKind::Line, lines)
    };
    section.fits = ranked(section.fits.into_iter().map(Ok));
    section.findings = vec![table];
    section.figures = vec![Figure { file: "words", title: title.into(), charts: vec![chart], numbers }];
    section
}

/// Figures 4.3 and 4.12.
pub(super) fn quotients(summary: &Summary) -> Section {
    let counts = summary.tallies.quotients.counts();
    let mut section = Section {
        id: "quotient",
        title: "Density quotients of neighbours: negative hypergeometric (Frumkina's law)",
        about: "The difference of two neighbours' densities, divided by the density of the second and rounded up (equation 4.9), where they \
                differ. The fit keeps the mean and minimises chi², as that of figure 4.12 does; the thesis had 2334 pairs of manually \
                marked segments on 111 pages. In a large sample even a small deviation from a law is significant, so P is small: R² shows how \
                large the deviation is."
            .into(),
        ..Section::default()
    };
    if counts.len() < 2 {
        return Section::default();
    }
    // Class 1 is x = 0. Classes with less than one pair in a million are merged into the last one.
    let sum = counts.iter().sum::<u64>();
    let last = counts.iter().rposition(|count| *count as f64 > sum as f64 * 1e-6).unwrap_or(0);
    let classes = &counts[1..=last.max(1)];
    let fitted = section.fit(fit_frumkina(classes, FrumkinaMethod::Paper));
    let mut table = beside();
    row(&mut table, "pairs", sum, "2334");
    let mut numbers = Table::new(&["class", "pairs", "expected"]);
    let mut bars = vec![series("pairs", classes.iter().enumerate().take(30).map(|(x, count)| (x as f64 + 1.0, *count as f64)))];
    if let Some(fitted) = &fitted {
        for (at, thesis) in ["2.30454", "0.10989", "17"].into_iter().enumerate() {
            row(&mut table, &fitted.parameters[at].name, number(fitted.parameters[at].value), thesis);
        }
        if let Some(chi) = fitted.chi_squared {
            row(&mut table, "chi²", number(chi.value), "14.24");
            row(&mut table, "degrees of freedom", chi.freedom, "13");
            row(&mut table, "P", number(chi.p), ".3572");
            row(&mut table, "C = chi² / pairs", number(chi.value / sum as f64), ".0061");
        }
        quality(&mut table, "the fit", Some(fitted), ["–", "–"]);
        let law = NegativeHypergeometric { n: fitted.parameters[2].value as u32 };
        let (k, m) = (fitted.parameters[0].value, fitted.parameters[1].value);
        let expected = |x: usize| law.probability(k, m, x as u32) * classes.iter().sum::<u64>() as f64;
        for (x, count) in classes.iter().enumerate() {
            numbers.row(vec![(x + 1).to_string(), count.to_string(), number(expected(x))]);
        }
        bars.push(series("negative hypergeometric", (0..classes.len().min(30)).map(|x| (x as f64 + 1.0, expected(x)))));
    }
    let title = "Pairs of neighbouring segments by density quotient";
    let chart = Chart {
        title: title.into(),
        x: "class of the quotient".into(),
        y: "pairs".into(),
        logarithmic: (false, true),
        ..Chart::new(ChartKind::Line, bars)
    };
    section.findings = vec![table];
    section.figures = vec![Figure { file: "quotient", title: title.into(), charts: vec![chart], numbers }];
    section
}

/// Sentence lengths, which the thesis fits to the Brown corpus (4.3.2).
pub(super) fn sentences(summary: &Summary) -> Section {
    let counts = summary.tallies.sentences.counts();
    let sum = counts.iter().sum::<u64>();
    if sum == 0 {
        return Section::default();
    }
    let mut section = Section {
        id: "sentences",
        title: "Sentence lengths: a Beta distribution",
        about: "Sentences by their number of words; a sentence ends at a full stop, a question mark, an exclamation mark or a semicolon. The \
                thesis fits the Brown corpus."
            .into(),
        ..Section::default()
    };
    let last = (counts.len() - 1).min(MAX_SENTENCE);
    let points = Points::new((1..=last).map(|words| (words as f64, counts[words] as f64 / sum as f64)));
    let law = BetaCurve { norm: last as f64 + 1.0 };
    let fitted = section.fit(fit(&law, &points));
    let mut table = beside();
    quality(&mut table, "Beta", fitted.as_ref(), [".996", ".000887"]);
    let values = fitted.as_ref().map(Fitted::values);
    if let Some(values) = &values {
        for (name, value, thesis) in [("a", values[0], "1.926"), ("b", values[1], "6.356")] {
            row(&mut table, name, number(value), thesis);
        }
    }
    let mean = counts.iter().enumerate().map(|(words, count)| words as u64 * count).sum::<u64>() as f64 / sum as f64;
    row(&mut table, "mean words", number(mean), "–");
    let long: u64 = counts.iter().skip(MAX_SENTENCE + 1).sum();
    row(&mut table, "longer than 120 words", percent(ratio(long, sum)), "–");
    let beta = |x: f64| values.as_ref().map_or(f64::NAN, |values| law.curve(values)(x));
    let mut numbers = Table::new(&["words", "sentences", "share", "Beta"]);
    for (x, y) in points.x.iter().zip(&points.y) {
        numbers.row(vec![x.to_string(), counts[*x as usize].to_string(), format!("{y:.6}"), format!("{:.6}", beta(*x))]);
    }
    let lines = vec![
        series("sentences", points.x.iter().copied().zip(points.y.iter().copied())),
        series("Beta", points.x.iter().map(|x| (*x, beta(*x))).collect::<Vec<_>>()),
    ];
    let title = "Share of sentences by their number of words";
    let axes = ("words", "share of sentences");
    let chart = Chart { title: title.into(), x: axes.0.into(), y: axes.1.into(), ..Chart::new(ChartKind::Line, lines) };
    section.findings = vec![table];
    section.figures = vec![Figure { file: "sentences", title: title.into(), charts: vec![chart], numbers }];
    section
}
