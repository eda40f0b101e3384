//! Table 4.9: the learners of the thesis, our numbers beside its own.
//!
//! Ten folds, rows weighted by words, scores weighted by the words of the classes. For 1R and SMO, Weka has no scores other than the
//! answer, so their area under the ROC curve is that of the answers; for trees it is that of the class shares in the leaves.

use super::thesis::{Printed, specs};
use crate::learn::classifier::Learner;
use crate::learn::cross_validation::{By, Scores, cross_validate};
use crate::learn::dataset::{Classes, LabelledBlocks};
use crate::table::Table;

/// A row of table 4.9 for two or for four classes.
#[derive(Clone, Debug)]
pub struct LearnerRow {
    /// The thesis' name.
    pub name: &'static str,
    /// Number of features.
    pub dimensions: usize,
    /// The classes.
    pub classes: Classes,
    /// Our scores.
    pub scores: Scores,
    /// Whichever of our two areas corresponds to the thesis'.
    pub area: f64,
    /// Leaves or intervals of the classifier trained on all rows.
    pub leaves: Option<usize>,
    /// The thesis' values.
    pub thesis: Option<Printed>,
}

impl LearnerRow {
    /// Precision, recall, F1, false positive rate, area, in percent.
    #[must_use]
    pub fn percent(&self) -> [f64; 5] {
        let Scores { precision, recall, f1, false_positives, .. } = self.scores;
        [precision, recall, f1, false_positives, self.area].map(|share| share * 100.0)
    }

    /// The largest difference from the thesis, in percentage points.
    #[must_use]
    pub fn max_difference(&self) -> Option<f64> {
        let thesis = self.thesis?.scores;
        Some(self.percent().iter().zip(thesis).map(|(ours, theirs)| (ours - theirs).abs()).fold(0.0, f64::max))
    }
}

/// Parameters of the table.
#[derive(Clone, Copy, Debug)]
pub struct TableOptions {
    /// Number of folds.
    pub folds: usize,
    /// The unit that folds keep together.
    pub by: By,
    /// Whether support vector machines are trained as well; they take most of the time.
    pub svm: bool,
}

impl Default for TableOptions {
    fn default() -> Self {
        TableOptions { folds: 10, by: By::Page, svm: true }
    }
}

/// All rows, those for two classes first.
///
/// ```no_run
/// use std::path::Path;
/// use webstrata::block::GapModel;
/// use webstrata_lab::gold::l3s_blocks::L3sBlocks;
/// use webstrata_lab::learn::{dataset::LabelledBlocks, tables::table_4_9};
/// let set = L3sBlocks::read(Path::new("l3s-gn1"))?;
/// for row in table_4_9(&LabelledBlocks::new(&set, GapModel::Tags), &Default::default()) {
///     println!("{}: {:?}", row.name, row.percent());
/// }
/// # Ok::<(), webstrata_lab::gold::set::SetError>(())
/// ```
#[must_use]
pub fn table_4_9(blocks: &LabelledBlocks, options: &TableOptions) -> Vec<LearnerRow> {
    let mut rows = Vec::new();
    for (number, classes) in [Classes::Two, Classes::Four].into_iter().enumerate() {
        for spec in specs() {
            let skipped = matches!(spec.learner, Learner::Svm(_)) && !options.svm;
            if skipped || (classes == Classes::Four && !spec.four) {
                continue;
            }
            let data = blocks.dataset(&spec.columns, classes);
            let scores = cross_validate(&data, &spec.learner, options.folds, options.by);
            let has_no_scores = matches!(spec.learner, Learner::OneR(_) | Learner::Svm(_));
            let leaves = match spec.learner {
                Learner::Svm(_) => None,
                _ => spec.learner.fit(&data, &data.rows()).leaves(),
            };
            rows.push(LearnerRow {
                name: spec.name,
                dimensions: spec.columns.len(),
                classes,
                scores,
                area: if has_no_scores { scores.area_of_answers } else { scores.area },
                leaves,
                thesis: spec.printed[number],
            });
        }
    }
    rows
}

/// The rows of one problem as a printable table: each cell has our number and, in brackets, its difference from the thesis'.
#[must_use]
pub fn learner_table(rows: &[LearnerRow], classes: Classes) -> Table {
    let mut table = Table::new(&["algorithm", "dim", "precision", "recall", "F1", "FP rate", "ROC AuC", "leaves (thesis)"]);
    for row in rows.iter().filter(|row| row.classes == classes) {
        let mut cells = vec![row.name.to_owned(), row.dimensions.to_string()];
        cells.extend(row.percent().iter().enumerate().map(|(at, ours)| match row.thesis {
            Some(thesis) => format!("{ours:.1} ({:+.1})", ours - thesis.scores[at]),
            None => format!("{ours:.1}"),
        }));
        let count = |leaves: Option<u64>| leaves.map_or("–".to_owned(), |leaves| leaves.to_string());
        let theirs = row.thesis.and_then(|thesis| thesis.leaves).map(u64::from);
        cells.push(format!("{} ({})", count(row.leaves.map(|leaves| leaves as u64)), count(theirs)));
        table.row(cells);
    }
    table
}
