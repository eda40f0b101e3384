//! Readers' comments, found by the class or id of elements.
//!
//! A name counts if it consists of words for comments and words for layout: `comment-list`, `comments_area` and
//! `disqus_thread` do, `no-comments` and `comments-link` do not. An element that contains the page's heading or its `main` is
//! not a comment, whatever its name (`<body class=comments>`).

use super::areas::{Area, Cause};
use crate::html::{Dom, Node, Tag};
use crate::label::strata::COMMENT_WORDS;

/// A word for comments that is not a feature of the learned method.
const COMPOUND: &str = "usercomments";

/// Words for layout, which may accompany words for comments.
const LAYOUT: [&str; 51] = [
    "area", "areas", "article", "blog", "body", "bodies", "box", "block", "card", "children", "container", "content", "count",
    "depth", "element", "entry", "even", "facebook", "fb", "feed", "field", "form", "group", "holder", "inner", "item", "items",
    "layout", "list", "main", "module", "odd", "page", "panel", "parent", "post", "reader", "region", "root", "section", "single",
    "stream", "text", "thread", "the", "user", "view", "wp", "wrap", "wrapper", "widget",
];

/// Maximum length of a name in bytes; longer names, which nobody writes, are ignored.
const MAX_NAME: usize = 80;

/// Adds the outermost elements that contain comments.
pub(super) fn find(dom: &Dom<'_>, areas: &mut Vec<Area>) {
    let headings: Vec<u32> = dom.nodes().filter(|n| matches!(n.tag(), Tag::H1 | Tag::MAIN)).map(Node::number).collect();
    let mut number = 0;
    while (number as usize) < dom.len() {
        let node = Node::new(dom, number);
        number += 1;
        if !node.is_element() || !is_comment(node) {
            continue;
        }
        let area = Area::new(node, Cause::Comments);
        let at = headings.partition_point(|&heading| heading < area.start);
        if headings.get(at).is_none_or(|&heading| heading >= area.end) {
            areas.push(area);
            number = area.end;
        }
    }
}

fn is_comment(node: Node<'_>) -> bool {
    node.attributes().any(|attribute| match attribute.name() {
        name if name.eq_ignore_ascii_case("id") => names_comments(&attribute.value()),
        name if name.eq_ignore_ascii_case("class") => attribute.value().split_ascii_whitespace().any(names_comments),
        name if name.eq_ignore_ascii_case("itemtype") => attribute.value().trim_end_matches('/').ends_with("schema.org/Comment"),
        _ => false,
    })
}

/// Whether a name consists of words for comments and for layout, with at least one of the former.
fn names_comments(name: &str) -> bool {
    if name.len() > MAX_NAME {
        return false;
    }
    let mut any = false;
    words(name).all(|word| {
        let comments = COMMENT_WORDS.iter().chain([&COMPOUND]).any(|known| word.eq_ignore_ascii_case(known));
        any |= comments;
        comments || LAYOUT.iter().any(|known| word.eq_ignore_ascii_case(known)) || word.bytes().all(|byte| byte.is_ascii_digit())
    }) && any
}

/// The words of a name, separated by punctuation, digits and capitals after small letters.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = rest.chars().next()?;
        let mut last = first;
        let end = rest.char_indices().find(|&(_, c)| {
            let ends = !c.is_alphanumeric() || (c.is_uppercase() && last.is_lowercase()) || c.is_numeric() != last.is_numeric();
            last = c;
            ends
        });
        let (word, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_comments() {
        for name in [
            "comments",
            "comment-list",
            "commentBody",
            "disqus_thread",
            "comment-4711",
            "wp-block-comments",
            "the_comments",
            "usercomments",
            "kommentarer-list",
            "section_commentaire",
            "yorumlar",
            "komentarzeBox",
        ] {
            assert!(names_comments(name), "{name}");
        }
        for name in [
            "", "no-comments", "comments-link", "commentary", "list", "post", "4711", "hide-comments", "commentCountBadge", "éé",
            "respond",
        ] {
            assert!(!names_comments(name), "{name}");
        }
    }

    #[test]
    fn areas_are_outermost_and_spare_the_heading() {
        let dom = Dom::parse(
            "<body class=comments><h1>x</h1><div id=comments><ol class=comment-list><li>a</ol></div><p>b</p>\
             <div itemscope itemtype=https://schema.org/Comment>c</div>",
        );
        let mut areas = Vec::new();
        find(&dom, &mut areas);
        let texts: Vec<String> = areas.iter().map(|area| Node::new(&dom, area.start).text()).collect();
        assert_eq!(texts, ["a", "c"]);
    }
}
