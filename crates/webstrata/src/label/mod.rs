//! Labellers: blocks to verdicts, any method behind one trait, every verdict with its reason.
//!
//! A method is a list of stages. A stage takes a sequence of labelled units and gives back another;
//! no stage sees anything but what the one before it gave. A labeller gives verdicts, or the same verdicts with
//! their reasons: each decision with the numbers it rests on.

mod classify;
mod feature_extractor;
mod filter;
mod fuse;
mod letter_case;
mod preset;
mod role;
mod segments;
pub mod strata;
mod terminators;
mod title;
mod tree;
mod unit;

pub use preset::{Pipeline, Preset, UnknownPreset};
pub use role::Role;
pub use segments::{SegmentLabel, label_segments};
pub use unit::StageInfo;

use crate::block::{Block, Blocks};
use crate::html::Folded;
use std::fmt;
use unit::{Marks, Trail, Unit};

/// What a labeller looks at.
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
    /// The source of a unit's first run, white space before it left out.
    pub(crate) fn first_bytes(&self, unit: &Unit) -> &[u8] {
        let Some(&run) = self.blocks.runs_of(unit.first as usize).first() else { return &[] };
        let source = self.blocks.dom().span_of(Blocks::run_node(run)).slice(self.blocks.dom().source());
        source.as_bytes().trim_ascii_start()
    }

    /// Text of a unit's blocks.
    pub(crate) fn text(&self, unit: &Unit) -> String {
        let mut folded = Folded::default();
        for number in unit.first..=unit.last {
            folded.space();
            self.blocks.fold_into(number as usize, &mut folded);
        }
        folded.text
    }
}

/// Says of every block whether it is content, and why.
///
/// ```
/// use webstrata::{Page, label::{Input, Labeller, Preset}};
/// let html = format!("<p><a href=/>Home</a></p><p>{}</p>", "Here is a sentence of eight plain words. ".repeat(6));
/// let page = Page::parse(html.as_bytes());
/// let input = Input { blocks: page.blocks(), title: None };
/// let labels = Preset::NumWordsRules.label(&input);
/// assert!(!labels.verdict(0).content && labels.verdict(1).content);
/// assert_eq!(Preset::NumWordsRules.explain(&input).why(0), "num-words: boilerplate: links 1 > 0.33");
/// ```
pub trait Labeller: fmt::Debug + Send + Sync {
    /// The name that users call it by.
    fn name(&self) -> &'static str;
    /// Labels all blocks.
    fn label(&self, input: &Input<'_>) -> Labels;
    /// Labels all blocks in the same way, and says why.
    fn explain(&self, input: &Input<'_>) -> Explanation;
}

/// One step of a labeller: a sequence of units in, a new one out.
pub(crate) trait Stage: fmt::Debug + Send + Sync {
    /// Name, source and rules.
    fn info(&self) -> &'static StageInfo;
    /// The sequence that it makes of `units`.
    fn apply(&self, input: &Input<'_>, units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit>;
}

/// Verdict on one block.
///
/// ```
/// use webstrata::{Page, label::{Preset, Role}};
/// let page = Page::parse(b"<h1>Rain</h1>");
/// let verdict = page.label(&Preset::KeepEverything).verdict(0);
/// assert!(verdict.content);
/// assert_eq!(verdict.role(page.blocks().get(0).unwrap()), Role::Heading);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Is it content?
    pub content: bool,
    /// Does it match the page's title?
    pub title: bool,
}

impl Verdict {
    /// Of a block that there is not.
    const NOTHING: Verdict = Verdict { content: false, title: false };

    /// What the block is that this is the verdict on.
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
/// assert_eq!(page.label(&Preset::MinWords(2)).content().collect::<Vec<_>>(), [0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    verdicts: Vec<Verdict>,
    /// What learned methods know beside verdicts.
    learned: Option<Box<Learned>>,
}

/// What a learned method knows of a page beside its verdicts.
#[derive(Clone, Debug, PartialEq)]
struct Learned {
    probabilities: Vec<f32>,
    roles: Vec<Option<Role>>,
    page_type: strata::PageType,
    confidence: f32,
}

impl Labels {
    fn new(input: &Input<'_>, units: &[Unit], trail: &Trail) -> Self {
        let mut verdicts = vec![Verdict::NOTHING; input.blocks.len()];
        for unit in units {
            for number in (unit.first as usize..=unit.last as usize).filter(|&number| !trail.dropped[number]) {
                verdicts[number].content = unit.content;
                verdicts[number].title = unit.marks.has(Marks::TITLE) && unit.first == unit.last;
            }
        }
        Labels { verdicts, learned: None }
    }

    /// Probability that block `index` is content, where the method estimates one.
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

    /// Whether the method estimates probabilities.
    pub(crate) fn has_probabilities(&self) -> bool {
        self.learned.is_some()
    }

    /// The page type, where the method predicts one.
    #[must_use]
    pub fn page_type(&self) -> Option<strata::PageType> {
        self.learned.as_ref().map(|learned| learned.page_type)
    }

    /// How good the method thinks its answer is: the F1 it expects, from 0 to 1, where it expects any.
    #[must_use]
    pub fn confidence(&self) -> Option<f32> {
        self.learned.as_ref().map(|learned| learned.confidence)
    }

    /// What a block is: by the method where it knows, else by its markup and links.
    #[must_use]
    pub fn role(&self, block: Block<'_>) -> Role {
        let told = self.learned.as_ref().and_then(|learned| learned.roles.get(block.index()).copied().flatten());
        told.unwrap_or_else(|| self.verdict(block.index()).role(block))
    }

    /// Number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.verdicts.len()
    }

    /// Is there no block?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.verdicts.is_empty()
    }

    /// The verdict on block `index`.
    #[must_use]
    pub fn verdict(&self, index: usize) -> Verdict {
        self.verdicts.get(index).copied().unwrap_or(Verdict::NOTHING)
    }

    /// Overrules the verdict on block `index`.
    pub(crate) fn set(&mut self, index: usize, content: bool) {
        if let Some(verdict) = self.verdicts.get_mut(index) {
            verdict.content = content;
        }
    }

    /// Numbers of the blocks that are content.
    pub fn content(&self) -> impl Iterator<Item = usize> + '_ {
        self.verdicts.iter().enumerate().filter(|(_, v)| v.content).map(|(i, _)| i)
    }
}

impl FromIterator<Verdict> for Labels {
    /// Labels from verdicts on all blocks, in order: what a labeller outside this library makes them by.
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        Labels { verdicts: verdicts.into_iter().collect(), learned: None }
    }
}

/// Why the blocks of a page have the labels they have.
///
/// ```
/// use webstrata::{Page, label::Preset};
/// let page = Page::parse(b"<p>one two three");
/// let explanation = page.explain(&Preset::MinWords(2));
/// assert_eq!(explanation.why(0), "min-words: content: words 3 >= 2");
/// assert_eq!(explanation.decided_by(0).unwrap().name, "min-words");
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    labels: Labels,
    /// By block: the step that decided last.
    decided: Vec<u32>,
    trail: Trail,
    /// Blocks, ascending, that were decided on behind the method, and why.
    overruled: Vec<(usize, String)>,
    /// The reasons of a labeller outside this library, by block.
    stated: Option<(&'static StageInfo, Vec<String>)>,
}

impl Explanation {
    fn new(labels: Labels, units: &[Unit], trail: Trail) -> Self {
        let mut decided = trail.dropped_by.clone();
        for unit in units {
            for number in (unit.first as usize..=unit.last as usize).filter(|&number| !trail.dropped[number]) {
                decided[number] = unit.step;
            }
        }
        Explanation { labels, decided, trail, overruled: Vec::new(), stated: None }
    }

    /// Labels with a reason for each block, in order, and the stage that decided on all of them: for a labeller outside this library.
    ///
    /// ```
    /// use webstrata::label::{Explanation, Labels, StageInfo, Verdict};
    /// static COIN: StageInfo = StageInfo { name: "coin", source: "chance", rules: &[] };
    /// let labels = Labels::from_iter([Verdict { content: true, title: false }]);
    /// let explanation = Explanation::from_reasons(labels, &COIN, vec!["coin: heads".to_owned()]);
    /// assert_eq!((explanation.why(0).as_str(), explanation.why(1).as_str()), ("coin: heads", ""));
    /// assert_eq!(explanation.decided_by(0).unwrap().name, "coin");
    /// ```
    #[must_use]
    pub fn from_reasons(labels: Labels, stage: &'static StageInfo, reasons: Vec<String>) -> Self {
        let trail = Trail::without_reasons(labels.len());
        Explanation { decided: Vec::new(), labels, trail, overruled: Vec::new(), stated: Some((stage, reasons)) }
    }

    /// Adds a decision behind the method. Blocks must come in ascending order, but one may come again.
    pub(crate) fn overrule(&mut self, index: usize, content: bool, why: String) {
        self.labels.set(index, content);
        match self.overruled.last_mut() {
            Some((last, reasons)) if *last == index => {
                reasons.push_str("; ");
                reasons.push_str(&why);
            }
            _ => self.overruled.push((index, why)),
        }
    }

    /// The verdicts, the same that [`Labeller::label`] gives, or what became of them.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Why block `index` has its verdict: what it was judged by on its own merits, and, if a later stage saw it
    /// otherwise, that stage.
    #[must_use]
    pub fn why(&self, index: usize) -> String {
        let why = match &self.stated {
            Some((_, reasons)) => reasons.get(index).cloned().unwrap_or_default(),
            None => self.why_by_trail(index),
        };
        match self.overruled.binary_search_by_key(&index, |(block, _)| *block) {
            Ok(at) => format!("{why}; {}", self.overruled[at].1),
            Err(_) => why,
        }
    }

    /// The same for the stages of this library.
    fn why_by_trail(&self, index: usize) -> String {
        let judged = self.trail.judged.get(index).copied().unwrap_or(0);
        let decided = self.decided.get(index).copied().unwrap_or(0);
        match (judged, decided) {
            (0, last) => self.trail.explain(last),
            (first, last) if last == first || last == 0 => self.trail.explain(first),
            (first, last) => format!("{}; {}", self.trail.explain(first), self.trail.explain(last)),
        }
    }

    /// Name and source of the stage that decided last on block `index`.
    #[must_use]
    pub fn decided_by(&self, index: usize) -> Option<&'static StageInfo> {
        match &self.stated {
            Some((stage, _)) => (index < self.labels.len()).then_some(*stage),
            None => self.trail.stage(self.decided.get(index).copied()?),
        }
    }
}
