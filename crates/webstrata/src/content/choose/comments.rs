//! Where the comments of readers stand: elements whose class or id says so.
//!
//! A name counts when it speaks of comments and of nothing but their form: `comment-list`, `comments_area`, `disqus_thread`,
//! but not `no-comments` or `comments-link`. An element that holds the page's heading or its `main` is no comment,
//! whatever its name says (`<body class=comments>`).

use super::{Area, Cause};
use crate::html::{Dom, Node, Tag};
use crate::label::strata::COMMENT_WORDS;

/// A word that says "comments here" and is not among the evidence of the learned method.
const GLUED: &str = "usercomments";

/// Words that may stand beside them and only say what the element is.
const FORM: [&str; 51] = [
    "area", "areas", "article", "blog", "body", "bodies", "box", "block", "card", "children", "container", "content", "count",
    "depth", "element", "entry", "even", "facebook", "fb", "feed", "field", "form", "group", "holder", "inner", "item", "items",
    "layout", "list", "main", "module", "odd", "page", "panel", "parent", "post", "reader", "region", "root", "section", "single",
    "stream", "text", "thread", "the", "user", "view", "wp", "wrap", "wrapper", "widget",
];

/// Longer names are not read: nobody writes them.
const LONGEST: usize = 80;

/// Adds the outermost elements that hold comments.
pub(super) fn find(dom: &Dom<'_>, areas: &mut Vec<Area>) {
    let chief: Vec<u32> = dom.nodes().filter(|n| matches!(n.tag(), Tag::H1 | Tag::MAIN)).map(Node::number).collect();
    let mut number = 0;
    while (number as usize) < dom.len() {
        let node = Node::new(dom, number);
        number += 1;
        if !node.is_element() || !says_comments(node) {
            continue;
        }
        let area = Area::of(node, Cause::Comments);
        let at = chief.partition_point(|&chief| chief < area.start);
        if chief.get(at).is_none_or(|&chief| chief >= area.end) {
            areas.push(area);
            number = area.end;
        }
    }
}

fn says_comments(node: Node<'_>) -> bool {
    node.attributes().any(|attribute| match attribute.name() {
        name if name.eq_ignore_ascii_case("id") => is_comments(&attribute.value()),
        name if name.eq_ignore_ascii_case("class") => attribute.value().split_ascii_whitespace().any(is_comments),
        name if name.eq_ignore_ascii_case("itemtype") => attribute.value().trim_end_matches('/').ends_with("schema.org/Comment"),
        _ => false,
    })
}

/// Is a name made of words for comments and their form, and of at least one of the former?
fn is_comments(name: &str) -> bool {
    if name.len() > LONGEST {
        return false;
    }
    let mut any = false;
    words(name).all(|word| {
        let comments = COMMENT_WORDS.iter().chain([&GLUED]).any(|known| word.eq_ignore_ascii_case(known));
        any |= comments;
        comments || FORM.iter().any(|known| word.eq_ignore_ascii_case(known)) || word.bytes().all(|byte| byte.is_ascii_digit())
    }) && any
}

/// The words of a name: parted by signs, digits and capitals behind small letters.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = rest.chars().next()?;
        let mut last = first;
        let end = rest.char_indices().find(|&(_, c)| {
            let parted = !c.is_alphanumeric() || (c.is_uppercase() && last.is_lowercase()) || c.is_numeric() != last.is_numeric();
            last = c;
            parted
        });
        let (word, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = behind;
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
            assert!(is_comments(name), "{name}");
        }
        for name in [
            "", "no-comments", "comments-link", "commentary", "list", "post", "4711", "hide-comments", "commentCountBadge", "éé",
            "respond",
        ] {
            assert!(!is_comments(name), "{name}");
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
