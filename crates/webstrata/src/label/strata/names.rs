//! The words in classes and ids of a page's elements, and what the model makes of them.

use crate::block::Blocks;
use crate::block::outline::Outline;
use crate::html::{Node, Tag};
use crate::learned::{NameTable, words_of_name};

/// The attributes that name an element.
const NAMING: [&str; 4] = ["class", "id", "role", "itemprop"];

/// What names say a part of a page is, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Says(u8);

impl Says {
    pub(super) const COMMENTS: Says = Says(1);
    pub(super) const RELATED: Says = Says(1 << 1);
    pub(super) const ADVERTISEMENT: Says = Says(1 << 2);
    pub(super) const BYLINE: Says = Says(1 << 3);
    pub(super) const LEGAL: Says = Says(1 << 4);
    pub(super) const FOOTER: Says = Says(1 << 5);

    pub(super) fn has(self, other: Says) -> bool {
        self.0 & other.0 != 0
    }
}

const RELATED: [&str; 10] =
    ["related", "recommended", "recommendations", "recommend", "similar", "trending", "popular", "teaser", "teasers", "outbrain"];
const ADVERTISEMENT: [&str; 10] =
    ["ad", "ads", "advert", "adverts", "advertisement", "advertising", "sponsor", "sponsored", "promo", "anzeige"];
const BYLINE: [&str; 9] = ["author", "authors", "byline", "dateline", "date", "published", "pubdate", "timestamp", "autor"];
const LEGAL: [&str; 8] = ["copyright", "legal", "privacy", "terms", "disclaimer", "imprint", "impressum", "cookie"];
const FOOTER: [&str; 4] = ["footer", "foot", "colophon", "siteinfo"];

/// Words that speak of readers' comments, in the languages that names are written in.
pub(crate) const COMMENTS: [&str; 25] = [
    "comment", "comments", "commentlist", "commenttext", "commentbody", "commentbox", "disqus", "commenti", "kommentar",
    "kommentare", "komentar", "komentarz", "komentarze", "komentarzy", "komentare", "coment", "comentario", "comentarios",
    "commentaire", "commentaires", "kommenty", "kommentarer", "reacties", "yorum", "yorumlar",
];

/// A word that stands where comments do, and says so only beside other evidence.
const ANSWER: [&str; 1] = ["respond"];

/// By element: the words of its names.
#[derive(Clone, Debug, Default)]
pub(super) struct ElementNames {
    words: Vec<u32>,
    /// Where each element's words end.
    ends: Vec<u32>,
}

impl ElementNames {
    pub(super) fn new(blocks: Blocks<'_>, outline: &Outline) -> Self {
        let mut names = ElementNames::default();
        let source = blocks.dom().source();
        for element in &outline.elements {
            if element.named {
                for attribute in Node::new(blocks.dom(), element.node).attributes() {
                    if NAMING.iter().any(|naming| attribute.name().eq_ignore_ascii_case(naming)) {
                        names.words.extend(words_of_name(attribute.span().slice(source)));
                    }
                }
            }
            names.ends.push(names.words.len() as u32);
        }
        names
    }

    pub(super) fn of(&self, element: u32) -> &[u32] {
        let start = (element as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start as usize..self.ends[element as usize] as usize]
    }
}

/// Does this element speak for what is inside it? All of a page is inside `html` and `body`.
fn speaks(tag: Tag) -> bool {
    !matches!(tag, Tag::HTML | Tag::BODY)
}

/// Calls back with the words round a block: those of the innermost element (0), of the one round it (1) and of any (2).
pub(super) fn words_round(outline: &Outline, names: &ElementNames, block: usize, mut call: impl FnMut(u8, u32)) {
    let mut at = outline.holder[block];
    for level in 0.. {
        let element = &outline.elements[at as usize];
        if speaks(element.tag) {
            for &word in names.of(at) {
                if level < 2 {
                    call(level as u8, word);
                }
                call(2, word);
            }
        }
        if element.parent == at {
            return;
        }
        at = element.parent;
    }
}

/// By element: what its names say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hint {
    pub(super) own: f32,
    pub(super) outer: f32,
    /// Summed up from the root.
    pub(super) any: f32,
    /// What names of elements round it say.
    pub(super) says: Says,
}

/// The words that say what a part is, as sums, sorted.
fn sayings() -> Vec<(u32, Says)> {
    let lists: [(&[&str], Says); 7] = [
        (&COMMENTS, Says::COMMENTS),
        (&ANSWER, Says::COMMENTS),
        (&RELATED, Says::RELATED),
        (&ADVERTISEMENT, Says::ADVERTISEMENT),
        (&BYLINE, Says::BYLINE),
        (&LEGAL, Says::LEGAL),
        (&FOOTER, Says::FOOTER),
    ];
    let of = |word: &&str, says: Says| words_of_name(word).next().map(|word| (word, says));
    let mut all: Vec<(u32, Says)> =
        lists.iter().flat_map(|(words, says)| words.iter().filter_map(move |word| of(word, *says))).collect();
    all.sort_unstable_by_key(|(word, _)| *word);
    all
}

/// What the names of all elements say, and the words of the page that speak for its kind, each once.
pub(super) fn hints(outline: &Outline, names: &ElementNames, table: &NameTable) -> (Vec<Hint>, Vec<usize>) {
    const STEP: f32 = crate::learned::STEP;
    let sayings = sayings();
    let mut hints: Vec<Hint> = Vec::with_capacity(outline.elements.len());
    let mut seen = vec![false; table.len()];
    let mut places = Vec::new();
    for (at, element) in outline.elements.iter().enumerate() {
        let mut hint = Hint::default();
        if element.parent as usize != at {
            let outer = hints[element.parent as usize];
            (hint.any, hint.says) = (outer.any, outer.says);
        }
        for &word in names.of(at as u32) {
            if speaks(element.tag)
                && let Ok(at) = sayings.binary_search_by_key(&word, |(word, _)| *word)
            {
                hint.says.0 |= sayings[at].1.0;
            }
            let Some((place, weights)) = table.get(word) else { continue };
            if !std::mem::replace(&mut seen[place], true) {
                places.push(place);
            }
            if speaks(element.tag) {
                hint.own += f32::from(weights.own) * STEP;
                hint.outer += f32::from(weights.outer) * STEP;
                hint.any += f32::from(weights.any) * STEP;
            }
        }
        hints.push(hint);
    }
    places.sort_unstable();
    (hints, places)
}
