//! Detects the language of a text: first by the script of its letters, then by the frequent words of languages in that script.

use super::codes::are_related;
use super::words::{ARABIC, BENGALI, CYRILLIC, DEVANAGARI, ETHIOPIC, HEBREW, LATIN};
use crate::html::fnv::fnv1a;
use std::sync::OnceLock;

/// Maximum number of words examined.
const MAX_WORDS: usize = 600;
/// Minimum number of words for a reliable result.
const MIN_WORDS: usize = 30;
/// Minimum number of letters in a script used by only one language.
const MIN_LETTERS: usize = 40;
/// Minimum number of letters for the words of a text to be certain evidence.
const CERTAIN_LETTERS: usize = 200;
/// Minimum share of the text's words that are frequent words of the language.
const MIN_SHARE: f64 = 0.06;
/// Minimum number of distinct frequent words: menus and lists repeat a few words that are frequent in some language.
const MIN_ENTRIES: usize = 5;
/// Minimum ratio of the best score to the second best.
const MIN_LEAD: f64 = 1.2;

/// A language found in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Detected {
    /// Its BCP 47 code.
    pub(super) code: &'static str,
    /// Whether there is enough text to contradict what a page declares.
    pub(super) certain: bool,
}

/// The languages of a script.
#[derive(Clone, Copy, Debug)]
enum Script {
    /// Only one common language.
    One(&'static str),
    /// Languages distinguished by their words.
    Words(&'static [(&'static str, &'static str)]),
    /// Chinese or Japanese.
    Han,
    /// Japanese: a few of these letters are enough in a text of [`Script::Han`].
    Kana,
}

/// Scripts by ranges of letters, in order.
const SCRIPTS: &[(u32, u32, Script)] = &[
    (0x41, 0x24f, Script::Words(LATIN)),
    (0x370, 0x3ff, Script::One("el")),
    (0x400, 0x52f, Script::Words(CYRILLIC)),
    (0x530, 0x58f, Script::One("hy")),
    (0x590, 0x5ff, Script::Words(HEBREW)),
    (0x600, 0x77f, Script::Words(ARABIC)),
    (0x780, 0x7bf, Script::One("dv")),
    (0x900, 0x97f, Script::Words(DEVANAGARI)),
    (0x980, 0x9ff, Script::Words(BENGALI)),
    (0xa00, 0xa7f, Script::One("pa")),
    (0xa80, 0xaff, Script::One("gu")),
    (0xb00, 0xb7f, Script::One("or")),
    (0xb80, 0xbff, Script::One("ta")),
    (0xc00, 0xc7f, Script::One("te")),
    (0xc80, 0xcff, Script::One("kn")),
    (0xd00, 0xd7f, Script::One("ml")),
    (0xd80, 0xdff, Script::One("si")),
    (0xe00, 0xe7f, Script::One("th")),
    (0xe80, 0xeff, Script::One("lo")),
    (0xf00, 0xfff, Script::One("bo")),
    (0x1000, 0x109f, Script::One("my")),
    (0x10a0, 0x10ff, Script::One("ka")),
    (0x1100, 0x11ff, Script::One("ko")),
    (0x1200, 0x139f, Script::Words(ETHIOPIC)),
    (0x1780, 0x17ff, Script::One("km")),
    (0x1e00, 0x1eff, Script::Words(LATIN)),
    (0x3040, 0x30ff, Script::Kana),
    (0x3400, 0x9fff, Script::Han),
    (0xac00, 0xd7af, Script::One("ko")),
    (0xfb50, 0xfdff, Script::Words(ARABIC)),
    (0x20000, 0x3ffff, Script::Han),
];

fn script_of(c: char) -> Option<usize> {
    if c.is_ascii() {
        return c.is_ascii_alphabetic().then_some(0);
    }
    let code = u32::from(c);
    let at = SCRIPTS.partition_point(|(_, last, _)| *last < code);
    SCRIPTS.get(at).filter(|(first, ..)| *first <= code && is_letter(c)).map(|_| at)
}

/// Letters, and the vowel signs and other marks inside words of Indic scripts.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{963}' | '\u{981}'..='\u{9e3}')
}

/// Whether a character separates words.
fn is_separator(c: char) -> bool {
    if c.is_ascii() { !c.is_ascii_alphabetic() } else { !is_letter(c) }
}

/// The language of a text, if enough of it is in one.
pub(super) fn detect(text: &str) -> Option<Detected> {
    let (mut letters, mut counts) = (0, vec![0usize; SCRIPTS.len()]);
    for at in text.chars().filter_map(script_of) {
        letters += 1;
        counts[at] += 1;
    }
    let of = |wanted: fn(&Script) -> bool| -> usize {
        SCRIPTS.iter().zip(&counts).filter(|((_, _, script), _)| wanted(script)).map(|(_, count)| count).sum()
    };
    let east_asian = of(|script| matches!(script, Script::Han | Script::Kana));
    let certain = letters >= 4 * MIN_LETTERS;
    if letters >= MIN_LETTERS && east_asian * 2 > letters {
        // Names and slogans in kana also occur in Chinese text.
        let code = if of(|script| matches!(script, Script::Kana)) * 10 > east_asian { "ja" } else { "zh" };
        return Some(Detected { code, certain });
    }
    let (at, count) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    if letters < MIN_LETTERS || count * 10 < letters * 6 {
        return None;
    }
    match SCRIPTS[at].2 {
        Script::One(code) => Some(Detected { code, certain }),
        Script::Words(languages) => by_words(text, languages, ENTRIES[at].get_or_init(|| entries(languages))),
        Script::Han | Script::Kana => None,
    }
}

/// A frequent word of a language, or a prefix of several.
#[derive(Debug)]
struct Entry {
    /// Index of the language among those of its script.
    language: usize,
    word: &'static str,
    hash: u64,
    prefix: bool,
}

/// The entries of each of [`SCRIPTS`] that has a word list, built on first use.
static ENTRIES: [OnceLock<Vec<Entry>>; SCRIPTS.len()] = [const { OnceLock::new() }; SCRIPTS.len()];

fn entries(languages: &[(&str, &'static str)]) -> Vec<Entry> {
    let all = languages.iter().enumerate().flat_map(|(language, (_, list))| list.split(' ').map(move |entry| (language, entry)));
    all.map(|(language, entry)| {
        let word = entry.strip_suffix('*').unwrap_or(entry);
        Entry { language, word, hash: fnv1a(word.bytes()), prefix: word.len() < entry.len() }
    })
    .collect()
}

/// The language whose frequent words are most common in the text.
fn by_words(text: &str, languages: &[(&'static str, &str)], entries: &[Entry]) -> Option<Detected> {
    let text = lower_case(text);
    let (mut words, mut total, mut letters) = (WordCounts::new(), 0, 0);
    for word in text.split(is_separator).filter(|word| !word.is_empty()).take(MAX_WORDS) {
        words.add(word);
        total += 1;
        letters += word.chars().count();
    }
    if total < MIN_WORDS {
        return None;
    }
    let scores = scores(languages, entries, &words);
    let best = scores.iter().max_by(|a, b| a.evidence.total_cmp(&b.evidence))?;
    let others = scores.iter().filter(|score| !are_related(score.code, best.code));
    let second = others.map(|score| score.evidence).fold(0.0, f64::max);
    let clear = best.entries >= MIN_ENTRIES && best.words as f64 >= MIN_SHARE * total as f64 && best.evidence >= MIN_LEAD * second;
    // Placeholder text ("Lorem ipsum") looks like Latin.
    let certain = letters >= CERTAIN_LETTERS && best.evidence >= 1.5 * second && best.code != "la";
    clear.then_some(Detected { code: best.code, certain })
}

/// The examined part of the text, in lower case.
fn lower_case(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    let (mut words, mut in_word) = (0, false);
    for c in text.chars() {
        let was_in_word = std::mem::replace(&mut in_word, !is_separator(c));
        words += usize::from(in_word && !was_in_word);
        if words > MAX_WORDS {
            break;
        }
        if c.is_ascii() {
            lower.push(c.to_ascii_lowercase());
        } else {
            lower.extend(c.to_lowercase());
        }
    }
    lower
}

/// Evidence for a language from the words of a text.
struct Score {
    code: &'static str,
    /// Words of the text that are frequent in the language; a word that is frequent in three languages counts a third for each.
    evidence: f64,
    /// Number of such words, unweighted.
    words: usize,
    /// Number of list entries that were found.
    entries: usize,
}

/// Scores all languages: one pass over their lists finds the words, then each word is weighted by the number of lists that have it.
fn scores(languages: &[(&'static str, &str)], entries: &[Entry], words: &WordCounts<'_>) -> Vec<Score> {
    /// An entry that was found: a word of the text, or a prefix.
    enum Found {
        Word(usize),
        Prefix(usize),
    }
    let mut found: Vec<(usize, Found)> = Vec::new();
    let mut lists_with = vec![0u32; words.words.len()];
    let mut prefixes: Vec<(&str, usize, u32)> = Vec::new(); // (prefix, number of words that start with it, number of lists that have it)
    for entry in entries {
        if entry.prefix {
            let known = prefixes.iter().position(|(known, ..)| *known == entry.word);
            let at = known.unwrap_or_else(|| {
                prefixes.push((entry.word, words.starting_with(entry.word), 0));
                prefixes.len() - 1
            });
            prefixes[at].2 += 1;
            found.push((entry.language, Found::Prefix(at)));
        } else if let Some(word) = words.find(entry.word, entry.hash) {
            lists_with[word] += 1;
            found.push((entry.language, Found::Word(word)));
        }
    }
    let mut scores: Vec<Score> = languages.iter().map(|(code, _)| Score { code, evidence: 0.0, words: 0, entries: 0 }).collect();
    for (language, found) in found {
        let (count, lists) = match found {
            Found::Word(word) => (words.words[word].1, lists_with[word]),
            Found::Prefix(at) => (prefixes[at].1, prefixes[at].2),
        };
        let score = &mut scores[language];
        score.evidence += count as f64 / f64::from(lists);
        score.words += count;
        score.entries += usize::from(count > 0);
    }
    scores
}

/// Number of slots of [`WordCounts`]: three times as many as words.
const SLOTS: usize = 2048;

/// The distinct words of a text, at most [`MAX_WORDS`], and how often they occur. A custom hash table, because the keyed hash of
/// the standard map took a third of the time of all metadata extraction. With so few words, probing is bounded on any page.
struct WordCounts<'t> {
    words: Vec<(&'t str, usize)>,
    /// 1 + the index of a word, or 0 if empty.
    slots: Vec<u16>,
}

impl<'t> WordCounts<'t> {
    fn new() -> Self {
        WordCounts { words: Vec::new(), slots: vec![0; SLOTS] }
    }

    /// The slot of a word with this hash, or the empty slot where it belongs.
    fn slot(&self, word: &str, hash: u64) -> usize {
        let mut slot = (hash ^ (hash >> 32)) as usize % SLOTS;
        while self.slots[slot] != 0 && self.words[usize::from(self.slots[slot]) - 1].0 != word {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }

    fn add(&mut self, word: &'t str) {
        let slot = self.slot(word, fnv1a(word.bytes()));
        match self.slots[slot] {
            0 => {
                self.words.push((word, 1));
                self.slots[slot] = self.words.len() as u16;
            }
            number => self.words[usize::from(number) - 1].1 += 1,
        }
    }

    fn find(&self, word: &str, hash: u64) -> Option<usize> {
        usize::from(self.slots[self.slot(word, hash)]).checked_sub(1)
    }

    /// Number of words of the text that start with `prefix`.
    fn starting_with(&self, prefix: &str) -> usize {
        self.words.iter().filter(|(word, _)| word.starts_with(prefix)).map(|(_, count)| count).sum()
    }
}
