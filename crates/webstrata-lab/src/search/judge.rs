//! Rankings against the relevant pages of queries.

use crate::gold::judgements::Query as Judged;
use crate::metrics::ranking::{Discount, average_precision, ndcg_at, precision_at, wilcoxon};
use crate::table::{Table, share};
use rayon::prelude::*;
use webstrata_search::{Index, Query, SearchError, SearchOptions};

/// Results considered per query. Nobody finds known items further down, and reading ids from the stored documents takes time.
pub const DEPTH: usize = 200;

/// A ranking to measure.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name in the table.
    pub name: String,
    /// Its search options.
    pub options: SearchOptions,
}

/// The measures of one query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Reciprocal rank of the first relevant page.
    pub reciprocal_rank: f64,
    /// Share of relevant pages among the first ten.
    pub precision_at_10: f64,
    /// Average precision.
    pub average_precision: f64,
    /// NDCG of the first ten, with the discount log2(rank + 1).
    pub ndcg_at_10: f64,
}

impl Measures {
    /// Computes the measures of a ranked list; `total` pages are relevant.
    ///
    /// ```
    /// use webstrata_lab::search::judge::Measures;
    /// let measures = Measures::new(&[false, true], 1);
    /// assert_eq!((measures.reciprocal_rank, measures.precision_at_10, measures.average_precision), (0.5, 0.1, 0.5));
    /// ```
    #[must_use]
    pub fn new(relevant: &[bool], total: usize) -> Measures {
        let first = relevant.iter().position(|relevant| *relevant);
        let gains: Vec<f64> = relevant.iter().map(|relevant| f64::from(u8::from(*relevant))).collect();
        Measures {
            reciprocal_rank: first.map_or(0.0, |at| 1.0 / (at + 1) as f64),
            precision_at_10: precision_at(10, relevant),
            average_precision: average_precision(relevant.iter().copied(), total),
            ndcg_at_10: ndcg_at(10, &gains, &vec![1.0; total], Discount::Log2RankPlusOne),
        }
    }

    fn list(&self) -> [f64; 4] {
        [self.reciprocal_rank, self.precision_at_10, self.average_precision, self.ndcg_at_10]
    }
}

/// Whether the page with this id (`folder/file.html@0`) is the one named in a judgement: by the end of its path, or by its file
/// name without the extension.
///
/// ```
/// use webstrata_lab::search::judge::is_page;
/// assert!(is_page("doc/library/cmd.html@0", "library/cmd.html") && is_page("html/CACM-0007.html@0", "CACM-0007"));
/// assert!(!is_page("doc/mylibrary/cmd.html@0", "library/cmd.html") && !is_page("a/CACM-00071.html@0", "CACM-0007"));
/// ```
#[must_use]
pub fn is_page(id: &str, name: &str) -> bool {
    let path = id.rsplit_once('@').map_or(id, |(path, _)| path);
    let ends = path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let file = path.rsplit('/').next().unwrap_or(path);
    ends || file.rsplit_once('.').is_some_and(|(stem, _)| stem == name)
}

/// Queries, and their measures for each ranking.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The texts of the queries.
    pub queries: Vec<String>,
    /// By ranking, then by query.
    pub measures: Vec<Vec<Measures>>,
    /// Queries that were left out.
    pub skipped: usize,
}

/// Computes the measures of each query for each ranking. Queries without any indexable word are skipped and counted.
///
/// # Errors
/// If a search fails.
pub fn measure(index: &Index, queries: &[Judged], candidates: &[Candidate]) -> Result<Measured, SearchError> {
    let parsed: Vec<(&Judged, Query)> =
        queries.iter().filter_map(|judged| Some((judged, Query::of_words(&judged.text).ok()?))).collect();
    let answerable: Vec<&(&Judged, Query)> = parsed
        .iter()
        .filter(|(judged, query)| !judged.relevant.is_empty() && index.rank(query, &SearchOptions::default()).is_ok())
        .collect();
    let mut all = Vec::new();
    for candidate in candidates {
        let one = |(judged, query): &&(&Judged, Query)| {
            let options = SearchOptions { limit: DEPTH, fold: false, ..candidate.options.clone() };
            let found = index.rank(query, &options)?;
            let is_relevant = |id: &str| judged.relevant.iter().any(|name| is_page(id, name));
            let relevant: Vec<bool> = found.iter().map(|(id, _)| is_relevant(id)).collect();
            Ok(Measures::new(&relevant, judged.relevant.len()))
        };
        all.push(answerable.par_iter().map(one).collect::<Result<Vec<_>, SearchError>>()?);
    }
    let texts = answerable.iter().map(|(judged, _)| judged.text.clone()).collect();
    Ok(Measured { queries: texts, measures: all, skipped: queries.len() - answerable.len() })
}

/// The mean of a measure.
#[must_use]
pub fn mean(measures: &[Measures], of: impl Fn(&Measures) -> f64) -> f64 {
    measures.iter().map(of).sum::<f64>() / measures.len().max(1) as f64
}

/// A table of rankings: means of the measures, and p-values of the average precision compared with the first two rankings.
#[must_use]
pub fn table(candidates: &[Candidate], measures: &[Vec<Measures>]) -> Table {
    let name = |at: usize| candidates.get(at).map_or("–", |candidate| candidate.name.as_str());
    let heads = [format!("p ({})", name(0)), format!("p ({})", name(1))];
    let mut table = Table::new(&["ranking", "MRR", "P@10", "MAP", "NDCG@10", &heads[0], &heads[1]]);
    for (candidate, own) in candidates.iter().zip(measures) {
        let mut row = vec![candidate.name.clone()];
        row.extend((0..4).map(|at| share(mean(own, |measures| measures.list()[at]))));
        for other in measures.iter().take(2) {
            let precision = |measures: &[Measures]| measures.iter().map(|one| one.average_precision).collect::<Vec<_>>();
            let test = wilcoxon(&precision(own), &precision(other));
            row.push(if test.pairs == 0 { "–".into() } else { format!("{:.1e}", test.p) });
        }
        table.row(row);
    }
    table
}

/// The queries that lose and gain most with a ranking, compared with the first one: average precision of both.
#[must_use]
pub fn differences(measured: &Measured, ranking: usize, count: usize) -> Table {
    let mut table = Table::new(&["query", "first ranking", "this one"]);
    let (Some(first), Some(own)) = (measured.measures.first(), measured.measures.get(ranking)) else { return table };
    let pairs = measured.queries.iter().zip(first.iter().zip(own));
    let mut rows: Vec<(&String, f64, f64)> =
        pairs.map(|(query, (first, own))| (query, first.average_precision, own.average_precision)).collect();
    rows.sort_by(|one, two| (one.2 - one.1).total_cmp(&(two.2 - two.1)).then(one.0.cmp(two.0)));
    let worst = rows.iter().take(count);
    let best = rows.iter().rev().take(count);
    for (query, first, own) in worst.chain(best).filter(|(_, first, own)| first != own) {
        table.row(vec![(*query).clone(), share(*first), share(*own)]);
    }
    table
}
