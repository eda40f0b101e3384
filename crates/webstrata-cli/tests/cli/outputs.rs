//! Where results go: standard output, a file, a folder.

use crate::common::{article, files, folder, run, run_with};
use std::fs;

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
    assert_eq!(files(&work).len(), want.len() + 1, "and nothing next to it");
    let text = fs::read_to_string(work.join("out/put/a.txt")).unwrap();
    assert_eq!(text, run(&work, &["extract", "../a.html"]).quiet().stdout);

    // A second run replaces the first one's files.
    fs::write(here.path().join("in/a.html"), article("bridge")).unwrap();
    run(&work, &["extract", "-o", "out/put/", "../a.html"]).quiet();
    assert!(fs::read_to_string(work.join("out/put/a.txt")).unwrap().contains("bridge"));
    assert_eq!(files(&work.join("out/put")), want);

    run(&work, &["segment", "-o", "segments/", "../a.html"]).quiet();
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
    let ran = ran.complains(1, &["a.htm: ", "a.txt is already the file of another page", "1 of 3 pages failed"]);
    assert_eq!(ran.stdout, "");
    assert_eq!(files(&here.path().join("out")), ["a.txt", "b.txt"]);
    assert!(fs::read_to_string(here.path().join("out/a.txt")).unwrap().contains("mill"), "the first one is kept");
}

#[test]
fn an_output_that_cannot_be_created_is_a_usage_error() {
    let here = folder(&[("a.html", article("mill").as_bytes()), ("file", b"")]);
    run(here.path(), &["extract", "-o", "file/", "a.html"]).complains(2, &["output folder file/"]);
    run(here.path(), &["extract", "-o", "file", "a.html", "a.html"]).complains(2, &["file is a file", "--format jsonl"]);
    run(here.path(), &["extract", "-o", "all.txt", "."]).complains(2, &["named like a file", "-o all/", "--format jsonl"]);
    let report = run(here.path(), &["segment", "--report", "all.html", "."]);
    report.complains(2, &["named like a file", "use --report all/\n"]);
    run(here.path(), &["extract", "-o", "file/x.txt", "a.html"]).complains(2, &["cannot write file/x.txt"]);
    run(here.path(), &["extract", "-o", "a.html", "a.html"]).complains(2, &["overwrite the page", "another name"]);
}

#[test]
fn a_file_that_cannot_be_written_fails_its_page() {
    let here = folder(&[
        ("a.html", article("mill").as_bytes()),
        ("b.html", article("ferry").as_bytes()),
        ("out/a.txt/x", b"a folder in the way"),
    ]);
    run(here.path(), &["extract", "-o", "out", "a.html", "b.html"]).complains(1, &["a.html: cannot rename", "1 of 2 pages failed"]);
    assert_eq!(files(&here.path().join("out")), ["a.txt/x", "b.txt"], "no temporary files are left");
}

#[test]
fn the_structure_below_a_single_folder_is_kept() {
    let page = article("mill");
    let here = folder(&["in/a.html", "in/b/c.html", "in/b/d.htm"].map(|name| (name, page.as_bytes())));
    run(here.path(), &["extract", "in", "-o", "out"]).quiet();
    assert_eq!(files(&here.path().join("out")), ["a.txt", "b/c.txt", "b/d.txt"]);
    run(here.path(), &["extract", "--format", "jsonl", "in", "-o", "lines/"]).quiet();
    assert_eq!(files(&here.path().join("lines")), ["a.jsonl", "b/c.jsonl", "b/d.jsonl"]);
    run(here.path(), &["extract", "in", "in/a.html", "-o", "both"])
        .complains(1, &["both/in/a.txt is already the file of another page"]);
    assert_eq!(
        files(&here.path().join("both")),
        ["in/a.txt", "in/b/c.txt", "in/b/d.txt"],
        "with several inputs, names are kept whole"
    );
    run(here.path(), &["extract", "in/**/c.*", "-o", "some"]).quiet();
    assert_eq!(files(&here.path().join("some")), ["in/b/c.txt"]);
}

#[test]
fn lines_go_into_one_file() {
    let page = article("mill");
    let here = folder(&["in/a.html", "in/b.html"].map(|name| (name, page.as_bytes())));
    let ran = run(here.path(), &["extract", "--format", "jsonl", "in"]).quiet();
    run(here.path(), &["extract", "--format", "jsonl", "in", "-o", "deep/all.jsonl"]).quiet();
    assert_eq!(fs::read_to_string(here.path().join("deep/all.jsonl")).unwrap(), ran.stdout);
    run(here.path(), &["extract", "in/a.html", "-o", "one.txt"]).quiet();
    assert_eq!(
        fs::read_to_string(here.path().join("one.txt")).unwrap(),
        run(here.path(), &["extract", "in/a.html"]).quiet().stdout
    );
    assert_eq!(
        run(here.path(), &["extract", "in/a.html", "-o", "-"]).quiet().stdout,
        fs::read_to_string(here.path().join("one.txt")).unwrap()
    );
    // If there is no result, the old file stays.
    run(here.path(), &["extract", "missing.html", "-o", "one.txt"]).complains(3, &["missing.html"]);
    assert!(fs::read_to_string(here.path().join("one.txt")).unwrap().contains("mill"));
    assert_eq!(files(here.path()), ["deep/all.jsonl", "in/a.html", "in/b.html", "one.txt"], "no temporary files");
}

#[cfg(unix)]
#[test]
fn devices_are_written_in_place_and_links_followed() {
    let here = folder(&[("a.html", article("mill").as_bytes()), ("real.txt", b"old")]);
    run(here.path(), &["extract", "a.html", "-o", "/dev/null"]).quiet();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    std::os::unix::fs::symlink("real.txt", here.path().join("link.txt")).unwrap();
    run(here.path(), &["extract", "a.html", "-o", "link.txt"]).quiet();
    assert!(fs::read_to_string(here.path().join("real.txt")).unwrap().contains("mill"));
    assert!(fs::symlink_metadata(here.path().join("link.txt")).unwrap().is_symlink());
}

#[test]
fn a_page_is_not_overwritten_by_its_result() {
    let here = folder(&[("a.jsonl", article("mill").as_bytes()), ("b.html", article("ferry").as_bytes())]);
    let ran = run(here.path(), &["extract", "--format", "jsonl", "a.jsonl", "b.html", "-o", "."]);
    ran.complains(1, &["a.jsonl: its result would overwrite it", "another folder"]);
    assert_eq!(fs::read_to_string(here.path().join("a.jsonl")).unwrap(), article("mill"));
    assert_eq!(files(here.path()), ["a.jsonl", "b.html", "b.jsonl"]);
}

#[test]
fn reports_go_to_a_file_or_a_folder() {
    let page = article("mill");
    let here = folder(&["in/a.html", "in/b.html"].map(|name| (name, page.as_bytes())));
    run(here.path(), &["segment", "--report", "one.html", "in/a.html"]).quiet();
    assert!(fs::read_to_string(here.path().join("one.html")).unwrap().contains("<!DOCTYPE html>"));
    run(here.path(), &["segment", "--method", "bf-plain", "--method", "taggap", "--report", "all", "in"]).quiet();
    assert_eq!(files(&here.path().join("all")), ["a.html", "b.html"]);
    let both = fs::read_to_string(here.path().join("all/a.html")).unwrap();
    assert!(both.contains("bf-plain") && both.contains("taggap"));
    run(here.path(), &["segment", "--report", "in", "in"]).complains(3, &["its result would overwrite it"]);
    assert_eq!(fs::read_to_string(here.path().join("in/a.html")).unwrap(), page);
}
