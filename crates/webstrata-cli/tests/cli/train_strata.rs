//! `webstrata train strata`: the models of the learned methods.

use super::transcripts::copy_labelled;
use crate::common::{files, folder, run, webstrata};
use std::fs;
use std::path::Path;
use webstrata::segment::strata::CutModel as Cuts;

/// Runs a training on a day of its own, and gives what it prints.
fn train(here: &Path, args: &[&str]) -> String {
    let output = webstrata(here, &[&["train", "strata"], args].concat()).env("SOURCE_DATE_EPOCH", "1709164800").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Pages whose parts are marked: a menu, a text and a foot, of different lengths.
fn mark_pages(here: &Path) {
    let part = |kind: &str, items: usize, text: &str| {
        format!("<div data-block=1 data-block-type={kind}>{}</div>", format!("<p>{text}</p>").repeat(items))
    };
    fs::create_dir_all(here.join("marked/html")).unwrap();
    for number in 0..4 {
        let menu = part("Menu", 2 + number % 3, "<a href=/>one more link</a>");
        let text = part("Content", 3 + number, "Nobody can remember when that last happened in the valley.");
        let foot = part("Footer", 1 + number % 2, "all rights reserved by nobody");
        fs::write(here.join(format!("marked/html/page{number}.html")), format!("{menu}<hr>{text}<hr>{foot}")).unwrap();
    }
}

#[test]
fn content_is_learnt_to_the_byte_and_extracts() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let args = |threads, file| ["--gold", "labelled", "--trees", "5", "--folds", "2", "--threads", threads, "-o", file];
    let printed = train(here.path(), &args("1", "one.model"));
    assert!(printed.contains("Learned on 2024-02-29 by `webstrata train strata --gold labelled --trees 5 --folds 2`"), "{printed}");
    assert_eq!(train(here.path(), &[&args("2", "two.model")[..], &["--card", "card.md"]].concat()), printed);
    assert_eq!(fs::read_to_string(here.path().join("card.md")).unwrap(), printed);
    let model = fs::read(here.path().join("one.model")).unwrap();
    assert_eq!(model, fs::read(here.path().join("two.model")).unwrap());
    let args = ["extract", "--model", "one.model", "--format", "jsonl", "--explain", "labelled/html/hills-bridge.html"];
    let record = run(here.path(), &args).quiet().lines().remove(0);
    assert_eq!(record["preset"], "model:one.model");
    assert!(record["text"].as_str().unwrap().contains("took the footbridge"), "{record}");
    for block in record["blocks"].as_array().unwrap() {
        assert!(block["why"].as_str().unwrap().starts_with("strata: "), "{block}");
    }
}

#[test]
fn cuts_are_learnt_to_the_byte_and_can_be_read() {
    let here = folder(&[]);
    mark_pages(here.path());
    let args = |threads, file| ["--segments", "marked", "--threads", threads, "--segments-output", file];
    let printed = train(here.path(), &args("1", "one.model"));
    for words in ["by `webstrata train strata --segments marked`", "4 pages, cross-validated by page in 4 folds", "AdjRand"] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    assert_eq!(train(here.path(), &args("2", "two.model")), printed);
    let model = fs::read(here.path().join("one.model")).unwrap();
    assert_eq!(model, fs::read(here.path().join("two.model")).unwrap());
    assert!(Cuts::read(&model).is_ok());
    // It is no model for extracting.
    run(here.path(), &["extract", "--model", "one.model", "marked"]).complains(2, &["cannot use the model one.model"]);
    // Both at once: two models, one card.
    copy_labelled(here.path());
    let both = ["--gold", "labelled", "--trees", "2", "--folds", "2", "-o", "content.model", "--card", "card.md"];
    let printed_too = train(here.path(), &[&both[..], &args("2", "cuts.model")].concat());
    assert!(printed_too.starts_with("# The model of `strata`\n") && printed_too.ends_with(&printed), "{printed_too}");
    assert_eq!(fs::read_to_string(here.path().join("card.md")).unwrap(), printed_too);
    assert_eq!(fs::read(here.path().join("cuts.model")).unwrap(), model);
}

#[test]
fn mistakes_are_told_before_anything_is_learnt() {
    let here = folder(&[]);
    copy_labelled(here.path());
    mark_pages(here.path());
    fs::create_dir(here.path().join("models")).unwrap();
    let before = files(here.path());
    let gold = ["--gold", "labelled", "-o"];
    let segments = ["--segments", "marked", "--segments-output"];
    for (args, words) in [
        ([&gold[..], &["models"]].concat(), &["models is a folder", "give -o the name of a file"][..]),
        ([&segments[..], &["models"]].concat(), &["models is a folder", "give --segments-output the name of a file"]),
        ([&gold[..], &["x.model", "--card", "models"]].concat(), &["models is a folder", "give --card the name"]),
        ([&gold[..], &["x.model"], &segments[..], &["x.model"]].concat(), &["x.model would be written twice", "another name"]),
        (gold[..2].to_vec(), &["--output <FILE>"]),
        (segments[..2].to_vec(), &["--segments-output <FILE>"]),
        (vec!["-o", "x.model"], &["--gold <SET>"]),
        (vec!["--gold", "missing", "-o", "x.model"], &["cannot read missing/gold.jsonl"]),
        (vec!["--segments", "missing", "--segments-output", "x.model"], &["cannot read missing/html", "marked pages in html/"]),
    ] {
        let ran = run(here.path(), &[&["train", "strata"], &args[..]].concat()).complains(2, words);
        assert_eq!(ran.stdout, "");
    }
    // A set without marks: its pages are named, and what a mark is.
    let args = ["train", "strata", "--segments", "labelled", "--segments-output", "x.model"];
    run(here.path(), &args).complains(2, &["html/hills-bridge.html is marked; left out", "only 0 of 8 pages", "data-block"]);
    assert_eq!(files(here.path()), before);
}
