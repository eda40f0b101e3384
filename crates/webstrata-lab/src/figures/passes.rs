//! Figure 4.8: error (1 - accuracy) and number of segments after each pass of Block Fusion.

use super::Figure;
use super::marked::{Sweep, View, charts, numbers};
use crate::gold::seg_popular::MarkedPage;
use crate::segmentation::Score;
use crate::table::{Table, share};
use webstrata::segment::{Fusion, FusionOptions, RuleSet};

/// Number of passes drawn. No page of the set needs this many.
const PASSES: u32 = 12;

/// Draws the figure.
#[must_use]
pub fn figures(pages: &[MarkedPage]) -> Vec<Figure> {
    let methods = [
        ("bf-plain", FusionOptions::plain()),
        ("bf-smoothed", FusionOptions::smoothed()),
        ("bf-rulebased", FusionOptions::rule_based(RuleSet::paper())),
    ];
    let limits: Vec<u32> = (0..=PASSES).collect();
    let candidates: Vec<FusionOptions> =
        methods.iter().flat_map(|(_, options)| limits.iter().map(|&limit| options.passes(limit))).collect();
    let scores = View::default().scores(pages, &candidates, |options| Box::new(Fusion::new(*options)));
    let sweep = |((method, _), scores): (&(&str, FusionOptions), &[Vec<Score>])| Sweep {
        method: (*method).to_owned(),
        points: limits.iter().map(|&limit| f64::from(limit)).zip(scores.iter().cloned()).collect(),
    };
    let sweeps: Vec<Sweep> = methods.iter().zip(scores.chunks(limits.len())).map(sweep).collect();
    let title = "Error after each pass of Block Fusion";
    let charts = charts(title, "passes", true, &sweeps);
    let numbers = numbers("passes", &sweeps);
    vec![Figure { file: "figure-4.8".into(), title: title.into(), charts, numbers, summary: summary(&sweeps) }]
}

fn summary(sweeps: &[Sweep]) -> Table {
    let heading = [
        "method",
        "error before",
        "after 1",
        "after all",
        "share removed after 1",
        "segments before",
        "after 1",
        "after all",
        "passes needed",
    ];
    let mut table = Table::new(&heading);
    for sweep in sweeps {
        let [before, first, last] = [0.0, 1.0, f64::from(PASSES)].map(|pass| sweep.at(pass));
        let error = |score: &Score| 1.0 - score.adjusted_rand;
        let removed = (error(&before) - error(&first)) / (error(&before) - error(&last));
        // The last pass that changed a page.
        let changed = |pair: &[(f64, Vec<Score>)]| pair[0].1 != pair[1].1;
        let needed = sweep.points.windows(2).rposition(changed).map_or(0, |at| at + 1);
        table.row(vec![
            sweep.method.clone(),
            share(error(&before)),
            share(error(&first)),
            share(error(&last)),
            share(removed),
            format!("{:.1}", before.segments),
            format!("{:.1}", first.segments),
            format!("{:.1}", last.segments),
            needed.to_string(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::marked::tests::pages;

    #[test]
    fn nothing_is_fused_before_the_first_pass() {
        let figure = figures(&pages()).remove(0);
        let csv = figure.numbers.csv();
        // Five and seven atoms; one pass fuses the menu.
        assert!(csv.contains("\nbf-plain,0,") && csv.lines().nth(1).is_some_and(|row| row.ends_with(",6.000000")), "{csv}");
        assert!(csv.contains("\nbf-plain,1,1.000000,1.000000,1.000000,3.000000\n"), "{csv}");
        assert!(
            figure.summary.csv().lines().nth(1).is_some_and(|row| row.ends_with(",1.000,6.0,3.0,3.0,1")),
            "{}",
            figure.summary.csv()
        );
        assert!(figure.svg().is_ok_and(|svg| svg.is_some()));
    }
}
