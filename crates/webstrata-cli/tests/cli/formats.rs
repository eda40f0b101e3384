//! Output formats.

use crate::common::{article, assert_text_matches_bytes, bundled, folder, letters, over_all, run, spans, testdata};
use serde_json::{Value, json};
use std::fs;
use webstrata::label::Preset;
use webstrata::segment::Method;

#[test]
fn text_is_the_default() {
    let here = folder(&[("a.html", article("mill").as_bytes()), ("b.html", article("bridge").as_bytes())]);
    let plain = run(here.path(), &["extract", "a.html", "b.html"]).quiet().stdout;
    assert_eq!(plain, run(here.path(), &["extract", "--format", "text", "a.html", "b.html"]).quiet().stdout);
    let pages: Vec<&str> = plain.split("\n\n").collect();
    assert_eq!(pages.len(), 2, "an empty line between pages: {plain}");
    assert!(pages[0].contains("The mill stood") && pages[1].contains("The bridge stood") && plain.ends_with('\n'));
    assert!(!plain.contains('<'));
}

#[test]
fn every_preset_gives_one_line_per_page_in_order() {
    let mut names = bundled();
    names.reverse(); // not in alphabetical order
    for preset in Preset::ALL {
        let preset = preset.to_string();
        let ran = run(&testdata(), &over_all(&["extract", "--format", "jsonl", "--preset", &preset], &names)).quiet();
        let lines = ran.lines();
        assert_eq!(lines.iter().map(|line| line["id"].as_str().unwrap()).collect::<Vec<_>>(), names);
        for line in &lines {
            assert_eq!(line["preset"], preset.as_str());
            assert!(line["text"].is_string() && line["encoding"].is_string() && line["problems"].is_array());
            assert!(line.get("blocks").is_none() && line.get("error").is_none());
            let page = fs::read(testdata().join(line["id"].as_str().unwrap())).unwrap();
            if line["transcoded"] == false {
                let spans = spans(&line["spans"], &mut 0, page.len());
                assert_eq!(spans.is_empty(), line["text"] == "");
                assert_text_matches_bytes(line, &spans, &page);
            }
        }
    }
}

#[test]
fn every_method_gives_segments_that_are_traced_to_their_bytes() {
    let names = bundled();
    for method in Method::ALL {
        for rules in ["paper", "html5"] {
            let options = ["segment", "--method", method.name(), "--rules", rules];
            let lines = run(&testdata(), &over_all(&options, &names)).quiet().lines();
            assert_eq!(lines.iter().map(|line| line["id"].as_str().unwrap()).collect::<Vec<_>>(), names);
            for line in &lines {
                assert_eq!((line["method"].as_str(), line["rules"].as_str()), (Some(method.name()), Some(rules)));
                check_segments(line);
            }
        }
    }
}

fn check_segments(line: &Value) {
    let page = fs::read(testdata().join(line["id"].as_str().unwrap())).unwrap();
    let segments = line["segments"].as_array().unwrap();
    let mut before = 0;
    for segment in segments {
        assert!(!segment["text"].as_str().unwrap().is_empty());
        // The path of a deep element omits its beginning.
        assert!(segment["path"].as_str().unwrap().starts_with(['/', '…']));
        assert!(!segment["role"].as_str().unwrap().is_empty() && !segment["why"].as_str().unwrap().is_empty());
        assert!(segment["content"].is_boolean() && (0.0..=1.0).contains(&segment["score"].as_f64().unwrap()));
        assert!(segment["link_words"].as_u64() <= segment["words"].as_u64());
        if line["transcoded"] == false {
            let spans = spans(&segment["spans"], &mut before, page.len());
            assert_text_matches_bytes(segment, &spans, &page);
        }
    }
}

#[test]
fn explain_gives_every_block_with_its_reason() {
    let names = bundled();
    let lines = run(&testdata(), &over_all(&["extract", "--format", "jsonl", "--explain"], &names)).quiet().lines();
    assert_eq!(lines.len(), names.len());
    for line in &lines {
        let page = fs::read(testdata().join(line["id"].as_str().unwrap())).unwrap();
        let blocks = line["blocks"].as_array().unwrap();
        let mut before = 0;
        let mut content = String::new();
        for block in blocks {
            assert!(block["why"].as_str().unwrap().contains(':'), "{block}");
            assert!(!block["role"].as_str().unwrap().is_empty() && block["facts"].is_array());
            if block["content"].as_bool().unwrap() {
                content.push_str(block["text"].as_str().unwrap());
            }
            if line["transcoded"] == false {
                let spans = spans(&block["spans"], &mut before, page.len());
                assert_text_matches_bytes(block, &spans, &page);
            }
        }
        assert_eq!(
            letters(&content),
            letters(line["text"].as_str().unwrap()),
            "the content is the text of its blocks: {}",
            line["id"]
        );
    }
    run(&testdata(), &["extract", "--explain", &names[0]]).complains(2, &["--explain", "--format json or jsonl"]);
}

#[test]
fn threads_do_not_change_the_output() {
    // More pages than one thread takes at a time.
    let names: Vec<String> = bundled().into_iter().cycle().take(300).collect();
    for command in [["extract", "--format", "jsonl", "--threads"], ["segment", "--format", "jsonl", "--threads"]] {
        let output = |threads| run(&testdata(), &over_all(&[command.as_slice(), &[threads]].concat(), &names)).quiet().stdout;
        let one = output("1");
        assert_eq!(one.lines().count(), names.len());
        for threads in ["2", "7", "0"] {
            assert!(one == output(threads), "{} with {threads} threads", command[0]);
        }
    }
}

#[test]
fn a_preset_takes_a_number() {
    let here = folder(&[("a.html", b"<p>one two three</p><p>one two three four five six</p>")]);
    let text = |preset| run(here.path(), &["extract", "--preset", preset, "a.html"]).quiet().stdout;
    assert_eq!(text("min-words=3"), "one two three\none two three four five six\n");
    assert_eq!(text("min-words=4"), "one two three four five six\n");
    let none = run(here.path(), &["extract", "--preset", "min-words", "a.html"]).complains(3, &["no content found"]);
    assert_eq!(none.stdout, "\n");
}

#[test]
fn markdown_keeps_structure_and_resolves_links() {
    let words = "The mill stood by the river for many years. ".repeat(6);
    let html =
        format!("<title>Mill</title><div><h2>The mill</h2><p>{words}<a href=more.html>More</a> here.</p><p>{words}</p></div>");
    let here = folder(&[("a.html", html.as_bytes())]);
    let args = ["extract", "--format", "markdown", "--preset", "keep-everything", "a.html"];
    let plain = run(here.path(), &args).quiet().stdout;
    assert!(plain.starts_with("## The mill\n\nThe mill stood") && plain.contains("[More](more.html)"), "{plain}");
    let based = run(here.path(), &[args.as_slice(), &["--base-url", "https://example.org/a/b"]].concat()).quiet().stdout;
    assert!(based.contains("[More](https://example.org/a/more.html)"), "{based}");
    let unlinked = run(here.path(), &[args.as_slice(), &["--no-links"]].concat()).quiet().stdout;
    assert!(unlinked.contains("More here.") && !unlinked.contains("]("), "{unlinked}");
    run(here.path(), &["extract", "--images", "a.html"]).complains(2, &["--format markdown"]);
}

#[test]
fn metadata_names_its_sources() {
    let html = b"<html lang=en><meta property='og:site_name' content='The Post'><meta name=author content='Ann Reed'>\
        <meta property=article:published_time content='2024-05-13T17:42:00+02:00'><title>Mill - The Post</title><h1>Mill</h1><p>Text.";
    let here = folder(&[("a.html", html)]);
    let out = run(here.path(), &["extract", "--format", "jsonl", "--with-metadata", "a.html"]).quiet().stdout;
    let line: Value = serde_json::from_str(out.trim()).unwrap();
    let metadata = &line["metadata"];
    assert_eq!(metadata["title"]["value"], "Mill");
    assert_eq!(metadata["authors"][0]["value"], "Ann Reed");
    assert_eq!(metadata["published"]["value"], "2024-05-13T17:42:00+02:00");
    assert_eq!(metadata["published"]["source"], "meta article:published_time");
}

#[test]
fn noscript_is_included_on_request() {
    let here = folder(&[("a.html", b"<p>one</p><noscript><p>two</p></noscript>")]);
    let text =
        |more: &[&str]| run(here.path(), &[["extract", "--preset", "keep-everything", "a.html"].as_slice(), more].concat()).quiet();
    assert!(!text(&[]).stdout.contains("two"));
    assert!(text(&["--noscript"]).stdout.contains("two"));
}

/// A page with metadata that YAML has to quote.
const WITH_METADATA: &[u8] = b"<html lang=en><title>Rain: a study</title><meta name=author content='Ann Reed'>\
    <meta property=article:published_time content=2024-05-13><meta property=og:url content=/rain>\
    <article><h1>Rain: a study</h1><p>It has been raining in the valley for three days, and nobody there can remember \
    when that last happened.</p></article>";

#[test]
fn metadata_precedes_text_and_markdown() {
    let here = folder(&[("a.html", WITH_METADATA)]);
    let text = run(here.path(), &["extract", "--with-metadata", "--base-url", "https://e.org/", "a.html"]).quiet().stdout;
    let (block, content) = text.strip_prefix("---\n").unwrap().split_once("---\n\n").unwrap();
    assert!(block.contains("title: \"Rain: a study\"\n") && block.contains("authors: [Ann Reed]\n"), "{block}");
    assert!(block.contains("published: 2024-05-13\n") && block.ends_with("url: \"https://e.org/\"\n"), "{block}");
    assert!(content.contains("nobody there can remember"), "{content}");
    let markdown = run(here.path(), &["extract", "--format", "markdown", "--with-metadata", "a.html"]).quiet().stdout;
    assert!(markdown.starts_with("---\ntitle: ") && markdown.contains("---\n\n# Rain: a study\n"), "{markdown}");
}

#[test]
fn only_writes_just_the_metadata() {
    let here = folder(&[("a.html", WITH_METADATA), ("b.html", b"<p>nothing")]);
    let only = |fields: &str| run(here.path(), &["extract", "--only", fields, "a.html"]).quiet().stdout;
    assert_eq!(only("title,author,date"), "title: Rain: a study\nauthor: Ann Reed\ndate: 2024-05-13\n");
    assert_eq!(only("date"), "date: 2024-05-13\n");
    assert!(
        only("metadata").starts_with("title: Rain: a study\nauthors: Ann Reed\npublished: 2024-05-13\n"),
        "{}",
        only("metadata")
    );
    let args = ["extract", "--format", "jsonl", "--only", "author", "a.html", "b.html"];
    let lines = run(here.path(), &args).quiet().lines();
    assert_eq!(lines[0]["metadata"], json!({"authors": [lines[0]["metadata"]["authors"][0]]}));
    assert_eq!(lines[0]["metadata"]["authors"][0]["value"], "Ann Reed");
    assert_eq!((&lines[1]["metadata"], lines[1].get("text")), (&json!({}), None));
    run(here.path(), &["extract", "--only", "titel", "a.html"]).complains(2, &["titel", "site_name", "metadata"]);
    run(here.path(), &["extract", "--format", "markdown", "--only", "title", "a.html"]).complains(2, &["--only requires"]);
}

#[test]
fn json_is_an_object_or_an_array() {
    let here = folder(&[("in/a.html", article("mill").as_bytes()), ("b.html", article("ferry").as_bytes())]);
    for command in ["extract", "segment"] {
        let parsed = |names: &[&str]| -> Value {
            let ran = run(here.path(), &[[command, "--format", "json"].as_slice(), names].concat()).quiet();
            serde_json::from_str(&ran.stdout).unwrap()
        };
        let one = parsed(&["in/a.html"]);
        assert_eq!(one["id"], "in/a.html");
        assert_eq!(parsed(&["in"]), json!([one]), "a folder may have several pages");
        let line = run(here.path(), &[command, "--format", "jsonl", "in/a.html"]).quiet().lines().remove(0);
        for (name, value) in line.as_object().unwrap() {
            assert_eq!(&one[name], value, "json has what jsonl has: {name}");
        }
        assert_eq!(parsed(&["in/a.html", "b.html"])[0], one);
        let ran = run(here.path(), &[command, "--format", "json", "x.html", "b.html"]).complains(1, &["x.html"]);
        let array: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((array[0]["id"].as_str(), array[1]["id"].as_str()), (Some("x.html"), Some("b.html")));
        fs::write(here.path().join("empty"), "").unwrap();
        assert_eq!(run(here.path(), &[command, "--format", "json", "--files-from", "empty"]).complains(3, &[]).stdout, "[]\n");
    }
}

#[test]
fn segments_as_text_are_readable() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    let plain = run(here.path(), &["segment", "--format", "text", "a.html"]).quiet().stdout;
    assert!(plain.starts_with("a.html: ") && plain.contains("\n[0] content, ") && plain.contains("    The mill stood"), "{plain}");
    assert!(!plain.contains('\u{1b}'), "no colours in a pipe");
    let here_too = folder(&[("b.html", "<p>Clear \u{9b}2J the screen".as_bytes())]);
    let tame = run(here_too.path(), &["segment", "--format", "text", "b.html"]).quiet().stdout;
    assert!(tame.contains("Clear \\u{9b}2J the screen") && !tame.contains('\u{9b}'), "{tame}");
    let coloured = run(here.path(), &["segment", "--format", "text", "--color", "always", "a.html"]).quiet().stdout;
    assert!(coloured.contains("\u{1b}[32m[0] content, "), "{coloured}");
    let stripped = coloured.split('\u{1b}').map(|part| part.split_once('m').map_or(part, |(_, rest)| rest)).collect::<String>();
    assert!(stripped.contains("[0] content, "), "{stripped}");
}
