//! Files of ranks: one ranking (`page<TAB>rank`), or one per column under a header that starts with `page`.

use super::super::GraphError;
use super::super::build::Lines;
use std::collections::HashMap;
use std::path::Path;

/// Maximum number of rankings in a text file.
pub(super) const MAX_COLUMNS: usize = 4096;

/// Scores of pages.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// Its name.
    pub name: String,
    /// By page; NaN for pages that it does not have.
    values: Vec<f64>,
}

impl Ranking {
    /// The score of a page, if it has one.
    #[must_use]
    pub fn score(&self, page: u32) -> Option<f64> {
        self.values.get(page as usize).copied().filter(|score| !score.is_nan())
    }

    /// Pages with their scores, in the order of pages.
    pub fn scores(&self) -> impl Iterator<Item = (u32, f64)> {
        self.values.iter().enumerate().filter(|(_, score)| !score.is_nan()).map(|(page, &score)| (page as u32, score))
    }

    /// The first `count` pages, highest first; ties are broken by the order in the files.
    #[must_use]
    pub fn top(&self, count: usize) -> Vec<u32> {
        let mut pages: Vec<(u32, f64)> = self.scores().collect();
        let order = |one: &(u32, f64), two: &(u32, f64)| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0));
        if count < pages.len() {
            if count > 0 {
                pages.select_nth_unstable_by(count - 1, order);
            }
            pages.truncate(count);
        }
        pages.sort_unstable_by(order);
        pages.into_iter().map(|(page, _)| page).collect()
    }

    /// The scores of all `pages` pages of a table, 0 for those it does not have.
    #[must_use]
    pub fn filled(&self, pages: usize) -> Vec<f64> {
        (0..pages).map(|page| self.score(page as u32).unwrap_or_default()).collect()
    }
}

/// Rankings of a common set of pages.
///
/// ```
/// use webstrata_corpus::graph::topics::RankTable;
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("ranks.tsv");
/// std::fs::write(&file, "page\tSports\tScience/Biology\nfox\t0.1\t0.9\nball\t0.9\t0.1\n").unwrap();
/// let table = RankTable::read(&[&file])?;
/// assert_eq!((table.rankings()[1].name.as_str(), table.names()), ("Science/Biology", vec!["fox", "ball"]));
/// assert_eq!(table.rankings()[1].score(table.find("fox").unwrap()), Some(0.9));
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RankTable {
    numbers: HashMap<String, u32>,
    rankings: Vec<Ranking>,
}

impl RankTable {
    /// Reads files; rankings are named by their columns or files, by both if there are several files.
    ///
    /// # Errors
    /// If a file cannot be read or is empty, if a line is not a rank, or if a page or name occurs twice.
    pub fn read<P: AsRef<Path>>(paths: &[P]) -> Result<RankTable, GraphError> {
        let mut table = RankTable::default();
        for path in paths {
            table.add(path.as_ref(), paths.len() > 1)?;
        }
        let pages = table.numbers.len();
        table.rankings.iter_mut().for_each(|ranking| ranking.values.resize(pages, f64::NAN));
        Ok(table)
    }

    /// Reads another file.
    fn add(&mut self, path: &Path, several: bool) -> Result<(), GraphError> {
        let mut lines = Lines::open(path)?;
        let file = path.display().to_string();
        let mut names: Option<Vec<String>> = None;
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut fields: Vec<f64> = Vec::new();
        while lines.advance()? {
            let text = str::from_utf8(&lines.text).map_err(|_| lines.invalid("it is not UTF-8; convert the file"))?;
            if names.is_none() {
                let found = header(text);
                let is_header = found.is_some();
                let found = found.unwrap_or_else(|| vec![String::new(); text.split('\t').count().saturating_sub(1)]);
                if found.is_empty() || found.len() > MAX_COLUMNS {
                    let reason = format!("{} ranks instead of 1 to {MAX_COLUMNS}; a line is page<TAB>rank", found.len());
                    return Err(lines.invalid(reason));
                }
                columns.resize(found.len(), vec![f64::NAN; self.numbers.len()]);
                names = Some(found);
                if is_header {
                    continue;
                }
            }
            let mut parts = text.split('\t');
            let name = parts.next().unwrap_or_default();
            fields.clear();
            for part in parts {
                match part.trim().parse::<f64>().ok().filter(|rank| rank.is_finite()) {
                    Some(rank) => fields.push(rank),
                    None => return Err(lines.invalid("it is not a rank; give TSV files written by `webstrata rank`")),
                }
            }
            if fields.len() != columns.len() {
                let reason =
                    format!("{} ranks, but the lines before have {}; the line may be truncated", fields.len(), columns.len());
                return Err(lines.invalid(reason));
            }
            let page = match self.numbers.get(name) {
                Some(&page) => page as usize,
                None => {
                    let page = self.numbers.len();
                    let number = u32::try_from(page).map_err(|_| GraphError::TooLarge)?;
                    self.numbers.insert(name.to_owned(), number);
                    page
                }
            };
            for (column, &rank) in columns.iter_mut().zip(&fields) {
                if page >= column.len() {
                    column.resize(page + 1, f64::NAN);
                }
                if !column[page].is_nan() {
                    return Err(lines.invalid("the page occurs twice; write one line per page"));
                }
                column[page] = rank;
            }
        }
        let Some(names) = names.filter(|_| columns.iter().any(|column| !column.is_empty())) else {
            return Err(GraphError::Option(format!("{file} has no ranks; a line is page<TAB>rank")));
        };
        for (column, values) in names.into_iter().zip(columns) {
            let name = match (column.is_empty(), several) {
                (true, _) => file.clone(),
                (false, true) => format!("{file}:{column}"),
                (false, false) => column,
            };
            if self.rankings.iter().any(|ranking| ranking.name == name) {
                return Err(GraphError::Option(format!(
                    "{file}: two rankings are called {name:?}; name each file once, and give each column its own name"
                )));
            }
            self.rankings.push(Ranking { name, values });
        }
        Ok(())
    }

    /// Number of pages.
    #[must_use]
    pub fn num_pages(&self) -> usize {
        self.numbers.len()
    }

    /// The names of all pages, indexed by page.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<(u32, &str)> = self.numbers.iter().map(|(name, &number)| (number, name.as_str())).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }

    /// All rankings.
    #[must_use]
    pub fn rankings(&self) -> &[Ranking] {
        &self.rankings
    }

    /// The page with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }
}

/// The names of columns, if the line is a header: it starts with `page`, and the other fields are not all numbers.
fn header(line: &str) -> Option<Vec<String>> {
    let (first, rest) = line.split_once('\t')?;
    let names: Vec<String> = rest.split('\t').map(|name| name.trim().trim_start_matches('/').to_owned()).collect();
    let is_number = |name: &str| name.trim().parse::<f64>().is_ok();
    (first == "page" && !rest.split('\t').all(is_number)).then_some(names)
}
