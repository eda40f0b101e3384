//! Relevance judgements, and the mean average precision of rankings.
//!
//! A line is `page`, `query<TAB>page` or `query<TAB>page<TAB>1` (0 for a page that is not relevant). If a query has pages judged 0,
//! only its judged pages are ranked, as its results; otherwise all pages are. A query named like a ranking, optionally followed by
//! `#` and more, is evaluated on this ranking and on the unbiased one only.

use super::super::GraphError;
use super::super::build::Lines;
use super::UNBIASED;
use super::measures::average_precision;
use super::table::{RankTable, Ranking};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Pages of one query.
#[derive(Clone, Debug, Default)]
struct Query {
    relevant: HashSet<u32>,
    /// Pages judged not relevant.
    irrelevant: HashSet<u32>,
    /// Number of relevant pages that no ranking has.
    missing: usize,
}

/// Judgements of queries.
#[derive(Clone, Debug, Default)]
pub struct Judgements {
    queries: BTreeMap<String, Query>,
}

impl Judgements {
    /// Reads a file, plain, gzip or Zstandard.
    ///
    /// # Errors
    /// If it cannot be read, if a line is not a judgement, or if the table has no relevant page.
    pub fn read(path: &Path, table: &RankTable) -> Result<Judgements, GraphError> {
        let mut lines = Lines::open(path)?;
        let mut queries: BTreeMap<String, Query> = BTreeMap::new();
        while lines.advance()? {
            let text = str::from_utf8(&lines.text).map_err(|_| lines.invalid("it is not UTF-8; convert the file"))?;
            let fields: Vec<&str> = text.splitn(4, '\t').map(str::trim).collect();
            let (query, page, relevant) = match fields.as_slice() {
                [page] => ("", *page, true),
                [query, page] => (*query, *page, true),
                [query, page, "1"] => (*query, *page, true),
                [query, page, "0"] => (*query, *page, false),
                _ => {
                    return Err(
                        lines.invalid("it is not a judgement; write query<TAB>page, optionally followed by <TAB>1 or <TAB>0")
                    );
                }
            };
            if !queries.contains_key(query) {
                queries.insert(query.to_owned(), Query::default());
            }
            let Some(judged) = queries.get_mut(query) else { continue };
            match (table.find(page), relevant) {
                (Some(page), true) => drop(judged.relevant.insert(page)),
                (Some(page), false) => drop(judged.irrelevant.insert(page)),
                (None, true) => judged.missing += 1,
                (None, false) => {}
            }
        }
        if queries.values().all(|query| query.relevant.is_empty()) {
            let reason = format!("{}: no relevant page has a rank; write pages as in the files of ranks", path.display());
            return Err(GraphError::Option(reason));
        }
        Ok(Judgements { queries })
    }

    /// Mean average precision of a ranking over the queries for `topic`, and the number of these queries.
    #[must_use]
    pub fn precision(&self, table: &RankTable, ranking: &Ranking, topic: &str) -> (f64, usize) {
        let asked = |query: &str| {
            let of = query.split_once('#').map_or(query, |(of, _)| of);
            of == topic || topic == UNBIASED || !table.rankings().iter().any(|ranking| ranking.name == of)
        };
        let queries: Vec<&Query> = self.queries.iter().filter(|(name, _)| asked(name)).map(|(_, query)| query).collect();
        let order = ranking.top(usize::MAX);
        let average = |query: &&Query| {
            let listed =
                |page: &&u32| query.irrelevant.is_empty() || query.relevant.contains(page) || query.irrelevant.contains(page);
            let relevant = order.iter().filter(listed).map(|page| query.relevant.contains(page));
            average_precision(relevant, query.relevant.len() + query.missing)
        };
        let sum: f64 = queries.iter().map(average).sum();
        (if queries.is_empty() { 0.0 } else { sum / queries.len() as f64 }, queries.len())
    }
}
