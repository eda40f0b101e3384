//! Trained classifiers: a row of features in, a class and a score per class out.

use super::tree::Tree;

/// A trained classifier.
#[derive(Clone, Debug, PartialEq)]
pub enum Classifier {
    /// Always predicts the heaviest class.
    ZeroR(ZeroR),
    /// One feature, cut into intervals.
    OneR(OneR),
    /// A decision tree.
    Tree(Tree),
    /// A linear support vector machine.
    Svm(Svm),
}

impl Classifier {
    /// The class of a row.
    #[must_use]
    pub fn predict(&self, row: &[f32]) -> usize {
        match self {
            Classifier::ZeroR(zeror) => heaviest(zeror.shares()),
            Classifier::OneR(rule) => rule.predict(row),
            Classifier::Tree(tree) => tree.predict(row),
            Classifier::Svm(svm) => svm.predict(row),
        }
    }

    /// A score for each class: its share in the row's leaf or interval, or its distance from a plane.
    #[must_use]
    pub fn scores(&self, row: &[f32]) -> Vec<f64> {
        match self {
            Classifier::ZeroR(zeror) => zeror.shares().to_vec(),
            Classifier::OneR(rule) => rule.scores(row),
            Classifier::Tree(tree) => tree.scores(row),
            Classifier::Svm(svm) => svm.scores(row),
        }
    }

    /// Number of leaves of a tree, or of intervals of a rule.
    #[must_use]
    pub fn leaves(&self) -> Option<usize> {
        match self {
            Classifier::OneR(rule) => Some(rule.intervals().len()),
            Classifier::Tree(tree) => Some(tree.leaves()),
            Classifier::ZeroR(_) | Classifier::Svm(_) => None,
        }
    }
}

/// The baseline: class weights as shares; it predicts the heaviest class.
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroR {
    shares: Vec<f64>,
}

impl ZeroR {
    /// Creates the baseline from the share of each class.
    #[must_use]
    pub fn from_shares(shares: Vec<f64>) -> Self {
        ZeroR { shares }
    }

    /// Share of each class.
    #[must_use]
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }
}

/// One interval of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// Upper bound, exclusive; infinite for the last interval.
    pub below: f32,
    /// Weight of each class in it.
    pub weights: Vec<f64>,
}

/// A rule over one feature: ascending intervals of its values, one class per interval.
#[derive(Clone, Debug, PartialEq)]
pub struct OneR {
    column: usize,
    intervals: Vec<Interval>,
}

impl OneR {
    /// Creates a rule from its parts. `None` unless the intervals ascend and the last one is unbounded.
    #[must_use]
    pub fn from_parts(column: usize, intervals: Vec<Interval>) -> Option<Self> {
        let ascending = intervals.windows(2).all(|pair| pair[0].below < pair[1].below);
        let unbounded = intervals.last().is_some_and(|last| last.below == f32::INFINITY);
        (ascending && unbounded).then_some(OneR { column, intervals })
    }

    /// A rule with one interval for all values.
    #[must_use]
    pub fn constant(weights: Vec<f64>) -> Self {
        OneR { column: 0, intervals: vec![Interval { below: f32::INFINITY, weights }] }
    }

    /// Index of the column it tests.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// The intervals, ascending.
    #[must_use]
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// The interval of a value.
    #[must_use]
    pub fn interval(&self, value: f32) -> &Interval {
        let at = self.intervals.partition_point(|interval| interval.below <= value);
        &self.intervals[at.min(self.intervals.len() - 1)]
    }

    /// The class of a row.
    #[must_use]
    pub fn predict(&self, row: &[f32]) -> usize {
        heaviest(&self.interval(row[self.column]).weights)
    }

    /// Share of each class in the row's interval.
    #[must_use]
    pub fn scores(&self, row: &[f32]) -> Vec<f64> {
        shares(&self.interval(row[self.column]).weights)
    }
}

/// A hyperplane.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// A weight for each column.
    pub weights: Vec<f64>,
    /// Added to the weighted sum.
    pub bias: f64,
}

impl Plane {
    /// Signed distance of a row from the plane, in units of the weights' norm.
    #[must_use]
    pub fn score(&self, row: &[f32]) -> f64 {
        self.bias + self.weights.iter().zip(row).map(|(weight, value)| weight * f64::from(*value)).sum::<f64>()
    }
}

/// A linear support vector machine: one plane for two classes (class 1 is above it), otherwise one per class.
#[derive(Clone, Debug, PartialEq)]
pub struct Svm {
    planes: Vec<Plane>,
}

impl Svm {
    /// A machine from its planes.
    #[must_use]
    pub fn from_planes(planes: Vec<Plane>) -> Self {
        Svm { planes }
    }

    /// The planes.
    #[must_use]
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// A score for each class; the greatest is predicted.
    #[must_use]
    pub fn scores(&self, row: &[f32]) -> Vec<f64> {
        match &self.planes[..] {
            [plane] => {
                let score = plane.score(row);
                vec![-score, score]
            }
            planes => planes.iter().map(|plane| plane.score(row)).collect(),
        }
    }

    /// The class of a row.
    #[must_use]
    pub fn predict(&self, row: &[f32]) -> usize {
        heaviest(&self.scores(row))
    }
}

/// Weights as shares of their sum; equal shares if all are 0.
#[must_use]
pub fn shares(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { 1.0 / weights.len() as f64 }).collect()
}

/// Index of the greatest value, the first one on a tie.
#[must_use]
pub fn heaviest(weights: &[f64]) -> usize {
    let mut best = 0;
    for (at, weight) in weights.iter().enumerate() {
        if *weight > weights[best] {
            best = at;
        }
    }
    best
}
