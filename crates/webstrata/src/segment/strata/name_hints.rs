//! Words in class and id names that reveal the purpose of a part.
//!
//! Authors name the parts of their layouts: `mainMenu`, `left-col`, `footer_links`. The words are matched inside names, because
//! names are often run together; a few that occur inside other words (`ad` in `shadow`) count only as whole words.

use super::name_words::{MAX_WORD, WHOLE_WORDS, words_from};
use super::parts::Parts;
use crate::block::Blocks;
use crate::html::{Attributes, ValueCache};
use crate::model::fnv1a;

/// The hints, in the order of their bits.
pub(super) const HINTS: [&str; 26] = [
    "nav", "head", "foot", "side", "main", "article", "ad", "search", "login", "logo", "list", "social", "title", "comment",
    "wrap", "module", "item", "tab", "feature", "news", "legal", "language", "crumb", "hidden", "clear", "form",
];

/// Bytes read per name.
const MAX_BYTES: usize = 60;

/// The first letters of those words, one bit each.
const WHOLE_WORD_LETTERS: u32 = {
    let mut letters = 0;
    let mut at = 0;
    while at < WHOLE_WORDS.len() {
        letters |= 1 << (WHOLE_WORDS[at].0.as_bytes()[0] & 31);
        at += 1;
    }
    letters
};

/// The hints in a name, one bit each.
pub(super) fn hints_of(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    // Padded with zeros, so that a word can be compared at every position.
    let mut lower = [0u8; MAX_BYTES + MAX_WORD];
    lower[..bytes.len()].copy_from_slice(bytes);
    lower.make_ascii_lowercase();
    let mut hints = 0;
    for at in 0..bytes.len().saturating_sub(1) {
        let words = words_from(lower[at], lower[at + 1]);
        if !words.is_empty()
            && let Some(rest) = lower[at..].first_chunk()
        {
            let rest = u128::from_le_bytes(*rest);
            for word in words {
                hints |= u32::from(rest & word.mask == word.letters) << word.bit;
            }
        }
    }
    let mut word = 0; // start of the current word
    let mut after_lower = false; // the previous letter is lower-case
    for (at, &byte) in bytes.iter().chain(b" ").enumerate() {
        if byte.is_ascii_lowercase() {
            after_lower = true;
            continue;
        }
        let begins = byte.is_ascii_uppercase();
        if !begins || after_lower {
            let whole = &lower[word..at];
            if (2..=6).contains(&whole.len()) && WHOLE_WORD_LETTERS >> (whole[0] & 31) & 1 == 1 {
                hints |=
                    WHOLE_WORDS.iter().filter(|(word, _)| whole == word.as_bytes()).fold(0, |hints, (_, bit)| hints | 1 << bit);
            }
            word = if begins { at } else { at + 1 };
        }
        after_lower = false;
    }
    hints
}

/// Hints in the names of an element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Names {
    pub(super) hints: u32,
    /// Hash of its class attribute, 0 without one.
    pub(super) class: u64,
    pub(super) has_id: bool,
}

/// The hints in the names of a class attribute, and its hash.
fn class_hints<'s>(value: &'s str, known: &mut ValueCache<'s, u32>) -> (u32, u64) {
    let names = value.split_ascii_whitespace().take(8);
    let hints = names.fold(0, |hints, class| hints | known.get(class, || hints_of(class)));
    let hash = fnv1a(value.bytes().take(MAX_BYTES));
    (hints, if value.trim().is_empty() { 0 } else { hash | 1 })
}

/// For each part: the names of all its elements; the class is that of the outermost.
pub(super) fn names(blocks: Blocks<'_>, parts: &Parts) -> Vec<Names> {
    let mut names = vec![Names::default(); parts.parts.len()];
    let source = blocks.dom().source();
    let mut attributes = Attributes::new(blocks.dom());
    let mut known = ValueCache::new(0);
    let mut classes = ValueCache::new(class_hints("", &mut known));
    let mut part = 0usize;
    for (at, element) in parts.outline.elements.iter().enumerate() {
        // Parts are in the order of their outermost elements. The elements of one chain follow each other.
        while parts.parts.get(part + 1).is_some_and(|next| next.top as usize <= at) {
            part += 1;
        }
        if !element.named || part >= names.len() {
            continue;
        }
        let all = &mut names[part];
        for attribute in attributes.for_node(element.node) {
            let name = attribute.name();
            let value = || attribute.span().slice(source);
            if name.eq_ignore_ascii_case("class") {
                let value = value();
                let (hints, class) = classes.get(value, || class_hints(value, &mut known));
                all.hints |= hints;
                if parts.parts[part].top as usize == at {
                    all.class = class;
                }
            } else if name.eq_ignore_ascii_case("id") {
                let value = value();
                all.hints |= known.get(value, || hints_of(value));
                all.has_id = true;
            } else if name.eq_ignore_ascii_case("role") {
                let value = value();
                all.hints |= known.get(value, || hints_of(value));
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::name_words::{Word, words};
    use super::*;

    fn hints(name: &str) -> Vec<&'static str> {
        let bits = hints_of(name);
        HINTS.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, name)| *name).collect()
    }

    #[test]
    fn words_are_found_inside_names() {
        assert_eq!(hints("mainmenu"), ["nav", "main"]);
        assert_eq!(hints("leftCol"), ["side"]);
        assert_eq!(hints("SITE-FOOTER"), ["foot"]);
        assert_eq!(hints("x"), Vec::<&str>::new());
        assert_eq!(hints(""), Vec::<&str>::new());
    }

    #[test]
    fn some_words_count_only_alone() {
        assert_eq!(hints("shadow"), Vec::<&str>::new());
        assert_eq!(hints("ad-300x250"), ["ad"]);
        assert_eq!(hints("pageTop"), ["head", "wrap"]);
        assert_eq!(hints("browser"), Vec::<&str>::new());
    }

    fn text(word: &Word) -> String {
        word.letters.to_le_bytes().into_iter().take_while(|byte| *byte != 0).map(char::from).collect()
    }

    /// The words that a name contains, found by searching for each.
    fn searched(name: &str) -> u32 {
        let lower = name.to_ascii_lowercase();
        let all = (b'a'..=b'z').flat_map(words);
        all.filter(|word| lower.contains(&text(word))).fold(0, |hints, word| hints | 1 << word.bit)
    }

    #[test]
    fn every_word_is_found() {
        for word in (b'a'..=b'z').flat_map(words) {
            // Letters around it, so that it is not a whole word.
            let name = format!("x{}x", text(word));
            assert_eq!(hints_of(&name), searched(&name), "{name}");
            assert!(name.len() > 4 && hints_of(&name) >> word.bit & 1 == 1, "{name}");
            // At the end of the bytes read, and cut off there.
            let cut = |n: usize| format!("{:x<n$}{}", "", text(word));
            for n in MAX_BYTES - 12..MAX_BYTES {
                let name = cut(n);
                assert_eq!(hints_of(&name), searched(&name[..name.len().min(MAX_BYTES)]), "{name}");
            }
        }
    }

    #[test]
    fn any_bytes_are_accepted() {
        for name in ["ä-nav", "\u{0}\u{7f}nav", &"nav".repeat(1000)] {
            assert_eq!(hints(name), ["nav"]);
        }
    }
}
