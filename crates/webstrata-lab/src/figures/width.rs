//! Figure 4.7: accuracy and number of segments against the line width.

use super::Figure;
use super::marked::{Sweep, View, charts, numbers};
use crate::gold::seg_popular::MarkedPage;
use crate::segmentation::Score;
use crate::table::{Table, share};
use webstrata::segment::{Method, RuleSet};

/// Widths in characters.
const WIDTHS: std::ops::RangeInclusive<u32> = 2..=20;
const STEP: u32 = 10;

/// The range in which accuracy is stable according to the thesis.
const STABLE: (f64, f64) = (80.0, 110.0);

const METHODS: [Method; 3] = [Method::BfPlain, Method::BfSmoothed, Method::BfRulebased];

/// Draws the figure.
#[must_use]
pub fn figures(pages: &[MarkedPage]) -> Vec<Figure> {
    let mut sweeps = METHODS.map(|method| Sweep { method: method.to_string(), points: Vec::new() }).to_vec();
    for width in WIDTHS.map(|tens| tens * STEP) {
        let view = View { width, ..View::default() };
        let scores = view.scores(pages, &METHODS, |method| method.segmenter(RuleSet::paper()));
        for (sweep, scores) in sweeps.iter_mut().zip(scores) {
            sweep.points.push((f64::from(width), scores));
        }
    }
    let title = "Width of a line (w_max)";
    let charts = charts(title, "characters per line", false, &sweeps);
    let numbers = numbers("width", &sweeps);
    vec![Figure { file: "figure-4.7".into(), title: title.into(), charts, numbers, summary: summary(&sweeps) }]
}

fn summary(sweeps: &[Sweep]) -> Table {
    let mut table = Table::new(&["method", "best width", "AdjRand", "at 80", "at 90", "spread from 80 to 110", "spread of all"]);
    for sweep in sweeps {
        let (width, best) = sweep.best(|score| score.adjusted_rand, |_| true);
        let spread = |low: f64, high: f64| {
            let inside: Vec<f64> = sweep.means().filter(|(x, _)| (low..=high).contains(x)).map(|(_, s)| s.adjusted_rand).collect();
            let (min, max) = inside.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
            max - min
        };
        let at = |width: f64| -> Score { sweep.at(width) };
        table.row(vec![
            sweep.method.clone(),
            format!("{width}"),
            share(best),
            share(at(80.0).adjusted_rand),
            share(at(90.0).adjusted_rand),
            share(spread(STABLE.0, STABLE.1)),
            share(spread(0.0, f64::INFINITY)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::marked::tests::pages;

    #[test]
    fn every_width_is_measured() {
        let figure = figures(&pages()).remove(0);
        let csv = figure.numbers.csv();
        assert_eq!(csv.lines().count(), 1 + 3 * 19);
        // At 20 characters the text has three lines, "It has been raining", "in the valley for", "three days.": 4 words per line; at 80
        // it is one line of 10. Menu and text differ by 3 / 4 and by 9 / 10: separate either way.
        assert!(csv.contains("\nbf-plain,20,1.000000,") && csv.contains("\nbf-plain,80,1.000000,"), "{csv}");
        assert!(figure.summary.csv().contains("\nbf-plain,20,1.000,1.000,1.000,.000,.000\n"), "{}", figure.summary.csv());
        assert!(figure.svg().is_ok_and(|svg| svg.is_some()));
    }
}
