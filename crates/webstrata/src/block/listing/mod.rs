//! Code listings: the elements that contain source code, line by line.
//!
//! A `pre` is one. Other forms are a table with a column of line numbers, one `div` per line, and a `code` with line breaks.
//! Selection keeps a listing whole and rendering writes it as one code block, so both use this module.

pub(crate) mod names;
mod table;

pub(crate) use table::is_listing as is_listing_table;

use crate::html::{Attributes, Dom, INLINE, Node, Tag, TagSet, ValueCache, flag};

/// Elements that are always listings.
pub(crate) const PREFORMATTED: TagSet = TagSet::from_tags(&[Tag::PRE, Tag::LISTING, Tag::XMP]);

/// Parents whose only child, a `code` with line breaks, is a listing. Table cells are excluded: a table of code is a table.
const BLOCKS: TagSet = TagSet::from_tags(&[
    Tag::P,
    Tag::DIV,
    Tag::SECTION,
    Tag::ARTICLE,
    Tag::MAIN,
    Tag::FIGURE,
    Tag::BLOCKQUOTE,
    Tag::CENTER,
    Tag::LI,
    Tag::DD,
    Tag::BODY,
]);

/// Maximum number of nodes searched for the structure of a listing.
const NEAR: usize = 64;

/// A listing, or a control that belongs to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listing {
    /// Its element, which also contains its line numbers.
    pub(crate) node: u32,
    /// The first node after it.
    pub(crate) end: u32,
}

/// The outermost listings of a page, in document order. Costs one pass over the page.
pub(crate) fn find(dom: &Dom<'_>) -> Vec<Listing> {
    let mut found = Vec::new();
    let mut attributes = Attributes::new(dom);
    let mut known = ValueCache::new(false);
    let mut id = 0;
    while let Some(record) = dom.records().get(id as usize) {
        let element = || Node::new(dom, id);
        let is_listing = match record.tag {
            Tag::PRE | Tag::LISTING | Tag::XMP => true,
            Tag::CODE | Tag::TABLE | Tag::DIV if record.flags & flag::FOREIGN != 0 || record.end <= id + 1 => false,
            Tag::CODE => is_code_block(element()),
            Tag::TABLE => table::is_listing(element()),
            Tag::DIV => {
                let mut attributes = attributes.for_node(id).filter(|attribute| attribute.name().len() == "class".len());
                let class = attributes.find(|attribute| attribute.name().eq_ignore_ascii_case("class"));
                let names = class.map(|class| class.span().slice(dom.source()));
                // Hardly any class name indicates code, and class names recur within a page, so the results are cached.
                names
                    .filter(|&names| known.get(names, || class_names(names).any(names_code)))
                    .is_some_and(|names| class_names(names).any(|name| has_lines(element(), name)))
            }
            _ => false,
        };
        if is_listing {
            found.push(Listing { node: id, end: record.end });
            id = record.end.max(id + 1);
        } else {
            id += 1;
        }
    }
    found
}

fn class_names(class: &str) -> impl Iterator<Item = &str> {
    class.split_ascii_whitespace()
}

/// Whether a `div` of this class may contain code without `pre`.
fn names_code(class: &str) -> bool {
    matches!(
        class,
        "fragment"
            | "syntaxhighlighter"
            | "crayon-syntax"
            | "dp-highlighter"
            | "code"
            | "codeblock"
            | "code-block"
            | "code_block"
            | "source-code"
            | "sourceCode"
            | "codehilite"
            | "cm-content"
            | "CodeMirror-code"
            | "view-lines"
            | "ace_text-layer"
    )
}

/// Whether a `div` of this class contains code without `pre`.
fn has_lines(div: Node<'_>, class: &str) -> bool {
    let near = || div.descendants().take(NEAR);
    let without_pre = || !near().any(|n| PREFORMATTED.contains(n.tag()));
    match class {
        // doxygen
        "fragment" => div.children().take(3).any(|n| names::has(n, names::is_line)),
        "syntaxhighlighter" => near().any(|n| names::has(n, |name| matches!(name, "line" | "container"))) && without_pre(),
        "crayon-syntax" => near().any(|n| n.tag() == Tag::TABLE),
        "dp-highlighter" => near().any(|n| n.tag() == Tag::OL) && without_pre(),
        _ if names_code(class) => {
            let mut lines = div.children().take(4);
            lines.next().is_some_and(|first| names::has(first, names::is_line))
                && lines.all(|line| names::has(line, names::is_line))
                && without_pre()
        }
        _ => false,
    }
}

/// Whether a `code` outside `pre` is a block: by its style, or because it is the only child of its parent and has several lines.
fn is_code_block(code: Node<'_>) -> bool {
    let Some(parent) = code.parent().filter(|parent| BLOCKS.contains(parent.tag())) else { return false };
    let style = code.attribute("style").map(|style| style.to_ascii_lowercase().replace(' ', "")).unwrap_or_default();
    if style.contains("display:block") {
        return true;
    }
    let (dom, id) = (code.dom(), code.number());
    if parent.number() + 1 != id || dom.record(parent.number()).end != dom.record(id).end {
        return false;
    }
    let is_line_end = |n: Node<'_>| {
        let block = n.is_element() && !INLINE.contains(n.tag()) && !n.tag().is_custom() && !n.is_foreign();
        n.tag() != Tag::IMG && block && (n.tag() != Tag::BR || n.number() + 1 < dom.record(id).end)
    };
    // A `code` inside this one would need a block around it, so no node is visited twice.
    let has_line_end = |n: Node<'_>| !n.is_element() && n.span().slice(dom.source()).contains('\n');
    code.descendants().any(is_line_end) || (style.contains("white-space:pre") && code.descendants().any(has_line_end))
}

/// The buttons and language names that belong to these listings but are outside them, in document order.
pub(crate) fn controls(dom: &Dom<'_>, listings: &[Listing]) -> Vec<Listing> {
    let mut found: Vec<Listing> = Vec::new();
    for listing in listings {
        let wrappers = Node::new(dom, listing.node).ancestors().take(3);
        let Some(wrapper) = wrappers.take_while(|n| names::has(*n, names::is_wrapper)).last() else { continue };
        let end = dom.record(wrapper.number()).end;
        let before = (wrapper.number() + 1..listing.node).take(NEAR);
        let after = (listing.end..end).take(NEAR);
        for id in before.chain(after) {
            if found.last().is_some_and(|last| id < last.end) {
                continue;
            }
            let node = Node::new(dom, id);
            if node.is_element() && names::is_control(node) && dom.record(id).end <= id + NEAR as u32 {
                found.push(Listing { node: id, end: dom.record(id).end });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listings(html: &str) -> Vec<String> {
        let dom = Dom::parse(html);
        find(&dom).iter().map(|listing| Node::new(&dom, listing.node).text()).collect()
    }

    #[test]
    fn listings_differ_from_tables_and_inline_code() {
        for (html, want) in [
            ("<pre>a\nb</pre><p>c", &["a b"][..]),
            ("<p><code>a<br>b</code><p><code>c</code>", &["a b"]),
            ("<p>see <code>a<br>b</code>", &[]),
            ("<table><tr><td><code>a<br>b</code><td>c<tr><td>d<td>e</table>", &[]),
            ("<code style='display: block'>a</code>", &["a"]),
            ("<div class=fragment><div class=line>a</div><div class=line>b</div></div>", &["a b"]),
            ("<div class=line-block><div class=line>a</div><div class=line>b</div></div>", &[]),
            ("<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>", &["1 2 a b"]),
            (
                "<table><tr><td data-line-number=1><td class=blob-code>a<tr><td data-line-number=2><td class=blob-code>b</table>",
                &["a b"],
            ),
            ("<table><tr><td>1<td>Rain<tr><td>2<td>Snow</table>", &[]),
        ] {
            assert_eq!(listings(html), want, "{html}");
        }
    }

    #[test]
    fn controls_of_a_listing() {
        let html =
            "<div class=highlight><div><span class=lang>rust</span><button>Copy</button></div><pre>a</pre></div><button>b</button>";
        let dom = Dom::parse(html);
        let texts: Vec<String> = controls(&dom, &find(&dom)).iter().map(|c| Node::new(&dom, c.node).text()).collect();
        assert_eq!(texts, ["rust", "Copy"]);
    }
}
