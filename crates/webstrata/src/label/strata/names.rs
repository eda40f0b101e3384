//! The words in classes and ids of a page's elements, and what the model makes of them.

use crate::block::Blocks;
use crate::block::outline::Outline;
use crate::html::{Attributes, Tag};
use crate::model::{NameTable, fnv1a, words_of_name};
use std::sync::OnceLock;

/// The attributes that name an element: `class`, `id`, `role` and `itemprop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    Class,
    Other,
}

impl Naming {
    fn of(attribute: &str) -> Option<Naming> {
        let is = |name: &str| attribute.eq_ignore_ascii_case(name);
        match attribute.len() {
            5 => is("class").then_some(Naming::Class),
            2 => is("id").then_some(Naming::Other),
            4 => is("role").then_some(Naming::Other),
            8 => is("itemprop").then_some(Naming::Other),
            _ => None,
        }
    }
}

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
    /// A number that equal classes share; none without a class.
    classes: Vec<Option<u64>>,
}

/// Bytes of a class that tell it from others.
const CLASS: usize = 40;

/// A class that was read.
#[derive(Clone, Copy, Debug)]
struct Read<'s> {
    value: &'s str,
    sum: u64,
    /// Where its words are.
    start: usize,
    end: usize,
}

/// Classes that are remembered: elements that come after each other share theirs.
const REMEMBERED: usize = 64;

impl ElementNames {
    pub(super) fn new(blocks: Blocks<'_>, outline: &Outline) -> Self {
        let mut names = ElementNames::default();
        let mut attributes = Attributes::new(blocks.dom());
        let mut memory = [None; REMEMBERED];
        for element in &outline.elements {
            let mut class = None;
            if element.named {
                for attribute in attributes.for_node(element.node) {
                    let value = attribute.span().slice(blocks.dom().source());
                    match Naming::of(attribute.name()) {
                        // Only the first counts, should there be two.
                        Some(Naming::Class) => class = class.or(Some(names.read_class(value, &mut memory))),
                        Some(Naming::Other) => names.words.extend(words_of_name(value)),
                        None => {}
                    }
                }
            }
            names.ends.push(names.words.len() as u32);
            names.classes.push(class);
        }
        names
    }

    /// Adds the words of a class; its number.
    fn read_class<'s>(&mut self, value: &'s str, memory: &mut [Option<Read<'s>>; REMEMBERED]) -> u64 {
        let start = self.words.len();
        let bytes = value.as_bytes();
        let middle = bytes.get(bytes.len() / 2).copied().unwrap_or(0);
        let place = bytes.len() * 7 + usize::from(middle) * 5 + bytes.last().map_or(0, |&last| usize::from(last));
        let slot = &mut memory[place % REMEMBERED];
        if let Some(known) = slot.filter(|known| known.value == value) {
            self.words.extend_from_within(known.start..known.end);
            return known.sum;
        }
        self.words.extend(words_of_name(value));
        let sum = fnv1a(bytes.iter().copied().take(CLASS));
        *slot = Some(Read { value, sum, start, end: self.words.len() });
        sum
    }

    /// The number of an element's class.
    pub(super) fn class(&self, element: u32) -> Option<u64> {
        self.classes[element as usize]
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
    let mut at = outline.innermost[block];
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

/// The words that say what a part is.
#[derive(Debug)]
struct Sayings {
    /// As sums, sorted.
    words: Vec<(u32, Says)>,
    /// By the last bits of a sum: may it be one of them? Spares nearly all words the search.
    known: [bool; SIEVE],
}

const SIEVE: usize = 2048;

impl Sayings {
    /// Made once: they never change.
    fn get() -> &'static Sayings {
        static SAYINGS: OnceLock<Sayings> = OnceLock::new();
        SAYINGS.get_or_init(Sayings::new)
    }

    fn new() -> Self {
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
        let mut words: Vec<(u32, Says)> =
            lists.iter().flat_map(|(words, says)| words.iter().filter_map(move |word| of(word, *says))).collect();
        words.sort_unstable_by_key(|(word, _)| *word);
        let mut known = [false; SIEVE];
        words.iter().for_each(|(word, _)| known[*word as usize % SIEVE] = true);
        Sayings { words, known }
    }

    fn says(&self, word: u32) -> Says {
        if !self.known[word as usize % SIEVE] {
            return Says::default();
        }
        self.words.binary_search_by_key(&word, |(word, _)| *word).map(|at| self.words[at].1).unwrap_or_default()
    }
}

/// What the names of all elements say, and the words of the page that speak for its page_type, each once.
pub(super) fn hints(outline: &Outline, names: &ElementNames, table: &NameTable) -> (Vec<Hint>, Vec<usize>) {
    const STEP: f32 = crate::model::STEP;
    let sayings = Sayings::get();
    let mut hints: Vec<Hint> = Vec::with_capacity(outline.elements.len());
    let mut seen = vec![false; table.len()];
    let mut places = Vec::new();
    for (at, element) in outline.elements.iter().enumerate() {
        let mut hint = Hint::default();
        if element.parent as usize != at {
            let outer = hints[element.parent as usize];
            (hint.any, hint.says) = (outer.any, outer.says);
        }
        let speaks = speaks(element.tag);
        for &word in names.of(at as u32) {
            if speaks {
                hint.says.0 |= sayings.says(word).0;
            }
            let Some((place, weights)) = table.get(word) else { continue };
            if !std::mem::replace(&mut seen[place], true) {
                places.push(place);
            }
            if speaks {
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
