//! Queries for collections without queries: the most distinctive words of a page's gold text.
//!
//! L. Azzopardi, M. de Rijke, K. Balog: Building simulated queries for known-item topics. SIGIR 2007, but with the words of highest
//! tf · idf instead of a sample. The page is the item. Queries come only from text marked as content, so text around it can only mislead.

use crate::gold::judgements::{Problems, Query};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use webstrata_search::Words;

/// Words per query.
const WORDS: usize = 3;
/// Minimum length of a word in characters; shorter words are not distinctive.
const MIN_CHARS: usize = 4;

#[derive(Deserialize)]
struct Line {
    id: String,
    #[serde(default)]
    gold_text: Option<String>,
}

/// Makes a query for each page of `gold.jsonl`. Words that occur on only one page are left out: with them, any ranking would find it.
///
/// ```
/// use webstrata_lab::gold::judgements::Problems;
/// use webstrata_lab::search::gold_queries::queries;
/// let gold = "{\"id\": \"1\", \"gold_text\": \"rivers rivers rose\"}\n{\"id\": \"2\", \"gold_text\": \"rivers fell\"}\n{\"id\": \"3\", \"gold_text\": \"sun\"}\n";
/// let made = queries(gold, &mut Problems::default());
/// assert_eq!((made[0].text.as_str(), made[0].relevant[0].as_str()), ("rivers", "1"));
/// ```
#[must_use]
pub fn queries(gold: &str, problems: &mut Problems) -> Vec<Query> {
    let mut words = Words::new(None);
    let mut pages = Vec::new();
    let mut frequencies: BTreeMap<String, usize> = BTreeMap::new();
    for (number, line) in gold.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: Line = match serde_json::from_str(line) {
            Ok(line) => line,
            Err(error) => {
                problems.0.push(format!("line {}: {error}", number + 1));
                continue;
            }
        };
        let mut list = words.list(line.gold_text.as_deref().unwrap_or_default());
        list.retain(|word| word.chars().count() >= MIN_CHARS && word.chars().all(char::is_alphabetic));
        for word in list.iter().collect::<BTreeSet<_>>() {
            *frequencies.entry(word.clone()).or_default() += 1;
        }
        pages.push((line.id, list));
    }
    let count = pages.len() as f64;
    let mut queries = Vec::new();
    for (id, list) in pages {
        let mut own: BTreeMap<&str, f64> = BTreeMap::new();
        list.iter().for_each(|word| *own.entry(word).or_default() += 1.0);
        let weight = |word: &str, tf: f64| tf * (count / frequencies.get(word).copied().unwrap_or(1) as f64).ln();
        let mut weighted: Vec<(&str, f64)> = own
            .into_iter()
            .filter(|(word, _)| frequencies.get(*word).is_some_and(|pages| *pages > 1))
            .map(|(word, tf)| (word, weight(word, tf)))
            .collect();
        weighted.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(two.0)));
        let text = weighted.iter().take(WORDS).map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            queries.push(Query { id: id.clone(), text, relevant: vec![id] });
        }
    }
    queries
}
