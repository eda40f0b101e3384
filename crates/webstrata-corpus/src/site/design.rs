//! Designs of a site: groups of pages with a similar structure (`--by-design`).
//!
//! The paper on SOM trees names clustering by structure as the alternative to `alpha`. Here a page's structure is the set of its
//! elements' paths down to `DEPTH` levels, without sibling numbers: the number of items in a list does not matter. Pages with equal sets
//! are merged, and sets whose resemblance (shared elements divided by all) is at least `MIN_RESEMBLANCE` have one design, transitively. The
//! result does not depend on the order of pages, and similar sets are found by an index (`similar.rs`), not by comparing all pairs.

use super::similar::{SimilarSets, overlap};
use super::som::PageTree;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Number of levels considered: `html`, `body`, and the elements that divide a page into its areas.
const DEPTH: u32 = 6;

/// Minimum resemblance of pages with the same design.
const MIN_RESEMBLANCE: f64 = 0.7;

/// The structure of a page.
///
/// ```
/// use webstrata::Page;
/// use webstrata_corpus::site::{design::{Structure, designs}, som::PageTree};
/// let of = |html: &str| Structure::new(&PageTree::new(&Page::parse(html.as_bytes())));
/// let story = |n: usize| of(&format!("<div id=a><p>Menu</p></div><h1>Story</h1>{}", "<p>Text</p>".repeat(n)));
/// let list = of("<div id=a><p>Menu</p></div><table><tr><td>1<td><b>2</b></table><form><button>Search</button></form>");
/// assert_eq!(designs(&[story(1), list, story(4)]), [0, 1, 0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Structure(Vec<u64>);

impl Structure {
    /// The structure of a page.
    #[must_use]
    pub fn new(page: &PageTree) -> Structure {
        let labels: Vec<u64> = page.labels.iter().map(|label| xxh3_64_with_seed(label.as_bytes(), 0)).collect();
        let mut paths: Vec<(u64, u32)> = Vec::with_capacity(page.nodes.len());
        for (at, node) in page.nodes.iter().enumerate() {
            let (above, depth) = if at == 0 { (0, 0) } else { paths[node.parent as usize] };
            paths.push((xxh3_64_with_seed(&labels[node.label as usize].to_le_bytes(), above), depth + 1));
        }
        let mut set: Vec<u64> = paths.into_iter().filter(|&(_, depth)| depth <= DEPTH).map(|(path, _)| path).collect();
        set.sort_unstable();
        set.dedup();
        Structure(set)
    }
}

/// For each page: the number of its design. Designs are numbered by their first page.
#[must_use]
pub fn designs(pages: &[Structure]) -> Vec<u32> {
    let mut number_of: BTreeMap<&Structure, u32> = BTreeMap::new();
    for page in pages {
        number_of.entry(page).or_insert(0);
    }
    for (number, known) in (0..).zip(number_of.values_mut()) {
        *known = number;
    }
    let sets: Vec<&[u64]> = number_of.keys().map(|structure| structure.0.as_slice()).collect();
    let least = |set: &[u64]| (MIN_RESEMBLANCE * set.len() as f64 - 1e-9).ceil().max(1.0) as usize;
    let index = SimilarSets::new(sets.iter().map(|set| (*set, least(set))));
    let mut root: Vec<u32> = (0..sets.len() as u32).collect();
    for (at, set) in sets.iter().enumerate() {
        for other in index.candidates(set, least(set)).into_iter().filter(|&other| (other as usize) < at) {
            let with = sets[other as usize];
            let shared = overlap(set, with);
            if shared as f64 >= MIN_RESEMBLANCE * (set.len() + with.len() - shared) as f64 {
                let (a, b) = (find(&mut root, at as u32), find(&mut root, other));
                root[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let mut design_of: BTreeMap<u32, u32> = BTreeMap::new();
    pages
        .iter()
        .map(|page| {
            let root = find(&mut root, number_of.get(page).copied().unwrap_or(0));
            let next = design_of.len() as u32;
            *design_of.entry(root).or_insert(next)
        })
        .collect()
}

fn find(root: &mut [u32], mut at: u32) -> u32 {
    while root[at as usize] != at {
        root[at as usize] = root[root[at as usize] as usize];
        at = root[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn designs_do_not_depend_on_the_order() {
        let set = |from: u64| Structure((from..from + 20).collect());
        // A chain: each resembles the next, but the ends do not resemble each other.
        let pages: Vec<Structure> = (0..6).map(|n| set(n * 3)).chain([set(1000)]).collect();
        assert_eq!(designs(&pages), [0, 0, 0, 0, 0, 0, 1]);
        let turned: Vec<Structure> = pages.iter().rev().cloned().collect();
        assert_eq!(designs(&turned), [0, 1, 1, 1, 1, 1, 1]);
        assert_eq!(designs(&[]), [0u32; 0]);
        assert_eq!(designs(&[Structure::default(), Structure::default()]), [0, 0]);
    }
}
