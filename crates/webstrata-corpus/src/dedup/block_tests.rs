//! Compares block savings with a naive sum over all pairs.

use super::blocks::sign;
use super::*;
use crate::{Document, Origin};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Texts that pages are made of. The last two differ in one word of many.
fn part(number: usize) -> String {
    let words =
        |base: usize, last: usize| (0..60).map(|at| format!("w{} ", if at == 30 { last } else { base * 100 + at })).collect();
    match number {
        0 => "Home".to_owned(),
        1 => "Contact us".to_owned(),
        6 => words(5, 7),
        number => words(number, 0),
    }
}

fn page(site: usize, number: usize, parts: &[usize]) -> Document {
    let html: String = parts.iter().map(|&at| format!("<div class=site{site}>{}</div>\n", part(at))).collect();
    let mut document = Document::new(Origin::new("crawl.warc", number as u64), html.into_bytes());
    document.url = Some(format!("https://www.site{site}.org/{number}"));
    document
}

/// The blocks of pages: site, bytes and signature.
fn blocks(pages: &[Document]) -> Vec<(String, u64, Signature)> {
    let mut signer = Signer::new(Similarity::fineweb());
    let of_page = |document: &Document| {
        let parsed = webstrata::Page::parse(&document.bytes);
        let site = document.url.clone().unwrap().split('/').nth(2).unwrap().to_owned();
        let signed = sign(document, &parsed, &mut signer);
        let bytes = |id: &str| {
            let mut numbers = id.rsplit('\0').map(|number| number.parse::<u64>().unwrap());
            numbers.next().unwrap() - numbers.next().unwrap()
        };
        signed.into_iter().map(|(id, signature)| (site.clone(), bytes(&id), signature)).collect::<Vec<_>>()
    };
    pages.iter().flat_map(of_page).collect()
}

/// The same sums, computed by comparing all pairs.
fn naive(blocks: &[(String, u64, Signature)]) -> BlockSavings {
    let mut cluster: Vec<usize> = (0..blocks.len()).collect();
    for (a, one) in blocks.iter().enumerate() {
        for (b, other) in blocks.iter().enumerate() {
            if Similarity::fineweb().are_duplicates(&one.2, &other.2) {
                let (from, to) = (cluster[a].max(cluster[b]), cluster[a].min(cluster[b]));
                cluster.iter_mut().filter(|of| **of == from).for_each(|of| *of = to);
            }
        }
    }
    let mut clusters: BTreeMap<usize, Vec<&(String, u64, Signature)>> = BTreeMap::new();
    blocks.iter().zip(&cluster).for_each(|(block, &of)| clusters.entry(of).or_default().push(block));
    let references = blocks.len() as u64 * 4;
    let mut savings =
        BlockSavings { blocks: blocks.len() as u64, per_site: references, once: references, ..BlockSavings::default() };
    for members in clusters.values() {
        savings.copies += members.len() as u64 - 1;
        savings.clusters += u64::from(members.len() > 1);
        savings.whole += members.iter().map(|block| block.1).sum::<u64>();
        let mut of_site: BTreeMap<&str, u64> = BTreeMap::new();
        members.iter().for_each(|block| *of_site.entry(&block.0).or_default() = block.1);
        savings.shared += u64::from(of_site.len() > 1);
        savings.per_site += of_site.values().sum::<u64>();
        savings.once += members[0].1;
    }
    savings
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn savings_are_those_of_all_pairs(made in prop::collection::vec((0..3usize, prop::collection::vec(0..7usize, 0..6)), 1..10)) {
        // Text of the same length in every block of a kind, so that any of them may be stored.
        let pages: Vec<Document> = made.iter().enumerate().map(|(number, (site, parts))| page(*site, number, parts)).collect();
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { similarity: Similarity::fineweb(), text_source: BLOCKS.into() };
        let small = Resources { sort: 600, part: 5 };
        let mut index = Index::open(&folder.path().join("index"), &settings, small).unwrap();
        let mut batch = index.batch("pages", false).unwrap().unwrap();
        let mut signer = Signer::new(settings.similarity);
        for document in &pages {
            let signed = sign(document, &webstrata::Page::parse(&document.bytes), &mut signer);
            batch.push_all(signed.iter().map(|(id, signature)| (Page { id, date: None, confidence: None }, signature))).unwrap();
        }
        batch.finish().unwrap();
        prop_assert_eq!(index.items_of("pages"), Some(pages.len() as u64));
        let found = write_blocks(&folder.path().join("out.jsonl"), &index, index.clusters(Keep::Longest, &()).unwrap()).unwrap();
        let want = naive(&blocks(&pages));
        // Blocks of a cluster may differ by the tags around them.
        let near = |one: u64, two: u64| one.abs_diff(two) <= 20 * want.blocks;
        prop_assert!(near(found.per_site, want.per_site) && near(found.once, want.once), "{found:?} {want:?}");
        prop_assert_eq!(BlockSavings { per_site: 0, once: 0, ..found }, BlockSavings { per_site: 0, once: 0, ..want });
        let rows = std::fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
        prop_assert_eq!(rows.lines().count() as u64, want.blocks);
        let table = write_blocks(&folder.path().join("out.parquet"), &index, index.clusters(Keep::Longest, &()).unwrap()).unwrap();
        prop_assert_eq!(table, found);
    }
}

#[test]
fn an_index_of_pages_is_not_one_of_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { similarity: Similarity::fineweb(), text_source: "content".into() };
    let mut index = Index::open(&folder.path().join("index"), &settings, Resources::default()).unwrap();
    let mut batch = index.batch("pages", false).unwrap().unwrap();
    let signature = Signer::new(settings.similarity).sign("A text of some words.");
    batch.push(Page { id: "a", date: None, confidence: None }, &signature).unwrap();
    batch.finish().unwrap();
    let rows = index.clusters(Keep::Longest, &()).unwrap();
    let error = write_blocks(&folder.path().join("out.jsonl"), &index, rows).unwrap_err();
    assert!(error.to_string().contains("not an index of blocks"), "{error}");
    assert!(!folder.path().join("out.jsonl").exists());
}
