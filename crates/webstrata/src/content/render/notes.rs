//! Footnotes: superscript links to an anchor further down the page whose element is content and contains the note.

use super::marks::{Marks, visible};
use crate::html::{Attributes, Dom, INLINE, Node, Tag};
use std::collections::{HashMap, HashSet};

/// Maximum number of notes per page; the rest remain links.
const MAX_NOTES: usize = 10_000;

/// Maximum number of nodes in a note.
const MAX_NODES: u32 = 400;

/// The footnotes of a page.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// For each reference link: its label, and its text on the page.
    pub(super) references: HashMap<u32, (String, String)>,
    /// For each note element: its label.
    pub(super) notes: HashMap<u32, String>,
    /// Links in notes that only lead back to the reference.
    pub(super) back: HashSet<u32>,
}

/// Finds the footnotes in the content.
pub(super) fn find(dom: &Dom<'_>, marks: &Marks) -> Notes {
    let mut found = Notes::default();
    // For each anchor: the links to it.
    let mut links: HashMap<String, Vec<(u32, String, String)>> = HashMap::new();
    let mut attributes = Attributes::new(dom);
    // Only links with content can refer to notes.
    let (Some(first), Some(last)) = (marks.first_content(), marks.last_content()) else { return found };
    let links_of_content = dom.nodes().take(last as usize).filter(|n| n.tag() == Tag::A && dom.record(n.number()).end > first);
    let superscript = links_of_content.filter(|n| is_reference(*n, &mut attributes));
    for link in superscript.take(MAX_NOTES) {
        let Some(href) = link.attribute("href") else { continue };
        let Some(anchor) = href.trim().strip_prefix('#') else { continue };
        let mut text = String::new();
        for node in link.descendants().filter(|n| n.tag() == Tag::TEXT && marks.is_content(n.number())) {
            text.push_str(&visible(&dom.run_text(node.number())));
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let label = text.trim_matches(|c: char| !c.is_alphanumeric());
        if !label.is_empty() && label.len() <= 4 && label.bytes().all(|b| b.is_ascii_alphanumeric()) && !anchor.is_empty() {
            links.entry(anchor.to_owned()).or_default().push((link.number(), label.to_owned(), text.clone()));
        }
    }
    if links.is_empty() {
        return found;
    }
    let mut labels: HashMap<String, u32> = HashMap::new();
    let mut previous_end = 0;
    for node in dom.nodes().filter(|n| n.is_element()) {
        let names = node.attributes().filter(|a| a.name().eq_ignore_ascii_case("id") || a.name().eq_ignore_ascii_case("name"));
        let Some(here) = names.into_iter().find_map(|a| links.remove(&*a.value())) else { continue };
        let Some(note) = note_element(node).filter(|n| n.number() >= previous_end) else { continue };
        let back = back_links(note, marks);
        if !is_note(note, marks, &back) {
            continue;
        }
        let Some(label) = here.first().map(|(_, label, _)| label.clone()) else { continue };
        if here.iter().any(|(link, ..)| *link > note.number()) || labels.insert(label.clone(), note.number()).is_some() {
            continue;
        }
        previous_end = note.formatting_end().0;
        for (link, _, text) in here.into_iter().filter(|(_, other, _)| *other == label) {
            found.references.insert(link, (label.clone(), text));
        }
        found.notes.insert(note.number(), label);
        found.back.extend(back);
    }
    found
}

/// Whether a link is superscript, or its class marks it as a footnote reference.
fn is_reference<'d>(link: Node<'d>, attributes: &mut Attributes<'d>) -> bool {
    if link.descendants().take(9).enumerate().any(|(k, n)| k > 7 || (n.is_element() && !INLINE.contains(n.tag()))) {
        return false;
    }
    link.descendants().take(3).any(|n| n.tag() == Tag::SUP)
        || link.ancestors().take(3).any(|n| n.tag() == Tag::SUP)
        || attributes.for_node(link.number()).find(|attribute| attribute.name().eq_ignore_ascii_case("class")).is_some_and(
            |class| {
                let class = class.value();
                class.contains("footnote-ref") || class.contains("noteref")
            },
        )
}

/// The element of the note with the anchor `node`: the anchor itself, or its parent if the anchor comes first in it.
fn note_element(node: Node<'_>) -> Option<Node<'_>> {
    let can_contain_note = |n: &Node<'_>| matches!(n.tag(), Tag::LI | Tag::P | Tag::DIV | Tag::ASIDE);
    if can_contain_note(&node) {
        return Some(node);
    }
    node.parent().filter(|parent| can_contain_note(parent) && parent.number() + 1 == node.number())
}

/// Links within the page whose text is a symbol: `↩`, `^`, `↑`. A link in brackets is kept, since removing it would leave
/// the brackets empty.
fn back_links(note: Node<'_>, marks: &Marks) -> Vec<u32> {
    let is_back_link = |link: &Node<'_>| {
        let mut texts = link.descendants().take(16).filter(|n| marks.is_content(n.number()));
        link.tag() == Tag::A
            && link.attribute("href").is_some_and(|href| href.trim_start().starts_with('#'))
            && texts.all(|n| !n.text().contains(char::is_alphanumeric))
            && !link.dom().run_text(link.dom().record(link.number()).end).trim_start().starts_with([']', ')'])
    };
    note.descendants().take(MAX_NODES as usize).filter(is_back_link).map(|link| link.number()).collect()
}

/// Whether an element can be written as a note: it is small, has content besides its links `back`, and is nested only in lists.
fn is_note(node: Node<'_>, marks: &Marks, back: &[u32]) -> bool {
    let end = node.descendants().next_back().map_or(0, |n| n.number() + 1);
    let start = node.number();
    let leads_back = |id: u32| back.iter().any(|&link| link < id && id < node.dom().record(link).end);
    end > start
        && end - start <= MAX_NODES
        && (start..end).any(|id| marks.is_content(id) && !leads_back(id))
        && !node.ancestors().any(|n| {
            matches!(n.tag(), Tag::LI | Tag::DD | Tag::TD | Tag::TH | Tag::BLOCKQUOTE | Tag::PRE | Tag::TABLE | Tag::LISTING)
                || n.tag().is_heading()
        })
}
