//! Properties of whole searches on generated collections.

use crate::{
    Class, ClassCounter, Index, IndexOptions, IndexWriter, Query, Ranking, SearchError, SearchOptions, TopicRanks, Weights, build,
};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use webstrata::label::Role;
use webstrata_corpus::io::Random;
use webstrata_corpus::store::{PageRow, SegmentRow};

/// Words with frequencies like those of a language: the first ones are frequent.
fn word(random: &mut Random) -> String {
    let exponent = random.unit() * 7.0;
    format!("w{}", exponent.exp() as u32)
}

fn words(random: &mut Random, count: usize) -> String {
    (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

/// A page with a title, a menu, a heading, text, comments and a footer.
fn page(number: usize, random: &mut Random) -> (PageRow, Vec<SegmentRow>) {
    let roles = [
        (Role::Navigation, false, 5),
        (Role::Heading, true, 4),
        (Role::Body, true, 60),
        (Role::Body, true, 9),
        (Role::Comment, true, 15),
        (Role::Footer, false, 8),
    ];
    let mut segments = Vec::new();
    for (at, (role, content, most)) in roles.into_iter().enumerate() {
        let count = 1 + random.below(most);
        segments.push(SegmentRow {
            page: format!("p{number}"),
            number: at as u32,
            text: words(random, count),
            role: Some(role),
            content,
            words: count as u32,
            text_density: (count as f32).min(18.5),
            path: format!("/html/body/div[{}]", at + 1),
            ..SegmentRow::default()
        });
    }
    let text = segments.iter().filter(|segment| segment.content).map(|segment| segment.text.clone()).collect::<Vec<_>>().join("\n");
    let row = PageRow {
        id: format!("p{number}"),
        url: Some(format!("https://site{}.example/{number}", number % 5)),
        host: Some(format!("site{}.example", number % 5)),
        title: Some(words(random, 3)),
        hash: number as u64 + 1,
        text,
        ..PageRow::default()
    };
    (row, segments)
}

/// An index in several parts, so that statistics of parts differ from those of the whole.
fn collection(pages: usize, parts: usize) -> (TempDir, Index) {
    let folder = tempfile::tempdir().unwrap();
    let options = IndexOptions { threads: 1, ..IndexOptions::default() };
    let mut random = Random::new(7);
    let rows: Vec<_> = (0..pages).map(|number| page(number, &mut random)).collect();
    let mut writer = IndexWriter::open(folder.path(), &options).unwrap();
    let mut counter = ClassCounter::default();
    rows.iter().for_each(|(page, segments)| counter.add(page.host.as_deref().unwrap(), segments));
    writer.set_class_weights(counter.finish()).unwrap();
    for (number, (page, segments)) in rows.iter().enumerate() {
        writer.add(page, segments).unwrap();
        if number % (pages / parts + 1) == pages / parts {
            writer.commit().unwrap();
        }
    }
    writer.finish().unwrap();
    let index = Index::open(folder.path()).unwrap();
    (folder, index)
}

fn queries(count: usize) -> Vec<String> {
    let mut random = Random::new(11);
    (0..count)
        .map(|_| {
            let words_in = 1 + random.below(4);
            words(&mut random, words_in)
        })
        .collect()
}

fn ranked(index: &Index, query: &str, options: &SearchOptions) -> Vec<(String, f32)> {
    index.rank(&query.parse().unwrap(), options).unwrap()
}

/// All ways to weigh and mix.
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

/// Pruning changes nothing: not the pages, not the scores, not the order.
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

/// With all weights 1, scores are tantivy's.
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
        // Class fields that cancel out give the same as no class fields.
        let plain = SearchOptions { ranking: Ranking::Bm25, limit: 20, ..SearchOptions::default() };
        assert_eq!(index.rank(&parsed, &options).unwrap(), index.rank(&parsed, &plain).unwrap());
    }
}

/// The formula of the scorer, from the rows themselves.
#[test]
fn scores_follow_the_formula() {
    let (_folder, index) = collection(120, 2);
    let mut random = Random::new(7);
    let rows: Vec<_> = (0..120).map(|number| page(number, &mut random)).collect();
    let weights = [6.0f64, 3.0, 1.0, 0.7, 0.2, 0.2];
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
                // Lengths are stored in steps; these are exact up to 40 words, and within 7% above.
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
    // No threshold is plain BM25, up to the steps in which lengths are stored.
    let score = |ranking| ranked(&index, "rain", &SearchOptions { ranking, ..SearchOptions::default() });
    assert_eq!(score(Ranking::MinWords(0)), score(Ranking::Bm25));
}

#[test]
fn filters_phrases_and_exclusions() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(folder.path(), &IndexOptions::default()).unwrap();
    let date = |text: &str| webstrata_corpus::Timestamp::parse(text);
    let add = |writer: &mut IndexWriter, id: &str, language: &str, day: &str, host: &str, text: &str| {
        let row = PageRow {
            id: id.into(),
            host: Some(host.into()),
            language: Some(language.into()),
            page_type: Some("article".into()),
            published: date(day),
            text: text.into(),
            ..PageRow::default()
        };
        let segment = SegmentRow { text: text.into(), content: true, words: 4, ..SegmentRow::default() };
        writer.add(&row, &[segment]).unwrap();
    };
    add(&mut writer, "a", "en", "2023-05-01", "www.example.org", "hot water runs");
    add(&mut writer, "b", "en", "2024-05-01", "blog.example.org", "water is hot");
    add(&mut writer, "c", "de", "2025-05-01", "example.com", "heißes Wasser, hot water");
    add(&mut writer, "d", "zh-TW", "2025-06-01", "example.com", "我们喜欢图书馆");
    writer.finish().unwrap();
    let index = Index::open(folder.path()).unwrap();
    for (query, want) in [
        ("water", "abc"),
        ("\"hot water\"", "ac"),
        ("hot AND runs", "a"),
        ("running", "a"),
        ("water -runs", "bc"),
        ("water NOT (runs OR wasser)", "b"),
        ("water site:example.org", "ab"),
        ("water site:blog.example.org", "b"),
        ("water lang:de", "c"),
        ("lang:zh", "d"),
        ("lang:zh-tw", "d"),
        ("图书馆", "d"),
        ("kind:article", "abcd"),
        ("water kind:forum", ""),
        ("water after:2024", "bc"),
        ("water after:2024-05-01 before:2025", "b"),
        ("water before:2024-05-01", "a"),
        ("(hot AND runs) OR wasser", "ac"),
        ("\"water hot\"", ""),
    ] {
        let mut found: Vec<String> = ranked(&index, query, &SearchOptions::default()).into_iter().map(|(id, _)| id).collect();
        found.sort();
        assert_eq!(found.concat(), want, "{query}");
    }
    assert!(matches!(index.rank(&"++ !!".parse().unwrap(), &SearchOptions::default()), Err(SearchError::Query(_))));
}

#[test]
fn similar_pages_are_folded() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(folder.path(), &IndexOptions::default()).unwrap();
    let long = (0..80).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
    for (id, hash, text) in
        [("a", 1, "rain fell"), ("b", 1, "rain fell"), ("c", 2, long.as_str()), ("d", 3, &long), ("e", 4, "rain")]
    {
        let row = PageRow { id: id.into(), hash, text: text.into(), ..PageRow::default() };
        let segment = SegmentRow { text: format!("rain {text}"), content: true, ..SegmentRow::default() };
        writer.add(&row, &[segment]).unwrap();
    }
    writer.finish().unwrap();
    let index = Index::open(folder.path()).unwrap();
    let search =
        |fold| index.search(&"rain".parse().unwrap(), &SearchOptions { fold, explain: true, ..SearchOptions::default() }).unwrap();
    assert_eq!(search(false).hits.len(), 5);
    let folded = search(true).hits;
    let mut similar: Vec<(String, Vec<String>)> = folded.iter().map(|hit| (hit.id.clone(), hit.similar.clone())).collect();
    similar.sort();
    assert_eq!(similar.len(), 3);
    assert_eq!(similar.iter().map(|(_, others)| others.len()).sum::<usize>(), 2);
    for hit in &folded {
        let explained = hit.explanation.as_ref().unwrap();
        let sum: f32 = explained.words.iter().map(|word| word.score).sum();
        assert!((explained.score - hit.score).abs() < 1e-6 && (sum * explained.rank - hit.score).abs() < 1e-5);
        assert!(
            explained.words.iter().all(|word| (word.idf * 2.2 * word.tf / (word.tf + explained.norm) - word.score).abs() < 1e-5)
        );
    }
}

#[test]
fn damaged_indexes_are_errors() {
    let (folder, index) = collection(60, 1);
    index.verify().unwrap();
    drop(index);
    let tantivy = folder.path().join("tantivy");
    let mut files: Vec<_> =
        fs::read_dir(&tantivy).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    let mut noticed = 0;
    for file in files.iter().filter(|file| !file.file_name().unwrap().to_string_lossy().starts_with('.')) {
        let bytes = fs::read(file).unwrap();
        for (cut, flip) in [(bytes.len() / 2, None), (bytes.len(), Some(bytes.len() / 3)), (0, None)] {
            let mut damaged = bytes[..cut].to_vec();
            if let Some(byte) = flip.and_then(|at| damaged.get_mut(at)) {
                *byte ^= 0x55;
            }
            fs::write(file, &damaged).unwrap();
            // An answer or an error, but no panic.
            let outcome = Index::open(folder.path()).and_then(|index| {
                let found = index.search(&"w1 w5".parse().unwrap(), &SearchOptions::default());
                index.verify().and(found)
            });
            if let Err(error) = outcome {
                let message = error.to_string();
                assert!(
                    message.contains("damaged") || message.contains("is not an index") || message.contains("cannot"),
                    "{message}"
                );
                noticed += 1;
            }
        }
        fs::write(file, &bytes).unwrap();
    }
    assert!(noticed >= files.len(), "{noticed} of {}", files.len());
    fs::write(folder.path().join("webstrata-index.json"), r#"{"format":"webstrata.index/99"}"#).unwrap();
    let error = Index::open(folder.path()).unwrap_err();
    assert!(matches!(&error, SearchError::Format { found, .. } if found == "webstrata.index/99"), "{error}");
}

#[test]
fn foreign_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.tex"), "").unwrap();
    assert!(matches!(IndexWriter::open(folder.path(), &IndexOptions::default()), Err(SearchError::Occupied(_))));
    let mut go = |_: &crate::Built| ControlFlow::Continue(());
    let none = build(&folder.path().join("none"), &folder.path().join("out"), &IndexOptions::default(), &mut go);
    assert!(matches!(none, Err(SearchError::Store(_))), "{none:?}");
    let index = tempfile::tempdir().unwrap();
    let first = IndexWriter::open(index.path(), &IndexOptions::default()).unwrap();
    assert!(matches!(IndexWriter::open(index.path(), &IndexOptions::default()), Err(SearchError::Busy(_))));
    drop(first);
}

#[test]
fn hostile_pages_are_indexed() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(folder.path(), &IndexOptions::default()).unwrap();
    let texts = [
        "\u{1f}\u{1e}\u{0}".repeat(100),
        "字".repeat(20_000),
        "a ".repeat(1_200_000),
        "\u{202e}évil\u{1b}[2J".into(),
        "ก".repeat(5000),
    ];
    for (number, text) in texts.into_iter().enumerate() {
        let row = PageRow { id: number.to_string(), text: text.clone(), language: Some("x-\u{0}".into()), ..PageRow::default() };
        let segment = SegmentRow {
            text,
            content: true,
            words: u32::MAX,
            text_density: f32::NAN,
            path: "/[".repeat(1000),
            ..SegmentRow::default()
        };
        writer.add(&row, &[segment]).unwrap();
    }
    writer.finish().unwrap();
    let index = Index::open(folder.path()).unwrap();
    for query in ["a", "字", "évil", "\"a a\"", "ก"] {
        let found = index.search(&query.parse().unwrap(), &SearchOptions { explain: true, ..SearchOptions::default() }).unwrap();
        assert!(found.hits.iter().all(|hit| !hit.snippet.text.contains('\u{1b}')), "{query}");
    }
}

/// The same on a published collection, with queries as people write them. Runs if `WEBSTRATA_DATA` has it.
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
