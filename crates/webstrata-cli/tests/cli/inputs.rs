//! Which pages are read: names, lists, folders, patterns, standard input.

use crate::common::{article, files, folder, run, run_with};
use serde_json::Value;
use std::fs;
use std::path::Path;

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
    assert_eq!(run_with(here.path(), &["extract", "--files-from", "-"], b"").complains(3, &[]).stdout, "", "nothing is written");
    let nul = b"b c.html\0a.html\0";
    assert_eq!(run_with(here.path(), &["extract", "--format", "jsonl", "--files-from", "-"], nul).quiet().stdout, want);
    run(here.path(), &["extract", "--files-from", "missing"]).complains(2, &["cannot read missing: "]);
}

#[test]
fn a_page_may_come_from_standard_input() {
    let here = folder(&[("a.html", article("mill").as_bytes())]);
    let lines =
        run_with(here.path(), &["extract", "--format", "jsonl", "a.html", "-"], article("bridge").as_bytes()).quiet().lines();
    assert_eq!((lines[0]["id"].as_str(), lines[1]["id"].as_str()), (Some("a.html"), Some("-")));
    assert!(lines[0]["text"].as_str().unwrap().contains("The mill"));
    assert!(lines[1]["text"].as_str().unwrap().contains("The bridge"));
    assert!(run_with(here.path(), &["segment", "-"], article("bridge").as_bytes()).quiet().lines()[0]["id"] == "-");
    // Without a name it is read if it is not a terminal.
    let ran = run_with(here.path(), &["extract", "--format", "jsonl"], article("bridge").as_bytes()).quiet();
    assert_eq!(ran.lines()[0]["id"], "-");
    // It cannot be both a page and a list.
    run_with(here.path(), &["extract", "-", "--files-from", "-"], b"a.html\n").complains(2, &["standard input"]);
    run_with(here.path(), &["extract", "--files-from", "-"], b"a.html\n-\n").complains(1, &["-: standard input cannot be both"]);
    run_with(here.path(), &["extract", "-", "a.html", "-"], b"<p>x").complains(2, &["standard input"]);
}

#[test]
fn an_empty_page_is_an_error() {
    let here = folder(&[("empty.html", b""), ("blank.html", b" \n\t"), ("tags.html", b"<p></p><script>1</script>")]);
    let names = ["empty.html", "blank.html", "tags.html"];
    let ran = run(here.path(), &[["extract", "--format", "jsonl"].as_slice(), &names].concat());
    let lines = ran.complains(3, &["empty.html: the page is empty", "2 of 3 pages failed (2 empty)"]).lines();
    assert!(lines.len() == 3 && lines.iter().all(|line| line["text"] == ""));
    let lines = run(here.path(), &[["segment"].as_slice(), &names].concat()).complains(3, &["no content found"]).lines();
    assert!(lines.len() == 3 && lines.iter().all(|line| line["segments"] == Value::Array(vec![])));
    let nothing = ["extract", "--only-in", "#missing", "a.html"];
    fs::write(here.path().join("a.html"), article("mill")).unwrap();
    run(here.path(), &nothing).complains(3, &["no content found"]);
}

#[test]
fn without_arguments_the_error_says_what_to_do() {
    let here = folder(&[]);
    for command in ["extract", "segment"] {
        // Standard input is empty.
        run(here.path(), &[command]).complains(3, &["-: the page is empty"]);
    }
    run(here.path(), &[]).complains(2, &["extract", "segment"]);
}

#[cfg(unix)]
#[test]
fn names_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let here = folder(&[("b.html", article("ferry").as_bytes())]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.html");
    if fs::write(here.path().join(name), article("mill")).is_err() {
        return; // the file system allows only UTF-8
    }
    let ran = run_with(here.path(), &["extract", "--format", "jsonl", "--files-from", "-"], b"caf\xe9.html\nb.html\n").quiet();
    let lines = ran.lines();
    assert_eq!((lines.len(), lines[0]["id"].as_str()), (2, Some("caf\u{fffd}.html")));
    assert!(lines[0]["text"].as_str().unwrap().contains("The mill"));
}

/// The ids in the output.
fn ids(here: &Path, args: &[&str]) -> Vec<String> {
    let ran = run(here, &[["extract", "--format", "jsonl"].as_slice(), args].concat()).quiet();
    ran.lines().iter().map(|line| line["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn folders_are_searched() {
    let page = article("mill");
    let names = ["in/a.html", "in/a/b.htm", "in/a/c/d.XHTML", "in/e.shtml", "in/f.php", "in/g.txt", "other/h.html"];
    let here = folder(&names.map(|name| (name, page.as_bytes())));
    assert_eq!(ids(here.path(), &["in"]), ["in/a.html", "in/a/b.htm", "in/a/c/d.XHTML", "in/e.shtml"]);
    assert_eq!(ids(here.path(), &["other", "in/a/b.htm", "in/a/"]), ["other/h.html", "in/a/b.htm", "in/a/b.htm", "in/a/c/d.XHTML"]);
    assert_eq!(ids(here.path(), &["--ext", "php,.txt", "in"]), ["in/f.php", "in/g.txt"]);
    let ran = run(here.path(), &["extract", "--ext", "asp", "in", "other/h.html"]);
    ran.complains(1, &["in: no pages in it", ".asp", "--ext"]);
}

#[test]
fn patterns_may_be_quoted() {
    let page = article("mill");
    let here = folder(&["in/a.html", "in/b/c.html", "in/b/d.txt", "[x].html"].map(|name| (name, page.as_bytes())));
    assert_eq!(ids(here.path(), &["in/**/*.html"]), ["in/a.html", "in/b/c.html"]);
    assert_eq!(ids(here.path(), &["*/*.html"]), ["in/a.html"]);
    assert_eq!(ids(here.path(), &["**/{c,d}.*"]), ["in/b/c.html", "in/b/d.txt"]);
    assert_eq!(ids(here.path(), &["[x].html"]), ["[x].html"], "an existing file takes precedence");
    run(here.path(), &["extract", "in/*.asp"]).complains(3, &["in/*.asp: no file matches"]);
    run(here.path(), &["extract", "in/[z.html"]).complains(2, &["cannot read the pattern"]);
}

#[test]
fn a_list_may_have_addresses() {
    let page = b"<title>T</title><link rel=canonical href=/c><p><a href=x>x</a>";
    let here = folder(&[("a.html", page), ("b.html", page), ("c.html", page)]);
    fs::write(
        here.path().join("list"),
        "a.html\thttps://one.org/p/\n{\"file\": \"b.html\", \"url\": \"https://two.org/\"}\nc.html\nhttps://three.org/\n{\"file\": 3}\n",
    )
    .unwrap();
    let args = ["extract", "--format", "jsonl", "--with-metadata", "--base-url", "https://base.org/", "--files-from", "list"];
    let ran = run(here.path(), &args)
        .complains(3, &["https://three.org/: this is an address", "--urls-from", "line 5 of the list list", "2 of 5"]);
    let canonical: Vec<Value> = ran.lines().iter().map(|line| line["metadata"]["canonical"]["value"].clone()).collect();
    assert_eq!(
        canonical,
        ["https://one.org/c".into(), "https://two.org/c".into(), "https://base.org/c".into(), Value::Null, Value::Null]
    );
    run(here.path(), &["segment", "https://three.org/"]).complains(3, &["this is an address", "--save-warc", "--base-url"]);
}

#[test]
fn the_folder_of_results_is_not_read() {
    let page = article("mill");
    let here = folder(&["a.html", "out/old.html"].map(|name| (name, page.as_bytes())));
    run(here.path(), &["extract", ".", "-o", "out"]).quiet();
    assert_eq!(files(here.path()), ["a.html", "out/a.txt", "out/old.html"]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_is_counted_as_a_failure() {
    use std::os::unix::fs::PermissionsExt;
    let page = article("mill");
    let here = folder(&["in/a.html", "in/shut/b.html", "in/z.html"].map(|name| (name, page.as_bytes())));
    let shut = here.path().join("in/shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
    let readable = fs::read_dir(&shut).is_ok(); // root may read everything
    let ran = run(here.path(), &["extract", "in"]);
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o755)).unwrap();
    if !readable {
        ran.complains(1, &["in/shut: cannot read the folder: ", "check who may read it", "1 of 3 pages failed"]);
    }
}
