//! Common parts of the segmentation figures: a set of annotated pages, and any number of segmenters over it.

use crate::gold::seg_popular::{Level, MarkedPage};
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::segmentation::{Reading, Score, Task};
use crate::table::Table;
use rayon::prelude::*;
use webstrata::block::WordOptions;
use webstrata::segment::Segmenter;
use webstrata::{Page, PageOptions};

/// How annotations and line widths are interpreted.
///
/// ```
/// use webstrata_lab::{figures::marked::View, gold::seg_popular::Level, segmentation::Reading};
/// let view = View::default();
/// assert_eq!((view.level, view.reading, view.width), (Level::Sub, Reading::Marked, 80));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The annotations that count. The inner ones are closest to the thesis' segments, which are about 20 per page.
    pub level: Level,
    /// Treatment of unmarked text.
    pub reading: Reading,
    /// Line width in characters (`w_max`).
    pub width: u32,
}

impl Default for View {
    fn default() -> Self {
        View { level: Level::Sub, reading: Reading::Marked, width: 80 }
    }
}

impl View {
    /// Parses a page the way the methods see it.
    #[must_use]
    pub fn parse<'p>(&self, marked: &'p MarkedPage) -> Page<'p> {
        let words = WordOptions::default().line_width(self.width);
        Page::parse_with(marked.html().as_bytes(), &PageOptions::default().encoding(encoding_rs::UTF_8).words(words))
    }

    /// Applies `each` to every page that can be scored, in order.
    pub fn map<T: Send>(&self, marked: &[MarkedPage], each: impl Fn(&Task<'_>) -> T + Sync) -> Vec<T> {
        let one = |marked: &MarkedPage| {
            let page = self.parse(marked);
            let task = Task::with_reading(&page, |byte| marked.label_at(byte, self.level), self.reading).ok()?;
            Some(each(&task))
        };
        marked.par_iter().map(one).collect::<Vec<_>>().into_iter().flatten().collect()
    }

    /// The scores of every candidate on every page.
    pub fn scores<C: Sync>(
        &self,
        marked: &[MarkedPage],
        candidates: &[C],
        segmenter: impl Fn(&C) -> Box<dyn Segmenter> + Sync,
    ) -> Vec<Vec<Score>> {
        self.measured(marked, candidates, |task, candidate| task.score(&*segmenter(candidate)))
    }

    /// The results of `score` for every candidate on every page.
    pub(super) fn measured<C: Sync>(
        &self,
        marked: &[MarkedPage],
        candidates: &[C],
        score: impl Fn(&Task<'_>, &C) -> Score + Sync,
    ) -> Vec<Vec<Score>> {
        let rows: Vec<Vec<Score>> = self.map(marked, |task| candidates.iter().map(|candidate| score(task, candidate)).collect());
        (0..candidates.len()).map(|at| rows.iter().map(|row| row[at]).collect()).collect()
    }
}

/// Means of a method as a parameter varies.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The method.
    pub method: String,
    /// The parameter, and the scores of all pages.
    pub points: Vec<(f64, Vec<Score>)>,
}

impl Sweep {
    /// The mean at each point.
    pub fn means(&self) -> impl Iterator<Item = (f64, Score)> + '_ {
        self.points.iter().map(|(x, scores)| (*x, Score::mean(scores)))
    }

    /// The parameter with the highest mean of a measure over some of the pages, the first on a tie, and that mean.
    pub fn best(&self, measure: impl Fn(&Score) -> f64, page: impl Fn(usize) -> bool) -> (f64, f64) {
        let mut best = (f64::NAN, f64::NEG_INFINITY);
        for (x, scores) in &self.points {
            let some: Vec<Score> = scores.iter().enumerate().filter(|(at, _)| page(*at)).map(|(_, score)| *score).collect();
            let value = measure(&Score::mean(&some));
            if value > best.1 {
                best = (*x, value);
            }
        }
        best
    }

    /// The mean at the parameter closest to `x`.
    #[must_use]
    pub fn at(&self, x: f64) -> Score {
        let nearest = self.points.iter().min_by(|a, b| (a.0 - x).abs().total_cmp(&(b.0 - x).abs()));
        nearest.map(|(_, scores)| Score::mean(scores)).unwrap_or_default()
    }
}

/// One measure of several sweeps.
fn series(sweeps: &[Sweep], value: impl Fn(&Score) -> f64) -> Vec<Series> {
    let points = |sweep: &Sweep| sweep.means().map(|(x, score)| (x, value(&score))).collect();
    sweeps.iter().map(|sweep| Series { name: sweep.method.clone(), points: points(sweep) }).collect()
}

/// Charts of accuracy or error, with Adjusted Rand as solid lines and NMI as dashed ones, and of the number of segments below.
pub(super) fn charts(title: &str, x: &str, error: bool, sweeps: &[Sweep]) -> Vec<Chart> {
    let side = |value: f64| if error { 1.0 - value } else { value };
    let chart = |title: &str, y: &str, series, dashed| Chart {
        title: title.into(),
        x: x.into(),
        y: y.into(),
        legend: Legend::Beside,
        dashed,
        ..Chart::new(ChartKind::Line, series)
    };
    let y = if error { "1 - AdjRand (solid), 1 - NMI (dashed)" } else { "AdjRand (solid), NMI (dashed)" };
    let [rand, nmi] = [series(sweeps, |score| side(score.adjusted_rand)), series(sweeps, |score| side(score.nmi))];
    vec![chart(title, y, rand, nmi), chart("", "segments per page", series(sweeps, |score| score.segments), Vec::new())]
}

/// All means.
pub(super) fn numbers(x: &str, sweeps: &[Sweep]) -> Table {
    let mut table = Table::new(&["method", x, "adjusted_rand", "nmi", "bcubed_f", "segments"]);
    for sweep in sweeps {
        for (at, score) in sweep.means() {
            let figures = [score.adjusted_rand, score.nmi, score.bcubed.f, score.segments];
            let mut row = vec![sweep.method.clone(), format!("{}", (at * 1e6).round() / 1e6)];
            row.extend(figures.map(|value| format!("{value:.6}")));
            table.row(row);
        }
    }
    table
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use webstrata::segment::{JustRules, RuleSet, TagGap};

    /// Two pages, the second with text outside its annotations.
    pub(in crate::figures) fn pages() -> Vec<MarkedPage> {
        let menu = "<ul data-block=1 data-block-type=Menu><li>Home<li>News<li>Weather<li>Sport</ul>";
        let text = "<p data-block=1 data-block-type=Content>It has been raining in the valley for three days.</p>";
        let first = format!("{menu}{text}");
        let second = format!("{menu}<h2>Not marked</h2>{text}<hr><p>Also not marked");
        vec![MarkedPage::new("a", first.as_bytes()), MarkedPage::new("b", second.as_bytes())]
    }

    #[test]
    fn candidates_are_scored_page_by_page() {
        let scores = View::default().scores(&pages(), &[true, false], |rules| {
            if *rules { Box::new(JustRules(RuleSet::paper())) } else { Box::new(TagGap) }
        });
        assert_eq!(scores.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(scores[0].iter().map(|s| (s.adjusted_rand, s.segments)).collect::<Vec<_>>(), [(1.0, 2.0), (1.0, 4.0)]);
        assert_eq!(scores[1].iter().map(|s| s.segments).collect::<Vec<_>>(), [5.0, 7.0]);
    }

    #[test]
    fn best_parameter_over_all_pages_and_over_some() {
        let score = |adjusted_rand: f64| Score { adjusted_rand, ..Score::default() };
        let points =
            vec![(0.1, vec![score(0.2), score(0.8)]), (0.2, vec![score(0.7), score(0.5)]), (0.3, vec![score(0.6), score(0.6)])];
        let sweep = Sweep { method: "m".into(), points };
        let best = |page: fn(usize) -> bool| sweep.best(|s| s.adjusted_rand, page);
        assert_eq!((best(|_| true).0, best(|at| at == 0).0, best(|at| at == 1).0), (0.2, 0.2, 0.1));
        assert!((sweep.at(0.29).adjusted_rand - 0.6).abs() < 1e-12);
        let csv = numbers("theta", &[sweep]).csv();
        assert!(csv.starts_with("method,theta,adjusted_rand,nmi,bcubed_f,segments\nm,0.1,0.500000,0.000000,"), "{csv}");
    }
}
