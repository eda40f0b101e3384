//! The program as its users meet it: arguments, exit codes, what is on standard output and what on standard error.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "a test program")]

mod common;

use common::{article, bundled, files, folder, run, run_with, solid, spans, testdata, text_is_that_of_its_bytes, webstrata};
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use webstrata::label::Preset;
use webstrata::segment::Method;

/// `command` with its options and the names of all bundled pages.
fn over_all<'a>(options: &[&'a str], names: &'a [String]) -> Vec<&'a str> {
    options.iter().copied().chain(names.iter().map(String::as_str)).collect()
}

#[test]
fn help_has_examples_and_exit_codes() {
    let here = folder(&[]);
    for command in ["extract", "segment"] {
        let help = run(here.path(), &[command, "--help"]).quiet().stdout;
        for word in ["Examples:", "webstrata extract", "--files-from", "--output", "--encoding", "Exit codes: 0"] {
            assert!(help.contains(&word.replace("extract", command)), "{word} in the help of {command}: {help}");
        }
    }
    let help = run(here.path(), &["--help"]).quiet().stdout;
    assert!(help.contains("extract") && help.contains("segment") && help.contains("Exit codes: 0"), "{help}");
    assert!(run(here.path(), &["--version"]).quiet().stdout.starts_with("webstrata "));
}

#[test]
fn help_names_all_presets_and_methods() {
    let here = folder(&[]);
    let help = run(here.path(), &["extract", "--help"]).quiet().stdout;
    for preset in Preset::ALL {
        assert!(help.contains(preset.name()), "{}: {help}", preset.name());
    }
    let help = run(here.path(), &["segment", "--help"]).quiet().stdout;
    for method in Method::ALL {
        assert!(help.contains(method.name()), "{}: {help}", method.name());
    }
}

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
fn every_preset_gives_one_line_a_page_in_order() {
    let mut names = bundled();
    names.reverse(); // an order that is not that of the alphabet
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
                text_is_that_of_its_bytes(line, &spans, &page);
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
        // A path of a deep element leaves out its beginning.
        assert!(segment["path"].as_str().unwrap().starts_with(['/', '…']));
        assert!(!segment["role"].as_str().unwrap().is_empty() && !segment["why"].as_str().unwrap().is_empty());
        assert!(segment["content"].is_boolean() && (0.0..=1.0).contains(&segment["score"].as_f64().unwrap()));
        assert!(segment["link_words"].as_u64() <= segment["words"].as_u64());
        if line["transcoded"] == false {
            let spans = spans(&segment["spans"], &mut before, page.len());
            text_is_that_of_its_bytes(segment, &spans, &page);
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
            assert!(!block["role"].as_str().unwrap().is_empty() && block["facts"].is_string());
            if block["content"].as_bool().unwrap() {
                content.push_str(block["text"].as_str().unwrap());
            }
            if line["transcoded"] == false {
                let spans = spans(&block["spans"], &mut before, page.len());
                text_is_that_of_its_bytes(block, &spans, &page);
            }
        }
        assert_eq!(solid(&content), solid(line["text"].as_str().unwrap()), "content is what its blocks say: {}", line["id"]);
    }
    run(&testdata(), &["extract", "--explain", &names[0]]).complains(2, &["--explain", "--format jsonl"]);
}

#[test]
fn threads_do_not_change_the_output() {
    // More pages than one thread takes at a time.
    let names: Vec<String> = bundled().into_iter().cycle().take(300).collect();
    for command in [["extract", "--format", "jsonl", "--threads"], ["segment", "--format", "jsonl", "--threads"]] {
        let of = |threads| run(&testdata(), &over_all(&[command.as_slice(), &[threads]].concat(), &names)).quiet().stdout;
        let one = of("1");
        assert_eq!(one.lines().count(), names.len());
        for threads in ["2", "7", "0"] {
            assert!(one == of(threads), "{} with {threads} threads", command[0]);
        }
    }
}

#[test]
fn names_may_come_from_a_list() {
    let here = folder(&[("a.html", article("mill").as_bytes()), ("b c.html", article("bridge").as_bytes())]);
    fs::write(here.path().join("list"), "b c.html\r\n\na.html").unwrap();
    let want = run(here.path(), &["extract", "--format", "jsonl", "b c.html", "a.html"]).quiet().stdout;
    assert_eq!(run(here.path(), &["extract", "--format", "jsonl", "--files-from", "list"]).quiet().stdout, want);
    assert_eq!(
        run_with(here.path(), &["extract", "--format", "jsonl", "--files-from", "-"], b"b c.html\na.html\n").quiet().stdout,
        want
    );
    // Names given as arguments come first.
    assert_eq!(
        run_with(here.path(), &["extract", "--format", "jsonl", "b c.html", "--files-from", "-"], b"a.html\n").quiet().stdout,
        want
    );
    assert_eq!(run_with(here.path(), &["extract", "--files-from", "-"], b"").quiet().stdout, "", "an empty list is no mistake");
    run(here.path(), &["extract", "--files-from", "missing"]).complains(2, &["missing", "list of pages"]);
}

#[test]
fn a_page_may_come_from_standard_input() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    let lines =
        run_with(here.path(), &["extract", "--format", "jsonl", "a.html", "-"], article("bridge").as_bytes()).quiet().lines();
    assert_eq!((lines[0]["id"].as_str(), lines[1]["id"].as_str()), (Some("a.html"), Some("-")));
    assert!(lines[0]["text"].as_str().unwrap().contains("The mill"));
    assert!(lines[1]["text"].as_str().unwrap().contains("The bridge"));
    assert!(run_with(here.path(), &["segment", "-"], article("bridge").as_bytes()).quiet().stdout.starts_with("{\"id\":\"-\""));
    // It cannot be two things at once.
    run_with(here.path(), &["extract", "-", "--files-from", "-"], b"a.html\n").complains(2, &["standard input"]);
    run_with(here.path(), &["extract", "--files-from", "-"], b"a.html\n-\n").complains(2, &["standard input"]);
    run_with(here.path(), &["extract", "-", "a.html", "-"], b"<p>x").complains(2, &["standard input"]);
}

#[test]
fn a_folder_keeps_the_structure_of_the_names() {
    let page = article("mill");
    let here = folder(&[
        ("in/a.html", page.as_bytes()),
        ("in/deep/er/b.x.html", page.as_bytes()),
        ("in/deep/noext", page.as_bytes()),
        ("outside.html", page.as_bytes()),
        ("in/job/here", b""),
    ]);
    let absolute = here.path().join("in/a.html");
    let absolute = absolute.to_str().unwrap();
    let work = here.path().join("in/job");
    let names = ["../a.html", "../deep/er/b.x.html", "./../deep/noext", "../../outside.html", absolute];
    let ran = run(&work, &[["extract", "-o", "out/put"].as_slice(), &names].concat()).quiet();
    assert_eq!(ran.stdout, "");
    let inside = absolute.trim_start_matches('/').replace(".html", ".txt");
    let mut want = vec!["a.txt".to_owned(), "deep/er/b.x.txt".into(), "deep/noext.txt".into(), "outside.txt".into(), inside];
    want.sort();
    assert_eq!(files(&work.join("out/put")), want, "all below the folder, no temporary files");
    assert_eq!(files(&work).len(), want.len() + 1, "and nothing beside it");
    let text = fs::read_to_string(work.join("out/put/a.txt")).unwrap();
    assert_eq!(text, run(&work, &["extract", "../a.html"]).quiet().stdout);

    // A second run replaces the first one's files.
    fs::write(here.path().join("in/a.html"), article("bridge")).unwrap();
    run(&work, &["extract", "-o", "out/put", "../a.html"]).quiet();
    assert!(fs::read_to_string(work.join("out/put/a.txt")).unwrap().contains("bridge"));
    assert_eq!(files(&work.join("out/put")), want);

    run(&work, &["segment", "-o", "segments", "../a.html"]).quiet();
    run_with(&work, &["extract", "--format", "jsonl", "-o", "segments", "-"], page.as_bytes()).quiet();
    assert_eq!(files(&work.join("segments")), ["a.jsonl", "stdin.jsonl"]);
}

#[test]
fn two_pages_do_not_share_a_file() {
    let here = folder(&[
        ("a.html", article("mill").as_bytes()),
        ("a.htm", article("bridge").as_bytes()),
        ("b.html", article("ferry").as_bytes()),
    ]);
    let ran = run(here.path(), &["extract", "-o", "out", "a.html", "a.htm", "b.html"]);
    let ran = ran.complains(1, &["a.htm: ", "a.txt was written for another page", "1 of 3 pages failed"]);
    assert_eq!(ran.stdout, "");
    assert_eq!(files(&here.path().join("out")), ["a.txt", "b.txt"]);
    assert!(fs::read_to_string(here.path().join("out/a.txt")).unwrap().contains("mill"), "the first stays");
}

#[test]
fn an_output_folder_that_cannot_be_made_is_a_mistake_of_the_command() {
    let here = folder(&[("a.html", article("mill").as_bytes()), ("file", b"")]);
    run(here.path(), &["extract", "-o", "file", "a.html"]).complains(2, &["output folder file"]);
}

#[test]
fn a_file_that_cannot_be_written_is_its_pages_failure() {
    let here = folder(&[
        ("a.html", article("mill").as_bytes()),
        ("b.html", article("ferry").as_bytes()),
        ("out/a.txt/x", b"a folder in the way"),
    ]);
    run(here.path(), &["extract", "-o", "out", "a.html", "b.html"]).complains(1, &["a.html: cannot write", "1 of 2 pages failed"]);
    assert_eq!(files(&here.path().join("out")), ["a.txt/x", "b.txt"], "no temporary files are left");
}

#[test]
fn a_missing_page_does_not_stop_the_others() {
    let here = folder(&[("a.html", article("mill").as_bytes()), ("b.html", article("ferry").as_bytes())]);
    let args = ["extract", "--format", "jsonl", "a.html", "nowhere.html", "b.html"];
    let ran = run(here.path(), &args).complains(1, &["webstrata: nowhere.html: cannot read it", "1 of 3 pages failed"]);
    let lines = ran.lines();
    assert_eq!(lines.len(), 3, "a line a page, also for the one that failed");
    assert_eq!((lines[1]["id"].as_str(), lines[1]["text"].as_str()), (Some("nowhere.html"), Some("")));
    assert!(lines[1]["error"].as_str().unwrap().contains("cannot read it"));
    assert!(lines[2]["text"].as_str().unwrap().contains("The ferry"));

    let ran = run(here.path(), &["segment", "nowhere.html", "b.html"]).complains(1, &["nowhere.html"]);
    assert_eq!(ran.lines()[0]["segments"], Value::Array(vec![]));
    let ran = run(here.path(), &["extract", "nowhere.html", "b.html"]).complains(1, &["nowhere.html"]);
    assert!(ran.stdout.starts_with("About the ferry\n"), "text has the others only: {}", ran.stdout);
    run(here.path(), &["extract", "-o", "out", "nowhere.html", "b.html"]).complains(1, &["nowhere.html"]);
    assert_eq!(files(&here.path().join("out")), ["b.txt"]);
}

#[test]
fn only_missing_pages_have_a_code_of_their_own() {
    let here = folder(&[]);
    for command in ["extract", "segment"] {
        let ran = run(here.path(), &[command, "x.html", "y.html"]);
        ran.complains(3, &["x.html: cannot read it", "y.html: cannot read it", "2 of 2 pages failed"]);
    }
}

#[test]
fn a_folder_given_as_a_page_is_named() {
    let here = folder(&[("sub/a.html", article("mill").as_bytes())]);
    run(here.path(), &["extract", "sub"]).complains(3, &["sub: cannot read it", "1 of 1 pages failed"]);
    run(here.path(), &["extract", "-o", "out", "sub", "..", "/", "sub/a.html"]).complains(1, &["sub: ", "3 of 4 pages failed"]);
    assert_eq!(files(here.path()), ["out/sub/a.txt", "sub/a.html"]);
}

#[test]
fn an_empty_page_is_a_page() {
    let here = folder(&[("empty.html", b""), ("blank.html", b" \n\t"), ("tags.html", b"<p></p><script>1</script>")]);
    let names = ["empty.html", "blank.html", "tags.html"];
    let lines = run(here.path(), &[["extract", "--format", "jsonl"].as_slice(), &names].concat()).quiet().lines();
    assert!(lines.len() == 3 && lines.iter().all(|line| line["text"] == "" && line["spans"] == Value::Array(vec![])));
    let lines = run(here.path(), &[["segment"].as_slice(), &names].concat()).quiet().lines();
    assert!(lines.len() == 3 && lines.iter().all(|line| line["segments"] == Value::Array(vec![])));
    assert_eq!(run(here.path(), &["extract", "empty.html"]).quiet().stdout.trim(), "");
}

#[test]
fn without_pages_the_message_says_what_to_do() {
    let here = folder(&[]);
    for command in ["extract", "segment"] {
        let ran = run(here.path(), &[command]).complains(2, &["no pages given", "--files-from", "standard input"]);
        assert_eq!(ran.stdout, "");
    }
    run(here.path(), &[]).complains(2, &["extract", "segment"]);
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    let presets = Preset::ALL.map(Preset::name);
    for wrong in ["artikel", "article=3", "min-words=many", ""] {
        run(here.path(), &["extract", "--preset", wrong, "a.html"]).complains(2, &presets);
    }
    run(here.path(), &["segment", "--method", "vips", "a.html"]).complains(2, &Method::ALL.map(Method::name));
    run(here.path(), &["segment", "--rules", "mine", "a.html"]).complains(2, &["'mine'", "paper", "html5"]);
    run(here.path(), &["extract", "--format", "xml", "a.html"]).complains(2, &["xml", "text", "jsonl"]);
    for wrong in ["klingon", "", "iso-2022-kr"] {
        let known = ["UTF-8", "windows-1252", "Shift_JIS", "gb18030", "EUC-KR", "KOI8-U", "UTF-16LE", &format!("'{wrong}'")];
        run(here.path(), &["extract", "--encoding", wrong, "a.html"]).complains(2, &known);
    }
    run(here.path(), &["extract", "--threads", "many", "a.html"]).complains(2, &["many"]);
}

#[test]
fn a_number_goes_with_its_preset() {
    let here = folder(&[("a.html", b"<p>one two three</p><p>one two three four five six</p>")]);
    let text = |preset| run(here.path(), &["extract", "--preset", preset, "a.html"]).quiet().stdout;
    assert_eq!(text("min-words=3"), "one two three\none two three four five six\n");
    assert_eq!(text("min-words=4"), "one two three four five six\n");
    assert_eq!(text("min-words"), "\n");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let names: Vec<String> = bundled().into_iter().cycle().take(200).collect();
    for options in [vec!["extract", "--format", "jsonl", "--explain"], vec!["segment", "--method", "taggap"], vec!["extract"]] {
        let mut command = webstrata(&testdata(), &over_all(&options, &names));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()), "{options:?}");
    }
}

#[test]
fn nobody_reading_the_complaints_does_not_change_the_code() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    for (args, code) in
        [(["extract", "missing.html", "a.html"], 1), (["extract", "x.html", "y.html"], 3), (["extract", "--explain", "a.html"], 2)]
    {
        let mut child = webstrata(here.path(), &args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = webstrata(here.path(), &["extract", "a.html"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}

#[cfg(unix)]
#[test]
fn names_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let here = folder(&[("b.html", article("ferry").as_bytes())]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.html");
    if fs::write(here.path().join(name), article("mill")).is_err() {
        return; // a file system that takes UTF-8 only
    }
    let ran = run_with(here.path(), &["extract", "--format", "jsonl", "--files-from", "-"], b"caf\xe9.html\nb.html\n").quiet();
    let lines = ran.lines();
    assert_eq!((lines.len(), lines[0]["id"].as_str()), (2, Some("caf\u{fffd}.html")));
    assert!(lines[0]["text"].as_str().unwrap().contains("The mill"));
}

#[test]
fn a_page_above_the_cap_is_cut_and_says_so() {
    let page = article("mill") + &"<p>Far below, the last line.</p>".repeat(50) + "<p>Ünique end</p>";
    let here = folder(&[("a.html", page.as_bytes())]);
    let line = |cap: &str| {
        let args = ["extract", "--format", "jsonl", "--preset", "keep-everything", "--max-bytes", cap, "a.html"];
        run(here.path(), &args).quiet().lines().remove(0)
    };
    let cut = line("300");
    assert_eq!(cut["problems"], serde_json::json!(["page cut at byte 300: longer than the byte cap"]));
    assert!(cut["text"].as_str().unwrap().contains("The mill") && !cut["text"].as_str().unwrap().contains("Far below"));
    spans(&cut["spans"], &mut 0, 300);
    let whole = line(&page.len().to_string());
    assert_eq!(whole["problems"], Value::Array(vec![]), "a page as long as the cap is whole");
    assert!(whole["text"].as_str().unwrap().ends_with("Ünique end"));
    // A cut inside a character leaves valid UTF-8.
    let inside = line(&(page.find('Ü').unwrap() + 1).to_string());
    assert_eq!((&inside["encoding"], &inside["transcoded"]), (&"UTF-8".into(), &false.into()));
    assert_eq!(line("0")["text"], "");
    let many = ["segment", "--max-bytes", "300", "a.html"];
    assert!(run(here.path(), &many).quiet().stdout.contains("page cut at byte 300"));
}

#[test]
fn an_encoding_can_be_forced() {
    // The same bytes in two encodings; the page declares a third.
    let page = b"<meta charset=utf-8><p>\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0 ok</p>";
    let here = folder(&[("a.html", page)]);
    let line = |label: &str| {
        let args = ["extract", "--format", "jsonl", "--preset", "keep-everything", "--encoding", label, "a.html"];
        run(here.path(), &args).quiet().lines().remove(0)
    };
    for label in ["windows-1251", "CP1251"] {
        let line = line(label);
        assert_eq!((line["text"].as_str(), line["encoding"].as_str()), (Some("Привет мир ok"), Some("windows-1251")));
        assert_eq!((&line["encoding_because"], &line["transcoded"]), (&"forced by the caller".into(), &true.into()));
    }
    assert_eq!(line("latin1")["text"], "Ïðèâåò ìèð ok");
    let utf8 = line("utf-8");
    assert!(utf8["text"].as_str().unwrap().contains('\u{fffd}'));
    assert_eq!(utf8["problems"], serde_json::json!(["malformed bytes were replaced by U+FFFD"]));
    let segments = run(here.path(), &["segment", "--encoding", "windows-1251", "a.html"]).quiet().lines().remove(0);
    assert_eq!(segments["segments"][0]["text"], "Привет мир ok");
}

#[test]
fn noscript_counts_when_asked_for() {
    let here = folder(&[("a.html", b"<p>one</p><noscript><p>two</p></noscript>")]);
    let text =
        |more: &[&str]| run(here.path(), &[["extract", "--preset", "keep-everything", "a.html"].as_slice(), more].concat()).quiet();
    assert!(!text(&[]).stdout.contains("two"));
    assert!(text(&["--noscript"]).stdout.contains("two"));
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
fn metadata_says_where_it_comes_from() {
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
    run(here.path(), &["extract", "--with-metadata", "a.html"]).complains(2, &["--format jsonl"]);
}
