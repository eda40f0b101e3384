//! Which pages are found, and how near duplicates are folded.

use super::ranked;
use crate::{Clusters, Index, IndexOptions, IndexWriter, SearchError, SearchOptions};
use std::fs;
use std::sync::Arc;
use webstrata_corpus::store::{PageRow, SegmentRow};

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
fn clusters_are_folded() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [("a", "a", 2), ("b", "a", 2), ("c", "c", 1)]
        .map(|(id, cluster, size)| format!("{{\"id\":\"{id}\",\"cluster\":\"{cluster}\",\"size\":{size}}}\n"));
    let file = folder.path().join("clusters.jsonl");
    fs::write(&file, rows.concat()).unwrap();
    let clusters = Some(Arc::new(Clusters::read(&file).unwrap()));
    let options = IndexOptions { clusters, ..IndexOptions::default() };
    let mut writer = IndexWriter::open(&folder.path().join("index"), &options).unwrap();
    for id in ["a", "b", "c"] {
        writer.add(&PageRow { id: id.into(), title: Some("rain".into()), ..PageRow::default() }, &[]).unwrap();
    }
    writer.finish().unwrap();
    let index = Index::open(&folder.path().join("index")).unwrap();
    let search = |fold| index.search(&"rain".parse().unwrap(), &SearchOptions { fold, ..SearchOptions::default() }).unwrap().hits;
    assert_eq!((search(false).len(), search(true).len()), (3, 2));
    fs::write(&file, "a\tb\n").unwrap();
    assert!(Clusters::read(&file).unwrap_err().to_string().contains("line 1"));
}
