//! Figure 4.21: word F1 of boilerplate detectors, page by page, best first.
//!
//! The thesis' legend has the mean and median of each method. Its text gives one mean for news (95.93 for the main-content
//! filter) and the distance of the others from the baseline; the values that follow from these are shown beside ours.

use super::Figure;
use crate::extract::report::ranked;
use crate::extract::run::{Answers, Candidate, Outcome, run};
use crate::extract::summary::Summary;
use crate::gold::set::GoldSet;
use crate::plot::{Chart, Legend};
use crate::table::{Table, share};
use webstrata::ExtractOptions;
use webstrata::label::Preset;

/// Number of points per curve.
const MAX_POINTS: usize = 120;

/// The collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corpus {
    /// Figure 4.21a.
    CleanEval,
    /// Figure 4.21b.
    News,
}

/// A preset of the figure.
struct Method {
    preset: Preset,
    /// Its name in the figure.
    name: &'static str,
    /// Improvement over the baseline for news, according to the thesis.
    above: Option<&'static str>,
    /// Mean F1 for news, lowest and highest estimate. "A 40% relative improvement over the baseline" of 95.93 implies a baseline of 68.3 to
    /// 68.8; the others follow from their improvement over it.
    thesis: Option<(f64, f64)>,
}

const fn method(preset: Preset, name: &'static str, above: Option<&'static str>, thesis: Option<(f64, f64)>) -> Method {
    Method { preset, name, above, thesis }
}

const METHODS: [Method; 9] = [
    method(Preset::KeepEverything, "keep everything", None, Some((0.683, 0.688))),
    method(Preset::MinWords(10), "10 words or more", Some("18.3%"), Some((0.808, 0.814))),
    method(Preset::DensityRules, "density + links", None, None),
    method(Preset::NumWordsRules, "words + links", Some("33.3%"), Some((0.910, 0.917))),
    method(Preset::DensityLargest, "density + links + largest content", None, None),
    method(Preset::DensityMain, "density + links + main content", None, None),
    method(Preset::LargestContent, "words + links + largest content", None, None),
    method(Preset::MainContent, "words + links + main content", Some("40%"), Some((0.9593, 0.9593))),
    method(Preset::DensityMin, "density 7, links .35", None, None),
];

/// The figure.
#[must_use]
pub fn figures(set: &GoldSet, corpus: Corpus) -> Vec<Figure> {
    let candidate = |method: Method| {
        Box::new(Candidate { name: method.name.into(), options: ExtractOptions::paper(method.preset) }) as Box<dyn Answers>
    };
    let mut candidates = METHODS.into_iter().map(candidate).collect::<Vec<_>>();
    candidates.push(Box::new(Candidate { name: "BTE".into(), options: ExtractOptions::paper(Preset::Bte) }));
    let outcomes = run(set, &candidates);
    let (file, title) = match corpus {
        Corpus::CleanEval => ("figure-4.21a", "Word F1 on CleanEval, each method's pages best first"),
        Corpus::News => ("figure-4.21b", "Word F1 on news, each method's pages best first"),
    };
    let whole = ranked(set, &outcomes);
    let numbers = numbers(&whole);
    let mut chart = thinned(whole);
    chart.title = title.into();
    chart.legend = Legend::Beside;
    for (series, outcome) in chart.series.iter_mut().zip(&outcomes) {
        let figures = Summary::from_scores(outcome.answered());
        series.name = format!("{} ({}, {})", outcome.name, share(figures.f1), share(figures.median));
    }
    let summary = summary(&outcomes, corpus);
    vec![Figure { file: file.into(), title: format!("{title} (mean, median)"), charts: vec![chart], numbers, summary }]
}

fn numbers(chart: &Chart) -> Table {
    let mut table = Table::new(&["method", "share_of_pages", "f1"]);
    for series in &chart.series {
        for (x, y) in &series.points {
            table.row(vec![series.name.clone(), format!("{x:.3}"), format!("{y:.4}")]);
        }
    }
    table
}

/// Thins out a curve without visible change, keeping its ends.
fn thinned(mut chart: Chart) -> Chart {
    for series in &mut chart.series {
        let last = series.points.len().saturating_sub(1);
        let every = series.points.len().div_ceil(MAX_POINTS).max(1);
        let mut at = 0;
        series.points.retain(|_| {
            at += 1;
            (at - 1) % every == 0 || at - 1 == last
        });
    }
    chart
}

fn summary(outcomes: &[Outcome], corpus: Corpus) -> Table {
    let mut table = Table::new(&["method", "mean F1", "thesis", "median", "above the baseline", "thesis"]);
    let baseline = outcomes.first().map_or(f64::NAN, |outcome| Summary::from_scores(outcome.answered()).f1);
    for (at, outcome) in outcomes.iter().enumerate() {
        let figures = Summary::from_scores(outcome.answered());
        let method = METHODS.get(at).filter(|_| corpus == Corpus::News);
        let printed = match method.and_then(|method| method.thesis) {
            Some((low, high)) if low == high => format!("{low:.4}").trim_start_matches('0').to_owned(),
            Some((low, high)) => format!("{}–{}", share(low), share(high)),
            None => "–".into(),
        };
        let above = method.and_then(|method| method.above).unwrap_or("–");
        let ours = format!("{:.1}%", (figures.f1 / baseline - 1.0) * 100.0);
        table.row(vec![outcome.name.clone(), share(figures.f1), printed, share(figures.median), ours, above.into()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::set::GoldPage;
    use crate::plot::{ChartKind, Series};
    use std::fs;

    #[test]
    fn two_pages_by_hand() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let html = "<ul><li>Home<li>News</ul><p>It rained again in the whole valley, and all of the night.</p>";
        let page = |id: &str, gold: &str| -> std::io::Result<GoldPage> {
            let file = folder.path().join(id);
            fs::write(&file, html)?;
            Ok(GoldPage { id: id.into(), gold_text: Some(gold.into()), file, ..GoldPage::default() })
        };
        let text = "It rained again in the whole valley, and all of the night.";
        let pages = vec![page("1", text)?, page("2", "Home News")?];
        let set = GoldSet { name: "x".into(), folder: folder.path().into(), pages, problems: Vec::new() };
        let figure = figures(&set, Corpus::News).remove(0);
        let csv = figure.numbers.csv();
        // 14 words in all, 12 of text: keeping everything has precision 12 / 14 on the first page and 2 / 14 on the second.
        let f1 = |precision: f64| 2.0 * precision / (precision + 1.0);
        assert!(csv.starts_with("method,share_of_pages,f1\nkeep everything,50.000,"));
        assert!(csv.contains(&format!(
            "keep everything,50.000,{:.4}\nkeep everything,100.000,{:.4}\n",
            f1(12.0 / 14.0),
            f1(2.0 / 14.0)
        )));
        assert!(csv.contains("\n10 words or more,50.000,1.0000\n10 words or more,100.000,0.0000\n"), "{csv}");
        assert!(csv.contains("\nBTE,50.000,1.0000\nBTE,100.000,0.0000\n"), "{csv}");
        assert!(figure.summary.csv().contains("\n10 words or more,.500,.808–.814,.500,"), "{}", figure.summary.csv());
        assert!(figure.svg().is_ok_and(|svg| svg.is_some_and(|svg| svg.contains("BTE (.500, .500)"))));
        Ok(())
    }

    #[test]
    fn curves_keep_their_ends() {
        let points: Vec<(f64, f64)> = (0..1000).map(|x| (f64::from(x), 0.0)).collect();
        let chart = thinned(Chart::new(ChartKind::Line, vec![Series { name: "a".into(), points: points.clone() }]));
        let left = &chart.series[0].points;
        assert!(left.len() <= MAX_POINTS + 1 && left.first() == points.first() && left.last() == points.last());
    }
}
