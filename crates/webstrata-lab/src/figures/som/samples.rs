//! Samples of a site's pages.

use super::super::sites::pages_below;
use super::{Figure, Labels, choices};
use crate::metrics::partition::Contingency;
use crate::table::{Table, share};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata_corpus::io::Random;
use webstrata_corpus::site::som::{PageTree, Som, SomOptions};

/// Sample sizes of the paper, in percent, and how often each is drawn.
const SAMPLES: [usize; 3] = [1, 5, 10];
const DRAWS: u64 = 3;

/// Agreement of samples of a site's pages with the whole site (the paper's 1%, 5% and 10%).
#[must_use]
pub fn samples(folder: &Path) -> Vec<Figure> {
    let files = pages_below(folder);
    if files.len() < 100 {
        return Vec::new();
    }
    let all: Vec<u32> = (0..files.len() as u32).collect();
    let whole = build(&files, &all);
    let mut numbers = Table::new(&["options", "percent", "draw", "pages", "adjusted_rand", "below_0.9"]);
    let mut summary = Table::new(&["options", "sample", "pages", "AdjRand", "paper", "pages below 0.9"]);
    for (name, options) in choices() {
        for percent in SAMPLES {
            let drawn: Vec<Vec<f64>> = (0..DRAWS)
                .into_par_iter()
                .map(|draw| {
                    let mut order = all.clone();
                    order.sort_by_key(|&number| Random::for_item(draw, u64::from(number)).next());
                    order.truncate((files.len() * percent).div_ceil(100));
                    order.sort_unstable();
                    agreement(&files, &order, &build(&files, &order), &whole, &options)
                })
                .collect();
            for (draw, values) in drawn.iter().enumerate() {
                let low = values.iter().filter(|value| **value < 0.9).count();
                let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
                let mut row = vec![name.to_owned(), percent.to_string(), draw.to_string(), values.len().to_string()];
                row.extend([format!("{mean:.4}"), low.to_string()]);
                numbers.row(row);
            }
            let values: Vec<f64> = drawn.concat();
            let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
            let low = values.iter().filter(|value| **value < 0.9).count() as f64 / values.len().max(1) as f64;
            let paper = if percent == 1 { "0.98" } else { "“similar”" };
            let mut row = vec![name.to_owned(), format!("{percent}%"), values.len().to_string()];
            row.extend([share(mean), paper.to_owned(), format!("{:.0}%", low * 100.0)]);
            summary.row(row);
        }
    }
    let title = "Segments by a sample of a site's pages against those by all its pages";
    vec![Figure { file: "som-samples".into(), title: title.into(), charts: Vec::new(), numbers, summary }]
}

fn build(files: &[PathBuf], numbers: &[u32]) -> Som {
    let mut som = Som::default();
    for &number in numbers {
        if let Ok(bytes) = std::fs::read(&files[number as usize]) {
            som.add(number, &PageTree::new(&Page::parse(&bytes)));
        }
    }
    som
}

/// For each page of a sample with several words: Adjusted Rand of its segments from the sample's tree against those from the whole site's.
fn agreement(files: &[PathBuf], sample: &[u32], ours: &Som, whole: &Som, options: &SomOptions) -> Vec<f64> {
    let (ours, whole) = (ours.pruned(options), whole.pruned(options));
    let of_page = |&number: &u32| {
        let bytes = std::fs::read(&files[number as usize]).ok()?;
        let page = Page::parse(&bytes);
        let (a, b) = (Labels::new(&page, 0, &ours), Labels::new(&page, 0, &whole));
        let words = page.blocks_by(GapModel::Tags);
        let items = words
            .iter()
            .zip(a.runs.iter().zip(&b.runs))
            .flat_map(|(block, (a, b))| std::iter::repeat_n((b.1, a.1), block.counts().words as usize));
        let table = Contingency::new(items);
        (table.items() > 1).then(|| table.adjusted_rand())
    };
    sample.iter().filter_map(of_page).collect()
}
