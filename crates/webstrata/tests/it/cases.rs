//! Runs every method on every bundled page and checks for required text and, on clear-cut pages, for forbidden text.

use crate::support::data;
use serde_json::Value;
use webstrata::label::{Labeller, Preset};
use webstrata::segment::{Method, RuleSet};
use webstrata::{ExtractOptions, Page};

struct Case {
    name: String,
    bytes: Vec<u8>,
    about: Value,
}

fn cases() -> Vec<Case> {
    let cases: Vec<Case> = data::cases("pages")
        .into_iter()
        .map(|path| Case {
            name: path.file_name().unwrap().to_string_lossy().into_owned(),
            bytes: std::fs::read(path.join("page.html")).expect("a case has a page"),
            about: serde_json::from_slice(&std::fs::read(path.join("case.json")).expect("a case has a case.json")).unwrap(),
        })
        .collect();
    assert!(cases.len() >= 24);
    cases
}

impl Case {
    fn phrases(&self, key: &str) -> Vec<String> {
        let list = self.about[key].as_array().unwrap_or_else(|| panic!("{}: no {key}", self.name));
        list.iter().map(|v| folded(v.as_str().unwrap())).collect()
    }

    fn page(&self) -> Page<'_> {
        Page::parse(&self.bytes)
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn keeping_everything_keeps_the_content() {
    for case in cases() {
        let page = case.page();
        let text = folded(&page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).text());
        for phrase in case.phrases("content") {
            assert!(text.contains(&phrase), "{}: {phrase:?} is missing from all text", case.name);
        }
    }
}

#[test]
fn clear_cut_pages_come_out_clean() {
    let mut clear = 0;
    for case in cases().iter().filter(|c| c.about["article_keeps"] == true) {
        clear += 1;
        let page = case.page();
        let text = folded(&page.extract_with(&ExtractOptions::from(Preset::Article)).text());
        for phrase in case.phrases("content") {
            assert!(text.contains(&phrase), "{}: content {phrase:?} was lost", case.name);
        }
        for phrase in case.phrases("boilerplate") {
            assert!(!text.contains(&phrase), "{}: boilerplate {phrase:?} was kept", case.name);
        }
    }
    assert!(clear >= 8);
}

#[test]
fn every_preset_labels_every_block_and_says_why() {
    for case in cases() {
        let page = case.page();
        let everything = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).text().len();
        for preset in Preset::ALL {
            let content = page.extract_with(&ExtractOptions::from(preset));
            let explanation = content.explain();
            assert_eq!(explanation.labels(), content.labels(), "{} {preset}: explaining changes nothing", case.name);
            assert_eq!(page.explain(&preset).labels(), &page.label(&preset), "{} {preset}: explaining changes nothing", case.name);
            assert_eq!(content.labels().len(), page.blocks().len(), "{} {preset}", case.name);
            assert!(content.text().len() <= everything, "{} {preset}", case.name);
            for block in page.blocks() {
                let why = explanation.why(block.index());
                assert!(why.contains(": ") && !why.contains("{}"), "{} {preset}: block {} says {why:?}", case.name, block.index());
                let says_content = why.rsplit("; ").next().unwrap().contains("content");
                assert!(!content.is_content(block.index()) || says_content, "{} {preset}: content, but {why:?}", case.name);
            }
            assert_eq!(Labeller::name(&preset), preset.name());
        }
    }
}

#[test]
fn every_method_segments_every_page() {
    for case in cases() {
        let page = case.page();
        for method in Method::ALL {
            for rules in [RuleSet::paper(), RuleSet::html5()] {
                let segments = page.segments_by(&*method.segmenter(rules));
                assert_eq!(segments.is_empty(), page.blocks().is_empty(), "{} {method}", case.name);
                for phrase in case.phrases("content").iter().filter(|_| method == Method::JustRules) {
                    let text: String = segments.iter().map(|s| s.text() + "\n").collect();
                    assert!(folded(&text).contains(phrase), "{} {method}: {phrase:?}", case.name);
                }
            }
        }
    }
}

#[test]
fn encodings_are_detected() {
    for case in cases() {
        let page = case.page();
        let name = case.about["encoding"].as_str().unwrap();
        let stated = encoding_rs::Encoding::for_label(name.as_bytes()).expect("a known encoding label");
        // Related encodings decode these pages identically: compare the text, not the name.
        let expected = stated.decode(&case.bytes).0;
        assert_eq!(
            page.dom().source().trim_start_matches('\u{feff}'),
            expected,
            "{}: read as {}",
            case.name,
            page.encoding().name()
        );
    }
}

#[test]
fn unclosed_elements_are_repaired_and_reported() {
    for case in cases().iter().filter(|c| c.name.starts_with("unclosed-")) {
        let problems: Vec<String> = case.page().problems().iter().map(ToString::to_string).collect();
        assert!(problems.iter().any(|p| p.contains("has no end tag")), "{}: {problems:?}", case.name);
    }
}
