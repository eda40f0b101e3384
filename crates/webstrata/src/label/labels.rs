//! Verdicts on the blocks of a page: a table beside the blocks, made once by a method and never changed.

use super::attribution::Attributions;
use super::role::Role;
use super::strata::{BlockRoles, PageType, ReportedType};
use super::unit::{Marks, Trail, Unit};
use crate::block::{Block, Blocks};

/// Verdict on one block.
///
/// ```
/// use webstrata::{Page, label::{Preset, Role}};
/// let page = Page::parse(b"<h1>Rain</h1>");
/// let verdict = page.label(&Preset::KeepEverything).verdict(0);
/// assert!(verdict.content);
/// assert_eq!(verdict.role(page.blocks().get(0).unwrap()), Role::Heading);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Whether the block is content.
    pub content: bool,
    /// Whether the block matches the page's title.
    pub title: bool,
}

impl Verdict {
    /// Verdict for an out-of-range index.
    const NONE: Verdict = Verdict { content: false, title: false };

    /// The role of the block with this verdict, from its markup and links.
    #[must_use]
    pub fn role(self, block: Block<'_>) -> Role {
        Role::from_facts(block.context(), block.counts(), self.content, self.title)
    }
}

/// Verdicts on all blocks of a page.
///
/// ```
/// use webstrata::{Page, label::Preset};
/// let page = Page::parse(b"<p>one two three<p>four");
/// let labels = page.label(&Preset::MinWords(2));
/// assert_eq!(labels.content().collect::<Vec<_>>(), [0]);
/// assert_eq!(labels.iter().filter(|verdict| verdict.content).count(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    verdicts: Vec<Verdict>,
    /// Further output of a learned method.
    pub(super) learned: Option<Box<Learned>>,
}

/// Predictions of a learned method beyond its verdicts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Learned {
    pub(super) probabilities: Vec<f32>,
    pub(super) roles: BlockRoles,
    pub(super) page_type: ReportedType,
    pub(super) confidence: f32,
}

impl Labels {
    pub(super) fn new(blocks: usize, units: &[Unit], trail: &Trail) -> Self {
        let mut verdicts = vec![Verdict::NONE; blocks];
        for unit in units {
            for number in (unit.first as usize..=unit.last as usize).filter(|&number| !trail.dropped[number]) {
                verdicts[number].content = unit.content;
                verdicts[number].title = unit.marks.has(Marks::TITLE) && unit.first == unit.last;
            }
        }
        Labels { verdicts, learned: None }
    }

    /// Number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.verdicts.len()
    }

    /// Whether the page has no blocks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.verdicts.is_empty()
    }

    /// The verdict on block `index`.
    #[must_use]
    pub fn verdict(&self, index: usize) -> Verdict {
        self.verdicts.get(index).copied().unwrap_or(Verdict::NONE)
    }

    /// The verdicts, in the order of the blocks.
    pub fn iter(&self) -> std::iter::Copied<std::slice::Iter<'_, Verdict>> {
        self.verdicts.iter().copied()
    }

    /// Indices of the blocks that are content.
    pub fn content(&self) -> impl Iterator<Item = usize> + '_ {
        self.verdicts.iter().enumerate().filter(|(_, v)| v.content).map(|(i, _)| i)
    }

    /// Probability that block `index` is content, if the method predicts one.
    ///
    /// ```
    /// use webstrata::{Page, label::Preset};
    /// let page = Page::parse(b"<p>one two three");
    /// assert!(page.label(&Preset::Strata).probability(0).is_some());
    /// assert!(page.label(&Preset::Article).probability(0).is_none());
    /// ```
    #[must_use]
    pub fn probability(&self, index: usize) -> Option<f32> {
        self.learned.as_ref()?.probabilities.get(index).copied()
    }

    /// Whether the method predicts probabilities.
    pub(crate) fn has_probabilities(&self) -> bool {
        self.learned.is_some()
    }

    /// The page type, if the method predicts one.
    #[must_use]
    pub fn page_type(&self) -> Option<PageType> {
        self.learned.as_ref()?.page_type.get()
    }

    /// The method's estimate of the F1 of its verdicts, from 0 to 1, if it makes one.
    #[must_use]
    pub fn confidence(&self) -> Option<f32> {
        // Adding zero turns -0 into 0.
        self.learned.as_ref().map(|learned| learned.confidence + 0.0)
    }

    /// The role of a block: the method's if it predicts one, otherwise from markup and links.
    #[must_use]
    pub fn role(&self, block: Block<'_>) -> Role {
        self.role_as(block, self.verdict(block.index()).content)
    }

    /// Like [`Labels::role`], for a block whose `content` was decided after the method ran.
    pub(crate) fn role_as(&self, block: Block<'_>, content: bool) -> Role {
        self.role_with(block, content, &mut Attributions::for_one_block(block.blocks()))
    }

    /// The roles of all blocks, given which of them are kept.
    pub(crate) fn roles(&self, blocks: Blocks<'_>, is_kept: impl Fn(usize) -> bool) -> Vec<Role> {
        let mut attributions = Attributions::new(blocks);
        blocks.iter().map(|block| self.role_with(block, is_kept(block.index()), &mut attributions)).collect()
    }

    fn role_with(&self, block: Block<'_>, content: bool, attributions: &mut Attributions<'_>) -> Role {
        let by_method = self.verdict(block.index());
        let verdict = Verdict { content, ..by_method };
        let predicted = self.learned.as_ref().and_then(|learned| learned.roles.of(block, by_method.content));
        // Comments and advertisements may contain captions and bylines, but their surroundings determine the role.
        let outer = verdict.title || matches!(predicted, Some(Role::Comment | Role::Advertisement));
        let about = if outer { None } else { attributions.role_of(block.index(), content).map(|(role, _)| role) };
        about.or(predicted).unwrap_or_else(|| verdict.role(block))
    }
}

impl<'l> IntoIterator for &'l Labels {
    type Item = Verdict;
    type IntoIter = std::iter::Copied<std::slice::Iter<'l, Verdict>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<Verdict> for Labels {
    /// For labellers outside this library: collects the verdicts on all blocks, in order.
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        Labels { verdicts: verdicts.into_iter().collect(), learned: None }
    }
}
