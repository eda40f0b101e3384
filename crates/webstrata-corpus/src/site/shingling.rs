//! Shared fragments by shingles (Ramaswamy, Iyengar, Liu, Douglis: Automatic Detection of Fragments in Dynamically Generated Web
//! Pages, WWW 2004), the second baseline of the TKDE paper.
//!
//! Every element of a page is a node with the text of its subtree. Its shingles are all runs of `window` words; the smallest of their
//! hashes are kept. Two nodes are the same if the resemblance of their shingles (shared ones divided by all) is at least `min_match`. A node
//! that occurs on at least `share_factor` pages and whose text has `min_size` bytes is a shared fragment. The inside of a shared
//! fragment is not the page's own content.
//!
//! Equal sets of shingles are merged first; others are found by an index (`similar.rs`), because resemblance r requires r times
//! the larger set to be shared.

use super::blocks::term;
use super::similar::{SimilarSets, overlap};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use webstrata::Page;
use webstrata::block::{Blocks, GapModel};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShinglingOptions {
    /// Words per shingle.
    pub window: usize,
    /// Shingles kept per node.
    pub sketch: usize,
    /// Pages that must share a fragment.
    pub share_factor: u64,
    /// Minimum resemblance for two nodes to be the same.
    pub min_match: f64,
    /// Minimum size of a fragment's words in bytes.
    pub min_size: usize,
}

impl Default for ShinglingOptions {
    fn default() -> Self {
        ShinglingOptions { window: 4, sketch: 32, share_factor: 3, min_match: 0.7, min_size: 10 }
    }
}

/// Maximum number of words processed per page, as a multiple of its words, because elements may nest arbitrarily deep.
const MAX_WORK: usize = 48;

/// The nodes of a page with their shingles. It does not refer to the page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ShingledPage {
    /// Elements with text, in document order: their shingles and the atoms inside them.
    nodes: Vec<ShingledNode>,
    atoms: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct ShingledNode {
    shingles: Vec<u64>,
    first: u32,
    end: u32,
}

impl ShingledPage {
    /// The nodes of a page.
    #[must_use]
    pub fn new(page: &Page<'_>, options: &ShinglingOptions) -> ShingledPage {
        ShingledPage::from_atoms(page.blocks_by(GapModel::Tags), options)
    }

    /// Like [`ShingledPage::new`], for a page given by its atoms, the blocks of [`GapModel::Tags`].
    #[must_use]
    pub fn from_atoms(atoms: Blocks<'_>, options: &ShinglingOptions) -> ShingledPage {
        let mut words: Vec<(u64, u32)> = Vec::new();
        // For each atom: the index of its first word; then the number of words.
        let mut starts: Vec<usize> = Vec::with_capacity(atoms.len() + 1);
        // For each element: the atoms inside it.
        let mut ranges: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
        let mut climbs = 0usize;
        for atom in atoms {
            starts.push(words.len());
            words.extend(atom.text().split_whitespace().map(|word| (term(word), word.len() as u32)));
            let number = atom.index() as u32;
            let mut at = Some(atom.node());
            while let Some(node) = at {
                let range = ranges.entry(node.id().index()).or_insert((number, number));
                range.1 = number + 1;
                climbs += 1;
                at = node.parent().filter(|_| climbs < MAX_WORK * (atoms.len() + 100));
            }
        }
        starts.push(words.len());
        let mut room = MAX_WORK * words.len();
        let mut nodes: Vec<ShingledNode> = Vec::new();
        for (first, end) in ranges.into_values() {
            let text = &words[starts[first as usize]..starts[end as usize]];
            let known = nodes.last().is_some_and(|last| (last.first, last.end) == (first, end));
            if known || text.len() > room || text.iter().map(|word| word.1 as usize).sum::<usize>() < options.min_size {
                continue;
            }
            room -= text.len();
            nodes.push(ShingledNode { shingles: shingles(text, options), first, end });
        }
        ShingledPage { nodes, atoms: atoms.len() }
    }

    /// Number of shingles.
    pub(super) fn weight(&self) -> usize {
        self.nodes.iter().map(|node| node.shingles.len() + 2).sum()
    }

    /// Whether [`ShingledPage::new`] could have made it: a file may contain anything.
    pub(super) fn is_valid(&self) -> bool {
        let node = |node: &ShingledNode| {
            node.first <= node.end && node.end as usize <= self.atoms && node.shingles.is_sorted_by(|a, b| a < b)
        };
        self.atoms <= u32::MAX as usize && self.nodes.iter().all(node)
    }
}

/// The smallest hashes of all runs of words, ascending.
fn shingles(words: &[(u64, u32)], options: &ShinglingOptions) -> Vec<u64> {
    let window = options.window.clamp(1, words.len().max(1));
    let of_run = |run: &[(u64, u32)]| run.iter().fold(0, |hash, word| xxh3_64_with_seed(&word.0.to_le_bytes(), hash));
    let mut shingles: Vec<u64> = words.windows(window).map(of_run).collect();
    shingles.sort_unstable();
    shingles.dedup();
    shingles.truncate(options.sketch.max(1));
    shingles
}

/// By page and atom (block by [`GapModel::Tags`]): whether it is content, that is, in no shared fragment.
///
/// ```
/// use webstrata::Page;
/// use webstrata_corpus::site::shingling::{ShingledPage, ShinglingOptions, shared_fragments};
/// let options = ShinglingOptions::default();
/// let page = |text: &str| {
///     let html = format!("<div>Home News Sports Weather</div><p>{text}</p>");
///     ShingledPage::new(&Page::parse(html.as_bytes()), &options)
/// };
/// let found = shared_fragments(&[page("It rains in the valley"), page("Snow fell at night"), page("Sun is back again")], &options);
/// assert_eq!(found, [[false, true], [false, true], [false, true]]);
/// ```
#[must_use]
pub fn shared_fragments(pages: &[ShingledPage], options: &ShinglingOptions) -> Vec<Vec<bool>> {
    let known = SharedFragments::new(pages, options);
    let judge = |(number, page)| known.sharing(page, Some(number)).into_iter().map(|pages| pages < options.share_factor).collect();
    (0..).zip(pages).map(judge).collect()
}

/// The elements of a site's pages, and which of them are the same.
#[derive(Clone, Debug)]
pub struct SharedFragments {
    min_match: f64,
    /// Distinct sets of shingles, each with its number.
    number_of: BTreeMap<Vec<u64>, u32>,
    /// For each set: its shingles, the pages that have it, and those that have it or one like it.
    sets: Vec<KnownSet>,
    index: SimilarSets,
}

#[derive(Clone, Debug)]
struct KnownSet {
    shingles: Vec<u64>,
    pages: RoaringBitmap,
    same: RoaringBitmap,
}

impl SharedFragments {
    /// Learns from pages; their numbers are their positions.
    pub fn new<'s>(pages: impl IntoIterator<Item = &'s ShingledPage>, options: &ShinglingOptions) -> Self {
        let mut number_of: BTreeMap<Vec<u64>, u32> = BTreeMap::new();
        let mut sets: Vec<KnownSet> = Vec::new();
        for (page, shingled) in (0..).zip(pages) {
            for node in &shingled.nodes {
                let number = *number_of.entry(node.shingles.clone()).or_insert_with(|| {
                    sets.push(KnownSet {
                        shingles: node.shingles.clone(),
                        pages: RoaringBitmap::new(),
                        same: RoaringBitmap::new(),
                    });
                    sets.len() as u32 - 1
                });
                sets[number as usize].pages.insert(page);
            }
        }
        let least = |set: &[u64]| min_shared(options.min_match, set);
        let index = SimilarSets::new(sets.iter().map(|set| (set.shingles.as_slice(), least(&set.shingles))));
        let mut known = SharedFragments { min_match: options.min_match, number_of, sets, index };
        let same: Vec<RoaringBitmap> = known.sets.iter().map(|set| known.same(&set.shingles)).collect();
        known.sets.iter_mut().zip(same).for_each(|(set, same)| set.same = same);
        known
    }

    /// The pages with an element like this.
    fn same(&self, shingles: &[u64]) -> RoaringBitmap {
        let mut same = RoaringBitmap::new();
        for other in self.index.candidates(shingles, min_shared(self.min_match, shingles)) {
            let other = &self.sets[other as usize];
            let shared = overlap(shingles, &other.shingles) as f64;
            let sizes = (shingles.len() + other.shingles.len()) as f64;
            if shared / sizes >= self.min_match / (1.0 + self.min_match) - 1e-12 {
                same |= &other.pages;
            }
        }
        same
    }

    /// For each atom of a page: the largest number of pages, including this one, that share an element around it. `own` is the page's number if it is
    /// one of those learned from.
    #[must_use]
    pub fn sharing(&self, page: &ShingledPage, own: Option<u32>) -> Vec<u64> {
        let mut pages = vec![1u64; page.atoms];
        for node in &page.nodes {
            let others = |same: &RoaringBitmap| same.len() - u64::from(own.is_some_and(|own| same.contains(own)));
            let sharing = 1 + match self.number_of.get(&node.shingles) {
                Some(&number) => others(&self.sets[number as usize].same),
                None => others(&self.same(&node.shingles)),
            };
            pages[node.first as usize..node.end as usize].iter_mut().for_each(|most| *most = sharing.max(*most));
        }
        pages
    }
}

/// Shingles that a set must share with any other that matches it.
fn min_shared(min_match: f64, set: &[u64]) -> usize {
    ((min_match * set.len() as f64) - 1e-9).ceil().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> ShingledPage {
        ShingledPage::new(&Page::parse(html.as_bytes()), &ShinglingOptions::default())
    }

    #[test]
    fn fragments_that_almost_all_share() {
        let long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
        let pages: Vec<ShingledPage> =
            (0..4).map(|n| page(&format!("<div><p>{long} last{n}</p></div><p>own {n}{n} text of page{n}"))).collect();
        let found = shared_fragments(&pages, &ShinglingOptions::default());
        assert!(found.iter().all(|page| page == &[false, true]));
        let strict = shared_fragments(&pages, &ShinglingOptions { min_match: 0.99, ..ShinglingOptions::default() });
        assert!(strict.iter().all(|page| page == &[true, true]));
    }

    #[test]
    fn two_pages_are_too_few_and_empty_pages_are_allowed() {
        let pages = [page("<p>one two three four five"), page("<p>one two three four five"), page("")];
        assert_eq!(shared_fragments(&pages, &ShinglingOptions::default()), [vec![true], vec![true], vec![]]);
    }

    #[test]
    fn deep_pages_take_linear_time() {
        let html = format!("{}word other{}", "<div>x ".repeat(4000), "</div>".repeat(4000));
        assert!(page(&html).nodes.len() <= 4002);
    }
}
