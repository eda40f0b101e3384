//! Preformatted text: every space as it stands, and the language that a class names.

use super::marks::visible;
use crate::html::{Dom, HIDDEN, INLINE, Node, Tag, TagSet, flag};

/// Elements whose text is not shown.
const UNREAD: TagSet = TagSet::from_tags(&[Tag::SVG, Tag::SELECT, Tag::TEXTAREA, Tag::TITLE, Tag::ANNOTATION, Tag::ANNOTATION_XML]);

/// What is kept of a run inside `pre`.
pub(super) enum Kept {
    /// All that is not other text than content: lines of mere punctuation are in no block, and belong to the text.
    UnlessOther,
    /// Only content: inside `noscript`, whose text counts only when it was asked for.
    IfContent,
}

/// The text of the element `pre` as far as `kept` says so of its runs, and its language.
pub(super) fn read(dom: &Dom<'_>, pre: u32, kept: impl Fn(u32, Kept) -> bool) -> (String, String) {
    let end = dom.record(pre).end;
    let mut text = String::new();
    let mut lines: Vec<u32> = Vec::new(); // ends of the blocks that are open
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
        } else if record.tag.flags() & HIDDEN != 0 || UNREAD.contains(record.tag) {
            id = record.end.max(id + 1);
            continue;
        } else if record.tag == Tag::NOSCRIPT {
            noscript_until = noscript_until.max(record.end);
        } else if record.tag == Tag::BR {
            text.push('\n');
        } else if !INLINE.contains(record.tag) && !record.tag.is_custom() && record.flags & flag::FOREIGN == 0 {
            // Elements that a page made up stand in lines of code (marks of highlighters do).
            end_line(&mut text);
            lines.push(record.end);
        }
        id += 1;
    }
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    text.truncate(text.trim_end().len());
    // The line end behind the tag is none of the text.
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

/// The language of a `pre`: by its own class, that of the `code` in it, or that of what is round it.
fn language(dom: &Dom<'_>, pre: u32) -> String {
    let node = Node::new(dom, pre);
    let code = node.descendants().take(4).find(|n| n.tag() == Tag::CODE);
    let round = node.ancestors().take(2);
    std::iter::once(node).chain(code).chain(round).find_map(named).unwrap_or_default()
}

fn named(node: Node<'_>) -> Option<String> {
    let class = node.attribute("class")?;
    let starts = ["language-", "lang-", "highlight-source-"];
    let mut names = class.split_ascii_whitespace().filter_map(|class| starts.iter().find_map(|start| class.strip_prefix(start)));
    names.find(|name| is_legal(name)).map(str::to_ascii_lowercase)
}

/// Can it be the name of a language?
fn is_legal(name: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'#' | b'.' | b'_');
    !name.is_empty() && name.len() <= 24 && name.bytes().all(letter)
}
