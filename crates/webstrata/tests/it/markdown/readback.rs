//! Summaries of a document and of the Markdown written from it, for comparison.

use crate::clean_html::{browser, readback as clean_html};
use pulldown_cmark::{Event as Parsed, Options, Parser, Tag, TagEnd};
use webstrata::content::{Document, Event, MarkdownTables, Part, Style};

/// The text of a document with white space collapsed, and its parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) text: String,
    pub(crate) headings: Vec<u8>,
    pub(crate) items: usize,
    pub(crate) cells: usize,
    pub(crate) quotes: usize,
    pub(crate) notes: usize,
    pub(crate) code: Vec<(String, String)>,
}

impl Summary {
    /// Adds a table that is written as HTML.
    fn add_html(&mut self, table: clean_html::Summary) {
        let [parts, notes] = table.0;
        assert_eq!(notes.text, "", "a note in a table");
        self.text.push(' ');
        self.text.push_str(&parts.text);
        self.text.push(' ');
        self.headings.extend(parts.headings);
        self.items += parts.items;
        self.cells += parts.cells.len();
        self.quotes += parts.quotes;
        self.code.extend(parts.code);
    }
}

/// Words separated by single spaces.
pub(crate) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Summarises Markdown as pulldown-cmark parses it.
pub(crate) fn parsed(markdown: &str, math: bool) -> Summary {
    let mut options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS;
    options.set(Options::ENABLE_MATH, math);
    let mut found = Summary::default();
    let mut code: Option<String> = None;
    let mut cell = 0;
    let mut images = 0;
    let mut html = String::new();
    for event in Parser::new_ext(markdown, options) {
        match &event {
            Parsed::Html(line) => html.push_str(line),
            Parsed::End(TagEnd::HtmlBlock) => {
                let html = std::mem::take(&mut html);
                let wrong = browser::violations(&html.replace("&#10;", "\n"));
                assert!(html.starts_with("<table>") && wrong.is_empty(), "{wrong:?} in {html}");
                found.add_html(clean_html::parsed(&html));
            }
            Parsed::Start(Tag::Heading { level, .. }) => found.headings.push(*level as u8),
            Parsed::Start(Tag::Item) => found.items += 1,
            Parsed::Start(Tag::BlockQuote(_)) => found.quotes += 1,
            Parsed::Start(Tag::FootnoteDefinition(_)) => found.notes += 1,
            Parsed::Start(Tag::Image { .. }) => images += 1,
            Parsed::End(TagEnd::Image) => images -= 1,
            Parsed::Start(Tag::TableCell) => cell = found.text.len(),
            Parsed::End(TagEnd::TableCell) => found.cells += usize::from(!found.text[cell..].trim().is_empty()),
            Parsed::Start(Tag::CodeBlock(kind)) => {
                code = Some(String::new());
                let language = if let pulldown_cmark::CodeBlockKind::Fenced(name) = kind { name.to_string() } else { "?".into() };
                found.code.push((language, String::new()));
            }
            Parsed::End(TagEnd::CodeBlock) => {
                let text = code.take().unwrap();
                found.text.push_str(&text);
                found.code.last_mut().unwrap().1 = text.strip_suffix('\n').unwrap_or(&text).to_owned();
            }
            Parsed::Text(text) | Parsed::Code(text) if images == 0 => match &mut code {
                Some(code) => code.push_str(text),
                None => found.text.push_str(text),
            },
            Parsed::SoftBreak | Parsed::HardBreak => found.text.push(' '),
            Parsed::InlineHtml(html) => found.text.push_str(match &**html {
                "<br>" => " ",
                "<sup>" | "</sup>" | "<sub>" | "</sub>" => "",
                _ => "(unexpected HTML)",
            }),
            Parsed::InlineMath(tex) => found.text.push_str(&format!("${tex}$")),
            Parsed::DisplayMath(tex) => found.text.push_str(&format!("$${tex}$$")),
            Parsed::FootnoteReference(label) => found.text.push_str(&format!("[^{label}]")),
            Parsed::TaskListMarker(checked) => found.text.push_str(if *checked { "[x] " } else { "[ ] " }),
            _ => {}
        }
        if let Parsed::Start(
            Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::TableCell | Tag::CodeBlock(_) | Tag::Image { .. },
        )
        | Parsed::End(
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock | TagEnd::Image,
        ) = event
        {
            found.text.push(' ');
        }
    }
    found.text = collapsed(&found.text);
    found
}

/// Raised or lowered text as Markdown has it: as characters of its own, or in tags, attached to the word before it.
fn raised(text: &str, style: Style) -> String {
    let (plain, above, below) = ("0123456789+-=()−–n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾⁻⁻ⁿ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋₋");
    let table = match style {
        _ if style.contains(Style::SUPERSCRIPT) => above,
        _ if style.contains(Style::SUBSCRIPT) => below,
        _ => return text.to_owned(),
    };
    let inner = text.trim();
    let mapped: Option<String> = inner.chars().map(|c| table.chars().nth(plain.chars().position(|p| p == c)?)).collect();
    let in_tags = inner.len() <= 24 && inner.chars().all(|c| c.is_alphanumeric() || "+-−=(),./ ′".contains(c));
    let space = if text.starts_with(' ') && !style.contains(Style::ATTACHED) { " " } else { "" };
    match mapped {
        Some(mapped) => format!("{space}{mapped}"),
        None if in_tags && inner.contains(char::is_alphanumeric) => format!("{space}{inner}"),
        None => text.to_owned(),
    }
}

/// Whether a table is written with bars: its cells are lines.
fn fits_bars(table: &[Event<&str>]) -> bool {
    let (mut lists, mut code) = (0, false);
    table[1..].iter().all(|event| {
        match event {
            Event::Start(Part::List(None)) => lists += 1,
            Event::End(Part::List(_)) => lists -= 1,
            Event::Start(Part::List(_) | Part::Quote | Part::Table(_)) => return false,
            Event::Start(part) => code = matches!(part, Part::Code(_)),
            Event::Text { text, .. } if code => return !text.contains('\n'),
            _ => {}
        }
        lists < 2
    })
}

/// Summarises a document as its Markdown should be read back.
pub(crate) fn summary(document: &Document, tables: MarkdownTables) -> Summary {
    let mut found = Summary::default();
    let events: Vec<Event<&str>> = document.events().collect();
    let mut rest = &events[..];
    let mut language = None;
    while let [event, after @ ..] = rest {
        rest = after;
        match *event {
            Event::Start(Part::Table(_)) => {
                let end = end_of_table(after);
                let table = &events[events.len() - after.len() - 1..events.len() - after.len() + end];
                rest = &after[end..];
                match tables {
                    MarkdownTables::Html => found.add_html(clean_html::summary_of(table.iter().copied())),
                    MarkdownTables::Auto if !fits_bars(table) => found.add_html(clean_html::summary_of(table.iter().copied())),
                    _ => add_bars(table, &mut found),
                }
            }
            Event::Start(part) => {
                found.text.push(' ');
                match part {
                    Part::Heading(level) => found.headings.push(level),
                    Part::Item => found.items += 1,
                    Part::Quote => found.quotes += 1,
                    Part::Note(_) => found.notes += 1,
                    Part::Code(name) => language = Some(name),
                    _ => {}
                }
            }
            Event::End(_) => {
                language = None;
                found.text.push(' ');
            }
            Event::Text { text, style, .. } => {
                if let Some(language) = language {
                    found.code.push((language.to_owned(), text.to_owned()));
                }
                found.text.push_str(&raised(text, style));
            }
            other => add_inline(other, false, &mut found.text),
        }
    }
    found.text = collapsed(&found.text);
    found
}

/// Number of events up to the end of the table that has just started.
fn end_of_table(events: &[Event<&str>]) -> usize {
    let mut open = 1;
    let end = events.iter().position(|event| {
        open += usize::from(matches!(event, Event::Start(Part::Table(_))));
        open -= usize::from(matches!(event, Event::End(Part::Table(_))));
        open == 0
    });
    end.expect("the table ends") + 1
}

/// Adds a table with bars: only the text of its cells is written.
fn add_bars(table: &[Event<&str>], found: &mut Summary) {
    let mut tables = 0;
    let mut cell = 0;
    for event in table {
        match *event {
            Event::Start(Part::Table(_)) => tables += 1,
            Event::End(Part::Table(_)) => tables -= 1,
            Event::Start(Part::Cell(_)) if tables == 1 => cell = found.text.len(),
            // A cell may contain nothing but images.
            Event::End(Part::Cell(_)) if tables == 1 => found.cells += usize::from(!found.text[cell..].trim().is_empty()),
            Event::Text { text, style, .. } => found.text.push_str(&raised(text, style)),
            other => add_inline(other, true, &mut found.text),
        }
        if matches!(event, Event::Start(_) | Event::End(_)) {
            found.text.push(' ');
        }
    }
}

fn add_inline(event: Event<&str>, in_cell: bool, text: &mut String) {
    match event {
        Event::Task(checked) => text.push_str(if checked { "[x] " } else { "[ ] " }),
        Event::Break | Event::Image { .. } => text.push(' '),
        Event::Math { tex, text: shown, .. } if in_cell && tex.contains('|') && tex.contains("{array}") => {
            text.push_str(if shown.is_empty() { tex } else { shown });
        }
        Event::Math { tex, .. } if in_cell => {
            let tex = tex.replace("\\|", "\\Vert{}").replace('|', "\\vert{}");
            text.push_str(&format!("${tex}$"));
        }
        Event::Math { tex, display: false, .. } => text.push_str(&format!("${tex}$")),
        Event::Math { tex, .. } => text.push_str(&format!("$${tex}$$")),
        Event::Reference { label, .. } => text.push_str(&format!("[^{label}]")),
        _ => {}
    }
}
