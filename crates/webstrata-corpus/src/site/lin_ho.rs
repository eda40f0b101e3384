//! LH (Lin, Ho: Discovering Informative Content Blocks from Web Documents, KDD 2002), the baseline of the TKDE paper.
//!
//! The entropy of a term over the n pages of a site measures how evenly it is distributed: with `w_j` its occurrences on page j divided by
//! all its occurrences, `H = -Σ w_j log_n w_j`: 1 for a term equally frequent on all pages, 0 for one on a single page. A block is
//! redundant if the mean entropy of its terms is above a threshold. The threshold is found greedily: it starts at 0.1 and rises by 0.1
//! as long as the blocks below it contribute new terms, at least one in a hundred: redundant blocks repeat the same terms on all pages.
//!
//! The paper partitions pages at tables; [`block_set`](super::blocks::block_set) takes any partition. Here a term counts once per
//! block.

use super::blocks::SiteBlock;
use std::collections::{BTreeMap, HashMap, HashSet};
use webstrata::html::{Tag, TagSet};
use webstrata::segment::GetBlockSet;

/// The paper's partition: tables.
#[must_use]
pub const fn tables() -> GetBlockSet {
    GetBlockSet { tags: TagSet::from_tags(&[Tag::TABLE]) }
}

/// The verdicts of LH on a site.
#[derive(Clone, Debug, PartialEq)]
pub struct LinHo {
    /// For each page and block: the mean entropy of its terms.
    pub entropy: Vec<Vec<f64>>,
    /// The threshold found.
    pub threshold: f64,
    /// For each page and block: whether it is content.
    pub content: Vec<Vec<bool>>,
}

/// Classifies the blocks of all pages of a site.
///
/// ```
/// use webstrata::{Page, segment::GetBlockSet};
/// use webstrata_corpus::site::{blocks::block_set, lin_ho::lin_ho};
/// let page = |text: &str| {
///     let html = format!("<div><a href=/>Home</a> <a href=/n>News</a></div><p>{text}</p>");
///     block_set(&Page::parse(html.as_bytes()), &GetBlockSet::html5())
/// };
/// let found = lin_ho(&[page("It rains here."), page("Snow fell tonight."), page("Sun again.")]);
/// assert_eq!(found.content, [[false, true], [false, true], [false, true]]);
/// ```
#[must_use]
pub fn lin_ho<P: AsRef<[SiteBlock]>>(pages: &[P]) -> LinHo {
    let terms = TermEntropies::new(pages);
    let entropy: Vec<Vec<f64>> = pages.iter().map(|page| terms.of_blocks(page.as_ref(), true)).collect();
    let content = entropy.iter().zip(pages).map(|(page, blocks)| {
        page.iter().zip(blocks.as_ref()).map(|(&h, block)| h < terms.threshold && !block.terms.is_empty()).collect()
    });
    LinHo { content: content.collect(), threshold: terms.threshold, entropy }
}

/// The terms of a site: how evenly they are distributed over its pages, and the threshold found.
#[derive(Clone, Debug)]
pub struct TermEntropies {
    /// For each term: its occurrences on each page that has it.
    counts: HashMap<u64, Vec<u32>>,
    pages: usize,
    threshold: f64,
}

impl TermEntropies {
    /// Learns the terms of pages.
    #[must_use]
    pub fn new<P: AsRef<[SiteBlock]>>(pages: &[P]) -> Self {
        let mut counts: HashMap<u64, Vec<u32>> = HashMap::new();
        for blocks in pages {
            for (term, count) in terms_of(blocks.as_ref()) {
                counts.entry(term).or_default().push(count);
            }
        }
        let mut terms = TermEntropies { counts, pages: pages.len(), threshold: 0.0 };
        terms.threshold = terms.find_threshold(pages);
        terms
    }

    /// Pages that were learned from.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// The threshold found.
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The mean entropy of each block's terms. A page that was not learned from counts as an additional page.
    #[must_use]
    pub fn of_blocks(&self, blocks: &[SiteBlock], learned: bool) -> Vec<f64> {
        let own = if learned { BTreeMap::new() } else { terms_of(blocks) };
        let base = ((self.pages + usize::from(!learned)).max(2) as f64).ln();
        let entropy_of = |term: &u64| {
            let known = self.counts.get(term).map(Vec::as_slice).unwrap_or_default();
            let counts = || known.iter().chain(own.get(term)).map(|&count| f64::from(count));
            let all: f64 = counts().sum();
            counts().map(|count| count / all).map(|w| -w * w.ln() / base).sum::<f64>()
        };
        let mean = |block: &SiteBlock| block.terms.iter().map(entropy_of).sum::<f64>() / block.terms.len().max(1) as f64;
        blocks.iter().map(mean).collect()
    }

    /// Searches greedily for the threshold.
    fn find_threshold<P: AsRef<[SiteBlock]>>(&self, pages: &[P]) -> f64 {
        let entropy: Vec<Vec<f64>> = pages.iter().map(|page| self.of_blocks(page.as_ref(), true)).collect();
        let terms_below = |threshold: f64| -> usize {
            let blocks = pages.iter().flat_map(|page| page.as_ref()).zip(entropy.iter().flatten());
            let terms: HashSet<u64> =
                blocks.filter(|&(_, &h)| h < threshold).flat_map(|(block, _)| block.terms.iter().copied()).collect();
            terms.len()
        };
        let mut threshold = 0.1;
        let mut terms = terms_below(threshold);
        for step in 2..=10 {
            let next = f64::from(step) / 10.0;
            let more = terms_below(next);
            // Do not stop while no terms have been found.
            if (more - terms) * 100 < more && terms > 0 {
                break;
            }
            (threshold, terms) = (next, more);
        }
        threshold
    }
}

/// The terms of a page's blocks, and in how many blocks they occur.
fn terms_of(blocks: &[SiteBlock]) -> BTreeMap<u64, u32> {
    let mut terms: BTreeMap<u64, u32> = BTreeMap::new();
    for &term in blocks.iter().flat_map(|block| &block.terms) {
        *terms.entry(term).or_default() += 1;
    }
    terms
}

/// The parts of a page divided by tables: each has the terms of all blocks from one start to the next.
#[must_use]
pub(super) fn join_parts(blocks: &[SiteBlock], starts: &[u32]) -> Vec<SiteBlock> {
    let ends = starts.iter().skip(1).map(|&end| end as usize).chain([blocks.len()]);
    let join = |(&start, end): (&u32, usize)| {
        let inside = blocks.get(start as usize..end).unwrap_or_default();
        let mut part =
            SiteBlock { terms: inside.iter().flat_map(|block| block.terms.iter().copied()).collect(), ..SiteBlock::default() };
        part.terms.sort_unstable();
        part.terms.dedup();
        part
    };
    starts.iter().zip(ends).map(join).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(terms: &[u64]) -> SiteBlock {
        SiteBlock { terms: terms.to_vec(), ..SiteBlock::default() }
    }

    #[test]
    fn entropy_of_terms() {
        let pages = [vec![block(&[1, 2])], vec![block(&[1, 3])], vec![block(&[1, 4])], vec![block(&[1, 5])]];
        let found = lin_ho(&pages);
        for page in &found.entropy {
            assert!((page[0] - 0.5).abs() < 1e-12, "1 is everywhere, the others on one page");
        }
    }

    #[test]
    fn no_pages_and_empty_blocks() {
        assert_eq!(lin_ho::<Vec<SiteBlock>>(&[]).content.len(), 0);
        assert_eq!(lin_ho(&[vec![block(&[])]]).content, [[false]]);
    }
}
