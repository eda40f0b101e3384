//! An HTML report: scores of the methods on a set, and the worst pages with missed and surplus text marked.
//! The file has no scripts and loads no external resources; all text from pages is escaped.

use super::marks::stretches;
use super::run::{Answers, Outcome};
use super::summary::Summary;
use super::tables::{self, Group};
use crate::gold::set::{GoldPage, GoldSet};
use crate::plot::{Chart, ChartKind, Legend, PlotError, Series};
use crate::table::{Table, share};
use std::fmt::Write;
use std::fs;
use webstrata::Page;

/// Number of pages shown.
const MAX_PAGES: usize = 60;
/// Maximum number of characters of a text.
const MAX_CHARACTERS: usize = 12_000;

const STYLE: &str = include_str!("report.css");

/// F1 of the pages as curves, best first (thesis figure 4.21).
#[must_use]
pub fn ranked(set: &GoldSet, outcomes: &[Outcome]) -> Chart {
    let series = |outcome: &Outcome| {
        let mut f1: Vec<f64> = outcome.answered().filter_map(|s| s.words).map(|w| w.bag.f1()).collect();
        f1.sort_by(|a, b| b.total_cmp(a));
        let n = f1.len().max(1) as f64;
        Series {
            name: outcome.name.clone(),
            points: f1.iter().enumerate().map(|(at, f)| ((at + 1) as f64 / n * 100.0, *f)).collect(),
        }
    };
    let title = format!("Word F1 on {}, each method's pages best first", set.name);
    let series = outcomes.iter().map(series).collect();
    Chart { title, x: "share of pages, %".into(), y: "F1".into(), ..Chart::new(ChartKind::Line, series) }
}

/// Histogram of F1 in tenths, one row per method.
fn distribution(outcomes: &[Outcome]) -> Vec<(&str, [u32; 10])> {
    let counts = |outcome: &Outcome| {
        let mut counts = [0u32; 10];
        for words in outcome.answered().filter_map(|s| s.words) {
            counts[((words.bag.f1() * 10.0) as usize).min(9)] += 1;
        }
        counts
    };
    outcomes.iter().map(|outcome| (outcome.name.as_str(), counts(outcome))).collect()
}

/// Writes the histogram as a table with shaded cells: bars of many methods side by side would be hard to read.
fn write_distribution(out: &mut String, outcomes: &[Outcome]) {
    let name = |tenth: usize| if tenth == 9 { ".9–1".to_owned() } else { format!(".{tenth}–.{}", tenth + 1) };
    let heading: String = (0..10).map(|tenth| format!("<th>{}", name(tenth))).collect();
    let _ = write!(out, "<table class=shades><caption>Pages by F1</caption><tr><th>method{heading}");
    for (method, counts) in distribution(outcomes) {
        let all = counts.iter().sum::<u32>().max(1);
        let _ = write!(out, "<tr><td>{}", escaped(method));
        for count in counts {
            let _ = write!(out, "<td style=\"--full:{:.3}\">{count}", f64::from(count) / f64::from(all));
        }
    }
    out.push_str("</table>");
}

/// Renders the report. It shows the worst pages of the first candidate.
///
/// # Errors
/// If there is nothing to draw.
pub fn html<A: Answers>(set: &GoldSet, candidates: &[A], outcomes: &[Outcome]) -> Result<String, PlotError> {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{0}: extraction</title><style>{STYLE}</style><h1>Extraction on {0}</h1>",
        escaped(&set.name)
    );
    let _ = write!(out, "<p>{} pages", set.pages.len());
    if !set.problems.is_empty() {
        let _ = write!(out, "; skipped: {}<ul>", set.problems.len());
        out.extend(set.problems.iter().take(50).map(|problem| format!("<li>{}", escaped(problem))));
        out.push_str("</ul>");
    }
    out.push_str("</p>");
    for table in [
        tables::summary(outcomes),
        tables::grouped(set, outcomes, Group::PageType),
        tables::grouped(set, outcomes, Group::Language),
    ] {
        if !table.is_empty() {
            write_table(&mut out, &table);
        }
    }
    if outcomes.iter().flat_map(Outcome::answered).any(|score| score.words.is_some()) {
        let curves = Chart { legend: Legend::Beside, ..ranked(set, outcomes) };
        let _ = write!(out, "<figure>{}</figure>", curves.svg()?);
        write_distribution(&mut out, outcomes);
    }
    if let (Some(candidate), Some(outcome)) = (candidates.first(), outcomes.first()) {
        worst(&mut out, set, candidate, outcome);
    }
    Ok(out)
}

fn worst(out: &mut String, set: &GoldSet, candidate: &impl Answers, outcome: &Outcome) {
    let f1 = |at: usize| outcome.scores[at].as_ref().and_then(|s| s.words).map(|w| w.bag.f1());
    let mut pages: Vec<(usize, f64)> = (0..set.pages.len()).filter_map(|at| Some((at, f1(at)?))).collect();
    pages.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let mean = Summary::from_scores(outcome.answered()).f1;
    let _ = write!(
        out,
        "<h2>Worst pages of {}</h2><p>Mean F1 {}. <del>Missed</del> in the gold on the left, <ins>wrongly kept</ins> in the answer on the right; runs of three words are compared.</p>",
        escaped(&outcome.name),
        share(mean)
    );
    for (place, &(at, f1)) in pages.iter().take(MAX_PAGES).enumerate() {
        // Only the first page is open, as an example.
        let open = if place == 0 { " open" } else { "" };
        let _ = write!(out, "<details{open}>");
        page(out, &set.pages[at], candidate, f1);
        out.push_str("</details>");
    }
}

fn page(out: &mut String, page: &GoldPage, candidate: &impl Answers, f1: f64) {
    let bytes = fs::read(&page.file).unwrap_or_default();
    let answer = candidate.answer(&Page::parse(&bytes), page);
    let gold = page.gold_text.as_deref().unwrap_or_default();
    let about: Vec<&str> = [&page.page_type, &page.language, &page.url].into_iter().flatten().map(String::as_str).collect();
    let about = escaped(&about.join(", "));
    let _ = write!(out, "<summary><b>{}</b> {} <span>{about}</span></summary>", share(f1), escaped(&page.id));
    let _ = write!(
        out,
        "<div class=pair><div dir=auto>{}</div><div dir=auto>{}</div></div>",
        marked(gold, &answer, "del"),
        marked(&answer, gold, "ins")
    );
}

fn marked(text: &str, other: &str, tag: &str) -> String {
    if text.trim().is_empty() {
        return "<i>no text</i>".to_owned();
    }
    let mut out = String::new();
    let mut room = MAX_CHARACTERS;
    for stretch in stretches(text, other) {
        let shown: String = stretch.text.chars().take(room).collect();
        room -= shown.chars().count();
        let shown = escaped(&shown);
        let _ = if stretch.missing { write!(out, "<{tag}>{shown}</{tag}>") } else { write!(out, "{shown}") };
        if room == 0 {
            out.push_str(" …");
            break;
        }
    }
    out
}

fn write_table(out: &mut String, table: &Table) {
    out.push_str("<table>");
    for (number, line) in table.lines().enumerate() {
        let tag = if number == 0 { "th" } else { "td" };
        let cells = line.iter().map(|cell| format!("<{tag}>{}", escaped(cell)));
        let _ = write!(out, "<tr>{}", cells.collect::<String>());
    }
    out.push_str("</table>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\0', "")
}
