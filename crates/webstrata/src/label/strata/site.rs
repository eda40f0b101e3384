//! Evidence from the site of a page: on how many of its pages a piece of text occurs.
//!
//! Text shared by most pages of a site belongs to its template, whatever it looks like on one page. The evidence is
//! gathered from many pages elsewhere and passed in as [`SiteEvidence`].

use super::text_stats::TextStats;
use crate::block::{Blocks, Mask};
use std::fmt;
use std::sync::Arc;

/// Site knowledge beyond the frequency of texts, applied to the blocks of a page.
///
/// Implementations must be deterministic: the same page always gets the same answer.
///
/// ```
/// use webstrata::{Page, block::{Blocks, Context}, label::strata::SiteSignals};
/// /// A site whose footers are never content.
/// #[derive(Debug)]
/// struct Footers;
/// impl SiteSignals for Footers {
///     fn shifts(&self, blocks: Blocks<'_>) -> Vec<f32> {
///         blocks.iter().map(|block| if block.context().intersects(Context::FOOTER) { 8.0 } else { 0.0 }).collect()
///     }
/// }
/// let page = Page::parse(b"<p>Text.</p><footer>Imprint</footer>");
/// assert_eq!(Footers.shifts(page.blocks()), [0.0, 8.0]);
/// ```
pub trait SiteSignals: fmt::Debug + Send + Sync {
    /// For each block: the amount to subtract from its content logit. Blocks beyond the end of the list are left unchanged.
    ///
    /// The labeller limits this where the page's own evidence is better: labels stay with their values, pages other than articles keep
    /// blocks that are more likely content than not, and no page is emptied.
    fn shifts(&self, blocks: Blocks<'_>) -> Vec<f32>;
}

/// Number of a site's pages on which each text occurs.
///
/// ```
/// use webstrata::{Page, label::strata::{SiteEvidence, StrataLabeller}};
/// let text = "Here is a sentence of eight plain words. ".repeat(6);
/// let notice = "We have moved to a new building, and the doors are open from nine to five on all days of the week.";
/// let html = format!("<p>{notice}</p><p>{text}</p>");
/// let page = Page::parse(html.as_bytes());
/// let mut site = SiteEvidence::default();
/// for other in ["One text.", "Another text."] {
///     let html = format!("<p>{notice}</p><p>{other}</p>");
///     site.add(Page::parse(html.as_bytes()).blocks());
/// }
/// site.add(page.blocks());
/// let strata = StrataLabeller::shipped()?;
/// let alone = page.label(&strata).probability(0).unwrap();
/// let known = page.label(&strata.site(&site)).probability(0).unwrap();
/// assert!(known < alone / 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SiteEvidence {
    pages: u32,
    /// Number of pages by the hash of a block's text.
    counts: std::collections::BTreeMap<u64, u32>,
    /// Used instead of the counts, if present.
    signals: Option<Arc<dyn SiteSignals>>,
}

/// Minimum number of pages; smaller sites give no evidence.
const MIN_PAGES: u32 = 3;

/// Shift of a block's logit if its text is on all pages.
const WEIGHT: f32 = 6.0;

/// Maximum shift of a logit; external signals may return any number.
const MAX_SHIFT: f32 = 20.0;

impl SiteEvidence {
    /// Wraps evidence computed elsewhere.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use webstrata::{Page, block::Blocks, label::strata::{SiteEvidence, SiteSignals, StrataLabeller}};
    /// #[derive(Debug)]
    /// struct FirstIsTemplate;
    /// impl SiteSignals for FirstIsTemplate {
    ///     fn shifts(&self, _: Blocks<'_>) -> Vec<f32> {
    ///         vec![8.0]
    ///     }
    /// }
    /// let text = "Here is a sentence of eight plain words. ".repeat(6);
    /// let notice = "We have moved to a new building, and the doors are open from nine to five on all days of the week.";
    /// let html = format!("<p>{notice}</p><p>{text}</p>");
    /// let page = Page::parse(html.as_bytes());
    /// let site = SiteEvidence::from_signals(Arc::new(FirstIsTemplate));
    /// let strata = StrataLabeller::shipped()?;
    /// let (alone, known) = (page.label(&strata), page.label(&strata.site(&site)));
    /// assert!(known.probability(0).unwrap() < alone.probability(0).unwrap() / 2.0);
    /// assert!(known.verdict(1).content);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_signals(signals: Arc<dyn SiteSignals>) -> Self {
        SiteEvidence { signals: Some(signals), ..SiteEvidence::default() }
    }

    /// Adds a page of the site.
    pub fn add(&mut self, blocks: Blocks<'_>) {
        self.pages = self.pages.saturating_add(1);
        let mut hashes: Vec<u64> = (0..blocks.len()).map(|block| TextStats::new(blocks, block, Mask::default()).hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        for hash in hashes {
            *self.counts.entry(hash).or_default() += 1;
        }
    }

    /// Share of the site's other pages on which the text of a block occurs; 0 if too few pages are known.
    #[must_use]
    pub fn share(&self, blocks: Blocks<'_>, block: usize) -> f32 {
        if self.pages < MIN_PAGES {
            return 0.0;
        }
        let count = self.counts.get(&TextStats::new(blocks, block, Mask::default()).hash).copied().unwrap_or(0);
        count.saturating_sub(1) as f32 / (self.pages - 1) as f32
    }

    /// For each block: the amount to subtract from its logit.
    pub(super) fn shifts(&self, blocks: Blocks<'_>) -> Vec<f32> {
        match &self.signals {
            Some(signals) => {
                let finite = |shift: f32| if shift.is_nan() { 0.0 } else { shift.clamp(-MAX_SHIFT, MAX_SHIFT) };
                signals.shifts(blocks).into_iter().map(finite).collect()
            }
            None => (0..blocks.len()).map(|block| WEIGHT * self.share(blocks, block)).collect(),
        }
    }
}
