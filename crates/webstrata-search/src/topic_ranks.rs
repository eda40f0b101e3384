//! Link ranks of pages: without a topic, and by topic.

use crate::SearchError;
use crate::document::key;
use std::collections::HashMap;
use std::path::Path;
use webstrata_corpus::graph::topics::{Mixture, RankTable};

/// Page ranks to mix into scores.
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
    /// A name that identifies the mixture completely.
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

/// Page ranks from a file that `webstrata rank` wrote, or from an index: one column, or one per topic.
#[derive(Clone, Debug)]
pub struct TopicRanks {
    source: String,
    /// Pages by key.
    numbers: HashMap<u64, usize>,
    columns: Vec<(String, Vec<f64>)>,
}

impl TopicRanks {
    /// Reads a file. Pages are named by their addresses, or by their ids if they have no address.
    ///
    /// # Errors
    /// If it cannot be read or has no ranks.
    pub fn read(path: &Path) -> Result<TopicRanks, SearchError> {
        let table = RankTable::read(&[path])?;
        let numbers = table.names().into_iter().enumerate().map(|(number, page)| (key(Some(page), page), number)).collect();
        let columns = table.rankings().iter().map(|ranking| (ranking.name.clone(), ranking.filled(table.num_pages()))).collect();
        Ok(TopicRanks { source: path.display().to_string(), numbers, columns })
    }

    /// Builds ranks from the values of pages by key, one value per name.
    pub(crate) fn new(source: String, names: &[String], pages: &[(u64, Vec<f64>)]) -> TopicRanks {
        let numbers = pages.iter().enumerate().map(|(number, (key, _))| (*key, number)).collect();
        let values = |column: usize| pages.iter().map(|(_, values)| values.get(column).copied().unwrap_or_default()).collect();
        let columns = names.iter().enumerate().map(|(column, name)| (name.clone(), values(column))).collect();
        TopicRanks { source, numbers, columns }
    }

    /// The names of its columns.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    pub(crate) fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(other, _)| other == name).map(|(_, values)| values.as_slice())
    }

    pub(crate) fn values(&self, column: usize) -> &[f64] {
        self.columns.get(column).map_or(&[], |(_, values)| values)
    }

    pub(crate) fn number(&self, url: Option<&str>, id: &str) -> Option<usize> {
        self.numbers.get(&key(url, id)).copied()
    }

    /// The ranks of a page, one per column.
    pub(crate) fn of_page(&self, key: u64) -> Option<impl Iterator<Item = f64> + '_> {
        let number = self.numbers.get(&key).copied()?;
        Some(self.columns.iter().map(move |(_, values)| values.get(number).copied().unwrap_or_default()))
    }

    /// Mixes ranks by a topic (a column name), by a mixture (`Sports=0.7,Science=0.3`), or by the first column if `topic` is empty.
    /// `weight` is the exponent: 0 has no effect, 1 multiplies scores by ranks.
    ///
    /// # Errors
    /// If there is no such column, or the weight is not a number from 0 to 10.
    pub fn mix(&self, topic: &str, weight: f64) -> Result<PageRanks, SearchError> {
        if !(0.0..=10.0).contains(&weight) {
            return Err(SearchError::Option("the weight of ranks is a number from 0 to 10".into()));
        }
        let find = |name: &str| {
            self.column(name).ok_or_else(|| {
                let some: Vec<&str> = self.names().into_iter().take(10).collect();
                SearchError::Option(format!("{} has no topic {name:?}; it has: {}", self.source, some.join(", ")))
            })
        };
        let parts = match topic {
            "" => vec![(self.values(0), 1.0)],
            topic if self.column(topic).is_some() || !topic.contains('=') => vec![(find(topic)?, 1.0)],
            mixture => {
                let mixture: Mixture = mixture.parse()?;
                mixture.parts.iter().map(|(name, share)| Ok((find(name)?, *share))).collect::<Result<_, SearchError>>()?
            }
        };
        let rank = |number: usize| parts.iter().map(|(values, share)| share * values.get(number).copied().unwrap_or(0.0)).sum();
        let by_key = self.numbers.iter().map(|(key, &number)| (*key, rank(number))).collect();
        Ok(PageRanks { name: format!("{} {topic} ^ {weight}", self.source), by_key, weight })
    }
}
