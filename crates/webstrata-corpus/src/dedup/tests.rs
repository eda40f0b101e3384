//! Compares the clusters of the index with those found by comparing all pairs.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// A page of these tests: its id, its words by number, a date and a confidence.
#[derive(Clone, Debug)]
struct Text {
    id: String,
    text: String,
    date: Option<String>,
    confidence: Option<f32>,
}

fn text(number: usize, words: &[u8], date: u8, confidence: u8) -> Text {
    Text {
        id: format!("page{number:03}"),
        text: words.iter().map(|word| format!("w{word} ")).collect(),
        date: (date > 0).then(|| format!("2024-05-{date:02}")),
        confidence: (confidence > 0).then(|| f32::from(confidence) / 10.0),
    }
}

/// Texts cut from one another, with changes, so that many pairs are near the threshold.
fn texts() -> impl Strategy<Value = Vec<Text>> {
    let one = (0usize..6, 0usize..12, 4usize..24, any::<u8>(), 0u8..4, 0u8..4);
    prop::collection::vec(one, 1..24).prop_map(|made| {
        let make = |(number, (base, start, length, changed, date, confidence)): (usize, (usize, usize, usize, u8, u8, u8))| {
            let mut words: Vec<u8> = (start..start + length).map(|i| (base * 40 + i) as u8).collect();
            if changed % 3 == 0 {
                let place = usize::from(changed) % words.len();
                words[place] = 255;
            }
            text(number, &words, date, confidence)
        };
        made.into_iter().enumerate().map(make).collect()
    })
}

fn settings(similarity: Similarity) -> Settings {
    Settings { similarity, text_source: "content".into() }
}

/// Budgets of a few records, so that small tests use the disk.
const SMALL: Resources = Resources { sort: 600, part: 5 };

fn add(index: &mut Index, name: &str, texts: &[Text]) {
    let mut signer = Signer::new(index.settings().similarity);
    let mut batch = index.batch(name, true).unwrap().unwrap();
    for text in texts {
        let page = Page { id: &text.id, date: text.date.as_deref(), confidence: text.confidence };
        batch.push(page, &signer.sign(&text.text)).unwrap();
    }
    batch.finish().unwrap();
}

fn rows(folder: &Path, similarity: Similarity, resources: Resources, batches: &[&[Text]], keep: Keep) -> Vec<Row> {
    let mut index = Index::open(folder, &settings(similarity), resources).unwrap();
    for (number, batch) in batches.iter().enumerate() {
        add(&mut index, &format!("batch {number}"), batch);
        if number + 1 < batches.len() {
            // Intermediate results must not change the final one.
            let _ = index.clusters(keep, &()).unwrap().count();
        }
    }
    index.clusters(keep, &()).unwrap().map(Result::unwrap).collect()
}

fn clustered(similarity: Similarity, resources: Resources, batches: &[&[Text]], keep: Keep) -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    rows(folder.path(), similarity, resources, batches, keep)
}

/// Whether two texts are duplicates by comparing their signatures.
fn are_duplicates(similarity: Similarity, a: &Text, b: &Text) -> bool {
    let mut signer = Signer::new(similarity);
    let (a, b) = (signer.sign(&a.text), signer.sign(&b.text));
    let shared = |a: &[u64], b: &[u64]| a.iter().collect::<BTreeSet<_>>().intersection(&b.iter().collect()).count();
    let enough = match similarity.scheme {
        Scheme::Smallest { agree, .. } => usize::from(agree),
        Scheme::Bands { .. } => usize::MAX,
    };
    shared(&a.joins, &b.joins) > 0 || shared(&a.hashes, &b.hashes) >= enough
}

/// All pairs, colours, and the rule applied to the texts.
fn naive(similarity: Similarity, texts: &[Text], keep: Keep) -> Vec<Row> {
    let mut colours: Vec<usize> = (0..texts.len()).collect();
    for a in 0..texts.len() {
        for b in 0..a {
            if are_duplicates(similarity, &texts[a], &texts[b]) {
                let (from, to) = (colours[a], colours[b]);
                colours.iter_mut().filter(|colour| **colour == from).for_each(|colour| *colour = to);
            }
        }
    }
    let better = |a: &Text, b: &Text| {
        let by_rule = match keep {
            Keep::Longest => b.text.len().cmp(&a.text.len()),
            Keep::Earliest => (a.date.is_none(), &a.date).cmp(&(b.date.is_none(), &b.date)),
            Keep::Confidence => b.confidence.unwrap_or(-1.0).total_cmp(&a.confidence.unwrap_or(-1.0)),
        };
        by_rule.then_with(|| a.id.cmp(&b.id))
    };
    let row = |(number, text): (usize, &Text)| {
        let members: Vec<&Text> = texts.iter().zip(&colours).filter(|(_, c)| **c == colours[number]).map(|(t, _)| t).collect();
        let kept = members.iter().copied().min_by(|a, b| better(a, b)).unwrap();
        let keep = kept.id == text.id;
        let same = if kept.text == text.text { MatchKind::Exact } else { MatchKind::Near };
        let size = u32::try_from(members.len()).unwrap();
        Row { id: text.id.clone(), cluster: kept.id.clone(), keep, size, same: (!keep).then_some(same) }
    };
    texts.iter().enumerate().map(row).collect()
}

const TINY_BANDS: Similarity = Similarity { width: 3, scheme: Scheme::Bands { bands: 4, rows: 3 } };
const KEEPS: [Keep; 3] = [Keep::Longest, Keep::Earliest, Keep::Confidence];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_index_finds_what_all_pairs_find(texts in texts(), keep in 0usize..3) {
        for similarity in [Similarity::paper(), Similarity::fineweb(), TINY_BANDS] {
            let want = naive(similarity, &texts, KEEPS[keep]);
            prop_assert_eq!(&clustered(similarity, Resources::default(), &[&texts], KEEPS[keep]), &want);
            prop_assert_eq!(&clustered(similarity, SMALL, &[&texts], KEEPS[keep]), &want);
        }
    }

    #[test]
    fn the_order_of_pages_does_not_matter(texts in texts(), keep in 0usize..3, turned in 0usize..24) {
        let mut other = texts.clone();
        other.reverse();
        let turned = turned % texts.len();
        other.rotate_left(turned);
        for similarity in [Similarity::paper(), TINY_BANDS] {
            let mut want = clustered(similarity, Resources::default(), &[&texts], KEEPS[keep]);
            let mut got = clustered(similarity, SMALL, &[&other], KEEPS[keep]);
            want.sort_by(|a, b| a.id.cmp(&b.id));
            got.sort_by(|a, b| a.id.cmp(&b.id));
            prop_assert_eq!(got, want);
        }
    }

    #[test]
    fn adding_in_batches_equals_one_batch(texts in texts(), cuts in (0usize..24, 0usize..24), keep in 0usize..3) {
        let (a, b) = (cuts.0.min(cuts.1).min(texts.len()), cuts.0.max(cuts.1).min(texts.len()));
        for similarity in [Similarity::paper(), TINY_BANDS] {
            let want = clustered(similarity, SMALL, &[&texts], KEEPS[keep]);
            let got = clustered(similarity, SMALL, &[&texts[..a], &texts[a..b], &texts[b..]], KEEPS[keep]);
            prop_assert_eq!(got, want);
        }
    }
}

/// Killed after any part, the index resumes after what is on disk, with the same result.
#[test]
fn a_batch_resumes_where_it_stopped() {
    let texts: Vec<Text> = (0..23).map(|i| text(i, &(0..20).map(|w| (w + i as u8 / 3) % 30).collect::<Vec<_>>(), 0, 0)).collect();
    let want = clustered(Similarity::paper(), SMALL, &[&texts], Keep::Longest);
    for left in 0..texts.len() {
        let folder = tempfile::tempdir().unwrap();
        let mut signer = Signer::new(Similarity::paper());
        {
            let mut index = Index::open(folder.path(), &settings(Similarity::paper()), SMALL).unwrap();
            let mut batch = index.batch("all", false).unwrap().unwrap();
            for text in &texts[..left] {
                batch.push(Page { id: &text.id, date: None, confidence: None }, &signer.sign(&text.text)).unwrap();
            }
            // Dropped here, with a part that was not written.
        }
        let mut index = Index::open(folder.path(), &settings(Similarity::paper()), SMALL).unwrap();
        assert!(matches!(index.batch("other", true), Err(DedupError::Unfinished { .. })));
        let mut batch = index.batch("all", false).unwrap().unwrap();
        let done = usize::try_from(batch.items()).unwrap();
        assert!(done <= left && left - done < 5, "{done} of {left}");
        for text in &texts[done..] {
            batch.push(Page { id: &text.id, date: None, confidence: None }, &signer.sign(&text.text)).unwrap();
        }
        batch.finish().unwrap();
        assert_eq!(index.clusters(Keep::Longest, &()).unwrap().map(Result::unwrap).collect::<Vec<_>>(), want);
        assert!(index.batch("all", false).unwrap().is_none(), "it is not added twice");
    }
}

#[test]
fn misuse_of_an_index_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let paper = settings(Similarity::paper());
    {
        let mut index = Index::open(folder.path(), &paper, SMALL).unwrap();
        add(&mut index, "one", &[text(0, &[1; 9], 0, 0)]);
        assert!(matches!(index.batch("two", false), Err(DedupError::Occupied { .. })));
        let second = Index::open(folder.path(), &paper, SMALL).unwrap_err().to_string();
        assert!(second.contains("another process"), "{second}");
    }
    let error = Index::open(folder.path(), &settings(Similarity::fineweb()), SMALL).unwrap_err().to_string();
    assert!(error.contains("4 of 8") && error.contains("14 bands"), "{error}");
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("notes.txt"), "mine").unwrap();
    assert!(matches!(Index::open(other.path(), &paper, SMALL), Err(DedupError::NotAnIndex { .. })));
}

/// A hash that all pages share costs no more than one that few share, and joins no pages by itself.
#[test]
fn a_menu_on_all_pages_joins_no_pages() {
    let menu = "home news sport weather culture science travel";
    let texts: Vec<Text> = (0..400)
        .map(|i| {
            let words: String = (0..60).map(|w| format!("p{i}w{w} ")).collect();
            Text { text: format!("{menu} {words}"), ..text(i, &[], 0, 0) }
        })
        .collect();
    let rows = clustered(Similarity::paper(), Resources::default(), &[&texts], Keep::Longest);
    assert!(rows.iter().all(|row| row.keep && row.size == 1));
}
