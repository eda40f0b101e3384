//! Formulas: MathML that also provides its TeX source.

use super::marks::{CONTENT, FIRST, Marks, OTHER, SPACED, visible};
use crate::html::{Dom, Node, Tag};

/// Longer formulas remain text.
const MAX_TEX_BYTES: usize = 2000;

/// A formula.
#[derive(Debug)]
pub(super) struct Formula {
    /// The TeX source in one line, without delimiters.
    pub(super) tex: String,
    /// The visible characters.
    pub(super) text: String,
}

/// The formula of the element `math`, if all of it is content in one line and it has a TeX source.
pub(super) fn read(dom: &Dom<'_>, math: u32, marks: &Marks) -> Option<Formula> {
    let tex = tex(Node::new(dom, math))?;
    let mut text = String::new();
    for id in math + 1..dom.record(math).end {
        let mark = marks.get(id);
        if mark & OTHER != 0 || (mark & FIRST != 0 && !text.is_empty()) {
            return None;
        }
        if mark & CONTENT != 0 {
            if mark & SPACED != 0 {
                text.push(' ');
            }
            text.push_str(&visible(&dom.run_text(id)));
        }
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(Formula { tex, text })
}

fn tex(math: Node<'_>) -> Option<String> {
    let notes = math.descendants().filter(|n| n.tag() == Tag::ANNOTATION);
    let annotation = notes.into_iter().find(|n| {
        let encoding = n.attribute("encoding").unwrap_or_default().to_ascii_lowercase();
        matches!(&*encoding, "application/x-tex" | "tex" | "latex" | "application/x-latex" | "text/x-tex")
    });
    let tex = annotation.map(|n| n.text()).or_else(|| math.attribute("alttext").map(|text| text.into_owned()))?;
    if tex.len() > MAX_TEX_BYTES || tex.contains('%') {
        return None; // a TeX comment ends with its line
    }
    let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("{\\displaystyle ", "}"), ("{\\textstyle ", "}")]
        .into_iter()
        .find_map(|(open, close)| tex.strip_prefix(open)?.strip_suffix(close))
        .filter(|bare| is_balanced(bare))
        .unwrap_or(&tex)
        .trim();
    (is_balanced(bare) && !bare.is_empty()).then(|| bare.to_owned())
}

/// Whether braces are balanced and nothing would end the formula.
fn is_balanced(tex: &str) -> bool {
    let mut open = 0u32;
    let mut chars = tex.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.next().is_none() => return false,
            '{' => open += 1,
            '}' if open == 0 => return false,
            '}' => open -= 1,
            '$' | '`' => return false,
            c if c.is_control() => return false,
            _ => {}
        }
    }
    open == 0
}
