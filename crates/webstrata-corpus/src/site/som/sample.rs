//! A sample of the texts that a node has on the pages of a site: small, and independent of the order of the pages.
//!
//! Pages are put in an order that depends only on their numbers (a hash), and the first [`SIZE`] of those with the node are kept. All nodes
//! use the same order, so the sample of two joined nodes follows exactly from their samples. The constancy of a node's text
//! is estimated from it: the share of the most frequent text.

use super::page_tree::LeafText;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Pages per sample.
pub(super) const SIZE: usize = 32;

/// Pages whose text is kept for display.
const EXCERPTS: usize = 3;

/// One page's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    order: u64,
    page: u32,
    print: u64,
    shown: Box<str>,
}

/// The sample.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sample(Vec<Entry>);

impl Sample {
    /// Adds a page's text; a page is added once.
    pub(super) fn add(&mut self, page: u32, text: &LeafText) {
        let order = order(page);
        if self.0.len() == SIZE && self.0.last().is_some_and(|last| (last.order, last.page) < (order, page)) {
            return;
        }
        self.insert(Entry { order, page, print: text.print, shown: text.shown.as_str().into() });
        self.trim();
    }

    /// Adds the texts of another node; if both have text on a page, the page has both.
    pub(super) fn join(&mut self, other: &Sample) {
        for entry in &other.0 {
            self.insert(entry.clone());
        }
        self.trim();
    }

    fn insert(&mut self, entry: Entry) {
        match self.0.binary_search_by_key(&(entry.order, entry.page), |e| (e.order, e.page)) {
            Ok(at) => {
                let known = &mut self.0[at];
                // A sum, because nodes are joined in any order; the smaller text, for the same reason.
                known.print = known.print.wrapping_add(entry.print);
                if !entry.shown.is_empty() && (known.shown.is_empty() || entry.shown < known.shown) {
                    known.shown = entry.shown;
                }
            }
            Err(at) => self.0.insert(at, entry),
        }
    }

    fn trim(&mut self) {
        self.0.truncate(SIZE);
        for entry in self.0.iter_mut().skip(EXCERPTS) {
            entry.shown = Box::default();
        }
    }

    /// Share of the pages with the most frequent text.
    pub(super) fn constancy(&self) -> f64 {
        let mut prints: Vec<u64> = self.0.iter().map(|entry| entry.print).collect();
        prints.sort_unstable();
        let most = prints.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(0);
        most as f64 / self.0.len().max(1) as f64
    }

    /// Share of the sample's other pages with this text, by its fingerprint. One page with the text is not counted, as the page itself.
    pub(super) fn likeness(&self, print: u64) -> f32 {
        let same = self.0.iter().filter(|entry| entry.print == print).count();
        same.saturating_sub(1) as f32 / self.0.len().saturating_sub(1).max(1) as f32
    }

    /// Distinct texts of some pages.
    pub(super) fn texts(&self) -> Vec<&str> {
        let mut texts: Vec<&str> = Vec::new();
        for entry in self.0.iter().filter(|entry| !entry.shown.is_empty()) {
            if !texts.contains(&&*entry.shown) {
                texts.push(&entry.shown);
            }
        }
        texts
    }

    /// Whether this module could have made it: a file may contain anything.
    pub(super) fn is_valid(&self) -> bool {
        self.0.len() <= SIZE
            && self.0.windows(2).all(|two| (two[0].order, two[0].page) < (two[1].order, two[1].page))
            && self.0.iter().all(|entry| entry.order == order(entry.page))
    }
}

fn order(page: u32) -> u64 {
    xxh3_64(&page.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(print: u64) -> LeafText {
        LeafText { print, shown: format!("text {print}"), ..LeafText::default() }
    }

    #[test]
    fn samples_do_not_depend_on_the_order() {
        let pages: Vec<u32> = (0..500).collect();
        let (mut one, mut two) = (Sample::default(), Sample::default());
        pages.iter().for_each(|&page| one.add(page, &text(u64::from(page % 3))));
        pages.iter().rev().for_each(|&page| two.add(page, &text(u64::from(page % 3))));
        assert_eq!(one, two);
        assert!(one.is_valid() && one.0.len() == SIZE && one.texts().len() <= EXCERPTS);
    }

    #[test]
    fn a_sample_of_two_nodes_is_made_from_theirs() {
        let (mut odd, mut third, mut both) = (Sample::default(), Sample::default(), Sample::default());
        for page in 0..900u32 {
            let mut print = 0u64;
            if page % 2 == 1 {
                odd.add(page, &text(7));
                print += 7;
            }
            if page % 3 == 0 {
                third.add(page, &text(11));
                print += 11;
            }
            if print > 0 {
                both.add(page, &text(print));
            }
        }
        let mut joined = third.clone();
        joined.join(&odd);
        let prints = |sample: &Sample| sample.0.iter().map(|e| (e.page, e.print)).collect::<Vec<_>>();
        assert_eq!(prints(&joined), prints(&both));
        odd.join(&third);
        assert_eq!(odd, joined);
    }

    #[test]
    fn constancy_is_the_share_of_the_most_frequent_text() {
        let mut sample = Sample::default();
        for (page, print) in [(0, 1), (1, 1), (2, 1), (3, 9)] {
            sample.add(page, &text(print));
        }
        assert_eq!(sample.constancy(), 0.75);
        assert!((sample.likeness(1) - 2.0 / 3.0).abs() < 1e-6 && sample.likeness(9) == 0.0);
    }
}
