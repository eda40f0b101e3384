//! The language of a page as a BCP 47 tag, from its text and its declarations.
//!
//! A declaration is more precise than the text (`pt-BR`), but often wrong, because nobody changed the software's default. So the
//! declaration that agrees with the text is used; if none does, the text decides, provided there is enough of it.

mod codes;
mod detect;
mod words;

use super::candidates::Candidate;
use super::source::{Source, Value};
use codes::{canonical, same_language};

/// The language of a text as a BCP 47 code such as `en`, if there is enough text in one language.
///
/// ```
/// use webstrata::content::metadata::language_of;
/// let text = "It rained for three days in the valley, and nobody knew when it would end. The river rose, the bridge was closed, \
///     and the children were at home because the school was under water.";
/// assert_eq!(language_of(text), Some("en"));
/// assert_eq!(language_of("Rain"), None);
/// ```
#[must_use]
pub fn language_of(text: &str) -> Option<&'static str> {
    detect::detect(text).map(|found| found.code)
}

/// Selects the language from the page's declarations, best first, and a sample of its text.
pub(super) fn select(declared: &[&Candidate], sample: &str) -> Option<Value<String>> {
    let mut tags = declared.iter().filter_map(|c| canonical(&c.value.value).map(|tag| c.value.with(tag)));
    let Some(found) = detect::detect(sample) else { return tags.next() };
    let mut tags: Vec<Value<String>> = tags.collect();
    if let Some(at) = tags.iter().position(|tag| same_language(&tag.value, found.code)) {
        return Some(tags.swap_remove(at));
    }
    if !found.certain && !tags.is_empty() {
        return Some(tags.swap_remove(0));
    }
    Some(Value { value: found.code.to_owned(), source: Source::Text("content"), span: None })
}

#[cfg(test)]
mod tests;
