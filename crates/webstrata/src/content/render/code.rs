//! Preformatted text with all its white space, and the language named by a class.

use super::marks::visible;
use crate::html::{Dom, HIDDEN, INLINE, Node, Tag, TagSet, flag};

/// Elements whose text is not shown.
const SKIPPED: TagSet =
    TagSet::from_tags(&[Tag::SVG, Tag::SELECT, Tag::TEXTAREA, Tag::TITLE, Tag::ANNOTATION, Tag::ANNOTATION_XML]);

/// Which runs inside `pre` are kept.
pub(super) enum Kept {
    /// All except text that is not content: lines of punctuation only are in no block but belong to the text.
    UnlessOther,
    /// Only content: inside `noscript`, whose text is used only on request.
    IfContent,
}

/// The runs of the element `pre` that `kept` accepts, and its language.
pub(super) fn read(dom: &Dom<'_>, pre: u32, kept: impl Fn(u32, Kept) -> bool) -> (String, String) {
    let end = dom.record(pre).end;
    let mut text = String::new();
    let mut lines: Vec<u32> = Vec::new(); // ends of the open blocks
    let mut noscript_until = 0;
    let mut id = pre + 1;
    while id < end {
        let record = dom.record(id);
        while lines.pop_if(|until| *until <= id).is_some() {
            end_line(&mut text);
        }
        if record.tag == Tag::TEXT {
            if kept(id, if id < noscript_until { Kept::IfContent } else { Kept::UnlessOther }) {
                text.push_str(&visible(&dom.run_text(id)));
            }
        } else if record.tag.flags() & HIDDEN != 0 || SKIPPED.contains(record.tag) {
            id = record.end.max(id + 1);
            continue;
        } else if record.tag == Tag::NOSCRIPT {
            noscript_until = noscript_until.max(record.end);
        } else if record.tag == Tag::BR {
            text.push('\n');
        } else if !INLINE.contains(record.tag) && !record.tag.is_custom() && record.flags & flag::FOREIGN == 0 {
            // Custom elements are inline in code: syntax highlighters use them.
            end_line(&mut text);
            lines.push(record.end);
        }
        id += 1;
    }
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    text.truncate(text.trim_end().len());
    // The line end right after the tag is not part of the text.
    if text.starts_with('\n') {
        text.remove(0);
    }
    (text, language(dom, pre))
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// The language of a `pre`, from its own class, that of the `code` in it, or that of an enclosing element.
fn language(dom: &Dom<'_>, pre: u32) -> String {
    let node = Node::new(dom, pre);
    let code = node.descendants().take(4).find(|n| n.tag() == Tag::CODE);
    let enclosing = node.ancestors().take(2);
    std::iter::once(node).chain(code).chain(enclosing).find_map(class_language).unwrap_or_default()
}

fn class_language(node: Node<'_>) -> Option<String> {
    let class = node.attribute("class")?;
    let starts = ["language-", "lang-", "highlight-source-"];
    let mut names = class.split_ascii_whitespace().filter_map(|class| starts.iter().find_map(|start| class.strip_prefix(start)));
    names.find(|name| is_language_name(name)).map(str::to_ascii_lowercase)
}

/// Whether it can be the name of a language.
fn is_language_name(name: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'#' | b'.' | b'_');
    !name.is_empty() && name.len() <= 24 && name.bytes().all(letter)
}
