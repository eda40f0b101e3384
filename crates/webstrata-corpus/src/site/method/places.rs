//! Content at a fixed place of a template (Debnath, Mitra, Pal, Giles, TKDE 2005, 4.4.2): the template is identified with fewer pages than
//! the site has, and "the primary content block that appears at a fixed place in the template can be extracted using the template".
//!
//! The template consists of the blocks that ContentExtractor finds redundant. A *place* is the part of a page from one of them to the
//! next; the paper does not define it further. A place has content if at least half of the pages with that block have other text after
//! it. On a later page, blocks that are not in the template are content if their place has content. So a block that is new on a page
//! but is in a place without content on other pages, such as a new advertisement, is not kept.

use crate::site::blocks::SiteBlock;
use crate::site::content_extractor::{ContentExtractorOptions, KnownBlocks};
use std::collections::{BTreeMap, BTreeSet};

/// Minimum share of the pages with a template block that must have content after it.
const MIN_SHARE: f64 = 0.5;

/// The places of a site's template.
///
/// ```
/// use webstrata::{Page, segment::GetBlockSet};
/// use webstrata_corpus::site::{blocks::block_set, method::Places};
/// let page = |text: &str, extra: &str| {
///     let html = format!("<div>Home News</div><p>{text}</p><div>All rights reserved</div>{extra}");
///     block_set(&Page::parse(html.as_bytes()), &GetBlockSet::html5())
/// };
/// let pages = [page("It rains here.", ""), page("Snow fell tonight.", ""), page("Sun again.", "")];
/// let places = Places::new(&pages, Default::default());
/// let later = page("Fog came down.", "<div>Win a car!</div>");
/// let kept = places.content(&later, None);
/// assert_eq!(kept.iter().filter(|kept| **kept).count(), 1, "the text, not the advertisement: {kept:?}");
/// ```
#[derive(Clone, Debug)]
pub struct Places {
    options: ContentExtractorOptions,
    known: KnownBlocks,
    /// For each distinct block: the template block that it matches.
    template_of: Vec<Option<usize>>,
    /// For each template block (`None` is the start of the page): the number of pages with it, and of those with content after it.
    places: BTreeMap<Option<usize>, (u32, u32)>,
}

/// The verdict on a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlaceVerdict {
    pub(super) content: bool,
    /// Other pages with the block.
    pub(super) others: u32,
    /// Share of the pages with content in its place; `None` for template blocks and places without content.
    pub(super) share: Option<f64>,
}

impl Places {
    /// Learns the template of pages of one design.
    #[must_use]
    pub fn new<P: AsRef<[SiteBlock]>>(pages: &[P], options: ContentExtractorOptions) -> Places {
        let known = KnownBlocks::new(pages, options.epsilon);
        let mut places = Places { options, template_of: Vec::new(), known, places: BTreeMap::new() };
        places.template_of = places.templates();
        for (number, page) in (0..).zip(pages) {
            let mut at = None;
            let (mut seen, mut full) = (BTreeSet::from([None]), BTreeSet::new());
            for block in page.as_ref() {
                match places.template(block, Some(number)) {
                    Some(template) => {
                        at = Some(template);
                        seen.insert(at);
                    }
                    None if !block.terms.is_empty() => {
                        full.insert(at);
                    }
                    None => {}
                }
            }
            for place in seen {
                let counts = places.places.entry(place).or_default();
                counts.0 += 1;
                counts.1 += u32::from(full.contains(&place));
            }
        }
        places
    }

    /// For each distinct template block: the first block that it matches, directly or through others.
    fn templates(&self) -> Vec<Option<usize>> {
        let is_template = |at: usize| self.known.vectors[at].is_template(&self.options);
        let mut root: Vec<usize> = (0..self.known.vectors.len()).collect();
        for at in (0..root.len()).filter(|&at| is_template(at)) {
            for other in self.known.similar_to(at).into_iter().filter(|&other| other < at && is_template(other)) {
                let (a, b) = (find(&mut root, at), find(&mut root, other));
                root[a.max(b)] = a.min(b);
            }
        }
        (0..root.len()).map(|at| is_template(at).then(|| find(&mut root, at))).collect()
    }

    /// The template block that this block matches, if it is redundant and has any terms to be recognised by.
    fn template(&self, block: &SiteBlock, own: Option<u32>) -> Option<usize> {
        if block.terms.is_empty() || self.options.is_content(self.known.others_with(block, own)) {
            return None;
        }
        if let Some(number) = self.known.number(block) {
            return self.template_of[number];
        }
        let same = self.known.similar(block).filter_map(|(number, cosine)| Some((self.template_of[number]?, cosine)));
        same.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(template, _)| template)
    }

    /// For each block of a page: whether it is content. `own` is the page's number if it was learned from.
    #[must_use]
    pub fn content(&self, page: &[SiteBlock], own: Option<u32>) -> Vec<bool> {
        self.judge(page, own).into_iter().map(|verdict| verdict.content).collect()
    }

    pub(super) fn judge(&self, page: &[SiteBlock], own: Option<u32>) -> Vec<PlaceVerdict> {
        let mut at = None;
        let judge = |block: &SiteBlock| {
            let others = self.known.others_with(block, own);
            if let Some(template) = self.template(block, own) {
                at = Some(template);
                return PlaceVerdict { content: false, others, share: None };
            }
            let (pages, full) = self.places.get(&at).copied().unwrap_or_default();
            let share = f64::from(full) / f64::from(pages.max(1));
            let fits = full > 0 && share >= MIN_SHARE && self.options.is_content(others);
            PlaceVerdict { content: fits && !block.terms.is_empty(), others, share: fits.then_some(share) }
        };
        page.iter().map(judge).collect()
    }
}

fn find(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}
