//! What is known of the site that a page is from: how many of its pages have a piece of text.
//!
//! Text that most pages of a site share is its template, whatever it looks like on one page. Learning this is work over many pages and not
//! done here; what was learned comes in as [`SiteEvidence`].

use super::letters::Letters;
use crate::block::{Blocks, Mask};
use std::fmt;
use std::sync::Arc;

/// Knows more of a site than how often its texts occur, and says what it makes of a page's blocks.
///
/// The same page must always have the same answer.
pub trait SiteSignals: fmt::Debug + Send + Sync {
    /// By block: what is taken from its log odds of being content. Blocks that are not named are left as they are.
    fn shifts(&self, blocks: Blocks<'_>) -> Vec<f32>;
}

/// How often pieces of text occur on the pages of a site.
///
/// ```
/// use webstrata::{Page, label::strata::{SiteEvidence, Strata}};
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
/// let strata = Strata::shipped().unwrap();
/// let alone = page.label(&strata).probability(0).unwrap();
/// let known = page.label(&strata.with_site(&site)).probability(0).unwrap();
/// assert!(known < alone / 2.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SiteEvidence {
    pages: u32,
    /// By sum of a block's letters: on how many pages it occurs.
    counts: std::collections::BTreeMap<u64, u32>,
    /// What answers in their place, if there is more.
    signals: Option<Arc<dyn SiteSignals>>,
}

/// Pages of a site below which nothing can be said of it.
const LEAST: u32 = 3;

/// What a share of 1 takes from the log odds of a block.
const WEIGHT: f32 = 6.0;

/// What can be taken from the log odds of a block at most: numbers from outside may be anything.
const MOST: f32 = 20.0;

impl SiteEvidence {
    /// PageFeatures that comes from elsewhere.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use webstrata::{Page, block::Blocks, label::strata::{SiteEvidence, SiteSignals, Strata}};
    /// #[derive(Debug)]
    /// struct FirstIsTemplate;
    /// impl SiteSignals for FirstIsTemplate {
    ///     fn shifts(&self, _: Blocks<'_>) -> Vec<f32> {
    ///         vec![8.0]
    ///     }
    /// }
    /// let text = "It has been raining in the valley for three days, and nobody can remember when that last happened. ".repeat(4);
    /// let html = format!("<p>{text}</p><p>{text}</p>");
    /// let page = Page::parse(html.as_bytes());
    /// let site = SiteEvidence::from_signals(Arc::new(FirstIsTemplate));
    /// let known = page.label(&Strata::shipped().unwrap().with_site(&site));
    /// assert!(!known.verdict(0).content && known.verdict(1).content);
    /// ```
    #[must_use]
    pub fn from_signals(signals: Arc<dyn SiteSignals>) -> Self {
        SiteEvidence { signals: Some(signals), ..SiteEvidence::default() }
    }

    /// Adds a page of the site.
    pub fn add(&mut self, blocks: Blocks<'_>) {
        self.pages = self.pages.saturating_add(1);
        let mut sums: Vec<u64> = (0..blocks.len()).map(|block| Letters::of(blocks, block, Mask::default()).sum).collect();
        sums.sort_unstable();
        sums.dedup();
        for sum in sums {
            *self.counts.entry(sum).or_default() += 1;
        }
    }

    /// On which share of the site's pages a block occurs; 0 for a site of which too few pages are known. A block that
    /// is on this page alone counts as 0 too.
    #[must_use]
    pub fn share(&self, blocks: Blocks<'_>, block: usize) -> f32 {
        if self.pages < LEAST {
            return 0.0;
        }
        let count = self.counts.get(&Letters::of(blocks, block, Mask::default()).sum).copied().unwrap_or(0);
        count.saturating_sub(1) as f32 / (self.pages - 1) as f32
    }

    /// By block: what it takes from the log odds.
    pub(super) fn shifts(&self, blocks: Blocks<'_>) -> Vec<f32> {
        match &self.signals {
            Some(signals) => {
                let finite = |shift: f32| if shift.is_nan() { 0.0 } else { shift.clamp(-MOST, MOST) };
                signals.shifts(blocks).into_iter().map(finite).collect()
            }
            None => (0..blocks.len()).map(|block| WEIGHT * self.share(blocks, block)).collect(),
        }
    }
}
