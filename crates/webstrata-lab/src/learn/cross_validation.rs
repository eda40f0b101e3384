//! Cross-validation: every row is classified by a model that has not seen its page, or its host.
//!
//! Blocks of one page are related, and pages of one host share their template: folds of single blocks (as in Weka,
//! and apparently in the thesis) leak the answer. Folds by page are the default; folds by host estimate
//! the scores on unseen sites.
//!
//! Folds are deterministic: groups are shuffled with a fixed seed, and each goes to the fold with the fewest words. The answers
//! of all folds are counted in one table, as in Weka, so that scores are for the whole set, not means of means.

use super::classifier::Learner;
use super::dataset::Dataset;
use crate::metrics::blocks::{Confusion, area_under_roc};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
pub use webstrata::label::trained::model::Scores;
use webstrata_corpus::io::Random;

/// The unit that folds keep together.
///
/// ```
/// use webstrata_lab::learn::cross_validation::By;
/// assert_eq!("host".parse(), Ok(By::Host));
/// assert!("site".parse::<By>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The blocks of a page.
    #[default]
    Page,
    /// The pages of a host.
    Host,
    /// Single blocks, for comparison with the thesis.
    Block,
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            By::Page => "page",
            By::Host => "host",
            By::Block => "block",
        })
    }
}

/// An unknown unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("folds are by page, host or block, not by '{0}'")]
pub struct UnknownBy(String);

impl FromStr for By {
    type Err = UnknownBy;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [By::Page, By::Host, By::Block]
            .into_iter()
            .find(|by| by.to_string() == text)
            .ok_or_else(|| UnknownBy(text.chars().take(40).collect()))
    }
}

/// The fold of each row.
///
/// ```
/// use webstrata_lab::learn::{cross_validation::{By, folds}, dataset::{Classes, Dataset}};
/// let rows: Vec<_> = (0..60).map(|x| (vec![], 0, 1, x / 6)).collect();
/// let folds = folds(&Dataset::from_rows(Vec::new(), &rows, Classes::Two), 5, By::Page);
/// assert!(folds.chunks(6).all(|page| page.iter().all(|fold| *fold == page[0])));
/// assert!((0..5).all(|fold| folds.iter().filter(|f| **f == fold).count() == 12));
/// ```
#[must_use]
pub fn folds(data: &Dataset, count: usize, by: By) -> Vec<usize> {
    let group = |row: usize| match by {
        By::Page => data.page(row),
        By::Host => data.host(row),
        By::Block => row as u32,
    };
    let mut words: BTreeMap<u32, f64> = BTreeMap::new();
    for row in 0..data.len() {
        *words.entry(group(row)).or_insert(0.0) += data.weight(row);
    }
    let mut groups: Vec<(u32, f64)> = words.into_iter().collect();
    Random::new(2010).shuffle(&mut groups);
    let mut sums = vec![0.0; count.max(1)];
    let mut fold_of: BTreeMap<u32, usize> = BTreeMap::new();
    for (group, weight) in groups {
        let mut lightest = 0;
        for fold in 0..sums.len() {
            if sums[fold] < sums[lightest] {
                lightest = fold;
            }
        }
        sums[lightest] += weight;
        fold_of.insert(group, lightest);
    }
    (0..data.len()).map(|row| fold_of.get(&group(row)).copied().unwrap_or(0)).collect()
}

/// Answers of one fold's classifier: row, class, scores.
type Answers = Vec<(u32, usize, Vec<f64>)>;

/// Trains and evaluates fold by fold, on all threads of the current pool; the scores do not depend on their number.
///
/// ```
/// use webstrata_lab::learn::{classifier::Learner, column::Column, dataset::{Classes, Dataset}};
/// use webstrata_lab::learn::{cross_validation::{By, cross_validate}, tree::TreeOptions};
/// let rows: Vec<_> = (0..200).map(|x| (vec![(x % 20) as f32], u8::from(x % 20 >= 10), 1, x / 20)).collect();
/// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
/// let scores = cross_validate(&data, &Learner::Tree(TreeOptions::default()), 5, By::Page);
/// assert_eq!((scores.f1, scores.area), (1.0, 1.0));
/// ```
#[must_use]
pub fn cross_validate(data: &Dataset, learner: &Learner, count: usize, by: By) -> Scores {
    cross_validate_watched(data, learner, count, by, &|| ())
}

/// Like [`cross_validate`], but calls `done` for each fold.
#[must_use]
pub fn cross_validate_watched(data: &Dataset, learner: &Learner, count: usize, by: By, done: &(dyn Fn() + Sync)) -> Scores {
    let fold_of = folds(data, count, by);
    let answers: Vec<Answers> = (0..count.max(1))
        .into_par_iter()
        .map(|fold| {
            let (test, train): (Vec<u32>, Vec<u32>) = data.rows().into_iter().partition(|&row| fold_of[row as usize] == fold);
            let classifier = learner.fit(data, &train);
            let answer = |row: u32| {
                let values: Vec<f32> = data.row(row as usize).collect();
                (row, classifier.predict(&values), classifier.scores(&values))
            };
            let answers = test.into_iter().map(answer).collect();
            done();
            answers
        })
        .collect();
    let answers: Answers = answers.into_iter().flatten().collect();
    score(data, &answers)
}

fn score(data: &Dataset, answers: &Answers) -> Scores {
    let mut confusion = Confusion::new(data.classes());
    for (row, answer, _) in answers {
        confusion.add(data.class(*row as usize), *answer, data.weight(*row as usize) as u64);
    }
    let area = |score: &dyn Fn(usize, &[f64], usize) -> f64| {
        confusion.weighted(|_, class| {
            let item = |(row, answer, scores): &(u32, usize, Vec<f64>)| {
                (score(*answer, scores, class), data.class(*row as usize) == class, data.weight(*row as usize))
            };
            area_under_roc(&answers.iter().map(item).collect::<Vec<_>>())
        })
    };
    Scores {
        precision: confusion.weighted(|c, class| c.class(class).precision),
        recall: confusion.weighted(|c, class| c.class(class).recall),
        f1: confusion.weighted(|c, class| c.class(class).f1()),
        false_positives: confusion.weighted(Confusion::false_positive_rate),
        area: area(&|_, scores, class| scores[class]),
        area_of_answers: area(&|answer, _, class| f64::from(u8::from(answer == class))),
    }
}
