//! Results as tables: by method, by page type or language, and by page.

use super::run::Outcome;
use super::summary::Summary;
use crate::gold::set::{GoldPage, GoldSet};
use crate::table::{Table, share};
use std::collections::BTreeMap;

/// Grouping of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// By page type.
    PageType,
    /// By language.
    Language,
}

impl Group {
    fn value(self, page: &GoldPage) -> Option<&str> {
        match self {
            Group::PageType => page.page_type.as_deref(),
            Group::Language => page.language.as_deref(),
        }
    }
}

/// One row per method.
#[must_use]
pub fn summary(outcomes: &[Outcome]) -> Table {
    let mut table =
        Table::new(&["method", "pages", "precision", "recall", "F1", "median", "under .5", "order F1", "snippets", "failed"]);
    for outcome in outcomes {
        let s = Summary::from_scores(outcome.answered());
        let pages = if s.pages == 0 { outcome.answered().count() } else { s.pages };
        let mut row = vec![outcome.name.clone(), pages.to_string()];
        if s.pages == 0 {
            row.extend(["–"; 6].map(str::to_owned));
        } else {
            row.extend([s.precision, s.recall, s.f1, s.median, s.under_half, s.sequence_f1].map(share));
        }
        row.extend([share(s.snippets), outcome.failures.len().to_string()]);
        table.row(row);
    }
    table
}

/// F1 by page type or language: one row per method, one column per group. Empty if the set has no such information.
#[must_use]
pub fn grouped(set: &GoldSet, outcomes: &[Outcome], group: Group) -> Table {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, page) in set.pages.iter().enumerate() {
        if let Some(name) = group.value(page) {
            groups.entry(name).or_default().push(at);
        }
    }
    let first = match group {
        Group::PageType => "F1 by page type",
        Group::Language => "F1 by language",
    };
    let names: Vec<String> = groups.iter().map(|(name, pages)| format!("{name} ({})", pages.len())).collect();
    let heading: Vec<&str> = std::iter::once(first).chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heading);
    if groups.len() > 1 {
        for outcome in outcomes {
            let f1 =
                |pages: &Vec<usize>| share(Summary::from_scores(pages.iter().filter_map(|&at| outcome.scores[at].as_ref())).f1);
            table.row(std::iter::once(outcome.name.clone()).chain(groups.values().map(f1)).collect());
        }
    }
    table
}

/// All scores of all pages.
#[must_use]
pub fn pages(set: &GoldSet, outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(&[
        "set", "method", "page", "page_type", "language", "precision", "recall", "f1", "order_f1", "snippets", "right",
    ]);
    for outcome in outcomes {
        for (page, score) in set.pages.iter().zip(&outcome.scores) {
            let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
            let mut row = vec![set.name.clone(), outcome.name.clone(), page.id.clone()];
            row.extend([text(page.page_type.as_deref()), text(page.language.as_deref())]);
            let words = score.as_ref().and_then(|score| score.words);
            let figures = words.map(|w| [w.bag.precision, w.bag.recall, w.bag.f1(), w.sequence.f1()]);
            row.extend(figures.map_or_else(|| [const { String::new() }; 4].to_vec(), |f| f.map(|v| format!("{v:.6}")).to_vec()));
            let snippets = score.as_ref().map(|score| [score.snippets, score.snippets_right]);
            row.extend(snippets.map_or_else(|| [const { String::new() }; 2], |s| s.map(|n| n.to_string())));
            table.row(row);
        }
    }
    table
}
