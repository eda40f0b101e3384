//! Figure 4.23: blocks by their number of words; figure 4.25: random writers fitted to them.

use super::Figure;
use crate::learn::dataset::{Classes, LabelledBlocks};
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::Table;
use webstrata_stats::fit::fit;
use webstrata_stats::law::{Points, StratifiedWriter, Writer};

/// Largest number of words drawn.
const MAX_DRAWN: usize = 100;

/// Smallest share drawn: the curve of one state falls far below what a set can show.
const DRAWN: f64 = 1e-5;

/// Numbers of blocks by words: all, boilerplate, content. The first entry is for blocks of one word.
struct Blocks {
    boilerplate: Vec<u64>,
    content: Vec<u64>,
}

impl Blocks {
    fn new(blocks: &LabelledBlocks) -> Self {
        let rows: Vec<(bool, usize)> = blocks
            .blocks()
            .filter(|(_, words)| *words > 0)
            .map(|(label, words)| (Classes::Two.class(label) == 1, words as usize))
            .collect();
        let longest = rows.iter().map(|row| row.1).max().unwrap_or(0);
        let count = |content: bool| {
            let mut counts = vec![0; longest];
            rows.iter().filter(|row| row.0 == content).for_each(|row| counts[row.1 - 1] += 1);
            counts
        };
        Blocks { boilerplate: count(false), content: count(true) }
    }

    fn all(&self) -> u64 {
        self.boilerplate.iter().chain(&self.content).sum()
    }

    /// The share of blocks with 1, 2, 3 … words.
    fn shares(&self) -> Vec<f64> {
        let all = self.all().max(1) as f64;
        self.boilerplate.iter().zip(&self.content).map(|(a, b)| (a + b) as f64 / all).collect()
    }
}

/// Figure 4.23. The thesis magnifies the content for clarity; so does the second chart.
#[must_use]
pub fn words(blocks: &LabelledBlocks) -> Vec<Figure> {
    let blocks = Blocks::new(blocks);
    if blocks.all() == 0 {
        return Vec::new();
    }
    let title = "Blocks by their number of words (news)";
    let series = |name: &str, counts: &[u64]| Series {
        name: name.into(),
        points: (1..).zip(counts).take(MAX_DRAWN).map(|(x, y)| (f64::from(x), *y as f64)).collect(),
    };
    let chart = |title: &str, series: Vec<Series>| Chart {
        title: title.into(),
        x: "words of the block".into(),
        y: "blocks".into(),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    let charts = vec![
        chart(title, vec![series("boilerplate", &blocks.boilerplate), series("content", &blocks.content)]),
        chart("Content alone", vec![series("content", &blocks.content)]),
    ];
    let mut numbers = Table::new(&["words", "boilerplate", "content"]);
    for (at, (boilerplate, content)) in blocks.boilerplate.iter().zip(&blocks.content).enumerate() {
        if boilerplate + content > 0 {
            numbers.row(vec![(at + 1).to_string(), boilerplate.to_string(), content.to_string()]);
        }
    }
    let share = blocks.boilerplate.iter().sum::<u64>() as f64 / blocks.all() as f64;
    let above = |counts: &[u64]| counts.iter().skip(40).sum::<u64>() as f64;
    let long = above(&blocks.content) / (above(&blocks.content) + above(&blocks.boilerplate)).max(1.0);
    let mut summary = Table::new(&["", "ours", "thesis"]);
    summary.row(vec!["words of the longest block".into(), blocks.content.len().to_string(), "1122".into()]);
    summary.row(vec!["blocks that are boilerplate".into(), format!("{:.1}%", share * 100.0), "79%".into()]);
    summary.row(vec!["blocks of more than 40 words that are content".into(), format!("{:.1}%", long * 100.0), "–".into()]);
    vec![Figure { file: "figure-4.23".into(), title: title.into(), charts, numbers, summary }]
}

/// Figure 4.25: the models of figures 4.25a and b, fitted to the blocks.
#[must_use]
pub fn writers(blocks: &LabelledBlocks) -> Vec<Figure> {
    let shares = Blocks::new(blocks).shares();
    let points = Points::new((1..).zip(&shares).map(|(x, share)| (f64::from(x), *share)));
    let (Ok(one), Ok(two)) = (fit(&Writer, &points), fit(&StratifiedWriter, &points)) else { return Vec::new() };
    let (fitted_one, fitted_two) = (one.predicted(&Writer, &points), two.predicted(&StratifiedWriter, &points));
    let title = "Random writers fitted to blocks by their number of words (news)";
    let drawn =
        |values: &[f64]| (1..).zip(values).take(60).map(|(x, y)| (f64::from(x), *y)).filter(|point| point.1 > DRAWN).collect();
    let series = vec![
        Series { name: "blocks".into(), points: drawn(&shares) },
        Series { name: "4.25a: one state of text".into(), points: drawn(&fitted_one) },
        Series { name: "4.25b: short and long text".into(), points: drawn(&fitted_two) },
    ];
    let chart = Chart {
        title: title.into(),
        x: "words of the block".into(),
        y: "share of blocks".into(),
        logarithmic: (false, true),
        ..Chart::new(ChartKind::Line, series)
    };
    let mut numbers = Table::new(&["words", "share", "one", "two"]);
    for (at, ((share, one), two)) in shares.iter().zip(&fitted_one).zip(&fitted_two).enumerate() {
        numbers.row(vec![(at + 1).to_string(), format!("{share:.6}"), format!("{one:.6}"), format!("{two:.6}")]);
    }
    let mut summary = Table::new(&["", "4.25a", "thesis", "4.25b", "thesis"]);
    let mut row = |name: &str, cells: [String; 4]| summary.row([vec![name.to_owned()], cells.to_vec()].concat());
    let none = || "–".to_owned();
    let [weight, short, long] = std::array::from_fn(|at| two.parameters[at].value);
    row("P_T(N)", [format!("{:.4}", one.parameters[0].value), "0.3145".into(), none(), none()]);
    row("P_N(S)", [none(), none(), format!("{weight:.4}"), "0.7586".into()]);
    row("P_S(N)", [none(), none(), format!("{short:.4}"), "0.3968".into()]);
    row("P_L(N)", [none(), none(), format!("{long:.5}"), "0.04369".into()]);
    row(
        "mean words of short and long text",
        [none(), none(), format!("{:.2}, {:.2}", 1.0 / short, 1.0 / long), "2.52, 22.89".into()],
    );
    let percent = |value: f64| format!("{:.2}%", value * 100.0);
    row("adjusted R²", [percent(one.r_squared_adjusted), "96.7%".into(), percent(two.r_squared_adjusted), "98.81%".into()]);
    row("RMSE", [format!("{:.4}", one.rmse), "0.0046".into(), format!("{:.4}", two.rmse), "0.0027".into()]);
    vec![Figure { file: "figure-4.25".into(), title: title.into(), charts: vec![chart], numbers, summary }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::l3s_blocks::{AnnotatedPage, L3sBlocks, LabelledPage};
    use crate::gold::set::GoldPage;
    use webstrata::block::GapModel;

    #[test]
    fn blocks_are_counted_by_words_and_class() {
        let html = "<p>Home<p>News<p>All news<p><span class=x-nc-sel1>It rains</span><p><span class=x-nc-sel2>It has been raining \
                    here for three days now.</span>";
        let page = LabelledPage { gold: GoldPage { id: "1".into(), ..GoldPage::default() }, page: AnnotatedPage::new(html) };
        let blocks = LabelledBlocks::new(&L3sBlocks { pages: vec![page], problems: Vec::new() }, GapModel::Tags);
        let figure = words(&blocks).remove(0);
        assert_eq!(figure.numbers.csv(), "words,boilerplate,content\n1,2,0\n2,1,1\n9,0,1\n");
        assert!(figure.summary.csv().contains("\nblocks that are boilerplate,60.0%,79%\n"), "{}", figure.summary.csv());
        let figure = writers(&blocks).remove(0);
        assert!(figure.svg().is_ok_and(|svg| svg.is_some()));
        assert!(figure.numbers.csv().contains("\n1,0.400000,"), "{}", figure.numbers.csv());
    }
}
