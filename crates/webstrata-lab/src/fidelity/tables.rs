//! Tables of scores.

use super::run::Outcome;
use super::score::{MEASURES, PageScore, means};
use crate::gold::held_out::held_out;
use crate::gold::set::GoldSet;
use crate::table::Table;
use std::collections::BTreeMap;

/// A percentage, or a dash.
fn percent(value: f64) -> String {
    if value.is_nan() { "–".to_owned() } else { format!("{:.1}", value * 100.0) }
}

fn rows<'s>(outcomes: &'s [Outcome], pages: &[usize], first: &str) -> Table {
    let of = |outcome: &'s Outcome| means(pages.iter().map(|&at| &outcome.scores[at]));
    let counts = outcomes.first().map_or([(0.0, 0); MEASURES.len()], of);
    let names: Vec<String> = MEASURES.iter().zip(counts).map(|(name, (_, pages))| format!("{name} ({pages})")).collect();
    let heading: Vec<&str> = std::iter::once(first).chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heading);
    for outcome in outcomes {
        let values = of(outcome).map(|(mean, _)| percent(mean));
        table.row(std::iter::once(outcome.name.clone()).chain(values).collect());
    }
    table
}

/// Tables of a set, each with its title: all pages, and, if some are held out, development pages and held-out pages.
#[must_use]
pub fn parts(set: &GoldSet, outcomes: &[Outcome]) -> Vec<(String, Table)> {
    let held = held_out(&set.pages);
    let which = |wanted: Option<bool>| -> Vec<usize> {
        (0..set.pages.len()).filter(|&at| wanted.is_none_or(|wanted| held[at] == wanted)).collect()
    };
    let mut parts = vec![("all pages", which(None))];
    if held.iter().any(|held| *held) && held.iter().any(|held| !held) {
        parts.extend([("development", which(Some(false))), ("held out", which(Some(true)))]);
    }
    let titled =
        |(name, pages): (&str, Vec<usize>)| (format!("{}, {name}: {}", set.name, pages.len()), rows(outcomes, &pages, "method"));
    parts.into_iter().map(titled).collect()
}

/// Scores of the first method by page type (for documentation: the generator).
#[must_use]
pub fn by_type(set: &GoldSet, outcome: &Outcome) -> Table {
    let mut types: BTreeMap<&str, Vec<&PageScore>> = BTreeMap::new();
    for (page, score) in set.pages.iter().zip(&outcome.scores) {
        types.entry(page.page_type.as_deref().unwrap_or("–")).or_default().push(score);
    }
    let heading: Vec<&str> = ["page type", "pages"].into_iter().chain(MEASURES).collect();
    let mut table = Table::new(&heading);
    for (name, scores) in types {
        let pages = scores.len().to_string();
        let values = means(scores).map(|(mean, _)| percent(mean));
        table.row([name.to_owned(), pages].into_iter().chain(values).collect());
    }
    table
}

/// All scores of all pages.
#[must_use]
pub fn pages(set: &GoldSet, outcomes: &[Outcome]) -> Table {
    let names = MEASURES.map(|name| name.to_lowercase().replace(' ', "_"));
    let heading: Vec<&str> =
        ["set", "method", "page", "page_type", "held_out"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heading);
    let held = held_out(&set.pages);
    for outcome in outcomes {
        for ((page, score), held) in set.pages.iter().zip(&outcome.scores).zip(&held) {
            let kind = page.page_type.clone().unwrap_or_default();
            let about = [set.name.clone(), outcome.name.clone(), page.id.clone(), kind, held.to_string()];
            let values = score.iter().map(|value| value.map_or_else(String::new, |value| format!("{value:.6}")));
            table.row(about.into_iter().chain(values).collect());
        }
    }
    table
}
