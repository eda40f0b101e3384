//! The words that are matched in class and id names, each with the number of its hint in [`super::name_hints::HINTS`].

/// A word that is matched inside names.
#[derive(Clone, Copy)]
pub(super) struct Word {
    /// Its letters, the first in the lowest byte: a word is matched by a single integer comparison.
    pub(super) letters: u128,
    /// Mask of the bytes in use.
    pub(super) mask: u128,
    /// The bit of its hint.
    pub(super) bit: u8,
}

/// Bytes of the longest word.
pub(super) const MAX_WORD: usize = size_of::<u128>();

const fn word(text: &str, bit: u8) -> Word {
    let (bytes, mut letters, mut mask, mut at) = (text.as_bytes(), 0, 0, 0);
    while at < bytes.len() {
        letters |= (bytes[at] as u128) << (8 * at);
        mask |= 0xff << (8 * at);
        at += 1;
    }
    Word { letters, mask, bit }
}

/// The words that start with these two letters; only the low five bits of each letter matter.
pub(super) fn words_from(first: u8, second: u8) -> &'static [Word] {
    let (start, end) = RANGES[letter_pair(first, second)];
    &SORTED[usize::from(start)..usize::from(end)]
}

const fn letter_pair(first: u8, second: u8) -> usize {
    (first as usize & 31) << 5 | second as usize & 31
}

const COUNT: usize = {
    let (mut count, mut first) = (0, b'a');
    while first <= b'z' {
        count += words(first).len();
        first += 1;
    }
    count
};

/// The words sorted by their first two letters, and the range of words for each pair of letters.
static SORTED: [Word; COUNT] = TABLES.0;
static RANGES: [(u8, u8); 1 << 10] = TABLES.1;

const TABLES: ([Word; COUNT], [(u8, u8); 1 << 10]) = {
    let mut sorted = [word("", 0); COUNT];
    let mut ranges = [(0, 0); 1 << 10];
    let (mut count, mut first) = (0, b'a');
    while first <= b'z' {
        let words = words(first);
        let mut second = 0;
        while second < 32 {
            let start = count;
            let mut at = 0;
            while at < words.len() {
                if (words[at].letters >> 8) as u8 & 31 == second {
                    sorted[count] = words[at];
                    count += 1;
                }
                at += 1;
            }
            ranges[letter_pair(first, second)] = (start as u8, count as u8);
            second += 1;
        }
        first += 1;
    }
    assert!(count == COUNT && COUNT <= u8::MAX as usize);
    (sorted, ranges)
};

/// The words with this first letter.
pub(super) const fn words(first: u8) -> &'static [Word] {
    match first {
        b'a' => const { &[word("aside", 3), word("article", 5), word("advert", 6), word("account", 8), word("area", 15)] },
        b'b' => {
            const {
                &[
                    word("banner", 1),
                    word("bottom", 2),
                    word("body", 4),
                    word("blog", 5),
                    word("brand", 9),
                    word("box", 15),
                    word("block", 15),
                    word("bread", 22),
                ]
            }
        }
        b'c' => {
            const {
                &[
                    word("content", 4),
                    word("center", 4),
                    word("comment", 13),
                    word("container", 14),
                    word("card", 15),
                    word("component", 15),
                    word("cell", 16),
                    word("carousel", 18),
                    word("copyright", 20),
                    word("country", 21),
                    word("crumb", 22),
                    word("clear", 24),
                ]
            }
        }
        b'd' => const { &[word("dropdown", 23)] },
        b'e' => const { &[word("entry", 5), word("event", 19)] },
        b'f' => {
            const {
                &[
                    word("foot", 2),
                    word("follow", 11),
                    word("facebook", 11),
                    word("feature", 18),
                    word("flyout", 23),
                    word("form", 25),
                    word("field", 25),
                ]
            }
        }
        b'g' => const { &[word("grid", 14), word("gallery", 18)] },
        b'h' => {
            const {
                &[
                    word("header", 1),
                    word("headline", 12),
                    word("heading", 12),
                    word("holder", 14),
                    word("hero", 18),
                    word("highlight", 18),
                    word("hidden", 23),
                    word("hide", 23),
                ]
            }
        }
        b'i' => const { &[word("inner", 14), word("item", 16), word("input", 25)] },
        b'l' => {
            const {
                &[
                    word("left", 3),
                    word("login", 8),
                    word("logo", 9),
                    word("list", 10),
                    word("links", 10),
                    word("layout", 14),
                    word("lead", 18),
                    word("latest", 19),
                    word("legal", 20),
                    word("lang", 21),
                    word("locale", 21),
                ]
            }
        }
        b'm' => {
            const {
                &[
                    word("menu", 0),
                    word("masthead", 1),
                    word("main", 4),
                    word("middle", 4),
                    word("module", 15),
                    word("modal", 23),
                    word("most", 19),
                ]
            }
        }
        b'n' => const { &[word("nav", 0), word("news", 19)] },
        b'o' => const { &[word("outer", 14), word("overlay", 23)] },
        b'p' => {
            const {
                &[
                    word("primary", 4),
                    word("post", 5),
                    word("promo", 6),
                    word("page", 14),
                    word("panel", 15),
                    word("portlet", 15),
                    word("popular", 19),
                    word("privacy", 20),
                    word("popup", 23),
                ]
            }
        }
        b'q' => const { &[word("query", 7)] },
        b'r' => {
            const { &[word("rail", 3), word("right", 3), word("register", 8), word("region", 15), word("rotat", 18), word("recent", 19)] }
        }
        b's' => {
            const {
                &[
                    word("side", 3),
                    word("story", 5),
                    word("sponsor", 6),
                    word("search", 7),
                    word("sign", 8),
                    word("social", 11),
                    word("share", 11),
                    word("section", 15),
                    word("summary", 16),
                    word("slide", 18),
                    word("spotlight", 18),
                    word("sub", 23),
                ]
            }
        }
        b't' => {
            const {
                &[
                    word("twitter", 11),
                    word("title", 12),
                    word("teaser", 16),
                    word("thumb", 16),
                    word("tab", 17),
                    word("terms", 20),
                    word("tooltip", 23),
                ]
            }
        }
        b'u' => const { &[word("user", 8), word("unit", 15)] },
        b'w' => const { &[word("wrap", 14), word("widget", 15)] },
        _ => &[],
    }
}

/// Words that count only as whole words.
pub(super) const WHOLE_WORDS: [(&str, u8); 11] = [
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
