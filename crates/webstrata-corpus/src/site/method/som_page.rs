//! The segments of a page by its site's SOM tree (Fernandes et al. 2011): regions of text, each with its class.
//!
//! A segment is all text of a page in one class, so it may consist of several pieces with other classes between them.

use crate::site::report::{MIN_CONSTANCY, MIN_TEMPLATE_PAGES};
use crate::site::som::{Class, PageTree, PrunedSom, Som};
use std::ops::{Deref, Range};
use webstrata::block::Blocks;
use webstrata::segment::{Segmentation, Segments};

/// A class of segments, with the data that a page needs.
#[derive(Clone, Debug, PartialEq)]
pub struct SomClass {
    /// Path from the segment to the root.
    pub label: String,
    /// Pages of the site with it.
    pub pages: u64,
    /// Share of its pages (of a sample of them) with its most frequent text.
    pub constancy: f64,
    /// Whether it is part of the site's template.
    pub template: bool,
}

impl From<&Class> for SomClass {
    fn from(class: &Class) -> Self {
        let pages = class.pages.len();
        let template = pages >= MIN_TEMPLATE_PAGES && class.constancy >= MIN_CONSTANCY;
        SomClass { label: class.label.clone(), pages, constancy: class.constancy, template }
    }
}

/// A segment of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct SomRegion {
    /// Its class; `None` for text in a place that no page of the site had.
    pub class: Option<SomClass>,
    /// Indices of its pieces in [`SomPage::pieces`], ascending.
    pub pieces: Vec<usize>,
}

/// The segments of a page.
///
/// ```
/// use webstrata::{Page, block::GapModel};
/// use webstrata_corpus::site::{method::SomPage, som::{PageTree, Som, SomOptions}};
/// let html = |n: u32| format!("<div id=menu><a href=/>Home</a></div><h1>Page {n}</h1><p>Text {n}.</p>");
/// let mut som = Som::default();
/// (0..10).for_each(|n| assert!(som.add(n, &PageTree::new(&Page::parse(html(n).as_bytes())))));
/// let unseen = html(11);
/// let page = Page::parse(unseen.as_bytes());
/// let atoms = page.blocks_by(GapModel::Tags);
/// let found = SomPage::new(atoms, &som.pruned(&SomOptions::default()));
/// let labels: Vec<&str> = found.regions.iter().filter_map(|region| Some(region.class.as_ref()?.label.as_str())).collect();
/// assert_eq!(labels, ["a/href/div/id/body/html", "h1/body/html", "p/body/html"]);
/// assert_eq!(found.pieces(atoms).get(1).unwrap().text(), "Page 11");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SomPage {
    /// The segments, in the order of their first pieces.
    pub regions: Vec<SomRegion>,
    /// The atoms of each piece; together, the pieces cover all atoms of the page.
    pieces: Vec<Range<u32>>,
}

impl SomPage {
    /// Matches a site's tree against a page, given by its atoms.
    #[must_use]
    pub fn new<S: Deref<Target = Som>>(atoms: Blocks<'_>, pruned: &PrunedSom<S>) -> SomPage {
        let tree = PageTree::from_blocks(atoms);
        let segments = pruned.segments(&tree);
        let mut segment_of: Vec<Option<u32>> = vec![None; tree.nodes.len()];
        for (number, segment) in (0..).zip(&segments) {
            segment.leaves.iter().for_each(|&leaf| segment_of[leaf] = Some(number));
        }
        let class = |class: Option<usize>| class.and_then(|class| pruned.classes().get(class)).map(SomClass::from);
        let mut regions: Vec<SomRegion> =
            segments.iter().map(|segment| SomRegion { class: class(segment.class), pieces: Vec::new() }).collect();
        let mut pieces: Vec<Range<u32>> = Vec::new();
        let mut last: Option<u32> = None;
        for atom in atoms {
            let leaf = atom.runs().next().and_then(|run| tree.leaf_of(run));
            let (segment, number) = (leaf.and_then(|leaf| segment_of[leaf]), atom.index() as u32);
            match pieces.last_mut() {
                Some(piece) if segment == last => piece.end = number + 1,
                _ => {
                    if let Some(region) = segment.and_then(|segment| regions.get_mut(segment as usize)) {
                        region.pieces.push(pieces.len());
                    }
                    pieces.push(number..number + 1);
                }
            }
            last = segment;
        }
        regions.retain(|region| !region.pieces.is_empty());
        regions.sort_by_key(|region| region.pieces[0]);
        SomPage { regions, pieces }
    }

    /// The pieces as segments of the page's atoms.
    #[must_use]
    pub fn pieces<'p>(&self, atoms: Blocks<'p>) -> Segments<'p> {
        Segments::new(atoms, Segmentation::from_blocks(self.pieces.iter().map(|piece| piece.start), atoms.len()))
    }
}
