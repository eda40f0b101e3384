//! Character references, decoded only where `&` occurs (HTML standard, 13.2.5.72 and following).

use super::entity_table::ENTITIES;

/// Characters for numeric references to the C1 control range, which are read as windows-1252; 0 stands for the number itself.
const C1: [u32; 32] = [
    0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0, 0, 0x2018,
    0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
];

/// Length of the longest name, semicolon included.
const MAX_NAME: usize = 32;

/// Where a reference occurs, since the rules differ.
///
/// ```
/// use webstrata::html::entity::{Place, decode};
/// let mut link = String::new();
/// decode("?a=1&copy=2", Place::Attribute, &mut link);
/// assert_eq!(link, "?a=1&copy=2"); // in text it would be "?a=1©=2"
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In text.
    Text,
    /// In an attribute value, where `&copy=1` is not a reference.
    Attribute,
}

/// A decoded reference: its length in bytes and the one or two characters it denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reference {
    pub(crate) len: usize,
    pub(crate) first: char,
    pub(crate) second: Option<char>,
}

/// Appends `source` to `out` with its character references replaced.
///
/// ```
/// use webstrata::html::entity::{Place, decode};
/// let mut out = String::new();
/// decode("Fish &amp; chips &#8211; &eacute;", Place::Text, &mut out);
/// assert_eq!(out, "Fish & chips – é");
/// ```
pub fn decode(source: &str, place: Place, out: &mut String) {
    let mut rest = source;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        match reference(tail.as_bytes(), place) {
            Some(found) => {
                out.push(found.first);
                out.extend(found.second);
                rest = &tail[found.len..];
            }
            None => {
                out.push('&');
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
}

/// The reference that `bytes` starts with, if any; `bytes[0]` is `&`.
pub(crate) fn reference(bytes: &[u8], place: Place) -> Option<Reference> {
    match bytes.get(1)? {
        b'#' => numeric(bytes),
        c if c.is_ascii_alphanumeric() => named(bytes, place),
        _ => None,
    }
}

fn numeric(bytes: &[u8]) -> Option<Reference> {
    let (radix, from) = if matches!(bytes.get(2), Some(b'x' | b'X')) { (16, 3) } else { (10, 2) };
    let mut len = from;
    let mut value = 0u32;
    while let Some(digit) = bytes.get(len).and_then(|&c| char::from(c).to_digit(radix)) {
        value = value.saturating_mul(radix).saturating_add(digit).min(0x11_0000);
        len += 1;
    }
    if len == from {
        return None;
    }
    if bytes.get(len) == Some(&b';') {
        len += 1;
    }
    let value = match value {
        0x80..=0x9f => match C1[value as usize - 0x80] {
            0 => value,
            mapped => mapped,
        },
        0 => 0xfffd,
        other => other,
    };
    Some(Reference { len, first: char::from_u32(value).unwrap_or('\u{fffd}'), second: None })
}

fn named(bytes: &[u8], place: Place) -> Option<Reference> {
    let mut len = 1;
    while len < bytes.len() && len <= MAX_NAME && bytes[len].is_ascii_alphanumeric() {
        len += 1;
    }
    if bytes.get(len) == Some(&b';') {
        len += 1;
    }
    let name = &bytes[1..len];
    if let Some(first) = common(name) {
        return Some(Reference { len, first, second: None });
    }
    let end = longest_name(name)?;
    let open = name.get(end.len() - 1) != Some(&b';');
    let next = bytes.get(1 + end.len());
    if place == Place::Attribute && open && next.is_some_and(|&c| c == b'=' || c.is_ascii_alphanumeric()) {
        return None;
    }
    Some(Reference { len: 1 + end.len(), first: end.first, second: (end.second != '\0').then_some(end.second) })
}

/// The references that nearly all pages use. A name with its semicolon is never a prefix of another.
fn common(name: &[u8]) -> Option<char> {
    Some(match name {
        b"nbsp;" => '\u{a0}',
        b"amp;" => '&',
        b"quot;" => '"',
        b"raquo;" => '»',
        b"laquo;" => '«',
        b"lt;" => '<',
        b"gt;" => '>',
        b"copy;" => '©',
        b"middot;" => '·',
        b"bull;" => '•',
        b"ndash;" => '–',
        b"mdash;" => '—',
        b"lsquo;" => '‘',
        b"rsquo;" => '’',
        b"ldquo;" => '“',
        b"rdquo;" => '”',
        b"hellip;" => '…',
        _ => return None,
    })
}

/// An entry of the table.
struct Name {
    text: &'static str,
    first: char,
    second: char,
}

impl Name {
    fn len(&self) -> usize {
        self.text.len()
    }
}

/// The longest name in the table that `bytes` starts with.
///
/// The table is sorted, so the names that share the bytes read so far form a range, which each byte narrows. A name
/// that ends with the byte just read is the first of its range.
fn longest_name(bytes: &[u8]) -> Option<Name> {
    let mut range = &ENTITIES[..];
    let mut found = None;
    for (at, &byte) in bytes.iter().enumerate() {
        let letter = |entry: &(&str, char, char)| entry.0.as_bytes().get(at).copied();
        let from = range.partition_point(|entry| letter(entry) < Some(byte));
        let to = range.partition_point(|entry| letter(entry) <= Some(byte));
        range = &range[from..to];
        match range.first() {
            Some(&(text, first, second)) if text.len() == at + 1 => found = Some(Name { text, first, second }),
            Some(_) => {}
            None => break,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        let mut out = String::new();
        decode(source, Place::Text, &mut out);
        out
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(ENTITIES.windows(2).all(|pair| pair[0].0.as_bytes() < pair[1].0.as_bytes()));
        assert!(ENTITIES.iter().all(|entry| entry.0.len() <= MAX_NAME));
    }

    #[test]
    fn common_names_agree_with_the_table() {
        let known: Vec<_> = ENTITIES.iter().filter_map(|entry| Some((entry, common(entry.0.as_bytes())?))).collect();
        assert_eq!(known.len(), 17);
        for ((name, first, second), found) in known {
            assert_eq!((*first, *second, name.ends_with(';')), (found, '\0', true));
        }
    }

    #[test]
    fn references_in_text() {
        for (source, want) in [
            ("&amp;", "&"),
            ("&amp", "&"),
            ("&notit;", "¬it;"),
            ("&notin;", "∉"),
            ("&NotEqualTilde;", "\u{2242}\u{338}"),
            ("&#x41;&#65;&#65", "AAA"),
            ("&#128;&#x9d;", "€\u{9d}"),
            ("&#0;&#xD800;&#x110000;&#99999999999;", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            ("& &; &# &#x; &unknown; &", "& &; &# &#x; &unknown; &"),
            ("a&nbsp;b", "a\u{a0}b"),
        ] {
            assert_eq!(text(source), want, "{source}");
        }
    }

    #[test]
    fn references_in_attributes() {
        for (source, want) in
            [("?a=1&copy=2", "?a=1&copy=2"), ("&copy;=2", "©=2"), ("&copyx", "&copyx"), ("&copy", "©"), ("&ampx", "&ampx")]
        {
            let mut out = String::new();
            decode(source, Place::Attribute, &mut out);
            assert_eq!(out, want, "{source}");
        }
    }
}
