//! The blocks of a page and their features, as the methods of the TKDE paper see them (Debnath, Mitra, Pal, Giles: Automatic
//! Identification of Informative Sections of Web Pages, IEEE TKDE 17(9), 2005, 3.1 and 4.1).
//!
//! GetBlockSet ([`webstrata::segment::GetBlockSet`]) partitions a page at the boundaries of listed tags: `table tr p hr ul div span` in the
//! paper, or a list for today's HTML. Each block has ten counts (words, and tags by kind) and the set of its terms.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use webstrata::block::{Blocks, GapModel};
use webstrata::html::{Tag, TagSet};
use webstrata::segment::{GetBlockSet, RuleSet, Segmenter};
use webstrata::{Page, Span};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Number of counted features.
pub const FEATURES: usize = 10;

/// Names of the counted features, in order.
pub const FEATURE_NAMES: [&str; FEATURES] =
    ["text", "text-tags", "lists", "tables", "links", "objects", "frames", "forms", "scripts", "style-sheets"];

/// Maximum number of terms kept per block: the rest of a longer one is assumed to be like them.
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

    /// The tag rules of Block Fusion from the same time.
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
    /// Its atoms, as numbers of the page's blocks by [`GapModel::Tags`].
    pub atoms: Range<usize>,
    /// Its position in the page's source, including the markup before it; blocks are adjacent.
    pub span: Span,
    /// Counts, in the order of [`FEATURE_NAMES`].
    pub values: [u32; FEATURES],
    /// Hashes of its distinct terms, ascending.
    pub terms: Vec<u64>,
    /// Hash of its source.
    pub source: u64,
}

/// The blocks of a page: they cover its text once, in order.
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

/// The same for a page given by its atoms, the blocks of [`GapModel::Tags`].
#[must_use]
pub fn block_set_from_atoms(atoms: Blocks<'_>, partition: &GetBlockSet) -> Vec<SiteBlock> {
    let dom = atoms.dom();
    let mut blocks: Vec<SiteBlock> = Vec::new();
    // Markup before the first text belongs to the head; markup between two texts belongs to the second.
    let mut node = atoms.get(0).and_then(|atom| atom.runs().next()).map_or(0, |run| run.index());
    let nodes: Vec<Tag> = dom.nodes().map(|node| node.tag()).collect();
    for (from, to) in partition.segment(atoms).ranges() {
        let range = from.block as usize..to.block as usize;
        let mut block = SiteBlock { atoms: range.clone(), ..SiteBlock::default() };
        let start = blocks.last().map_or(0, |before| before.span.end);
        let mut end = start;
        for atom in range.filter_map(|at| atoms.get(at)) {
            block.values[0] = block.values[0].saturating_add(atom.counts().words);
            if block.terms.len() < MAX_TERMS {
                push_terms(&atom.text(), &mut block.terms);
            }
            let last = atom.runs().last().map_or(node, |run| run.index());
            for feature in nodes.get(node..=last).unwrap_or_default().iter().filter_map(|&tag| feature_of(tag)) {
                block.values[feature] += 1;
            }
            node = last + 1;
            end = atom.spans().last().map_or(end, |span| span.end);
        }
        block.terms.sort_unstable();
        block.terms.dedup();
        block.span = Span::new(start, end.max(start));
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

/// The feature that an element counts for.
fn feature_of(tag: Tag) -> Option<usize> {
    const TEXT_TAGS: TagSet = TagSet::from_tags(&[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]);
    const LISTS: TagSet = TagSet::from_tags(&[Tag::UL, Tag::OL, Tag::DL, Tag::DIR, Tag::MENU]);
    const OBJECTS: TagSet =
        TagSet::from_tags(&[Tag::IMG, Tag::OBJECT, Tag::APPLET, Tag::EMBED, Tag::VIDEO, Tag::AUDIO, Tag::CANVAS, Tag::SVG]);
    match tag {
        Tag::TABLE => Some(3),
        Tag::A => Some(4),
        Tag::FRAME | Tag::IFRAME => Some(6),
        Tag::FORM => Some(7),
        Tag::SCRIPT => Some(8),
        Tag::STYLE | Tag::LINK => Some(9),
        _ if TEXT_TAGS.contains(tag) => Some(1),
        _ if LISTS.contains(tag) => Some(2),
        _ if OBJECTS.contains(tag) => Some(5),
        _ => None,
    }
}

/// The largest value of each feature among some blocks: what values are divided by.
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

    /// The values of a block as shares of the largest; a later page may have more than that.
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
            assert_eq!(blocks.iter().map(|b| b.values[9]).sum::<u32>(), 0, "the head is ignored");
            assert_eq!(blocks[1].values, [4, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
            assert_eq!(blocks[1].terms.len(), 2);
        }
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
