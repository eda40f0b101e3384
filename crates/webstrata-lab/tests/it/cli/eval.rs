//! `webstrata-lab eval`: broken entries of a set are reported, the rest is measured, and numbers do not depend on the number of threads.

use crate::common::{Ran, copy_labelled, folder, run};
use crate::evaluation_set;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A folder with the bundled labelled pages and several defects: a broken line in the gold, a missing page, an empty page, a
/// missing annotated page, and one without text.
fn broken() -> tempfile::TempDir {
    let here = folder(&[]);
    copy_labelled(here.path());
    let set = here.path().join("labelled");
    let gold = fs::read_to_string(set.join("gold.jsonl")).unwrap();
    let lines: Vec<&str> = gold.lines().collect();
    assert_eq!(lines.len(), 8);
    let broken = format!("{}\n{{\"id\": \"torn\", \"gold_te\n{}\n", lines[..4].join("\n"), lines[4..].join("\n"));
    fs::write(set.join("gold.jsonl"), broken + "{\"id\": \"gone\"}\n").unwrap();
    fs::write(set.join("html/bread-onions.html"), "").unwrap();
    here
}

fn sound_ids(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|page| page["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn broken_entries_are_reported_and_the_rest_is_measured() {
    let here = broken();
    let problems = [
        "labelled: gold.jsonl, line 1: the page html/bread-onions.html is empty; skipped",
        "labelled: gold.jsonl, line 5: not an object with an id: ",
        "labelled: gold.jsonl, line 10: no page html/gone.html ",
    ];
    let ran = run(here.path(), &["eval", "extract", "labelled", "--preset", "article", "--format", "json"]).complains(1, &problems);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((value["sets"][0]["pages"].as_u64(), value["sets"][0]["problems"].as_array().unwrap().len()), (Some(7), 3));
    assert_eq!(sound_ids(&value["sets"][0]["methods"][0]["scores"]).len(), 7);

    let set = here.path().join("labelled");
    fs::remove_file(set.join("annotated/hills-hut.html")).unwrap();
    fs::write(set.join("annotated/radio-swans.html"), " \n<!-- nothing -->").unwrap();
    fs::write(set.join("annotated/hills-bridge.html"), b"").unwrap();
    let more = [
        "labelled: no page annotated/hills-hut.html (",
        "labelled: the page annotated/radio-swans.html has no text; skipped",
        "labelled: the page annotated/hills-bridge.html has no text; skipped",
    ];
    let all = [problems.as_slice(), &more].concat();
    let ran = run(here.path(), &["eval", "blocks", "labelled", "--preset", "article", "--format", "json"]).complains(1, &all);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    let pages = sound_ids(&value["sets"][0]["methods"][0]["pages"]);
    assert_eq!(pages, ["bread-rye", "harbour-cranes", "harbour-library", "radio-interview"]);
    assert_eq!(value["sets"][0]["problems"].as_array().unwrap().len(), 6);

    let train = ["train", "blocks", "labelled", "--folds", "4", "--min-leaf", "50", "--format", "json", "-o", "model.json"];
    let ran = run(here.path(), &train).complains(1, &all);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["card"]["pages"], 4);
    assert!(here.path().join("model.json").is_file(), "some pages were skipped, the model is there");
}

#[test]
fn unusable_sets_are_explained() {
    let page = ("plain/html/a.html", b"<p>It rains.".as_slice());
    let here = folder(&[page, ("plain/gold.jsonl", b"{\"id\": \"a\", \"gold_text\": \"It rains.\"}")]);
    let blocks = |words: &[&str]| {
        run(here.path(), &["eval", "blocks", "plain"]).complains(2, words);
        run(here.path(), &["train", "blocks", "plain"]).complains(2, words);
    };
    blocks(&["plain has no labelled blocks", "annotated/<id>.html", "x-nc-selN", "eval extract"]);
    fs::create_dir(here.path().join("plain/annotated")).unwrap();
    blocks(&["plain: no page with gold", "no page annotated/a.html"]);
    fs::write(here.path().join("plain/annotated/a.html"), "<p>It rains.").unwrap();
    blocks(&["plain: no block is labelled as content", "x-nc-selN"]);
    fs::write(here.path().join("plain/annotated/a.html"), "<p><span class=x-nc-sel2>It rains.</span>").unwrap();
    run(here.path(), &["eval", "blocks", "plain"]).quiet();
    run(here.path(), &["train", "blocks", "plain"]).complains(2, &["only one page"]);
}

/// Runs a command and checks that its output is the same on one, two and three threads.
fn on_any_threads(here: &Path, args: &[&str]) -> Ran {
    let on = |threads: &str| run(here, &[args, &["--threads", threads]].concat());
    let one = on("1");
    assert_eq!(one.code, Some(0), "{args:?}: {}", one.stderr);
    for threads in ["2", "3"] {
        let more = on(threads);
        assert_eq!((&more.stdout, &more.stderr, more.code), (&one.stdout, &one.stderr, one.code), "{args:?} on {threads}");
    }
    one
}

#[test]
fn numbers_do_not_depend_on_threads() {
    let here = folder(&[]);
    copy_labelled(here.path());
    run(here.path(), &["train", "blocks", "labelled", "--folds", "8", "--min-leaf", "30", "-o", "model.json"]).quiet();
    for format in ["json", "csv", "table", "markdown"] {
        let ran = on_any_threads(here.path(), &["eval", "blocks", "labelled", "--model", "model.json", "--format", format]);
        assert!(ran.stdout.contains("model.json") && ran.stdout.contains("num-words-rules"), "{}", ran.stdout);
        on_any_threads(here.path(), &["eval", "extract", "labelled", "--modes", "--model", "model.json", "--format", format]);
        for learner in ["zeror", "1r", "svm"] {
            let args = ["train", "blocks", "labelled", "--folds", "4", "--by", "host", "--learner", learner, "--format", format];
            on_any_threads(here.path(), &args);
        }
    }
    for (command, set) in [("extract", "l3s-gn1"), ("blocks", "l3s-gn1"), ("segment", "seg-popular")] {
        let Some(set) = evaluation_set(set).filter(|_| crate::full_lane()) else { continue };
        let set = set.canonicalize().unwrap().to_string_lossy().into_owned();
        on_any_threads(here.path(), &["eval", command, &set, "--format", "csv"]);
    }
}

#[test]
fn totals_match_the_pages() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let args = ["eval", "blocks", "labelled", "--preset", "num-words-rules", "--preset", "keep-everything", "--format", "json"];
    let value: Value = serde_json::from_str(&run(here.path(), &args).quiet().stdout).unwrap();
    assert_eq!(value["format"], "webstrata.eval.blocks/1");
    for method in value["sets"][0]["methods"].as_array().unwrap() {
        let pages = method["pages"].as_array().unwrap();
        let sum = |name: &str| pages.iter().map(|page| page[name].as_f64().unwrap()).sum::<f64>();
        // The amount kept correctly, page by page: the share times its base.
        let rightly = |figure: &str, of: &str| {
            pages.iter().map(|page| page["figures"][figure].as_f64().unwrap() * page[of].as_f64().unwrap()).sum::<f64>()
        };
        for (figure, of) in [
            ("b_precision", "kept_blocks"),
            ("b_recall", "content_blocks"),
            ("precision", "kept_words"),
            ("recall", "content_words"),
        ] {
            let overall = method["overall"][figure].as_f64().unwrap();
            assert!((overall - rightly(figure, of) / sum(of)).abs() < 1e-9, "{figure}: {method:#}");
            let mean = pages.iter().map(|page| page["figures"][figure].as_f64().unwrap()).sum::<f64>() / pages.len() as f64;
            assert!((method["mean"][figure].as_f64().unwrap() - mean).abs() < 1e-9, "{figure}");
        }
        let wrongly = sum("kept_words") - rightly("precision", "kept_words");
        let rate = method["overall"]["false_positive_rate"].as_f64().unwrap();
        assert!((rate - wrongly / (sum("words") - sum("content_words"))).abs() < 1e-9);
        assert!(method["overall"]["roc_auc"].is_null(), "a preset has no score");
    }
}

#[test]
fn several_sets_share_one_csv_header() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let args = ["eval", "blocks", "labelled", "labelled", "--preset", "article", "--format", "csv", "-o", "out/pages.csv"];
    assert_eq!(run(here.path(), &args).quiet().stdout, "");
    let csv = fs::read_to_string(here.path().join("out/pages.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines.iter().filter(|line| line.starts_with("set,method,page,")).count()), (17, 1), "{csv}");
    assert!(lines[1].starts_with("labelled,article,bread-onions,"), "{csv}");
}

#[test]
fn progress_is_for_terminals() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let blocks = ["eval", "blocks", "labelled", "--preset", "article"];
    let silent = run(here.path(), &blocks).quiet().stdout;
    let shown = run(here.path(), &[&blocks[..], &["--progress", "always"]].concat());
    assert_eq!((shown.stdout, shown.stderr.as_str()), (silent, "webstrata-lab: labelled: 8 of 8 pages\n"));
    let rival = "other=while read -r f; do printf '{\"file\": \"%s\", \"text\": \"\"}\\n' \"$f\"; done";
    let extract = ["eval", "extract", "labelled", "--preset", "article", "--rival", rival, "--progress", "always"];
    let shown = run(here.path(), &extract);
    assert_eq!(shown.stderr, "webstrata-lab: labelled: 8 of 8 pages\nwebstrata-lab: labelled, other: 8 of 8 pages\n");
    let train = ["train", "blocks", "labelled", "--folds", "4", "--learner", "zeror"];
    run(here.path(), &train).quiet();
    let shown = run(here.path(), &[&train[..], &["--progress", "always"]].concat());
    assert_eq!(shown.stderr, "webstrata-lab: labelled: 5 of 5 training runs\n");
}

#[test]
fn reports_show_models_and_escape_everything() {
    let here = folder(&[]);
    copy_labelled(here.path());
    run(here.path(), &["train", "blocks", "labelled", "--folds", "8", "--min-leaf", "30", "-o", "mine.json"]).quiet();
    let set = here.path().join("labelled");
    let gold = fs::read_to_string(set.join("gold.jsonl")).unwrap();
    let hostile = gold.replacen("https://slow-oven.example/onions", "javascript:alert(1)\\\"><script>alert(2)</script>", 1);
    assert_ne!(hostile, gold);
    fs::write(set.join("gold.jsonl"), hostile).unwrap();
    let args = ["eval", "extract", "labelled", "--preset", "keep-everything", "--model", "mine.json", "--report", "report.html"];
    let ran = run(here.path(), &args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let html = fs::read_to_string(here.path().join("report.html")).unwrap();
    for part in ["<svg", ">mine.json<", "Pages by F1", "<details open>", "&lt;script&gt;alert(2)", "<ins>"] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("<script") && !html.contains("href="), "nothing runs or leads anywhere");
}

#[test]
fn metadata_is_compared_with_rivals() {
    let page = b"<title>Rain</title><meta name=author content='A. Moss'><h1>Rain</h1><p>It rains.";
    let gold = b"{\"id\": \"a\", \"title\": \"Rain\", \"author\": \"A. Moss\"}\n";
    let here = folder(&[("set/html/a.html", page), ("set/gold.jsonl", gold)]);
    // The rival only finds the title.
    let rival = r#"dull=while read f; do echo "{\"id\": \"$f\", \"title\": \"Rain\"}"; done"#;
    let ran = run(here.path(), &["eval", "metadata", "set", "--rival", rival]).complains(0, &["not ahead: set, all: title exact"]);
    assert!(
        ran.stdout.contains("| title | exact | 1 | 1 | 0 | 1.000 | 1.000 | 1.000 | 1 | 0 | 1.000 | 1.000 | 1.000 |"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("| author | same names | 1 | 1 | 0 | 1.000 | 1.000 | 1.000 | 0 | 0 | 0.000 |"), "{}", ran.stdout);
    run(here.path(), &["eval", "metadata", "set", "--rival", rival, "--check"]).complains(1, &["not ahead"]);
    run(here.path(), &["eval", "metadata", "set", "--rival", "silent=true"]).complains(2, &["silent answered for 0 of 1 pages"]);
}
