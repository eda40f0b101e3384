//! Parses Markdown into the elements that are compared.
//!
//! One parser for all tools: CommonMark with GitHub's tables, strikethrough, footnotes, task lists and formulas. In addition,
//! `\(…\)` is a formula, `\[…\]` is one if it fills its lines (elsewhere it is an escaped bracket), and `<table>` and `<pre>`
//! are parsed as HTML wherever they occur.

use super::raw::{CLOSE, OPEN, Taken, take_out};
use crate::metrics::grid::Cell;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The elements of an answer, each kind in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elements {
    /// Code blocks: text and language.
    pub code: Vec<(String, Option<String>)>,
    /// Formulas, in TeX.
    pub math: Vec<String>,
    /// Tables: rows of cells.
    pub tables: Vec<Vec<Vec<Cell>>>,
    /// Texts of headings.
    pub headings: Vec<String>,
    /// Texts of list items, without the lists, tables and code inside them.
    pub items: Vec<String>,
    /// All text, including code and TeX.
    pub text: String,
}

/// The Markdown dialect.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
}

impl Elements {
    /// Parses Markdown.
    ///
    /// ```
    /// use webstrata_lab::fidelity::markdown::Elements;
    /// let read = Elements::read("# Piers\n\n- oars\n- \\(x^2\\)\n\n| a | b |\n|---|---|\n| c | d |\n\n```rust\nlet x;\n```\n");
    /// assert_eq!((read.headings, read.items, read.math), (vec!["Piers".into()], vec!["oars".into(), "x^2".into()], vec!["x^2".into()]));
    /// assert_eq!(read.code, [("let x;\n".to_owned(), Some("rust".to_owned()))]);
    /// assert_eq!(read.tables[0].len(), 2);
    /// ```
    #[must_use]
    pub fn read(markdown: &str) -> Elements {
        let (marked, taken) = take_out(markdown);
        let mut reader = Reader { taken, ..Reader::default() };
        for event in Parser::new_ext(&marked, options()) {
            reader.event(event);
        }
        reader.out
    }
}

#[derive(Default)]
struct Reader {
    out: Elements,
    taken: Vec<Taken>,
    heading: Option<String>,
    code: Option<(String, Option<String>)>,
    table: Option<Vec<Vec<Cell>>>,
    /// Open list items, each with its index in the result.
    items: Vec<usize>,
    images: usize,
    in_metadata: bool,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => self.plain(&text),
            Event::InlineMath(tex) | Event::DisplayMath(tex) => self.formula(tex.into_string()),
            Event::SoftBreak | Event::HardBreak => self.plain(" "),
            Event::InlineHtml(html) if html.starts_with("<br") => self.plain(" "),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => self.heading = Some(String::new()),
            Tag::CodeBlock(kind) => {
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().filter(|name| !name.is_empty()),
                    CodeBlockKind::Indented => None,
                };
                self.code = Some((String::new(), language.map(str::to_owned)));
            }
            Tag::Table(_) => self.table = Some(Vec::new()),
            Tag::TableHead | Tag::TableRow => self.table.iter_mut().for_each(|rows| rows.push(Vec::new())),
            Tag::TableCell => {
                if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(Cell { text: String::new(), rows: 1, cols: 1 });
                }
            }
            Tag::Item => {
                self.items.push(self.out.items.len());
                self.out.items.push(String::new());
            }
            Tag::Image { .. } => self.images += 1,
            Tag::MetadataBlock(_) => self.in_metadata = true,
            Tag::Paragraph => self.plain(" "),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                let text = collapsed(&self.heading.take().unwrap_or_default());
                if !text.is_empty() {
                    self.out.headings.push(text);
                }
            }
            TagEnd::CodeBlock => self.out.code.extend(self.code.take()),
            TagEnd::Table => {
                let table = self.table.take().unwrap_or_default();
                self.out.tables.push(table);
            }
            TagEnd::TableCell => {
                if let Some(cell) = self.table.as_mut().and_then(|rows| rows.last_mut()?.last_mut()) {
                    cell.text = collapsed(&cell.text);
                }
            }
            TagEnd::Item => {
                if let Some(at) = self.items.pop() {
                    self.out.items[at] = collapsed(&self.out.items[at]);
                }
            }
            TagEnd::List(_) if self.items.is_empty() => self.out.items.retain(|item| !item.is_empty()),
            TagEnd::Image => self.images = self.images.saturating_sub(1),
            TagEnd::MetadataBlock(_) => self.in_metadata = false,
            TagEnd::Paragraph => self.plain(" "),
            _ => {}
        }
        self.out.text.push(' ');
    }

    /// Adds text that may contain marks.
    fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(OPEN) {
            let Some((number, after)) = after.split_once(CLOSE) else { break };
            self.plain(before);
            let at = number.parse().unwrap_or(usize::MAX);
            match self.taken.get_mut(at).map(|taken| std::mem::replace(taken, Taken::Formula(String::new()))) {
                Some(Taken::Formula(tex)) if !tex.is_empty() => self.formula(tex),
                Some(Taken::Table(table)) => {
                    self.out.text.extend(table.iter().flatten().flat_map(|cell| [cell.text.as_str(), " "]));
                    self.out.tables.push(table);
                }
                Some(Taken::Code(code)) => {
                    self.out.text.push_str(&code);
                    self.out.code.push((code, None));
                }
                _ => {}
            }
            rest = after;
        }
        self.plain(rest);
    }

    fn plain(&mut self, text: &str) {
        // Alternative texts of images are not text of the page.
        if self.images > 0 || self.in_metadata {
            return;
        }
        self.out.text.push_str(text);
        if let Some((code, _)) = &mut self.code {
            code.push_str(text);
        } else if let Some(rows) = &mut self.table {
            if let Some(cell) = rows.last_mut().and_then(|row| row.last_mut()) {
                cell.text.push_str(text);
            }
        } else {
            if let Some(heading) = &mut self.heading {
                heading.push_str(text);
            }
            if let Some(&at) = self.items.last() {
                self.out.items[at].push_str(text);
            }
        }
    }

    fn formula(&mut self, tex: String) {
        self.plain(&tex);
        self.out.math.push(tex);
    }
}

/// Collapses white space and drops invisible characters; superscript and subscript digits become digits, as in `<sup>2</sup>`.
pub(super) fn collapsed(text: &str) -> String {
    let digit = |c: char| match c {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰'..='⁹' => char::from(b'0' + (c as u32 - '⁰' as u32) as u8),
        '₀'..='₉' => char::from(b'0' + (c as u32 - '₀' as u32) as u8),
        _ => c,
    };
    let visible =
        text.chars().filter(|c| !matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')).map(digit).collect::<String>();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_in_all_delimiters() {
        let read =
            Elements::read("A $x_1$ and \\(y_2*z*\\), \\[1\\] is a note, \\\\(no\\\\).\n\n\\[\na = b\n\\]\n\n$$c$$ `\\(code\\)`\n");
        assert_eq!(read.math, ["x_1", "y_2*z*", "a = b", "c"]);
    }

    #[test]
    fn html_tables_and_nesting() {
        let read = Elements::read(
            "a\n\n<table><tr><th rowspan=\"2\">a<td>b &amp; c\n\n<tr><td><table><tr><td>in</table></table>\n\n- x\n  - y\n\n  z\n",
        );
        assert_eq!(read.tables.len(), 1);
        assert_eq!((read.tables[0][0][0].rows, read.tables[0][0][1].text.as_str()), (2, "b & c"));
        assert_eq!(read.tables[0][1][0].text, "in");
        assert_eq!(read.items, ["x z", "y"]);
    }

    #[test]
    fn code_in_all_forms() {
        let read =
            Elements::read("```py title=a\nx\n```\n\n    indented\n\n<pre><code>a\n  b</code></pre>\n\n`inline` `<table>`\n");
        let texts: Vec<&str> = read.code.iter().map(|(text, _)| text.trim_end()).collect();
        assert_eq!(texts, ["x", "indented", "a\n  b"]);
        assert_eq!(read.code[0].1.as_deref(), Some("py"));
    }

    #[test]
    fn items_and_headings_have_only_their_text() {
        let read =
            Elements::read("---\ntitle: x\n---\n\nH *a* [b](c) ![d](e)\n===\n\n- [x] done\n- code:\n\n  ```\n  x\n  ```\n- \n");
        assert_eq!(read.headings, ["H a b"]);
        assert_eq!(read.items, ["done", "code:"]);
        assert!(!read.text.contains("title"));
    }
}
