//! `webstrata train blocks` and what its models do for `extract`.

use super::transcripts::copy_labelled;
use crate::common::{files, folder, run, webstrata};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A folder with the labelled pages, and a model that was trained on them.
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
            let ran = run(here.path(), &["extract", "--model", "model.json", "--format", "jsonl", "--explain", page]).quiet();
            let record = &ran.lines()[0];
            assert_eq!(record["preset"], "model:model.json");
            assert!(record["text"].as_str().unwrap().contains("took the footbridge"), "{learner}, {classes} classes");
            for block in record["blocks"].as_array().unwrap() {
                assert!(block["why"].as_str().unwrap().starts_with("model: "), "{block}");
            }
            if classes == "2" {
                scores.push((learner, file["card"]["scores"]["f1"].as_f64().unwrap()));
            }
        }
    }
    let of = |name: &str| scores.iter().find(|(learner, _)| *learner == name).unwrap().1;
    assert!(of("tree") > of("zeror") + 0.1 && of("svm") > of("zeror") + 0.1, "{scores:?}");
}

#[test]
fn a_model_can_be_made_again_to_the_byte() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let train = |threads: &str, file: &str| {
        let args = ["train", "blocks", "labelled", "--folds", "4", "--l-extractor", "--threads", threads, "-o", file];
        let output = webstrata(here.path(), &args).env("SOURCE_DATE_EPOCH", "1709164800").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(here.path().join(file)).unwrap()
    };
    assert_eq!(train("1", "one.json"), train("2", "two.json"));
    let file: Value = serde_json::from_slice(&train("2", "model.json")).unwrap();
    assert_eq!(file["card"]["date"], "2024-02-29");
    // The card has the command, and the command gives the same model.
    let command = file["card"]["command"].as_str().unwrap();
    assert_eq!(command, "webstrata train blocks labelled --learner svm --features local --classes 2 --cost 1 --folds 4 --by page");
    let mut args: Vec<&str> = command.split(' ').skip(1).collect();
    args.extend(["-o", "again.json"]);
    assert!(webstrata(here.path(), &args).env("SOURCE_DATE_EPOCH", "1709164800").output().unwrap().status.success());
    assert_eq!(fs::read(here.path().join("again.json")).unwrap(), fs::read(here.path().join("one.json")).unwrap());
}

#[test]
fn commands_of_cards_train_the_same_model() {
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
fn a_model_is_written_whole_or_not_at_all() {
    let here = trained(&["--learner", "zeror"]);
    let before = fs::read(here.path().join("model.json")).unwrap();
    // The model is trained, and its place cannot be written to.
    fs::write(here.path().join("file"), "").unwrap();
    let args = ["train", "blocks", "labelled", "--folds", "4", "-o", "file/model.json"];
    run(here.path(), &args).complains(2, &["cannot write file/model.json"]);
    run(here.path(), &["train", "blocks", "labelled", "--folds", "99", "-o", "model.json"]).complains(2, &["--folds 8 or less"]);
    assert_eq!(fs::read(here.path().join("model.json")).unwrap(), before, "what was there stays");
    run(here.path(), &["train", "blocks", "labelled", "--folds", "4", "--learner", "1r", "-o", "deep/er/model.json"]).quiet();
    run(here.path(), &["train", "blocks", "labelled", "--folds", "4", "--learner", "1r", "-o", "model.json"]).quiet();
    assert_ne!(fs::read(here.path().join("model.json")).unwrap(), before);
    let left: Vec<String> = files(here.path()).into_iter().filter(|name| !name.starts_with("labelled/")).collect();
    assert_eq!(left, ["deep/er/model.json", "file", "model.json"]);
}

#[test]
fn without_a_file_nothing_is_written() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let before = files(here.path());
    run(here.path(), &["train", "blocks", "labelled", "--folds", "4", "--learner", "1r"]).quiet();
    assert_eq!(files(here.path()), before);
}

#[test]
fn a_tree_that_says_nothing_is_told_of() {
    let here = folder(&[]);
    copy_labelled(here.path());
    run(here.path(), &["train", "blocks", "labelled", "--folds", "4"]).complains(0, &["only one leaf", "--min-leaf"]);
}

#[test]
fn what_a_model_cannot_be_is_refused_with_its_name_and_what_to_do() {
    let here = trained(&["--min-leaf", "30"]);
    let sound = fs::read_to_string(here.path().join("model.json")).unwrap();
    let cases: [(&str, Vec<u8>, &[&str]); 9] = [
        ("empty.json", Vec::new(), &["not a model of webstrata", "right file", "train blocks"]),
        ("bytes.json", vec![0xff; 4000], &["not a model of webstrata", "right file"]),
        ("deep.json", "[".repeat(1 << 20).into_bytes(), &["not a model of webstrata"]),
        ("huge.json", vec![b' '; (16 << 20) + 1], &["more than 16777216 bytes", "right file"]),
        ("pickle.json", sound.replace("webstrata-block-model", "pickle").into_bytes(), &["the format is 'pickle'", "right file"]),
        ("newer.json", sound.replace("\"version\":1", "\"version\":2").into_bytes(), &["version 2", "newer webstrata"]),
        ("older.json", sound.replace("\"version\":1", "\"version\":0").into_bytes(), &["version 0", "train it again"]),
        ("circle.json", sound.replacen("\"low\":1", "\"low\":0", 1).into_bytes(), &["damaged", "train it again"]),
        ("feature.json", sound.replacen("[\"words\"", "[\"colour\"", 1).into_bytes(), &["no feature 'colour'", "train it again"]),
    ];
    for (name, bytes, words) in cases {
        assert_ne!(bytes, sound.as_bytes(), "{name}");
        fs::write(here.path().join(name), bytes).unwrap();
        let words: Vec<&str> = words.iter().copied().chain(["cannot use the model", name]).collect();
        for command in [
            &["extract", "labelled/html", "--model", name][..],
            &["eval", "extract", "labelled", "--model", name],
            &["eval", "blocks", "labelled", "--model", name],
        ] {
            let ran = run(here.path(), command).complains(2, &words);
            assert_eq!(ran.stdout, "");
            assert!(ran.stderr.len() < 2000 && ran.stderr.lines().count() == 1, "{}", ran.stderr);
        }
    }
    if cfg!(unix) {
        run(here.path(), &["extract", "labelled/html", "--model", "/dev/zero"]).complains(2, &["/dev/zero", "more than"]);
    }
}

#[test]
fn models_that_need_a_corpus_are_not_for_pages() {
    let here = trained(&["--features", "all", "--learner", "1r"]);
    let ran = run(here.path(), &["extract", "labelled/html", "--model", "model.json"]);
    ran.complains(2, &["cannot use the model model.json", "frequency", "train it without"]);
}

#[test]
fn what_is_typed_goes_before_a_file() {
    let here = trained(&["--min-leaf", "30"]);
    fs::create_dir(here.path().join("etc")).unwrap();
    fs::rename(here.path().join("model.json"), here.path().join("etc/model.json")).unwrap();
    fs::write(here.path().join("etc/config.toml"), "[extract]\nmodel = \"model.json\"\n").unwrap();
    let preset = |more: &[&str]| {
        let args = ["extract", "--config", "etc/config.toml", "--format", "jsonl", "labelled/html/hills-hut.html"];
        run(here.path(), &[&args[..], more].concat()).quiet().lines()[0]["preset"].as_str().unwrap().to_owned()
    };
    assert_eq!(preset(&[]), "model:model.json", "the name is relative to the file that has it");
    assert_eq!(preset(&["--preset", "canola"]), "canola");
    // Rules for sites still count, and their preset gives way to the model.
    let rules = "[site.\"hillclub-arden.example\"]\npreset = \"keep-everything\"\nexclude = [\"h1\"]\n";
    fs::write(here.path().join("sites.toml"), rules).unwrap();
    let args = ["extract", "--model", "etc/model.json", "--site-rules", "sites.toml", "--format", "jsonl"];
    let page = ["--base-url", "https://hillclub-arden.example/", "labelled/html/hills-bridge.html"];
    let record = run(here.path(), &[&args[..], &page].concat()).quiet().lines().remove(0);
    let text = record["text"].as_str().unwrap();
    assert!(
        text.contains("took the footbridge") && !text.contains("Path 12: bridge missing") && !text.contains("Join us"),
        "{text}"
    );
}
