//! A document as Markdown: CommonMark with the tables, strikethrough, footnotes and formulas of GitHub.
//!
//! Parsing the output yields the same text, headings, items, cells and code. Structure that Markdown cannot express (such as
//! emphasis where the delimiters would not be recognised) is dropped, but its text is kept. Tables whose cells contain more than
//! lines of text are written as HTML (`table.rs`).

mod escape;
mod inline;
mod table;

use super::{Content, Document, RenderOptions};
use crate::content::render::{Event, Part};
use inline::Leaf;
use std::iter::Peekable;
use table::Table;

impl Content<'_> {
    /// The content as Markdown.
    ///
    /// ```
    /// use webstrata::{ExtractOptions, Page, label::Preset};
    /// let page = Page::parse(b"<h1>Rain</h1><p>It <b>rained</b> 2 * 3 days.</p><pre>a  b</pre>");
    /// let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    /// assert_eq!(content.markdown(&Default::default()), "# Rain\n\nIt **rained** 2 \\* 3 days.\n\n```\na  b\n```\n");
    /// ```
    #[must_use]
    pub fn markdown(&self, options: &RenderOptions) -> String {
        self.document(options).markdown()
    }
}

impl Document {
    /// The document as Markdown; ends with a newline unless it is empty.
    #[must_use]
    pub fn markdown(&self) -> String {
        let math = self.events().any(|event| matches!(event, Event::Math { .. }));
        let mut writer = Writer { loose: self.loose_lists(), html_tables: table::html_tables(self), math, ..Writer::default() };
        let mut events = self.events().peekable();
        while let Some(event) = events.next() {
            match event {
                Event::Start(part) => writer.start(part, &mut events),
                Event::End(part) => writer.end(part),
                Event::Rule => {
                    writer.block();
                    writer.out.push_str("---\n");
                }
                // Everything else is in leaves and was written with them.
                _ => {}
            }
        }
        writer.out
    }
}

/// An open list.
#[derive(Clone, Copy)]
struct List {
    number: Option<u32>,
    alternative: bool,
    loose: bool,
    /// Whether it has no item yet.
    empty: bool,
}

#[derive(Default)]
struct Writer {
    out: String,
    loose: Vec<bool>,
    /// Number of lists so far.
    seen: usize,
    lists: Vec<List>,
    /// Prefix of each line, and its length before each open container was opened.
    prefix: String,
    outside: Vec<usize>,
    /// Prefix of the next line only, with the marker of an item or a note.
    first: Option<String>,
    /// For a list that has just ended: whether it was ordered, and whether it used the alternative marker. An adjacent list uses the
    /// other marker.
    ended: Option<(bool, bool)>,
    /// Whether the document has formulas, which makes dollar signs significant.
    math: bool,
    /// For each top-level table: whether it is written as HTML.
    html_tables: std::vec::IntoIter<bool>,
    /// The current pipe table.
    table: Table,
}

impl Writer {
    /// Starts a part; for a leaf, consumes its content from `events`.
    fn start<'d>(&mut self, part: Part<&'d str>, events: &mut Peekable<impl Iterator<Item = Event<&'d str>>>) {
        match part {
            Part::Heading(level) => {
                self.block();
                self.out.extend(std::iter::repeat_n('#', usize::from(level)));
                self.out.push(' ');
                inline::write(Leaf::Heading, self.math, events, &mut self.out);
                self.out.push('\n');
            }
            Part::Paragraph => {
                self.block();
                inline::write(Leaf::Paragraph(&self.prefix), self.math, events, &mut self.out);
                self.out.push('\n');
            }
            Part::Code(language) => {
                self.block();
                let mut text = String::new();
                while let Some(Event::Text { text: more, .. }) = events.next_if(|event| matches!(event, Event::Text { .. })) {
                    text.push_str(more);
                }
                self.code(language, &text);
            }
            Part::Quote => self.open("> ", "> "),
            Part::Note(label) => self.open(&format!("[^{label}]: "), "    "),
            Part::List(number) => {
                let loose = self.loose.get(self.seen).copied().unwrap_or(true);
                self.seen += 1;
                let alternative =
                    self.ended.take().is_some_and(|(ordered, alternative)| ordered == number.is_some() && !alternative);
                self.lists.push(List { number, alternative, loose, empty: true });
            }
            Part::Item => {
                let Some(list) = self.lists.last_mut() else { return };
                let marker = match &mut list.number {
                    Some(number) => {
                        let marker = format!("{number}{} ", if list.alternative { ')' } else { '.' });
                        *number = number.saturating_add(1).min(999_999_999);
                        marker
                    }
                    None if list.alternative => "* ".to_owned(),
                    None => "- ".to_owned(),
                };
                self.open(&marker, &" ".repeat(marker.len()));
                self.lists.iter_mut().last().into_iter().for_each(|list| list.empty = false);
            }
            Part::Table(shape) => self.start_table(shape, events),
            // Captions are written with their table.
            Part::Caption => {}
            Part::Row => self.start_row(),
            Part::Cell(cell) => self.cell(cell, events),
        }
    }

    fn end(&mut self, part: Part<&str>) {
        match part {
            Part::Heading(_) | Part::Paragraph | Part::Code(_) | Part::Caption | Part::Cell(_) | Part::Table(_) => {}
            Part::Quote | Part::Note(_) | Part::Item => {
                self.prefix.truncate(self.outside.pop().unwrap_or(0));
                self.first = None;
                self.ended = None;
            }
            Part::List(_) => {
                if let Some(list) = self.lists.pop() {
                    self.ended = Some((list.number.is_some(), list.alternative));
                }
            }
            Part::Row => self.end_row(),
        }
    }

    /// Opens a container: `marker` starts its first line, `rest` the others.
    fn open(&mut self, marker: &str, rest: &str) {
        let mut first = self.first.take().unwrap_or_else(|| {
            self.separate_from_last();
            self.prefix.clone()
        });
        first.push_str(marker);
        self.first = Some(first);
        self.outside.push(self.prefix.len());
        self.prefix.push_str(rest);
        self.ended = None;
    }

    /// Starts the first line of a block.
    fn block(&mut self) {
        self.ended = None;
        match self.first.take() {
            Some(first) => self.out.push_str(&first),
            None => {
                self.separate_from_last();
                self.out.push_str(&self.prefix);
            }
        }
    }

    /// Writes a blank line after the last block, unless it is in a tight list.
    fn separate_from_last(&mut self) {
        // Before its first item, a list counts as part of the enclosing item.
        let tight = self.lists.iter().rev().find(|list| !list.empty).is_some_and(|list| !list.loose);
        if !self.out.is_empty() && !tight {
            self.out.push_str(self.prefix.trim_end());
            self.out.push('\n');
        }
    }

    fn code(&mut self, language: &str, text: &str) {
        let fence = "`".repeat(escape::longest_run(text, '`').max(2) + 1);
        self.out.push_str(&fence);
        self.out.push_str(language);
        self.out.push('\n');
        for line in text.split('\n') {
            if line.is_empty() {
                self.out.push_str(self.prefix.trim_end());
            } else {
                self.out.push_str(&self.prefix);
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
        self.out.push_str(&self.prefix);
        self.out.push_str(&fence);
        self.out.push('\n');
    }
}
