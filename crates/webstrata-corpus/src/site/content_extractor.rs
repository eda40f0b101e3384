//! ContentExtractor (Debnath, Mitra, Pal, Giles, TKDE 2005, 4.4, Algorithms 1 and 2): blocks that occur on many pages of a site are not content.
//!
//! A block is a vector: its ten counts, each divided by the largest among all blocks, and a 1 for each of its terms. Two
//! blocks are the same if the cosine of their vectors is above `epsilon`. The inverse block document frequency of a block is
//! `1 / (n + 1)`, where n other pages have the same block; blocks with more than `theta` are content.
//!
//! The paper compares all pairs. Here equal blocks are merged first (templates are equal blocks), and the rest are only compared if
//! they share enough terms to reach the cosine, found by an index (`similar.rs`) with this bound. For a vector with
//! `a` terms and counts of squared norm `c`, another with `b` and `d`, and `o` shared terms:
//!
//! ```text
//! cos <= (o + sqrt(c d)) / sqrt((a + c) (b + d)),   b >= o
//! ```
//!
//! With b = o, its minimum, and y = sqrt(d), the bound is above epsilon if `o + sqrt(c) y > epsilon sqrt(a + c) sqrt(o + y²)`. The difference
//! is concave in y and largest at `y² = c o / (epsilon² (a + c) - c)`, where it is `o - sqrt(o) sqrt(epsilon² (a + c) - c)`. So at least
//! `epsilon² (a + c) - c` terms are shared, whatever the other vector is. The decisions are those of comparing all pairs, as a property test shows.

use super::blocks::{FEATURES, Maxima, SiteBlock};
use super::file::{self, FileError};
use super::similar::{SimilarSets, overlap};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContentExtractorOptions {
    /// Cosine above which two blocks are the same.
    pub epsilon: f64,
    /// Inverse block document frequency above which a block is content.
    pub theta: f64,
}

impl ContentExtractorOptions {
    /// The paper's options: `epsilon` is 0.9 (4.4.1). It does not give `theta`, but two pages are enough (section 4), and with two
    /// pages a block has a frequency of 1 or 1/2: a block on both is not content if `theta` is at least 1/2.
    #[must_use]
    pub const fn paper() -> Self {
        ContentExtractorOptions { epsilon: 0.9, theta: 0.5 }
    }

    /// Whether a block that this many other pages have is content.
    #[must_use]
    pub fn is_content(&self, others: u32) -> bool {
        self.ibdf(others) > self.theta
    }

    /// The inverse block document frequency of a block that this many other pages have.
    #[must_use]
    pub fn ibdf(&self, others: u32) -> f64 {
        1.0 / (f64::from(others) + 1.0)
    }
}

impl Default for ContentExtractorOptions {
    /// The paper's options.
    fn default() -> Self {
        ContentExtractorOptions::paper()
    }
}

/// A block as a vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Vector {
    pub(super) terms: Vec<u64>,
    pub(super) values: [u32; FEATURES],
}

impl Vector {
    fn new(block: &SiteBlock) -> Vector {
        Vector { terms: block.terms.clone(), values: block.values }
    }

    /// The squared norm of its counts.
    fn counts(&self, maxima: &Maxima) -> f64 {
        maxima.shares(&self.values).iter().map(|share| share * share).sum()
    }

    /// The cosine of two vectors. Empty vectors are similar to each other only.
    pub(super) fn cosine(&self, other: &Vector, maxima: &Maxima) -> f64 {
        let (mine, theirs) = (maxima.shares(&self.values), maxima.shares(&other.values));
        let dot = overlap(&self.terms, &other.terms) as f64 + mine.iter().zip(theirs).map(|(a, b)| a * b).sum::<f64>();
        let norms = (self.terms.len() as f64 + self.counts(maxima)) * (other.terms.len() as f64 + other.counts(maxima));
        if norms > 0.0 { dot / norms.sqrt() } else { f64::from(u8::from(self == other)) }
    }

    /// Minimum number of terms that it shares with any vector whose cosine with it is above `epsilon`.
    fn min_shared(&self, maxima: &Maxima, epsilon: f64) -> usize {
        let (terms, c) = (self.terms.len(), self.counts(maxima));
        let min_shared = epsilon * epsilon * (terms as f64 + c) - c;
        // Some slack, because floating-point sums are not exact.
        (min_shared - 1e-9).ceil().max(0.0) as usize
    }
}

/// The blocks of a site's pages, and which of them are the same.
///
/// ```
/// use webstrata::{Page, segment::GetBlockSet};
/// use webstrata_corpus::site::{blocks::block_set, content_extractor::ContentExtractor};
/// let page = |text: &str| {
///     let html = format!("<div><a href=/>Home</a> <a href=/n>News</a></div><p>{text}</p>");
///     block_set(&Page::parse(html.as_bytes()), &GetBlockSet::html5())
/// };
/// let pages = [page("It rains in the valley."), page("Snow fell on Tuesday night."), page("The sun is back again.")];
/// let found = ContentExtractor::default().run(&pages);
/// assert_eq!(found.content, [[false, true], [false, true], [false, true]]);
/// assert_eq!(found.template.apply(&page("A page that came later.")), [false, true]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContentExtractor {
    /// Parameters.
    pub options: ContentExtractorOptions,
}

/// ContentExtractor's verdicts on a site.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// For each page and block: how many other pages have it.
    pub frequency: Vec<Vec<u32>>,
    /// For each page and block: whether it is content.
    pub content: Vec<Vec<bool>>,
    /// The blocks that are not content, for later pages.
    pub template: BlockTemplate,
}

impl ContentExtractor {
    /// Classifies the blocks of some pages of one site.
    #[must_use]
    pub fn run<P: AsRef<[SiteBlock]>>(&self, pages: &[P]) -> Extracted {
        let known = KnownBlocks::new(pages, self.options.epsilon);
        let frequency: Vec<Vec<u32>> = (0..)
            .zip(pages)
            .map(|(page, blocks): (u32, &P)| blocks.as_ref().iter().map(|block| known.others_with(block, Some(page))).collect())
            .collect();
        let content = frequency.iter().map(|page| page.iter().map(|&n| self.options.is_content(n)).collect()).collect();
        let template = known
            .vectors
            .into_iter()
            .filter(|known| known.is_template(&self.options))
            .map(|known| (known.vector, known.same.len() as u32))
            .collect();
        Extracted { frequency, content, template: BlockTemplate::new(self.options, known.maxima, template) }
    }
}

/// The distinct blocks of some pages of a site, and which of them are the same.
#[derive(Clone, Debug)]
pub struct KnownBlocks {
    epsilon: f64,
    pages: u32,
    maxima: Maxima,
    /// Equal vectors, merged in an ordered map so that nothing depends on hashes.
    number_of: BTreeMap<(Vec<u64>, [u32; FEATURES]), u32>,
    pub(super) vectors: Vec<KnownVector>,
    index: SimilarSets,
}

/// A distinct block.
#[derive(Clone, Debug)]
pub(super) struct KnownVector {
    vector: Vector,
    /// Pages that have it.
    pages: RoaringBitmap,
    /// Pages that have it or one like it.
    same: RoaringBitmap,
}

impl KnownVector {
    /// Whether it is redundant: too many pages have it.
    pub(super) fn is_template(&self, options: &ContentExtractorOptions) -> bool {
        !options.is_content((self.same.len() as u32).saturating_sub(1))
    }
}

impl KnownBlocks {
    /// Learns the blocks of pages; their numbers are their positions.
    #[must_use]
    pub fn new<P: AsRef<[SiteBlock]>>(pages: &[P], epsilon: f64) -> Self {
        let maxima = Maxima::new(pages.iter().flat_map(|page| page.as_ref()));
        let mut number_of: BTreeMap<(Vec<u64>, [u32; FEATURES]), u32> = BTreeMap::new();
        let mut vectors: Vec<KnownVector> = Vec::new();
        for (page, blocks) in (0..).zip(pages) {
            for block in blocks.as_ref() {
                let number = *number_of.entry((block.terms.clone(), block.values)).or_insert_with(|| {
                    let [pages, same] = [RoaringBitmap::new(), RoaringBitmap::new()];
                    vectors.push(KnownVector { vector: Vector::new(block), pages, same });
                    vectors.len() as u32 - 1
                });
                vectors[number as usize].pages.insert(page);
            }
        }
        let min_shared: Vec<usize> = vectors.iter().map(|known| known.vector.min_shared(&maxima, epsilon)).collect();
        let index = SimilarSets::new(
            vectors.iter().zip(&min_shared).map(|(known, &min_shared)| (known.vector.terms.as_slice(), min_shared)),
        );
        let mut same: Vec<RoaringBitmap> = vectors.iter().map(|known| known.pages.clone()).collect();
        for (at, known) in vectors.iter().enumerate() {
            let candidates = index.candidates(&known.vector.terms, min_shared[at]);
            for other in candidates.into_iter().map(|other| other as usize).filter(|&other| other < at) {
                if known.vector.cosine(&vectors[other].vector, &maxima) > epsilon {
                    same[at] |= &vectors[other].pages;
                    same[other] |= &known.pages;
                }
            }
        }
        vectors.iter_mut().zip(same).for_each(|(known, same)| known.same = same);
        KnownBlocks { epsilon, pages: pages.len() as u32, maxima, number_of, vectors, index }
    }

    /// Pages that were learned from.
    #[must_use]
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// How many other pages have this block. `own` is the number of its page if that was learned from.
    #[must_use]
    pub fn others_with(&self, block: &SiteBlock, own: Option<u32>) -> u32 {
        let others = |pages: &RoaringBitmap| pages.len() as u32 - u32::from(own.is_some_and(|own| pages.contains(own)));
        match self.number(block) {
            Some(number) => others(&self.vectors[number].same),
            None => {
                let mut same = RoaringBitmap::new();
                self.similar(block).for_each(|(number, _)| same |= &self.vectors[number].pages);
                others(&same)
            }
        }
    }

    /// The index of the distinct block that is equal to this one.
    pub(super) fn number(&self, block: &SiteBlock) -> Option<usize> {
        self.number_of.get(&(block.terms.clone(), block.values)).map(|&number| number as usize)
    }

    /// Indices of the distinct blocks that are the same as this one, each with the cosine.
    pub(super) fn similar(&self, block: &SiteBlock) -> impl Iterator<Item = (usize, f64)> {
        self.similar_vectors(Vector::new(block))
    }

    /// Indices of the distinct blocks that are the same as the one with this index.
    pub(super) fn similar_to(&self, number: usize) -> Vec<usize> {
        self.similar_vectors(self.vectors[number].vector.clone()).map(|(number, _)| number).collect()
    }

    fn similar_vectors(&self, vector: Vector) -> impl Iterator<Item = (usize, f64)> {
        let candidates = self.index.candidates(&vector.terms, vector.min_shared(&self.maxima, self.epsilon));
        let cosine = move |number: u32| (number as usize, self.vectors[number as usize].vector.cosine(&vector, &self.maxima));
        candidates.into_iter().map(cosine).filter(|&(_, cosine)| cosine > self.epsilon)
    }
}

/// First line of a saved template.
const MAGIC: &[u8] = b"webstrata template 1\n";

/// Maximum number of blocks in a template file.
const MAX_BLOCKS: usize = 1_000_000;

/// The blocks of a site that are not content. 5 to 10 pages are enough to learn it; any later page is judged by it alone.
#[derive(Clone, Debug)]
pub struct BlockTemplate {
    stored: Stored,
    min_shared: Vec<usize>,
    index: SimilarSets,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stored {
    options: ContentExtractorOptions,
    maxima: Maxima,
    /// Vectors, and the pages that have them.
    blocks: Vec<(Vector, u32)>,
}

impl BlockTemplate {
    fn new(options: ContentExtractorOptions, maxima: Maxima, blocks: Vec<(Vector, u32)>) -> Self {
        let min_shared: Vec<usize> = blocks.iter().map(|(vector, _)| vector.min_shared(&maxima, options.epsilon)).collect();
        let index = SimilarSets::new(
            blocks.iter().zip(&min_shared).map(|((vector, _), &min_shared)| (vector.terms.as_slice(), min_shared)),
        );
        BlockTemplate { stored: Stored { options, maxima, blocks }, min_shared, index }
    }

    /// Number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.min_shared.len()
    }

    /// Whether there are no blocks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.min_shared.is_empty()
    }

    /// For each block of a page: whether it is content, that is, not in the template.
    #[must_use]
    pub fn apply(&self, page: &[SiteBlock]) -> Vec<bool> {
        page.iter().map(|block| self.pages_with(block) == 0).collect()
    }

    /// Number of pages that had this block when the template was learned; 0 if it is not in the template.
    #[must_use]
    pub fn pages_with(&self, block: &SiteBlock) -> u32 {
        let Stored { options, maxima, blocks } = &self.stored;
        let vector = Vector::new(block);
        let candidates = self.index.candidates(&vector.terms, vector.min_shared(maxima, options.epsilon));
        let known = candidates.into_iter().filter_map(|at| blocks.get(at as usize));
        known.filter(|(known, _)| known.cosine(&vector, maxima) > options.epsilon).map(|&(_, pages)| pages).max().unwrap_or(0)
    }

    /// Serialises the template.
    ///
    /// # Errors
    /// If it cannot be serialised, which does not happen in memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        file::pack(MAGIC, &self.stored)
    }

    /// Reads a serialised template.
    ///
    /// # Errors
    /// If the bytes are not a template, or are damaged or inconsistent.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let stored: Stored = file::unpack(MAGIC, bytes)?;
        let fit = |x: f64| x.is_finite() && (0.0..=1.0).contains(&x);
        if !fit(stored.options.epsilon) || !fit(stored.options.theta) || stored.blocks.len() > MAX_BLOCKS {
            return Err(FileError::Inconsistent("impossible parameters"));
        }
        if stored.blocks.iter().any(|(vector, _)| !vector.terms.is_sorted_by(|a, b| a < b)) {
            return Err(FileError::Inconsistent("terms out of order"));
        }
        Ok(BlockTemplate::new(stored.options, stored.maxima, stored.blocks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn block(terms: &[u64], values: &[u32]) -> SiteBlock {
        let mut block = SiteBlock { terms: terms.to_vec(), ..SiteBlock::default() };
        block.terms.sort_unstable();
        block.terms.dedup();
        block.values[0] = terms.len() as u32;
        values.iter().enumerate().for_each(|(at, &value)| block.values[at + 1] = value);
        block
    }

    /// As in the paper: compares all blocks with all blocks of other pages.
    fn all_pairs(pages: &[Vec<SiteBlock>], epsilon: f64) -> Vec<Vec<u32>> {
        let maxima = Maxima::new(pages.iter().flatten());
        let of_block = |page: usize, block: &SiteBlock| {
            let others = pages.iter().enumerate().filter(|&(other, _)| other != page);
            others
                .filter(|(_, blocks)| blocks.iter().any(|b| Vector::new(b).cosine(&Vector::new(block), &maxima) > epsilon))
                .count() as u32
        };
        pages.iter().enumerate().map(|(at, page)| page.iter().map(|block| of_block(at, block)).collect()).collect()
    }

    fn any_block() -> impl Strategy<Value = SiteBlock> {
        (prop::collection::vec(0u64..30, 0..26), prop::collection::vec(0u32..4, 0..9))
            .prop_map(|(terms, values)| block(&terms, &values))
    }

    /// Blocks, and copies that differ from them in one term: pairs on both sides of the bound.
    fn any_pages() -> impl Strategy<Value = Vec<Vec<SiteBlock>>> {
        prop::collection::vec(any_block(), 1..5).prop_flat_map(|stock| {
            let changed =
                (prop::sample::select(stock), prop::option::of(0u64..30), any::<bool>()).prop_map(|(mut block, term, drop)| {
                    if drop {
                        block.terms.pop();
                    }
                    block.terms.extend(term);
                    block.terms.sort_unstable();
                    block.terms.dedup();
                    block
                });
            prop::collection::vec(prop::collection::vec(prop_oneof![2 => changed, 1 => any_block()], 0..5), 0..8)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn decisions_are_those_of_all_pairs(pages in any_pages(), epsilon in prop::sample::select(vec![0.5, 0.7, 0.9, 0.97])) {
            let extractor = ContentExtractor { options: ContentExtractorOptions { epsilon, ..Default::default() } };
            let found = extractor.run(&pages);
            prop_assert_eq!(&found.frequency, &all_pairs(&pages, epsilon));
            // A saved template gives the same verdicts on the same pages as the run that made it.
            let template = BlockTemplate::from_bytes(&found.template.to_bytes().unwrap()).unwrap();
            for (page, content) in pages.iter().zip(&found.content) {
                for (kept, content) in template.apply(page).into_iter().zip(content) {
                    prop_assert!(!kept || *content);
                }
            }
        }
    }

    #[test]
    fn an_inconsistent_template_is_refused() {
        let pages: Vec<Vec<SiteBlock>> = (0..4).map(|n| vec![block(&[1, 2, 3], &[]), block(&[n, n + 10, n + 20], &[])]).collect();
        let file = ContentExtractor::default().run(&pages).template.to_bytes().unwrap();
        for at in 0..file.len() {
            let mut broken = file.clone();
            broken[at] ^= 0x81;
            assert!(BlockTemplate::from_bytes(&broken).is_err());
            if at >= MAGIC.len() && at < file.len() - 8 {
                file::reseal(&mut broken);
                if let Ok(template) = BlockTemplate::from_bytes(&broken) {
                    let _ = template.apply(&pages[0]);
                }
            }
        }
    }
}
