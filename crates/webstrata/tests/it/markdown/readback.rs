//! Summaries of a document and of the Markdown written from it, for comparison.

use pulldown_cmark::{Event as Parsed, Options, Parser, Tag, TagEnd};
use webstrata::content::{Document, Event, Part, Style};

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
    for event in Parser::new_ext(markdown, options) {
        match &event {
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
            Parsed::Html(_) => found.text.push_str("(unexpected HTML)"),
            Parsed::InlineMath(tex) => found.text.push_str(&format!("${tex}$")),
            Parsed::DisplayMath(_) => found.text.push_str("(unexpected formula)"),
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

/// Summarises a document.
pub(crate) fn summary(document: &Document) -> Summary {
    let mut found = Summary::default();
    let mut language = None;
    let mut cell = 0;
    let mut in_cell = false;
    for event in document.events() {
        match event {
            Event::Start(part) => {
                found.text.push(' ');
                match part {
                    Part::Heading(level) => found.headings.push(level),
                    Part::Item => found.items += 1,
                    Part::Quote => found.quotes += 1,
                    Part::Note(_) => found.notes += 1,
                    Part::Code(name) => language = Some(name),
                    Part::Cell(_) => (cell, in_cell) = (found.text.len(), true),
                    _ => {}
                }
            }
            Event::End(part) => {
                language = None;
                if matches!(part, Part::Cell(_)) {
                    in_cell = false;
                    found.cells += usize::from(!found.text[cell..].trim().is_empty());
                }
                found.text.push(' ');
            }
            Event::Text { text, style, .. } => {
                if let Some(language) = language {
                    found.code.push((language.to_owned(), text.to_owned()));
                }
                found.text.push_str(&raised(text, style));
            }
            Event::Task(checked) => found.text.push_str(if checked { "[x] " } else { "[ ] " }),
            Event::Break | Event::Image { .. } => found.text.push(' '),
            Event::Math { tex, text } if in_cell && tex.contains('|') => found.text.push_str(text),
            Event::Math { tex, .. } => found.text.push_str(&format!("${tex}$")),
            Event::Reference { label, .. } => found.text.push_str(&format!("[^{label}]")),
            Event::Rule => {}
        }
    }
    found.text = collapsed(&found.text);
    found
}
