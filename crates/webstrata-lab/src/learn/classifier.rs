//! Any learner behind one shape: rows in, a class and a score for each class out.

use super::dataset::Dataset;
use super::oner::{OneR, OneROptions};
use super::svm::{Svm, SvmOptions};
use super::tree::{Tree, TreeOptions};
use super::zeror::{ZeroR, heaviest};

/// What learns, and how.
///
/// ```
/// use webstrata_lab::learn::{classifier::Learner, tree::TreeOptions};
/// assert_eq!(Learner::Tree(TreeOptions::thesis()).name(), "tree");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Learner {
    /// The heaviest class.
    ZeroR,
    /// One feature.
    OneR(OneROptions),
    /// A tree in the manner of C4.5.
    Tree(TreeOptions),
    /// A linear support vector machine.
    Svm(SvmOptions),
    /// A tree that is given: nothing is learnt but its scores.
    Fixed(Tree),
}

impl Learner {
    /// Its name.
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
    #[must_use]
    pub fn fit(&self, data: &Dataset, rows: &[u32]) -> Classifier {
        match self {
            Learner::ZeroR => Classifier::ZeroR(ZeroR::fit(data, rows)),
            Learner::OneR(options) => Classifier::OneR(OneR::fit(data, rows, options)),
            Learner::Tree(options) => Classifier::Tree(Tree::fit(data, rows, options)),
            Learner::Svm(options) => Classifier::Svm(Svm::fit(data, rows, options)),
            Learner::Fixed(tree) => Classifier::Tree(tree.weighed(data, rows)),
        }
    }
}

/// What was learnt.
///
/// ```
/// use webstrata_lab::learn::{classifier::Learner, column::Column, dataset::{Classes, Dataset}, oner::OneROptions};
/// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 20), 1, 0)).collect();
/// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
/// let classifier = Learner::OneR(OneROptions::weka()).fit(&data, &data.rows());
/// assert_eq!((classifier.answer(&[3.0]), classifier.leaves()), (0, Some(2)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Classifier {
    /// The heaviest class.
    ZeroR(ZeroR),
    /// One feature.
    OneR(OneR),
    /// A tree.
    Tree(Tree),
    /// A linear support vector machine.
    Svm(Svm),
}

impl Classifier {
    /// The class of a row.
    #[must_use]
    pub fn answer(&self, row: &[f32]) -> usize {
        match self {
            Classifier::ZeroR(zeror) => heaviest(zeror.shares()),
            Classifier::OneR(rule) => rule.answer(row),
            Classifier::Tree(tree) => tree.answer(row),
            Classifier::Svm(machine) => machine.answer(row),
        }
    }

    /// A score for each class: its share where the row ends, or its distance from a plane.
    #[must_use]
    pub fn scores(&self, row: &[f32]) -> Vec<f64> {
        match self {
            Classifier::ZeroR(zeror) => zeror.shares().to_vec(),
            Classifier::OneR(rule) => rule.scores(row),
            Classifier::Tree(tree) => tree.scores(row),
            Classifier::Svm(machine) => machine.scores(row),
        }
    }

    /// Leaves of a tree, intervals of a rule.
    #[must_use]
    pub fn leaves(&self) -> Option<usize> {
        match self {
            Classifier::OneR(rule) => Some(rule.intervals().len()),
            Classifier::Tree(tree) => Some(tree.leaves()),
            Classifier::ZeroR(_) | Classifier::Svm(_) => None,
        }
    }
}
