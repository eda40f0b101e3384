//! What repeats: siblings that look alike, the groups they form, and paths that many blocks share.

use super::aggregates::Aggregates;
use super::names::ElementNames;
use crate::block::outline::{Element, Within, group_equal_keys, splitmix64};

/// Siblings with the same tag and class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    pub(super) units: f32,
    pub(super) words: f32,
    /// Units with an image, with a price.
    pub(super) images: f32,
    pub(super) prices: f32,
    /// First block and the one behind the last.
    pub(super) start: u32,
    pub(super) end: u32,
}

/// What is known of a block's path: tags and classes of the elements round it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Alike {
    pub(super) blocks: f32,
    pub(super) words: f32,
    pub(super) links: f32,
}

/// Everything that repeats on a page.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    /// By element: siblings with its tag and class, itself included.
    pub(super) alike: Vec<f32>,
    /// By element: siblings with its tag.
    pub(super) same_tag: Vec<f32>,
    /// By element: the group it, or what it stands in, belongs to that has most of the page's words, one more than its number.
    pub(super) group: Vec<u32>,
    pub(super) groups: Vec<Group>,
    /// The group that the page is most likely about.
    pub(super) best: Option<usize>,
    /// By element: is it inside the best group?
    pub(super) in_best: Vec<bool>,
    /// By block: blocks on the same path.
    pub(super) path: Vec<u32>,
    pub(super) paths: Vec<Alike>,
    /// By block: how many blocks say the same.
    pub(super) copies: Vec<f32>,
}

/// A row of things has so many units at least.
const UNITS: f32 = 3.0;

/// And so many words to a unit.
const UNIT_WORDS: f32 = 3.0;

impl Repeats {
    pub(super) fn new(aggregates: &Aggregates, names: &ElementNames) -> Self {
        let looks = looks(aggregates, names);
        let mut repeats = Repeats::default();
        repeats.siblings(aggregates, &looks);
        repeats.find_groups(aggregates);
        repeats.find_paths(aggregates, &looks);
        repeats.find_copies(aggregates);
        repeats
    }

    fn siblings(&mut self, aggregates: &Aggregates, looks: &[u64]) {
        let elements = &aggregates.outline.elements;
        let mut groups = Vec::new();
        let tally = |keys: &[u64], groups: &mut Vec<u32>| {
            let count = group_equal_keys(keys, groups);
            let mut sizes = vec![0f32; count];
            groups.iter().for_each(|&group| sizes[group as usize] += 1.0);
            groups.iter().map(|&group| sizes[group as usize]).collect::<Vec<f32>>()
        };
        let tags: Vec<u64> =
            elements.iter().map(|e| splitmix64(u64::from(e.parent) << 16 | u64::from(e.tag.index() as u16))).collect();
        self.same_tag = tally(&tags, &mut groups);
        let keys: Vec<u64> = elements.iter().zip(looks).map(|(e, look)| splitmix64(u64::from(e.parent)) ^ look).collect();
        self.alike = tally(&keys, &mut groups);
        self.group = groups;
    }

    fn find_groups(&mut self, aggregates: &Aggregates) {
        let elements = &aggregates.outline.elements;
        let count = self.group.iter().max().map_or(0, |&last| last as usize + 1);
        let mut all = vec![Group { start: u32::MAX, ..Group::default() }; count];
        for (at, element) in elements.iter().enumerate() {
            if self.alike[at] < UNITS || element.parent as usize == at {
                continue;
            }
            let group = &mut all[self.group[at] as usize];
            group.units += 1.0;
            group.words += aggregates.words_in(at as u32);
            group.images += f32::from(u8::from(element.images > 0));
            group.prices += f32::from(u8::from(aggregates.sum(&aggregates.price_sums, at as u32) > 0.0));
            group.start = group.start.min(element.start);
            group.end = group.end.max(element.end);
        }
        // Menus repeat too, and are not what a page is about.
        let mut aside = vec![false; count];
        for (at, element) in elements.iter().enumerate() {
            let outer = elements[element.parent as usize].within;
            aside[self.group[at] as usize] |= outer.has(Within::NAV) || outer.has(Within::FOOTER);
        }
        let eligible = |number: usize| {
            let group = &all[number];
            group.units >= UNITS && group.words >= UNIT_WORDS * group.units && !aside[number]
        };
        let promise = |number: usize| {
            let group = &all[number];
            let most = |count: f32| if count > 0.5 * group.units { 2.0 } else { 0.0 };
            group.words * (1.0 + most(group.images) + most(group.prices))
        };
        let mut best: Option<usize> = None;
        for number in (0..count).filter(|&number| eligible(number)) {
            if best.is_none_or(|old| (promise(number), all[old].start) > (promise(old), all[number].start)) {
                best = Some(number);
            }
        }
        // What an element stands in comes before it: the largest group is handed down.
        let mut handed = vec![0u32; elements.len()];
        self.in_best = vec![false; elements.len()];
        for (at, element) in elements.iter().enumerate() {
            let outer = element.parent as usize;
            if outer != at {
                handed[at] = handed[outer];
                self.in_best[at] = self.in_best[outer];
            }
            let own = self.group[at] as usize;
            let words = |group: u32| if group == 0 { 0.0 } else { all[group as usize - 1].words };
            if eligible(own) && (all[own].words > words(handed[at]) || best == Some(own)) {
                handed[at] = own as u32 + 1;
            }
            self.in_best[at] |= best == Some(own);
        }
        self.group = handed;
        self.groups = all;
        self.best = best;
    }

    fn find_paths(&mut self, aggregates: &Aggregates, looks: &[u64]) {
        let elements = &aggregates.outline.elements;
        let keys: Vec<u64> = (0..aggregates.len())
            .map(|block| {
                let holder = aggregates.outline.innermost[block];
                let outer = aggregates.outline.parent(holder);
                let third = &elements[aggregates.outline.parent(outer) as usize];
                let inline = u64::from(aggregates.letters[block].inline as u16);
                splitmix64(splitmix64(looks[holder as usize] ^ inline) ^ looks[outer as usize])
                    ^ splitmix64(third.tag.index() as u64)
            })
            .collect();
        let count = group_equal_keys(&keys, &mut self.path);
        self.paths = vec![Alike::default(); count];
        for (block, &path) in self.path.iter().enumerate() {
            let alike = &mut self.paths[path as usize];
            alike.blocks += 1.0;
            alike.words += aggregates.words[block];
            alike.links += aggregates.words[block] * aggregates.link_share[block];
        }
    }

    fn find_copies(&mut self, aggregates: &Aggregates) {
        let keys: Vec<u64> = aggregates.letters.iter().map(|letters| letters.sum).collect();
        let mut groups = Vec::new();
        let mut sizes = vec![0f32; group_equal_keys(&keys, &mut groups)];
        groups.iter().for_each(|&group| sizes[group as usize] += 1.0);
        self.copies = groups.iter().map(|&group| sizes[group as usize]).collect();
    }
}

/// By element, the number of its look: tag and class.
fn looks(aggregates: &Aggregates, names: &ElementNames) -> Vec<u64> {
    let look = |(element, at): (&Element, u32)| splitmix64(element.tag.index() as u64) ^ names.class(at).map_or(0, splitmix64);
    aggregates.outline.elements.iter().zip(0..).map(look).collect()
}
