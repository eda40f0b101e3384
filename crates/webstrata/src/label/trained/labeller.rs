//! A block model as a labeller of pages, with a reason for each verdict.
//!
//! The reason lists what the classifier tested: the path through the tree with the values on it, the interval of the rule, or the
//! score of the support vector machine with the features that contributed most.

use super::classifier::{Classifier, Plane};
use super::column::Column;
use super::model::BlockModel;
use super::parts::PartShares;
use crate::block::{Features, Frequencies, GapModel};
use crate::label::{Explanation, Input, Labeller, Labels, StageInfo, Verdict};
use std::fmt::Write;

static INFO: StageInfo = StageInfo { name: "model", source: "trained with `webstrata-lab train blocks`", rules: &[] };

/// Number of features named in the reason for a score.
const MAX_NAMED: usize = 4;

/// A model that labels pages.
///
/// ```
/// use webstrata::{Page, block::GapModel};
/// use webstrata::label::trained::{BlockModel, ModelLabeller, classifier::{Classifier, Interval, OneR}, column::Column, model::Card};
/// let short = Interval { below: 5.5, weights: vec![6.0, 0.0] };
/// let long = Interval { below: f32::INFINITY, weights: vec![0.0, 34.0] };
/// let rule = Classifier::OneR(OneR::from_parts(0, vec![short, long]).unwrap());
/// let classes = [("boilerplate", false), ("content", true)];
/// let model = BlockModel::new(GapModel::Lines, classes, Column::list("words").unwrap(), rule, Card::default());
/// let labeller = ModelLabeller::new(model).unwrap();
/// let page = Page::parse(b"<p>Home<p>It rained again in the whole valley.");
/// assert_eq!(page.label(&labeller).content().collect::<Vec<_>>(), [1]);
/// assert_eq!(page.explain(&labeller).why(0), "model: boilerplate (100% of 6 words): words 1 < 5.50");
/// assert_eq!(labeller.content_scores(&page.input()), [0.0, 1.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ModelLabeller {
    model: BlockModel,
}

/// Why a model cannot label single pages.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsuitableModel {
    /// The model was trained on finer blocks.
    #[error("the model was trained on blocks that end at every tag, but pages are labelled by lines; train it on lines")]
    Gaps,
    /// The model uses the frequency of a text in a corpus.
    #[error("the model uses '{0}', which cannot be computed from a single page; train it without that feature")]
    Global(Column),
}

impl ModelLabeller {
    /// Creates a labeller from a model.
    ///
    /// # Errors
    /// If the model needs more than a single page.
    pub fn new(model: BlockModel) -> Result<Self, UnsuitableModel> {
        if model.gaps() != GapModel::Lines {
            return Err(UnsuitableModel::Gaps);
        }
        match model.columns().iter().find(|column| column.is_global()) {
            Some(column) => Err(UnsuitableModel::Global(*column)),
            None => Ok(ModelLabeller { model }),
        }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &BlockModel {
        &self.model
    }

    /// The class of every block.
    #[must_use]
    pub fn classes(&self, input: &Input<'_>) -> Vec<usize> {
        self.rows(input, |row| self.model.classifier().predict(row))
    }

    /// A content score for every block, for ranking; not a probability. It is the sum of the content classes' shares; for planes
    /// it is the highest score of a content class minus the highest score of the others.
    #[must_use]
    pub fn content_scores(&self, input: &Input<'_>) -> Vec<f64> {
        let is_plane = matches!(self.model.classifier(), Classifier::Svm(_));
        self.rows(input, |row| {
            let scores = self.model.classifier().scores(row);
            let of = |content: bool| {
                scores.iter().enumerate().filter(move |(class, _)| self.model.is_content(*class) == content).map(|(_, s)| *s)
            };
            let highest = |content| of(content).fold(f64::NEG_INFINITY, f64::max);
            if is_plane { highest(true) - highest(false) } else { of(true).sum() }
        })
    }

    fn rows<T>(&self, input: &Input<'_>, mut judge: impl FnMut(&[f32]) -> T) -> Vec<T> {
        let features = Features::new(input.blocks);
        let of_parts = self.model.columns().iter().any(|column| column.is_of_part());
        let parts = if of_parts { PartShares::new(input.blocks) } else { PartShares::default() };
        let mut row = Vec::new();
        let mut judged = Vec::with_capacity(features.len());
        for block in 0..features.len() {
            row.clear();
            row.extend(self.model.columns().iter().map(|column| column.value(&features, Frequencies::default(), &parts, block)));
            judged.push(judge(&row));
        }
        judged
    }

    fn verdict(&self, class: usize) -> Verdict {
        Verdict { content: self.model.is_content(class), title: false }
    }

    /// The reason for the class of a row.
    fn why(&self, row: &[f32]) -> String {
        let class = self.model.classifier().predict(row);
        let mut why = self.model.classes().get(class).cloned().unwrap_or_default();
        let name = |column: usize| self.model.columns().get(column).map(Column::to_string).unwrap_or_default();
        match self.model.classifier() {
            Classifier::ZeroR(_) => why.push_str(": the most common class"),
            Classifier::OneR(rule) => {
                let interval = rule.interval(row[rule.column()]);
                why.push_str(&share(&interval.weights, class));
                let sign = if interval.below.is_finite() { format!(" < {}", number(interval.below)) } else { String::new() };
                why.push_str(&format!(": {} {}{sign}", name(rule.column()), number(row[rule.column()])));
            }
            Classifier::Tree(tree) => {
                why.push_str(&share(&tree.leaf(row).weights, class));
                for (at, (split, low)) in tree.path(row).into_iter().enumerate() {
                    let (separator, sign) = (if at == 0 { ": " } else { ", " }, if low { "<=" } else { ">" });
                    let (value, threshold) = (number(row[split.column]), number(split.threshold));
                    // Writing to a string never fails.
                    let _ = write!(why, "{separator}{} {value} {sign} {threshold}", name(split.column));
                }
            }
            Classifier::Svm(svm) => {
                let score = svm.scores(row).get(class).copied().unwrap_or(0.0);
                let (plane, sign) = match svm.planes() {
                    [plane] => (Some(plane), if class == 0 { -1.0 } else { 1.0 }),
                    planes => (planes.get(class), 1.0),
                };
                why.push_str(&format!(": score {score:.2}"));
                for (column, part) in plane.map(|plane| largest_contributions(plane, row)).unwrap_or_default() {
                    why.push_str(&format!(", {} {} adds {:+.2}", name(column), number(row[column]), sign * part));
                }
            }
        }
        format!("{}: {why}", INFO.name)
    }
}

impl Labeller for ModelLabeller {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn label(&self, input: &Input<'_>) -> Labels {
        self.classes(input).into_iter().map(|class| self.verdict(class)).collect()
    }

    fn explain(&self, input: &Input<'_>) -> Explanation<'static> {
        let reasons = self.rows(input, |row| self.why(row));
        Explanation::from_reasons(self.label(input), &INFO, reasons)
    }
}

/// Share of a class among the weights of a leaf.
fn share(weights: &[f64], class: usize) -> String {
    let sum: f64 = weights.iter().sum();
    let own = weights.get(class).copied().unwrap_or(0.0);
    if sum > 0.0 { format!(" ({:.0}% of {sum:.0} words)", own / sum * 100.0) } else { String::new() }
}

/// The features that contribute most to a plane's score, either way.
fn largest_contributions(plane: &Plane, row: &[f32]) -> Vec<(usize, f64)> {
    let mut parts: Vec<(usize, f64)> =
        plane.weights.iter().zip(row).map(|(weight, value)| weight * f64::from(*value)).enumerate().collect();
    parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    parts.truncate(MAX_NAMED);
    parts.retain(|(_, part)| *part != 0.0);
    parts
}

/// A number with two decimals, or none if it is whole.
fn number(value: f32) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}
