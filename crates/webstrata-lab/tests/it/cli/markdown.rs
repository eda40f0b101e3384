//! `webstrata-lab eval markdown`: tables, CSV, JSON, rivals, causes of misses, and sets that cannot be used.

use crate::common::{folder, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use webstrata_lab::fidelity::score::MEASURES;
use webstrata_lab::gold::set::GoldSet;

fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fidelity")
}

/// Two pages, one of them held out, and a rival that answers both with the right Markdown.
fn small() -> tempfile::TempDir {
    let page = b"<h1>Piers</h1><p>The harbour office keeps a log of every vessel that enters between dawn and dusk.</p>";
    let gold =
        br#"{"id": "a", "site": "a", "split": "dev", "headings": [{"level": 1, "text": "Piers"}, {"level": 2, "text": "Oars"}]}
{"id": "b", "site": "b", "split": "test", "headings": [{"level": 1, "text": "Piers"}]}"#;
    let rival = b"while read -r file; do printf '{\"file\": \"%s\", \"text\": \"# Piers\\\\n\"}\\n' \"$file\"; done\n";
    folder(&[("set/html/a.html", page), ("set/html/b.html", page), ("set/gold.jsonl", gold), ("rival.sh", rival)])
}

#[test]
fn rivals_are_measured_with_our_presets() {
    let here = small();
    let args = ["eval", "markdown", "set", "--preset", "keep-everything", "--rival", "other=sh rival.sh", "--csv", "pages.csv"];
    let ran = run(here.path(), &args).quiet();
    for part in ["set, all pages: 2 pages", "set, development: 1 pages", "set, held out: 1 pages", "headings F1 (2)", "other"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let csv = fs::read_to_string(here.path().join("pages.csv")).unwrap();
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(csv.contains("set,other,a,,false,,,,,,,0.666667,\n"), "{csv}");
    let alone =
        run(here.path(), &["eval", "markdown", "set", "--only-rivals", "--rival", "other=sh rival.sh", "--format", "json"]).quiet();
    let value: Value = serde_json::from_str(&alone.stdout).unwrap();
    let methods = value["sets"][0]["methods"].as_array().unwrap();
    assert_eq!((methods.len(), &methods[0]["name"]), (1, &Value::from("other")));
    assert_eq!(methods[0]["held_out"]["headings F1"]["mean"], 1.0);
    assert!(methods[0]["all"]["code edit"]["mean"].is_null());
}

#[test]
fn misses_have_causes_and_held_out_pages_are_not_listed() {
    let here = small();
    let ran =
        run(here.path(), &["eval", "markdown", "set", "--only-rivals", "--rival", "other=sh rival.sh", "--worst", "3"]).quiet();
    let list: Vec<&str> = ran.stdout.lines().skip_while(|line| !line.starts_with("measure")).collect();
    assert_eq!(list.iter().filter(|line| line.starts_with("headings F1")).count(), 1, "{}", ran.stdout);
    assert!(list[1].contains("dropped") && list[1].contains("Oars"), "{}", list[1]);
}

#[test]
fn sets_without_structure_are_explained() {
    let page = ("plain/html/a.html", b"<p>It rains.".as_slice());
    let here = folder(&[page, ("plain/gold.jsonl", b"{\"id\": \"a\", \"gold_text\": \"It rains.\"}")]);
    run(here.path(), &["eval", "markdown", "plain"]).complains(2, &["no page with code", "scripts/fidelity-gold"]);
    run(here.path(), &["eval", "markdown", "nowhere"]).complains(2, &["nowhere", "gold.jsonl"]);
}

#[test]
fn our_pages_have_gold_for_every_measure() {
    let set = GoldSet::read(&own()).unwrap();
    assert!(set.problems.is_empty(), "{:?}", set.problems);
    assert_eq!(fs::read_dir(own().join("html")).unwrap().count(), set.pages.len(), "a page without gold");
    assert!(set.pages.iter().all(|page| !page.structure.is_empty()));
    let ran = run(&own(), &["eval", "markdown", ".", "--format", "json"]).quiet();
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    for measure in MEASURES {
        let found = &value["sets"][0]["methods"][0]["all"][measure];
        assert!(found["pages"].as_u64().unwrap() >= 15, "{measure}: {found}");
    }
}
