//! MathML to TeX, for the elements of MathML Core and the older ones that pages still use.
//!
//! The converter is custom. Existing crates convert TeX to MathML; the only one for the other direction, `mathml-latex`, has
//! been at version 0.0.3 for years and covers a few elements. This one works on the tree of the page, so nothing is parsed twice.
//!
//! The output is linear in the input: every element writes its children once, in one buffer. Formulas that are nested deeper
//! than [`MAX_DEPTH`] or have more than [`MAX_NODES`] nodes are not converted.

mod rows;
mod scripts;
mod symbol_table;
mod symbols;
mod tokens;

use crate::html::{Node, Tag};
use std::borrow::Cow;

const MAX_DEPTH: u32 = 100;
const MAX_NODES: u32 = 20_000;

/// Converts a `math` element to TeX; `None` if it is too large.
pub(super) fn to_tex(math: Node<'_>) -> Option<String> {
    if math.dom().record(math.number()).end - math.number() > MAX_NODES {
        return None;
    }
    let mut writer = Writer::default();
    writer.row(&children(math));
    (!writer.too_deep).then_some(writer.out)
}

/// The TeX written so far.
#[derive(Debug, Default)]
struct Writer {
    out: String,
    depth: u32,
    too_deep: bool,
}

impl Writer {
    /// Appends TeX, with a space before a letter that would otherwise become part of the preceding command.
    fn push(&mut self, tex: &str) {
        let ends_in_command = || {
            let letters = self.out.bytes().rev().take(24).take_while(u8::is_ascii_alphabetic).count();
            letters > 0 && self.out[..self.out.len() - letters].ends_with('\\')
        };
        if tex.starts_with(|c: char| c.is_ascii_alphabetic()) && ends_in_command() {
            self.out.push(' ');
        }
        self.out.push_str(tex);
    }

    /// Appends a command and its argument.
    fn command(&mut self, name: &str, argument: Node<'_>) {
        self.push("\\");
        self.out.push_str(name);
        self.group(argument);
    }

    /// Appends an element in braces.
    fn group(&mut self, node: Node<'_>) {
        self.push("{");
        self.element(node);
        self.push("}");
    }

    /// Appends the argument at `index`, in braces, empty if there is none.
    fn argument(&mut self, arguments: &[Node<'_>], index: usize) {
        match arguments.get(index) {
            Some(&node) => self.group(node),
            None => self.push("{}"),
        }
    }

    fn element(&mut self, node: Node<'_>) {
        if self.depth >= MAX_DEPTH {
            self.too_deep = true;
            return;
        }
        self.depth += 1;
        self.write(node);
        self.depth -= 1;
    }

    fn write(&mut self, node: Node<'_>) {
        if !node.is_element() {
            self.text(&node.text());
            return;
        }
        let name = name(node);
        let inner = children(node);
        match &*name {
            "mi" => self.identifier(node),
            "mn" => self.number(node),
            "mo" => self.operator(node),
            "mtext" => self.text_element(node),
            "ms" => self.string(node),
            "mspace" => self.space(node),
            "mglyph" => self.text(&node.attribute("alt").unwrap_or_default()),
            "mfrac" => self.fraction(node, &inner),
            "msqrt" => {
                self.push("\\sqrt{");
                self.row(&inner);
                self.push("}");
            }
            "mroot" => self.root(&inner),
            "msub" => self.scripts(&inner, Some(1), None),
            "msup" => self.scripts(&inner, None, Some(1)),
            "msubsup" => self.scripts(&inner, Some(1), Some(2)),
            "munder" => self.under_over(&inner, Some(1), None),
            "mover" => self.under_over(&inner, None, Some(1)),
            "munderover" => self.under_over(&inner, Some(1), Some(2)),
            "mmultiscripts" => self.multiscripts(&inner),
            "mtable" => self.table(node, "matrix"),
            "mfenced" => self.fenced(node, &inner),
            "menclose" => self.enclosed(node, &inner),
            "mphantom" => {
                self.push("\\phantom{");
                self.row(&inner);
                self.push("}");
            }
            // The first child is visible; the others are annotations or alternatives.
            "semantics" => inner.first().into_iter().for_each(|&child| self.element(child)),
            "maction" => {
                let selected = node.attribute("selection").and_then(|value| value.trim().parse::<usize>().ok()).unwrap_or(1);
                let child = inner.get(selected.saturating_sub(1)).or(inner.first());
                child.into_iter().for_each(|&child| self.element(child));
            }
            "annotation" | "annotation-xml" | "none" | "mprescripts" | "maligngroup" | "malignmark" | "script" | "style" => {}
            _ => self.row(&inner),
        }
    }

    fn fraction(&mut self, node: Node<'_>, arguments: &[Node<'_>]) {
        if is_true(node, "bevelled") {
            self.argument(arguments, 0);
            self.push("/");
            self.argument(arguments, 1);
            return;
        }
        self.push(if is_stacked(node) { "\\genfrac{}{}{0pt}{}" } else { "\\frac" });
        self.argument(arguments, 0);
        self.argument(arguments, 1);
    }

    fn root(&mut self, arguments: &[Node<'_>]) {
        self.push("\\sqrt");
        if let Some(&index) = arguments.get(1) {
            // Braces keep a bracket in the index from ending it.
            self.push("[");
            if is_token(index) {
                self.element(index);
            } else {
                self.group(index);
            }
            self.push("]");
        }
        self.argument(arguments, 0);
    }

    fn enclosed(&mut self, node: Node<'_>, inner: &[Node<'_>]) {
        let notation = node.attribute("notation").unwrap_or_default();
        let has = |name: &str| notation.split_ascii_whitespace().any(|word| word == name);
        let command = match () {
            _ if has("updiagonalstrike") && has("downdiagonalstrike") => "\\xcancel{",
            _ if has("updiagonalstrike") => "\\cancel{",
            _ if has("downdiagonalstrike") => "\\bcancel{",
            _ if has("box") || has("roundedbox") || has("circle") => "\\boxed{",
            _ if has("radical") => "\\sqrt{",
            _ if has("top") => "\\overline{",
            _ if has("bottom") => "\\underline{",
            _ => "{",
        };
        self.push(command);
        self.row(inner);
        self.push("}");
    }
}

/// The name of an element in lower case.
fn name(node: Node<'_>) -> Cow<'_, str> {
    let name = node.name();
    if name.bytes().any(|b| b.is_ascii_uppercase()) { Cow::Owned(name.to_ascii_lowercase()) } else { Cow::Borrowed(name) }
}

fn is_named(node: Node<'_>, wanted: &str) -> bool {
    node.is_element() && node.name().eq_ignore_ascii_case(wanted)
}

/// The children that are written: elements, and text with more than white space.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let shown = |child: &Node<'_>| {
        if child.is_element() { !matches!(child.tag(), Tag::ANNOTATION | Tag::ANNOTATION_XML) } else { !child.text().is_empty() }
    };
    node.children().filter(shown).collect()
}

/// The element inside nested rows with a single child each.
fn core(mut node: Node<'_>) -> Node<'_> {
    for _ in 0..MAX_DEPTH {
        if !matches!(&*name(node), "mrow" | "mstyle" | "mpadded" | "semantics") {
            break;
        }
        match children(node)[..] {
            [child] => node = child,
            _ => break,
        }
    }
    node
}

fn is_token(node: Node<'_>) -> bool {
    matches!(node.tag(), Tag::MI | Tag::MN | Tag::MO | Tag::MTEXT)
}

/// The text of an element if it is a single character.
fn single_char(node: Node<'_>) -> Option<char> {
    let node = core(node);
    if !is_token(node) {
        return None;
    }
    let text = node.text();
    let mut chars = text.chars().filter(|c| !matches!(c, '\u{2061}'..='\u{2064}'));
    chars.next().filter(|_| chars.next().is_none())
}

fn is_true(node: Node<'_>, attribute: &str) -> bool {
    node.attribute(attribute).is_some_and(|value| value.trim() == "true")
}

/// Whether a fraction has no bar.
fn is_stacked(node: Node<'_>) -> bool {
    let thickness = node.attribute("linethickness").unwrap_or_default();
    let thickness = thickness.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    !thickness.is_empty() && thickness.parse::<f32>().is_ok_and(|thickness| thickness == 0.0)
}

#[cfg(test)]
mod tests;
