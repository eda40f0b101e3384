//! Learns weights from training pages, and chooses λ on validation pages.

use super::logistic::{Example, fit};
use super::metric::{self, MarkedRows};
use super::sample::Sample;
use crate::segmentation::Score;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use webstrata::segment::graphcut::{GCuts, GraphCutModel, PairRow, PairTable, Variant, Weights};

/// L2 penalty of the logistic models, in examples.
const PENALTY: f64 = 0.3;

/// Pairs per page that CCLUS learns from.
const PAIRS: usize = 4_000;

/// The values of λ tried for GCuts; for CCLUS they are mapped to λ / (1 + λ), from 0 to 1.
pub const LAMBDAS: [f32; 16] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0, 5.0, 8.0, 12.0];

/// A method of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// GCuts.
    GCuts,
    /// GCuts-NP.
    NoParents,
    /// GCuts-NL.
    NotLearned,
    /// CCLUS.
    CClus,
    /// CCLUS-NL.
    CClusNotLearned,
}

impl Method {
    /// All methods, in the order of [`Weights::lambda`]; the last one has no λ of its own.
    pub const ALL: [Method; 5] = [Method::GCuts, Method::NoParents, Method::NotLearned, Method::CClus, Method::CClusNotLearned];

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::GCuts => "gcuts",
            Method::NoParents => "gcuts-np",
            Method::NotLearned => "gcuts-nl",
            Method::CClus => "cclus",
            Method::CClusNotLearned => "cclus-nl",
        }
    }

    /// The λ of this method for a step of [`LAMBDAS`].
    #[must_use]
    pub fn lambda(self, step: f32) -> f32 {
        match self {
            Method::CClus | Method::CClusNotLearned => step / (1.0 + step),
            _ => step,
        }
    }

    /// Labels of a page's leaves for each λ.
    fn labels(self, sample: &Sample, model: &Arc<GraphCutModel>, lambdas: &[f32]) -> Vec<Vec<u32>> {
        let cuts = |variant: Variant| {
            let of = |lambda: &f32| GCuts::new(variant).model(Arc::clone(model)).lambda(*lambda).label(&sample.graph).labels;
            lambdas.iter().map(of).collect()
        };
        let clusters = |weights: &Weights| {
            let table = PairTable::new(&sample.graph, &weights.pairs);
            lambdas.iter().map(|&lambda| table.cluster(lambda)).collect()
        };
        match self {
            Method::GCuts => cuts(Variant::Full),
            Method::NoParents => cuts(Variant::NoParents),
            Method::NotLearned => cuts(Variant::NotLearned),
            Method::CClus => clusters(model.weights(sample.graph.is_visual())),
            Method::CClusNotLearned => clusters(&Weights::untrained()),
        }
    }
}

/// Learns the metric and the logistic models; λ stays at 1 (½ for CCLUS).
#[must_use]
pub fn learn(samples: &[&Sample]) -> Weights {
    let marked = samples.iter().map(|sample| {
        let rows = sample.marks.iter().zip(sample.graph.leaf_rows()).filter_map(|(mark, row)| Some((*row, (*mark)?)));
        let (rows, marks) = rows.unzip();
        MarkedRows { rows, marks }
    });
    let mut weights = Weights { metric: metric::learn(&marked.collect::<Vec<_>>()), ..Weights::untrained() };
    weights.neighbours = logistic(samples, neighbours);
    weights.parents = logistic(samples, parents);
    weights.pairs = logistic(samples, pairs);
    weights.lambda = [1.0, 1.0, 1.0, 0.5];
    scale(&mut weights, samples);
    weights
}

/// Scales the metric so that a leaf has a mean distance of 1 from a label.
fn scale(weights: &mut Weights, samples: &[&Sample]) {
    let costs: Vec<f64> = samples.iter().map(|sample| mean_cost(sample, weights)).collect();
    let mean = costs.iter().sum::<f64>() / costs.len().max(1) as f64;
    let factor = if mean > 1e-6 { (1.0 / mean) as f32 } else { 1.0 };
    weights.metric.iter_mut().flatten().for_each(|weight| *weight *= factor);
}

fn mean_cost(sample: &Sample, weights: &Weights) -> f64 {
    let costs = sample.graph.problem(weights, 1.0, false).leaf_costs;
    let one = f64::from(webstrata::segment::graphcut::fixed(1.0));
    costs.iter().map(|cost| f64::from(*cost) / one).sum::<f64>() / costs.len().max(1) as f64
}

/// A pair of nodes: whether both are in the same segment, and its features.
type Pair = (bool, PairRow);

/// A logistic model of pairs; all pages have equal weight.
fn logistic(samples: &[&Sample], pairs: impl Fn(&Sample) -> Vec<Pair> + Sync) -> Vec<f32> {
    let pages: Vec<Vec<Pair>> = samples.par_iter().map(|sample| pairs(sample)).collect();
    let mean = pages.iter().map(Vec::len).sum::<usize>() as f64 / pages.len().max(1) as f64;
    let examples: Vec<Example<'_>> = pages
        .iter()
        .flat_map(|page| {
            let weight = mean / page.len().max(1) as f64;
            page.iter().map(move |(positive, row)| Example { row, positive: *positive, weight })
        })
        .collect();
    fit(&examples, PENALTY).into_iter().map(|weight| weight as f32).collect()
}

fn neighbours(sample: &Sample) -> Vec<Pair> {
    let marked = |leaf: u32| sample.marks[leaf as usize];
    let pair = |&pair| {
        let webstrata::segment::graphcut::Neighbours { p, q, .. } = pair;
        Some((marked(p)? == marked(q)?, sample.graph.neighbour_row(pair)))
    };
    sample.graph.neighbours().iter().filter_map(pair).collect()
}

/// Pairs of children and parents. A node is in a segment if all its marked leaves are; nodes without marked leaves are left out.
fn parents(sample: &Sample) -> Vec<Pair> {
    let segment = |leaves: &Range<u32>| {
        let mut marks = sample.marks[leaves.start as usize..leaves.end as usize].iter().flatten();
        let first = marks.next()?;
        Some(marks.all(|mark| mark == first).then_some(*first))
    };
    let pair = |(child, parent, row): (Range<u32>, Range<u32>, PairRow)| {
        // A child with leaves of several segments is invisible, and so is its parent: no pair is separated.
        let child = segment(&child)??;
        Some((segment(&parent)? == Some(child), row))
    };
    sample.graph.parent_rows().filter_map(pair).collect()
}

/// Pairs of leaves, evenly sampled from all pairs.
fn pairs(sample: &Sample) -> Vec<Pair> {
    let leaves = sample.graph.leaves();
    let every = (leaves * leaves.saturating_sub(1) / 2 / PAIRS).max(1);
    let mut at = 0;
    let mut found = Vec::new();
    for p in 0..leaves as u32 {
        for (q, row) in sample.graph.later_rows(p) {
            at += 1;
            if at % every == 0
                && let (Some(a), Some(b)) = (sample.marks[p as usize], sample.marks[q as usize])
            {
                found.push((a == b, row));
            }
        }
    }
    found
}

/// The scores of a method on pages, by λ and page.
#[must_use]
pub fn sweep(method: Method, samples: &[&Sample], weights: &Weights, steps: &[f32]) -> Vec<Vec<Score>> {
    let model = Arc::new(GraphCutModel { content: weights.clone(), visual: weights.clone() });
    let lambdas: Vec<f32> = steps.iter().map(|step| method.lambda(*step)).collect();
    let pages: Vec<Vec<Score>> = samples
        .par_iter()
        .map(|sample| method.labels(sample, &model, &lambdas).iter().map(|labels| sample.score(labels)).collect())
        .collect();
    (0..steps.len()).map(|at| pages.iter().map(|page| page[at]).collect()).collect()
}

/// Weights with the λ that is best on validation pages.
#[derive(Clone, Debug)]
pub struct TrainedWeights {
    /// The weights.
    pub weights: Weights,
    /// For each method: the index in [`LAMBDAS`] that was chosen.
    pub chosen: [usize; Method::ALL.len()],
}

/// Learns weights from training pages and chooses λ by the mean Adjusted Rand on validation pages.
#[must_use]
pub fn train(train: &[&Sample], validate: &[&Sample]) -> TrainedWeights {
    let mut weights = learn(train);
    let chosen = Method::ALL.map(|method| {
        let means = sweep(method, validate, &weights, &LAMBDAS).into_iter().map(|scores| Score::mean(&scores).adjusted_rand);
        best(means)
    });
    for (at, place) in weights.lambda.iter_mut().enumerate() {
        *place = Method::ALL[at].lambda(LAMBDAS[chosen[at]]);
    }
    TrainedWeights { weights, chosen }
}

/// Index of the largest value, the first on a tie.
fn best(values: impl Iterator<Item = f64>) -> usize {
    let mut found = (0, f64::NEG_INFINITY);
    for (at, value) in values.enumerate() {
        if value > found.1 {
            found = (at, value);
        }
    }
    found.0
}

/// Weights learned from all pages, with the median of the λ chosen in several splits.
#[must_use]
pub fn ship(samples: &[&Sample], trained: &[TrainedWeights]) -> Weights {
    let mut weights = learn(samples);
    for (at, place) in weights.lambda.iter_mut().enumerate() {
        let mut chosen: Vec<usize> = trained.iter().map(|one| one.chosen[at]).collect();
        chosen.sort_unstable();
        let step = chosen.get(chosen.len() / 2).map_or(1.0, |&step| LAMBDAS[step]);
        *place = Method::ALL[at].lambda(step);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::seg_popular::{Level, MarkedPage};

    fn samples() -> Vec<Sample> {
        let page = |number: usize| {
            let menu: String = (0..4 + number % 3).map(|at| format!("<li><a href=/{at}>Page {at}</a>")).collect();
            let text: String = (0..3 + number % 2)
                .map(|at| format!("<p>Paragraph {at} says at some length what happened, and why.</p>"))
                .collect();
            let html = format!(
                "<div><ul data-block=1 data-block-type=Menu>{menu}</ul></div><div data-block=1 data-block-type=Content><h1>News {number}</h1>{text}</div>\
                 <div data-block=1 data-block-type=Footer><p>Copyright 2008</p><p>Imprint</p></div>"
            );
            let marked = MarkedPage::new("made.up", html.as_bytes());
            Sample::new(&marked, &marked.parse(), Level::Sub)
        };
        (0..8).map(page).collect()
    }

    #[test]
    fn clear_segments_are_learned() {
        let samples = samples();
        let all: Vec<&Sample> = samples.iter().collect();
        assert!(all.iter().all(|sample| sample.is_scored()));
        let trained = train(&all[..4], &all[4..6]);
        for method in [Method::GCuts, Method::CClus] {
            let at = Method::ALL.iter().position(|known| *known == method).unwrap();
            let scores = &sweep(method, &all[6..], &trained.weights, &[LAMBDAS[trained.chosen[at]]])[0];
            assert!(Score::mean(scores).adjusted_rand > 0.9, "{} {:?}", method.name(), Score::mean(scores));
        }
        let shipped = ship(&all, &[trained]);
        assert_eq!(shipped.metric.len(), webstrata::segment::graphcut::FEATURES);
    }

    #[test]
    fn the_same_pages_give_the_same_weights_on_any_number_of_threads() {
        let samples = samples();
        let all: Vec<&Sample> = samples.iter().collect();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| learn(&all))
        };
        assert_eq!(with(1), with(3));
    }
}
