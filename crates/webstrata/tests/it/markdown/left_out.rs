//! Text that the output leaves out on purpose, and the comparison of texts without it: permalinks of headings, and the line
//! numbers, buttons and language names of listings.

use super::words_only;
use std::collections::BTreeSet;
use webstrata::content::Content;
use webstrata::html::{Dom, Selector};

/// Elements in and right after a heading that may be a permalink, and symbols elsewhere that link to the page itself.
const PERMALINKS: &str = ":is(h1, h2, h3, h4, h5, h6) :is(a, span, button, div, sup, small), \
    :is(h1, h2, h3, h4, h5, h6) + :is(a, span, button, div, sup, small), a[href^='#']";

/// Elements in or beside a listing that may have its line numbers, and controls.
const LISTINGS: &str = "td, th, td *, pre, pre *, code *, .gutter, .gutter *, .fragment *, .syntaxhighlighter *, .crayon-syntax *, \
    .dp-highlighter *, [class*='code'] *, [class*='highlight'] *, [class*='lang'] *, [class*='snippet'] *, [class*='syntax'] *, \
    [class*='prism'] *, [class*='listing'] *, .hljs *, .shiki *, .chroma *, .gist *, .src *, .example *";

/// Parts of examples that are hidden at first, of any length.
const HIDDEN: &str = ".boring, .ttc, .notable-traits, .notable-traits-tooltip";

/// Maximum length of text that is left out although it has letters.
const MAX_LABEL: usize = 200;

/// For each node: whether the output may lack it.
pub(super) fn find(dom: &Dom<'_>) -> Vec<bool> {
    let mut found = vec![false; dom.len()];
    for (selector, labels) in [(PERMALINKS, true), (LISTINGS, false)] {
        for element in Selector::parse(selector).unwrap().select(dom) {
            let text = element.text();
            let named = element.attribute("class").is_some() || element.name() == "button";
            if !text.contains(char::is_alphabetic) || ((labels || named) && text.len() <= MAX_LABEL) {
                element.descendants().for_each(|n| found[n.id().index()] = true);
            }
        }
    }
    for element in Selector::parse(HIDDEN).unwrap().select(dom) {
        element.descendants().for_each(|n| found[n.id().index()] = true);
    }
    found
}

/// Whether `plain` has the words of the content, in order, except for some that may be left out.
pub(super) fn same_words(content: &Content<'_>, left_out: &[bool], plain: &str) -> bool {
    let plain = words_only(plain);
    let mut spans = content.spans().into_iter().peekable();
    let mut ends = BTreeSet::from([0]);
    for node in content.blocks().dom().nodes().filter(|n| !n.is_element()) {
        if spans.next_if_eq(&node.span()).is_none() {
            continue;
        }
        let words = words_only(&super::visible(&node.text()));
        let follow = |end: &usize| plain[*end..].starts_with(&words).then_some(end + words.len());
        let mut next: BTreeSet<usize> = ends.iter().filter_map(follow).collect();
        if left_out[node.id().index()] {
            next.extend(&ends);
        }
        ends = next;
    }
    ends.contains(&plain.len())
}

#[test]
fn the_comparison_can_fail() {
    let html = "<h2>Rain<a href=#rain>#1</a></h2><p>falls";
    let page = webstrata::Page::parse(html.as_bytes());
    let content = page.extract_with(&webstrata::label::Preset::KeepEverything.into());
    let left_out = find(page.dom());
    let same = |text: &str| same_words(&content, &left_out, text);
    assert!(same("Rain falls") && same("Rain #1 falls"));
    assert!(!same("Rain") && !same("falls") && !same("Rain falls falls") && !same("Rain 2 falls"));
}
