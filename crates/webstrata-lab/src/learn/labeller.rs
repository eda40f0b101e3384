//! A model as a labeller of pages: verdicts, and for each its reason.
//!
//! The reason is what the classifier looked at: the path through the tree with the values on it, the interval of the rule, or the
//! score of the machine with the features that weighed most.

use super::classifier::Classifier;
use super::column::Column;
use super::dataset::value;
use super::model::Model;
use super::svm::Plane;
use std::fmt::Write;
use webstrata::block::{Features, Frequencies, GapModel};
use webstrata::label::{Explanation, Input, Labeller, Labels, StageInfo, Verdict};

static INFO: StageInfo = StageInfo { name: "model", source: "trained with `webstrata train blocks`", rules: &[] };

/// How many features of a score are named.
const NAMED: usize = 4;

/// A model that labels pages.
///
/// ```
/// use webstrata::{Page, block::GapModel};
/// use webstrata_lab::learn::{classifier::Learner, column::Column, dataset::{Classes, Dataset}};
/// use webstrata_lab::learn::{labeller::ModelLabeller, model::{Card, Model}, tree::TreeOptions};
/// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 6), 1, 0)).collect();
/// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
/// let tree = Learner::Tree(TreeOptions::default()).fit(&data, &data.rows());
/// let labeller = ModelLabeller::new(Model::new(&data, GapModel::Lines, tree, Card::default())).unwrap();
/// let page = Page::parse(b"<p>Home<p>It rained again in the whole valley.");
/// assert_eq!(page.label(&labeller).content().collect::<Vec<_>>(), [1]);
/// assert_eq!(page.explain(&labeller).why(0), "model: boilerplate (100% of 6 words): words 1 <= 5");
/// ```
#[derive(Clone, Debug)]
pub struct ModelLabeller {
    model: Model,
}

/// Why a model cannot label single pages.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotForPages {
    /// It was trained on finer blocks.
    #[error("the model was trained on blocks that every tag ends; pages are labelled by lines: train it with those")]
    Gaps,
    /// It wants to know how often a text occurs elsewhere.
    #[error("the model looks at '{0}', which a page alone does not tell: train it without")]
    Global(Column),
}

impl ModelLabeller {
    /// A labeller with a model.
    ///
    /// # Errors
    /// The model needs what a page does not have.
    pub fn new(model: Model) -> Result<Self, NotForPages> {
        if model.gaps() != GapModel::Lines {
            return Err(NotForPages::Gaps);
        }
        match model.columns().iter().find(|column| column.is_global()) {
            Some(column) => Err(NotForPages::Global(*column)),
            None => Ok(ModelLabeller { model }),
        }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The class of every block.
    #[must_use]
    pub fn classes(&self, input: &Input<'_>) -> Vec<usize> {
        self.rows(input, |row| self.model.classifier().answer(row))
    }

    /// How much every block looks like content: a rank, not a probability. Shares of the classes that are content add up; of
    /// planes the highest one of content counts, less the highest one of the others.
    ///
    /// ```
    /// use webstrata::{Page, block::GapModel};
    /// use webstrata_lab::learn::{classifier::Learner, column::Column, dataset::{Classes, Dataset}};
    /// use webstrata_lab::learn::{labeller::ModelLabeller, model::{Card, Model}, tree::TreeOptions};
    /// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 6), 1, 0)).collect();
    /// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
    /// let tree = Learner::Tree(TreeOptions::default()).fit(&data, &data.rows());
    /// let labeller = ModelLabeller::new(Model::new(&data, GapModel::Lines, tree, Card::default())).unwrap();
    /// let page = Page::parse(b"<p>Home<p>It rained again in the whole valley.");
    /// assert_eq!(labeller.content_scores(&page.input()), [0.0, 1.0]);
    /// ```
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
        let mut row = Vec::new();
        let mut judged = Vec::with_capacity(features.len());
        for block in 0..features.len() {
            row.clear();
            row.extend(self.model.columns().iter().map(|column| value(*column, &features, Frequencies::default(), block)));
            judged.push(judge(&row));
        }
        judged
    }

    fn verdict(&self, class: usize) -> Verdict {
        Verdict { content: self.model.is_content(class), title: false }
    }

    /// Why a row is of its class.
    fn why(&self, row: &[f32]) -> String {
        let class = self.model.classifier().answer(row);
        let mut why = self.model.classes().get(class).cloned().unwrap_or_default();
        let name = |column: usize| self.model.columns().get(column).map(Column::to_string).unwrap_or_default();
        match self.model.classifier() {
            Classifier::ZeroR(_) => why.push_str(": the commonest class"),
            Classifier::OneR(rule) => {
                let interval = rule.interval(row[rule.column()]);
                why.push_str(&share(&interval.weights, class));
                let sign = if interval.below.is_finite() { format!(" < {}", number(interval.below)) } else { String::new() };
                why.push_str(&format!(": {} {}{sign}", name(rule.column()), number(row[rule.column()])));
            }
            Classifier::Tree(tree) => {
                why.push_str(&share(&tree.leaf(row).weights, class));
                for (at, (split, low)) in tree.path(row).into_iter().enumerate() {
                    let (joint, sign) = (if at == 0 { ": " } else { ", " }, if low { "<=" } else { ">" });
                    let (value, threshold) = (number(row[split.column]), number(split.threshold));
                    // Writing to a string does not fail.
                    let _ = write!(why, "{joint}{} {value} {sign} {threshold}", name(split.column));
                }
            }
            Classifier::Svm(machine) => {
                let score = machine.scores(row).get(class).copied().unwrap_or(0.0);
                let (plane, sign) = match machine.planes() {
                    [plane] => (Some(plane), if class == 0 { -1.0 } else { 1.0 }),
                    planes => (planes.get(class), 1.0),
                };
                why.push_str(&format!(": score {score:.2}"));
                for (column, part) in plane.map(|plane| heaviest_parts(plane, row)).unwrap_or_default() {
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

/// How sure a leaf is.
fn share(weights: &[f64], class: usize) -> String {
    let sum: f64 = weights.iter().sum();
    let own = weights.get(class).copied().unwrap_or(0.0);
    if sum > 0.0 { format!(" ({:.0}% of {sum:.0} words)", own / sum * 100.0) } else { String::new() }
}

/// The features that add most to a plane's score or take most from it.
fn heaviest_parts(plane: &Plane, row: &[f32]) -> Vec<(usize, f64)> {
    let mut parts: Vec<(usize, f64)> =
        plane.weights.iter().zip(row).map(|(weight, value)| weight * f64::from(*value)).enumerate().collect();
    parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    parts.truncate(NAMED);
    parts.retain(|(_, part)| *part != 0.0);
    parts
}

/// Two decimals; whole numbers show none.
fn number(value: f32) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}
