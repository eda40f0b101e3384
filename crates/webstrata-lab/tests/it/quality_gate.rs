//! The quality gate: no method gets worse by more than the noise.
//!
//! `floors.toml` has a floor for each set and preset. The test measures the sets found in `WEBSTRATA_DATA` and reports missing
//! ones. `WEBSTRATA_FLOORS=raise` raises floors that have been surpassed; a floor is lowered only with
//! `WEBSTRATA_FLOORS=lower` and `WEBSTRATA_REASON='…'`, and the reason is recorded with it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use webstrata::label::Preset;
use webstrata::segment::{Method, RuleSet};
use webstrata_lab::extract::run::{Candidate, run};
use webstrata_lab::extract::summary::Summary;
use webstrata_lab::gold::seg_popular::{Level, MarkedPage};
use webstrata_lab::gold::set::GoldSet;
use webstrata_lab::segmentation::{Score, Task};

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Floors {
    /// Tolerance: scores do not depend on the machine, but definitions of words and pages may be corrected.
    margin: f64,
    /// Floors by set and method.
    floor: BTreeMap<String, BTreeMap<String, f64>>,
    /// Reasons for lowered floors, by set and method.
    #[serde(default)]
    lowered: BTreeMap<String, BTreeMap<String, String>>,
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("floors.toml")
}

fn read() -> Floors {
    toml::from_str(&fs::read_to_string(file()).unwrap()).unwrap()
}

/// Measures F1 of presets and Adjusted Rand of segmenters.
fn measure(folder: &Path, methods: &[&String]) -> BTreeMap<String, f64> {
    if folder.ends_with("seg-popular") {
        return segmentation(folder, methods);
    }
    let candidate = |name: &&String| Candidate { name: (*name).clone(), options: name.parse::<Preset>().unwrap().into() };
    let candidates: Vec<Candidate> = methods.iter().map(candidate).collect();
    let set = GoldSet::read(folder).unwrap();
    let figure = |s: Summary| if s.pages > 0 { s.f1 } else { s.snippets };
    run(&set, &candidates).into_iter().map(|o| (o.name.clone(), figure(Summary::from_scores(o.answered())))).collect()
}

fn segmentation(folder: &Path, methods: &[&String]) -> BTreeMap<String, f64> {
    let marked = MarkedPage::read_all(folder).unwrap();
    let pages: Vec<_> = marked.iter().map(MarkedPage::parse).collect();
    let tasks: Vec<Task<'_>> = pages
        .iter()
        .zip(&marked)
        .filter_map(|(page, marked)| Task::new(page, |byte| marked.label_at(byte, Level::Sub)).ok())
        .collect();
    let score = |name: &&String| {
        let segmenter = name.parse::<Method>().unwrap().segmenter(RuleSet::paper());
        let scores: Vec<Score> = tasks.iter().map(|task| task.score(&*segmenter)).collect();
        ((*name).clone(), Score::mean(&scores).adjusted_rand)
    };
    methods.iter().map(score).collect()
}

/// The new floor: higher with `raise` or `lower`, lower only with `lower` and a reason.
fn new_floor(floor: f64, measured: f64, margin: f64, request: Option<&str>, reason: Option<&str>) -> Option<f64> {
    let rounded = (measured * 1e4).floor() / 1e4;
    match request {
        Some("raise" | "lower") if rounded > floor => Some(rounded),
        Some("lower") if measured < floor - margin && reason.is_some_and(|r| !r.trim().is_empty()) => Some(rounded),
        _ => None,
    }
}

#[test]
fn floors_are_lowered_only_with_a_reason() {
    assert_eq!(new_floor(0.9, 0.95, 0.002, None, None), None);
    assert_eq!(new_floor(0.9, 0.95, 0.002, Some("raise"), None), Some(0.95));
    assert_eq!(new_floor(0.9, 0.8, 0.002, Some("raise"), Some("why")), None);
    assert_eq!(new_floor(0.9, 0.8, 0.002, Some("lower"), None), None);
    assert_eq!(new_floor(0.9, 0.8, 0.002, Some("lower"), Some(" ")), None);
    assert_eq!(new_floor(0.9, 0.8, 0.002, Some("lower"), Some("the gold was wrong")), Some(0.8));
}

#[test]
fn no_method_falls_below_its_floor() {
    let mut floors = read();
    let request = std::env::var("WEBSTRATA_FLOORS").ok();
    let reason = std::env::var("WEBSTRATA_REASON").ok();
    let (mut checked, mut worse) = (0, Vec::new());
    for (set, methods) in &mut floors.floor {
        let Some(folder) = crate::evaluation_set(set) else { continue };
        let names: Vec<&String> = methods.keys().collect();
        for (name, measured) in measure(&folder, &names) {
            let floor = methods.get_mut(&name).unwrap();
            println!("{set:20} {name:20} {measured:.4}, floor {floor:.4}");
            checked += 1;
            if let Some(new) = new_floor(*floor, measured, floors.margin, request.as_deref(), reason.as_deref()) {
                if new < *floor {
                    let why = format!(
                        "{floor:.4} to {new:.4}: {}",
                        reason.as_deref().unwrap_or_default().replace(['"', '\\', '\n'], " ")
                    );
                    floors.lowered.entry(set.clone()).or_default().insert(name.clone(), why);
                }
                *floor = new;
            } else if measured < *floor - floors.margin {
                worse.push(format!("{set} {name}: {measured:.4} is below the floor {floor:.4} by more than {}", floors.margin));
            }
        }
    }
    if request.is_some() {
        fs::write(file(), written(&floors)).unwrap();
    }
    println!("quality gate: {checked} floors checked");
    assert!(worse.is_empty(), "{}\nA floor is lowered only with WEBSTRATA_FLOORS=lower and WEBSTRATA_REASON", worse.join("\n"));
}

fn written(floors: &Floors) -> String {
    let mut out = String::from(
        "# Minimum score of each method: F1 of presets (share of correct snippets where there is no gold text), Adjusted Rand of\n\
         # segmenters. Written by tests/it/quality_gate.rs, which explains it; a floor is lowered only with a reason.\n",
    );
    let _ = writeln!(out, "margin = {}", floors.margin);
    for (set, methods) in &floors.floor {
        let _ = writeln!(out, "\n[floor.\"{set}\"]");
        methods.iter().for_each(|(name, floor)| out.push_str(&format!("\"{name}\" = {floor:.4}\n")));
    }
    for (set, methods) in &floors.lowered {
        let _ = writeln!(out, "\n[lowered.\"{set}\"]");
        methods.iter().for_each(|(name, why)| out.push_str(&format!("\"{name}\" = \"{why}\"\n")));
    }
    out
}

#[test]
fn the_floors_file_is_canonical() {
    assert_eq!(fs::read_to_string(file()).unwrap(), written(&read()));
}
