//! Fingerprints of one counter. A fingerprint with its counts fits in one cache line, since nearly all fingerprints have segments of
//! one density only. The fingerprints of a part of a page are looked up together, so that their memory reads overlap.

use super::index::Index;
use super::spill::Spilled;
use super::values::{Cell, Template, example, is_better, is_example};
use crate::error::StatsError;
use std::hint::black_box;
use webstrata_corpus::io::TempDir;

/// Average number of text bytes per fingerprint that the memory limit allows for.
const TEXT_BYTES: usize = 100;

/// A fingerprint with the segments and words of the first density with which it was seen.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Slot {
    key: u128,
    cell: Cell,
    /// Where its example text starts.
    start: u32,
    length: u32,
    /// The number of its other cells, from 1; 0 for none.
    others: u32,
}

/// A segment yet to be counted.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    key: u128,
    /// Its index on the page.
    segment: usize,
    cell: Cell,
}

/// Fingerprints with their counts.
#[derive(Debug)]
pub(super) struct Templates {
    index: Index,
    slots: Vec<Slot>,
    texts: Vec<u8>,
    others: Vec<Vec<Cell>>,
    limit: usize,
    rest: Spilled<u128, Template>,
    waiting: Vec<Waiting>,
    buffer: String,
}

impl Templates {
    /// Keeps at most about `limit` fingerprints in memory.
    pub(super) fn new(limit: usize, folder: &TempDir) -> Templates {
        let limit = limit.clamp(1, u32::MAX as usize / 2 / TEXT_BYTES);
        Templates {
            index: Index::default(),
            slots: Vec::new(),
            texts: Vec::new(),
            others: Vec::new(),
            limit,
            rest: Spilled::new(limit, folder),
            waiting: Vec::new(),
            buffer: String::new(),
        }
    }

    /// Queues a segment of the page for [`Templates::count`].
    #[inline]
    pub(super) fn push(&mut self, key: u128, segment: usize, cell: Cell) {
        self.waiting.push(Waiting { key, segment, cell });
    }

    /// Counts the queued segments. `text` returns the text of a segment of the page.
    pub(super) fn count<'a>(&mut self, text: impl Fn(usize) -> &'a str) {
        self.prefetch();
        for at in 0..self.waiting.len() {
            let Waiting { key, segment, cell } = self.waiting[at];
            self.add(key, text(segment), cell);
        }
        self.waiting.clear();
    }

    /// Prefetches the entries: independent reads take no longer than a single one.
    fn prefetch(&self) {
        let slot = |waiting: &Waiting| self.slots.get(self.index.first(waiting.key as u64) as usize);
        let mut read = 0;
        for waiting in &self.waiting {
            read ^= self.index.first(waiting.key as u64);
        }
        black_box(read);
        for waiting in &self.waiting {
            read ^= slot(waiting).map_or(0, |slot| slot.start);
        }
        black_box(read);
        for waiting in &self.waiting {
            let start = slot(waiting).map_or(0, |slot| slot.start);
            read ^= self.texts.get(start as usize).copied().map_or(0, u32::from);
        }
        black_box(read);
    }

    fn add(&mut self, key: u128, text: &str, cell: Cell) {
        let Templates { index, slots, texts, others, buffer, .. } = self;
        let number =
            index.number(key as u64, |number| slots[number as usize].key == key, |number| slots[number as usize].key as u64)
                as usize;
        let Some(slot) = slots.get_mut(number) else {
            example(text, buffer);
            let (start, length) = (texts.len() as u32, buffer.len() as u32);
            texts.extend_from_slice(buffer.as_bytes());
            slots.push(Slot { key, cell, start, length, others: 0 });
            return;
        };
        if let Some(known) = texts.get_mut(slot.start as usize..).and_then(|texts| texts.get_mut(..slot.length as usize))
            && !is_example(known, text)
        {
            example(text, buffer);
            if is_better(buffer.as_bytes(), known) {
                // A better example is never longer than the old one.
                known[..buffer.len()].copy_from_slice(buffer.as_bytes());
                slot.length = buffer.len() as u32;
            }
        }
        if slot.cell.is_same(&cell) {
            slot.cell.segments += cell.segments;
            slot.cell.words += cell.words;
            return;
        }
        if slot.others == 0 {
            others.push(Vec::with_capacity(1));
            slot.others = others.len() as u32;
        }
        if let Some(cells) = others.get_mut(slot.others as usize - 1) {
            Cell::place(cells, cell);
        }
    }

    /// Writes the fingerprints to a file if there are too many. Called between two pages.
    #[inline]
    pub(super) fn settle(&mut self) -> Result<(), StatsError> {
        if self.slots.len() <= self.limit && self.texts.len() <= self.limit * TEXT_BYTES {
            return Ok(());
        }
        let templates = self.drain();
        self.rest.write(templates)
    }

    /// Takes the fingerprints out of memory, sorted by key.
    fn drain(&mut self) -> Vec<(u128, Template)> {
        self.index.clear();
        let mut slots = std::mem::take(&mut self.slots);
        let (texts, mut others) = (std::mem::take(&mut self.texts), std::mem::take(&mut self.others));
        slots.sort_unstable_by_key(|slot| slot.key);
        let template = |slot: &Slot| {
            let text = texts.get(slot.start as usize..).and_then(|texts| texts.get(..slot.length as usize)).unwrap_or_default();
            let other = others.get_mut((slot.others as usize).wrapping_sub(1));
            let mut cells = other.map(std::mem::take).unwrap_or_default();
            cells.reserve_exact(1);
            Cell::place(&mut cells, slot.cell);
            let count = cells.iter().map(|cell| cell.segments).sum();
            (slot.key, Template { text: String::from_utf8_lossy(text).into(), count, cells })
        };
        slots.iter().map(template).collect()
    }

    /// Sorts the fingerprints in memory; no more are counted after that.
    pub(super) fn sort(&mut self) {
        let records = self.drain();
        self.rest.keep(records);
    }

    /// All fingerprints, as counts by key.
    pub(super) fn finish(mut self) -> Spilled<u128, Template> {
        self.sort();
        self.rest
    }

    /// Adds the fingerprints of another counter.
    pub(super) fn merge(&mut self, other: Templates) {
        self.rest.merge(other.finish());
    }

    /// Adds the counts of a fingerprint.
    pub(super) fn sum(&mut self, key: u128, template: Template) -> Result<(), StatsError> {
        self.rest.sum(key, template)
    }
}
