//! Extraction on a folder with broken entries, with rivals, and with any number of threads; and on real sets if available.

use std::fs;
use std::path::Path;
use webstrata::label::Preset;
use webstrata_lab::extract::rival::Rival;
use webstrata_lab::extract::run::{Candidate, Outcome, run};
use webstrata_lab::extract::summary::Summary;
use webstrata_lab::gold::set::{GoldSet, SetError};

fn candidates() -> Vec<Candidate> {
    [Preset::Article, Preset::KeepEverything].map(|preset| Candidate { name: preset.to_string(), options: preset.into() }).to_vec()
}

fn make(folder: &Path) {
    fs::create_dir(folder.join("html")).unwrap();
    for (id, html) in [("a", "<p>one two three"), ("b", "<p>four"), ("empty", ""), ("c", "<p>five six")] {
        fs::write(folder.join(format!("html/{id}.html")), html).unwrap();
    }
    let gold = "{\"id\": \"a\", \"gold_text\": \"one two\"}\n{\"id\": \"b\", \"gold_text\": \n{\"id\": \"missing\", \"gold_text\": \"x\"}\n\
        {\"id\": \"empty\", \"gold_text\": \"x\"}\n\n{\"id\": \"c\", \"gold_text\": \"five six\"}\n{\"id\": \"a\", \"gold_text\": \"again\"}\n\
        {\"id\": \"../a\", \"gold_text\": \"out\"}\n{\"gold_text\": \"no id\"}\n";
    fs::write(folder.join("gold.jsonl"), gold).unwrap();
}

#[test]
fn broken_entries_are_reported_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    let set = GoldSet::read(folder.path()).unwrap();
    assert_eq!(set.pages.iter().map(|page| page.id.as_str()).collect::<Vec<_>>(), ["a", "c"]);
    let want = [
        "line 2: not an object",
        "line 3: no page html/missing.html",
        "line 4: the page html/empty.html is empty",
        "line 7: the id \"a\" occurs twice",
        "line 8: the id \"../a\" is not a file name",
        "line 9: not an object with an id",
    ];
    assert_eq!(set.problems.len(), want.len());
    for (problem, want) in set.problems.iter().zip(want) {
        assert!(problem.starts_with(&format!("gold.jsonl, {want}")), "{problem}");
    }
    let all = &run(&set, &candidates())[1];
    assert_eq!(Summary::from_scores(all.answered()).f1, f64::midpoint(0.8, 1.0));
}

#[test]
fn a_folder_without_gold_is_not_a_set() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(GoldSet::read(folder.path()), Err(SetError::Gold { .. })));
    fs::write(folder.path().join("gold.jsonl"), "no\n").unwrap();
    let error = GoldSet::read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("no page with gold") && error.contains("line 1"), "{error}");
}

#[test]
fn rivals_are_scored_like_presets() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    let set = GoldSet::read(folder.path()).unwrap();
    let rival = |command: &str| Rival { name: "r".into(), command: command.into() }.run(&set).unwrap();
    // Gives the same text for every page.
    let same = rival(r#"while read -r f; do printf '{"file": "%s", "text": "one two"}\n' "$f"; done"#);
    assert_eq!(same.failures, [""; 0]);
    let f1 = |outcome: &Outcome| outcome.answered().map(|s| s.words.unwrap().bag.f1()).collect::<Vec<_>>();
    assert_eq!(f1(&same), [1.0, 0.0]);
    // Crashes, writes nonsense, skips a page.
    let broken = rival(r#"read -r f; echo nonsense; printf '{"id": "%s", "error": "no"}\n{"id": "x"}\n' "$f"; exit 3"#);
    assert_eq!(f1(&broken), [0.0]);
    for part in ["not an answer: ", "a: no", "which was not requested", "exit status: 3", "c: no answer"] {
        assert!(broken.failures.iter().any(|failure| failure.contains(part)), "{part}: {:?}", broken.failures);
    }
    assert!(rival("true").scores.iter().all(Option::is_none));
}

#[test]
fn threads_do_not_change_scores() {
    let Some(folder) = crate::evaluation_set("l3s-gn1") else { return };
    let mut set = GoldSet::read(&folder).unwrap();
    set.pages.truncate(60);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&set, &candidates()))
    };
    let one = with(1);
    assert_eq!(one, with(2));
    println!("{:?}", Summary::from_scores(one[0].answered()));
}
