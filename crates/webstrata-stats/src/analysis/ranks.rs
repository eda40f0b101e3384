//! Rank sequences: sizes of segments (figure 4.6, table 4.2), densities and token lengths of pages (figure 4.13).
//!
//! A sequence of millions of ranks is fitted at a few hundred of them, each weighted by the number of ranks it represents.

use super::{Figure, Section, beside, number, quality, row, series};
use crate::count::{FINE, Summary};
use crate::fit::{Fitted, fit, ranked};
use crate::law::{Law, MenzerathAltmann, Points, Truncation, Zipf, ZipfLavalette, ZipfMandelbrot};
use crate::plot::{Chart, ChartKind, Series};
use crate::table::Table;

/// Ranks per decade used for fits.
const PER_DECADE: f64 = 60.0;
/// Ranks per decade drawn in charts.
const DRAWN: f64 = 16.0;

/// A rank sequence: values in descending order, each with its number of occurrences.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranked {
    /// Values with the number of items that have them, largest value first.
    values: Vec<(f64, u64)>,
    pub(super) items: u64,
    pub(super) largest: f64,
}

impl Ranked {
    pub(super) fn new(values: impl IntoIterator<Item = (f64, u64)>) -> Ranked {
        let mut values: Vec<(f64, u64)> = values.into_iter().filter(|value| value.1 > 0).collect();
        values.sort_by(|a, b| b.0.total_cmp(&a.0));
        let items = values.iter().map(|value| value.1).sum();
        let largest = values.first().map_or(0.0, |value| value.0);
        Ranked { values, items, largest }
    }

    /// Values relative to the largest at some ranks, each representing the ranks up to the next one.
    pub(super) fn points(&self, per_decade: f64) -> Points {
        let steps = ((self.items.max(1) as f64).log10() * per_decade).ceil() as u32;
        let mut ends: Vec<u64> = (0..=steps).map(|step| 10f64.powf(f64::from(step) / per_decade).round() as u64).collect();
        ends.retain(|end| *end < self.items);
        ends.push(self.items);
        ends.dedup();
        let mut points = Points::default();
        let (mut at, mut passed, mut begin) = (0, 0, 0);
        for end in ends.into_iter().filter(|end| *end > 0) {
            // The rank in the middle of those from `begin + 1` to `end`.
            let rank = (begin + 1 + end).div_ceil(2);
            while at + 1 < self.values.len() && passed + self.values[at].1 < rank {
                passed += self.values[at].1;
                at += 1;
            }
            points.x.push(rank as f64);
            points.y.push(self.values.get(at).map_or(0.0, |value| value.0) / self.largest.max(f64::MIN_POSITIVE));
            points.weight.push((end - begin) as f64);
            begin = end;
        }
        points
    }
}

/// The fitted curve at the ranks of the points.
pub(super) fn curve(name: &str, law: &dyn Law, fitted: &Fitted, points: &Points) -> Series {
    let values = fitted.values();
    let curve = law.curve(&values);
    series(name, points.x.iter().map(|x| (*x, curve(*x))).filter(|point| point.1 > 1e-9))
}

/// A log-log chart with its numbers.
pub(super) fn figure(file: &'static str, title: &str, x: &str, y: &str, lines: Vec<Series>) -> Figure {
    let mut numbers = Table::new(&["series", x, y]);
    for line in &lines {
        for (x, y) in &line.points {
            numbers.row(vec![line.name.clone(), x.to_string(), format!("{y:.6e}")]);
        }
    }
    let chart =
        Chart { title: title.into(), x: x.into(), y: y.into(), logarithmic: (true, true), ..Chart::new(ChartKind::Line, lines) };
    Figure { file, title: title.into(), charts: vec![chart], numbers }
}

/// Figure 4.6 and table 4.2.
pub(super) fn segments(summary: &Summary) -> Section {
    let counts = summary.tallies.lengths.counts();
    let ranked_words = Ranked::new(counts.iter().enumerate().skip(1).map(|(words, count)| (words as f64, *count)));
    if ranked_words.items < 10 {
        return Section::default();
    }
    let mut section = Section {
        id: "segment-ranks",
        title: "Sizes of segments by rank: Zipf and its extensions",
        about: "Words of segments relative to the largest, by rank (figure 4.6 and table 4.2, there BF-RuleBased: C = 1.479, b = .670).".into(),
        ..Section::default()
    };
    let points = ranked_words.points(PER_DECADE);
    let lavalette = ZipfLavalette { ranks: ranked_words.items as f64 };
    let laws: [&dyn Law; 3] = [&Zipf, &ZipfMandelbrot, &lavalette];
    let drawn = ranked_words.points(DRAWN);
    let mut lines = vec![series("segments", drawn.x.iter().copied().zip(drawn.y.iter().copied()))];
    let mut table = beside();
    row(&mut table, "segments", ranked_words.items, "–");
    for law in laws {
        if let Some(fitted) = section.fit(fit(law, &points)) {
            lines.push(curve(law.name(), law, &fitted, &drawn));
        }
    }
    section.fits = ranked(section.fits.into_iter().map(Ok));
    if let Some(zipf) = section.fits.iter().find(|fitted| fitted.law == Zipf.name()) {
        row(&mut table, "Zipf: C", number(zipf.parameters[0].value), "1.47937");
        row(&mut table, "Zipf: b", number(zipf.parameters[1].value), "0.67028");
        row(&mut table, "Zipf: RMSE", number(zipf.rmse), "0.02096");
    }
    row(&mut table, "best law", section.fits.first().map_or("–", |fitted| &fitted.law), "Zipf (the only one tried)");
    section.findings = vec![table];
    section.figures = vec![figure("segment-ranks", "Sizes of segments by rank", "rank", "words relative to the largest", lines)];
    section
}

/// Figure 4.13.
pub(super) fn pages(summary: &Summary) -> Section {
    let tallies = &summary.tallies;
    let histogram = |counts: &[u64]| Ranked::new(counts.iter().enumerate().map(|(class, count)| (class as f64 / FINE, *count)));
    let sequences = [
        ("text density", histogram(tallies.page_densities.counts()), Truncation::Power, [".9654", ".0154"]),
        ("average token length", histogram(tallies.page_token_lengths.counts()), Truncation::Power, [".9335", ".00002"]),
        ("density per token length", histogram(tallies.page_ratios.counts()), Truncation::PowerAndDecay, [".97", ".0029"]),
    ];
    if sequences[0].1.items < 20 {
        return Section::default();
    }
    let mut section = Section {
        id: "page-ranks",
        title: "Densities and token lengths of pages by rank: Menzerath–Altmann",
        about: "Averages of pages relative to the largest, by rank (figure 4.13), fitted by equation 4.12, and their quotient by equation \
                4.11. The thesis leaves out the 100 longest average token lengths of 316,448; nothing is left out here."
            .into(),
        ..Section::default()
    };
    let mut table = beside();
    let mut lines = Vec::new();
    for (name, sequence, terms, thesis) in sequences {
        let law = MenzerathAltmann { terms, norm: sequence.items as f64 };
        let drawn = sequence.points(DRAWN);
        lines.push(series(name, drawn.x.iter().copied().zip(drawn.y.iter().copied())));
        let fitted = fit(&law, &sequence.points(PER_DECADE)).map(|mut fitted| {
            fitted.law = format!("{}, {name}", fitted.law);
            fitted
        });
        let fitted = section.fit(fitted);
        quality(&mut table, name, fitted.as_ref(), thesis);
        if let Some(fitted) = &fitted {
            lines.push(curve(&format!("law of {name}"), &law, fitted, &drawn));
        }
        row(
            &mut table,
            &format!("largest {name}"),
            number(sequence.largest),
            if name == "average token length" { "65.026" } else { "–" },
        );
    }
    section.findings = vec![table];
    section.figures = vec![figure("page-ranks", "Averages of pages by rank", "rank", "relative to the largest", lines)];
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_ranks_stand_for_all() {
        let ranked = Ranked::new((1..=1000).map(|value| (f64::from(value), 10)));
        let points = ranked.points(PER_DECADE);
        assert_eq!(points.weight.iter().sum::<f64>(), 10_000.0);
        assert_eq!((points.x[0], points.y[0]), (1.0, 1.0));
        assert!(points.y.is_sorted_by(|a, b| a >= b) && points.len() < 300);
        // Rank 5000 of 10,000 is the median.
        let middle = points.x.iter().position(|rank| *rank > 5000.0).unwrap();
        assert!((points.y[middle] - 0.5).abs() < 0.03, "{}", points.y[middle]);
        assert!(Ranked::new([]).points(DRAWN).is_empty());
    }
}
