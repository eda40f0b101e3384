//! Runs methods over a set with labelled blocks: each page is parsed once, and every method labels its blocks.

use super::score::{Figures, Judged};
use super::set::BlockSet;
use crate::gold::l3s_blocks::LabelledPage;
use crate::learn::dataset::Classes;
use rayon::prelude::*;
use std::sync::Arc;
use webstrata::Page;
use webstrata::block::Block;
use webstrata::label::Preset;
use webstrata::label::trained::ModelLabeller;

/// The labeller of a method.
#[derive(Clone, Debug)]
pub enum Judge {
    /// A preset: a verdict, and its probability as a score if it has one.
    Preset(Preset),
    /// A trained model: a verdict and a score.
    Model(Arc<ModelLabeller>),
}

/// A method under test.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name in tables.
    pub name: String,
    /// Its labeller.
    pub judge: Judge,
}

impl Method {
    /// The verdicts on the blocks that have words; `gold` contains, for each block, whether it is content.
    fn judge(&self, page: &Page<'_>, gold: &[bool]) -> Vec<Judged> {
        let (labels, scores) = match &self.judge {
            Judge::Preset(preset) => (page.label(preset), Vec::new()),
            Judge::Model(model) => (page.label(&**model), model.content_scores(&page.input())),
        };
        let judged = |((number, block), gold): ((usize, Block<'_>), &bool)| Judged {
            gold: *gold,
            answer: labels.verdict(number).content,
            words: block.counts().words,
            score: scores.get(number).copied().or_else(|| labels.probability(number).map(f64::from)),
        };
        page.blocks().iter().enumerate().zip(gold).map(judged).filter(|block| block.words > 0).collect()
    }
}

/// Result of one method on a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The method's name.
    pub name: String,
    /// The blocks of each page.
    pub pages: Vec<Vec<Judged>>,
}

impl Outcome {
    /// The measures of each page.
    #[must_use]
    pub fn by_page(&self) -> Vec<Figures> {
        self.pages.iter().map(|page| Figures::from_blocks(page)).collect()
    }

    /// Their mean, with equal weight for all pages.
    #[must_use]
    pub fn mean(&self) -> Figures {
        Figures::mean(&self.by_page())
    }

    /// The measures of all blocks pooled.
    #[must_use]
    pub fn overall(&self) -> Figures {
        Figures::from_blocks(&self.pages.concat())
    }
}

/// Runs all methods over a set on all threads of the current pool; the result does not depend on their number. Calls `done` for
/// each page.
///
/// ```
/// use webstrata::label::Preset;
/// use webstrata_lab::blocks::{run::{Judge, Method, run}, set::BlockSet};
/// use webstrata_lab::gold::{l3s_blocks::{AnnotatedPage, L3sBlocks, LabelledPage}, set::GoldPage};
/// let page = AnnotatedPage::new("<p>Home<p><span class=x-nc-sel2>It rained again.</span>");
/// let labelled = L3sBlocks { pages: vec![LabelledPage { gold: GoldPage::default(), page }], problems: Vec::new() };
/// let all = Method { name: "all".into(), judge: Judge::Preset(Preset::KeepEverything) };
/// let outcome = run(&BlockSet { name: "made up".into(), labelled }, &[all], &|| ()).remove(0);
/// assert_eq!((outcome.overall().blocks.precision, outcome.overall().words.precision), (0.5, 0.75));
/// ```
#[must_use]
pub fn run(set: &BlockSet, methods: &[Method], done: &(dyn Fn() + Sync)) -> Vec<Outcome> {
    let judge = |labelled: &LabelledPage| -> Vec<Vec<Judged>> {
        let page = labelled.page.parse();
        let labels = labelled.page.block_labels(page.blocks());
        let gold: Vec<bool> = labels.into_iter().map(|label| Classes::Two.class(label) > 0).collect();
        let judged = methods.iter().map(|method| method.judge(&page, &gold)).collect();
        done();
        judged
    };
    let rows: Vec<Vec<Vec<Judged>>> = set.labelled.pages.par_iter().map(judge).collect();
    let mut outcomes: Vec<Outcome> =
        methods.iter().map(|method| Outcome { name: method.name.clone(), pages: Vec::with_capacity(rows.len()) }).collect();
    for row in rows {
        outcomes.iter_mut().zip(row).for_each(|(outcome, page)| outcome.pages.push(page));
    }
    outcomes
}
