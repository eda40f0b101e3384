//! Terms of one counter. Each has a number, so that a token that was seen before leads to its counts without another look at its
//! letters. What does not fit in memory goes to temporary files, as all counts by key.

use super::Term;
use super::spill::Spilled;
use crate::error::StatsError;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use webstrata_corpus::io::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a term's text that the memory of a term allows for, on average.
const TEXT_BYTES: usize = 40;

/// The counts of a term.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    count: u64,
    pages: [u64; 3],
    /// The last page seen with it, in short and in long text, so that a page counts once.
    last: [u64; 2],
    /// Where its text is.
    start: u32,
    length: u32,
}

/// Terms with their counts.
#[derive(Debug)]
pub(super) struct Terms {
    numbers: HashMap<u64, u32, BuildHasherDefault<super::spill::Hashed>>,
    slots: Vec<Slot>,
    texts: String,
    limit: usize,
    rest: Spilled<u64, Term>,
}

impl Terms {
    /// At most about `limit` terms in memory.
    pub(super) fn new(limit: usize, folder: &TempDir) -> Terms {
        let limit = limit.clamp(1, u32::MAX as usize / 2 / TEXT_BYTES);
        let rest = Spilled::new(limit, folder);
        Terms { numbers: HashMap::default(), slots: Vec::new(), texts: String::new(), limit, rest }
    }

    /// The number of a term; means nothing after [`Terms::settle`] has said so.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let key = xxh3_64(text.as_bytes());
        *self.numbers.entry(key).or_insert_with(|| {
            let (start, length) = (self.texts.len() as u32, text.len() as u32);
            self.texts.push_str(text);
            self.slots.push(Slot { key, start, length, ..Slot::default() });
            self.slots.len() as u32 - 1
        })
    }

    /// Counts an occurrence in short (0) or long text (1) on a page; pages have numbers from 1 in the order they come.
    #[inline]
    pub(super) fn add(&mut self, number: u32, long: usize, page: u64) {
        let Some(slot) = self.slots.get_mut(number as usize) else { return };
        slot.count += 1;
        if slot.last[long] != page {
            slot.pages[2] += u64::from(slot.last[1 - long] != page);
            slot.last[long] = page;
            slot.pages[long] += 1;
        }
    }

    /// Writes the terms to a file if there are too many, and says whether it did. Called between two pages.
    #[inline]
    pub(super) fn settle(&mut self) -> Result<bool, StatsError> {
        if self.slots.len() <= self.limit && self.texts.len() <= self.limit * TEXT_BYTES {
            return Ok(false);
        }
        let terms = self.drain();
        self.rest.write(terms)?;
        Ok(true)
    }

    /// Takes the terms in memory, by key.
    fn drain(&mut self) -> Vec<(u64, Term)> {
        self.numbers.clear();
        let mut slots = std::mem::take(&mut self.slots);
        let texts = std::mem::take(&mut self.texts);
        slots.sort_unstable_by_key(|slot| slot.key);
        let text = |slot: &Slot| &texts[slot.start as usize..][..slot.length as usize];
        slots.iter().map(|slot| (slot.key, Term { text: text(slot).into(), pages: slot.pages, count: slot.count })).collect()
    }

    /// All terms, as counts by key.
    pub(super) fn finish(mut self) -> Result<Spilled<u64, Term>, StatsError> {
        for (key, term) in self.drain() {
            self.rest.sum(key, term)?;
        }
        Ok(self.rest)
    }

    /// Adds the terms of another counter.
    pub(super) fn merge(&mut self, other: Terms) -> Result<(), StatsError> {
        self.rest.merge(other.finish()?)
    }

    /// Adds the counts of a term.
    pub(super) fn sum(&mut self, key: u64, term: Term) -> Result<(), StatsError> {
        self.rest.sum(key, term)
    }
}
