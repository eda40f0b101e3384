//! A page's source with the numbers of our nodes in it, so that a browser's nodes can be matched with ours exactly.
//!
//! Browsers build a different tree: they move and copy elements. So each start tag gets an attribute with the number of
//! its element, right after the tag's name, where it precedes (and so overrides) any other attribute of that name. Each run of
//! text is preceded by a comment with its number. Neither changes the layout: comments count neither for `:empty` nor for
//! sibling selectors. The name of the attribute contains a random number, so that no page can forge marks.
//!
//! Comments are left out where they would be text: in `textarea`, `title` and other elements with literal text, and in SVG and
//! MathML (which have CDATA sections). [`crate::chromium`] finds those runs by their text.
//!
//! Four things are changed on purpose: `noscript` is hidden unless its text counts as text of the page, because scripts are off
//! only to protect us; `<meta http-equiv>` tags that navigate away, or forbid style sheets by a policy made for the page's own
//! host, are removed; and elements that our parser has closed (an unclosed `title` swallows the rest of a page) are closed.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use webstrata::block::GapModel;
use webstrata::html::{Node, NodeKind, Tag, TagSet};
use webstrata::{Page, Problem};

/// Elements in which a comment would be text.
const LITERAL: TagSet = TagSet::from_tags(&[
    Tag::SCRIPT,
    Tag::STYLE,
    Tag::TITLE,
    Tag::TEXTAREA,
    Tag::XMP,
    Tag::IFRAME,
    Tag::NOEMBED,
    Tag::NOFRAMES,
    Tag::PLAINTEXT,
]);

/// The marked source.
#[derive(Debug)]
pub(crate) struct Marked {
    /// UTF-8, whatever its tags declare.
    pub(crate) html: String,
    /// Name of the attribute of elements, and start of the comments of texts.
    pub(crate) mark: String,
}

impl Marked {
    pub(crate) fn new(page: &Page<'_>) -> Self {
        Marked::with_mark(page, format!("data-webstrata-{:016x}", RandomState::new().build_hasher().finish()))
    }

    fn with_mark(page: &Page<'_>, mark: String) -> Self {
        let source = page.dom().source();
        let hides_noscript = !has_noscript_text(page);
        let mut edits: Vec<Edit> = page.dom().nodes().filter_map(|node| edit(node, source, &mark, hides_noscript)).collect();
        edits.extend(page.problems().iter().filter_map(|problem| match problem {
            Problem::RawTextRepaired { tag, at } => Some(Edit { at: *at as usize, skip: 0, text: format!("</{}>", tag.name()) }),
            _ => None,
        }));
        // A closing tag goes before a start tag at the same position.
        edits.sort_by_key(|edit| edit.at);
        let mut html = String::with_capacity(source.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
        let mut done = 0;
        for edit in edits {
            // No two nodes share a tag, but nothing depends on it.
            let Some(before) = source.get(done..edit.at) else { continue };
            html.push_str(before);
            html.push_str(&edit.text);
            done = edit.at + edit.skip;
        }
        html.push_str(source.get(done..).unwrap_or_default());
        Marked { html, mark }
    }

    /// The number in a comment, if it is one of ours.
    pub(crate) fn text_number(&self, comment: &str) -> Option<usize> {
        comment.strip_prefix(&self.mark)?.parse().ok()
    }
}

/// Text to insert at a byte of the source, and bytes to leave out there.
struct Edit {
    at: usize,
    skip: usize,
    text: String,
}

fn edit(node: Node<'_>, source: &str, mark: &str, hides_noscript: bool) -> Option<Edit> {
    let number = node.id().index();
    let span = node.span();
    let (start, end) = (span.start as usize, span.end as usize);
    let own = source.get(start..end).filter(|own| !own.is_empty())?;
    if node.kind() == NodeKind::Text {
        let parent = node.parent()?;
        if LITERAL.contains(parent.tag()) || parent.is_foreign() {
            return None;
        }
        return Some(Edit { at: start + newline(parent, start, own), skip: 0, text: format!("<!--{mark}{number}-->") });
    }
    if is_unwanted(node) {
        return Some(Edit { at: start, skip: end - start, text: String::new() });
    }
    let name = own.strip_prefix('<').filter(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()))?;
    let length = name.find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>')?;
    // Of several attributes with the same name, the first wins, so this is the element's style.
    let style = if hides_noscript && node.tag() == Tag::NOSCRIPT { " style=\"display:none!important\"" } else { "" };
    Some(Edit { at: start + 1 + length, skip: 0, text: format!(" {mark}=\"{number}\"{style}") })
}

/// Whether the text in `noscript` is in the page's blocks.
fn has_noscript_text(page: &Page<'_>) -> bool {
    let dom = page.dom();
    let is_inside = |node: Node<'_>| node.ancestors().any(|around| around.tag() == Tag::NOSCRIPT);
    dom.find(Tag::NOSCRIPT).is_some()
        && page.blocks_by(GapModel::Tags).iter().flat_map(|block| block.runs()).any(|run| dom.node(run).is_some_and(is_inside))
}

/// Length of the newline after `<pre>`, which is not text unless something precedes it.
fn newline(parent: Node<'_>, start: usize, own: &str) -> usize {
    if ![Tag::PRE, Tag::LISTING].contains(&parent.tag()) || parent.span().end as usize != start {
        return 0;
    }
    ["\r\n", "\n", "\r"].into_iter().find(|newline| own.starts_with(newline)).map_or(0, str::len)
}

/// Whether a `meta` element would replace the page, or keep its style sheets from loading.
fn is_unwanted(node: Node<'_>) -> bool {
    const UNWANTED: [&str; 3] = ["refresh", "content-security-policy", "default-style"];
    node.tag() == Tag::META
        && node
            .attribute("http-equiv")
            .is_some_and(|value| UNWANTED.iter().any(|unwanted| value.trim().eq_ignore_ascii_case(unwanted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(html: &str) -> String {
        Marked::with_mark(&Page::parse(html.as_bytes()), "m".to_owned()).html
    }

    #[test]
    fn tags_and_texts_get_numbers() {
        for (html, expected) in [
            ("<p>one <b class=x>two</b>", "<p m=\"2\"><!--m3-->one <b m=\"4\" class=x><!--m5-->two</b>"),
            ("<P/>a<BR/>b", "<P m=\"2\"/><!--m3-->a<BR m=\"4\"/><!--m5-->b"),
            ("<title>a &amp; b</title><p>c", "<title m=\"2\">a &amp; b</title><p m=\"5\"><!--m6-->c"),
            ("<textarea>a<b></textarea>", "<textarea m=\"2\">a<b></textarea>"),
            ("<pre>\na</pre>", "<pre m=\"2\">\n<!--m3-->a</pre>"),
            ("<pre>\r\na</pre>", "<pre m=\"2\">\r\n<!--m3-->a</pre>"),
            ("<!doctype html><body>Größe", "<!doctype html><body m=\"1\"><!--m2-->Größe"),
        ] {
            assert_eq!(marked(html), expected, "{html}");
        }
    }

    #[test]
    fn the_marked_page_has_the_same_tree() {
        for html in [
            "<table><tr><td>a<p>b<td>c</table>d<!-- e --><p><b>f<p>g</b>h",
            "a<svg><text>b</text><![CDATA[<c>]]></svg>d",
            "<ul><li>one<li>two</ul><select><option>a<option>b</select><noscript><p>c</noscript>",
            "<title>No end<p>but a text<p m=7>and more",
        ] {
            let plain = Page::parse(html.as_bytes());
            let html = marked(html);
            let again = Page::parse(html.as_bytes());
            let names = |page: &Page<'_>| page.dom().nodes().map(|node| (node.name().to_owned(), node.text())).collect::<Vec<_>>();
            assert_eq!(names(&plain), names(&again));
            for node in again.dom().nodes().filter(|node| node.is_element() && !node.is_implied()) {
                assert_eq!(node.attribute("m").as_deref(), Some(node.id().index().to_string().as_str()));
            }
        }
    }

    #[test]
    fn pages_do_not_navigate_away() {
        assert_eq!(marked("<meta http-equiv=Refresh content='0;url=x'><meta name=a>"), "<meta m=\"3\" name=a>");
    }

    #[test]
    fn noscript_is_hidden_unless_its_text_counts() {
        let html = b"<p>one two three four<noscript style=x>five</noscript>";
        let marked = |page: &Page<'_>| Marked::with_mark(page, "m".to_owned()).html;
        assert_eq!(
            marked(&Page::parse(html)),
            "<p m=\"2\"><!--m3-->one two three four<noscript m=\"4\" style=\"display:none!important\" style=x><!--m5-->five</noscript>"
        );
        let counts = Page::parse_with(html, &webstrata::PageOptions::default().noscript(true));
        assert_eq!(marked(&counts), "<p m=\"2\"><!--m3-->one two three four<noscript m=\"4\" style=x><!--m5-->five</noscript>");
    }

    #[test]
    fn comments_are_read_back() {
        let marks = Marked { html: String::new(), mark: "m".to_owned() };
        assert_eq!(marks.text_number("m17"), Some(17));
        assert_eq!([marks.text_number("m"), marks.text_number("17"), marks.text_number("m-1")], [None; 3]);
    }
}
