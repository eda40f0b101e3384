//! Figure 4.22: words of CleanEval by the text density of their block.

use super::Figure;
use crate::gold::set::{GoldPage, GoldSet};
use crate::metrics::words::Vocabulary;
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::strata::align::shares;
use crate::table::Table;
use rayon::prelude::*;
use webstrata::Page;
use webstrata::block::GapModel;

/// Largest density drawn; larger ones are included in it.
const MAX_DENSITY: usize = 20;
/// The density below which the thesis finds "only very little words".
const DENSE: usize = 11;

/// Words by density: in blocks with at least half of their words in the gold text, and in others.
type Counts = [[f64; MAX_DENSITY + 1]; 2];

/// Draws the figure; none if no page can be read.
#[must_use]
pub fn figures(set: &GoldSet) -> Vec<Figure> {
    let counted: Vec<Counts> = set.pages.par_iter().filter_map(count).collect();
    let mut sum: Counts = [[0.0; MAX_DENSITY + 1]; 2];
    for page in &counted {
        for (kind, words) in page.iter().enumerate() {
            words.iter().enumerate().for_each(|(density, words)| sum[kind][density] += words);
        }
    }
    let all: f64 = sum.iter().flatten().sum();
    if all == 0.0 {
        return Vec::new();
    }
    let title = "Words by text density of their block (CleanEval)";
    let points = |words: &[f64]| words.iter().enumerate().map(|(x, y)| (x as f64, *y)).collect();
    let names = ["content", "not content"];
    let series = names.iter().zip(&sum).map(|(name, words)| Series { name: (*name).into(), points: points(words) }).collect();
    let chart = Chart {
        title: title.into(),
        x: "text density of the block, words per line, rounded".into(),
        y: "words".into(),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    let mut numbers = Table::new(&["density", "content", "not_content"]);
    for (density, (content, other)) in sum[0].iter().zip(&sum[1]).enumerate() {
        numbers.row(vec![density.to_string(), content.to_string(), other.to_string()]);
    }
    let percent = |part: f64, of: f64| if of == 0.0 { "–".to_owned() } else { format!("{:.1}%", part / of * 100.0) };
    let below = |words: &[f64]| words.iter().take(DENSE).sum::<f64>();
    let whole = |words: &[f64]| words.iter().sum::<f64>();
    let mut summary = Table::new(&["words in", "share", "thesis"]);
    summary.row(vec![
        format!("blocks of density below {DENSE}"),
        percent(below(&sum[0]) + below(&sum[1]), all),
        "“only very little”".into(),
    ]);
    for (name, words) in names.iter().zip(&sum) {
        summary.row(vec![format!("{name}: blocks of density below {DENSE}"), percent(below(words), whole(words)), "–".into()]);
    }
    summary.row(vec!["content, of all words".into(), percent(whole(&sum[0]), all), "–".into()]);
    vec![Figure { file: "figure-4.22".into(), title: title.into(), charts: vec![chart], numbers, summary }]
}

fn count(gold: &GoldPage) -> Option<Counts> {
    let bytes = std::fs::read(&gold.file).ok()?;
    let page = Page::parse(&bytes);
    let blocks = page.blocks_by(GapModel::Tags);
    let mut vocabulary = Vocabulary::default();
    let words: Vec<Vec<u32>> = blocks.iter().map(|block| vocabulary.read(&block.text())).collect();
    let wanted = shares(&words, &vocabulary.read(gold.gold_text.as_deref()?));
    let mut counts: Counts = [[0.0; MAX_DENSITY + 1]; 2];
    for (block, share) in blocks.iter().zip(wanted) {
        let density = (block.density().value().round() as usize).min(MAX_DENSITY);
        counts[usize::from(share < 0.5)][density] += f64::from(block.counts().words);
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_by_density_and_gold() {
        let here = tempfile::tempdir().unwrap();
        std::fs::create_dir(here.path().join("html")).unwrap();
        let text = "It rained again in the whole valley, and all of the night.";
        std::fs::write(here.path().join("html/1.html"), format!("<p>Home page</p><p>{text}</p><p>All rights reserved")).unwrap();
        std::fs::write(here.path().join("gold.jsonl"), serde_json::json!({ "id": "1", "gold_text": text }).to_string()).unwrap();
        let figure = figures(&GoldSet::read(here.path()).unwrap()).remove(0);
        let csv = figure.numbers.csv();
        assert!(csv.contains("\n2,0,2\n3,0,3\n") && csv.contains("\n12,12,0\n"), "{csv}");
        assert!(figure.summary.csv().contains("\nblocks of density below 11,29.4%,"), "{}", figure.summary.csv());
        assert!(figure.svg().is_ok_and(|svg| svg.is_some()));
    }
}
