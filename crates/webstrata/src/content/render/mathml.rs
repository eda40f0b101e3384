//! MathML for clean HTML, regenerated with only those elements and attributes of MathML Core that affect presentation.

use crate::content::html::escape::{attribute, text};
use crate::html::{Dom, Node, Tag};

/// Maximum nesting depth; deeper formulas are written as TeX.
const MAX_DEPTH: usize = 100;

/// Allowed elements; the content of others is written in an `mrow`.
const ELEMENTS: [&str; 25] = [
    "merror", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mprescripts", "mroot", "mrow", "ms",
    "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover",
];

/// Attributes with their allowed keyword values.
const WORDS: [(&str, &[&str]); 14] = [
    ("accent", &["true", "false"]),
    ("accentunder", &["true", "false"]),
    ("columnalign", &["left", "center", "right"]),
    ("dir", &["ltr", "rtl"]),
    ("displaystyle", &["true", "false"]),
    ("fence", &["true", "false"]),
    ("form", &["prefix", "infix", "postfix"]),
    ("largeop", &["true", "false"]),
    (
        "mathvariant",
        &[
            "normal",
            "bold",
            "italic",
            "bold-italic",
            "double-struck",
            "bold-fraktur",
            "script",
            "bold-script",
            "fraktur",
            "sans-serif",
            "bold-sans-serif",
            "sans-serif-italic",
            "sans-serif-bold-italic",
            "monospace",
        ],
    ),
    ("movablelimits", &["true", "false"]),
    ("rowalign", &["top", "center", "bottom", "baseline", "axis"]),
    ("separator", &["true", "false"]),
    ("stretchy", &["true", "false"]),
    ("symmetric", &["true", "false"]),
];

/// Attributes whose values are lengths or numbers.
const LENGTHS: [&str; 13] = [
    "columnspan", "depth", "height", "linethickness", "lspace", "maxsize", "minsize", "rowspan", "rspace", "scriptlevel",
    "voffset", "width", "mathsize",
];

/// The element `math` with its TeX as an annotation; `None` if it is nested too deeply.
pub(super) fn clean(dom: &Dom<'_>, math: u32, tex: &str, display: bool) -> Option<String> {
    let mut out = String::from("<math");
    if display {
        attribute("display", "block", &mut out);
    }
    out.push_str("><semantics><mrow>");
    let mut open: Vec<(u32, &'static str)> = Vec::new(); // open elements: end and name
    let root = only_row(Node::new(dom, math)).number();
    let mut id = root + 1;
    let end = dom.record(root).end;
    while id < end {
        while let Some((_, name)) = open.pop_if(|(end, _)| *end <= id) {
            close(name, &mut out);
        }
        let record = dom.record(id);
        let node = Node::new(dom, id);
        if record.tag == Tag::TEXT {
            token("mtext", &node.text(), &mut out);
        } else if matches!(record.tag, Tag::ANNOTATION | Tag::ANNOTATION_XML | Tag::SCRIPT | Tag::STYLE | Tag::TEMPLATE) {
            id = record.end.max(id + 1);
            continue;
        } else {
            // Only its first child remains, so it needs no `mrow`.
            if node.name().eq_ignore_ascii_case("semantics") {
                id += 1;
                continue;
            }
            let name = ELEMENTS.into_iter().find(|name| node.name().eq_ignore_ascii_case(name)).unwrap_or("mrow");
            out.push('<');
            out.push_str(name);
            attributes(node, &mut out);
            out.push('>');
            if matches!(name, "mi" | "mn" | "mo" | "ms" | "mtext") {
                text(&token_text(node), &mut out);
                close(name, &mut out);
                id = record.end.max(id + 1);
                continue;
            }
            if open.len() >= MAX_DEPTH {
                return None;
            }
            open.push((record.end.max(id + 1), name));
        }
        id += 1;
    }
    while let Some((_, name)) = open.pop() {
        close(name, &mut out);
    }
    out.push_str("</mrow><annotation encoding=\"application/x-tex\">");
    text(tex, &mut out);
    out.push_str("</annotation></semantics></math>");
    Some(out)
}

/// The innermost row that contains the whole formula.
fn only_row(math: Node<'_>) -> Node<'_> {
    let mut row = math;
    for _ in 0..MAX_DEPTH {
        let mut children = row.children().filter(|child| !matches!(child.tag(), Tag::ANNOTATION | Tag::ANNOTATION_XML));
        let is_row = |child: &Node<'_>| matches!(child.name(), "semantics" | "mrow");
        match (children.next().filter(is_row), children.next()) {
            (Some(child), None) => row = child,
            _ => break,
        }
    }
    row
}

/// The text of an element with white space collapsed as in MathML, which keeps no-break spaces.
fn token_text(node: Node<'_>) -> String {
    let dom = node.dom();
    let runs = node.descendants().filter(|part| !part.is_element());
    let raw: String = runs.map(|part| dom.run_text(part.number())).collect();
    raw.split(|c: char| c.is_ascii_whitespace()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn token(name: &str, content: &str, out: &mut String) {
    if !content.trim().is_empty() {
        out.push('<');
        out.push_str(name);
        out.push('>');
        text(content, out);
        close(name, out);
    }
}

fn close(name: &str, out: &mut String) {
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// Writes the allowed attributes that have allowed values.
fn attributes(node: Node<'_>, out: &mut String) {
    let mut written: Vec<&'static str> = Vec::new();
    for given in node.attributes() {
        let value = given.value();
        let value = value.trim();
        let words = WORDS.iter().find(|(name, _)| given.name().eq_ignore_ascii_case(name));
        let lengths = LENGTHS.into_iter().find(|name| given.name().eq_ignore_ascii_case(name));
        let name = match (words, lengths) {
            (Some((name, allowed)), _) if value.split_ascii_whitespace().all(|word| allowed.contains(&word)) => *name,
            (_, Some(name)) if is_length(value) => name,
            _ => continue,
        };
        if !value.is_empty() && !written.contains(&name) {
            attribute(name, value, out);
            written.push(name);
        }
    }
}

fn is_length(value: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
    let unit = value.trim_start_matches(number);
    value.len() <= 16
        && unit.len() < value.len()
        && matches!(unit, "" | "em" | "ex" | "px" | "pt" | "pc" | "cm" | "mm" | "in" | "mu" | "%")
}
