//! A common interface for all learners: labelled rows in, a classifier out.

use super::dataset::Dataset;
use super::oner::{self, OneROptions};
use super::svm::{self, SvmOptions};
use super::tree::{self, Tree, TreeOptions};
use super::zeror;
use webstrata::block::GapModel;
pub use webstrata::label::trained::classifier::Classifier;
use webstrata::label::trained::model::{BlockModel, Card};

/// A learner with its parameters.
///
/// ```
/// use webstrata_lab::learn::{classifier::Learner, tree::TreeOptions};
/// assert_eq!(Learner::Tree(TreeOptions::thesis()).name(), "tree");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Learner {
    /// Always answers the heaviest class.
    ZeroR,
    /// One feature, cut into intervals.
    OneR(OneROptions),
    /// A decision tree in the style of C4.5.
    Tree(TreeOptions),
    /// A linear support vector machine.
    Svm(SvmOptions),
    /// A given tree: only the scores of its leaves are learned.
    Fixed(Tree),
}

impl Learner {
    /// The name of the learner.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Learner::ZeroR => "zeror",
            Learner::OneR(_) => "1r",
            Learner::Tree(_) => "tree",
            Learner::Svm(_) => "svm",
            Learner::Fixed(_) => "fixed tree",
        }
    }

    /// Learns from some rows.
    ///
    /// ```
    /// use webstrata_lab::learn::{classifier::Learner, column::Column, dataset::{Classes, Dataset}, oner::OneROptions};
    /// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 20), 1, 0)).collect();
    /// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
    /// let classifier = Learner::OneR(OneROptions::weka()).fit(&data, &data.rows());
    /// assert_eq!((classifier.predict(&[3.0]), classifier.leaves()), (0, Some(2)));
    /// ```
    #[must_use]
    pub fn fit(&self, data: &Dataset, rows: &[u32]) -> Classifier {
        match self {
            Learner::ZeroR => Classifier::ZeroR(zeror::fit(data, rows)),
            Learner::OneR(options) => Classifier::OneR(oner::fit(data, rows, options)),
            Learner::Tree(options) => Classifier::Tree(tree::fit(data, rows, options)),
            Learner::Svm(options) => Classifier::Svm(svm::fit(data, rows, options)),
            Learner::Fixed(tree) => Classifier::Tree(tree::reweigh(tree, data, rows)),
        }
    }
}

/// Makes a model of a classifier learned from a data set; class 0 is boilerplate, all others are content.
#[must_use]
pub fn model(data: &Dataset, gaps: GapModel, classifier: Classifier, card: Card) -> BlockModel {
    let classes = data.class_names().iter().enumerate().map(|(class, name)| (*name, class > 0));
    BlockModel::new(gaps, classes, data.columns().to_vec(), classifier, card)
}
