//! Compares rankings: pairs to compare, and measures for each.

use super::super::GraphError;
use super::measures::{kendall_tau_b, overlap};
use super::table::{RankTable, Ranking};
use super::{SEPARATOR, UNBIASED};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of pairs.
const MAX_PAIRS: usize = 1 << 20;

/// Which rankings to compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairs {
    /// Every pair.
    #[default]
    All,
    /// Each topic with its parent, its siblings, and the ranking without a preference.
    Tree,
}

/// Relation of the second ranking of a pair to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// The ranking without a preference, and a topic.
    Unbiased,
    /// A topic and one below it.
    Child,
    /// Two topics with the same parent.
    Sibling,
    /// Anything else.
    Other,
}

impl Relation {
    /// The name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Relation::Unbiased => "unbiased",
            Relation::Child => "child",
            Relation::Sibling => "sibling",
            Relation::Other => "other",
        }
    }
}

/// How rankings are compared.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// Depths at which the overlap is computed.
    pub at: Vec<usize>,
    /// Compute tau only on pages among the first of either ranking, up to this depth. The thesis used 30, on query results.
    pub tau_top: Option<usize>,
    /// Threads; 0 = one per core.
    pub threads: usize,
}

impl Default for CompareOptions {
    fn default() -> Self {
        CompareOptions { at: vec![10, 100, 1000], tau_top: None, threads: 0 }
    }
}

/// Similarity of two rankings.
#[derive(Clone, Debug, PartialEq)]
pub struct Similarity {
    /// Index of the first ranking in the table.
    pub one: usize,
    /// Index of the second.
    pub two: usize,
    /// Relation of the second to the first.
    pub relation: Relation,
    /// Number of pages on which tau was computed.
    pub pages: usize,
    /// Kendall's tau-b.
    pub tau: f64,
    /// Overlap at each depth.
    pub overlaps: Vec<f64>,
}

/// For each ranking its parent: the longest prefix of its path that is a ranking, else the unbiased one.
pub(super) fn parents(names: &[&str]) -> Vec<Option<usize>> {
    let places: BTreeMap<&str, usize> = names.iter().enumerate().map(|(at, &name)| (name, at)).collect();
    let parent = |name: &&str| {
        let mut rest = *name;
        while let Some((above, _)) = rest.rsplit_once(SEPARATOR) {
            if let Some(&at) = places.get(above) {
                return Some(at);
            }
            rest = above;
        }
        places.get(UNBIASED).copied().filter(|_| *name != UNBIASED)
    };
    names.iter().map(parent).collect()
}

/// The pairs to compare; the first of each is the parent, or comes first.
///
/// ```
/// use webstrata_corpus::graph::topics::{Pairs, Relation, pairs};
/// let found = pairs(&["*", "a", "a/x", "a/y"], Pairs::Tree)?;
/// assert_eq!(found[1], (0, 2, Relation::Unbiased));
/// assert!(found.contains(&(1, 3, Relation::Child)) && found.contains(&(2, 3, Relation::Sibling)));
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
///
/// # Errors
/// If there are too many.
pub fn pairs(names: &[&str], which: Pairs) -> Result<Vec<(usize, usize, Relation)>, GraphError> {
    let parents = parents(names);
    let is_unbiased = |at: usize| names[at] == UNBIASED;
    let relation = |one: usize, two: usize| {
        if is_unbiased(one) {
            (one, two, Relation::Unbiased)
        } else if is_unbiased(two) {
            (two, one, Relation::Unbiased)
        } else if parents[two] == Some(one) {
            (one, two, Relation::Child)
        } else if parents[one] == Some(two) {
            (two, one, Relation::Child)
        } else if parents[one] == parents[two] && (parents[one].is_some() || which == Pairs::Tree) {
            (one, two, Relation::Sibling)
        } else {
            (one, two, Relation::Other)
        }
    };
    let mut found = Vec::new();
    for one in 0..names.len() {
        for two in one + 1..names.len() {
            let pair = relation(one, two);
            if which == Pairs::All || pair.2 != Relation::Other {
                found.push(pair);
            }
            if found.len() > MAX_PAIRS {
                return Err(GraphError::Option(format!("more than {MAX_PAIRS} pairs of rankings; compare fewer")));
            }
        }
    }
    found.sort_by_key(|&(one, two, relation)| (relation, one, two));
    Ok(found)
}

/// Compares pairs of rankings. `progress` receives the number of finished pairs, and stops the work by returning false.
///
/// # Errors
/// If a pair has an unknown ranking, if threads cannot be started, or if the caller stopped the work.
pub fn compare(
    table: &RankTable,
    pairs: &[(usize, usize, Relation)],
    options: &CompareOptions,
    progress: &mut (dyn FnMut(usize) -> bool + Send),
) -> Result<Vec<Similarity>, GraphError> {
    let rankings = table.rankings();
    if pairs.iter().any(|&(one, two, _)| one.max(two) >= rankings.len()) {
        return Err(GraphError::Option(format!("a pair has an unknown ranking; there are {}", rankings.len())));
    }
    let most = options.at.iter().copied().chain(options.tau_top).max().unwrap_or_default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| GraphError::Option(format!("cannot start {} threads: {error}", options.threads)))?;
    pool.install(|| {
        let tops: Vec<Vec<u32>> = rankings.par_iter().map(|ranking| ranking.top(most)).collect();
        let mut found = Vec::with_capacity(pairs.len());
        for some in pairs.chunks(64) {
            let one = |&(one, two, relation): &(usize, usize, Relation)| {
                let lists = (tops[one].as_slice(), tops[two].as_slice());
                let (pages, tau) = tau(&rankings[one], &rankings[two], lists, options.tau_top);
                let overlaps = options.at.iter().map(|&k| overlap(lists.0, lists.1, k)).collect();
                Similarity { one, two, relation, pages, tau, overlaps }
            };
            found.par_extend(some.par_iter().map(one));
            if !progress(found.len()) {
                return Err(GraphError::Stopped);
            }
        }
        Ok(found)
    })
}

/// Tau of the pages that both rankings have.
fn tau(one: &Ranking, two: &Ranking, tops: (&[u32], &[u32]), top: Option<usize>) -> (usize, f64) {
    let both = |page: u32| Some((one.score(page)?, two.score(page)?));
    let (a, b): (Vec<f64>, Vec<f64>) = match top {
        None => one.scores().filter_map(|(page, score)| Some((score, two.score(page)?))).unzip(),
        Some(top) => {
            let first: BTreeSet<u32> = tops.0.iter().take(top).chain(tops.1.iter().take(top)).copied().collect();
            first.into_iter().filter_map(both).unzip()
        }
    };
    (a.len(), kendall_tau_b(&a, &b))
}
