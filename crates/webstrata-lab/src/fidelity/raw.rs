//! Markdown beyond the dialect: formulas in brackets, and HTML.

use super::markdown::{collapsed, options};
use crate::metrics::grid::Cell;
use pulldown_cmark::{Event, Parser, Tag};
use std::ops::Range;
use webstrata::html::entity::{self, Place};
use webstrata::html::{Dom, Node, Tag as Element};

/// An element taken out before parsing; a mark with its number replaces it.
pub(super) enum Taken {
    Formula(String),
    Table(Vec<Vec<Cell>>),
    Code(String),
}

/// Marks are in the private use area, which no parser treats specially.
pub(super) const OPEN: char = '\u{f8f0}';
pub(super) const CLOSE: char = '\u{f8f1}';

/// Takes formulas between `\(` and `\)` or `\[` and `\]`, and HTML tables and preformatted text, out of Markdown.
pub(super) fn take_out(markdown: &str) -> (String, Vec<Taken>) {
    let code = code_ranges(markdown);
    let (mut out, mut taken) = (String::with_capacity(markdown.len()), Vec::new());
    let (mut at, mut copied, mut next_code) = (0, 0, 0);
    while let Some(found) = markdown[at..].find(['\\', '<']) {
        at += found;
        while code.get(next_code).is_some_and(|range| range.end <= at) {
            next_code += 1;
        }
        if let Some(range) = code.get(next_code).filter(|range| range.start <= at) {
            at = range.end;
            continue;
        }
        let rest = &markdown[at..];
        match formula(markdown, at).or_else(|| html(rest)) {
            Some((what, length)) => {
                out.push_str(&markdown[copied..at]);
                out.push(OPEN);
                out.push_str(&taken.len().to_string());
                out.push(CLOSE);
                taken.push(what);
                at += length;
                copied = at;
            }
            // An escaped backslash does not open a formula.
            None if rest.starts_with("\\\\") => at += 2,
            None => at += 1,
        }
    }
    out.push_str(&markdown[copied..]);
    (out, taken)
}

/// Ranges of code in the source, ascending.
fn code_ranges(markdown: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut until = 0;
    for (event, range) in Parser::new_ext(markdown, options()).into_offset_iter() {
        let is_code =
            matches!(event, Event::Start(Tag::CodeBlock(_)) | Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_));
        if is_code && range.start >= until {
            until = range.end;
            ranges.push(range);
        }
    }
    ranges
}

/// Parses a formula at this position; returns it with its length.
fn formula(markdown: &str, at: usize) -> Option<(Taken, usize)> {
    let rest = &markdown[at..];
    let close = match rest.get(..2)? {
        "\\(" => "\\)",
        "\\[" => "\\]",
        _ => return None,
    };
    let length = rest[2..].find(close)?;
    let tex = rest[2..2 + length].trim();
    let (before, after) = (&markdown[..at], &rest[length + 4..]);
    let alone = before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
        && after.split('\n').next().is_none_or(|line| line.trim_end().is_empty());
    let is_formula = !tex.is_empty() && !tex.contains("\n\n") && (close == "\\)" || alone);
    is_formula.then(|| (Taken::Formula(tex.to_owned()), length + 4))
}

/// Parses an HTML table or preformatted text at this position; returns it with its length.
fn html(rest: &str) -> Option<(Taken, usize)> {
    let name = ["table", "pre"].into_iter().find(|name| tag(rest, name))?;
    let (mut depth, mut at) = (0usize, 0);
    while let Some(found) = rest[at..].find('<') {
        at += found;
        let closing = rest[at..].strip_prefix("</").is_some_and(|end| starts(end, name));
        depth += usize::from(tag(&rest[at..], name));
        at += 1;
        if closing {
            depth = depth.saturating_sub(1);
            at += rest[at..].find('>')? + 1;
            if depth == 0 {
                return Some((read_html(&rest[..at], name), at));
            }
        }
    }
    None
}

fn starts(text: &str, name: &str) -> bool {
    let (bytes, name) = (text.as_bytes(), name.as_bytes());
    bytes.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        && bytes.get(name.len()).is_none_or(|next| matches!(next, b'>' | b' ' | b'\n' | b'\t' | b'/'))
}

fn tag(text: &str, name: &str) -> bool {
    text.strip_prefix('<').is_some_and(|rest| starts(rest, name))
}

fn read_html(html: &str, name: &str) -> Taken {
    let dom = Dom::parse(html);
    let Some(node) = dom.find(Element::from_name(name)) else { return Taken::Formula(String::new()) };
    if name == "pre" { Taken::Code(preformatted(html)) } else { Taken::Table(rows(node)) }
}

/// The text of HTML with white space preserved.
fn preformatted(html: &str) -> String {
    let mut out = String::new();
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        if tag.starts_with("br") {
            out.push('\n');
        }
        entity::decode(text, Place::Text, &mut out);
    }
    out
}

/// The rows of an HTML table. Rows of a nested table are not included; its text is part of the cell around it.
fn rows(table: Node<'_>) -> Vec<Vec<Cell>> {
    let own = |node: &Node<'_>| node.ancestors().find(|above| above.tag() == Element::TABLE) == Some(table);
    let span = |cell: Node<'_>, name: &str| cell.attribute(name).and_then(|value| value.trim().parse().ok()).unwrap_or(1);
    let cell = |cell: Node<'_>| Cell { text: collapsed(&cell.text()), rows: span(cell, "rowspan"), cols: span(cell, "colspan") };
    let is_cell = |node: &Node<'_>| matches!(node.name(), "td" | "th");
    let row = |row: Node<'_>| row.children().filter(is_cell).map(cell).collect();
    table.descendants().filter(|node| node.name() == "tr" && own(node)).map(row).collect()
}
