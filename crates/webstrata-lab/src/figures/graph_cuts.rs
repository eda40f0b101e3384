//! Tables and figures of Chakrabarti, Kumar, Punera: A Graph-Theoretic Approach to Webpage Segmentation, WWW 2008.
//!
//! Pages are split 25 : 25 : 50 into training, validation (for λ) and test pages, several times.
//! Block Fusion and the tag rules learn nothing and are scored on the same pages; `strata` is cross-validated by page, so it has learned
//! from nine tenths of the pages, whereas GCuts has learned from a quarter.

use super::Figure;
use crate::gold::seg_popular::{Level, MarkedPage};
use crate::graphcut::{LAMBDAS, Method, Part, Sample, TrainedWeights, splits, sweep, train};
use crate::plot::{Chart, ChartKind, Series};
use crate::segmentation::{Score, Task};
use crate::strata::cuts::{self, CutOptions, train_cuts};
use crate::table::{Table, share};
use std::collections::BTreeMap;
use webstrata::segment::{Method as Segmenter, RuleSet};

/// AdjRand and NMI in figures 2 and 4 and table 1 of the paper.
const PAPER: [(Method, [f64; 2]); 4] = [
    (Method::GCuts, [0.60, 0.76]),
    (Method::NoParents, [0.53, 0.73]),
    (Method::NotLearned, [0.52, 0.73]),
    (Method::CClus, [0.46, 0.64]),
];

/// Suffix of the names of methods that use layouts.
const LAYOUT: &str = ", with layout";

/// The scores of a method on test pages, overall and by λ.
#[derive(Clone, Debug)]
struct Measured {
    name: String,
    paper: Option<[f64; 2]>,
    /// For each split: the scores of its test pages.
    splits: Vec<Vec<Score>>,
    /// For each λ: the scores on the test pages of all splits. Empty for methods without λ.
    lambdas: Vec<Vec<Score>>,
    /// The λ that were chosen.
    chosen: Vec<f32>,
}

/// The figures, and the weights of each split for pages without and with a layout.
#[derive(Clone, Debug)]
pub struct GraphCuts {
    /// Tables and charts.
    pub figures: Vec<Figure>,
    /// Weights learned in each split, from pages without a layout, and with one.
    pub trained: [Vec<TrainedWeights>; 2],
}

/// Trains and evaluates on marked pages. `samples` are the pages without layouts, and with layouts if there are any, in the same order.
#[must_use]
pub fn measure(
    pages: &[MarkedPage],
    samples: [&[Sample]; 2],
    level: Level,
    number: usize,
    progress: &(dyn Fn() + Sync),
) -> GraphCuts {
    let splits = splits(pages.len(), number);
    let mut measured = Vec::new();
    let mut trained: [Vec<TrainedWeights>; 2] = [Vec::new(), Vec::new()];
    for (kind, samples) in samples.into_iter().enumerate().filter(|(_, samples)| !samples.is_empty()) {
        let layout = if kind == 1 { LAYOUT } else { "" };
        let mut methods: Vec<Measured> = Method::ALL
            .iter()
            .map(|method| Measured {
                name: format!("{}{layout}", method.name()),
                paper: PAPER.iter().find(|(known, _)| known == method).map(|(_, values)| *values),
                splits: Vec::new(),
                lambdas: vec![Vec::new(); LAMBDAS.len()],
                chosen: Vec::new(),
            })
            .collect();
        for parts in &splits {
            let of = |part: Part| -> Vec<&Sample> {
                samples
                    .iter()
                    .zip(parts)
                    .filter(|(sample, own)| **own == part && sample.is_scored())
                    .map(|(sample, _)| sample)
                    .collect()
            };
            let weights = train(&of(Part::Train), &of(Part::Validate));
            let test = of(Part::Test);
            for (at, (method, measured)) in Method::ALL.into_iter().zip(&mut methods).enumerate() {
                let scores = sweep(method, &test, &weights.weights, &LAMBDAS);
                measured.splits.push(scores[weights.chosen[at]].clone());
                measured.chosen.push(method.lambda(LAMBDAS[weights.chosen[at]]));
                measured.lambdas.iter_mut().zip(scores).for_each(|(all, scores)| all.extend(scores));
            }
            trained[kind].push(weights);
            progress();
        }
        measured.extend(methods);
    }
    measured.extend(others(pages, &splits, level));
    progress();
    GraphCuts { figures: vec![accuracy(&measured), distribution(&measured), lambdas(&measured)], trained }
}

/// Scores methods that learn nothing from the training pages, on the same test pages.
fn others(pages: &[MarkedPage], splits: &[Vec<Part>], level: Level) -> Vec<Measured> {
    let mut by_method: BTreeMap<&str, Vec<Option<Score>>> = BTreeMap::new();
    for method in [Segmenter::BfRulebased, Segmenter::JustRules] {
        let segmenter = method.segmenter(RuleSet::paper());
        let score = |marked: &MarkedPage| {
            let page = marked.parse();
            Some(Task::new(&page, |byte| marked.label_at(byte, level)).ok()?.score(&*segmenter))
        };
        by_method.insert(method.name(), pages.iter().map(score).collect());
    }
    by_method.insert("strata, cross-validated", strata(pages, level));
    let measured = |(name, scores): (&str, Vec<Option<Score>>)| {
        let split = |parts: &Vec<Part>| {
            parts.iter().zip(&scores).filter(|(part, _)| **part == Part::Test).filter_map(|(_, score)| *score).collect()
        };
        Measured {
            name: name.to_owned(),
            paper: None,
            splits: splits.iter().map(split).collect(),
            lambdas: Vec::new(),
            chosen: Vec::new(),
        }
    };
    by_method.into_iter().map(measured).collect()
}

/// Scores of `strata` on pages that it has not seen.
fn strata(pages: &[MarkedPage], level: Level) -> Vec<Option<Score>> {
    let samples: Vec<cuts::Sample> = pages.iter().map(cuts::Sample::new).collect();
    let options = CutOptions { folds: CutOptions::default().folds.min(samples.len()), ..CutOptions::default() };
    let Ok(trained) = train_cuts(&samples, &options, &|_| ()) else { return vec![None; pages.len()] };
    let [min_coarse, min_fine] = trained.model.thresholds;
    let score = |(sample, cuts): (&cuts::Sample, &webstrata::segment::strata::CutProbabilities)| {
        let marks = &sample.marks[usize::from(level == Level::Sub)];
        let cut = |(&coarse, &fine): (&f32, &f32)| coarse >= min_coarse || level == Level::Sub && fine >= min_fine;
        let cuts: Vec<bool> = cuts.coarse.iter().zip(&cuts.fine).map(cut).collect();
        marks.is_scored().then(|| marks.score(&cuts))
    };
    samples.iter().zip(&trained.predictions).map(score).collect()
}

/// Figures 2b and 4b and table 1: accuracy on test pages, with its spread over the splits.
fn accuracy(measured: &[Measured]) -> Figure {
    let mut summary = Table::new(&["method", "AdjRand", "±", "paper", "NMI", "paper", "BCubed F", "segments", "lambda"]);
    let mut numbers = Table::new(&["method", "split", "adjusted_rand", "nmi", "bcubed_f", "segments", "lambda"]);
    for Measured { name, paper, splits, chosen, .. } in measured {
        let means: Vec<Score> = splits.iter().map(|scores| Score::mean(scores)).collect();
        let mean = Score::mean(&means);
        let spread = means.iter().map(|score| (score.adjusted_rand - mean.adjusted_rand).powi(2)).sum::<f64>();
        let spread = (spread / (means.len().max(2) - 1) as f64).sqrt();
        let printed = |at: usize| paper.map_or_else(|| "–".to_owned(), |values| share(values[at]));
        let lambda: Vec<String> = chosen.iter().map(|lambda| format!("{lambda:.2}")).collect();
        summary.row(vec![
            name.clone(),
            share(mean.adjusted_rand),
            share(spread),
            printed(0),
            share(mean.nmi),
            printed(1),
            share(mean.bcubed.f),
            format!("{:.1}", mean.segments),
            lambda.join(" "),
        ]);
        for (split, score) in means.iter().enumerate() {
            let mut cells = vec![name.clone(), (split + 1).to_string()];
            cells.extend([score.adjusted_rand, score.nmi, score.bcubed.f, score.segments].map(|value| format!("{value:.6}")));
            cells.push(chosen.get(split).map(f32::to_string).unwrap_or_default());
            numbers.row(cells);
        }
    }
    Figure {
        file: "gcuts-accuracy".into(),
        title: "Graph cuts: accuracy on test pages".into(),
        charts: Vec::new(),
        numbers,
        summary,
    }
}

/// Figures 2a and 4a: share of test pages with at most a given score.
fn distribution(measured: &[Measured]) -> Figure {
    type Measure = (&'static str, fn(&Score) -> f64);
    let values: [Measure; 2] = [("AdjRand", |score| score.adjusted_rand), ("NMI", |score| score.nmi)];
    let mut numbers = Table::new(&["measure", "method", "score", "pages"]);
    let mut summary = Table::new(&["method", "AdjRand below .3", "AdjRand above .6"]);
    let shown = |one: &&Measured| !one.name.starts_with("cclus-nl");
    let mut charts = Vec::new();
    for (measure, value) in values {
        let series = measured.iter().filter(shown).map(|one| {
            let scores: Vec<f64> = one.splits.iter().flatten().map(value).collect();
            let below = |limit: f64| scores.iter().filter(|score| **score < limit).count() as f64 / scores.len().max(1) as f64;
            let points: Vec<(f64, f64)> = (0..=20).map(|step| f64::from(step) / 20.0).map(|limit| (limit, below(limit))).collect();
            if measure == "AdjRand" {
                summary.row(vec![one.name.clone(), share(below(0.3)), share(1.0 - below(0.6))]);
            }
            for (limit, pages) in &points {
                numbers.row(vec![measure.to_owned(), one.name.clone(), format!("{limit:.2}"), format!("{pages:.4}")]);
            }
            Series { name: one.name.clone(), points }
        });
        let series: Vec<Series> = series.collect();
        charts.push(Chart {
            x: measure.to_owned(),
            y: "pages".into(),
            ..chart(&format!("Share of test pages with a lower {measure}"), series)
        });
    }
    Figure { file: "gcuts-distribution".into(), title: "Graph cuts: figures 2a and 4a".into(), charts, numbers, summary }
}

/// A chart of methods; those with a layout are dashed lines in the colours of those without.
fn chart(title: &str, all: Vec<Series>) -> Chart {
    let (with, without): (Vec<Series>, Vec<Series>) = all.into_iter().partition(|series| series.name.ends_with(LAYOUT));
    let title = if with.is_empty() { title.to_owned() } else { format!("{title} (dashed: with layout)") };
    // Methods without layouts come first in both lists, in the same order.
    Chart { title, dashed: with, ..Chart::new(ChartKind::Line, without) }
}

/// Figures 3 and 5: accuracy against λ.
fn lambdas(measured: &[Measured]) -> Figure {
    let mut numbers = Table::new(&["method", "lambda", "adjusted_rand", "nmi", "segments"]);
    let mut summary = Table::new(&["method", "best lambda", "AdjRand there", "segments there"]);
    let mut series = Vec::new();
    for one in measured.iter().filter(|one| !one.lambdas.is_empty()) {
        let method = Method::ALL.into_iter().rev().find(|method| one.name.starts_with(method.name())).unwrap_or(Method::GCuts);
        let means: Vec<(f64, Score)> =
            LAMBDAS.iter().zip(&one.lambdas).map(|(step, scores)| (f64::from(method.lambda(*step)), Score::mean(scores))).collect();
        for (lambda, score) in &means {
            let mut cells = vec![one.name.clone(), format!("{lambda:.3}")];
            cells.extend([score.adjusted_rand, score.nmi, score.segments].map(|value| format!("{value:.6}")));
            numbers.row(cells);
        }
        if let Some((lambda, score)) = means.iter().max_by(|a, b| a.1.adjusted_rand.total_cmp(&b.1.adjusted_rand)) {
            summary.row(vec![
                one.name.clone(),
                format!("{lambda:.2}"),
                share(score.adjusted_rand),
                format!("{:.1}", score.segments),
            ]);
        }
        let points = means.iter().map(|(lambda, score)| (*lambda, score.adjusted_rand)).collect();
        series.push(Series { name: one.name.clone(), points });
    }
    let chart =
        Chart { x: "lambda".into(), y: "AdjRand".into(), logarithmic: (true, false), ..chart("Accuracy by lambda", series) };
    Figure { file: "gcuts-lambda".into(), title: "Graph cuts: figures 3 and 5".into(), charts: vec![chart], numbers, summary }
}
