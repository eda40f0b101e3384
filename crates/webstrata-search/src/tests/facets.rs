//! Ranks stored with pages, and the facets of results.

use crate::{Facet, Index, IndexOptions, IndexWriter, Membership, SearchOptions, TopicRanks};
use std::fs;
use std::sync::Arc;
use tempfile::TempDir;
use webstrata_corpus::graph::facets::FacetOptions;
use webstrata_corpus::store::PageRow;

/// Twelve pages about rain: the first four rank high in Science/Earth, the next two in Science/Life, the others in Sports.
fn ranked_index() -> (TempDir, Index) {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = String::from("page\t*\tScience\tSports\tScience/Earth\tScience/Life\tSports/Water\n");
    for page in 0..12 {
        let science = if page < 6 { 0.15 } else { 0.02 };
        let (earth, life) = (if page < 4 { 0.2 } else { 0.02 }, if matches!(page, 4 | 5) { 0.4 } else { 0.02 });
        let sports = if page < 6 { 0.02 } else { 0.15 };
        lines += &format!("https://example.org/{page}\t0.083\t{science}\t{sports}\t{earth}\t{life}\t{sports}\n");
    }
    let file = folder.path().join("ranks.tsv");
    fs::write(&file, lines).unwrap();
    let ranks = Arc::new(TopicRanks::read(&file).unwrap());
    let options = IndexOptions { ranks: Some(ranks), ..IndexOptions::default() };
    let mut writer = IndexWriter::open(&folder.path().join("index"), &options).unwrap();
    for page in 0..13 {
        let url = Some(format!("https://example.org/{page}"));
        let title = if page < 9 { "rain and wind" } else { "rain" };
        writer.add(&PageRow { id: page.to_string(), url, title: Some(title.into()), ..PageRow::default() }, &[]).unwrap();
        if page == 5 {
            writer.commit().unwrap();
        }
    }
    writer.finish().unwrap();
    let index = Index::open(&folder.path().join("index")).unwrap();
    (folder, index)
}

fn facets(index: &Index, ranks: &TopicRanks, query: &str, below: Option<&str>) -> Vec<Facet> {
    let options = SearchOptions { limit: 100, fold: false, ..SearchOptions::default() };
    let hits = index.search(&query.parse().unwrap(), &options).unwrap().hits;
    ranks.facets_by(&hits, below, Membership::Relative, &FacetOptions::default()).unwrap()
}

#[test]
fn ranks_of_the_index_are_those_of_the_file() {
    let (folder, index) = ranked_index();
    let (own, file) = (index.topic_ranks().unwrap().unwrap(), TopicRanks::read(&folder.path().join("ranks.tsv")).unwrap());
    assert_eq!(own.names(), file.names());
    for topic in ["", "Sports", "Science/Earth=0.7,Sports=0.3"] {
        let search = |ranks: &TopicRanks| {
            let ranks = Some(Arc::new(ranks.mix(topic, 1.0).unwrap()));
            index.rank(&"rain".parse().unwrap(), &SearchOptions { ranks, limit: 20, ..SearchOptions::default() }).unwrap()
        };
        assert_eq!(search(&own), search(&file), "{topic}");
        assert_eq!(search(&own).len(), 13);
    }
    // Ranks of other topics would be mistaken for those of the index.
    fs::write(folder.path().join("other.tsv"), "https://example.org/1\t1\n").unwrap();
    let other = Some(Arc::new(TopicRanks::read(&folder.path().join("other.tsv")).unwrap()));
    assert!(IndexWriter::open(&folder.path().join("index"), &IndexOptions { ranks: other, ..IndexOptions::default() }).is_err());
}

#[test]
fn facets_descend_where_the_results_are() {
    let (_folder, index) = ranked_index();
    let ranks = index.topic_ranks().unwrap().unwrap();
    let found = facets(&index, &ranks, "rain", None);
    let share = |topic: &str| found.iter().find(|facet| facet.topic == topic).map(|facet| facet.share);
    assert_eq!((share("Science"), share("Sports")), (Some(0.5), Some(0.5)));
    assert_eq!((share("Science/Earth"), share("Science/Life")), (Some(4.0 / 12.0), Some(2.0 / 12.0)));
    // Drilled down below one topic.
    let below = facets(&index, &ranks, "rain", Some("Science"));
    let names: Vec<&str> = below.iter().map(|facet| facet.topic.as_str()).collect();
    assert_eq!(names, ["Science/Earth", "Science/Life"]);
    assert!(facets(&index, &ranks, "snow", None).is_empty());
    // A chosen facet changes the ranking.
    let sports = Some(Arc::new(ranks.mix("Sports", 1.0).unwrap()));
    let options = SearchOptions { ranks: sports, limit: 4, fold: false, ..SearchOptions::default() };
    let first = index.rank(&"rain".parse().unwrap(), &options).unwrap();
    assert!(first.iter().all(|(id, _)| id.parse::<u32>().unwrap() >= 6), "{first:?}");
}
