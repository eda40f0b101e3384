//! Figure 10 of the TKDE paper: accuracy of L-Extractor against the number of pages.

use super::Figure;
use crate::learn::cross_validation::cross_validate;
use crate::learn::dataset::{Classes, LabelledBlocks};
use crate::learn::train::TrainOptions;
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::{Table, share};

/// Numbers of pages; the paper has 250 in total.
const PAGES: [usize; 6] = [25, 50, 100, 150, 200, 250];

/// Draws the figure: five folds over pages sampled from the whole set.
#[must_use]
pub fn figure_10(blocks: &LabelledBlocks) -> Vec<Figure> {
    let options = TrainOptions::l_extractor();
    let counts: Vec<usize> = PAGES.into_iter().filter(|&pages| pages <= blocks.page_count()).collect();
    if counts.is_empty() {
        return Vec::new();
    }
    let mut numbers = Table::new(&["pages", "blocks", "accuracy", "most_common_class", "precision", "f1", "roc_auc"]);
    let mut summary = Table::new(&["pages", "blocks", "accuracy", "the most common class", "ROC AuC"]);
    let (mut learned, mut baseline) = (Vec::new(), Vec::new());
    for pages in counts {
        let data = blocks.sample(pages).dataset(&options.columns, Classes::Two);
        let weights = data.distribution(&data.rows());
        let most = weights.iter().copied().fold(0.0, f64::max) / weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let scores = cross_validate(&data, &options.learner, options.folds, options.by);
        // Recall averaged over all classes, weighted by their size, is the share of right answers.
        let accuracy = scores.recall;
        let mut row = vec![pages.to_string(), data.len().to_string()];
        row.extend([accuracy, most, scores.precision, scores.f1, scores.area].map(|value| format!("{value:.4}")));
        numbers.row(row);
        let mut row = vec![pages.to_string(), data.len().to_string()];
        row.extend([accuracy, most, scores.area].map(share));
        summary.row(row);
        learned.push((pages as f64, accuracy));
        baseline.push((pages as f64, most));
    }
    let title = "Accuracy of L-Extractor by the number of pages (figure 10 of the TKDE paper)";
    let chart = Chart {
        title: title.into(),
        x: "pages".into(),
        y: "share of blocks".into(),
        legend: Legend::Beside,
        ..Chart::new(
            ChartKind::Line,
            vec![
                Series { name: "L-Extractor".into(), points: learned },
                Series { name: "the most common class".into(), points: baseline },
            ],
        )
    };
    vec![Figure { file: "tkde-figure-10".into(), title: title.into(), charts: vec![chart], numbers, summary }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::l3s_blocks::{AnnotatedPage, L3sBlocks, LabelledPage};
    use crate::gold::set::GoldPage;
    use webstrata::block::GapModel;

    #[test]
    fn accuracy_is_measured_for_the_numbers_of_pages_there_are() {
        let page = |number: usize| {
            let html = format!(
                "<ul><li><a href=x>Sport</a><li><a href=y>News</a></ul><p><span class=x-nc-sel2>{}</span></p>",
                "word ".repeat(30 + number % 9)
            );
            LabelledPage { gold: GoldPage { id: number.to_string(), ..GoldPage::default() }, page: AnnotatedPage::new(&html) }
        };
        let set = L3sBlocks { pages: (0..60).map(page).collect(), problems: Vec::new() };
        let figure = figure_10(&LabelledBlocks::new(&set, GapModel::Tags)).remove(0);
        let csv = figure.summary.csv();
        assert_eq!(csv.lines().count(), 3, "{csv}");
        assert!(csv.contains("\n25,") && csv.contains("\n50,") && csv.contains(",1.000,"), "{csv}");
        assert!(figure.svg().is_ok_and(|svg| svg.is_some()));
    }
}
