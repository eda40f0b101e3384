//! Summaries of a document and of the HTML written from it, for comparison.

use super::browser::{element_name, walk};
use crate::support::oracle::{Data, Tree};
use webstrata::content::{Document, Event, Part, Style};

/// One part for the text, one for its footnotes, which HTML has at the end.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary([Parts; 2]);

/// Text with white space collapsed, and what it consists of.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parts {
    text: String,
    headings: Vec<u8>,
    lists: Vec<Option<u32>>,
    items: usize,
    /// Cells that are not empty.
    cells: usize,
    quotes: usize,
    rules: usize,
    code: Vec<(String, String)>,
    /// Targets; adjacent links to the same target count once.
    links: Vec<String>,
    images: Vec<(String, String)>,
}

impl Summary {
    fn finished(mut self) -> Self {
        for parts in &mut self.0 {
            parts.text = parts.text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        self
    }

    fn at(&mut self, note: bool) -> &mut Parts {
        &mut self.0[usize::from(note)]
    }
}

/// Removes the characters that HTML does not allow.
fn legal(text: &str) -> String {
    let kept = |c: &char| {
        (!c.is_control() || matches!(c, '\n' | '\t' | '\u{c}'))
            && !matches!(c, '\u{fdd0}'..='\u{fdef}')
            && u32::from(*c) & 0xfffe != 0xfffe
    };
    text.chars().filter(kept).map(|c| if c == '\u{c}' { ' ' } else { c }).collect()
}

/// Summarises a document.
pub(crate) fn summary(document: &Document) -> Summary {
    let mut summary = Summary::default();
    let mut language = None;
    let mut note = false;
    let mut cell = 0;
    let mut last_link: Option<&str> = None;
    for event in document.events() {
        if let Event::Start(Part::Note(label)) = event {
            note = true;
            summary.at(note).text.push_str(&format!(" note {label}"));
        }
        let found = summary.at(note);
        if let Event::Text { link, .. } | Event::Image { link, .. } = event {
            found.links.extend(link.filter(|_| link != last_link).map(str::to_owned));
            last_link = link;
        } else {
            last_link = None;
        }
        match event {
            Event::Start(part) => {
                match part {
                    Part::Heading(level) => found.headings.push(level),
                    Part::List(start) => found.lists.push(start),
                    Part::Item => found.items += 1,
                    Part::Quote => found.quotes += 1,
                    Part::Code(name) => language = Some(name),
                    Part::Cell(_) => cell = found.text.len(),
                    _ => {}
                }
                found.text.push(' ');
            }
            Event::End(part) => {
                language = None;
                found.text.push(' ');
                match part {
                    Part::Cell(_) => found.cells += usize::from(!found.text[cell..].trim().is_empty()),
                    Part::Note(_) => note = false,
                    _ => {}
                }
            }
            Event::Text { text, style, .. } => {
                let text = legal(if style.contains(Style::ATTACHED) { text.trim_start() } else { text });
                found.code.extend(language.map(|language| (language.to_owned(), text.clone())));
                found.text.push_str(&text);
            }
            Event::Break => found.text.push(' '),
            Event::Task(checked) => found.text.push_str(if checked { "☑ " } else { "☐ " }),
            Event::Image { alt, source, .. } => {
                found.images.push((legal(alt), source.to_owned()));
                found.text.push(' ');
            }
            Event::Math { tex, .. } => found.text.push_str(&legal(tex)),
            Event::Reference { text, .. } => found.text.push_str(legal(text).trim()),
            Event::Rule => found.rules += 1,
        }
    }
    summary.finished()
}

/// Summarises HTML.
pub(crate) fn parsed(html: &str) -> Summary {
    let tree = Tree::parse(html);
    let nodes = tree.nodes();
    let mut summary = Summary::default();
    let mut note = false;
    let mut cell = 0;
    let mut code: Option<(String, String)> = None;
    walk(&nodes, &mut |at, end| {
        let node = &nodes[at as usize];
        if element_name(&nodes, at) == "dl" {
            note = !end;
        }
        let found = summary.at(note);
        let (name, attributes) = match &node.data {
            Data::Text(text) if !end => {
                if let Some((_, code)) = &mut code {
                    code.push_str(text);
                }
                found.text.push_str(text);
                return;
            }
            Data::Element { name, attributes, .. } => (&*name.local, attributes),
            _ => return,
        };
        let attribute = |name: &str| attributes.iter().find(|a| &*a.name.local == name).map(|a| a.value.to_string());
        let outer = element_name(&nodes, node.parent);
        let inline = matches!(name, "a" | "code" | "del" | "em" | "strong" | "sub" | "sup") && outer != "pre";
        match (name, end) {
            ("dt", false) => found.text.push_str(" note "),
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => found.headings.push(name.as_bytes()[1] - b'0'),
            ("ul", false) => found.lists.push(None),
            ("ol", false) => found.lists.push(Some(attribute("start").map_or(1, |start| start.parse().unwrap()))),
            ("li", false) => found.items += 1,
            ("blockquote", false) => found.quotes += 1,
            ("hr", false) => found.rules += 1,
            ("td" | "th", false) => cell = found.text.len(),
            ("td" | "th", true) => found.cells += usize::from(!found.text[cell..].trim().is_empty()),
            ("a", false) if outer != "sup" || !attribute("href").is_some_and(|href| href.starts_with("#note-")) => {
                found.links.extend(attribute("href"))
            }
            ("img", false) => found.images.push((attribute("alt").unwrap(), attribute("src").unwrap())),
            ("code", false) if outer == "pre" => {
                let language = attribute("class").unwrap_or_default();
                code = Some((language.strip_prefix("language-").unwrap_or_default().to_owned(), String::new()));
            }
            ("code", true) if outer == "pre" => found.code.extend(code.take()),
            _ => {}
        }
        if !inline {
            found.text.push(' ');
        }
    });
    summary.finished()
}
