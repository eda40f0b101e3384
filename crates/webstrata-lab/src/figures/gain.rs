//! Figure 4.20: information gain of single features, for two and for four classes.

use super::Figure;
use crate::learn::column::Column;
use crate::learn::dataset::{Classes, Dataset, LabelledBlocks};
use crate::learn::information_gain::{Weighting, information_gain};
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::Table;
use rayon::prelude::*;

/// Number of features in the summary.
const MAX_FEATURES: usize = 10;

/// Draws the figures of both problems.
#[must_use]
pub fn figures(blocks: &LabelledBlocks) -> Vec<Figure> {
    let problems = [(Classes::Two, "figure-4.20a", "two classes"), (Classes::Four, "figure-4.20b", "four classes")];
    problems
        .par_iter()
        .map(|(classes, file, name)| figure(&blocks.dataset(&Column::local(), *classes), file, name))
        .collect::<Vec<_>>()
        .into_iter()
        .flatten()
        .collect()
}

/// Draws a figure; `None` for a set without rows.
fn figure(data: &Dataset, file: &str, name: &str) -> Option<Figure> {
    if data.is_empty() {
        return None;
    }
    let (by_words, by_blocks) =
        rayon::join(|| information_gain(data, Weighting::Words), || information_gain(data, Weighting::Blocks));
    let blocks = |column: Column| by_blocks.iter().position(|gain| gain.column == column).unwrap_or(0);
    let mut numbers =
        Table::new(&["feature", "by_words", "intervals", "by_blocks", "intervals_by_blocks", "rank", "rank_by_blocks"]);
    for (at, gain) in by_words.iter().enumerate() {
        let other = blocks(gain.column);
        numbers.row(vec![
            gain.column.to_string(),
            format!("{:.6}", gain.gain),
            gain.intervals.to_string(),
            format!("{:.6}", by_blocks[other].gain),
            by_blocks[other].intervals.to_string(),
            (at + 1).to_string(),
            (other + 1).to_string(),
        ]);
    }
    let points = |value: &dyn Fn(usize) -> f64| (0..by_words.len()).map(|at| (at as f64, value(at))).collect();
    let series = vec![
        Series { name: "weighted by words".into(), points: points(&|at| by_words[at].gain) },
        Series { name: "unweighted".into(), points: points(&|at| by_blocks[blocks(by_words[at].column)].gain) },
    ];
    let title = format!("Information gain of single features, {name}");
    let chart = Chart {
        title: title.clone(),
        x: String::new(),
        y: "bits".into(),
        names: by_words.iter().map(|gain| gain.column.to_string()).collect(),
        legend: Legend::Inside,
        ..Chart::new(ChartKind::Rows, series)
    };
    let mut summary = Table::new(&["rank", "by words", "bits", "by blocks", "bits"]);
    for (at, (words, blocks)) in by_words.iter().zip(&by_blocks).take(MAX_FEATURES).enumerate() {
        let bits = |gain: f64| format!("{gain:.4}");
        summary.row(vec![
            (at + 1).to_string(),
            words.column.to_string(),
            bits(words.gain),
            blocks.column.to_string(),
            bits(blocks.gain),
        ]);
    }
    Some(Figure { file: file.into(), title, charts: vec![chart], numbers, summary })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weightings_are_listed() {
        // The second column determines the class, the first is useless: one bit and zero.
        let rows: Vec<_> = (0..40).map(|x| (vec![(x % 2) as f32, x as f32], u8::from(x >= 20), 1, 0)).collect();
        let columns = Column::list("words,density").unwrap_or_default();
        let figure = figure(&Dataset::from_rows(columns, &rows, Classes::Two), "x", "two").unwrap_or_else(|| unreachable!());
        let want = "feature,by_words,intervals,by_blocks,intervals_by_blocks,rank,rank_by_blocks\n\
            density,1.000000,2,1.000000,2,1,1\nwords,0.000000,1,0.000000,1,2,2\n";
        assert_eq!(figure.numbers.csv(), want);
        let svg = figure.svg().ok().flatten().unwrap_or_default();
        assert!(svg.contains("density") && svg.contains("bits"), "{svg}");
    }
}
