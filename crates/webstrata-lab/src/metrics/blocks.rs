//! Block labels against gold: by block, by word, and over all thresholds of a score.
//!
//! - **b-precision, b-recall, b-F** (Debnath and others: Automatic identification of informative sections of Web pages,
//!   TKDE 17, 2005): precision is the share of kept blocks that are content, recall the share of content blocks that are kept.
//! - **By word** (thesis 4.4.3): blocks are weighted by their words.
//! - **Per class**, for more than two: precision, recall, F1 and false positive rate of each, and their mean weighted by the
//!   size of the classes, as in the thesis' table 4.9.
//! - **ROC AuC**: the probability that a content word has a higher score than a boilerplate word, ties counting half
//!   (Hanley, McNeil 1982).

use super::words::Prf;

/// Confusion matrix: true class (row) by answer (column), weighted.
///
/// ```
/// use webstrata_lab::metrics::blocks::Confusion;
/// let mut confusion = Confusion::new(2);
/// for (gold, answer, words) in [(1, 1, 30), (1, 0, 10), (0, 0, 5), (0, 1, 5)] {
///     confusion.add(gold, answer, words);
/// }
/// assert_eq!(confusion.class(1).recall, 0.75);
/// assert_eq!(confusion.false_positive_rate(1), 0.5);
/// assert_eq!(confusion.accuracy(), 0.7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    classes: usize,
    cells: Vec<u64>,
}

impl Confusion {
    /// An empty matrix for a number of classes.
    #[must_use]
    pub fn new(classes: usize) -> Self {
        Confusion { classes, cells: vec![0; classes * classes] }
    }

    /// Adds an item. Classes out of range are ignored.
    pub fn add(&mut self, gold: usize, answer: usize, weight: u64) {
        if gold < self.classes && answer < self.classes {
            self.cells[gold * self.classes + answer] += weight;
        }
    }

    /// Adds the items of another matrix of the same classes.
    pub fn merge(&mut self, other: &Confusion) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, more)| *cell += more);
    }

    /// Weight of the items of class `gold` with this answer.
    #[must_use]
    pub fn cell(&self, gold: usize, answer: usize) -> u64 {
        self.cells.get(gold * self.classes + answer).copied().unwrap_or(0)
    }

    fn row(&self, class: usize) -> u64 {
        (0..self.classes).map(|answer| self.cell(class, answer)).sum()
    }

    fn column(&self, class: usize) -> u64 {
        (0..self.classes).map(|gold| self.cell(gold, class)).sum()
    }

    /// Total weight.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.cells.iter().sum()
    }

    /// Share of a class in all items.
    #[must_use]
    pub fn share(&self, class: usize) -> f64 {
        ratio(self.row(class), self.total())
    }

    /// Precision and recall of one class.
    #[must_use]
    pub fn class(&self, class: usize) -> Prf {
        let right = self.cell(class, class);
        Prf { precision: ratio(right, self.column(class)), recall: ratio(right, self.row(class)) }
    }

    /// False-positive rate of a class.
    #[must_use]
    pub fn false_positive_rate(&self, class: usize) -> f64 {
        let right = self.cell(class, class);
        ratio(self.column(class) - right, self.total() - self.row(class))
    }

    /// Accuracy.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        ratio((0..self.classes).map(|class| self.cell(class, class)).sum(), self.total())
    }

    /// The mean of a measure over the classes, weighted by their sizes.
    #[must_use]
    pub fn weighted(&self, figure: impl Fn(&Confusion, usize) -> f64) -> f64 {
        (0..self.classes).map(|class| self.share(class) * figure(self, class)).sum()
    }
}

fn ratio(part: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}

/// Area under the ROC curve of scored items: `(score, is positive, weight)`. 0.5 if one class is empty.
///
/// ```
/// use webstrata_lab::metrics::blocks::area_under_roc;
/// // scikit-learn 1.9: roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]) = 0.75
/// let items = [(0.1, false, 1.0), (0.4, false, 1.0), (0.35, true, 1.0), (0.8, true, 1.0)];
/// assert_eq!(area_under_roc(&items), 0.75);
/// ```
#[must_use]
pub fn area_under_roc(items: &[(f64, bool, f64)]) -> f64 {
    let mut items = items.to_vec();
    items.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut won, mut positives) = (0.0, 0.0, 0.0);
    for same in items.chunk_by(|a, b| a.0 == b.0) {
        let sum = |positive: bool| same.iter().filter(|item| item.1 == positive).map(|item| item.2).sum::<f64>();
        let (plus, minus) = (sum(true), sum(false));
        won += plus * (below + minus / 2.0);
        below += minus;
        positives += plus;
    }
    if positives == 0.0 || below == 0.0 { 0.5 } else { won / (positives * below) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_classes_match_scikit_learn() {
        // y_true = [0,0,0,1,1,2,2,2,2,2], y_pred = [0,1,0,1,1,2,2,0,1,2]; scikit-learn 1.9,
        // precision_recall_fscore_support(average="weighted")
        let mut confusion = Confusion::new(3);
        for (gold, answer) in [(0, 0), (0, 1), (0, 0), (1, 1), (1, 1), (2, 2), (2, 2), (2, 0), (2, 1), (2, 2)] {
            confusion.add(gold, answer, 1);
        }
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(confusion.weighted(|c, k| c.class(k).precision), PRECISION);
        near(confusion.weighted(|c, k| c.class(k).recall), RECALL);
        near(confusion.weighted(|c, k| c.class(k).f1()), F1);
        near(confusion.accuracy(), 0.7);
        // By hand: of the seven items that are not of class 0, one was assigned to it.
        near(confusion.false_positive_rate(0), 1.0 / 7.0);
    }

    const PRECISION: f64 = 0.8;
    const RECALL: f64 = 0.7;
    const F1: f64 = 0.7083333333333333;

    #[test]
    fn weighted_area_matches_scikit_learn() {
        let items = [(0.9, true, 3.0), (0.8, false, 1.0), (0.8, true, 2.0), (0.3, false, 4.0), (0.2, true, 0.5), (0.2, false, 2.5)];
        assert!((area_under_roc(&items) - AREA).abs() < 1e-12, "{}", area_under_roc(&items));
        assert_eq!(area_under_roc(&[(1.0, true, 1.0)]), 0.5);
    }

    /// roc_auc_score with sample_weight, scikit-learn 1.9.
    const AREA: f64 = 0.9;
}
