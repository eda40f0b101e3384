//! Repetition: similar siblings, the groups they form, and paths shared by many blocks.

use super::aggregates::Aggregates;
use super::names::ElementNames;
use crate::block::groups::group_equal_keys;
use crate::block::outline::{Element, Within, splitmix64};

/// A group of siblings with the same tag and class, called units.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    pub(super) units: f32,
    pub(super) words: f32,
    /// Number of units with an image, and with a price.
    pub(super) images: f32,
    pub(super) prices: f32,
    /// Its blocks, `end` excluded.
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Totals over the blocks with the same path: tags and classes of their closest ancestors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PathStats {
    pub(super) blocks: f32,
    pub(super) words: f32,
    pub(super) link_words: f32,
}

/// Everything that repeats on a page.
#[derive(Debug, Default)]
pub(super) struct Repetition {
    /// For each element: number of siblings with its tag and class, itself included.
    pub(super) similar: Vec<f32>,
    /// For each element: number of siblings with its tag, itself included.
    pub(super) same_tag: Vec<f32>,
    /// For each element: index plus one of the group with the most words among those that it or an ancestor belongs to.
    pub(super) group: Vec<u32>,
    pub(super) groups: Vec<Group>,
    /// The group that the page is most likely about.
    pub(super) main_group: Option<usize>,
    /// For each element: whether it is inside the main group.
    pub(super) in_main_group: Vec<bool>,
    /// For each block: index of its path.
    pub(super) path: Vec<u32>,
    pub(super) paths: Vec<PathStats>,
    /// For each block: number of blocks with the same text, itself included.
    pub(super) identical: Vec<f32>,
}

/// Minimum number of units per group.
const MIN_UNITS: f32 = 3.0;

/// Minimum number of words per unit.
const MIN_UNIT_WORDS: f32 = 3.0;

impl Repetition {
    pub(super) fn new(aggregates: &Aggregates, names: &ElementNames) -> Self {
        let appearances = appearances(aggregates, names);
        let mut repetition = Repetition::default();
        let group_keys = repetition.count_siblings(aggregates, &appearances);
        repetition.find_groups(aggregates, &group_keys);
        repetition.find_paths(aggregates, &appearances);
        repetition.count_identical(aggregates);
        repetition
    }

    /// Returns the key of each group.
    fn count_siblings(&mut self, aggregates: &Aggregates, appearances: &[u64]) -> Vec<u64> {
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
        let keys: Vec<u64> =
            elements.iter().zip(appearances).map(|(e, appearance)| splitmix64(u64::from(e.parent)) ^ appearance).collect();
        self.similar = tally(&keys, &mut groups);
        let mut group_keys = Vec::new();
        for (&group, &key) in groups.iter().zip(&keys) {
            if group as usize == group_keys.len() {
                group_keys.push(key);
            }
        }
        self.group = groups;
        group_keys
    }

    fn find_groups(&mut self, aggregates: &Aggregates, group_keys: &[u64]) {
        let elements = &aggregates.outline.elements;
        let count = group_keys.len();
        let mut all = vec![Group { start: u32::MAX, ..Group::default() }; count];
        for (at, element) in elements.iter().enumerate() {
            if self.similar[at] < MIN_UNITS || element.parent as usize == at {
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
        // Menus also repeat, but a page is not about them.
        let mut in_menu = vec![false; count];
        for (at, element) in elements.iter().enumerate() {
            let outer = elements[element.parent as usize].within;
            in_menu[self.group[at] as usize] |= outer.has(Within::NAV) || outer.has(Within::FOOTER);
        }
        let eligible = |number: usize| {
            let group = &all[number];
            group.units >= MIN_UNITS && group.words >= MIN_UNIT_WORDS * group.units && !in_menu[number]
        };
        let weight = |number: usize| {
            let group = &all[number];
            let bonus = |count: f32| if count > 0.5 * group.units { 2.0 } else { 0.0 };
            group.words * (1.0 + bonus(group.images) + bonus(group.prices))
        };
        let mut best: Option<usize> = None;
        for number in (0..count).filter(|&number| eligible(number)) {
            // Ties go to the lower key: any order would do, as long as it is deterministic.
            let better = |old: usize| {
                (weight(number), all[old].start, group_keys[old]) > (weight(old), all[number].start, group_keys[number])
            };
            if best.is_none_or(better) {
                best = Some(number);
            }
        }
        // Parents come before their children: the largest group is inherited.
        let mut inherited = vec![0u32; elements.len()];
        self.in_main_group = vec![false; elements.len()];
        for (at, element) in elements.iter().enumerate() {
            let outer = element.parent as usize;
            if outer != at {
                inherited[at] = inherited[outer];
                self.in_main_group[at] = self.in_main_group[outer];
            }
            let own = self.group[at] as usize;
            let words = |group: u32| if group == 0 { 0.0 } else { all[group as usize - 1].words };
            if eligible(own) && (all[own].words > words(inherited[at]) || best == Some(own)) {
                inherited[at] = own as u32 + 1;
            }
            self.in_main_group[at] |= best == Some(own);
        }
        self.group = inherited;
        self.groups = all;
        self.main_group = best;
    }

    fn find_paths(&mut self, aggregates: &Aggregates, appearances: &[u64]) {
        let elements = &aggregates.outline.elements;
        let keys: Vec<u64> = (0..aggregates.len())
            .map(|block| {
                let innermost = aggregates.outline.innermost[block];
                let outer = aggregates.outline.parent(innermost);
                let third = &elements[aggregates.outline.parent(outer) as usize];
                let inline = u64::from(aggregates.text[block].inline as u16);
                splitmix64(splitmix64(appearances[innermost as usize] ^ inline) ^ appearances[outer as usize])
                    ^ splitmix64(third.tag.index() as u64)
            })
            .collect();
        let count = group_equal_keys(&keys, &mut self.path);
        self.paths = vec![PathStats::default(); count];
        for (block, &path) in self.path.iter().enumerate() {
            let stats = &mut self.paths[path as usize];
            stats.blocks += 1.0;
            stats.words += aggregates.words[block];
            stats.link_words += aggregates.words[block] * aggregates.link_density[block];
        }
    }

    fn count_identical(&mut self, aggregates: &Aggregates) {
        let keys: Vec<u64> = aggregates.text.iter().map(|text| text.hash).collect();
        let mut groups = Vec::new();
        let mut sizes = vec![0f32; group_equal_keys(&keys, &mut groups)];
        groups.iter().for_each(|&group| sizes[group as usize] += 1.0);
        self.identical = groups.iter().map(|&group| sizes[group as usize]).collect();
    }
}

/// For each element: a hash of its tag and class.
fn appearances(aggregates: &Aggregates, names: &ElementNames) -> Vec<u64> {
    let hash = |(element, at): (&Element, u32)| splitmix64(element.tag.index() as u64) ^ names.class(at).map_or(0, splitmix64);
    aggregates.outline.elements.iter().zip(0..).map(hash).collect()
}
