//! `webstrata-lab train strata`.

use crate::common::{copy_labelled, files, folder, program, run};
use std::fs;
use std::path::Path;
use webstrata::segment::strata::CutModel as Cuts;
use webstrata::{ExtractOptions, Page};
use webstrata_corpus::read_model;

/// Trains on a fixed date and returns the printed card.
fn train(here: &Path, args: &[&str]) -> String {
    let output = program(here, &[&["train", "strata"], args].concat()).env("SOURCE_DATE_EPOCH", "1709164800").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Annotated pages: a menu, a text and a footer, of different lengths.
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
fn content_models_are_reproducible_to_the_byte_and_extract() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let args = |threads, file| ["--gold", "labelled", "--trees", "5", "--folds", "2", "--threads", threads, "-o", file];
    let printed = train(here.path(), &args("1", "one.model"));
    assert!(
        printed.contains("Trained on 2024-02-29 by `webstrata-lab train strata --gold labelled --trees 5 --folds 2`"),
        "{printed}"
    );
    assert_eq!(train(here.path(), &[&args("2", "two.model")[..], &["--card", "card.md"]].concat()), printed);
    assert_eq!(fs::read_to_string(here.path().join("card.md")).unwrap(), printed);
    let model = fs::read(here.path().join("one.model")).unwrap();
    assert_eq!(model, fs::read(here.path().join("two.model")).unwrap());
    let bytes = fs::read(here.path().join("labelled/html/hills-bridge.html")).unwrap();
    let page = Page::parse(&bytes);
    let model = read_model(&here.path().join("one.model")).unwrap();
    assert!(page.extract_by(&model, &ExtractOptions::default()).text().contains("took the footbridge"));
    assert!(page.explain(&model).why(0).starts_with("strata: "));
}

/// The card and `eval extract` score the same text by the same models.
#[test]
fn whole_extractions_are_cross_validated() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let args = ["--gold", "labelled", "--trees", "5", "--folds", "2", "-o", "one.model", "--folds-out", "folds"];
    let printed = train(here.path(), &args);
    let of_card: f64 = printed
        .lines()
        .find_map(|line| line.strip_prefix("| all | 8 | "))
        .and_then(|rest| rest.split(' ').next()?.parse().ok())
        .unwrap_or_else(|| panic!("{printed}"));
    assert_eq!(files(&here.path().join("folds")), ["fold-0.model", "fold-1.model"]);
    let args = ["eval", "extract", "labelled", "--preset", "keep-everything", "--folds", "folds", "--format", "json"];
    let scores: serde_json::Value = serde_json::from_str(&run(here.path(), &args).stdout).unwrap();
    let method = &scores["sets"][0]["methods"][1];
    assert_eq!(method["name"], "strata, cross-validated");
    assert!((method["f1"].as_f64().unwrap() - of_card).abs() <= 0.0005, "{of_card}: {method}");
    // A page is read by the model of its fold, so with equal models for all folds the scores are different.
    fs::copy(here.path().join("one.model"), here.path().join("folds/fold-0.model")).unwrap();
    fs::copy(here.path().join("one.model"), here.path().join("folds/fold-1.model")).unwrap();
    let seen: serde_json::Value = serde_json::from_str(&run(here.path(), &args).stdout).unwrap();
    assert_ne!(seen["sets"][0]["methods"][1]["scores"], method["scores"]);
    // A training with fewer folds leaves no model of the earlier one.
    fs::write(here.path().join("folds/fold-2.model"), "old").unwrap();
    train(here.path(), &["--gold", "labelled", "--trees", "2", "--folds", "2", "-o", "one.model", "--folds-out", "folds"]);
    assert_eq!(files(&here.path().join("folds")), ["fold-0.model", "fold-1.model"]);
    run(here.path(), &["eval", "extract", "labelled", "--folds", "missing"]).complains(2, &["missing/fold-0.model", "--folds-out"]);
}

#[test]
fn cut_models_are_reproducible_to_the_byte_and_load() {
    let here = folder(&[]);
    mark_pages(here.path());
    let args = |threads, file| ["--segments", "marked", "--threads", threads, "--segments-out", file];
    let printed = train(here.path(), &args("1", "one.model"));
    for words in ["by `webstrata-lab train strata --segments marked`", "4 pages, cross-validated by page in 4 folds", "AdjRand"] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    assert_eq!(train(here.path(), &args("2", "two.model")), printed);
    let model = fs::read(here.path().join("one.model")).unwrap();
    assert_eq!(model, fs::read(here.path().join("two.model")).unwrap());
    assert!(Cuts::read(&model).is_ok());
    let error = read_model(&here.path().join("one.model")).unwrap_err().to_string();
    assert!(error.contains("one.model"), "a model of cuts does not extract: {error}");
    // Both together: two models, one card.
    copy_labelled(here.path());
    let both = ["--gold", "labelled", "--trees", "2", "--folds", "2", "-o", "content.model", "--card", "card.md"];
    let printed_too = train(here.path(), &[&both[..], &args("2", "cuts.model")].concat());
    assert!(printed_too.starts_with("# The model of `strata`\n") && printed_too.ends_with(&printed), "{printed_too}");
    assert_eq!(fs::read_to_string(here.path().join("card.md")).unwrap(), printed_too);
    assert_eq!(fs::read(here.path().join("cuts.model")).unwrap(), model);
}

#[test]
fn mistakes_are_reported_before_anything_is_trained() {
    let here = folder(&[]);
    copy_labelled(here.path());
    mark_pages(here.path());
    fs::create_dir(here.path().join("models")).unwrap();
    let before = files(here.path());
    let gold = ["--gold", "labelled", "-o"];
    let segments = ["--segments", "marked", "--segments-out"];
    for (args, words) in [
        ([&gold[..], &["models"]].concat(), &["models is a folder", "give -o the name of a file"][..]),
        ([&segments[..], &["models"]].concat(), &["models is a folder", "give --segments-out the name of a file"]),
        ([&gold[..], &["x.model", "--card", "models"]].concat(), &["models is a folder", "give --card the name"]),
        ([&gold[..], &["x.model"], &segments[..], &["x.model"]].concat(), &["x.model would be written twice", "another name"]),
        (gold[..2].to_vec(), &["--out <FILE>"]),
        (segments[..2].to_vec(), &["--segments-out <FILE>"]),
        (vec!["-o", "x.model"], &["--gold <SET>"]),
        (vec!["--gold", "missing", "-o", "x.model"], &["cannot read missing/gold.jsonl"]),
        (vec!["--segments", "missing", "--segments-out", "x.model"], &["cannot read missing/html", "annotated pages in html/"]),
    ] {
        let ran = run(here.path(), &[&["train", "strata"], &args[..]].concat()).complains(2, words);
        assert_eq!(ran.stdout, "");
    }
    // A set without annotations: its pages are named, and the format is explained.
    let args = ["train", "strata", "--segments", "labelled", "--segments-out", "x.model"];
    run(here.path(), &args).complains(2, &["html/hills-bridge.html is annotated; skipped", "only 0 of 8 pages", "data-block"]);
    assert_eq!(files(here.path()), before);
}
