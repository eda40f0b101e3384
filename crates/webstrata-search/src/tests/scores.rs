//! Scores equal tantivy's, the formula's, and those without pruning.

use super::{collection, page, queries, ranked};
use crate::ranking::ROLE_WEIGHTS;
use crate::{Class, Index, IndexOptions, IndexWriter, Query, Ranking, SearchOptions, TopicRanks, Weights};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use webstrata::label::Role;
use webstrata_corpus::io::Random;
use webstrata_corpus::store::{PageRow, SegmentRow};

/// All ways of weighting and mixing.
fn all_options(folder: &Path) -> Vec<SearchOptions> {
    let ranks = folder.join("ranks.tsv");
    let mut random = Random::new(3);
    let lines: String =
        (0..700).map(|number| format!("https://site{}.example/{number}\t{}\n", number % 5, random.unit().powi(8) + 1e-6)).collect();
    fs::write(&ranks, lines).unwrap();
    let ranks = Arc::new(TopicRanks::read(&ranks).unwrap().mix("", 0.7).unwrap());
    let mut all = Vec::new();
    for ranking in [Ranking::Bm25, Ranking::NoTemplates, Ranking::Segments, Ranking::MinWords(9), Ranking::MinDensity(10)] {
        for weights in [Weights::default(), Weights::Site, Weights::Classes([0.5, 0.0, 0.3, 0.1, 0.9, 0.2])] {
            for (k1, b) in [(1.2, 0.75), (2.0, 0.3), (0.8, 1.0)] {
                if weights == Weights::default() || ranking == Ranking::Segments {
                    let options = SearchOptions { ranking, weights, k1, b, ..SearchOptions::default() };
                    all.push(SearchOptions { ranks: Some(Arc::clone(&ranks)), ..options.clone() });
                    all.push(options);
                }
            }
        }
    }
    all
}

/// Pruning does not change the pages, the scores or the order.
#[test]
fn pruned_equals_exhaustive() {
    let (folder, index) = collection(700, 4);
    for options in all_options(folder.path()) {
        for query in queries(8) {
            for query in [query.clone(), format!("{query} site:site1.example"), format!("{query} -w2")] {
                let pruned = ranked(&index, &query, &options);
                let all = ranked(&index, &query, &SearchOptions { exhaustive: true, ..options.clone() });
                assert_eq!(pruned, all, "{query} {options:?}");
            }
        }
    }
}

/// With all weights 1, scores equal tantivy's.
#[test]
fn equal_weights_are_bm25() {
    let (_folder, index) = collection(700, 3);
    let one = Weights::Classes([1.0; 6]);
    for query in queries(80) {
        let parsed: Query = query.parse().unwrap();
        let options = SearchOptions { weights: one, limit: 20, ..SearchOptions::default() };
        let ours: Vec<f32> = index.rank(&parsed, &options).unwrap().into_iter().map(|(_, score)| score).collect();
        let theirs: Vec<f32> = index.tantivy_top(&parsed, 20).unwrap().into_iter().map(|(_, score)| score).collect();
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!((ours - theirs).abs() <= 1e-6 * theirs.max(1.0), "{query}: {ours} {theirs}");
        }
        // Class fields that cancel out give the same scores as no class fields.
        let plain = SearchOptions { ranking: Ranking::Bm25, limit: 20, ..SearchOptions::default() };
        assert_eq!(index.rank(&parsed, &options).unwrap(), index.rank(&parsed, &plain).unwrap());
    }
}

/// Scores equal the formula, computed from the rows.
#[test]
fn scores_follow_the_formula() {
    let (_folder, index) = collection(120, 2);
    let mut random = Random::new(7);
    let rows: Vec<_> = (0..120).map(|number| page(number, &mut random)).collect();
    let weights = ROLE_WEIGHTS.map(f64::from);
    let count = |text: &str, word: &str| text.split(' ').filter(|other| *other == word).count() as f64;
    let length = |(page, segments): &(PageRow, Vec<SegmentRow>)| {
        let all = segments.iter().map(|segment| segment.text.split(' ').count()).sum::<usize>();
        all + page.title.as_ref().map_or(0, |title| title.split(' ').count())
    };
    let average = rows.iter().map(|row| length(row) as f64).sum::<f64>() / 120.0;
    for query in queries(30) {
        let mut terms: Vec<&str> = query.split(' ').collect();
        terms.sort_unstable();
        terms.dedup();
        let has = |(page, segments): &(PageRow, Vec<SegmentRow>), word: &str| {
            count(page.title.as_deref().unwrap(), word) > 0.0 || segments.iter().any(|segment| count(&segment.text, word) > 0.0)
        };
        let options = SearchOptions { limit: 1000, ..SearchOptions::default() };
        for (id, score) in ranked(&index, &query, &options) {
            let row = &rows[id[1..].parse::<usize>().unwrap()];
            let mut want = 0.0;
            for &term in &terms {
                let n = rows.iter().filter(|row| has(row, term)).count() as f64;
                let idf = (1.0 + (120.0 - n + 0.5) / (n + 0.5)).ln();
                let mut tf = weights[0] * count(row.0.title.as_deref().unwrap(), term);
                tf += row.1.iter().map(|segment| weights[Class::of(segment) as usize] * count(&segment.text, term)).sum::<f64>();
                // Lengths are stored in steps: exact up to 40 words, within 7% above.
                let norm = |length: f64| 1.2 * (0.25 + 0.75 * length / average);
                want += idf * 2.2 * tf / (tf + norm(length(row) as f64));
            }
            assert!((f64::from(score) - want).abs() < 0.08 * want, "{query} {id}: {score} {want}");
        }
    }
}

#[test]
fn thresholds_drop_short_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(folder.path(), &IndexOptions::default()).unwrap();
    let segment = |text: &str| SegmentRow {
        text: text.into(),
        content: true,
        words: text.split(' ').count() as u32,
        text_density: text.split(' ').count() as f32,
        ..SegmentRow::default()
    };
    let row = |id: &str| PageRow { id: id.into(), ..PageRow::default() };
    writer.add(&row("menu"), &[segment("rain"), segment("one two three four five six")]).unwrap();
    writer.add(&row("text"), &[segment("home"), segment("rain fell for three whole days")]).unwrap();
    writer.finish().unwrap();
    let index = Index::open(folder.path()).unwrap();
    let found = |ranking: Ranking| -> Vec<String> {
        let options = SearchOptions { ranking, ..SearchOptions::default() };
        ranked(&index, "rain", &options).into_iter().map(|(id, _)| id).collect()
    };
    assert_eq!(found(Ranking::Bm25).len(), 2);
    assert_eq!(found(Ranking::MinWords(1)).len(), 2);
    assert_eq!(found(Ranking::MinWords(2)), ["text"]);
    assert_eq!(found(Ranking::MinDensity(6)), ["text"]);
    assert!(found(Ranking::MinWords(7)).is_empty());
    // A threshold of zero is plain BM25, up to the steps in which lengths are stored.
    let score = |ranking| ranked(&index, "rain", &SearchOptions { ranking, ..SearchOptions::default() });
    assert_eq!(score(Ranking::MinWords(0)), score(Ranking::Bm25));
}

/// The same on a published collection, with real queries. Runs if `WEBSTRATA_DATA` has it.
#[test]
#[allow(clippy::print_stderr, reason = "says why it does not run")]
fn equal_weights_are_bm25_on_cacm() {
    let Some(data) = std::env::var_os("WEBSTRATA_DATA").map(|data| Path::new(&data).join("cacm")).filter(|path| path.is_dir())
    else {
        eprintln!("skipped: WEBSTRATA_DATA has no set cacm");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(folder.path(), &IndexOptions::default()).unwrap();
    let mut files: Vec<_> = fs::read_dir(data.join("html")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in &files {
        let bytes = fs::read(file).unwrap();
        let text = webstrata::Page::parse(&bytes).extract().text();
        let row = PageRow { id: file.display().to_string(), language: Some("en".into()), text: text.clone(), ..PageRow::default() };
        let half = (0..=text.len() / 2).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        let part = |text: &str, role| SegmentRow { text: text.into(), content: true, role: Some(role), ..SegmentRow::default() };
        writer.add(&row, &[part(&text[..half], Role::Heading), part(&text[half..], Role::Body)]).unwrap();
    }
    writer.finish().unwrap();
    let index = Index::open(folder.path()).unwrap();
    assert!(index.pages() > 3000);
    let queries = fs::read_to_string(data.join("cacm.query.txt")).unwrap();
    let mut compared = 0;
    for query in queries.split("</DOCNO>").skip(1).map(|text| text.split("</DOC>").next().unwrap_or_default()) {
        let query = Query::of_words(query).unwrap();
        let options = SearchOptions { weights: Weights::Classes([1.0; 6]), limit: 100, ..SearchOptions::default() };
        let ours = index.rank(&query, &options).unwrap();
        let theirs = index.tantivy_top(&query, 100).unwrap();
        assert_eq!(ours.len(), theirs.len());
        for ((_, ours), (_, theirs)) in ours.iter().zip(&theirs) {
            assert!((ours - theirs).abs() <= 1e-6 * theirs.max(1.0), "{ours} {theirs}");
            compared += 1;
        }
        let exhaustive = SearchOptions { exhaustive: true, ..SearchOptions::default() };
        assert_eq!(index.rank(&query, &exhaustive).unwrap(), index.rank(&query, &SearchOptions::default()).unwrap());
    }
    assert!(compared > 4000, "{compared}");
}
