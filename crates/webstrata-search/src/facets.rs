//! Ranks by topic: mixed into scores, and as facets of results.

use crate::SearchError;
use crate::document::key;
use crate::search::Hit;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;
use webstrata_corpus::graph::facets::{FacetOptions, Facets};
use webstrata_corpus::graph::topics::{Mixture, RankTable, UNBIASED};

/// Ranks of pages that are mixed into scores.
///
/// ```
/// use webstrata_search::TopicRanks;
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("ranks.tsv");
/// std::fs::write(&file, "page\t*\tSports\nhttps://example.org/\t0.5\t0.9\nhttps://example.com/\t0.5\t0.1\n").unwrap();
/// let ranks = TopicRanks::read(&file)?;
/// assert_eq!(ranks.names(), ["*", "Sports"]);
/// assert!(ranks.mix("Sports", 0.5).is_ok() && ranks.mix("Sports=3,*=1", 1.0).is_ok() && ranks.mix("Science", 1.0).is_err());
/// # Ok::<(), webstrata_search::SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PageRanks {
    name: String,
    by_key: HashMap<u64, f64>,
    weight: f64,
}

impl PageRanks {
    /// Its name, which says all about it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn by_key(&self) -> &HashMap<u64, f64> {
        &self.by_key
    }

    pub(crate) fn weight(&self) -> f64 {
        self.weight
    }
}

/// A file of ranks, as `webstrata rank` writes it: one column, or one for each topic.
#[derive(Debug)]
pub struct TopicRanks {
    file: String,
    pages: Vec<String>,
    numbers: HashMap<u64, usize>,
    table: RankTable,
}

/// A facet of results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facet {
    /// The topic.
    pub topic: String,
    /// Share of the results that belong to it.
    pub share: f64,
}

impl TopicRanks {
    /// Reads a file. Pages are named by their addresses, or by their ids if they have none.
    ///
    /// # Errors
    /// If it cannot be read or has no ranks.
    pub fn read(path: &Path) -> Result<TopicRanks, SearchError> {
        let table = RankTable::read(&[path])?;
        let pages: Vec<String> = table.names().into_iter().map(str::to_owned).collect();
        let numbers = pages.iter().enumerate().map(|(number, page)| (key(Some(page), page), number)).collect();
        Ok(TopicRanks { file: path.display().to_string(), pages, numbers, table })
    }

    /// The names of its columns.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.table.rankings().iter().map(|ranking| ranking.name.as_str()).collect()
    }

    /// Ranks by a topic (the name of a column), by a mixture (`Sports=0.7,Science=0.3`), or by the first column if `topic` is empty.
    /// `weight` is the exponent: 0 has no effect, 1 multiplies scores by ranks.
    ///
    /// # Errors
    /// If there is no such column, or the weight is no number from 0 to 10.
    pub fn mix(&self, topic: &str, weight: f64) -> Result<PageRanks, SearchError> {
        if !(0.0..=10.0).contains(&weight) {
            return Err(SearchError::Option("the weight of ranks is a number from 0 to 10".into()));
        }
        let rankings = self.table.rankings();
        let find = |name: &str| {
            rankings.iter().find(|ranking| ranking.name == name).ok_or_else(|| {
                let some: Vec<&str> = self.names().into_iter().take(10).collect();
                SearchError::Option(format!("{} has no topic {name:?}; it has: {}", self.file, some.join(", ")))
            })
        };
        let parts = match topic {
            "" => rankings.first().map(|ranking| vec![(ranking, 1.0)]).unwrap_or_default(),
            topic if rankings.iter().any(|ranking| ranking.name == topic) || !topic.contains('=') => vec![(find(topic)?, 1.0)],
            mixture => {
                let mixture: Mixture = mixture.parse()?;
                mixture.parts.iter().map(|(name, share)| Ok((find(name)?, *share))).collect::<Result<_, SearchError>>()?
            }
        };
        let rank = |number: usize| parts.iter().map(|(ranking, share)| share * ranking.score(number as u32).unwrap_or(0.0)).sum();
        let by_key = self.pages.iter().enumerate().map(|(number, page)| (key(Some(page), page), rank(number))).collect();
        Ok(PageRanks { name: format!("{} {topic} ^ {weight}", self.file), by_key, weight })
    }

    /// The facets of results, largest first: the share of them that belongs to each topic (equation 3.16 of the thesis).
    ///
    /// # Errors
    /// If the ranks are no ranks.
    pub fn facets(&self, hits: &[Hit], options: &FacetOptions) -> Result<Vec<Facet>, SearchError> {
        let mut facets = Facets::default();
        let mut names = Vec::new();
        for ranking in self.table.rankings().iter().filter(|ranking| ranking.name != UNBIASED) {
            facets.push(0, &ranking.filled(self.pages.len()))?;
            names.push(ranking.name.clone());
        }
        let number = |hit: &Hit| {
            let found = self.numbers.get(&key(hit.url.as_deref(), &hit.id)).copied()?;
            Some((found, f64::from(hit.score)))
        };
        let results: Vec<(usize, f64)> = hits.iter().filter_map(number).collect();
        let pages: Vec<usize> = results.iter().map(|&(page, _)| page).collect();
        let shares = facets.shares(&pages, options);
        let mut found: Vec<Facet> =
            names.into_iter().zip(shares).filter(|(_, share)| *share > 0.0).map(|(topic, share)| Facet { topic, share }).collect();
        found.sort_by(|one, two| two.share.total_cmp(&one.share).then(one.topic.cmp(&two.topic)));
        Ok(found)
    }
}
