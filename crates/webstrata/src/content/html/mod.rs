//! A document as clean HTML: a fragment that can be embedded in any page.
//!
//! None of the page's own markup is copied. Every tag is generated here, from a short list, with only the attributes
//! `href`, `src`, `alt`, `start`, `rowspan`, `colspan`, `class` (the language of code, formulas), `id` (of footnotes) and
//! `dir`; text and values are escaped, and only addresses that [`crate::html::address`] accepts are written. MathML is also
//! regenerated, from its own allow-list (`render/mathml.rs`). Parsing the output in a browser and serialising it again yields the
//! same output, so no content moves.

mod direction;
pub(super) mod escape;
mod inline;
mod table;

use super::render::{Event, Part};
use super::{Content, Document, RenderOptions};
use direction::Direction;
use escape::{attribute, safe_label};
use inline::Inline;
use std::collections::BTreeSet;
pub(super) use table::{Table, write_table};

impl Content<'_> {
    /// The content as clean HTML.
    ///
    /// ```
    /// use webstrata::{ExtractOptions, Page, label::Preset};
    /// let html = b"<h1 onclick=x()>Rain</h1><script>x()</script><p style='color:red'>2 &lt; <a href=' javascript:x()'>3</a> <b>days</b>";
    /// let page = Page::parse(html);
    /// let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    /// assert_eq!(content.html(&Default::default()), "<h1>Rain</h1>\n<p>2 &lt; 3 <strong>days</strong></p>\n");
    /// ```
    #[must_use]
    pub fn html(&self, options: &RenderOptions) -> String {
        self.document(options).html()
    }
}

impl Document {
    /// The document as a fragment of clean HTML; ends with a newline unless it is empty. If the text is mostly right-to-left, it is
    /// wrapped in a `div` with `dir`. Footnotes come last.
    #[must_use]
    pub fn html(&self) -> String {
        let direction = direction::document_direction(self);
        let mut writer = Writer {
            loose: self.loose_lists(),
            note_labels: self
                .events()
                .filter_map(|e| if let Event::Start(Part::Note(label)) = e { Some(label) } else { None })
                .collect(),
            inline: Inline::new(direction),
            ..Writer::default()
        };
        if direction == Direction::RightToLeft {
            writer.out.push_str("<div dir=\"rtl\">\n");
        }
        for event in self.events() {
            writer.event(event);
        }
        writer.close_notes();
        if direction == Direction::RightToLeft {
            writer.out.push_str("</div>\n");
        }
        writer.out
    }
}

/// An open container.
#[derive(Clone, Copy)]
enum Open {
    Other,
    Item { loose: bool },
}

#[derive(Default)]
struct Writer<'d> {
    out: String,
    /// The footnotes; swapped with `out` while one is being written.
    notes: String,
    in_note: bool,
    /// Labels of all notes in the document, and of the notes already written.
    note_labels: BTreeSet<&'d str>,
    written: BTreeSet<&'d str>,
    loose: Vec<bool>,
    /// Number of lists so far, and for each open list whether it is loose.
    seen: usize,
    lists: Vec<bool>,
    open: Vec<Open>,
    inline: Inline,
    /// Whether the current leaf is text directly inside its list item.
    bare: bool,
    tables: Vec<Table>,
}

impl<'d> Writer<'d> {
    fn event(&mut self, event: Event<&'d str>) {
        match event {
            Event::Start(part) => self.start(part),
            Event::End(part) => self.end(part),
            Event::Rule => self.out.push_str("<hr>\n"),
            Event::Reference { label, text } => {
                let note = safe_label(label).filter(|_| self.note_labels.contains(label));
                self.inline.reference(text, note, &mut self.out);
            }
            other => self.inline.event(&other, &mut self.out),
        }
    }

    fn start(&mut self, part: Part<&'d str>) {
        match part {
            Part::Heading(level) => self.leaf(&format!("<h{level}")),
            Part::Paragraph => {
                self.bare = matches!(self.open.last(), Some(Open::Item { loose: false }));
                if self.bare {
                    // The direction of bare text is set on its item.
                    let at = self.out.len().saturating_sub(">".len());
                    self.inline.begin(at);
                } else {
                    self.leaf("<p");
                }
            }
            Part::Code(language) => {
                self.out.push_str("<pre><code");
                if !language.is_empty() {
                    attribute("class", &format!("language-{}", safe_language(language)), &mut self.out);
                }
                self.out.push('>');
                self.inline.preformatted();
            }
            Part::Quote => self.container("<blockquote>\n", Open::Other),
            Part::Note(label) => self.note(label),
            Part::List(start) => {
                self.lists.push(self.loose.get(self.seen).copied().unwrap_or(true));
                self.seen += 1;
                self.new_line();
                match start {
                    None => self.out.push_str("<ul"),
                    Some(_) => self.out.push_str("<ol"),
                }
                if let Some(start) = start.filter(|&start| start != 1) {
                    attribute("start", &start.to_string(), &mut self.out);
                }
                self.out.push_str(">\n");
                self.open.push(Open::Other);
            }
            Part::Item => {
                let loose = self.lists.last().copied().unwrap_or(true);
                self.container("<li>", Open::Item { loose });
            }
            Part::Table(shape) => self.start_table(shape),
            Part::Caption => self.leaf("<caption"),
            Part::Row => self.start_row(),
            Part::Cell(cell) => self.start_cell(cell),
        }
    }

    fn end(&mut self, part: Part<&'d str>) {
        match part {
            Part::Heading(level) => self.end_leaf(&format!("</h{level}>\n")),
            Part::Paragraph if self.bare => self.end_leaf(""),
            Part::Paragraph => self.end_leaf("</p>\n"),
            Part::Code(_) => self.end_leaf("</code></pre>\n"),
            Part::Quote => self.end_container("</blockquote>\n"),
            Part::Note(_) => {
                self.end_container("</dd>\n");
                self.swap_notes(false);
            }
            Part::List(start) => {
                self.lists.pop();
                self.end_container(if start.is_some() { "</ol>\n" } else { "</ul>\n" });
            }
            Part::Item => self.end_container("</li>\n"),
            Part::Table(_) => self.end_table(),
            Part::Caption => self.end_leaf("</caption>\n"),
            Part::Row => self.end_row(),
            Part::Cell(cell) => self.end_cell(cell),
        }
    }

    /// Starts a leaf with its start tag.
    fn leaf(&mut self, tag: &str) {
        if !tag.starts_with("<t") {
            self.new_line();
        }
        self.out.push_str(tag);
        let at = self.out.len();
        self.out.push('>');
        self.inline.begin(at);
    }

    fn end_leaf(&mut self, tag: &str) {
        self.inline.end(&mut self.out);
        self.bare = false;
        self.out.push_str(tag);
    }

    fn container(&mut self, tag: &str, open: Open) {
        self.new_line();
        self.out.push_str(tag);
        self.open.push(open);
    }

    fn end_container(&mut self, tag: &str) {
        self.open.pop();
        self.out.push_str(tag);
    }

    /// Starts a new line for a block, unless it is the first in its item.
    fn new_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with(['\n', '>']) {
            self.out.push('\n');
        }
    }

    fn note(&mut self, label: &'d str) {
        self.swap_notes(true);
        self.out.push_str("<dt");
        if let Some(safe) = safe_label(label)
            && self.written.insert(label)
        {
            attribute("id", &format!("note-{safe}"), &mut self.out);
        }
        self.out.push('>');
        escape::text(label, &mut self.out);
        self.out.push_str("</dt>\n<dd>\n");
        self.open.push(Open::Other);
    }

    /// Switches the output between the notes and the text.
    fn swap_notes(&mut self, in_note: bool) {
        if self.in_note != in_note {
            std::mem::swap(&mut self.out, &mut self.notes);
            self.in_note = in_note;
        }
    }

    fn close_notes(&mut self) {
        self.swap_notes(false);
        if !self.notes.is_empty() {
            self.out.push_str("<dl>\n");
            self.out.push_str(&self.notes);
            self.out.push_str("</dl>\n");
        }
    }
}

/// The name of a language, restricted to safe characters.
fn safe_language(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '#' | '.' | '_')).collect()
}
