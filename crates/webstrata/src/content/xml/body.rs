//! The events of a document as XML elements.

use super::Dialect;
use super::escape::{attribute, text};
use super::inline::Inline;
use crate::content::Document;
use crate::content::html::Table;
use crate::content::html::escape::safe_label;
use crate::content::render::{CellShape, Event, Part};
use std::collections::BTreeSet;

/// Appends the elements of a document.
pub(super) fn write(document: &Document, dialect: Dialect, out: &mut String) {
    let notes = document.events().filter_map(|e| if let Event::Start(Part::Note(label)) = e { note_id(label) } else { None });
    let mut body = Body {
        dialect,
        out: std::mem::take(out),
        notes: notes.collect(),
        written: BTreeSet::new(),
        loose: document.loose_lists(),
        lists: Vec::new(),
        num_lists: 0,
        open: Vec::new(),
        inline: Inline::new(dialect),
        bare: false,
        tables: Vec::new(),
    };
    for event in document.events() {
        body.event(event);
    }
    *out = body.out;
}

/// The identifier of a note, if its label is safe as part of one.
fn note_id(label: &str) -> Option<String> {
    safe_label(label).map(|label| format!("note-{label}"))
}

/// An open container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Item { loose: bool },
    Other,
}

struct Body {
    dialect: Dialect,
    out: String,
    /// Identifiers of all notes, and of the notes already written.
    notes: BTreeSet<String>,
    written: BTreeSet<String>,
    /// For each list of the document, then for each open list, whether its items contain paragraphs.
    loose: Vec<bool>,
    lists: Vec<bool>,
    num_lists: usize,
    open: Vec<Open>,
    inline: Inline,
    /// Whether the current leaf is text directly inside its item.
    bare: bool,
    /// The open tables, each with a flag for whether the current row has a cell.
    tables: Vec<(Table, bool)>,
}

impl Body {
    fn event(&mut self, event: Event<&str>) {
        match event {
            Event::Start(part) => self.start(part),
            Event::End(part) => self.end(part),
            Event::Rule => match self.dialect {
                Dialect::Plain => {}
                Dialect::Tei => self.line("<milestone unit=\"section\"/>\n"),
            },
            Event::Reference { label, text } => {
                let note = note_id(label).filter(|id| self.notes.contains(id));
                self.inline.reference(text, note.as_deref(), &mut self.out);
            }
            other => self.inline.event(&other, &mut self.out),
        }
    }

    fn start(&mut self, part: Part<&str>) {
        match part {
            Part::Heading(level) => {
                let name = match self.dialect {
                    Dialect::Plain => "<head",
                    // In TEI, a head must come first in its division.
                    Dialect::Tei => "<ab type=\"header\"",
                };
                self.line(name);
                attribute("rend", &format!("h{level}"), &mut self.out);
                self.leaf(">", false);
            }
            Part::Paragraph => {
                self.bare = self.open.last() == Some(&Open::Item { loose: false });
                if !self.bare {
                    self.line("<p");
                    self.out.push('>');
                } else if !self.out.ends_with("<item>") {
                    // Text after a list that is nested in the item.
                    self.out.push_str("<lb/>");
                }
                self.leaf("", false);
            }
            Part::Code(language) => {
                self.line(if self.dialect == Dialect::Tei { "<ab type=\"code\"><code" } else { "<code" });
                if !language.is_empty() {
                    attribute(if self.dialect == Dialect::Tei { "lang" } else { "rend" }, language, &mut self.out);
                }
                self.leaf(" xml:space=\"preserve\">", true);
            }
            Part::Quote => self.container("<quote>\n", Open::Other),
            Part::Note(label) => self.note(label),
            Part::List(start) => {
                self.lists.push(self.loose.get(self.num_lists).copied().unwrap_or(true));
                self.num_lists += 1;
                self.line("<list");
                attribute("rend", if start.is_some() { "ol" } else { "ul" }, &mut self.out);
                self.out.push_str(">\n");
                self.open.push(Open::Other);
            }
            Part::Item => {
                let loose = self.lists.last().copied().unwrap_or(true);
                self.container("<item>", Open::Item { loose });
            }
            Part::Table(_) => {
                self.container("<table>\n", Open::Other);
                self.tables.push((Table::default(), false));
            }
            Part::Caption => {
                self.line("<head>");
                self.leaf("", false);
            }
            Part::Row => {
                if let Some((table, has_cells)) = self.tables.last_mut() {
                    table.next_row();
                    *has_cells = false;
                }
                self.out.push_str("<row>");
            }
            Part::Cell(cell) => self.start_cell(cell),
        }
    }

    fn start_cell(&mut self, cell: CellShape) {
        if let Some((table, has_cells)) = self.tables.last_mut() {
            *has_cells = true;
            for _ in 0..table.place(cell) {
                self.out.push_str("<cell/>");
            }
        }
        self.out.push_str("<cell");
        if cell.header {
            attribute("role", "head", &mut self.out);
        }
        for (name, number) in [("cols", u16::from(cell.columns)), ("rows", cell.rows)] {
            if number > 1 {
                attribute(name, &number.to_string(), &mut self.out);
            }
        }
        if cell.has_parts {
            self.out.push_str(">\n");
            self.open.push(Open::Other);
        } else {
            self.leaf(">", false);
        }
    }

    fn end(&mut self, part: Part<&str>) {
        match part {
            Part::Heading(_) => self.end_leaf(if self.dialect == Dialect::Tei { "</ab>\n" } else { "</head>\n" }),
            Part::Paragraph if self.bare => self.end_leaf(""),
            Part::Paragraph => self.end_leaf("</p>\n"),
            Part::Code(_) => self.end_leaf(if self.dialect == Dialect::Tei { "</code></ab>\n" } else { "</code>\n" }),
            Part::Quote => self.end_container("</quote>\n"),
            Part::Note(_) => self.end_container("</note>\n"),
            Part::List(_) => {
                self.lists.pop();
                self.end_container("</list>\n");
            }
            Part::Item => self.end_container("</item>\n"),
            Part::Table(_) => {
                self.tables.pop();
                self.end_container("</table>\n");
            }
            Part::Caption => self.end_leaf("</head>\n"),
            // TEI has no rows without cells.
            Part::Row => {
                let empty = self.tables.last().is_none_or(|(_, has_cells)| !has_cells);
                self.out.push_str(if empty { "<cell/></row>\n" } else { "</row>\n" });
            }
            Part::Cell(cell) if cell.has_parts => self.end_container("</cell>"),
            Part::Cell(_) => self.end_leaf("</cell>"),
        }
    }

    fn note(&mut self, label: &str) {
        self.line("<note");
        attribute("n", label, &mut self.out);
        if let Some(id) = note_id(label)
            && self.written.insert(id.clone())
        {
            attribute("xml:id", &id, &mut self.out);
        }
        self.out.push_str(">\n");
        self.open.push(Open::Other);
    }

    /// Writes markup on a new line, unless it is the first in its item.
    fn line(&mut self, markup: &str) {
        if !self.out.is_empty() && !self.out.ends_with(['\n', '>']) {
            self.out.push('\n');
        }
        self.out.push_str(markup);
    }

    fn leaf(&mut self, rest_of_tag: &str, preformatted: bool) {
        self.out.push_str(rest_of_tag);
        self.inline.begin(preformatted);
    }

    fn end_leaf(&mut self, tag: &str) {
        self.inline.end(&mut self.out);
        self.bare = false;
        self.out.push_str(tag);
    }

    fn container(&mut self, markup: &str, open: Open) {
        self.line(markup);
        self.open.push(open);
    }

    fn end_container(&mut self, tag: &str) {
        self.open.pop();
        self.out.push_str(tag);
    }
}

/// Appends paragraphs of plain text.
pub(super) fn paragraphs(texts: &[String], out: &mut String) {
    for paragraph in texts.iter().filter(|paragraph| !paragraph.trim().is_empty()) {
        out.push_str("<p>");
        text(paragraph, out);
        out.push_str("</p>\n");
    }
}
