//! Labellers: blocks to verdicts. All methods implement one trait, and every verdict has a reason.
//!
//! A method is a list of stages. A stage takes a sequence of labelled units and returns another; it sees nothing but the
//! output of the stage before it. A labeller returns verdicts, or the same verdicts with their reasons: each decision with
//! the numbers that it depends on.

mod article;
pub(crate) mod attribution;
mod bte;
mod classify;
mod clauses;
mod explanation;
mod feature_extractor;
mod feature_options;
mod filter;
mod fuse;
mod hash_filter;
mod l_extractor;
mod labels;
mod letter_case;
mod low_density;
mod preset;
mod role;
mod role_set;
pub mod strata;
mod terminators;
pub(crate) mod title;
#[cfg(feature = "json")]
#[doc(hidden)]
pub mod trained;
mod tree;
mod unit;

pub use explanation::Explanation;
pub(crate) use explanation::Reasons;
pub use feature_extractor::Winners;
pub use feature_options::{FeatureOptions, FeatureWeights, FeatureWeightsError};
pub use labels::{Labels, Verdict};
pub use preset::{Pipeline, Preset, UnknownPreset};
pub use role::{Role, UnknownRole};
pub use role_set::RoleSet;
#[cfg(feature = "json")]
pub use trained::{TrainedModel, TrainedModelError};
pub use unit::StageInfo;

use crate::block::Blocks;
use crate::html::Folded;
use std::fmt;
use unit::{Trail, Unit};

/// The input of a labeller.
///
/// ```
/// use webstrata::{Page, label::{Labeller, Preset}};
/// let page = Page::parse(b"<p>text");
/// assert_eq!(Preset::KeepEverything.label(&page.input()).len(), page.input().blocks.len());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Input<'p> {
    /// The page's blocks, those of [`crate::block::GapModel::Lines`].
    pub blocks: Blocks<'p>,
    /// The page's title.
    pub title: Option<&'p str>,
}

impl Input<'_> {
    /// The source of a unit's first run, without leading white space.
    pub(crate) fn first_bytes(&self, unit: &Unit) -> &[u8] {
        let Some(&run) = self.blocks.runs_of(unit.first as usize).first() else { return &[] };
        let source = self.blocks.dom().span_of(Blocks::run_node(run)).slice(self.blocks.dom().source());
        source.as_bytes().trim_ascii_start()
    }

    /// The text of a unit's blocks.
    pub(crate) fn text(&self, unit: &Unit) -> String {
        let mut folded = Folded::default();
        for number in unit.first..=unit.last {
            folded.space();
            self.blocks.fold_into(number as usize, &mut folded);
        }
        folded.text
    }
}

/// Decides which blocks are content, and says why.
///
/// ```
/// use webstrata::{Page, label::{Input, Labeller, Preset}};
/// let html = format!("<p><a href=/>Home</a></p><p>{}</p>", "Here is a sentence of eight plain words. ".repeat(6));
/// let page = Page::parse(html.as_bytes());
/// let input = Input { blocks: page.blocks(), title: None };
/// let labels = Preset::NumWordsRules.label(&input);
/// assert!(!labels.verdict(0).content && labels.verdict(1).content);
/// assert_eq!(Preset::NumWordsRules.explain(&input).why(0), "num-words: boilerplate: link density 1 >= 1/3");
/// ```
pub trait Labeller: fmt::Debug + Send + Sync {
    /// The name shown to users.
    fn name(&self) -> &'static str;
    /// Labels all blocks.
    fn label(&self, input: &Input<'_>) -> Labels;
    /// Labels all blocks in the same way and records the reasons. The method runs once, not twice.
    fn explain(&self, input: &Input<'_>) -> Explanation<'static>;
}

/// One stage of a labeller: a sequence of units in, a new one out.
pub(crate) trait Stage: fmt::Debug + Send + Sync {
    /// Name, source and rules.
    fn info(&self) -> &'static StageInfo;
    /// Returns the next sequence of units.
    fn apply(&self, input: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit>;
}
