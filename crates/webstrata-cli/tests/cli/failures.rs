//! Failures: messages, exit codes, and the pages that are still processed.

use crate::common::{article, bundled, files, folder, over_all, program, run, run_with, testdata};
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use webstrata::label::Preset;
use webstrata::segment::Method;

#[test]
fn a_missing_page_does_not_stop_the_others() {
    let here = folder(&[("a.html", article("mill").as_bytes()), ("b.html", article("ferry").as_bytes())]);
    let args = ["extract", "--format", "jsonl", "a.html", "nowhere.html", "b.html"];
    let ran = run(here.path(), &args).complains(1, &["webstrata: nowhere.html: cannot be read", "1 of 3 pages failed"]);
    let lines = ran.lines();
    assert_eq!(lines.len(), 3, "one line per page, including the one that failed");
    assert_eq!((lines[1]["id"].as_str(), lines[1]["text"].as_str()), (Some("nowhere.html"), Some("")));
    assert!(lines[1]["error"].as_str().unwrap().contains("cannot be read"));
    assert!(lines[2]["text"].as_str().unwrap().contains("The ferry"));

    let ran = run(here.path(), &["segment", "nowhere.html", "b.html"]).complains(1, &["nowhere.html"]);
    assert_eq!(ran.lines()[0]["segments"], Value::Array(vec![]));
    let ran = run(here.path(), &["extract", "nowhere.html", "b.html"]).complains(1, &["nowhere.html"]);
    assert!(ran.stdout.starts_with("About the ferry\n"), "text has only the others: {}", ran.stdout);
    run(here.path(), &["extract", "-o", "out", "nowhere.html", "b.html"]).complains(1, &["nowhere.html"]);
    assert_eq!(files(&here.path().join("out")), ["b.txt"]);
}

#[test]
fn the_exit_code_differs_if_all_pages_are_missing() {
    let here = folder(&[]);
    for command in ["extract", "segment"] {
        let ran = run(here.path(), &[command, "x.html", "y.html"]);
        ran.complains(3, &["x.html: cannot be read", "y.html: cannot be read", "2 of 2 pages failed"]);
    }
}

#[test]
fn a_folder_in_a_list_is_reported() {
    let here = folder(&[("sub/a.html", article("mill").as_bytes())]);
    let ran = run_with(here.path(), &["extract", "--files-from", "-"], b"sub\nsub/a.html\n");
    ran.complains(1, &["sub: this is a folder", "as arguments", "1 of 2 pages failed"]);
}

#[test]
fn unknown_names_are_reported_with_the_known_ones() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    let presets = Preset::ALL.map(Preset::name);
    for wrong in ["artikel", "article=3", "min-words=many", ""] {
        run(here.path(), &["extract", "--preset", wrong, "a.html"]).complains(2, &presets);
    }
    run(here.path(), &["segment", "--method", "vips", "a.html"]).complains(2, &Method::ALL.map(Method::name));
    run(here.path(), &["segment", "--rules", "mine", "a.html"]).complains(2, &["'mine'", "paper", "html5"]);
    run(here.path(), &["extract", "--format", "docx", "a.html"]).complains(2, &["docx", "text", "jsonl"]);
    for wrong in ["klingon", "", "iso-2022-kr"] {
        let known = ["UTF-8", "windows-1252", "Shift_JIS", "gb18030", "EUC-KR", "KOI8-U", "UTF-16LE", &format!("'{wrong}'")];
        run(here.path(), &["extract", "--encoding", wrong, "a.html"]).complains(2, &known);
    }
    run(here.path(), &["extract", "--threads", "many", "a.html"]).complains(2, &["many"]);
}

#[test]
fn a_closed_output_is_not_an_error() {
    let names: Vec<String> = bundled().into_iter().cycle().take(200).collect();
    for options in [vec!["extract", "--format", "jsonl", "--explain"], vec!["segment", "--method", "taggap"], vec!["extract"]] {
        let mut command = program(&testdata(), &over_all(&options, &names));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()), "{options:?}");
    }
}

#[test]
fn a_closed_standard_error_does_not_change_the_exit_code() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    for (args, code) in
        [(["extract", "missing.html", "a.html"], 1), (["extract", "x.html", "y.html"], 3), (["extract", "--explain", "a.html"], 2)]
    {
        let mut child = program(here.path(), &args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program(here.path(), &["extract", "a.html"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}

#[test]
fn fail_fast_stops_at_the_first_failure() {
    let here = folder(&[("a.html", article("mill").as_bytes()), ("b.html", article("ferry").as_bytes())]);
    let args = ["extract", "--fail-fast", "a.html", "x.html", "y.html", "b.html"];
    let ran = run(here.path(), &args).complains(1, &["x.html: cannot be read", "1 of 2 pages failed"]);
    assert!(ran.stdout.contains("The mill") && !ran.stdout.contains("The ferry") && !ran.stderr.contains("y.html"));
    run(here.path(), &["extract", "--fail-fast", "x.html", "a.html"]).complains(3, &["x.html"]);
}

#[test]
fn quiet_prints_nothing_about_pages() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    for (args, code) in [(["extract", "-q", "x.html", "a.html"], 1), (["segment", "--quiet", "x.html", "y.html"], 3)] {
        let ran = run(here.path(), &args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(code), ""));
    }
    run(here.path(), &["extract", "-q", "--encoding", "klingon", "a.html"]).complains(2, &["klingon"]);
}

#[test]
fn errors_are_in_the_order_of_the_pages() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    let names: Vec<String> = (0..200).map(|i| if i % 3 == 0 { "a.html".to_owned() } else { format!("x{i}.html") }).collect();
    let ran = run(here.path(), &over_all(&["extract", "--threads", "4"], &names));
    let missing: Vec<&String> = names.iter().filter(|name| name.starts_with('x')).collect();
    let errors: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("cannot be read")).collect();
    assert_eq!(errors.len(), missing.len());
    for (line, name) in errors.iter().zip(missing) {
        assert!(line.starts_with(&format!("webstrata: {name}: ")), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn control_characters_in_names_are_escaped() {
    let here = folder(&[]);
    let ran = run(here.path(), &["extract", "\u{1b}]0;title\u{7}.html"]).complains(3, &["\\u{1b}]0;title\\u{7}.html"]);
    assert!(!ran.stderr.contains('\u{1b}'));
}

#[test]
fn colours_are_used_on_terminals_only() {
    let here = folder(&[]);
    let stderr = |args: &[&str], no_color: bool| {
        let mut command = program(here.path(), args);
        if no_color {
            command.env("NO_COLOR", "1");
        }
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    assert!(!stderr(&["extract", "x.html"], false).contains('\u{1b}'));
    assert!(stderr(&["extract", "--color", "always", "x.html"], false).contains("\u{1b}[1m\u{1b}[31mwebstrata:"));
    assert!(stderr(&["extract", "--color", "always", "x.html"], true).contains('\u{1b}'), "the option takes precedence");
    assert!(!stderr(&["extract", "--color", "never", "x.html"], false).contains('\u{1b}'));
}

#[test]
fn progress_is_shown_on_terminals_or_on_request() {
    let names: Vec<String> = bundled();
    let silent = run(&testdata(), &over_all(&["extract"], &names)).quiet().stdout;
    let ran = run(&testdata(), &over_all(&["extract", "--progress", "always"], &names));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), silent.as_str()));
    let last = ran.stderr.lines().last().unwrap();
    assert!(last.contains(&format!("{} pages, ", names.len())) && last.contains("pages/s, ") && last.contains(" MB/s"), "{last}");
    run(&testdata(), &over_all(&["extract", "--progress", "never"], &names)).quiet();
}
