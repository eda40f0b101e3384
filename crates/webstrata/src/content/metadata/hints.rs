//! Hints from class names and introductory words.

use crate::html::{Attribute, ValueCache};
use std::borrow::Cow;

/// Whether a word introduces a name.
pub(super) fn introduces_name(word: &str) -> bool {
    const WORDS: [&str; 30] = [
        "by", "written", "posted", "started", "author", "authors", "article", "words", "story", "contributors", "von", "autor",
        "autorin", "autoren", "autorin/autor", "par", "auteur", "auteurs", "por", "autores", "di", "autore", "autori", "door",
        "tekst", "автор", "作者", "oleh", "penulis", "skrevet",
    ];
    if word.len() > 24 {
        return false;
    }
    let word = word.trim_end_matches([':', '：']);
    if word.is_ascii() {
        return WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
    }
    WORDS.contains(&word.to_lowercase().as_str())
}

/// Whether a text contains a four-digit year from 1990 on.
pub(super) fn has_year(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|w| (w.starts_with(b"20") || w.starts_with(b"199")) && w[2..].iter().all(u8::is_ascii_digit))
}

/// Whether a text starts with a word that introduces a date.
pub(super) fn introduces_date(text: &str) -> bool {
    let text = text.to_lowercase();
    ["published", "posted", "date", "written", "updated", "last updated", "created"].iter().any(|verb| text.starts_with(verb))
}

/// The four-letter prefixes of all strings that [`Hints`] looks for. Most names contain none of them and need no further search.
const STARTS: [[u8; 4]; 40] = [
    *b"auth", *b"byli", *b"writ", *b"user", *b"nick", *b"publ", *b"post", *b"pubd", *b"entr", *b"upda", *b"modi", *b"date",
    *b"time", *b"comm", *b"rela", *b"foot", *b"reco", *b"popu", *b"tren", *b"news", *b"brea", *b"side", *b"widg", *b"navi",
    *b"navb", *b"nav-", *b"nav_", *b"menu", *b"nav ", *b"head", *b"titl", *b"p-na", *b"dt-p", *b"test", *b"revi", *b"tags",
    *b"arti", *b"tag-", *b"tagl", *b"topi",
];

/// For each first letter of [`STARTS`], in both cases: a bit set of the second letters, indexed by their lower five bits.
/// Punctuation such as hyphens shares a bit with a letter, at the cost of one more comparison.
const SECONDS: [u32; 256] = {
    let mut seconds = [0; 256];
    let mut at = 0;
    while at < STARTS.len() {
        let [first, second, ..] = STARTS[at];
        let bit = 1 << (second & 31);
        seconds[first as usize] |= bit;
        seconds[first.to_ascii_uppercase() as usize] |= bit;
        at += 1;
    }
    seconds
};

/// For each hash of four letters: 1 + the index of its prefix in [`STARTS`], or 0 if there is none.
const HASHED: [u8; 512] = {
    let mut hashed = [0; 512];
    let mut at = 0;
    while at < STARTS.len() {
        let slot = hash(STARTS[at]);
        assert!(hashed[slot] == 0, "two starts have the same hash");
        at += 1;
        hashed[slot] = at as u8;
    }
    hashed
};

/// A perfect hash of [`STARTS`]; the multiplier was found by trial.
const fn hash(word: [u8; 4]) -> usize {
    (u32::from_le_bytes(word).wrapping_mul(0xcd61_3e31) >> 23) as usize
}

/// The set of [`STARTS`] that a value contains, ignoring case, one bit each. White space and the end of the value count as a space.
fn starts(value: &str) -> u64 {
    let bytes = value.as_bytes();
    let mut found = 0;
    for (at, pair) in bytes.windows(2).enumerate() {
        if SECONDS[usize::from(pair[0])] & (1 << (pair[1] & 31)) != 0 {
            let byte_at = |k: usize| bytes.get(at + k).map_or(b' ', |b| b.to_ascii_lowercase().max(b' '));
            let word = [pair[0].to_ascii_lowercase(), byte_at(1), byte_at(2), byte_at(3)];
            let start = usize::from(HASHED[hash(word)]);
            if start > 0 && STARTS[start - 1] == word {
                found |= 1 << (start - 1);
            }
        }
    }
    found
}

/// The bit of a name part's prefix in [`STARTS`].
const fn bit(part: &str) -> u64 {
    let part = part.as_bytes();
    let mut at = 0;
    loop {
        assert!(at < STARTS.len(), "STARTS has no such start");
        let start = STARTS[at];
        if start[0] == part[0] && start[1] == part[1] && start[2] == part[2] && start[3] == part[3] {
            return 1 << at;
        }
        at += 1;
    }
}

/// A substring of names, with the bit of its prefix.
#[derive(Clone, Copy)]
struct NamePart(&'static str, u64);

const fn part(text: &'static str) -> NamePart {
    NamePart(text, bit(text))
}

/// Maximum number of names read from one attribute.
const MAX_NAMES: usize = 24;

/// Cached hints of attribute values, and of the names in them.
#[derive(Debug)]
pub(super) struct KnownHints<'d> {
    values: ValueCache<'d, Hints>,
    names: ValueCache<'d, Hints>,
}

impl<'d> KnownHints<'d> {
    pub(super) fn new() -> Self {
        KnownHints { values: ValueCache::new(Hints::default()), names: ValueCache::new(Hints::default()) }
    }

    /// Reads the value of a class, id or similar attribute into `hints`.
    pub(super) fn read(&mut self, attribute: Attribute<'d>, hints: &mut Hints) {
        let KnownHints { values, names } = self;
        let read = || {
            let mut all = Hints::default();
            match attribute.value() {
                Cow::Borrowed(value) => value
                    .split_ascii_whitespace()
                    .take(MAX_NAMES)
                    .for_each(|name| all.add(names.get(name, || Hints::from_name(name)))),
                Cow::Owned(value) => {
                    value.split_ascii_whitespace().take(MAX_NAMES).for_each(|name| all.add(Hints::from_name(name)));
                }
            }
            all
        };
        hints.add(values.get(attribute.source(), read));
    }
}

/// Roles that the classes and ids of an element suggest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints {
    /// Rank as an author's name, if it looks like one.
    pub(super) author: Option<u8>,
    pub(super) date: bool,
    pub(super) published: bool,
    pub(super) modified: bool,
    /// The title of the article.
    pub(super) title: bool,
    /// Outside the content: comments, related pages, navigation.
    pub(super) aside: bool,
    /// A list of tags.
    pub(super) tags: bool,
}

/// Substrings of class names with `author` which show that the element is not the name itself.
const NOT_NAMES: [&str; 27] = [
    "avatar", "image", "img", "photo", "picture", "bio", "about", "desc", "social", "share", "follow", "role", "job", "date",
    "time", "archive", "count", "icon", "posts", "prefix", "label", "comment", "authori", "search", "tooltip", "position",
    "review",
];

/// Substrings of class names of elements outside the content.
const ASIDE_PARTS: [NamePart; 9] = [
    part("comment"),
    part("related"),
    part("footer"),
    part("recommend"),
    part("popular"),
    part("trending"),
    part("newsletter"),
    part("breadcrumb"),
    part("testimonial"),
];

/// Prefixes in names of navigation elements.
const NAVIGATION: u64 = bit("navi") | bit("navb") | bit("nav-") | bit("nav_") | bit("nav ") | bit("menu");

impl Hints {
    /// Adds the hints of another attribute.
    fn add(&mut self, other: Hints) {
        self.author = [self.author, other.author].into_iter().flatten().min();
        self.date |= other.date;
        self.published |= other.published;
        self.modified |= other.modified;
        self.title |= other.title;
        self.aside |= other.aside;
        self.tags |= other.tags;
    }

    /// The hints in one name of a class, id or similar attribute.
    fn from_name(name: &str) -> Hints {
        let mut hints = Hints::default();
        let starts = starts(name);
        if starts != 0 {
            hints.token(&name.to_ascii_lowercase(), starts);
        }
        hints
    }

    /// Reads a lower-case name. `starts` is the set of prefixes it contains; parts with other prefixes need no search.
    fn token(&mut self, token: &str, starts: u64) {
        if token.len() > 80 {
            return;
        }
        let may_have = |bits: u64| starts & bits != 0;
        let has = |part: NamePart| may_have(part.1) && token.contains(part.0);
        let names_author = has(const { part("author") })
            || has(const { part("byline") })
            || has(const { part("written-by") })
            || has(const { part("writer") });
        let dated = token.ends_with("date-author") || token.ends_with("date-and-author") || token.ends_with("author-date");
        if names_author && (dated || !NOT_NAMES.iter().any(|part| token.contains(part))) {
            let rank = if token.contains("name") {
                51
            } else if token.ends_with("author") || token.ends_with("byline") {
                52
            } else {
                55
            };
            self.author = Some(self.author.map_or(rank, |r| r.min(rank)));
        } else if has(const { part("username") }) || has(const { part("user-name") }) || has(const { part("nickname") }) {
            self.author.get_or_insert(59);
        }
        self.tags |= may_have(const { bit("tags") | bit("tag-") | bit("tagl") | bit("topi") })
            && matches!(
                token,
                "tags"
                    | "article-tags"
                    | "post-tags"
                    | "entry-tags"
                    | "tags-links"
                    | "tag-list"
                    | "tags-list"
                    | "taglist"
                    | "tag-links"
                    | "article__tags"
                    | "post__tags"
                    | "story-tags"
                    | "article-topics"
                    | "topic-list"
            );
        self.title |= may_have(const { bit("titl") | bit("head") | bit("p-na") })
            && (matches!(token, "p-name" | "headline")
                || [
                    "entry-title", "post-title", "article-title", "story-title", "article-headline", "story-headline",
                    "article_title",
                ]
                .iter()
                .any(|end| token.ends_with(end)));
        let published = has(const { part("publish") })
            || has(const { part("posted") })
            || has(const { part("pubdate") })
            || has(const { part("entry-date") })
            || has(const { part("post-date") });
        self.modified |= has(const { part("update") }) || has(const { part("modified") });
        self.published |= published;
        self.date |= published
            || (may_have(const { bit("date") }) && (token.ends_with("date") || token.contains("date-")))
            || has(const { part("timestamp") })
            || token == "time";
        self.aside |= ASIDE_PARTS.into_iter().any(has)
            || may_have(const { bit("revi") | bit("side") | bit("widg") })
                && matches!(
                    token,
                    "reviews"
                        | "customer-reviews"
                        | "product-reviews"
                        | "sidebar"
                        | "widget"
                        | "widget-area"
                        | "sidebar-right"
                        | "sidebar-left"
                        | "right-sidebar"
                        | "left-sidebar"
                )
            || (may_have(NAVIGATION)
                && token.split(['-', '_']).any(|part| matches!(part, "nav" | "menu" | "navbar" | "navigation")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::Dom;

    /// Cached hints equal those of the values, even where values share a slot or an element has several.
    #[test]
    fn known_hints_are_those_of_the_values() {
        let values = [
            "byline", "author-name", "post-date updated", "username", "nav", "x", "", "entry-title", "article-tags", "date",
            "by&#108;ine",
        ];
        let html: String =
            (0..2000).map(|n| format!("<p class='{} c{}' id='{}'>", values[n % 11], n % 700, values[n % 7])).collect();
        let dom = Dom::parse(&html);
        let mut known = KnownHints::new();
        for node in dom.nodes() {
            let (mut found, mut want) = (Hints::default(), Hints::default());
            for attribute in node.attributes() {
                known.read(attribute, &mut found);
                attribute.value().split_ascii_whitespace().for_each(|name| want.add(Hints::from_name(name)));
            }
            assert_eq!(found, want, "{node:?}");
        }
        let mut decoded = Hints::default();
        dom.nodes().last().unwrap().attributes().for_each(|attribute| known.read(attribute, &mut decoded));
        let references = Dom::parse("<p class='by&#108;ine'>");
        references.nodes().last().unwrap().attributes().for_each(|attribute| KnownHints::new().read(attribute, &mut decoded));
        assert_eq!(decoded.author, Some(52));
    }

    /// The searches skipped because of a name's prefixes would have found nothing.
    #[test]
    fn starts_leave_nothing_out() {
        const PARTS: [&str; 64] = [
            "author", "byline", "written-by", "writer", "username", "user-name", "nickname", "tags", "tag-list", "taglist",
            "article-topics", "topic-list", "story-tags", "p-name", "headline", "entry-title", "story-headline", "article_title",
            "title", "publish", "posted", "pubdate", "entry-date", "post-date", "date", "date-", "timestamp", "time", "update",
            "modified", "comment", "related", "footer", "recommend", "popular", "trending", "newsletter", "breadcrumb",
            "testimonial", "reviews", "customer-reviews", "sidebar", "widget", "widget-area", "right-sidebar", "nav", "menu",
            "navbar", "navigation", "name", "dt-published", "avatar", "x", "-", "_", "a", "na", "nav-", "men", "story",
            "post__tags", "author-date", "bio", "p-",
        ];
        let mut seen = 0;
        for first in PARTS {
            for second in PARTS {
                for between in ["", "-", "_", "x"] {
                    let token = format!("{first}{between}{second}");
                    let (fast, mut all) = (Hints::from_name(&token), Hints::default());
                    all.token(&token, u64::MAX);
                    assert_eq!(fast, all, "{token}");
                    seen += usize::from(fast != Hints::default());
                }
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}
