//! `eval figures` and `eval segment` on small sets.

use crate::common::{copy_labelled, files, folder, run};
use std::fs;

const MENU: &str = "<ul data-block=1 data-block-type=Menu><li>Home<li>News<li>Weather<li>Sport</ul>";
const TEXT: &str = "<p data-block=1 data-block-type=Content>It has been raining in the valley for three days.</p>";

fn marked() -> [(&'static str, Vec<u8>); 2] {
    let first = format!("{MENU}{TEXT}");
    let second = format!("{MENU}<h2>Not marked</h2>{TEXT}<hr><p>Also not marked");
    [("sets/seg-popular/html/a.html", first.into_bytes()), ("sets/seg-popular/html/b.html", second.into_bytes())]
}

fn sets() -> tempfile::TempDir {
    let pages = marked();
    let pages: Vec<(&str, &[u8])> = pages.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    folder(&pages)
}

#[test]
fn missing_sets_are_reported_and_the_others_drawn() {
    let here = sets();
    let ran = run(here.path(), &["eval", "figures", "--data", "sets", "--out", "out/figures"]);
    let words = [
        "graphs/cnr-2000:",
        "not drawn: figure-3.1",
        "l3s-gn1: cannot read sets/l3s-gn1/gold.jsonl",
        "not drawn: table-4.8, figure-4.20",
        "cleaneval:",
        "figure-4.21a",
    ];
    let ran = ran.complains(1, &words);
    assert!(!ran.stderr.contains("seg-popular"), "{}", ran.stderr);
    let out = here.path().join("out/figures");
    let want = [
        "figure-3.1c.csv",
        "figure-3.1c.svg",
        "figure-3.2.csv",
        "figure-3.2.svg",
        "figure-3.3.csv",
        "figure-3.3.svg",
        "figure-3.4.csv",
        "figure-3.4.svg",
        "figure-3.5.csv",
        "figure-3.5.svg",
        "figure-3.6.csv",
        "figure-3.6.svg",
        "figure-4.4.csv",
        "figure-4.4.svg",
        "figure-4.5.csv",
        "figure-4.5.svg",
        "figure-4.6.csv",
        "figure-4.6.svg",
        "figure-4.7.csv",
        "figure-4.7.svg",
        "figure-4.8.csv",
        "figure-4.8.svg",
        "table-4.1-by-atoms.csv",
        "table-4.1.csv",
        "table-4.2.csv",
    ];
    assert_eq!(files(&out), want);
    assert!(ran.stdout.contains("Table 4.1") && ran.stdout.contains("just-rules"), "{}", ran.stdout);
    let svg = fs::read_to_string(out.join("figure-4.4.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.matches("</svg>").count() == 1);
}

#[test]
fn single_figures_for_any_number_of_threads() {
    let here = sets();
    let names = ["--only", "figure-4.8", "--only", "table-4.1"];
    for threads in ["1", "3"] {
        let args = [["eval", "figures", "--data", "sets", "--threads", threads, "--out", threads].as_slice(), &names].concat();
        run(here.path(), &args).quiet();
    }
    assert_eq!(files(&here.path().join("1")).len(), 4);
    for file in files(&here.path().join("1")) {
        let read = |folder: &str| fs::read_to_string(here.path().join(folder).join(&file)).unwrap();
        assert_eq!(read("1"), read("3"), "{file}");
    }
    let markdown =
        run(here.path(), &["eval", "figures", "--data", "sets", "--out", "m", "--only", "table-4.1", "--markdown"]).quiet();
    assert!(markdown.stdout.contains("| just-rules | 1.000 | .780 |"), "{}", markdown.stdout);
    let note = "The data differ from the original: 2 pages of seg-popular (2014); its 111 pages of 2007 are not public.";
    assert!(markdown.stdout.contains(note), "{}", markdown.stdout);
}

#[test]
fn tables_of_the_thesis_say_that_pages_differ() {
    let here = folder(&[]);
    copy_labelled(here.path());
    run(here.path(), &["eval", "tables", "labelled", "--no-svm", "-o", "tables.md"]).quiet();
    let tables = fs::read_to_string(here.path().join("tables.md")).unwrap();
    for words in [
        "8 pages, blocks by Tags, folds by page",
        "The pages differ from the thesis': 8 of its 621 pages.",
        "Table 4.9, four classes",
    ] {
        assert!(tables.contains(words), "{words}: {tables}");
    }
}

#[test]
fn undrawable_figures_have_exit_codes() {
    let here = sets();
    let figures = |args: &[&str]| run(here.path(), &[["eval", "figures", "--out", "out"].as_slice(), args].concat());
    figures(&["--data", "nowhere"]).complains(2, &["nowhere is not a folder", "--data"]);
    figures(&["--data", "sets", "--only", "figure-4.9"]).complains(2, &["unknown figure 'figure-4.9'", "figure-4.21b"]);
    figures(&["--data", "sets", "--only", "figure-4.24"]).complains(3, &["l3s-gn1", "not drawn: figure-4.24"]);
}

#[test]
fn marked_text_and_all_text() {
    let here = sets();
    let segment = |format: &str| {
        let args = ["eval", "segment", "sets/seg-popular", "--method", "taggap", "--method", "just-rules", "--format", format];
        run(here.path(), &args).quiet().stdout
    };
    let table = segment("table");
    // 14 of 14 words and 14 of 19.
    assert!(table.starts_with("Marked text only (.868 of the words)\n\nmethod "), "{table}");
    assert!(table.contains("\n\nAll text; each unmarked stretch is a segment\n\nmethod "), "{table}");
    let csv = segment("csv");
    assert!(csv.contains("\na,just-rules,marked text only,1.000000,1.000000,1.000000,1.000000,1.000000,2\n"), "{csv}");
    assert!(csv.contains("\nb,just-rules,all text,1.000000,1.000000,1.000000,1.000000,1.000000,4\n"), "{csv}");
    let value: serde_json::Value = serde_json::from_str(&segment("json")).unwrap();
    let taggap = &value["methods"][0];
    // Marked, both pages: pairs shared 45, gold 51, answer 45, all 91.
    let expected = 51.0 * 45.0 / 91.0;
    let close = |value: &serde_json::Value, want: f64| (value.as_f64().unwrap() - want).abs() < 1e-9;
    assert!(close(&taggap["mean"]["adjusted_rand"], (45.0 - expected) / (48.0 - expected)), "{taggap}");
    // Page b, all text: shared 45 + 1 + 3, gold 6 + 45 + 1 + 3, answer the same as shared, all 171.
    let expected = 55.0 * 49.0 / 171.0;
    assert!(close(&taggap["pages"][1]["all_text"]["adjusted_rand"], (49.0 - expected) / (52.0 - expected)), "{taggap}");
}
