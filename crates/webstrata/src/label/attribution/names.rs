//! Hints at captions, credits and bylines in the names of elements.

use crate::html::{Dom, Node, ValueCache};
use crate::label::hash_filter::HashFilter;
use crate::model::words_of_name;
use std::sync::OnceLock;

/// Hints in the names of an element, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints(u8);

impl Hints {
    pub(super) const CAPTION: Hints = Hints(1);
    pub(super) const CREDIT: Hints = Hints(1 << 1);
    pub(super) const BYLINE: Hints = Hints(1 << 2);
    /// Names that are bylines only if a date or an author confirms it.
    pub(super) const WEAK_BYLINE: Hints = Hints(1 << 3);
    /// The text is a slide, a card or a teaser: its apparent caption is its content.
    pub(super) const CARD: Hints = Hints(1 << 4);

    pub(super) fn has(self, other: Hints) -> bool {
        self.0 & other.0 != 0
    }
}

/// Words in names, in the languages used for names.
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

/// The words by hash.
#[derive(Debug)]
struct HintWords {
    /// Sorted by hash.
    words: Vec<(u32, Hints)>,
    filter: HashFilter<2048>,
}

impl HintWords {
    fn get() -> &'static HintWords {
        static WORDS: OnceLock<HintWords> = OnceLock::new();
        WORDS.get_or_init(|| {
            let hashed = |(hints, words): (Hints, &'static [&'static str])| {
                words.iter().filter_map(move |word| words_of_name(word).next().map(|hash| (hash, hints)))
            };
            let mut words: Vec<(u32, Hints)> = NAMES.into_iter().flat_map(hashed).collect();
            words.sort_unstable_by_key(|(hash, _)| *hash);
            HintWords { filter: HashFilter::new(words.iter().map(|(hash, _)| *hash)), words }
        })
    }

    fn hints(&self, word: u32) -> Hints {
        if !self.filter.may_contain(word) {
            return Hints::default();
        }
        self.words.binary_search_by_key(&word, |(hash, _)| *hash).map(|at| self.words[at].1).unwrap_or_default()
    }
}

/// Slots of [`KnownHints`].
const SLOTS: usize = 64;

/// Cached hints of elements: adjacent blocks are inside the same elements.
#[derive(Clone, Debug)]
pub(super) struct KnownHints<'d> {
    dom: &'d Dom<'d>,
    /// Each element maps to one slot; later elements overwrite earlier ones.
    slots: [(u32, Hints); SLOTS],
    /// Cached hints of attribute values, unless only one block is of interest.
    values: Option<ValueCache<'d, Hints>>,
}

impl<'d> KnownHints<'d> {
    pub(super) fn new(dom: &'d Dom<'d>) -> Self {
        KnownHints { values: Some(ValueCache::new(Hints::default())), ..KnownHints::for_one_block(dom) }
    }

    pub(super) fn for_one_block(dom: &'d Dom<'d>) -> Self {
        KnownHints { dom, slots: [(0, Hints::default()); SLOTS], values: None }
    }

    /// The hints in the names of an element.
    pub(super) fn get(&mut self, element: u32) -> Hints {
        let slot = &mut self.slots[element as usize % SLOTS];
        if slot.0 != element || element == 0 {
            *slot = (element, hints_of(Node::new(self.dom, element), self.values.as_mut()));
        }
        slot.1
    }
}

/// Reads the hints in the names of an element.
fn hints_of<'d>(node: Node<'d>, mut known: Option<&mut ValueCache<'d, Hints>>) -> Hints {
    let mut hints = Hints::default();
    for attribute in node.attributes() {
        let is = |name: &str| attribute.name().eq_ignore_ascii_case(name);
        let value = attribute.source();
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
        hints.0 |= match &mut known {
            Some(known) => known.get(value, || hints_in(value)).0,
            None => hints_in(value).0,
        };
    }
    hints
}

/// Reads the hints in the words of a name.
fn hints_in(name: &str) -> Hints {
    let words = HintWords::get();
    words_of_name(name).fold(Hints::default(), |hints, word| Hints(hints.0 | words.hints(word).0))
}
