//! Terms of one counter. Each has a number, so that a cached token leads to its counts without another look at its
//! letters. What does not fit in memory spills to temporary files, like all counts by key.

use super::Term;
use super::index::Index;
use super::spill::Spilled;
use crate::error::StatsError;
use std::hint::black_box;
use webstrata_corpus::io::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// Average number of text bytes per term that the memory limit allows for.
const TEXT_BYTES: usize = 40;

/// The counts of a term. They change with every token, so they are small: two share a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Slot {
    count: u64,
    pages: [u32; 3],
    /// The last page with the term in short and in long text, so that a page is counted once.
    last: [u32; 2],
}

/// The text of a term.
#[derive(Clone, Copy, Debug)]
struct Name {
    key: u64,
    /// Where it starts.
    start: u32,
    length: u32,
}

/// An occurrence of a term: its number, and whether it is in long text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence(u32);

impl Occurrence {
    #[inline]
    pub(super) fn new(number: u32, long: bool) -> Occurrence {
        Occurrence(number << 1 | u32::from(long))
    }

    #[inline]
    fn number(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// Terms with their counts.
#[derive(Debug)]
pub(super) struct Terms {
    index: Index,
    slots: Vec<Slot>,
    names: Vec<Name>,
    texts: String,
    limit: usize,
    /// The number of the current page, from 1.
    page: u32,
    rest: Spilled<u64, Term>,
}

impl Terms {
    /// Keeps at most about `limit` terms in memory.
    pub(super) fn new(limit: usize, folder: &TempDir) -> Terms {
        let limit = limit.clamp(1, u32::MAX as usize / 2 / TEXT_BYTES);
        let rest = Spilled::new(limit, folder);
        Terms { index: Index::default(), slots: Vec::new(), names: Vec::new(), texts: String::new(), limit, page: 1, rest }
    }

    /// The index of a term. It becomes invalid when [`Terms::settle`] returns true.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let key = xxh3_64(text.as_bytes());
        let Terms { index, names, .. } = self;
        let number = index.number(key, |number| names[number as usize].key == key, |number| names[number as usize].key);
        if number as usize == names.len() {
            names.push(Name { key, start: self.texts.len() as u32, length: text.len() as u32 });
            self.texts.push_str(text);
            self.slots.push(Slot::default());
        }
        number
    }

    /// Counts occurrences on the current page.
    pub(super) fn add(&mut self, occurrences: &[Occurrence]) {
        // Prefetch: independent reads take no longer than a single one.
        let read = occurrences.iter().fold(0, |read, at| read ^ self.slots.get(at.number()).map_or(0, |slot| slot.last[0]));
        black_box(read);
        for occurrence in occurrences {
            let Some(slot) = self.slots.get_mut(occurrence.number()) else { continue };
            let long = (occurrence.0 & 1) as usize;
            slot.count += 1;
            if slot.last[long] != self.page {
                slot.pages[2] += u32::from(slot.last[1 - long] != self.page);
                slot.last[long] = self.page;
                slot.pages[long] += 1;
            }
        }
    }

    /// Ends a page. Writes the terms to a file if there are too many, and returns whether it did.
    #[inline]
    pub(super) fn settle(&mut self) -> Result<bool, StatsError> {
        if self.slots.len() <= self.limit && self.texts.len() <= self.limit * TEXT_BYTES && self.page < u32::MAX {
            self.page += 1;
            return Ok(false);
        }
        let terms = self.drain();
        self.rest.write(terms)?;
        self.page = 1;
        Ok(true)
    }

    /// Takes the terms out of memory, sorted by key.
    fn drain(&mut self) -> Vec<(u64, Term)> {
        self.index.clear();
        let (slots, names) = (std::mem::take(&mut self.slots), std::mem::take(&mut self.names));
        let texts = std::mem::take(&mut self.texts);
        let mut numbers: Vec<u32> = (0..names.len() as u32).collect();
        numbers.sort_unstable_by_key(|number| names[*number as usize].key);
        let term = |number: u32| {
            let (name, slot) = (names[number as usize], slots[number as usize]);
            let text = &texts[name.start as usize..][..name.length as usize];
            (name.key, Term { text: text.into(), pages: slot.pages.map(u64::from), count: slot.count })
        };
        numbers.into_iter().map(term).collect()
    }

    /// Sorts the terms in memory; no more are counted after that.
    pub(super) fn sort(&mut self) {
        let records = self.drain();
        self.rest.keep(records);
    }

    /// All terms, as counts by key.
    pub(super) fn finish(mut self) -> Spilled<u64, Term> {
        self.sort();
        self.rest
    }

    /// Adds the terms of another counter.
    pub(super) fn merge(&mut self, other: Terms) {
        self.rest.merge(other.finish());
    }

    /// Adds the counts of a term.
    pub(super) fn sum(&mut self, key: u64, term: Term) -> Result<(), StatsError> {
        self.rest.sum(key, term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After 2³² - 1 pages, page numbers start again; no page is mistaken for another.
    #[test]
    fn as_many_pages_as_there_are() {
        let mut terms = Terms::new(100, &TempDir::new(&std::env::temp_dir()));
        let mut emptied = 0;
        for first in [u32::MAX - 5, u32::MAX - 1, u32::MAX] {
            terms.page = first;
            for _ in 0..3 {
                let rain = terms.number("rain");
                terms.add(&[Occurrence::new(rain, false), Occurrence::new(rain, true), Occurrence::new(rain, true)]);
                emptied += u32::from(terms.settle().unwrap());
            }
        }
        assert_eq!(emptied, 2);
        let rain = Term { text: "rain".into(), pages: [9; 3], count: 27 };
        let found = |key, term| {
            assert_eq!((key, term), (xxh3_64(b"rain"), rain.clone()));
            Ok(())
        };
        terms.finish().for_each(found).unwrap();
    }
}
