//! The parts into which [`GetBlockSet`] partitions a page, with their features (Debnath, Mitra, Pal, Giles, IEEE TKDE 17(9), 2005, 3.1, 4.1
//! and 5.1).
//!
//! A part is the markup and text between two neighbouring boundaries of listed tags. It exists even if it has no text: a `div`
//! with nothing but a picture is a part. Its features are the number of words and, by kind, the number of elements that start in it.
//! Listed tags are not features ("all HTML tags … except the tags in partitioning tag-set", 3.1). Markup before the
//! first boundary, the head included, belongs to the first part.

use super::GetBlockSet;
use crate::block::Blocks;
use crate::html::{Tag, TagSet};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A feature of a part (TKDE 2005, 5.1).
///
/// ```
/// use webstrata::segment::Feature;
/// assert_eq!("links".parse(), Ok(Feature::Links));
/// assert!("videos".parse::<Feature>().unwrap_err().to_string().contains("objects"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Words.
    Text,
    /// `h1` to `h6`.
    TextTags,
    /// Lists.
    Lists,
    /// Tables.
    Tables,
    /// Links.
    Links,
    /// Images, applets, media.
    Objects,
    /// Frames.
    Frames,
    /// Forms.
    Forms,
    /// Scripts.
    Scripts,
    /// Style sheets.
    StyleSheets,
}

impl Feature {
    /// Number of features.
    pub const COUNT: usize = 10;

    /// All features, in the order of the paper.
    pub const ALL: [Feature; Feature::COUNT] = [
        Feature::Text,
        Feature::TextTags,
        Feature::Lists,
        Feature::Tables,
        Feature::Links,
        Feature::Objects,
        Feature::Frames,
        Feature::Forms,
        Feature::Scripts,
        Feature::StyleSheets,
    ];

    /// The name shown to users.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Text => "text",
            Feature::TextTags => "text-tags",
            Feature::Lists => "lists",
            Feature::Tables => "tables",
            Feature::Links => "links",
            Feature::Objects => "objects",
            Feature::Frames => "frames",
            Feature::Forms => "forms",
            Feature::Scripts => "scripts",
            Feature::StyleSheets => "style-sheets",
        }
    }

    /// The feature that counts elements with this tag. No element counts as words.
    #[must_use]
    pub fn of(tag: Tag) -> Option<Feature> {
        const TEXT_TAGS: TagSet = TagSet::from_tags(&[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]);
        const LISTS: TagSet = TagSet::from_tags(&[Tag::UL, Tag::OL, Tag::DL, Tag::DIR, Tag::MENU]);
        const OBJECTS: TagSet =
            TagSet::from_tags(&[Tag::IMG, Tag::OBJECT, Tag::APPLET, Tag::EMBED, Tag::VIDEO, Tag::AUDIO, Tag::CANVAS, Tag::SVG]);
        match tag {
            Tag::TABLE => Some(Feature::Tables),
            Tag::A => Some(Feature::Links),
            Tag::FRAME | Tag::IFRAME => Some(Feature::Frames),
            Tag::FORM => Some(Feature::Forms),
            Tag::SCRIPT => Some(Feature::Scripts),
            Tag::STYLE | Tag::LINK => Some(Feature::StyleSheets),
            _ if TEXT_TAGS.contains(tag) => Some(Feature::TextTags),
            _ if LISTS.contains(tag) => Some(Feature::Lists),
            _ if OBJECTS.contains(tag) => Some(Feature::Objects),
            _ => None,
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown feature name.
///
/// ```
/// use webstrata::segment::Feature;
/// assert!("x".parse::<Feature>().unwrap_err().to_string().contains("style-sheets"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown feature '{0}'; choose from: text text-tags lists tables links objects frames forms scripts style-sheets")]
pub struct UnknownFeature(String);

impl FromStr for Feature {
    type Err = UnknownFeature;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Feature::ALL.into_iter().find(|feature| feature.name() == name).ok_or_else(|| UnknownFeature(name.to_owned()))
    }
}

/// The counts of a part's features, in the order of [`Feature::ALL`].
pub type FeatureCounts = [u32; Feature::COUNT];

/// A part of a page.
///
/// ```
/// use webstrata::{Page, segment::{Feature, GetBlockSet}};
/// let page = Page::parse(b"<div><img src=a></div><p>One <a href=/>two</a>");
/// let parts = GetBlockSet::paper().parts(page.blocks());
/// assert_eq!(parts.iter().map(|part| part.get(Feature::Objects)).collect::<Vec<_>>(), [1, 0]);
/// assert_eq!((parts[1].get(Feature::Text), parts[1].get(Feature::Links)), (2, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its nodes, as numbers of [`NodeId::index`](crate::html::NodeId::index): from the first counted one up to the next boundary.
    pub nodes: Range<u32>,
    /// Its counts.
    pub counts: FeatureCounts,
}

impl Part {
    /// The count of a feature.
    #[must_use]
    pub fn get(&self, feature: Feature) -> u32 {
        self.counts[feature as usize]
    }
}

impl GetBlockSet {
    /// The parts of a page in document order, including those without text; parts with neither text nor features are left out.
    /// `blocks` may be those of any gap model.
    #[must_use]
    pub fn parts(&self, blocks: Blocks<'_>) -> Vec<Part> {
        self.parts_and_blocks(blocks).0
    }

    /// Like [`GetBlockSet::parts`], and the part of each block. If `self` lists inline tags, a block may span several parts; then its part is
    /// the one with most of its words.
    pub(crate) fn parts_and_blocks(&self, blocks: Blocks<'_>) -> (Vec<Part>, Vec<u32>) {
        let mut parts = self.bounded(blocks);
        let part_at = |parts: &[Part], node: u32| parts.partition_point(|part| part.nodes.end <= node).min(parts.len() - 1);
        let mut of_blocks = Vec::with_capacity(blocks.len());
        let text = Feature::Text as usize;
        for block in blocks {
            let runs = blocks.runs_of(block.index());
            let node_of = |run: Option<&u32>| run.map_or(0, |&run| Blocks::run_node(run));
            let (first, last) = (part_at(&parts, node_of(runs.first())), part_at(&parts, node_of(runs.last())));
            let mut of_block = first;
            if first == last {
                parts[first].counts[text] = parts[first].counts[text].saturating_add(block.counts().words);
            } else {
                let mut most = 0;
                let starts: Vec<u32> = runs.iter().map(|&run| blocks.dom().span_of(Blocks::run_node(run)).start).collect();
                let mut words = vec![0u32; last - first + 1];
                for token in block.tokens() {
                    let at = token.spans.first().map_or(0, |span| span.start);
                    let run = starts.partition_point(|&start| start <= at).saturating_sub(1);
                    let part = part_at(&parts, node_of(runs.get(run)));
                    words[part.clamp(first, last) - first] += 1;
                }
                for (part, words) in (first..).zip(words) {
                    parts[part].counts[text] = parts[part].counts[text].saturating_add(words);
                    if words > most {
                        (of_block, most) = (part, words);
                    }
                }
            }
            of_blocks.push(of_block as u32);
        }
        // Renumbers the remaining parts.
        let mut left = 0;
        let numbers: Vec<u32> = parts
            .iter()
            .map(|part| {
                let number = left;
                left += u32::from(part.counts != [0; Feature::COUNT]);
                number
            })
            .collect();
        of_blocks.iter_mut().for_each(|part| *part = numbers[*part as usize]);
        parts.retain(|part| part.counts != [0; Feature::COUNT]);
        (parts, of_blocks)
    }

    /// The regions between boundaries with the elements that start in them, not counting words yet. At least one.
    fn bounded(&self, blocks: Blocks<'_>) -> Vec<Part> {
        let mut parts = vec![Part { nodes: 0..0, counts: [0; Feature::COUNT] }];
        let mut ends: Vec<u32> = Vec::new(); // of the listed elements that are open
        let start = |parts: &mut Vec<Part>, node: u32| {
            if let Some(last) = parts.last_mut() {
                last.nodes.end = node;
            }
            parts.push(Part { nodes: node..node, counts: [0; Feature::COUNT] });
        };
        for (node, record) in (0u32..).zip(blocks.dom().records()) {
            while ends.last().is_some_and(|end| *end <= node) {
                ends.pop();
                start(&mut parts, node);
            }
            if self.tags.contains(record.tag) {
                start(&mut parts, node);
                ends.push(record.end);
            } else if let Some((feature, part)) = Feature::of(record.tag).zip(parts.last_mut()) {
                part.counts[feature as usize] = part.counts[feature as usize].saturating_add(1);
            }
        }
        if let Some(last) = parts.last_mut() {
            last.nodes.end = blocks.dom().records().len() as u32;
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use crate::block::GapModel;
    use proptest::prelude::*;

    fn counts(html: &str, partition: GetBlockSet) -> Vec<(u32, u32, u32)> {
        let page = Page::parse(html.as_bytes());
        let parts = partition.parts(page.blocks());
        parts.iter().map(|part| (part.get(Feature::Text), part.get(Feature::Links), part.get(Feature::Objects))).collect()
    }

    #[test]
    fn markup_counts_where_it_is() {
        // A menu of three links has three.
        let menu = "<ul><li><a href=a>Home</a><li><a href=b>News</a><li><a href=c>Sport</a></ul><p>It rained.";
        assert_eq!(counts(menu, GetBlockSet::paper()), [(3, 3, 0), (2, 0, 0)]);
        // A picture belongs to its own `div`, not to the text after it, nor to the text before it.
        let picture = "<p>One two.</p><div><img src=a></div><p>Three.</p>";
        assert_eq!(counts(picture, GetBlockSet::paper()), [(2, 0, 0), (0, 0, 1), (1, 0, 0)]);
        // Text and markup after an inner element are separate from those before it.
        assert_eq!(
            counts("<div>One <p>two</p><img src=a> three four</div>", GetBlockSet::paper()),
            [(1, 0, 0), (1, 0, 0), (2, 0, 1)]
        );
    }

    #[test]
    fn listed_tags_are_not_features() {
        let page = Page::parse(b"<table><tr><td>a</td></tr></table><ol><li>b</ol>");
        let sum =
            |partition: GetBlockSet, feature| partition.parts(page.blocks()).iter().map(|part| part.get(feature)).sum::<u32>();
        assert_eq!((sum(GetBlockSet::paper(), Feature::Tables), sum(GetBlockSet::paper(), Feature::Lists)), (0, 1));
        assert_eq!(sum(GetBlockSet::html5(), Feature::Lists), 0);
    }

    #[test]
    fn inline_tags_divide_blocks() {
        let page = Page::parse(b"<p>one two <span>three four five</span> six");
        let (parts, of_blocks) = GetBlockSet::paper().parts_and_blocks(page.blocks());
        assert_eq!(parts.iter().map(|part| part.get(Feature::Text)).collect::<Vec<_>>(), [2, 3, 1]);
        assert_eq!(of_blocks, [1]);
    }

    proptest! {
        /// On any page, all words and elements are counted once, and parts agree with the segments by tags.
        #[test]
        fn parts_cover_the_page(html in proptest::collection::vec(prop_oneof![
            Just("<div>"), Just("</div>"), Just("<p>"), Just("<span>"), Just("</span>"), Just("<img src=a>"), Just("<a href=/>x</a> "),
            Just("<table><tr><td>"), Just("</table>"), Just("<ul><li>"), Just("</ul>"), Just("<hr>"), Just("word "), Just("<b>bold</b> "),
        ], 0..40)) {
            let html = html.concat();
            let page = Page::parse(html.as_bytes());
            for partition in [GetBlockSet::paper(), GetBlockSet::html5()] {
                let parts = partition.parts(page.blocks_by(GapModel::Tags));
                let sum = |feature| parts.iter().map(|part| part.get(feature)).sum::<u32>();
                let links = page.dom().nodes().filter(|node| node.tag() == Tag::A).count() as u32;
                prop_assert_eq!(sum(Feature::Links), links);
                prop_assert_eq!(sum(Feature::Text), page.blocks_by(GapModel::Tags).iter().map(|block| block.counts().words).sum::<u32>());
                let with_text = parts.iter().filter(|part| part.get(Feature::Text) > 0).count();
                use crate::segment::Segmenter;
                prop_assert_eq!(with_text, partition.segment(page.blocks_by(GapModel::Tags)).len());
            }
        }
    }
}
