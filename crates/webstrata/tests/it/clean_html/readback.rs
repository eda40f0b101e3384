//! Summaries of a document and of the HTML written from it, for comparison.

use super::browser::{element_name, walk};
use crate::support::oracle::{Data, NONE, Tree};
use webstrata::content::{Document, Event, Part, Style};

/// One part for the text, one for its footnotes, which are at the end in HTML.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary(pub(crate) [Parts; 2]);

/// Text with white space collapsed, and its elements.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) text: String,
    pub(crate) headings: Vec<u8>,
    lists: Vec<Option<u32>>,
    pub(crate) items: usize,
    /// The shapes of tables: their columns.
    tables: Vec<u8>,
    captions: usize,
    /// Cells that are not empty: whether they are header cells, their spans, and their columns in the grid of the table.
    pub(crate) cells: Vec<(bool, u8, u16, u8)>,
    pub(crate) quotes: usize,
    rules: usize,
    pub(crate) code: Vec<(String, String)>,
    /// Targets; adjacent links to the same target count once.
    links: Vec<String>,
    images: Vec<(String, String)>,
    /// Their TeX.
    formulas: Vec<String>,
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
    summary_of(document.events())
}

/// Summarises events.
pub(crate) fn summary_of<'d>(events: impl Iterator<Item = Event<&'d str>>) -> Summary {
    let mut summary = Summary::default();
    let mut language = None;
    let mut note = false;
    let mut last_link: Option<&str> = None;
    for event in events {
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
                    Part::Table(shape) => found.tables.push(shape.columns),
                    Part::Caption => found.captions += 1,
                    Part::Cell(cell) => found.cells.push((cell.header, cell.columns, cell.rows, cell.column)),
                    _ => {}
                }
                found.text.push(' ');
            }
            Event::End(part) => {
                language = None;
                found.text.push(' ');
                if let Part::Note(_) = part {
                    note = false;
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
            Event::Math { tex, .. } => found.formulas.push(legal(tex)),
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
    let mut grids: Vec<Grid> = Vec::new();
    let mut code: Option<(String, String)> = None;
    let mut formula = false;
    walk(&nodes, &mut |at, end| {
        let node = &nodes[at as usize];
        if element_name(&nodes, at) == "dl" {
            note = !end;
        }
        let found = summary.at(note);
        let (name, attributes) = match &node.data {
            Data::Text(text) if !end && formula => {
                let source = text.strip_prefix("\\(").and_then(|rest| rest.strip_suffix("\\)"));
                let source = source.or_else(|| text.strip_prefix("\\[").and_then(|rest| rest.strip_suffix("\\]")));
                let in_span = element_name(&nodes, node.parent) == "span";
                let in_annotation = element_name(&nodes, node.parent) == "annotation";
                found.formulas.extend(source.filter(|_| in_span).map(str::to_owned));
                found.formulas.extend(in_annotation.then(|| text.to_string()));
                return;
            }
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
        if matches!(name, "math" | "span") {
            formula = !end;
            return;
        }
        if formula {
            return;
        }
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
            ("a", false) if outer != "sup" || !attribute("href").is_some_and(|href| href.starts_with("#note-")) => {
                found.links.extend(attribute("href"));
            }
            ("caption", false) => found.captions += 1,
            ("table", false) => {
                grids.push(Grid { table: found.tables.len(), ..Grid::default() });
                found.tables.push(0);
            }
            ("table", true) => {
                let grid = grids.pop().unwrap();
                found.tables[grid.table] = grid.columns;
            }
            ("tr", false) => grids.last_mut().unwrap().row(),
            ("td" | "th", false) => {
                let span = |name: &str| attribute(name).map_or(1, |span| span.parse().unwrap());
                let (columns, rows) = (span("colspan") as u8, span("rowspan"));
                let column = grids.last_mut().unwrap().cell(columns, rows);
                if node.first != NONE {
                    found.cells.push((name == "th", columns, rows, column));
                }
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

/// The grid of a table as the standard forms it.
#[derive(Default)]
struct Grid {
    table: usize,
    columns: u8,
    row: usize,
    column: u8,
    /// Cells covered by a cell from above: row and column.
    taken: std::collections::HashSet<(usize, u8)>,
}

impl Grid {
    fn row(&mut self) {
        self.row += 1;
        self.column = 0;
    }

    /// Places a cell, and returns its column.
    fn cell(&mut self, columns: u8, rows: u16) -> u8 {
        while self.taken.contains(&(self.row, self.column)) {
            self.column += 1;
        }
        let column = self.column;
        self.column += columns;
        self.columns = self.columns.max(self.column);
        for row in 0..usize::from(rows) {
            self.taken.extend((column..self.column).map(|column| (self.row + row, column)));
        }
        column
    }
}
