//! Hints from class names, addresses and first words.

use std::borrow::Cow;

/// Whether it is a word that introduces a name.
pub(super) fn introduces_name(word: &str) -> bool {
    const WORDS: [&str; 30] = [
        "by", "written", "posted", "started", "author", "authors", "article", "words", "story", "contributors", "von", "autor",
        "autorin", "autoren", "autorin/autor", "par", "auteur", "auteurs", "por", "autores", "di", "autore", "autori", "door",
        "tekst", "автор", "作者", "oleh", "penulis", "skrevet",
    ];
    if word.len() > 24 {
        return false;
    }
    let word = word.trim_end_matches([':', '：']).to_lowercase();
    WORDS.contains(&word.as_str())
}

/// Whether it contains a four-digit year since 1990.
pub(super) fn has_year(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|w| (w.starts_with(b"20") || w.starts_with(b"199")) && w[2..].iter().all(u8::is_ascii_digit))
}

/// Whether it starts with a word that introduces a date.
pub(super) fn introduces_date(text: &str) -> bool {
    let text = text.to_lowercase();
    ["published", "posted", "date", "written", "updated", "last updated", "created"].iter().any(|verb| text.starts_with(verb))
}

/// The path of an address, without slashes at its end.
fn path(href: &str) -> &str {
    href[..href.find(['?', '#']).unwrap_or(href.len())].trim_end_matches('/')
}

/// Whether it is the address of an author's page.
pub(super) fn is_author_address(href: &str) -> bool {
    let path = path(href);
    let named = |part: &str| matches!(part, "author" | "authors" | "contributor" | "contributors" | "writers" | "team-members");
    // A name has to follow, so it is a part between two slashes.
    let mut slashes = memchr::memchr_iter(b'/', path.as_bytes());
    let Some(mut before) = slashes.next() else { return false };
    slashes.any(|slash| {
        let part = &path[before + 1..slash];
        before = slash;
        named(part)
    })
}

/// Whether it is the address of all pages with a tag.
pub(super) fn is_tag_address(href: &str) -> bool {
    let named = |part: &str| {
        matches!(
            part,
            "tag"
                | "tags"
                | "topic"
                | "topics"
                | "thema"
                | "themen"
                | "themenseiten"
                | "schlagwort"
                | "stichwort"
                | "keyword"
                | "keywords"
        )
    };
    path(href).rsplit_once('/').is_some_and(|(folders, _)| folders.rsplit('/').take(2).any(named))
}

/// Whether it is the address of a well-known licence.
pub(super) fn is_license_address(href: &str) -> bool {
    const HOST: &str = "creativecommons.org/";
    // The letter is rare in addresses; to prepare a search for the host would take longer than most searches.
    let mut hosts = memchr::memchr_iter(b'v', href.as_bytes()).filter_map(|at| href.get(at.checked_sub(6)?..)?.strip_prefix(HOST));
    hosts.any(|path| path.starts_with("licenses/") || path.starts_with("publicdomain/"))
}

/// The first four letters of everything that [`Hints`] looks for. Most names have none of them and need no further pass.
const STARTS: [[u8; 4]; 40] = [
    *b"auth", *b"byli", *b"writ", *b"user", *b"nick", *b"publ", *b"post", *b"pubd", *b"entr", *b"upda", *b"modi", *b"date",
    *b"time", *b"comm", *b"rela", *b"foot", *b"reco", *b"popu", *b"tren", *b"news", *b"brea", *b"side", *b"widg", *b"navi",
    *b"navb", *b"nav-", *b"nav_", *b"menu", *b"nav ", *b"head", *b"titl", *b"p-na", *b"dt-p", *b"test", *b"revi", *b"tags",
    *b"arti", *b"tag-", *b"tagl", *b"topi",
];

/// For each first letter of [`STARTS`], in both cases, the second letters as a set of their lower five bits. Hyphens and the like share a bit with
/// a letter, which only costs a comparison.
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

/// Which of [`STARTS`] a value contains, ignoring case, one bit for each. White space and the end of the value count as a space.
fn starts(value: &str) -> u64 {
    let bytes = value.as_bytes();
    let mut found = 0;
    for (at, pair) in bytes.windows(2).enumerate() {
        if SECONDS[usize::from(pair[0])] & (1 << (pair[1] & 31)) != 0 {
            let byte_at = |k: usize| bytes.get(at + k).map_or(b' ', |b| b.to_ascii_lowercase().max(b' '));
            let word = [pair[0].to_ascii_lowercase(), byte_at(1), byte_at(2), byte_at(3)];
            if let Some(start) = STARTS.iter().position(|start| *start == word) {
                found |= 1 << start;
            }
        }
    }
    found
}

/// The bit of the start of a part, see [`STARTS`].
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

/// A part of names, with the bit of its start.
#[derive(Clone, Copy)]
struct NamePart(&'static str, u64);

const fn part(text: &'static str) -> NamePart {
    NamePart(text, bit(text))
}

/// Slots of [`KnownHints`].
const SLOTS: usize = 256;

/// Hints of values that were read before: pages repeat their class names.
#[derive(Debug)]
pub(super) struct KnownHints<'d> {
    /// Each value has one place; a later one takes it.
    slots: Vec<(&'d str, Hints)>,
}

impl<'d> KnownHints<'d> {
    pub(super) fn new() -> Self {
        KnownHints { slots: vec![("", Hints::default()); SLOTS] }
    }

    /// Reads the value of a class, id or similar attribute into `hints`.
    pub(super) fn read(&mut self, value: Cow<'d, str>, hints: &mut Hints) {
        let Cow::Borrowed(value) = value else { return hints.read(&value) };
        let slot = &mut self.slots[slot(value.as_bytes())];
        if slot.0 != value {
            *slot = (value, Hints::default());
            slot.1.read(value);
        }
        hints.add(slot.1);
    }
}

/// The slot of a value, by its length and some of its bytes.
fn slot(value: &[u8]) -> usize {
    let start = value.iter().take(4).fold(value.len(), |hash, byte| hash.wrapping_mul(31) ^ usize::from(*byte));
    let hash = value.iter().rev().take(8).fold(start, |hash, byte| hash.wrapping_mul(31) ^ usize::from(*byte));
    (hash ^ (hash >> 8)) % SLOTS
}

/// What the classes and ids of an element hint at.
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

/// Parts of class names next to `author` that rule out the name itself.
const NOT_NAMES: [&str; 27] = [
    "avatar", "image", "img", "photo", "picture", "bio", "about", "desc", "social", "share", "follow", "role", "job", "date",
    "time", "archive", "count", "icon", "posts", "prefix", "label", "comment", "authori", "search", "tooltip", "position",
    "review",
];

/// Parts of names of what is outside the content.
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

/// Starts of names of navigation.
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

    /// Reads the value of a class, id or similar attribute.
    fn read(&mut self, value: &str) {
        if starts(value) == 0 {
            return;
        }
        for token in value.split_ascii_whitespace().take(24) {
            let starts = starts(token);
            if starts != 0 {
                self.token(&token.to_ascii_lowercase(), starts);
            }
        }
    }

    /// Reads a name in lower case. `starts` are those of the name: parts whose start it does not contain need no search.
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

    /// Remembered hints are those of the values, also where values share a slot and where an element has several.
    #[test]
    fn known_hints_are_those_of_the_values() {
        let values =
            ["byline", "author-name", "post-date updated", "username", "nav", "x", "", "entry-title", "article-tags", "date"];
        let many: Vec<String> = (0..2000).map(|n| format!("{} c{}", values[n % values.len()], n % 700)).collect();
        let mut known = KnownHints::new();
        for pair in many.windows(2) {
            let (mut found, mut want) = (Hints::default(), Hints::default());
            for value in pair {
                known.read(Cow::Borrowed(value), &mut found);
                want.read(value);
            }
            assert_eq!(found, want, "{pair:?}");
        }
        let mut owned = Hints::default();
        known.read(Cow::Owned("byline".to_owned()), &mut owned);
        assert_eq!(owned.author, Some(52));
    }

    /// Searches that are left out because of the starts of a name would find nothing.
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
                    let (mut fast, mut all) = (Hints::default(), Hints::default());
                    fast.read(&token);
                    all.token(&token, u64::MAX);
                    assert_eq!(fast, all, "{token}");
                    seen += usize::from(fast != Hints::default());
                }
            }
        }
        assert!(seen > 1000, "{seen}");
    }

    #[test]
    fn authors_have_folders() {
        assert!(is_author_address("/author/jo-ash/") && is_author_address("https://example.org/en/contributors/jo?x#y"));
        assert!(
            !is_author_address("/author/")
                && !is_author_address("author/jo")
                && !is_author_address("")
                && !is_author_address("/a/b?x=/author/jo")
        );
    }

    #[test]
    fn licences_have_addresses() {
        assert!(is_license_address("https://creativecommons.org/licenses/by/4.0/"));
        assert!(is_license_address("/go?to=creativecommons.org/x&or=creativecommons.org/publicdomain/zero"));
        assert!(!is_license_address("https://creativecommons.org/about") && !is_license_address(""));
    }
}
