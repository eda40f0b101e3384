//! Reasons for verdicts: the record that a method kept while it ran.

use super::Labels;
use super::unit::{StageInfo, Trail, Unit};
use std::borrow::Cow;

/// Why the blocks of a page have their verdicts.
///
/// ```
/// use webstrata::{Page, label::Preset};
/// let page = Page::parse(b"<p>one two three");
/// let explanation = page.explain(&Preset::MinWords(2));
/// assert_eq!(explanation.why(0), "min-words: content: word count 3 >= 2");
/// assert_eq!(explanation.decided_by(0).unwrap().name, "min-words");
/// ```
#[derive(Clone, Debug)]
pub struct Explanation<'c> {
    labels: Cow<'c, Labels>,
    reasons: Cow<'c, Reasons>,
    /// Blocks, ascending, on which the selection differs from the method, and why.
    selection: Vec<(usize, String)>,
}

/// The reasons for a method's verdicts.
#[derive(Clone, Debug)]
pub(crate) enum Reasons {
    /// Steps of this library's stages, and for each block the step that decided last.
    Recorded { trail: Trail, decided: Vec<u32> },
    /// The reasons of a labeller that decides in one stage, by block.
    Stated(&'static StageInfo, Vec<String>),
}

impl Explanation<'static> {
    pub(super) fn new(labels: Labels, units: &[Unit], trail: Trail) -> Self {
        let mut decided = trail.dropped_by.clone();
        for unit in units {
            for number in (unit.first as usize..=unit.last as usize).filter(|&number| !trail.dropped[number]) {
                decided[number] = unit.step;
            }
        }
        Explanation::owned(labels, Reasons::Recorded { trail, decided })
    }

    /// For labellers outside this library: creates an explanation from labels, a reason for each block in order, and the
    /// stage that decided all of them.
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
        Explanation::owned(labels, Reasons::Stated(stage, reasons))
    }

    fn owned(labels: Labels, reasons: Reasons) -> Self {
        Explanation { labels: Cow::Owned(labels), reasons: Cow::Owned(reasons), selection: Vec::new() }
    }
}

impl<'c> Explanation<'c> {
    /// An explanation of labels that were made together with these reasons.
    pub(crate) fn borrowed(labels: &'c Labels, reasons: &'c Reasons) -> Self {
        Explanation { labels: Cow::Borrowed(labels), reasons: Cow::Borrowed(reasons), selection: Vec::new() }
    }

    /// The same explanation, borrowing nothing.
    pub(crate) fn into_owned(self) -> Explanation<'static> {
        Explanation {
            labels: Cow::Owned(self.labels.into_owned()),
            reasons: Cow::Owned(self.reasons.into_owned()),
            selection: self.selection,
        }
    }

    /// Splits it into labels and reasons.
    pub(crate) fn into_parts(self) -> (Labels, Reasons) {
        (self.labels.into_owned(), self.reasons.into_owned())
    }

    /// Adds the decisions of a selection, by block, ascending.
    pub(crate) fn with_selection(self, selection: Vec<(usize, String)>) -> Self {
        Explanation { selection, ..self }
    }

    /// The verdicts, the same as those of [`Labeller::label`](super::Labeller::label).
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Why block `index` is kept or not: the stage that judged it by its own features, the stage that decided last if that is
    /// a different one, and the option that overrides the method, if any.
    #[must_use]
    pub fn why(&self, index: usize) -> String {
        let why = self.reasons.why(index);
        match self.selection.binary_search_by_key(&index, |(block, _)| *block) {
            Ok(at) => format!("{why}; {}", self.selection[at].1),
            Err(_) => why,
        }
    }

    /// Name and source of the method's stage that decided last on block `index`.
    #[must_use]
    pub fn decided_by(&self, index: usize) -> Option<&'static StageInfo> {
        match &*self.reasons {
            Reasons::Recorded { trail, decided } => trail.stage(decided.get(index).copied()?),
            Reasons::Stated(stage, _) => (index < self.labels.len()).then_some(*stage),
        }
    }
}

impl Reasons {
    fn why(&self, index: usize) -> String {
        match self {
            Reasons::Stated(_, reasons) => reasons.get(index).cloned().unwrap_or_default(),
            Reasons::Recorded { trail, decided } => {
                let judged = trail.judged.get(index).copied().unwrap_or(0);
                let decided = decided.get(index).copied().unwrap_or(0);
                match (judged, decided) {
                    (0, last) => trail.explain(last),
                    (first, last) if last == first || last == 0 => trail.explain(first),
                    (first, last) => format!("{}; {}", trail.explain(first), trail.explain(last)),
                }
            }
        }
    }
}
