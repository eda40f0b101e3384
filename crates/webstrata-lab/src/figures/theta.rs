//! Figures 4.4 and 4.5: accuracy and number of segments against the threshold of Block Fusion.

use super::Figure;
use super::marked::{Sweep, View, charts, numbers};
use crate::gold::seg_popular::MarkedPage;
use crate::segmentation::Score;
use crate::table::{Table, share};
use webstrata::segment::{Fusion, FusionOptions, RuleSet};

/// Steps from 0 to 1.
const STEPS: u32 = 50;

/// The variants drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Plain and smoothed (figure 4.4).
    Densities,
    /// With tag rules: those of the paper and those for HTML5 (figure 4.5).
    Rules,
}

impl Variant {
    fn methods(self) -> Vec<(&'static str, FusionOptions)> {
        match self {
            Variant::Densities => vec![("bf-plain", FusionOptions::plain()), ("bf-smoothed", FusionOptions::smoothed())],
            Variant::Rules => vec![
                ("bf-rulebased, paper", FusionOptions::rule_based(RuleSet::paper())),
                ("bf-rulebased, html5", FusionOptions::rule_based(RuleSet::html5())),
            ],
        }
    }

    /// The best threshold in the thesis (4.2.4).
    fn thesis(self) -> f64 {
        match self {
            Variant::Densities => 0.38,
            Variant::Rules => 0.60,
        }
    }
}

/// Draws the figure.
#[must_use]
pub fn figures(pages: &[MarkedPage], variant: Variant) -> Vec<Figure> {
    let methods = variant.methods();
    let thetas: Vec<f64> = (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS)).collect();
    let candidates: Vec<FusionOptions> =
        methods.iter().flat_map(|(_, options)| thetas.iter().map(|&theta| options.theta(theta))).collect();
    let scores = View::default().scores(pages, &candidates, |options| Box::new(Fusion::new(*options)));
    let sweep = |((method, _), scores): (&(&str, FusionOptions), &[Vec<Score>])| Sweep {
        method: (*method).to_owned(),
        points: thetas.iter().copied().zip(scores.iter().cloned()).collect(),
    };
    let sweeps: Vec<Sweep> = methods.iter().zip(scores.chunks(thetas.len())).map(sweep).collect();
    let (file, what) = match variant {
        Variant::Densities => ("figure-4.4", "without rules"),
        Variant::Rules => ("figure-4.5", "with tag rules"),
    };
    let title = format!("Threshold of Block Fusion {what}");
    let charts = charts(&title, "theta", false, &sweeps);
    vec![Figure { file: file.into(), title, charts, numbers: numbers("theta", &sweeps), summary: summary(&sweeps, variant) }]
}

fn summary(sweeps: &[Sweep], variant: Variant) -> Table {
    let mut table = Table::new(&[
        "method", "best theta", "AdjRand", "thesis theta", "AdjRand there", "best by NMI", "NMI", "best on odd pages",
        "on even pages",
    ]);
    for sweep in sweeps {
        let rand = |score: &Score| score.adjusted_rand;
        let (theta, best) = sweep.best(rand, |_| true);
        let (by_nmi, nmi) = sweep.best(|score| score.nmi, |_| true);
        let halves = [0, 1].map(|half| sweep.best(rand, |at| at % 2 == half).0);
        table.row(vec![
            sweep.method.clone(),
            format!("{theta:.2}"),
            share(best),
            format!("{:.2}", variant.thesis()),
            share(sweep.at(variant.thesis()).adjusted_rand),
            format!("{by_nmi:.2}"),
            share(nmi),
            format!("{:.2}", halves[0]),
            format!("{:.2}", halves[1]),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::marked::tests::pages;

    #[test]
    fn thresholds_range_from_atoms_to_one_segment() {
        let figure = figures(&pages(), Variant::Densities).remove(0);
        let csv = figure.numbers.csv();
        let rows: Vec<&str> = csv.lines().collect();
        assert_eq!(rows.len(), 1 + 2 * 51);
        // At 0 the four words of the menu, all of density 1, are already one segment; at 1 everything is one segment.
        // Page 1: menu | text. Page 2: menu | Not marked (2) | text | Also not marked (3).
        assert_eq!(rows[1], "bf-plain,0,1.000000,1.000000,1.000000,3.000000");
        // By hand: 4 and 10 marked words; precision (16 + 100) / 14 / 14, recall 1.
        let precision: f64 = 116.0 / 196.0;
        assert_eq!(rows[51], format!("bf-plain,1,0.000000,0.000000,{:.6},1.000000", 2.0 * precision / (precision + 1.0)));
        assert!(figure.svg().is_ok_and(|svg| svg.is_some_and(|svg| svg.contains("bf-smoothed") && svg.contains("NMI"))));
        assert!(figure.summary.csv().contains("\nbf-plain,0.00,1.000,0.38,"), "{}", figure.summary.csv());
    }

    #[test]
    fn at_threshold_one_only_rules_cut() {
        let csv = figures(&pages(), Variant::Rules).remove(0).numbers.csv();
        let last = csv.lines().nth(51).unwrap_or_default();
        // Same as JustRules: two segments on the first page, four on the second.
        assert_eq!(last, "\"bf-rulebased, paper\",1,1.000000,1.000000,1.000000,3.000000");
    }
}
