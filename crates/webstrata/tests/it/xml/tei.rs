//! Rules of TEI P5 for the elements that the library writes: which elements an element may contain, and whether it may contain text.

use super::reader::Element;

const INLINE: &[&str] = &["hi", "del", "code", "ref", "graphic", "formula", "lb"];
const BLOCKS: &[&str] = &["p", "ab", "list", "table", "quote", "note", "milestone"];

/// The first violation in an element or its descendants.
pub(super) fn violation(root: &Element) -> Option<String> {
    let mut open = vec![root];
    let mut ids = std::collections::BTreeSet::new();
    while let Some(element) = open.pop() {
        if let Some(wrong) = own_violation(element) {
            return Some(format!("<{}>: {wrong}", element.name));
        }
        if let Some(id) = element.attribute("xml:id")
            && !ids.insert(id)
        {
            return Some(format!("xml:id {id} twice"));
        }
        open.extend(element.elements());
    }
    None
}

/// The children that an element must have, in this order; `?` marks optional ones, `*` any number, `+` at least one.
fn sequence(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "TEI" => &["teiHeader", "text"],
        "teiHeader" => &["fileDesc", "encodingDesc", "profileDesc"],
        "fileDesc" => &["titleStmt", "publicationStmt", "notesStmt?", "sourceDesc"],
        "titleStmt" => &["title", "author*"],
        "notesStmt" => &["note+"],
        "sourceDesc" => &["bibl", "biblFull"],
        "biblFull" => &["titleStmt", "publicationStmt"],
        "encodingDesc" => &["appInfo"],
        "appInfo" => &["application"],
        "application" => &["label"],
        "profileDesc" => &["abstract", "langUsage?", "textClass?", "creation?"],
        "abstract" | "availability" => &["p"],
        "langUsage" => &["language"],
        "textClass" => &["keywords"],
        "keywords" => &["term+"],
        "creation" => &["date"],
        "text" => &["body"],
        "body" => &["div", "div?"],
        "list" => &["item+"],
        "table" => &["head*", "row+"],
        "row" => &["cell+"],
        "graphic" => &["desc?"],
        _ => return None,
    })
}

fn own_violation(element: &Element) -> Option<String> {
    let names = element.names();
    if let Some(wanted) = sequence(&element.name) {
        if element.has_text() {
            return Some("text".to_owned());
        }
        let mut rest = names.as_slice();
        for want in wanted {
            let name = want.trim_end_matches(['?', '*', '+']);
            let most = if want.ends_with(['*', '+']) { usize::MAX } else { 1 };
            let found = rest.iter().take_while(|found| **found == name).count().min(most);
            if found == 0 && !want.ends_with(['?', '*']) {
                return Some(format!("{want} is missing in {names:?}"));
            }
            rest = &rest[found..];
        }
        return rest.first().map(|name| format!("{name} is not allowed there"));
    }
    let blocks =
        |more: &[&str]| names.iter().find(|name| !BLOCKS.contains(*name) && !more.contains(*name)).map(|name| (*name).to_owned());
    match element.name.as_str() {
        "div" if element.has_text() => Some("text".to_owned()),
        "div" => blocks(&[]),
        "item" | "cell" | "quote" | "note" => blocks(INLINE),
        "publicationStmt" => names
            .iter()
            .find(|name| !["p", "publisher", "ptr", "date", "availability"].contains(*name))
            .map(|name| (*name).to_owned())
            .or_else(|| (names.first() != Some(&"p") && names.first() != Some(&"publisher")).then(|| "no publisher".to_owned())),
        "p" | "ab" | "head" | "hi" | "del" | "ref" => {
            names.iter().find(|name| !INLINE.contains(*name)).map(|name| (*name).to_owned())
        }
        "lb" | "milestone" | "ptr" if !element.children.is_empty() => Some("content".to_owned()),
        "milestone" if element.attribute("unit").is_none() => Some("no unit".to_owned()),
        "code" | "formula" | "title" | "author" | "bibl" | "publisher" | "date" | "language" | "term" | "label" | "desc" => {
            names.first().map(|name| (*name).to_owned())
        }
        "lb" | "milestone" | "ptr" => None,
        name => Some(format!("{name} is not written")),
    }
}
