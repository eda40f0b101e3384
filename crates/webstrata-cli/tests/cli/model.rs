//! `extract --model`: trained models in place of presets.

use crate::common::{copy_labelled, folder, run, testdata};
use std::fs;

/// A folder with labelled pages and `model.json`, a tree trained on them.
fn with_model() -> tempfile::TempDir {
    let here = folder(&[]);
    copy_labelled(here.path());
    fs::copy(testdata().join("../models/tree.json"), here.path().join("model.json")).unwrap();
    here
}

#[test]
fn a_model_extracts_and_explains() {
    let here = with_model();
    let shipped = testdata().join("../../crates/webstrata/src/label/strata/strata.model");
    fs::copy(shipped, here.path().join("strata.model")).unwrap();
    for (file, method) in [("model.json", "model: "), ("strata.model", "strata: ")] {
        let args = ["extract", "--model", file, "--format", "jsonl", "--explain", "labelled/html/hills-bridge.html"];
        let record = run(here.path(), &args).quiet().lines().remove(0);
        assert_eq!(record["preset"], format!("model:{file}"));
        assert!(record["text"].as_str().unwrap().contains("took the footbridge"), "{record}");
        for block in record["blocks"].as_array().unwrap() {
            assert!(block["why"].as_str().unwrap().starts_with(method), "{block}");
        }
    }
}

#[test]
fn unusable_models_are_rejected_with_name_and_remedy() {
    let here = with_model();
    let sound = fs::read_to_string(here.path().join("model.json")).unwrap();
    let cases: [(&str, Vec<u8>, &[&str]); 9] = [
        ("empty.json", Vec::new(), &["not a webstrata model", "right file", "train blocks"]),
        ("bytes.json", vec![0xff; 4000], &["not a webstrata model", "right file"]),
        ("deep.json", "[".repeat(1 << 20).into_bytes(), &["not a webstrata model"]),
        ("huge.json", vec![b' '; (16 << 20) + 1], &["larger than 16777216 bytes", "right file"]),
        ("pickle.json", sound.replace("webstrata-block-model", "pickle").into_bytes(), &["the format is 'pickle'", "right file"]),
        ("newer.json", sound.replace("\"version\":1", "\"version\":2").into_bytes(), &["version 2", "newer webstrata"]),
        ("older.json", sound.replace("\"version\":1", "\"version\":0").into_bytes(), &["version 0", "train"]),
        ("circle.json", sound.replacen("\"low\":1", "\"low\":0", 1).into_bytes(), &["damaged", "train"]),
        ("feature.json", sound.replacen("[\"words\"", "[\"colour\"", 1).into_bytes(), &["unknown feature 'colour'", "train"]),
    ];
    for (name, bytes, words) in cases {
        assert_ne!(bytes, sound.as_bytes(), "{name}");
        fs::write(here.path().join(name), bytes).unwrap();
        let words: Vec<&str> = words.iter().copied().chain(["cannot use the model", name]).collect();
        let ran = run(here.path(), &["extract", "labelled/html", "--model", name]).complains(2, &words);
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.len() < 2000 && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
    if cfg!(unix) {
        run(here.path(), &["extract", "labelled/html", "--model", "/dev/zero"]).complains(2, &["/dev/zero", "larger than"]);
    }
}

#[test]
fn models_that_need_a_corpus_are_not_for_pages() {
    let here = with_model();
    let path = here.path().join("model.json");
    fs::write(&path, fs::read_to_string(&path).unwrap().replacen("\"words\"", "\"frequency\"", 1)).unwrap();
    let ran = run(here.path(), &["extract", "labelled/html", "--model", "model.json"]);
    ran.complains(2, &["cannot use the model model.json", "frequency", "train it without"]);
}

#[test]
fn command_line_options_override_the_configuration_file() {
    let here = with_model();
    fs::create_dir(here.path().join("etc")).unwrap();
    fs::rename(here.path().join("model.json"), here.path().join("etc/model.json")).unwrap();
    fs::write(here.path().join("etc/config.toml"), "[extract]\nmodel = \"model.json\"\n").unwrap();
    let preset = |more: &[&str]| {
        let args = ["extract", "--config", "etc/config.toml", "--format", "jsonl", "labelled/html/hills-hut.html"];
        run(here.path(), &[&args[..], more].concat()).quiet().lines()[0]["preset"].as_str().unwrap().to_owned()
    };
    assert_eq!(preset(&[]), "model:model.json", "paths are relative to the configuration file");
    assert_eq!(preset(&["--preset", "canola"]), "canola");
    // Site rules still apply, but the model overrides their preset.
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
