//! Terms: frequencies by rank, and terms typical of short and of long text (figure 4.16, tables 4.4 and 4.5).

use super::ranks::{Ranked, curve, figure};
use super::{Figure, Section, beside, number, percent, quality, row, series};
use crate::count::{Summary, TermSummary};
use crate::fit::{fit, ranked};
use crate::law::{Law, Zipf, ZipfLavalette, ZipfMandelbrot};
use crate::table::Table;

const PER_DECADE: f64 = 60.0;
const DRAWN: f64 = 16.0;
/// Minimum typicality of a term that belongs to a class (4.3.2).
const TYPICAL: f64 = 0.05;
/// Typicality classes per unit, as counted.
const CLASSES: f64 = 10_000.0;

/// Term frequencies by rank.
pub(super) fn frequencies(summary: &Summary) -> Section {
    let all = &summary.terms.frequencies;
    let sequence = Ranked::new(all.0.iter().map(|(frequency, terms)| (*frequency as f64, *terms)));
    if sequence.items < 10 {
        return Section::default();
    }
    let mut section = Section {
        id: "terms",
        title: "Frequencies of terms by rank: Zipf and its extensions",
        about: "Occurrences of terms relative to the most frequent, by rank.".into(),
        ..Section::default()
    };
    let (points, drawn) = (sequence.points(PER_DECADE), sequence.points(DRAWN));
    let lavalette = ZipfLavalette { ranks: sequence.items as f64 };
    let laws: [&dyn Law; 3] = [&Zipf, &ZipfMandelbrot, &lavalette];
    let mut lines = vec![series("terms", drawn.x.iter().copied().zip(drawn.y.iter().copied()))];
    for law in laws {
        if let Some(fitted) = section.fit(fit(law, &points)) {
            lines.push(curve(law.name(), law, &fitted, &drawn));
        }
    }
    let mut table = beside();
    row(&mut table, "distinct terms", sequence.items, "–");
    let once = all.0.get(&1).copied().unwrap_or(0);
    row(&mut table, "terms that occur once", percent(once as f64 / sequence.items as f64), "–");
    section.fits = ranked(section.fits.into_iter().map(Ok));
    section.findings = vec![table];
    section.figures = vec![figure("terms", "Frequencies of terms by rank", "rank", "frequency relative to the largest", lines)];
    section
}

/// Figure 4.16, tables 4.4 and 4.5.
pub(super) fn typicality(summary: &Summary) -> Section {
    let terms = &summary.terms;
    let compared: u64 = terms.typicalities.values().sum();
    if compared == 0 {
        return Section::default();
    }
    let mut section = Section {
        id: "typicality",
        title: "Which terms belong to short and to long text",
        about: format!(
            "Typicality of a term (equation 4.19): -1 if it occurs only in short text (density up to 8), +1 if only in long text. Terms \
             in at least {} pages. In the second table, for texts of density up to 5: +1 if the term occurs only in frequent texts, -1 if \
             only in rare texts, counted in segments.",
            terms.minimum
        ),
        ..Section::default()
    };
    let pages = summary.tallies.all.pages as f64;
    let log = (pages + 1.0).ln();
    let sequence = Ranked::new(terms.typicalities.iter().map(|(class, count)| ((f64::from(*class) / CLASSES * log).exp(), *count)));
    let law = ZipfLavalette { ranks: sequence.items as f64 };
    let fitted = section.fit(fit(&law, &sequence.points(PER_DECADE)));
    let mut table = beside();
    row(&mut table, "terms compared", compared, "2938");
    let share = |keep: &dyn Fn(f64) -> bool| {
        let kept: u64 =
            terms.typicalities.iter().filter(|(class, _)| keep(f64::from(**class) / CLASSES)).map(|(_, count)| *count).sum();
        percent(kept as f64 / compared as f64)
    };
    row(&mut table, "typical of short text (ε ≤ -.05)", share(&|value| value <= -TYPICAL), "20%");
    row(&mut table, "typical of long text (ε ≥ +.05)", share(&|value| value >= TYPICAL), "42.7%");
    quality(&mut table, "Zipf–Lavalette of the ratios", fitted.as_ref(), [".9468", ".0034"]);
    if let Some(fitted) = &fitted {
        row(&mut table, "a1", number(fitted.parameters[1].value), "0.39");
    }
    let drawn = sequence.points(DRAWN);
    let mut lines = vec![series("terms", drawn.x.iter().copied().zip(drawn.y.iter().copied()))];
    if let Some(fitted) = &fitted {
        lines.push(curve(law.name(), &law, fitted, &drawn));
    }
    section.findings = vec![table];
    section.figures = vec![
        figure("term-ratios", "Document frequency ratios of terms by rank", "rank", "ratio relative to the largest", lines),
        listed("typical-terms", "Most typical terms of short and of long text", terms, ["short text", "long text"]),
    ];
    let low = &summary.templates.terms;
    if !low.typicalities.is_empty() {
        let title = "Most typical terms of rare and of frequent texts with a density up to 5";
        section.figures.push(listed("typical-terms-low", title, low, ["rare texts", "frequent texts"]));
    }
    section
}

/// A table of the most typical terms.
fn listed(file: &'static str, title: &str, terms: &TermSummary, names: [&str; 2]) -> Figure {
    let mut numbers = Table::new(&["rank", names[0], "ε", names[1], "ε"]);
    for rank in 0..terms.typical[0].len().max(terms.typical[1].len()) {
        let cells = |side: usize| {
            let term = terms.typical[side].get(rank);
            [
                term.map_or(String::new(), |term| term.term.clone()),
                term.map_or(String::new(), |term| format!("{:.2}", term.typicality)),
            ]
        };
        let ([first, e1], [second, e2]) = (cells(0), cells(1));
        numbers.row(vec![(rank + 1).to_string(), first, e1, second, e2]);
    }
    Figure { file, title: title.into(), charts: Vec::new(), numbers }
}
