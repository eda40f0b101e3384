//! The words in the names (classes, ids, roles) of a page's elements, and the weights that the model gives them.

use crate::block::Blocks;
use crate::block::outline::Outline;
use crate::html::{Attributes, Tag, ValueCache};
use crate::label::hash_filter::HashFilter;
use crate::model::{WEIGHT_STEP, WordTable, fnv1a, words_of_name};
use std::sync::OnceLock;

/// An attribute that names an element: `class`, or one of `id`, `role` and `itemprop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameAttribute {
    Class,
    Other,
}

impl NameAttribute {
    fn from_name(attribute: &str) -> Option<NameAttribute> {
        let is = |name: &str| attribute.eq_ignore_ascii_case(name);
        match attribute.len() {
            5 => is("class").then_some(NameAttribute::Class),
            2 => is("id").then_some(NameAttribute::Other),
            4 => is("role").then_some(NameAttribute::Other),
            8 => is("itemprop").then_some(NameAttribute::Other),
            _ => None,
        }
    }
}

/// Roles that names suggest for a part of a page, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NameRoles(u8);

impl NameRoles {
    pub(super) const COMMENTS: NameRoles = NameRoles(1);
    pub(super) const RELATED: NameRoles = NameRoles(1 << 1);
    pub(super) const ADVERTISEMENT: NameRoles = NameRoles(1 << 2);
    pub(super) const LEGAL: NameRoles = NameRoles(1 << 3);
    pub(super) const FOOTER: NameRoles = NameRoles(1 << 4);

    pub(super) fn intersects(self, other: NameRoles) -> bool {
        self.0 & other.0 != 0
    }
}

const RELATED: [&str; 10] =
    ["related", "recommended", "recommendations", "recommend", "similar", "trending", "popular", "teaser", "teasers", "outbrain"];
const ADVERTISEMENT: [&str; 10] =
    ["ad", "ads", "advert", "adverts", "advertisement", "advertising", "sponsor", "sponsored", "promo", "anzeige"];
const LEGAL: [&str; 8] = ["copyright", "legal", "privacy", "terms", "disclaimer", "imprint", "impressum", "cookie"];
const FOOTER: [&str; 4] = ["footer", "foot", "colophon", "siteinfo"];

/// Words for readers' comments, in the languages used for names.
pub(crate) const COMMENTS: [&str; 25] = [
    "comment", "comments", "commentlist", "commenttext", "commentbody", "commentbox", "disqus", "commenti", "kommentar",
    "kommentare", "komentar", "komentarz", "komentarze", "komentarzy", "komentare", "coment", "comentario", "comentarios",
    "commentaire", "commentaires", "kommenty", "kommentarer", "reacties", "yorum", "yorumlar",
];

/// A word for the form below comments. It is not in [`COMMENTS`] because it proves nothing on its own.
const RESPOND: [&str; 1] = ["respond"];

/// The words in the names of all elements.
#[derive(Clone, Debug, Default)]
pub(super) struct ElementNames {
    words: Vec<u32>,
    /// For each element: where its words end.
    ends: Vec<u32>,
    /// For each element: hash of its class, `None` without one.
    classes: Vec<Option<u64>>,
}

/// Bytes of a class attribute that are hashed.
const CLASS_BYTES: usize = 40;

/// Cached contents of a class attribute.
#[derive(Clone, Copy, Debug)]
struct Class {
    hash: u64,
    /// Where its words are.
    start: usize,
    end: usize,
}

impl ElementNames {
    pub(super) fn new(blocks: Blocks<'_>, outline: &Outline) -> Self {
        let mut names = ElementNames::default();
        let mut attributes = Attributes::new(blocks.dom());
        let mut cache = ValueCache::new(Class { hash: class_hash(""), start: 0, end: 0 });
        for element in &outline.elements {
            let mut class = None;
            if element.named {
                for attribute in attributes.for_node(element.node) {
                    let value = attribute.span().slice(blocks.dom().source());
                    match NameAttribute::from_name(attribute.name()) {
                        // The first of repeated attributes wins.
                        Some(NameAttribute::Class) => class = class.or(Some(names.read_class(value, &mut cache))),
                        Some(NameAttribute::Other) => names.words.extend(words_of_name(value)),
                        None => {}
                    }
                }
            }
            names.ends.push(names.words.len() as u32);
            names.classes.push(class);
        }
        names
    }

    /// Adds the words of a class attribute and returns its hash.
    fn read_class<'s>(&mut self, value: &'s str, cache: &mut ValueCache<'s, Class>) -> u64 {
        let (start, mut is_new) = (self.words.len(), false);
        let class = cache.get(value, || {
            is_new = true;
            self.words.extend(words_of_name(value));
            Class { hash: class_hash(value), start, end: self.words.len() }
        });
        if !is_new {
            self.words.extend_from_within(class.start..class.end);
        }
        class.hash
    }

    /// The hash of an element's class.
    pub(super) fn class(&self, element: u32) -> Option<u64> {
        self.classes[element as usize]
    }

    /// The words in an element's names.
    pub(super) fn words(&self, element: u32) -> &[u32] {
        let start = (element as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start as usize..self.ends[element as usize] as usize]
    }
}

fn class_hash(value: &str) -> u64 {
    fnv1a(value.bytes().take(CLASS_BYTES))
}

/// Whether the names of this element describe what is inside it. `html` and `body` contain the whole page.
fn is_specific(tag: Tag) -> bool {
    !matches!(tag, Tag::HTML | Tag::BODY)
}

/// Calls `call` with the words around a block: those of its innermost element (0), of the parent (1) and of any ancestor (2).
pub(super) fn words_around(outline: &Outline, names: &ElementNames, block: usize, mut call: impl FnMut(u8, u32)) {
    let mut at = outline.innermost[block];
    for level in 0.. {
        let element = &outline.elements[at as usize];
        if is_specific(element.tag) {
            for &word in names.words(at) {
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

/// Weights of an element's names.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NameScores {
    pub(super) own: f32,
    pub(super) outer: f32,
    /// Summed over the element and its ancestors.
    pub(super) any: f32,
    /// Roles suggested by its names and those of its ancestors.
    pub(super) roles: NameRoles,
}

/// Words that suggest a role.
#[derive(Debug)]
struct RoleWords {
    /// Sorted by hash.
    words: Vec<(u32, NameRoles)>,
    filter: HashFilter<2048>,
}

impl RoleWords {
    fn get() -> &'static RoleWords {
        static ROLE_WORDS: OnceLock<RoleWords> = OnceLock::new();
        ROLE_WORDS.get_or_init(RoleWords::new)
    }

    fn new() -> Self {
        let lists: [(&[&str], NameRoles); 6] = [
            (&COMMENTS, NameRoles::COMMENTS),
            (&RESPOND, NameRoles::COMMENTS),
            (&RELATED, NameRoles::RELATED),
            (&ADVERTISEMENT, NameRoles::ADVERTISEMENT),
            (&LEGAL, NameRoles::LEGAL),
            (&FOOTER, NameRoles::FOOTER),
        ];
        let hashed = |word: &&str, roles: NameRoles| words_of_name(word).next().map(|word| (word, roles));
        let mut words: Vec<(u32, NameRoles)> =
            lists.iter().flat_map(|(words, roles)| words.iter().filter_map(move |word| hashed(word, *roles))).collect();
        words.sort_unstable_by_key(|(word, _)| *word);
        RoleWords { filter: HashFilter::new(words.iter().map(|(word, _)| *word)), words }
    }

    fn roles(&self, word: u32) -> NameRoles {
        if !self.filter.may_contain(word) {
            return NameRoles::default();
        }
        self.words.binary_search_by_key(&word, |(word, _)| *word).map(|at| self.words[at].1).unwrap_or_default()
    }
}

/// A cached word: pages repeat their words, and the table does not fit the processor's fast caches.
#[derive(Clone, Copy, Debug, Default)]
struct KnownWord {
    word: u32,
    is_known: bool,
    roles: NameRoles,
    own: f32,
    outer: f32,
    any: f32,
}

/// Number of words cached per page.
const KNOWN_WORDS: usize = 512;

/// The weights of all elements' names, and the indices of the page's words in the table, ascending.
pub(super) fn score_names(outline: &Outline, names: &ElementNames, table: &WordTable) -> (Vec<NameScores>, Vec<usize>) {
    let role_words = RoleWords::get();
    let mut all: Vec<NameScores> = Vec::with_capacity(outline.elements.len());
    let mut known = vec![KnownWord::default(); KNOWN_WORDS];
    let mut found = Vec::new();
    for (at, element) in outline.elements.iter().enumerate() {
        let mut scores = NameScores::default();
        if element.parent as usize != at {
            let outer = all[element.parent as usize];
            (scores.any, scores.roles) = (outer.any, outer.roles);
        }
        let specific = is_specific(element.tag);
        for &word in names.words(at as u32) {
            let place = &mut known[word as usize % KNOWN_WORDS];
            if place.word != word || !place.is_known {
                let (index, weights) = table.get(word).unzip();
                found.extend(index);
                let weights = weights.unwrap_or_default();
                *place = KnownWord {
                    word,
                    is_known: true,
                    roles: role_words.roles(word),
                    own: f32::from(weights.own) * WEIGHT_STEP,
                    outer: f32::from(weights.outer) * WEIGHT_STEP,
                    any: f32::from(weights.any) * WEIGHT_STEP,
                };
            }
            if specific {
                scores.roles.0 |= place.roles.0;
                scores.own += place.own;
                scores.outer += place.outer;
                scores.any += place.any;
            }
        }
        all.push(scores);
    }
    found.sort_unstable();
    found.dedup();
    (all, found)
}
