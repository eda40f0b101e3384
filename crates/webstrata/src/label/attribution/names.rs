//! What the names of elements say about captions, credits and bylines.

use crate::html::Node;
use crate::model::words_of_name;
use std::sync::OnceLock;

/// What the names of an element say, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints(u8);

impl Hints {
    pub(super) const CAPTION: Hints = Hints(1);
    pub(super) const CREDIT: Hints = Hints(1 << 1);
    pub(super) const BYLINE: Hints = Hints(1 << 2);
    /// Names that are bylines only if a date or an author confirms it.
    pub(super) const WEAK_BYLINE: Hints = Hints(1 << 3);
    /// The text is a slide, a card or a teaser: what looks like its caption is its content.
    pub(super) const CARD: Hints = Hints(1 << 4);

    pub(super) fn has(self, other: Hints) -> bool {
        self.0 & other.0 != 0
    }
}

/// Words in names, in the languages that names are written in.
const NAMES: [(Hints, &[&str]); 5] = [
    (
        Hints::CAPTION,
        &[
            "caption", "captions", "figcaption", "imagecaption", "imgcaption", "photocaption", "piccaption", "cutline",
            "bildunterschrift", "bildtext", "bildzeile", "legende", "didascalia", "fotobijschrift", "bijschrift", "bildetekst",
            "kuvateksti", "piedefoto",
        ],
    ),
    (
        Hints::CREDIT,
        &[
            "credit", "credits", "photocredit", "imagecredit", "imgcredit", "piccredit", "photographer", "fotograf", "fotografo",
            "photographe", "fotocredit", "bildnachweis", "bildquelle", "bildrechte", "fotoquelle", "copyrightholder", "credittext",
        ],
    ),
    (
        Hints::BYLINE,
        &[
            "author", "authors", "byline", "bylines", "dateline", "pubdate", "pubtime", "timestamp", "autor", "autores", "autore",
            "auteur", "auteurs", "verfasser", "datepublished", "datemodified", "datecreated", "publishdate", "publicationdate",
            "postdate", "articledate", "signature", "firma", "redacteur", "skribent", "forfatter", "writer", "reporter",
            "journalist", "fecha", "datum", "publishtime", "authorname", "readingtime", "readtime",
        ],
    ),
    (
        Hints::WEAK_BYLINE,
        &["date", "time", "published", "updated", "modified", "posted", "meta", "metadata", "info", "postmeta", "postinfo"],
    ),
    (
        Hints::CARD,
        &[
            "carousel", "slide", "slider", "slideshow", "banner", "hero", "card", "cards", "thumbnail", "product", "teaser",
            "gallery", "tile",
        ],
    ),
];

/// The hints by hash, sorted.
fn hint_words() -> &'static [(u32, Hints)] {
    static WORDS: OnceLock<Vec<(u32, Hints)>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let hashed = |(hints, words): (Hints, &'static [&'static str])| {
            words.iter().filter_map(move |word| words_of_name(word).next().map(|hash| (hash, hints)))
        };
        let mut words: Vec<(u32, Hints)> = NAMES.into_iter().flat_map(hashed).collect();
        words.sort_unstable_by_key(|(hash, _)| *hash);
        words
    })
}

/// What the names of an element say.
pub(super) fn hints_of(node: Node<'_>) -> Hints {
    let words = hint_words();
    let mut hints = Hints::default();
    for attribute in node.attributes() {
        let is = |name: &str| attribute.name().eq_ignore_ascii_case(name);
        let value = attribute.span().slice(node.dom().source());
        match attribute.name().len() {
            5 if is("class") => {}
            2 if is("id") => {}
            8 if is("itemprop") => {}
            3 if is("rel") => {
                if value.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("author")) {
                    hints.0 |= Hints::BYLINE.0;
                }
                continue;
            }
            _ => continue,
        }
        for word in words_of_name(value) {
            if let Ok(at) = words.binary_search_by_key(&word, |(hash, _)| *hash) {
                hints.0 |= words[at].1.0;
            }
        }
    }
    hints
}
