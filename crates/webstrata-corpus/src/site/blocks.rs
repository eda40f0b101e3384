//! The blocks of a page and their features, as the methods of the TKDE paper see them (Debnath, Mitra, Pal, Giles: Automatic
//! Identification of Informative Sections of Web Pages, IEEE TKDE 17(9), 2005, 3.1 and 4.1).
//!
//! GetBlockSet ([`webstrata::segment::GetBlockSet`]) partitions a page at the boundaries of listed tags: `table tr p hr ul div span` in the
//! paper, or a list for today's HTML. Each block has ten counts (words, and tags by kind) and the set of its terms.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use webstrata::block::{Blocks, GapModel};
use webstrata::segment::{Feature, GetBlockSet, Part, RuleSet};
use webstrata::{Page, Span};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Number of counted features: those of [`Feature::ALL`].
pub const FEATURES: usize = Feature::COUNT;

/// Maximum number of terms kept per block: the rest of a longer block is assumed to be similar.
const MAX_TERMS: usize = 4096;

/// The list of tags that divide pages into blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlockTags {
    /// The paper's list.
    Paper,
    /// The list for today's HTML.
    #[default]
    Html5,
}

impl BlockTags {
    /// The partition by these tags.
    #[must_use]
    pub const fn partition(self) -> GetBlockSet {
        match self {
            BlockTags::Paper => GetBlockSet::paper(),
            BlockTags::Html5 => GetBlockSet::html5(),
        }
    }

    /// The tag rules of Block Fusion for HTML of the same period.
    #[must_use]
    pub const fn rules(self) -> RuleSet {
        match self {
            BlockTags::Paper => RuleSet::paper(),
            BlockTags::Html5 => RuleSet::html5(),
        }
    }
}

/// A block of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiteBlock {
    /// Its atoms: indices of the page's blocks by [`GapModel::Tags`]; empty if it has no text.
    pub atoms: Range<usize>,
    /// Its position in the page's source, up to the next block.
    pub span: Span,
    /// Counts, in the order of [`Feature::ALL`].
    pub values: [u32; FEATURES],
    /// Hashes of its distinct terms, ascending.
    pub terms: Vec<u64>,
    /// Hash of its source.
    pub source: u64,
}

/// The blocks of a page, which cover its text and its source exactly once, in order. A block has all the markup between two
/// boundaries of listed tags. Blocks without text are included if they have any feature.
///
/// ```
/// use webstrata::{Page, segment::GetBlockSet};
/// use webstrata_corpus::site::blocks::block_set;
/// let page = Page::parse(b"<table><tr><td>One two</td></tr><tr><td><a href=/>Two</a></td></tr></table>");
/// let blocks = block_set(&page, &GetBlockSet::paper());
/// assert_eq!(blocks.len(), 2);
/// assert_eq!((blocks[0].values[0], blocks[1].values[4]), (2, 1));
/// assert!(blocks[0].terms.contains(&blocks[1].terms[0]));
/// ```
#[must_use]
pub fn block_set(page: &Page<'_>, partition: &GetBlockSet) -> Vec<SiteBlock> {
    block_set_from_atoms(page.blocks_by(GapModel::Tags), partition)
}

/// Like [`block_set`], for a page given by its atoms, the blocks of [`GapModel::Tags`].
#[must_use]
pub fn block_set_from_atoms(atoms: Blocks<'_>, partition: &GetBlockSet) -> Vec<SiteBlock> {
    let dom = atoms.dom();
    let mut blocks: Vec<SiteBlock> = Vec::new();
    let mut bytes = Starts { nodes: dom.nodes().map(|node| node.span().start).collect(), last: 0 };
    let mut parts = partition.parts(atoms);
    if parts.is_empty() && !atoms.is_empty() {
        parts.push(Part { nodes: 0..dom.len() as u32, counts: [0; FEATURES] });
    }
    let count = parts.len();
    for (at, part) in parts.into_iter().enumerate() {
        let start = if at == 0 { 0 } else { bytes.of(part.nodes.start) };
        if let Some(before) = blocks.last_mut() {
            before.span = Span::new(before.span.start, start);
        }
        let first = blocks.last().map_or(0, |before| before.atoms.end);
        let mut block =
            SiteBlock { atoms: first..first, span: Span::new(start, start), values: part.counts, ..SiteBlock::default() };
        // Characters that are not words may be in a part of their own, which is not a block; they go with the next part.
        let end = if at + 1 == count { u32::MAX } else { part.nodes.end };
        while let Some(atom) =
            atoms.get(block.atoms.end).filter(|atom| atom.runs().next().is_none_or(|run| (run.index() as u32) < end))
        {
            if block.terms.len() < MAX_TERMS {
                push_terms(&atom.text(), &mut block.terms);
            }
            block.atoms.end += 1;
        }
        block.terms.sort_unstable();
        block.terms.dedup();
        blocks.push(block);
    }
    if let Some(last) = blocks.last_mut() {
        last.span = Span::new(last.span.start, dom.source().len() as u32);
    }
    for block in &mut blocks {
        block.source = xxh3_64(block.span.slice(dom.source()).as_bytes());
    }
    blocks
}

/// Offsets of nodes in the source, made monotonic in the order of queries: elements that the parser inserts have no offset.
struct Starts {
    nodes: Vec<u32>,
    last: u32,
}

impl Starts {
    fn of(&mut self, node: u32) -> u32 {
        self.last = self.nodes.get(node as usize).copied().unwrap_or(0).max(self.last);
        self.last
    }
}

/// Hashes of the terms of a text: runs of letters and digits, in lower case.
fn push_terms(text: &str, terms: &mut Vec<u64>) {
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        terms.push(term(word));
    }
}

/// The hash of a term.
pub(crate) fn term(word: &str) -> u64 {
    let mut digest = Xxh3::new();
    let mut buffer = [0u8; 4];
    for c in word.chars().flat_map(char::to_lowercase) {
        digest.update(c.encode_utf8(&mut buffer).as_bytes());
    }
    digest.digest()
}

/// The largest value of each feature among some blocks, by which values are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Maxima(pub [u32; FEATURES]);

impl Maxima {
    /// The largest values among these blocks.
    pub fn new<'b>(blocks: impl IntoIterator<Item = &'b SiteBlock>) -> Maxima {
        let mut most = [0; FEATURES];
        for block in blocks {
            most.iter_mut().zip(block.values).for_each(|(most, value)| *most = value.max(*most));
        }
        Maxima(most)
    }

    /// The values of a block as shares of the largest values; shares of a later page may exceed 1.
    #[must_use]
    pub fn shares(&self, values: &[u32; FEATURES]) -> [f64; FEATURES] {
        std::array::from_fn(|at| if self.0[at] == 0 { 0.0 } else { (f64::from(values[at]) / f64::from(self.0[at])).min(1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_text_and_source() {
        let html = "<head><link rel=x></head><div><h1>Rain</h1><img src=x><p>It <b>rains</b>, it rains.</div><script>x</script><form><p>Search";
        let page = Page::parse(html.as_bytes());
        for partition in [GetBlockSet::paper(), GetBlockSet::html5()] {
            let blocks = block_set(&page, &partition);
            let atoms: Vec<usize> = blocks.iter().flat_map(|b| b.atoms.clone()).collect();
            assert_eq!(atoms, (0..page.blocks_by(GapModel::Tags).len()).collect::<Vec<_>>());
            assert_eq!(blocks.iter().map(|b| b.span.slice(page.dom().source())).collect::<String>(), html);
        }
        // The head, the heading with the picture, the text, the script and the form, the text in it.
        let blocks = block_set(&page, &GetBlockSet::paper());
        let of = |at: usize, feature: Feature| blocks[at].values[feature as usize];
        assert_eq!(blocks.len(), 5);
        assert_eq!((of(0, Feature::StyleSheets), blocks[0].atoms.len()), (1, 0));
        assert_eq!((of(1, Feature::TextTags), of(1, Feature::Objects)), (1, 1));
        assert_eq!(blocks[2].values, [4, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(blocks[2].terms.len(), 2);
        assert_eq!((of(3, Feature::Scripts), of(3, Feature::Forms)), (1, 1));
    }

    /// Markup counts for the block that contains it, not for the text that follows; a block without text is still a block.
    #[test]
    fn markup_counts_for_its_own_block() {
        let html =
            "<ul><li><a href=a>Home</a><li><a href=b>News</a><li><a href=c>Sport</a></ul><div><img src=x></div><p>It rained.</p>";
        let page = Page::parse(html.as_bytes());
        let blocks = block_set(&page, &GetBlockSet::paper());
        let counts: Vec<[u32; 3]> = blocks
            .iter()
            .map(|b| [Feature::Text, Feature::Links, Feature::Objects].map(|feature| b.values[feature as usize]))
            .collect();
        assert_eq!(counts, [[3, 3, 0], [0, 0, 1], [2, 0, 0]]);
        assert!(blocks[1].atoms.is_empty() && blocks[1].terms.is_empty());
    }

    #[test]
    fn values_are_shares_of_the_largest() {
        let mut one = SiteBlock { values: [1000, 0, 0, 0, 3, 2, 0, 0, 0, 0], ..SiteBlock::default() };
        let two = SiteBlock { values: [2000, 0, 0, 0, 50, 4, 0, 0, 0, 0], ..SiteBlock::default() };
        let most = Maxima::new([&one, &two]);
        assert_eq!(most.shares(&one.values), [0.5, 0.0, 0.0, 0.0, 0.06, 0.5, 0.0, 0.0, 0.0, 0.0]);
        one.values[0] = 5000;
        assert_eq!(most.shares(&one.values)[0], 1.0);
    }
}
