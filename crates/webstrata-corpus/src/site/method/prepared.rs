//! The learned data of a site, prepared for one method: verdicts on the parts of a page, each with its reason.

use super::{MethodOptions, Places, SiteMethod};
use crate::site::blocks::{BlockTags, SiteBlock};
use crate::site::content_extractor::{ContentExtractorOptions, KnownBlocks};
use crate::site::digest::DigestOptions;
use crate::site::fingerprint::Fingerprint;
use crate::site::frequencies::{Templates, fused};
use crate::site::lin_ho::{TermEntropies, join_parts};
use crate::site::sample::{SamplePage, SiteSample, page_hash};
use crate::site::shingling::{SharedFragments, ShingledPage, ShinglingOptions};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use webstrata::block::Blocks;

/// A verdict on some atoms of a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartVerdict {
    pub(super) atoms: Range<usize>,
    pub(super) content: bool,
    pub(super) why: Why,
}

/// The numbers that a verdict depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Why {
    Ibdf { others: u32, pages: u32, options: ContentExtractorOptions },
    Place { others: u32, known: bool, share: f64 },
    Entropy { mean: f64, threshold: f64 },
    NoTerms,
    Shared { pages: u64, factor: u64 },
    Frequency { count: Option<u32>, min: u32 },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Why::Ibdf { others, pages, options } => {
                let (ibdf, theta) = (options.ibdf(others), options.theta);
                let sign = if ibdf > theta { ">" } else { "<=" };
                write!(f, "IBDF {ibdf:.2} {sign} {theta:.2}: {others} of {pages} other pages have this block")
            }
            Why::Place { known: false, others, .. } if others > 0 => {
                write!(f, "a template block: {others} other pages have it")
            }
            Why::Place { known: false, .. } => f.write_str("the template has no content in this place"),
            Why::Place { share, .. } => {
                write!(f, "{:.0}% of the pages with this place of the template have content there", share * 100.0)
            }
            Why::Entropy { mean, threshold } => {
                let sign = if mean < threshold { "<" } else { ">=" };
                write!(f, "mean entropy of its terms {mean:.2} {sign} {threshold:.1}")
            }
            Why::NoTerms => f.write_str("it has no terms"),
            Why::Shared { pages, factor } => {
                let sign = if pages < factor { "<" } else { ">=" };
                write!(f, "pages that share an element around it: {pages} {sign} {factor}")
            }
            Why::Frequency { count: Some(count), min } => write!(f, "its fingerprint occurs {count} >= {min} times in the corpus"),
            Why::Frequency { count: None, min } => write!(f, "its fingerprint occurs fewer than {min} times in the corpus"),
        }
    }
}

/// A site prepared for a method.
#[derive(Clone, Debug)]
pub struct Prepared {
    tags: BlockTags,
    /// The numbers of the pages learned from, by the hash of their source.
    known: HashMap<u64, u32>,
    judge: Judge,
}

#[derive(Clone, Debug)]
enum Judge {
    ContentExtractor(KnownBlocks, ContentExtractorOptions),
    Places(Box<Places>),
    LinHo { terms: TermEntropies, tables: bool },
    Shingling(SharedFragments, ShinglingOptions),
    Fingerprints(Arc<Templates>, u32),
}

impl Prepared {
    /// Prepares a method for a site from a sample of its pages; `None` if the sample lacks data that the method needs.
    #[must_use]
    pub fn new(method: SiteMethod, sample: &SiteSample, tags: BlockTags, options: &MethodOptions) -> Option<Prepared> {
        let known = (0..).zip(sample.pages()).map(|(number, page)| (page.source, number)).collect();
        let blocks = || sample.pages().map(SamplePage::blocks).collect::<Vec<Vec<SiteBlock>>>();
        let judge = match method {
            SiteMethod::ContentExtractor => {
                let options = options.content_extractor;
                Judge::ContentExtractor(KnownBlocks::new(&blocks(), options.epsilon), options)
            }
            SiteMethod::ContentExtractorPlaces => Judge::Places(Box::new(Places::new(&blocks(), options.content_extractor))),
            SiteMethod::LinHo => Judge::LinHo { terms: TermEntropies::new(&blocks()), tables: false },
            SiteMethod::LinHoTables => {
                let parts = |page: &SamplePage| join_parts(&page.blocks(), &page.table_parts);
                Judge::LinHo { terms: TermEntropies::new(&sample.pages().map(parts).collect::<Vec<_>>()), tables: true }
            }
            SiteMethod::Shingling => {
                let pages: Option<Vec<&ShingledPage>> = sample.pages().map(|page| page.shingles.as_ref()).collect();
                Judge::Shingling(SharedFragments::new(pages?, &options.shingling), options.shingling)
            }
            SiteMethod::Fingerprints => return None,
        };
        Some(Prepared { tags, known, judge })
    }

    /// Prepares [`SiteMethod::Fingerprints`], which needs the whole corpus instead of a site.
    #[must_use]
    pub fn fingerprints(templates: Arc<Templates>, tags: BlockTags, min: u32) -> Prepared {
        Prepared { tags, known: HashMap::new(), judge: Judge::Fingerprints(templates, min) }
    }

    /// The verdicts on the parts of a page, given by its atoms. Every atom is in one part.
    pub(super) fn judge(&self, atoms: Blocks<'_>) -> Vec<PartVerdict> {
        let own = self.known.get(&page_hash(atoms)).copied();
        let options = DigestOptions { tags: self.tags, ..DigestOptions::default() };
        let page = || SamplePage::from_atoms(atoms, &options);
        match &self.judge {
            Judge::ContentExtractor(known, options) => {
                let pages = known.pages() - u32::from(own.is_some());
                let verdict = |block: &SiteBlock| {
                    let others = known.others_with(block, own);
                    let why = Why::Ibdf { others, pages, options: *options };
                    PartVerdict { atoms: block.atoms.clone(), content: options.is_content(others), why }
                };
                page().blocks().iter().map(verdict).collect()
            }
            Judge::Places(places) => {
                let blocks = page().blocks();
                let of_block = |(block, place): (&SiteBlock, super::places::PlaceVerdict)| {
                    let why = Why::Place { others: place.others, known: place.share.is_some(), share: place.share.unwrap_or(0.0) };
                    PartVerdict { atoms: block.atoms.clone(), content: place.content, why }
                };
                blocks.iter().zip(places.judge(&blocks, own)).map(of_block).collect()
            }
            Judge::LinHo { terms, tables } => {
                let page = page();
                let mut parts = page.blocks();
                let mut ranges: Vec<Range<usize>> = parts.iter().map(|block| block.atoms.clone()).collect();
                if *tables {
                    ranges = join_ranges(&ranges, &page.table_parts);
                    parts = join_parts(&parts, &page.table_parts);
                }
                let means = terms.of_blocks(&parts, own.is_some());
                let verdict = |((block, atoms), mean): ((&SiteBlock, Range<usize>), f64)| {
                    let threshold = terms.threshold();
                    let why = if block.terms.is_empty() { Why::NoTerms } else { Why::Entropy { mean, threshold } };
                    PartVerdict { atoms, content: mean < threshold && !block.terms.is_empty(), why }
                };
                parts.iter().zip(ranges).zip(means).map(verdict).collect()
            }
            Judge::Shingling(known, options) => {
                let shingled = ShingledPage::from_atoms(atoms, options);
                let verdict = |(atom, pages): (usize, u64)| {
                    let why = Why::Shared { pages, factor: options.share_factor };
                    PartVerdict { atoms: atom..atom + 1, content: pages < options.share_factor, why }
                };
                known.sharing(&shingled, own).into_iter().enumerate().map(verdict).collect()
            }
            Judge::Fingerprints(templates, min) => {
                let verdict = |segment: webstrata::segment::Segment<'_>| {
                    let count = Fingerprint::new(&segment.text()).and_then(|print| templates.frequency(print));
                    let why = Why::Frequency { count, min: *min };
                    PartVerdict { atoms: segment.block_numbers(), content: count.is_none(), why }
                };
                fused(atoms, self.tags).iter().map(verdict).collect()
            }
        }
    }
}

/// The atoms of parts that consist of several blocks.
fn join_ranges(ranges: &[Range<usize>], starts: &[u32]) -> Vec<Range<usize>> {
    let ends = starts.iter().skip(1).map(|&end| end as usize).chain([ranges.len()]);
    let join = |(&start, end): (&u32, usize)| match ranges.get(start as usize..end) {
        Some([first, .., last]) => first.start..last.end,
        Some([one]) => one.clone(),
        _ => 0..0,
    };
    starts.iter().zip(ends).map(join).collect()
}
