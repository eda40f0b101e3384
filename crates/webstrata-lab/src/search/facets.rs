//! Accuracy of the first facet: queries are words of titles, and the right answers are the topics of their pages.

use crate::table::{Table, share};
use std::collections::{BTreeMap, BTreeSet};
use webstrata_corpus::graph::facets::{FacetOptions, RESULTS};
use webstrata_corpus::graph::topics::SEPARATOR;
use webstrata_corpus::io::Random;
use webstrata_search::{Hit, Index, Membership, Query, SearchError, SearchOptions, TopicRanks, Words};

/// Rounds of random reassignment of topics to pages; their mean is the share expected by chance.
const ROUNDS: u64 = 20;

/// The topics of pages as paths from the root, including all topics above them.
#[derive(Clone, Debug, Default)]
pub struct Topics(BTreeMap<String, BTreeSet<String>>);

impl Topics {
    /// Parses lines of topic and address. Slashes separate topics, or dots if no topic has a slash.
    ///
    /// ```
    /// use webstrata_lab::search::facets::Topics;
    /// let topics = Topics::parse("Science.Biology\tfox\n# comment\nSports\tball\n");
    /// assert_eq!(topics.of("fox").collect::<Vec<_>>(), ["Science", "Science/Biology"]);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Topics {
        let lines = || text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
        let separator = if lines().any(|(topic, _)| topic.contains(SEPARATOR)) { SEPARATOR } else { '.' };
        let mut pages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (topic, page) in lines() {
            let own = pages.entry(page.trim().to_owned()).or_default();
            let parts: Vec<&str> = topic.trim().split(separator).collect();
            own.extend((1..=parts.len()).map(|count| parts[..count].join("/")));
        }
        Topics(pages)
    }

    /// Whether there are no topics.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The topics of a page.
    pub fn of(&self, page: &str) -> impl Iterator<Item = &str> {
        self.0.get(page).into_iter().flatten().map(String::as_str)
    }

    /// Randomly reassigns the topics to pages.
    fn shuffled(&self, seed: u64) -> Topics {
        let mut random = Random::for_item(3, seed);
        let mut sets: Vec<BTreeSet<String>> = self.0.values().cloned().collect();
        for at in (1..sets.len()).rev() {
            sets.swap(at, random.below(at + 1));
        }
        Topics(self.0.keys().cloned().zip(sets).collect())
    }
}

/// A word, and the pages with it in their title.
struct TitleWord {
    word: String,
    pages: Vec<String>,
}

impl TitleWord {
    /// Whether at least half of the pages belong to the topic.
    fn is_right(&self, topics: &Topics, topic: &str) -> bool {
        let count = self.pages.iter().filter(|page| topics.of(page).any(|own| own == topic)).count();
        2 * count >= self.pages.len()
    }
}

/// Words that occur in at least `least` titles.
fn title_words(index: &Index, least: usize) -> Result<Vec<TitleWord>, SearchError> {
    let mut words = Words::new(None);
    let mut pages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, title) in index.titles()? {
        for word in words.list(&title) {
            pages.entry(word).or_default().insert(name.clone());
        }
    }
    let frequent = pages.into_iter().filter(|(word, pages)| pages.len() >= least && word.chars().count() > 2);
    Ok(frequent.map(|(word, pages)| TitleWord { word, pages: pages.into_iter().collect() }).collect())
}

/// A way of choosing the facet for a list of hits.
type Answer<'a> = Box<dyn Fn(&[Hit]) -> Result<Option<String>, SearchError> + 'a>;

/// The share of queries whose first facet is right, by equation 3.16 and by Algorithm 3.1, compared with chance; and the number of queries.
///
/// # Errors
/// If a search fails.
pub fn measure(index: &Index, ranks: &TopicRanks, topics: &Topics, least: usize) -> Result<(Table, usize), SearchError> {
    let queries = title_words(index, least)?;
    let reassigned: Vec<Topics> = (0..ROUNDS).map(|round| topics.shuffled(round)).collect();
    let first = |membership: Membership, descends: bool| -> Answer<'_> {
        Box::new(move |hits| {
            // Without passes, facets are the first-level topics, by their share of the first results.
            let options = FacetOptions { max_passes: if descends { 10 } else { 0 }, ..FacetOptions::default() };
            let found = ranks.facets_by(hits, None, membership, &options)?;
            let is_wanted = |topic: &str| topic.contains(SEPARATOR) == descends;
            Ok(found.into_iter().find(|facet| is_wanted(&facet.topic)).map(|facet| facet.topic))
        })
    };
    let ways: Vec<(&str, Answer<'_>)> = vec![
        ("first level, relative", first(Membership::Relative, false)),
        ("first level, scores of the thesis", first(Membership::Plain, false)),
        ("second level, relative", first(Membership::Relative, true)),
        ("second level, scores of the thesis", first(Membership::Plain, true)),
    ];
    let mut table = Table::new(&["first facet", "right", "chance", "none"]);
    let mut results = Vec::new();
    for query in &queries {
        let options = SearchOptions { limit: 10 * RESULTS, fold: false, ..SearchOptions::default() };
        results.push(index.search(&Query::of_words(&query.word)?, &options)?.hits);
    }
    for (name, answer) in ways {
        let (mut right, mut none, mut chance) = (0, 0, 0);
        for (query, hits) in queries.iter().zip(&results) {
            let Some(topic) = answer(hits)? else {
                none += 1;
                continue;
            };
            right += usize::from(query.is_right(topics, &topic));
            chance += reassigned.iter().filter(|topics| query.is_right(topics, &topic)).count();
        }
        let part = |count: f64| share(count / queries.len().max(1) as f64);
        table.row(vec![name.to_owned(), part(right as f64), part(chance as f64 / ROUNDS as f64), part(f64::from(none))]);
    }
    Ok((table, queries.len()))
}
