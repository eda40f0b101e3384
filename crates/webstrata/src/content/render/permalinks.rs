//! Permalinks next to headings and definitions (`¶`, `#`, `§`), and links to edit the section. They are not part
//! of the text. They are recognised by structure: a link to the heading's own anchor, or a class name used by site generators.

use crate::html::{Dom, Node, Tag, flag};

/// Maximum length of a permalink or a label, in bytes of source.
const MAX_BYTES: u32 = 200;

/// Maximum number of nodes inside a permalink.
const MAX_NODES: u32 = 24;

/// Maximum length of the symbol of a permalink in bytes, including one written as a character reference.
const MAX_SYMBOL_BYTES: u32 = 10;

/// Maximum number of nodes inside a heading searched for its anchor.
const NEAR: usize = 8;

/// Whether the element `id`, in or right after a heading, is a permalink.
pub(super) fn is_permalink(dom: &Dom<'_>, id: u32, heading: u32) -> bool {
    let node = Node::new(dom, id);
    let record = dom.record(id);
    if record.end > id + MAX_NODES {
        return false;
    }
    let Some(text) = short_text(node) else { return false };
    let certain = named(node, is_certain_name);
    if certain && node.tag() != Tag::A {
        return true;
    }
    let is_sign = !text.contains(char::is_alphanumeric);
    let fragment = node.attribute("href").filter(|href| href.starts_with('#'));
    let hidden = record.flags & (flag::ARIA_HIDDEN | flag::HIDDEN | flag::DISPLAY_NONE) != 0;
    match (node.tag(), is_sign) {
        (Tag::A, true) => fragment.is_some() || certain || hidden,
        (Tag::A, false) => {
            let own = || fragment.is_some_and(|href| is_own_anchor(node, Node::new(dom, heading), &href[1..]));
            (certain || own()) && says_link(node, &text) && has_other_text(Node::new(dom, heading), node)
        }
        (_, true) => hidden && text.trim().chars().any(|c| "#¶§🔗⚓∞".contains(c)),
        (_, false) => node.tag() == Tag::BUTTON && says_link(node, &text) && has_other_text(Node::new(dom, heading), node),
    }
}

/// Whether a link outside headings is a permalink to the element around it, as after the name of a documented function.
pub(super) fn is_sign(dom: &Dom<'_>, id: u32) -> bool {
    let text = dom.record(id + 1);
    if dom.record(id).end != id + 2 || text.tag != Tag::TEXT || text.to - text.from > MAX_SYMBOL_BYTES {
        return false;
    }
    if dom.run_text(id + 1).contains(char::is_alphanumeric) {
        return false;
    }
    let node = Node::new(dom, id);
    let Some(href) = node.attribute("href").filter(|href| href.starts_with('#')) else { return false };
    named(node, is_certain_name) || node.ancestors().take(3).any(|n| is_anchor(n, &href[1..]))
}

/// Whether a link in a heading leads to the heading itself.
pub(super) fn links_to_itself(dom: &Dom<'_>, id: u32, heading: u32) -> bool {
    let node = Node::new(dom, id);
    let href = node.attribute("href").filter(|href| href.starts_with('#'));
    href.is_some_and(|href| is_own_anchor(node, Node::new(dom, heading), &href[1..]))
}

/// The text of an element if it is short.
fn short_text(node: Node<'_>) -> Option<String> {
    let mut text = String::new();
    let mut bytes = 0;
    for run in node.descendants().filter(|n| !n.is_element()) {
        bytes += run.span().len();
        if bytes > MAX_BYTES {
            return None;
        }
        text.push_str(&run.dom().run_text(run.number()));
    }
    Some(text)
}

fn named(node: Node<'_>, is: impl Fn(&str) -> bool) -> bool {
    node.attribute("class").is_some_and(|class| class.split_ascii_whitespace().any(is))
}

/// Whether a class name is used only for permalinks and similar controls.
fn is_certain_name(name: &str) -> bool {
    matches!(
        name,
        "headerlink"
            | "header-link"
            | "header-anchor"
            | "heading-anchor"
            | "heading-link"
            | "headline-anchor"
            | "anchor-link"
            | "anchorlink"
            | "anchorjs-link"
            | "permalink"
            | "hash-link"
            | "doc-anchor"
            | "section-link"
            | "self-link"
            | "zola-anchor"
            | "sl-anchor-link"
            | "srclink"
            | "backtotop"
            | "back-to-top"
            | "mw-editsection"
            | "mw-editsection-like"
    )
}

fn is_own_anchor(node: Node<'_>, heading: Node<'_>, fragment: &str) -> bool {
    let near = heading.descendants().take(NEAR).chain(heading.ancestors().take(2));
    [node, heading].into_iter().chain(near).any(|n| n.is_element() && is_anchor(n, fragment))
}

fn is_anchor(node: Node<'_>, fragment: &str) -> bool {
    ["id", "name"].iter().any(|name| node.attribute(name).is_some_and(|value| value == fragment)) && !fragment.is_empty()
}

/// Whether the text or label of a link or button identifies it as a permalink or an edit link.
fn says_link(node: Node<'_>, text: &str) -> bool {
    let says = |text: &str| {
        let text = text.trim().to_lowercase();
        let word = text.trim_matches(['[', ']', '(', ')', '#', ' ']);
        matches!(word, "link" | "edit" | "anchor" | "src" | "source" | "top" | "back to top")
            || ["permalink", "permanent link", "link to", "link for", "direct link", "copy link", "section titled", "anchor for"]
                .iter()
                .any(|start| text.contains(start))
    };
    says(text) || ["aria-label", "title"].iter().any(|name| node.attribute(name).is_some_and(|label| says(&label)))
}

/// Whether a heading has words besides those of `part`.
fn has_other_text(heading: Node<'_>, part: Node<'_>) -> bool {
    let end = part.dom().record(part.number()).end;
    let other = |n: &Node<'_>| !n.is_element() && !(part.number()..end).contains(&n.number());
    heading.descendants().take(NEAR * NEAR).filter(other).any(|n| n.dom().run_text(n.number()).contains(char::is_alphanumeric))
}
