//! The types that a page declares for itself (`og:type`, JSON-LD), as words like those of class names.

use crate::html::{Attribute, Attributes, Dom, Node, Tag};
use crate::model::words_of_name;

/// Types read per JSON-LD text.
const MAX_TYPES: usize = 64;

/// The words of a page's `og:type` and of the types in its JSON-LD, with a prefix that distinguishes them from class names.
pub(super) fn words(dom: &Dom<'_>) -> Vec<u32> {
    let mut words = Vec::new();
    let mut add = |prefix: &str, name: &str| {
        // One word, prefix included: `NewsArticle` is not `Article`.
        let letters = name.bytes().filter(u8::is_ascii_alphabetic).take(24).map(|byte| char::from(byte.to_ascii_lowercase()));
        let word: String = prefix.chars().chain(letters).collect();
        words.extend(words_of_name(&word).next());
    };
    let source = dom.source();
    let mut attributes = Attributes::new(dom);
    for (record, number) in dom.records().iter().zip(0..) {
        if !matches!(record.tag, Tag::META | Tag::SCRIPT) {
            continue;
        }
        let mut value = |name: &str| {
            let attribute = attributes.for_node(number).find(|attribute| attribute.name().eq_ignore_ascii_case(name));
            attribute.map(Attribute::value)
        };
        match record.tag {
            Tag::META => {
                if value("property").is_some_and(|property| property.eq_ignore_ascii_case("og:type"))
                    && let Some(content) = value("content")
                {
                    add("ogtype", &content);
                }
            }
            Tag::SCRIPT if value("type").is_some_and(|media| media.trim().eq_ignore_ascii_case("application/ld+json")) => {
                for text in Node::new(dom, number).children() {
                    for name in types(text.span().slice(source)).take(MAX_TYPES) {
                        add("ldtype", name);
                    }
                }
            }
            _ => {}
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// The values of `"@type"` in JSON text; only the first of a list.
fn types(json: &str) -> impl Iterator<Item = &str> {
    let key = "\"@type\"";
    memchr::memmem::find_iter(json.as_bytes(), key.as_bytes()).filter_map(move |at| {
        let value = json[at + key.len()..].trim_start().strip_prefix(':')?.trim_start();
        let value = value.strip_prefix('[').unwrap_or(value).trim_start().strip_prefix('"')?;
        value.split('"').next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types_are_found() {
        let json = r#"{"@type": "NewsArticle", "author": {"@type" : ["Person", "X"]}, "@type": 3, "@type""#;
        assert_eq!(types(json).collect::<Vec<_>>(), ["NewsArticle", "Person"]);
        let dom = Dom::parse(
            "<meta property=og:type content=article><script type=application/ld+json>{\"@type\":\"Product\"}</script>\
             <script>{\"@type\":\"No\"}</script>",
        );
        assert_eq!(words(&dom).len(), 2);
    }
}
