//! Search latency on a generated collection.
//!
//! Word frequencies are like those of a natural language (Zipf's law, with a few words in each topic more frequent than elsewhere);
//! pages have the segments of a typical page. Rounds of the rankings are interleaved, so that other load on the machine affects all alike.

use crate::table::Table;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use webstrata::label::Role;
use webstrata_corpus::io::Random;
use webstrata_corpus::store::{PageRow, SegmentRow};
use webstrata_search::{Index, Query, Ranking, SearchError, SearchOptions, TopicRanks, Weights};

/// Number of distinct words.
const WORDS: f64 = 200_000.0;

/// Draws a word: rank r with a probability of about 1/r.
fn word(random: &mut Random) -> u32 {
    WORDS.powf(random.unit()) as u32
}

fn text(random: &mut Random, words: usize) -> String {
    (0..words).map(|_| format!("w{}", word(random))).collect::<Vec<_>>().join(" ")
}

/// Generates a page.
pub(super) fn page(number: u64) -> (PageRow, Vec<SegmentRow>) {
    let mut random = Random::for_item(1, number);
    let parts = [
        (Role::Navigation, false, 25),
        (Role::Heading, true, 6),
        (Role::Body, true, 220),
        (Role::Heading, true, 6),
        (Role::Body, true, 160),
        (Role::Comment, true, 50),
        (Role::Footer, false, 30),
    ];
    let segments = parts.into_iter().enumerate().map(|(at, (role, content, most))| {
        let words = 1 + random.below(most);
        SegmentRow {
            number: at as u32,
            text: text(&mut random, words),
            role: Some(role),
            content,
            words: words as u32,
            text_density: (words as f32).min(12.0),
            path: format!("/html/body/div[{at}]"),
            ..SegmentRow::default()
        }
    });
    let segments: Vec<SegmentRow> = segments.collect();
    let title = text(&mut random, 5);
    let row = PageRow {
        id: number.to_string(),
        url: Some(format!("https://example.org/{number}")),
        host: Some("example.org".into()),
        title: Some(title),
        text: segments.iter().filter(|segment| segment.content).map(|segment| segment.text.as_str()).collect::<Vec<_>>().join("\n"),
        hash: number + 1,
        ..PageRow::default()
    };
    (row, segments)
}

/// A search method.
type Search<'s> = Box<dyn Fn(&Query) -> Result<f32, SearchError> + 's>;

/// Search latency: median and 99th percentile over `queries` queries of one to four words, each the fastest of `rounds` rounds.
///
/// # Errors
/// If a search fails.
pub fn measure(index: &Index, ranks: &Path, queries: usize, rounds: usize) -> Result<Table, SearchError> {
    let mut random = Random::new(5);
    let queries: Vec<Query> = (0..queries)
        .map(|_| {
            let words = 1 + random.below(4);
            // Query words are rarer than words of texts.
            let word = |random: &mut Random| format!("w{}", 10.0 * (WORDS / 20.0).powf(random.unit()));
            let text: Vec<String> =
                (0..words).map(|_| word(&mut random).split('.').next().unwrap_or_default().to_owned()).collect();
            Query::of_words(&text.join(" ")).map_err(SearchError::from)
        })
        .collect::<Result<_, _>>()?;
    let mixed = Arc::new(TopicRanks::read(ranks)?.mix("", 0.2)?);
    let ours = |ranking, weights, mix: bool, exhaustive| {
        let options =
            SearchOptions { ranking, weights, exhaustive, ranks: mix.then(|| Arc::clone(&mixed)), ..SearchOptions::default() };
        Box::new(move |query: &Query| index.top(query, &options).map(|(_, score)| score)) as Search<'_>
    };
    let four = Weights::Classes([6.0, 3.0, 1.0, 1.0, 0.2, 0.2]);
    let plain: Search<'_> =
        Box::new(|query| index.tantivy_top(query, 10).map(|found| found.first().map_or(0.0, |(_, score)| *score)));
    let searches: Vec<(&str, Search<'_>)> = vec![
        ("tantivy BM25", plain),
        ("bm25", ours(Ranking::Bm25, four, false, false)),
        ("bm25-segment, all weights 1", ours(Ranking::Segments, Weights::Classes([1.0; 6]), false, false)),
        ("bm25-segment, four classes weighted", ours(Ranking::Segments, four, false, false)),
        ("the same with ranks", ours(Ranking::Segments, four, true, false)),
        ("bm25 with ranks", ours(Ranking::Bm25, four, true, false)),
        ("bm25-nt", ours(Ranking::NoTemplates, four, false, false)),
        ("bm25-minwords=11", ours(Ranking::MinWords(11), four, false, false)),
        ("bm25-segment, exhaustive", ours(Ranking::Segments, four, false, true)),
    ];
    let mut best = vec![vec![Duration::MAX; queries.len()]; searches.len()];
    for _ in 0..rounds {
        for (at, query) in queries.iter().enumerate() {
            for (name, (_, search)) in searches.iter().enumerate() {
                let started = Instant::now();
                search(query)?;
                best[name][at] = best[name][at].min(started.elapsed());
            }
        }
    }
    let mut table = Table::new(&["search", "p50 µs", "p99 µs", "p50 ratio", "p99 ratio"]);
    let mut first = None;
    for ((name, _), mut times) in searches.iter().zip(best) {
        times.sort_unstable();
        let micros = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6;
        let (p50, p99) = (micros(0.5), micros(0.99));
        let (base50, base99) = *first.get_or_insert((p50, p99));
        let cells = [format!("{p50:.0}"), format!("{p99:.0}"), format!("{:.2}", p50 / base50), format!("{:.2}", p99 / base99)];
        table.row([vec![(*name).to_owned()], cells.to_vec()].concat());
    }
    Ok(table)
}
