//! Facts about a site, and what they say about the blocks of a page: evidence that a single page lacks.
//!
//! Three signals, each a share between 0 and 1 of the site's other pages: those with a block's **fingerprint**, those with
//! the same block by ContentExtractor's cosine (**IBDF**), and those with the same text in the same place (**SOM**: the most
//! frequent texts of the block's segment class). Together they shift the logit of a block being content; [`Signals`] weights them.

use super::blocks::{BlockTags, SiteBlock, block_set_from_atoms};
use super::content_extractor::{BlockTemplate, ContentExtractor, ContentExtractorOptions};
use super::digest::Digest;
use super::fingerprint::Fingerprint;
use super::sample::{SamplePage, SiteSample};
use super::som::{PageTree, PrunedSom, Som, SomOptions};
use std::collections::BTreeMap;
use std::sync::Arc;
use webstrata::Page;
use webstrata::block::{BlockTable, Blocks, GapModel};
use webstrata::label::strata::{SiteEvidence, SiteSignals};

/// Minimum number of pages for there to be any evidence about a site.
pub const MIN_PAGES: u64 = 3;

/// The `theta` for blocks that count as evidence: at least two other pages must have them, because two pages may share a block by
/// chance.
const EVIDENCE_THETA: f64 = 0.34;

/// Maximum number of fingerprints kept per site, 16 bytes each; the most frequent are kept.
pub const MAX_FINGERPRINTS: usize = 200_000;

/// Weights of the signals: the amount that a share of 1 subtracts from the logit of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signals {
    /// Weight of fingerprints.
    pub fingerprints: f32,
    /// Weight of ContentExtractor's blocks.
    pub ibdf: f32,
    /// Weight of texts that recur in their segment class.
    pub som: f32,
}

impl Default for Signals {
    fn default() -> Self {
        Signals { fingerprints: 3.0, ibdf: 1.5, som: 1.5 }
    }
}

/// Facts about a site.
#[derive(Clone, Debug)]
pub struct SiteFacts {
    pub(super) pages: u64,
    /// For each fingerprint: the number of pages with it, if there are at least two.
    pub(super) fingerprints: BTreeMap<u64, u32>,
    pub(super) template: BlockTemplate,
    /// Pages that the template was learned from.
    pub(super) template_pages: u32,
    /// The tags that divided pages into blocks.
    pub(super) tags: BlockTags,
    pub(super) som: Arc<Som>,
}

/// The distinct fingerprints of a page's blocks; blocks without letters have none.
#[must_use]
pub(super) fn fingerprints_of(page: &Page<'_>) -> Vec<u64> {
    let mut fingerprints: Vec<u64> =
        page.blocks().iter().filter_map(|block| Fingerprint::new(&block.text())).map(Fingerprint::short).collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    fingerprints
}

/// Collects the facts about a site from its pages, in any order.
///
/// ```
/// use webstrata::{Page, label::strata::SiteSignals};
/// use webstrata_corpus::site::{digest::Digest, facts::{FactsBuilder, Signals}};
/// let html = |n: u32| format!("<div>We have moved to a new building in the north.</div><p>Text number {} of this page.", "x".repeat(n as usize));
/// let mut builder = FactsBuilder::default();
/// for n in 1..6 {
///     builder.add(&Digest::new(&Page::parse(html(n).as_bytes()), "a.org", n, "page"));
/// }
/// let page = html(9);
/// let page = Page::parse(page.as_bytes());
/// let shifts = builder.finish().judge(Signals::default()).shifts(page.blocks());
/// assert!(shifts[0] > 3.0 && shifts[1] == 0.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct FactsBuilder {
    pages: u64,
    fingerprints: BTreeMap<u64, u32>,
    sample: SiteSample,
    tags: BlockTags,
    som: Som,
}

impl FactsBuilder {
    /// Adds a page.
    pub fn add(&mut self, page: &Digest) {
        self.add_if(page, |_| true);
    }

    /// Adds a page, but counts only fingerprints that may occur on other pages: most do not, and need not be counted.
    pub(super) fn add_if(&mut self, page: &Digest, again: impl Fn(u64) -> bool) {
        if !self.som.add(page.number, &page.tree) {
            return;
        }
        self.pages += 1;
        let known: Vec<u64> =
            page.fingerprints.iter().copied().filter(|&print| self.fingerprints.contains_key(&print) || again(print)).collect();
        for print in known {
            *self.fingerprints.entry(print).or_default() += 1;
        }
        self.tags = page.tags;
        self.sample.add(page.number, page.sample.clone());
    }

    /// Continues from facts learned before. Fingerprints that were on only one page have been forgotten.
    #[must_use]
    pub(super) fn resume(facts: SiteFacts, sample: SiteSample) -> Self {
        let SiteFacts { pages, fingerprints, tags, som, .. } = facts;
        FactsBuilder { pages, fingerprints, sample, tags, som: Arc::unwrap_or_clone(som) }
    }

    /// The pages kept with their blocks.
    #[must_use]
    pub fn sample(&self) -> &SiteSample {
        &self.sample
    }

    /// The tree so far.
    #[must_use]
    pub fn som(&self) -> &Som {
        &self.som
    }

    /// Returns the facts.
    #[must_use]
    pub fn finish(self) -> SiteFacts {
        let mut fingerprints: Vec<(u32, u64)> =
            self.fingerprints.into_iter().filter(|&(_, n)| n > 1).map(|(print, n)| (n, print)).collect();
        fingerprints.sort_unstable_by(|a, b| b.cmp(a));
        fingerprints.truncate(MAX_FINGERPRINTS);
        let blocks: Vec<Vec<SiteBlock>> = self.sample.pages().map(SamplePage::blocks).collect();
        let options = ContentExtractorOptions { theta: EVIDENCE_THETA, ..ContentExtractorOptions::default() };
        let template = ContentExtractor { options }.run(&blocks).template;
        SiteFacts {
            pages: self.pages,
            fingerprints: fingerprints.into_iter().map(|(n, print)| (print, n)).collect(),
            template,
            template_pages: blocks.len() as u32,
            tags: self.tags,
            som: Arc::new(self.som),
        }
    }
}

impl SiteFacts {
    /// Pages that it was learned from.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// The blocks of the site that are not content.
    #[must_use]
    pub fn template(&self) -> &BlockTemplate {
        &self.template
    }

    /// The merged tree.
    #[must_use]
    pub fn som(&self) -> &Som {
        &self.som
    }

    /// Prepares the facts for judging pages.
    #[must_use]
    pub fn judge(self, signals: Signals) -> SiteJudge {
        let pruned = PrunedSom::new(Arc::clone(&self.som), &SomOptions::default());
        SiteJudge { facts: self, signals, pruned }
    }
}

/// A site's facts, ready to judge pages.
#[derive(Clone, Debug)]
pub struct SiteJudge {
    facts: SiteFacts,
    signals: Signals,
    pruned: PrunedSom<Arc<Som>>,
}

/// Evidence of the site about a block, as shares of the site's other pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Pages with its fingerprint.
    pub fingerprints: f32,
    /// Pages with the same block by cosine.
    pub ibdf: f32,
    /// Pages with the same text in the same place.
    pub som: f32,
}

impl SiteJudge {
    /// Changes the weights.
    #[must_use]
    pub fn with(self, signals: Signals) -> SiteJudge {
        SiteJudge { signals, ..self }
    }

    /// The facts.
    #[must_use]
    pub fn facts(&self) -> &SiteFacts {
        &self.facts
    }

    /// The pruned tree.
    #[must_use]
    pub fn pruned(&self) -> &PrunedSom<Arc<Som>> {
        &self.pruned
    }

    /// Returns the evidence for [`webstrata::label::strata::StrataLabeller::site`].
    #[must_use]
    pub fn evidence(self) -> SiteEvidence {
        SiteEvidence::from_signals(Arc::new(self))
    }

    /// The evidence of the site about each block of a page (see [`Page::blocks`]).
    #[must_use]
    pub fn shares(&self, blocks: Blocks<'_>) -> Vec<Shares> {
        let facts = &self.facts;
        let mut shares = vec![Shares::default(); blocks.len()];
        if facts.pages < MIN_PAGES {
            return shares;
        }
        let table = BlockTable::new(blocks.dom(), &blocks.options().gaps(GapModel::Tags));
        let atoms = table.with(blocks.dom());
        let others = |count: u32, pages: u64| (count.saturating_sub(1) as f32 / pages.saturating_sub(1).max(1) as f32).min(1.0);
        let tree = PageTree::from_blocks(atoms);
        let mut som_of = vec![0f32; tree.nodes.len()];
        for segment in self.pruned.segments(&tree) {
            let same = segment.class.map_or(0.0, |class| self.pruned.likeness(class, &tree, &segment.leaves));
            segment.leaves.iter().for_each(|&leaf| som_of[leaf] = same);
        }
        // By text node, ascending: its shares by IBDF and SOM.
        let mut by_run: Vec<(usize, f32, f32)> = Vec::new();
        for block in block_set_from_atoms(atoms, &facts.tags.partition()) {
            let ibdf = others(facts.template.pages_with(&block), u64::from(facts.template_pages));
            for run in block.atoms.filter_map(|atom| atoms.get(atom)).flat_map(|atom| atom.runs()) {
                by_run.push((run.index(), ibdf, tree.leaf_of(run).map_or(0.0, |leaf| som_of[leaf])));
            }
        }
        by_run.sort_unstable_by_key(|run| run.0);
        for (share, block) in shares.iter_mut().zip(blocks.iter()) {
            if let Some(print) = Fingerprint::new(&block.text()) {
                share.fingerprints = others(facts.fingerprints.get(&print.short()).copied().unwrap_or(0), facts.pages);
            }
            let first = block.runs().next().and_then(|run| by_run.binary_search_by_key(&run.index(), |run| run.0).ok());
            if let Some(at) = first {
                (share.ibdf, share.som) = (by_run[at].1, by_run[at].2);
            }
        }
        shares
    }
}

impl SiteSignals for SiteJudge {
    fn shifts(&self, blocks: Blocks<'_>) -> Vec<f32> {
        let Signals { fingerprints, ibdf, som } = self.signals;
        self.shares(blocks)
            .into_iter()
            .map(|share| fingerprints * share.fingerprints + ibdf * share.ibdf + som * share.som)
            .collect()
    }
}
