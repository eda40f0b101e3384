//! Causes of differences between an answer's elements and the gold.

use super::markdown::{Elements, collapsed};
use super::run::Outcome;
use super::score::{MEASURES, code_pairs, code_text, counted, formula_text, item_pairs, normal, table_pairs, table_similarity};
use crate::gold::held_out::held_out;
use crate::gold::set::GoldSet;
use crate::gold::structure::Structure;
use crate::metrics::edit::{align, is_similar, similarity};
use crate::metrics::grid::Cell;
use crate::table::Table;
use std::collections::BTreeMap;

/// Length of an excerpt in characters.
const EXCERPT: usize = 70;
/// Minimum similarity at which a heading or a formula counts as changed rather than missing.
const CHANGED: f64 = 0.6;

/// The cause of a miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Its text does not occur in the answer.
    Dropped,
    /// Its text occurs, but not as such an element.
    Other,
    /// The element occurs, but differs.
    Changed,
    /// The answer has an element that gold does not have.
    Surplus,
}

impl Cause {
    fn name(self) -> &'static str {
        match self {
            Cause::Dropped => "dropped",
            Cause::Other => "as something else",
            Cause::Changed => "changed",
            Cause::Surplus => "surplus",
        }
    }
}

/// An element that differs from the gold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// Index in [`MEASURES`] of the affected measure.
    pub measure: usize,
    /// What happened.
    pub cause: Cause,
    /// The element in gold.
    pub gold: String,
    /// The element in the answer, if known.
    pub answer: String,
}

/// Letters and digits only, so that the check whether a text occurs does not depend on its formatting.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The elements of a page that differ from the gold.
#[must_use]
pub fn misses(gold: &Structure, answer: &Elements) -> Vec<Miss> {
    let (gold, answer) = (&normal(gold), &counted(&normal(gold), answer));
    let text = letters(&answer.text);
    let absent = |what: &str| if text.contains(&letters(what)) { Cause::Other } else { Cause::Dropped };
    let mut found = Vec::new();
    let mut miss = |measure, cause, gold: &str, answer: &str| {
        found.push(Miss { measure, cause, gold: gold.to_owned(), answer: answer.to_owned() });
    };
    code(gold, answer, &absent, &mut miss);
    formulas(gold, answer, &absent, &mut miss);
    tables(gold, answer, &text, &mut miss);
    let headings: Vec<String> = gold.headings.iter().map(|heading| heading.text.clone()).collect();
    let pairs = align(headings.len(), answer.headings.len(), |i, j| same_or(&headings[i], &answer.headings[j]));
    each_unpaired(&headings, &answer.headings, &pairs, |cause, gold, answer| {
        miss(6, cause.unwrap_or_else(|| absent(gold)), gold, answer);
    });
    let pairs = item_pairs(gold, answer);
    for (at, item) in gold.items.iter().enumerate().filter(|(at, _)| !pairs.iter().any(|pair| pair.0 == *at)) {
        let near = answer.items.iter().find(|other| is_similar(item, other, CHANGED));
        let cause = if near.is_some() { Cause::Changed } else { absent(item) };
        miss(7, cause, &gold.items[at], near.map_or("", String::as_str));
    }
    for (_, item) in answer.items.iter().enumerate().filter(|(at, _)| !pairs.iter().any(|pair| pair.1 == *at)) {
        miss(7, Cause::Surplus, "", item);
    }
    found
}

/// 1 for equal texts, less for changed ones, so that equal texts are paired first.
fn same_or(a: &str, b: &str) -> f64 {
    if a == b {
        1.0
    } else if is_similar(a, b, CHANGED) || (!a.is_empty() && b.contains(a)) {
        0.1
    } else {
        0.0
    }
}

type Report<'r> = dyn FnMut(usize, Cause, &str, &str) + 'r;

fn code(gold: &Structure, answer: &Elements, absent: &dyn Fn(&str) -> Cause, miss: &mut Report<'_>) {
    let blocks: Vec<_> = gold.blocks().collect();
    let texts: Vec<String> = blocks.iter().map(|code| code_text(&code.text)).collect();
    let answered: Vec<String> = answer.code.iter().map(|(text, _)| code_text(text)).collect();
    let pairs = code_pairs(&texts, &answered);
    each_unpaired(&texts, &answered, &pairs, |cause, gold, answer| {
        miss(if cause == Some(Cause::Surplus) { 0 } else { 1 }, cause.unwrap_or_else(|| absent(gold)), gold, answer);
    });
    for &(i, j) in &pairs {
        let (wanted, got) = (blocks[i].language.as_deref(), answer.code[j].1.as_deref());
        if let Some(wanted) =
            wanted.filter(|wanted| got.map(super::language::canonical) != Some(super::language::canonical(wanted)))
        {
            miss(
                2,
                if got.is_some() { Cause::Changed } else { Cause::Dropped },
                &format!("{wanted}: {}", texts[i]),
                got.unwrap_or_default(),
            );
        }
    }
}

fn formulas(gold: &Structure, answer: &Elements, absent: &dyn Fn(&str) -> Cause, miss: &mut Report<'_>) {
    let texts: Vec<String> = gold.math.iter().map(|formula| formula_text(&formula.tex)).collect();
    let answered: Vec<String> = answer.math.iter().map(|tex| formula_text(tex)).collect();
    let pairs = align(texts.len(), answered.len(), |i, j| {
        let near = similarity(&texts[i], &answered[j]);
        if near >= CHANGED { near } else { 0.0 }
    });
    each_unpaired(&texts, &answered, &pairs, |cause, gold, answer| {
        miss(3, cause.unwrap_or_else(|| absent(gold)), gold, answer);
    });
}

fn tables(gold: &Structure, answer: &Elements, text: &str, miss: &mut Report<'_>) {
    let shown = |table: &[Vec<Cell>]| {
        table
            .iter()
            .map(|row| row.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" | "))
            .collect::<Vec<_>>()
            .join(" // ")
    };
    let pairs = table_pairs(&gold.tables, &answer.tables);
    for (at, table) in gold.tables.iter().enumerate() {
        match pairs.iter().find(|pair| pair.0 == at) {
            Some(&(_, j)) if table_similarity(table, &answer.tables[j]) < 1.0 => {
                let ours = &answer.tables[j];
                // The first row that differs is more informative than the start of the table.
                let differs = table.iter().zip(ours).position(|(a, b)| a != b).unwrap_or(table.len().min(ours.len()));
                miss(5, Cause::Changed, &shown(&table[differs.min(table.len())..]), &shown(&ours[differs.min(ours.len())..]));
            }
            Some(_) => {}
            None => {
                let cells: Vec<String> =
                    table.iter().flatten().map(|cell| letters(&cell.text)).filter(|cell| !cell.is_empty()).collect();
                let there = cells.iter().filter(|cell| text.contains(cell.as_str())).count();
                let cause = if there * 5 >= cells.len() * 4 { Cause::Other } else { Cause::Dropped };
                miss(5, cause, &shown(table), "");
            }
        }
    }
    for (_, table) in answer.tables.iter().enumerate().filter(|(at, _)| !pairs.iter().any(|pair| pair.1 == *at)) {
        miss(4, Cause::Surplus, "", &shown(table));
    }
}

/// Reports elements without a counterpart and counterparts that differ. No cause means that the element is absent.
fn each_unpaired(gold: &[String], answer: &[String], pairs: &[(usize, usize)], mut report: impl FnMut(Option<Cause>, &str, &str)) {
    for (at, text) in gold.iter().enumerate() {
        match pairs.iter().find(|pair| pair.0 == at) {
            None => report(None, text, ""),
            Some(&(_, j)) if *text != answer[j] => report(Some(Cause::Changed), text, &answer[j]),
            Some(_) => {}
        }
    }
    for (_, text) in answer.iter().enumerate().filter(|(at, _)| !pairs.iter().any(|pair| pair.1 == *at)) {
        report(Some(Cause::Surplus), "", text);
    }
}

/// Counts of misses by measure and cause, and the worst `many` pages by each measure with their first miss. Held-out pages are left
/// out, because they must not be inspected.
#[must_use]
pub fn worst(set: &GoldSet, outcome: &Outcome, many: usize) -> (Table, Table) {
    let held = held_out(&set.pages);
    let shown: Vec<usize> = (0..set.pages.len()).filter(|at| !held[*at]).collect();
    let all: BTreeMap<usize, Vec<Miss>> =
        shown.iter().map(|&at| (at, misses(&set.pages[at].structure, &outcome.answers[at]))).collect();
    let causes = [Cause::Dropped, Cause::Other, Cause::Changed, Cause::Surplus];
    let heading: Vec<&str> = std::iter::once("misses").chain(causes.map(Cause::name)).collect();
    let mut counts = Table::new(&heading);
    for (measure, name) in MEASURES.iter().enumerate() {
        let count = |cause| all.values().flatten().filter(|miss| miss.measure == measure && miss.cause == cause).count();
        let numbers = causes.map(count);
        if numbers.iter().any(|number| *number > 0) {
            counts.row(std::iter::once((*name).to_owned()).chain(numbers.map(|number| number.to_string())).collect());
        }
    }
    let mut list = Table::new(&["measure", "page", "score", "misses", "cause", "gold", "answer"]);
    for (measure, name) in MEASURES.iter().enumerate() {
        let mut pages: Vec<(usize, f64)> =
            shown.iter().filter_map(|&at| Some((at, outcome.scores[at][measure].filter(|score| *score < 1.0)?))).collect();
        pages.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        for &(at, score) in pages.iter().take(many) {
            // Edit measures share the misses of the exact measures next to them.
            let counts_for = |miss: &&Miss| {
                miss.measure == measure
                    || (measure < 2 && miss.measure < 2)
                    || ((4..6).contains(&measure) && (4..6).contains(&miss.measure))
            };
            let misses: Vec<&Miss> = all[&at].iter().filter(counts_for).collect();
            let first = misses.first();
            list.row(vec![
                (*name).to_owned(),
                set.pages[at].id.clone(),
                format!("{:.1}", score * 100.0),
                misses.len().to_string(),
                first.map_or("", |miss| miss.cause.name()).to_owned(),
                first.map_or_else(String::new, |miss| excerpt(&miss.gold)),
                first.map_or_else(String::new, |miss| excerpt(&miss.answer)),
            ]);
        }
    }
    (counts, list)
}

fn excerpt(text: &str) -> String {
    let text = collapsed(text).replace('|', "¦");
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
