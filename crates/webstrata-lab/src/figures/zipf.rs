//! Figure 4.6 and table 4.2: segment sizes by rank, and the power laws fitted to them.
//!
//! All segments of all pages are ranked by their number of words. The thesis draws the same ("log-log plot of block-level token counts")
//! and gives `C` and `b` of `y = C x^-b`; since `C` is near 1, `y` must be relative to the largest count.

use super::Figure;
use super::marked::View;
use crate::gold::seg_popular::MarkedPage;
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::{Table, share};
use rayon::prelude::*;
use webstrata::segment::{Method, RuleSet};
use webstrata_stats::fit::{Fitted, chi_squared, fit};
use webstrata_stats::law::{Points, Zipf};

/// Points per curve and decade of ranks.
const POINTS: f64 = 16.0;

/// `C`, `b`, chi squared and error in table 4.2.
const THESIS: [(Method, [f64; 4]); 4] = [
    (Method::BfPlain, [1.04024, 0.74899, 98.15, 0.00438]),
    (Method::BfSmoothed, [1.03643, 0.73334, 87.38, 0.00538]),
    (Method::BfRulebased, [1.47937, 0.67028, 649.36, 0.02096]),
    (Method::JustRules, [1.08526, 0.70280, 256.56, 0.01372]),
];

/// Ranked segments of one method.
#[derive(Clone, Debug)]
struct Ranked {
    name: String,
    thesis: Option<[f64; 4]>,
    /// Numbers of words, largest first.
    words: Vec<usize>,
    law: Option<Fitted>,
    /// Pearson's chi squared of the shares, as in table 4.2.
    chi_squared: f64,
}

impl Ranked {
    fn new(name: String, thesis: Option<[f64; 4]>, mut words: Vec<usize>) -> Self {
        words.retain(|count| *count > 0);
        words.sort_unstable_by(|a, b| b.cmp(a));
        let largest = words.first().copied().unwrap_or(1) as f64;
        let points = Points::new((1..).zip(&words).map(|(rank, count)| (f64::from(rank), *count as f64 / largest)));
        let law = fit(&Zipf, &points).ok();
        let chi_squared = law.as_ref().map_or(f64::NAN, |law| chi_squared(&points.y, &law.predicted(&Zipf, &points), 1).0);
        Ranked { name, thesis, words, law, chi_squared }
    }

    /// The ranks drawn: about the same number per decade.
    fn ranks(&self) -> Vec<usize> {
        let last = self.words.len();
        let steps = ((last.max(1) as f64).log10() * POINTS).ceil() as u32;
        let mut ranks: Vec<usize> = (0..=steps).map(|step| 10f64.powf(f64::from(step) / POINTS).round() as usize).collect();
        ranks.retain(|rank| *rank < last);
        ranks.push(last);
        ranks.dedup();
        ranks
    }

    fn fitted(&self, rank: usize) -> f64 {
        let law = |law: &Fitted| law.parameters[0].value * (rank as f64).powf(-law.parameters[1].value) * self.words[0] as f64;
        self.law.as_ref().map_or(f64::NAN, law)
    }
}

/// Draws the figure and the table.
#[must_use]
pub fn figures(pages: &[MarkedPage]) -> Vec<Figure> {
    let methods: Vec<Method> = Method::PAPERS.into_iter().filter(|method| *method != Method::GetBlockSet).collect();
    let sizes = |marked: &MarkedPage| {
        let page = View::default().parse(marked);
        let words = |method: &Method| -> Vec<usize> {
            page.segments_by(&*method.segmenter(RuleSet::paper())).iter().map(|segment| segment.counts().words as usize).collect()
        };
        methods.iter().map(words).collect::<Vec<_>>()
    };
    let by_page: Vec<Vec<Vec<usize>>> = pages.par_iter().map(sizes).collect();
    let mut ranked: Vec<Ranked> = Vec::new();
    for (at, method) in methods.iter().enumerate() {
        let thesis = THESIS.iter().find(|(name, _)| name == method).map(|(_, printed)| *printed);
        ranked.push(Ranked::new(method.to_string(), thesis, by_page.iter().flat_map(|page| page[at].clone()).collect()));
    }
    let gold: Vec<Vec<usize>> = View::default().map(pages, |task| task.sizes());
    // The thesis gives the numbers of JustRules for the manual segments as well.
    ranked.push(Ranked::new("manual marks".into(), Some(THESIS[3].1), gold.into_iter().flatten().collect()));
    ranked.retain(|ranked| !ranked.words.is_empty());
    vec![figure(&ranked), table(&ranked)]
}

fn figure(ranked: &[Ranked]) -> Figure {
    let curve = |ranked: &Ranked, value: &dyn Fn(usize) -> f64| Series {
        name: ranked.name.clone(),
        points: ranked.ranks().into_iter().map(|rank| (rank as f64, value(rank))).collect(),
    };
    let series = ranked.iter().map(|r| curve(r, &|rank| r.words[rank - 1] as f64)).collect();
    let title = "Words of segments by rank, with power laws (dashed lines)";
    let chart = Chart {
        title: title.into(),
        x: "rank of the segment".into(),
        y: "words of the segment".into(),
        logarithmic: (true, true),
        dashed: ranked.iter().map(|r| curve(r, &|rank| r.fitted(rank).max(0.5))).collect(),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    let mut numbers = Table::new(&["method", "rank", "words", "fitted"]);
    for r in ranked {
        for rank in r.ranks() {
            numbers.row(vec![r.name.clone(), rank.to_string(), r.words[rank - 1].to_string(), format!("{:.3}", r.fitted(rank))]);
        }
    }
    let mut summary = Table::new(&["method", "segments", "largest", "median"]);
    for r in ranked {
        let median = r.words[r.words.len() / 2];
        summary.row(vec![r.name.clone(), r.words.len().to_string(), r.words[0].to_string(), median.to_string()]);
    }
    Figure { file: "figure-4.6".into(), title: title.into(), charts: vec![chart], numbers, summary }
}

fn table(ranked: &[Ranked]) -> Figure {
    let heading = ["method", "C", "thesis", "b", "thesis", "chi2", "thesis", "RMSE", "thesis", "R2", "R2 adjusted"];
    let mut summary = Table::new(&heading);
    for r in ranked {
        let Some(law) = &r.law else { continue };
        let printed = |at: usize, digits: usize| r.thesis.map_or_else(|| "–".to_owned(), |t| format!("{:.digits$}", t[at]));
        summary.row(vec![
            r.name.clone(),
            format!("{:.3}", law.parameters[0].value),
            printed(0, 3),
            format!("{:.3}", law.parameters[1].value),
            printed(1, 3),
            format!("{:.2}", r.chi_squared),
            printed(2, 2),
            format!("{:.4}", law.rmse),
            printed(3, 4),
            share(law.r_squared),
            share(law.r_squared_adjusted),
        ]);
    }
    let title = "Table 4.2: power laws of segment sizes".into();
    Figure { file: "table-4.2".into(), title, charts: Vec::new(), numbers: summary.clone(), summary }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::marked::tests::pages;

    #[test]
    fn segments_of_all_pages_are_ranked_together() {
        let figures = figures(&pages());
        let csv = figures[0].numbers.csv();
        let rows = |method: &str| csv.lines().filter(|row| row.starts_with(&format!("{method},"))).collect::<Vec<_>>();
        // Two texts of ten words, two menus of four, and unmarked text: two words and three.
        let words = |row: &&str| row.split(',').nth(2).unwrap_or_default().to_owned();
        assert_eq!(rows("just-rules").iter().map(words).collect::<Vec<_>>(), ["10", "10", "4", "4", "3", "2"]);
        // Marked text only.
        assert_eq!(rows("manual marks").iter().map(words).collect::<Vec<_>>(), ["10", "10", "4", "4"]);
        assert_eq!(figures[1].numbers.csv().lines().count(), 1 + Method::PAPERS.len());
        assert!(figures[0].svg().is_ok_and(|svg| svg.is_some()) && figures[1].svg().is_ok_and(|svg| svg.is_none()));
    }

    #[test]
    fn curves_are_thinned_and_keep_their_ends() {
        let ranked = Ranked::new("x".into(), None, (1..=5000).collect());
        let ranks = ranked.ranks();
        assert!(ranks.len() < 80 && ranks[..5] == [1, 2, 3, 4, 5] && ranks.last() == Some(&5000), "{ranks:?}");
        assert!(ranks.is_sorted());
    }
}
