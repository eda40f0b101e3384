//! `webstrata-lab train blocks`.

use crate::common::{copy_labelled, files, folder, program, run, testdata};
use serde_json::Value;
use std::fs;
use std::path::Path;
use webstrata::{ExtractOptions, Page};
use webstrata_corpus::read_model;

/// A folder with the labelled pages and a model trained on them.
fn trained(options: &[&str]) -> tempfile::TempDir {
    let here = folder(&[]);
    copy_labelled(here.path());
    let args = [&["train", "blocks", "labelled", "--folds", "4", "--by", "host", "-o", "model.json"], options].concat();
    run(here.path(), &args).quiet();
    here
}

fn model(here: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(here.join("model.json")).unwrap()).unwrap()
}

#[test]
fn every_learner_makes_a_model_that_extracts() {
    let mut scores = Vec::new();
    for learner in ["zeror", "1r", "tree", "svm"] {
        for classes in ["2", "4"] {
            let leaf: &[&str] = if learner == "tree" { &["--min-leaf", "30"] } else { &[] };
            let here = trained(&[&["--learner", learner, "--classes", classes], leaf].concat());
            let file = model(here.path());
            assert_eq!((file["format"].as_str(), file["version"].as_u64()), (Some("webstrata-block-model"), Some(1)));
            assert_eq!((file["card"]["learner"].as_str(), file["card"]["data"].as_str()), (Some(learner), Some("labelled")));
            assert_eq!(file["classes"].as_array().unwrap().len().to_string(), classes);
            let page = "labelled/html/hills-bridge.html";
            let bytes = fs::read(here.path().join(page)).unwrap();
            let page = Page::parse(&bytes);
            let model = read_model(&here.path().join("model.json")).unwrap();
            let content = page.extract_by(&model, &ExtractOptions::default());
            assert!(content.text().contains("took the footbridge"), "{learner}, {classes} classes");
            let explanation = page.explain(&model);
            assert!((0..page.blocks().len()).all(|block| explanation.why(block).starts_with("model: ")));
            if classes == "2" {
                scores.push((learner, file["card"]["scores"]["f1"].as_f64().unwrap()));
            }
        }
    }
    let of = |name: &str| scores.iter().find(|(learner, _)| *learner == name).unwrap().1;
    assert!(of("tree") > of("zeror") + 0.1 && of("svm") > of("zeror") + 0.1, "{scores:?}");
}

#[test]
fn models_are_reproducible_to_the_byte() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let train = |threads: &str, file: &str| {
        let args = ["train", "blocks", "labelled", "--folds", "4", "--l-extractor", "--threads", threads, "-o", file];
        let output = program(here.path(), &args).env("SOURCE_DATE_EPOCH", "1709164800").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(here.path().join(file)).unwrap()
    };
    assert_eq!(train("1", "one.json"), train("2", "two.json"));
    let file: Value = serde_json::from_slice(&train("2", "model.json")).unwrap();
    assert_eq!(file["card"]["date"], "2024-02-29");
    // The command on the card gives the same model.
    let command = file["card"]["command"].as_str().unwrap();
    assert_eq!(
        command,
        "webstrata-lab train blocks labelled --learner svm --features parts --classes 2 --cost 1 --folds 4 --by page"
    );
    let mut args: Vec<&str> = command.split(' ').skip(1).collect();
    args.extend(["-o", "again.json"]);
    assert!(program(here.path(), &args).env("SOURCE_DATE_EPOCH", "1709164800").output().unwrap().status.success());
    assert_eq!(fs::read(here.path().join("again.json")).unwrap(), fs::read(here.path().join("one.json")).unwrap());
}

#[test]
fn commands_on_cards_reproduce_the_model() {
    let undated = |here: &Path| {
        let mut model = model(here);
        model["card"]["date"] = Value::Null;
        model
    };
    for options in [
        &["--min-leaf", "40", "--pruning", "reduced-error", "--features", "words+link"][..],
        &["--learner", "1r", "--min-leaf", "60"],
        &["--learner", "1r"],
        &["--learner", "tree", "--pruning", "none", "--classes", "4", "--min-leaf", "25"],
        &["--learner", "svm", "--cost", "0.25", "--features", "words, next.words,link-density"],
    ] {
        let here = trained(options);
        let first = undated(here.path());
        let command = first["card"]["command"].as_str().unwrap().to_owned();
        let args: Vec<&str> = command.split(' ').skip(1).chain(["-o", "model.json"]).collect();
        run(here.path(), &args).quiet();
        assert_eq!(undated(here.path()), first, "{command}");
    }
}

#[test]
fn models_are_written_atomically() {
    let here = trained(&["--learner", "zeror"]);
    let before = fs::read(here.path().join("model.json")).unwrap();
    // The model is trained, but cannot be written.
    fs::write(here.path().join("file"), "").unwrap();
    let args = ["train", "blocks", "labelled", "--folds", "4", "-o", "file/model.json"];
    run(here.path(), &args).complains(2, &["cannot write file/model.json"]);
    run(here.path(), &["train", "blocks", "labelled", "--folds", "99", "-o", "model.json"]).complains(2, &["--folds 8 or fewer"]);
    assert_eq!(fs::read(here.path().join("model.json")).unwrap(), before, "the old file stays");
    run(here.path(), &["train", "blocks", "labelled", "--folds", "4", "--learner", "1r", "-o", "deep/er/model.json"]).quiet();
    run(here.path(), &["train", "blocks", "labelled", "--folds", "4", "--learner", "1r", "-o", "model.json"]).quiet();
    assert_ne!(fs::read(here.path().join("model.json")).unwrap(), before);
    let left: Vec<String> = files(here.path()).into_iter().filter(|name| !name.starts_with("labelled/")).collect();
    assert_eq!(left, ["deep/er/model.json", "file", "model.json"]);
}

#[test]
fn nothing_is_written_without_out() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let before = files(here.path());
    run(here.path(), &["train", "blocks", "labelled", "--folds", "4", "--learner", "1r"]).quiet();
    assert_eq!(files(here.path()), before);
}

#[test]
fn a_tree_with_a_single_leaf_is_reported() {
    let here = folder(&[]);
    copy_labelled(here.path());
    run(here.path(), &["train", "blocks", "labelled", "--folds", "4"]).complains(0, &["only one leaf", "--min-leaf"]);
}

/// The model that the tests and the guide of the users' program load. WEBSTRATA_BLESS=1 rewrites it.
#[test]
fn the_bundled_model_is_current() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let args = ["train", "blocks", "labelled", "--folds", "4", "--by", "host", "--min-leaf", "50", "-o", "tree.json"];
    assert!(program(here.path(), &args).env("SOURCE_DATE_EPOCH", "1709164800").output().unwrap().status.success());
    let trained = fs::read_to_string(here.path().join("tree.json")).unwrap();
    let path = testdata().join("../models/tree.json");
    if std::env::var_os("WEBSTRATA_BLESS").is_some() {
        fs::write(&path, &trained).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap() == trained, "testdata/models/tree.json is not what `train blocks` writes");
}

#[test]
fn unusable_models_are_rejected_before_anything_is_measured() {
    let here = trained(&["--features", "all", "--learner", "1r"]);
    fs::write(here.path().join("empty.json"), "").unwrap();
    for command in ["extract", "blocks"] {
        let ran = run(here.path(), &["eval", command, "labelled", "--model", "empty.json"]);
        assert_eq!(ran.complains(2, &["cannot use the model empty.json", "not a webstrata model", "train blocks"]).stdout, "");
        let ran = run(here.path(), &["eval", command, "labelled", "--model", "model.json"]);
        ran.complains(2, &["cannot use the model model.json", "frequency", "train it without"]);
    }
}
