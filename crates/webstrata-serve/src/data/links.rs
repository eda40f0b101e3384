//! Ranks and backlinks.

use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;
use utoipa::ToSchema;
use webstrata_corpus::graph::topics::{RankTable, Ranking};
use webstrata_corpus::graph::{Graph, Stratum};

/// The link graph and the ranks of its pages.
#[derive(Default)]
pub(crate) struct Links {
    pub(crate) graph: Option<Graph>,
    pub(crate) ranks: Option<RankTable>,
    /// Indices of the ranked pages, by name.
    numbers: HashMap<String, u32>,
    /// The names of the columns as clients see them. A file with one column names it after its path, which clients should not see.
    columns: Vec<String>,
}

/// A page with its ranks.
#[derive(Serialize, ToSchema)]
pub(crate) struct RankedPage {
    /// Its address, as the graph names it.
    pub(crate) page: String,
    /// Its position, from 1.
    pub(crate) position: usize,
    /// Its rank.
    pub(crate) rank: f64,
}

/// A page that links to a page.
#[derive(Serialize, ToSchema)]
pub(crate) struct Backlink {
    /// Its address, as the graph names it.
    pub(crate) page: String,
    /// Stratum of the link on that page: content, navigation, …
    pub(crate) stratum: String,
    /// Its rank in the first column, if there are ranks.
    pub(crate) rank: Option<f64>,
}

/// The pages that link to a page.
pub(crate) struct Backlinks {
    /// Some of them.
    pub(crate) found: Vec<Backlink>,
    /// Number of all.
    pub(crate) total: usize,
    /// That number by the stratum of the link.
    pub(crate) by_stratum: Vec<(String, usize)>,
}

impl Links {
    pub(crate) fn set_ranks(&mut self, ranks: RankTable, path: &Path) {
        let file = path.file_stem().map_or_else(|| "ranks".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let shown = |name: &str| if Path::new(name) == path { file.clone() } else { name.to_owned() };
        self.columns = ranks.rankings().iter().map(|ranking| shown(&ranking.name)).collect();
        self.numbers = ranks.names().into_iter().map(str::to_owned).zip(0..).collect();
        self.ranks = Some(ranks);
    }

    /// The columns of the ranks.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The column that clients know by this name.
    pub(crate) fn column(&self, name: &str) -> Option<&Ranking> {
        self.ranks.as_ref()?.rankings().get(self.columns.iter().position(|column| column == name)?)
    }

    /// The best pages of a column, by default the first; `None` if there is no such column.
    pub(crate) fn top(&self, column: Option<&str>, limit: usize) -> Option<(String, Vec<RankedPage>)> {
        let table = self.ranks.as_ref()?;
        let shown = match column {
            None => self.columns.first()?,
            Some(name) => self.columns.iter().find(|column| *column == name)?,
        };
        let ranking = self.column(shown)?;
        let names = table.names();
        let page = |(position, number): (usize, u32)| RankedPage {
            page: names.get(number as usize).copied().unwrap_or_default().to_owned(),
            position: position + 1,
            rank: ranking.score(number).unwrap_or_default(),
        };
        Some((shown.clone(), ranking.top(limit).into_iter().enumerate().map(page).collect()))
    }

    /// The ranks of a page by column.
    pub(crate) fn ranks_of(&self, page: &str) -> Vec<(String, f64)> {
        let Some((table, &number)) = self.ranks.as_ref().zip(self.numbers.get(page)) else { return Vec::new() };
        let named = self.columns.iter().zip(table.rankings());
        named.filter_map(|(name, ranking)| Some((name.clone(), ranking.score(number)?))).collect()
    }

    /// The pages that link to a page; `None` if the page is not in the graph.
    pub(crate) fn backlinks(&self, page: &str, limit: usize) -> Option<Backlinks> {
        let graph = self.graph.as_ref()?;
        let number = graph.find(page)?;
        let (mut found, mut total, mut strata) = (Vec::new(), 0, [0usize; 256]);
        let first = self.ranks.as_ref().and_then(|table| table.rankings().first());
        for (source, stratum) in graph.predecessors_with_strata(number) {
            total += 1;
            strata[usize::from(stratum)] += 1;
            if found.len() < limit {
                let page = graph.name(source as usize);
                let rank = first.zip(self.numbers.get(&page)).and_then(|(ranking, &number)| ranking.score(number));
                found.push(Backlink { page, stratum: Stratum::from_number(stratum).to_string(), rank });
            }
        }
        let mut by_stratum: Vec<(String, usize)> = Vec::new();
        for (number, &count) in strata.iter().enumerate().filter(|(_, count)| **count > 0) {
            let name = Stratum::from_number(u8::try_from(number).unwrap_or_default()).to_string();
            match by_stratum.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += count,
                None => by_stratum.push((name, count)),
            }
        }
        Some(Backlinks { found, total, by_stratum })
    }
}
