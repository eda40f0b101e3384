//! Effect of the parameters of ContentExtractor and K-FeatureExtractor: the minimum similarity epsilon of equal blocks, the
//! inverse block document frequency theta above which a block is content, and the number of clusters k. The TKDE paper gives epsilon
//! (0.9, section 4.4.1) and k (2 or 3, section 5), but no theta.

use super::{BlockTags, Counts, Figure, Pages, Site, mean, winners};
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::{Table, share};
use rayon::prelude::*;
use webstrata::label::{FeatureOptions, Winners};
use webstrata_corpus::site::blocks::{SiteBlock, block_set};
use webstrata_corpus::site::content_extractor::{ContentExtractor, ContentExtractorOptions};

const EPSILONS: [f64; 6] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.99];

/// Values of theta. A frequency is one over a number of pages: these lie between 1/20 and 1/10, 1/6 and 1/5, 1/3 and 1/2, and on 1/2,
/// where a block that occurs on one other page is not content.
const THETAS: [f64; 4] = [0.07, 0.18, 0.4, 0.5];

const CLUSTERS: [u8; 4] = [2, 3, 4, 5];

/// b-precision, b-recall and b-F of a parameter value on each site.
type Scores = Vec<[f64; 3]>;

/// Runs both methods over the values of their parameters.
#[must_use]
pub fn parameters(sites: &[Site]) -> Vec<Figure> {
    if sites.is_empty() {
        return Vec::new();
    }
    let scored: Vec<(Scores, Scores)> = sites.par_iter().map(of_site).collect();
    let mut numbers = Table::new(&["method", "epsilon", "theta", "k", "b_precision", "b_recall", "b_f"]);
    let mut summary = Table::new(&["method", "parameters", "b-P", "b-R", "b-F"]);
    let mut series: Vec<Series> =
        THETAS.iter().map(|theta| Series { name: format!("theta {theta}"), points: Vec::new() }).collect();
    let column = |number: f64| format!("{number:.4}");
    for (at, (epsilon, theta)) in grid().enumerate() {
        let scores = mean(&scored.iter().map(|site| site.0[at]).collect::<Vec<_>>());
        let mut row = vec!["ContentExtractor".to_owned(), epsilon.to_string(), theta.to_string(), String::new()];
        row.extend(scores.map(column));
        numbers.row(row);
        let mut row = vec!["ContentExtractor".to_owned(), format!("epsilon {epsilon}, theta {theta}")];
        row.extend(scores.map(share));
        summary.row(row);
        series[at % THETAS.len()].points.push((epsilon, scores[2]));
    }
    for (at, k) in CLUSTERS.into_iter().enumerate() {
        let scores = mean(&scored.iter().map(|site| site.1[at]).collect::<Vec<_>>());
        let mut row = vec!["K-FeatureExtractor".to_owned(), String::new(), String::new(), k.to_string()];
        row.extend(scores.map(column));
        numbers.row(row);
        let mut row = vec!["K-FeatureExtractor".to_owned(), format!("k {k}")];
        row.extend(scores.map(share));
        summary.row(row);
    }
    let title = format!("Parameters of ContentExtractor and K-FeatureExtractor, mean of {} sites", sites.len());
    let chart = Chart {
        title: title.clone(),
        x: "epsilon".into(),
        y: "b-F of ContentExtractor".into(),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    vec![Figure { file: "tkde-parameters".into(), title, charts: vec![chart], numbers, summary }]
}

/// All pairs of epsilon and theta; theta varies fastest.
fn grid() -> impl Iterator<Item = (f64, f64)> {
    EPSILONS.into_iter().flat_map(|epsilon| THETAS.map(|theta| (epsilon, theta)))
}

fn of_site(site: &Site) -> (Scores, Scores) {
    let pages = Pages::new(site, usize::MAX, BlockTags::Html5);
    let (partition, wanted) = (pages.tags.partition(), pages.wanted(site));
    let blocks: Vec<Vec<SiteBlock>> = pages.parsed.iter().map(|page| block_set(page, &partition)).collect();
    let score = |content: &[Vec<bool>]| Counts::new(&wanted, content).scores();
    let extractor =
        |(epsilon, theta)| score(&ContentExtractor { options: ContentExtractorOptions { epsilon, theta } }.run(&blocks).content);
    let clusters = |k| {
        let options = FeatureOptions::paper().clusters(k);
        score(&blocks.iter().map(|page| winners(page, &options, Winners::Cluster)).collect::<Vec<_>>())
    };
    (grid().map(extractor).collect(), CLUSTERS.map(clusters).to_vec())
}
