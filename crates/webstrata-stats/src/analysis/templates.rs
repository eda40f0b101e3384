//! Frequent texts (figures 4.18 and 4.19, tables 4.6 and 4.7).

use super::density::{all_words, shares};
use super::ranks::{Ranked, curve, figure};
use super::{Figure, Section, beside, number, percent, quality, ratio, row, series};
use crate::count::{MAX_DENSITY, Summary};
use crate::fit::{fit, ranked};
use crate::law::{BetaNormalBeta, Law, Points, Zipf, ZipfLavalette, ZipfMandelbrot};
use crate::plot::{Chart, ChartKind};
use crate::table::Table;

const PER_DECADE: f64 = 60.0;
const DRAWN: f64 = 16.0;
/// Highest density of template text (4.3.3), and lowest density of the upper class.
const LOW: usize = 5;
const HIGH: usize = 9;

pub(super) fn templates(summary: &Summary) -> Section {
    let templates = &summary.templates;
    let sequence = Ranked::new(templates.frequencies.0.iter().map(|(frequency, texts)| (*frequency as f64, *texts)));
    if sequence.items < 10 {
        return Section::default();
    }
    let mut section = Section {
        id: "templates",
        title: "Texts that occur often: templates by fingerprint",
        about: "The fingerprint of a text ignores case, digits, dates and addresses. Texts whose fingerprint occurs at least 10 times are \
                templates (4.3.3)."
            .into(),
        ..Section::default()
    };
    let (points, drawn) = (sequence.points(PER_DECADE), sequence.points(DRAWN));
    let lavalette = ZipfLavalette { ranks: sequence.items as f64 };
    let laws: [&dyn Law; 3] = [&lavalette, &ZipfMandelbrot, &Zipf];
    let mut lines = vec![series("texts", drawn.x.iter().copied().zip(drawn.y.iter().copied()))];
    for law in laws {
        if let Some(fitted) = section.fit(fit(law, &points)) {
            lines.push(curve(law.name(), law, &fitted, &drawn));
        }
    }
    let mut table = beside();
    row(&mut table, "distinct fingerprints", sequence.items, "1717039");
    row(&mut table, "templates among them", templates.templates, "38634");
    if let Some(lavalette) = section.fits.first() {
        row(&mut table, "Zipf–Lavalette: a1", number(lavalette.parameters[1].value), "0.7408");
        row(&mut table, "Zipf–Lavalette: R²", format!("{:.4}", lavalette.r_squared), ".9329");
    }
    section.fits = ranked(section.fits.into_iter().map(Ok));
    let all = all_words(summary);
    let in_templates: Vec<u64> =
        (0..=MAX_DENSITY).map(|class| templates.words[0].get(class) + templates.words[1].get(class)).collect();
    let (sum, template_sum) = (all.iter().sum::<u64>(), in_templates.iter().sum::<u64>());
    let low = |words: &[u64]| words.iter().take(LOW + 1).sum::<u64>();
    let high = |words: &[u64]| words.iter().skip(HIGH).sum::<u64>();
    row(&mut table, "words in templates", percent(ratio(template_sum, sum)), "28%");
    row(&mut table, "words of templates with a full stop", percent(ratio(templates.words[1].sum(), template_sum)), "47%");
    row(&mut table, "words with a density of at most 5", percent(ratio(low(&all), sum)), "23%");
    let low_without: u64 = (0..=LOW).map(|class| templates.words[0].get(class)).sum();
    row(&mut table, "of these, in templates without a full stop", percent(ratio(low_without, low(&all))), "63%");
    row(&mut table, "of words with density 9 or more, in templates", percent(ratio(high(&in_templates), high(&all))), "20%");
    row(&mut table, "of words in templates, with a density of at most 5", percent(ratio(low(&in_templates), template_sum)), "47%");
    section.figures.push(figure(
        "fingerprints",
        "Frequencies of texts by rank",
        "rank",
        "frequency relative to the largest",
        lines,
    ));
    if template_sum > 0 {
        let (points, norm) = shares(&in_templates);
        let law = BetaNormalBeta { norm };
        let fitted = fit(&law, &points).map(|mut fitted| {
            fitted.law = "Beta–Normal–Beta, words in templates".into();
            fitted
        });
        let fitted = section.fit(fitted);
        quality(&mut table, "Beta–Normal–Beta, words in templates", fitted.as_ref(), [".9966", ".0026"]);
        if let Some(fitted) = &fitted {
            row(&mut table, "d: long text among the two Betas", number(fitted.parameters[5].value), ".4821");
        }
        section.figures.push(by_density(&all, &in_templates, &points));
    }
    section.findings = vec![table];
    for (file, title, list) in [
        ("frequent-texts", "The most frequent texts", &templates.frequent),
        ("rare-texts", "Some rare texts of density up to 5, chosen at random", &templates.rare),
    ] {
        let mut numbers = Table::new(&["frequency", "text"]);
        list.iter().for_each(|(count, text)| numbers.row(vec![count.to_string(), text.clone()]));
        section.figures.push(Figure { file, title: title.into(), charts: Vec::new(), numbers });
    }
    section
}

/// Figure 4.19.
fn by_density(all: &[u64], templates: &[u64], points: &Points) -> Figure {
    let title = "Words by density: all, and in templates";
    let mut numbers = Table::new(&["density", "words", "in templates"]);
    let last = points.len();
    for class in 1..=last.min(MAX_DENSITY) {
        numbers.row(vec![class.to_string(), all[class].to_string(), templates[class].to_string()]);
    }
    let bars = |name: &str, words: &[u64]| {
        series(name, words.iter().enumerate().skip(1).take(last).map(|(class, count)| (class as f64, *count as f64)))
    };
    let chart = Chart {
        title: title.into(),
        x: "text density".into(),
        y: "words".into(),
        ..Chart::new(ChartKind::Bars, vec![bars("all", all), bars("in templates", templates)])
    };
    Figure { file: "templates", title: title.into(), charts: vec![chart], numbers }
}
