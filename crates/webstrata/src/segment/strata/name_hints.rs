//! Words in class and id names that reveal the purpose of a part.
//!
//! Authors name what they lay out: `mainMenu`, `left-col`, `footer_links`. The words are searched for inside names, because
//! names are often glued together; a few that occur inside other words (`ad` in `shadow`) count only on their own.

use super::parts::Parts;
use crate::block::Blocks;
use crate::html::Attributes;
use crate::model::fnv1a;

/// The hints, in the order of their bits.
pub(super) const HINTS: [&str; 26] = [
    "nav", "head", "foot", "side", "main", "article", "ad", "search", "login", "logo", "list", "social", "title", "comment",
    "wrap", "module", "item", "tab", "feature", "news", "legal", "language", "crumb", "hidden", "clear", "form",
];

/// Bytes read per name.
const MAX_BYTES: usize = 60;

/// The words with this first letter, each with the bit of its hint.
const fn words(first: u8) -> &'static [(&'static str, u8)] {
    match first {
        b'a' => &[("aside", 3), ("article", 5), ("advert", 6), ("account", 8), ("area", 15)],
        b'b' => &[("banner", 1), ("bottom", 2), ("body", 4), ("blog", 5), ("brand", 9), ("box", 15), ("block", 15), ("bread", 22)],
        b'c' => &[
            ("content", 4),
            ("center", 4),
            ("comment", 13),
            ("container", 14),
            ("card", 15),
            ("component", 15),
            ("cell", 16),
            ("carousel", 18),
            ("copyright", 20),
            ("country", 21),
            ("crumb", 22),
            ("clear", 24),
        ],
        b'd' => &[("dropdown", 23)],
        b'e' => &[("entry", 5), ("event", 19)],
        b'f' => &[("foot", 2), ("follow", 11), ("facebook", 11), ("feature", 18), ("flyout", 23), ("form", 25), ("field", 25)],
        b'g' => &[("grid", 14), ("gallery", 18)],
        b'h' => &[
            ("header", 1),
            ("headline", 12),
            ("heading", 12),
            ("holder", 14),
            ("hero", 18),
            ("highlight", 18),
            ("hidden", 23),
            ("hide", 23),
        ],
        b'i' => &[("inner", 14), ("item", 16), ("input", 25)],
        b'l' => &[
            ("left", 3),
            ("login", 8),
            ("logo", 9),
            ("list", 10),
            ("links", 10),
            ("layout", 14),
            ("lead", 18),
            ("latest", 19),
            ("legal", 20),
            ("lang", 21),
            ("locale", 21),
        ],
        b'm' => &[("menu", 0), ("masthead", 1), ("main", 4), ("middle", 4), ("module", 15), ("modal", 23), ("most", 19)],
        b'n' => &[("nav", 0), ("news", 19)],
        b'o' => &[("outer", 14), ("overlay", 23)],
        b'p' => &[
            ("primary", 4),
            ("post", 5),
            ("promo", 6),
            ("page", 14),
            ("panel", 15),
            ("portlet", 15),
            ("popular", 19),
            ("privacy", 20),
            ("popup", 23),
        ],
        b'q' => &[("query", 7)],
        b'r' => &[("rail", 3), ("right", 3), ("register", 8), ("region", 15), ("rotat", 18), ("recent", 19)],
        b's' => &[
            ("side", 3),
            ("story", 5),
            ("sponsor", 6),
            ("search", 7),
            ("sign", 8),
            ("social", 11),
            ("share", 11),
            ("section", 15),
            ("summary", 16),
            ("slide", 18),
            ("spotlight", 18),
            ("sub", 23),
        ],
        b't' => &[("twitter", 11), ("title", 12), ("teaser", 16), ("thumb", 16), ("tab", 17), ("terms", 20), ("tooltip", 23)],
        b'u' => &[("user", 8), ("unit", 15)],
        b'w' => &[("wrap", 14), ("widget", 15)],
        _ => &[],
    }
}

/// Words that count only on their own.
const WHOLE_WORDS: [(&str, u8); 11] = [
    ("ad", 6),
    ("ads", 6),
    ("top", 1),
    ("head", 1),
    ("col", 3),
    ("column", 3),
    ("row", 14),
    ("rss", 11),
    ("mod", 15),
    ("pod", 15),
    ("li", 16),
];

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

/// For each pair of letters: whether a word may start with them. Only the low five bits of a letter count.
static STARTS: [bool; 1 << 10] = {
    let mut starts = [false; 1 << 10];
    let mut first = b'a';
    while first <= b'z' {
        let words = words(first);
        let mut at = 0;
        while at < words.len() {
            starts[letter_pair(first, words[at].0.as_bytes()[1])] = true;
            at += 1;
        }
        first += 1;
    }
    starts
};

const fn letter_pair(first: u8, second: u8) -> usize {
    (first as usize & 31) << 5 | second as usize & 31
}

/// Whether a word may start with these letters.
fn may_start_word(first: u8, second: u8) -> bool {
    STARTS[letter_pair(first, second)]
}

/// The hints in a name, one bit each.
pub(super) fn hints_of(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    let mut lower = [0u8; MAX_BYTES];
    lower[..bytes.len()].copy_from_slice(bytes);
    lower.make_ascii_lowercase();
    let lower = &lower[..bytes.len()];
    let mut hints = 0;
    for (at, (&first, &second)) in lower.iter().zip(lower.iter().skip(1)).enumerate() {
        if may_start_word(first, second) {
            let rest = &lower[at..];
            for (inside, bit) in words(first) {
                if rest.starts_with(inside.as_bytes()) {
                    hints |= 1 << bit;
                }
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

/// What the names of an element reveal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Names {
    pub(super) hints: u32,
    /// Hash of its class attribute, 0 without one.
    pub(super) class: u64,
    pub(super) has_id: bool,
}

/// A class attribute that was read before.
#[derive(Clone, Copy, Debug)]
struct CachedClass<'s> {
    value: &'s str,
    hints: u32,
    hash: u64,
}

/// Size of the cache of class attributes: elements close to each other often share theirs.
const CACHE_SIZE: usize = 64;

/// Reads class attributes.
#[derive(Debug)]
struct ClassReader<'s>([Option<CachedClass<'s>>; CACHE_SIZE]);

impl<'s> ClassReader<'s> {
    /// The hints in the names of a class attribute, and its hash.
    fn read(&mut self, value: &'s str) -> (u32, u64) {
        let bytes = value.as_bytes();
        let middle = bytes.get(bytes.len() / 2).copied().unwrap_or(0);
        let key = bytes.len() * 7 + usize::from(middle) * 5 + bytes.last().map_or(0, |&last| usize::from(last));
        let entry = &mut self.0[key % CACHE_SIZE];
        if let Some(cached) = entry.filter(|cached| cached.value == value) {
            return (cached.hints, cached.hash);
        }
        let (hints, hash) = class_hints(value);
        *entry = Some(CachedClass { value, hints, hash });
        (hints, hash)
    }
}

fn class_hints(value: &str) -> (u32, u64) {
    let hints = value.split_ascii_whitespace().take(8).fold(0, |hints, class| hints | hints_of(class));
    let hash = fnv1a(value.bytes().take(MAX_BYTES));
    (hints, if value.trim().is_empty() { 0 } else { hash | 1 })
}

/// For each part: the names of all its elements; the class is that of the outermost.
pub(super) fn names(blocks: Blocks<'_>, parts: &Parts) -> Vec<Names> {
    let mut names = vec![Names::default(); parts.parts.len()];
    let source = blocks.dom().source();
    let mut attributes = Attributes::new(blocks.dom());
    let mut classes = ClassReader([None; CACHE_SIZE]);
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
                let (hints, class) = classes.read(value());
                all.hints |= hints;
                if parts.parts[part].top as usize == at {
                    all.class = class;
                }
            } else if name.eq_ignore_ascii_case("id") {
                all.hints |= hints_of(value());
                all.has_id = true;
            } else if name.eq_ignore_ascii_case("role") {
                all.hints |= hints_of(value());
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
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

    /// The words that a name contains, found by searching for each.
    fn searched(name: &str) -> u32 {
        let lower = name.to_ascii_lowercase();
        let found =
            |first: u8| words(first).iter().filter(|(word, _)| lower.contains(word)).fold(0, |hints, (_, bit)| hints | 1 << bit);
        (b'a'..=b'z').fold(0, |hints, first| hints | found(first))
    }

    #[test]
    fn every_word_is_found() {
        for first in b'a'..=b'z' {
            for (word, _) in words(first) {
                // Letters around it, so that it is no whole word.
                let name = format!("x{word}x");
                assert_eq!(hints_of(&name), searched(&name), "{word}");
            }
        }
    }

    #[test]
    fn cached_classes_are_those_read() {
        let values = ["menu left", "menu  left", "", " ", "story", "menu left", "nav", "nav", "van"];
        let mut reader = ClassReader([None; CACHE_SIZE]);
        for value in values {
            assert_eq!(reader.read(value), class_hints(value), "{value}");
        }
    }

    #[test]
    fn any_bytes_are_accepted() {
        for name in ["ä-nav", "\u{0}\u{7f}nav", &"nav".repeat(1000)] {
            assert_eq!(hints(name), ["nav"]);
        }
    }
}
