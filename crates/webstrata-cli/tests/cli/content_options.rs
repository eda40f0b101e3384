//! Options that decide what is content: `extract`, `segment` and `run` give the same answers.

use crate::common::{bundled, run, testdata};
use serde_json::Value;
use std::fs;
use std::path::Path;

const RULES: &str = "[site.'*']\nexclude = ['nav', 'footer', 'p:first-of-type']\nmode = 'recall'\ntables = false\n";

fn rows(folder: &Path, table: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(table).join("part-000000.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn all_commands_find_the_same_content() {
    let here = tempfile::tempdir().unwrap();
    let list: Vec<String> = bundled().iter().map(|name| testdata().join(name).display().to_string()).collect();
    fs::write(here.path().join("list"), list.join("\n")).unwrap();
    fs::write(here.path().join("rules.toml"), RULES).unwrap();
    fs::copy(testdata().join("../models/tree.json"), here.path().join("tree.json")).unwrap();
    let mut texts = Vec::new();
    for (number, options) in [
        &["--precision"][..],
        &["--recall"],
        &["--preset", "canola"],
        &["--model", "tree.json"],
        &["--no-comments"],
        &["--no-tables"],
        &["--no-title"],
        &["--keep-roles", "caption,credit,byline,navigation"],
        &["--drop-roles", "heading"],
        &["--include", "nav"],
        &["--exclude", "p:first-of-type"],
        &["--only-in", "p"],
        &["--site-rules", "rules.toml"],
        &["--site-rules", "rules.toml", "--precision"],
    ]
    .into_iter()
    .enumerate()
    {
        let with = [&["--files-from", "list", "--quiet"], options].concat();
        let out = format!("out{number}");
        run(here.path(), &[&["run", "--format", "jsonl", "--out", out.as_str()], &with[..]].concat()).quiet();
        let extracted = run(here.path(), &[&["extract", "--format", "jsonl"], &with[..]].concat()).quiet().lines();
        let segmented = run(here.path(), &[&["segment"], &with[..]].concat()).quiet().lines();
        let (pages, segments) = (rows(&here.path().join(&out), "pages"), rows(&here.path().join(&out), "segments"));
        assert_eq!((pages.len(), segmented.len()), (extracted.len(), extracted.len()));
        for (row, record) in pages.iter().zip(&extracted) {
            for name in ["text", "page_type", "encoding", "transcoded"] {
                assert_eq!(row[name], record[name], "{options:?} {}", row["id"]);
            }
        }
        let listed: Vec<&Value> = segmented.iter().flat_map(|record| record["segments"].as_array().unwrap()).collect();
        assert_eq!(segments.len(), listed.len());
        for (row, segment) in segments.iter().zip(listed) {
            for name in ["text", "content", "role", "spans", "path", "words"] {
                assert_eq!(row[name], segment[name], "{options:?} {}", row["page"]);
            }
        }
        texts.push(pages.iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>());
    }
    // Every option has an effect, if only on some page.
    let count = texts.len();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), count);
}

#[test]
fn a_run_with_other_options_is_another_run() {
    let here = tempfile::tempdir().unwrap();
    fs::write(here.path().join("page.html"), "<p>It rained in the valley for three days, and nobody could remember when.").unwrap();
    fs::write(here.path().join("rules.toml"), RULES).unwrap();
    let command = |options: &[&'static str]| run(here.path(), &[&["run", "page.html", "--out", "out"], options].concat());
    command(&["--exclude", ".ad"]).quiet();
    command(&["--exclude", ".ad"]).quiet();
    command(&["--exclude", ".promo"]).complains(2, &["`rules` was exclude \".ad\" and is exclude \".promo\"", "--out"]);
    command(&["--exclude", ".ad", "--recall"]).complains(2, &["`mode` was not set and is recall"]);
    command(&["--exclude", ".ad", "--site-rules", "rules.toml"]).complains(2, &["`site-rules` was not set and is "]);
    command(&["--model", "missing.model"]).complains(2, &["missing.model"]);
    command(&["--exclude", "p["]).complains(2, &["p["]);
}
