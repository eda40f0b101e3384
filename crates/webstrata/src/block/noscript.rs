//! Pages whose text is inside `noscript`: some forums render their threads with scripts and repeat them there as plain HTML.
//! Such a page is parsed as if scripts were off.

use crate::html::{Dom, HIDDEN, Tag};

/// Minimum number of bytes inside `noscript` for it to be the page's text; anything shorter just asks the reader to enable scripts.
const MIN_BYTES: u64 = 1000;

/// Whether more of a page's text is inside `noscript` than outside.
pub(crate) fn has_main_text(dom: &Dom<'_>) -> bool {
    let nodes = dom.records();
    let is_visible =
        |tag: Tag| tag.flags() & HIDDEN == 0 && !matches!(tag, Tag::HEAD | Tag::TITLE | Tag::SVG | Tag::SELECT | Tag::TEXTAREA);
    if !nodes.iter().zip(0u32..).any(|(node, id)| node.tag == Tag::NOSCRIPT && node.end > id + 2) {
        return false;
    }
    let (mut inside, mut outside) = (0u64, 0u64);
    let mut until = 0;
    let mut id = 0;
    while let Some(node) = nodes.get(id as usize) {
        match node.tag {
            Tag::TEXT => *(if id < until { &mut inside } else { &mut outside }) += u64::from(node.to - node.from),
            Tag::NOSCRIPT => until = until.max(node.end),
            tag if !is_visible(tag) => {
                id = node.end.max(id + 1);
                continue;
            }
            _ => {}
        }
        id += 1;
    }
    inside >= MIN_BYTES && inside > outside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_inside_against_text_outside() {
        let long = "It has been raining in the valley. ".repeat(40);
        for (html, expected) in [
            (format!("<body><p>Loading</p><noscript><p>{long}</p></noscript>"), true),
            (format!("<body><p>{long}{long}</p><noscript><p>{long}</p></noscript>"), false),
            ("<body><p>Loading</p><noscript><p>Please turn scripts on</p></noscript>".to_owned(), false),
            (format!("<body><p>{long}</p><script>{long}{long}</script>"), false),
        ] {
            assert_eq!(has_main_text(&Dom::parse(&html)), expected, "{html}");
        }
    }
}
