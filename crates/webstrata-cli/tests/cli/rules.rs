//! Options that decide what is content: modes, comments, tables, selectors, site rules.

use crate::common::{article, folder, run, testdata};
use std::fs;
use std::path::Path;

fn page() -> String {
    format!("{}<p class=ad>Buy the mill today and never look back.</p><div id=steps><p>First step.</p></div>", article("mill"))
}

fn text(here: &Path, more: &[&str]) -> String {
    run(here, &[["extract", "--preset", "keep-everything"].as_slice(), more, &["a.html"]].concat()).quiet().stdout
}

#[test]
fn selectors_override_the_method() {
    let here = folder(&[("a.html", page().as_bytes())]);
    let without = text(here.path(), &["--exclude", ".ad", "--exclude", "h1"]);
    assert!(
        without.starts_with("The mill stood") && without.contains("First step.") && !without.contains("Buy the mill"),
        "{without}"
    );
    assert_eq!(text(here.path(), &["--only-in", "#steps"]), "First step.\n");
    assert_eq!(
        text(here.path(), &["--only-in", "#steps", "--include", ".ad"]),
        "Buy the mill today and never look back.\nFirst step.\n"
    );
    let included = run(here.path(), &["extract", "--include", "#steps", "a.html"]).quiet().stdout;
    assert!(included.contains("First step."), "{included}");
    let wrong = run(here.path(), &["extract", "--exclude", "a:hover", "a.html"]);
    wrong.complains(2, &["--exclude", "selector `a:hover`, column 2", "leave it out"]);
}

#[test]
fn modes_exclude_each_other() {
    let here = folder(&[("a.html", page().as_bytes())]);
    run(here.path(), &["extract", "--precision", "--recall", "a.html"]).complains(2, &["--precision", "--recall"]);
    let names: Vec<String> = crate::common::bundled();
    let length = |mode: &[&str]| {
        run(&testdata(), &crate::common::over_all(&[["extract"].as_slice(), mode].concat(), &names)).quiet().stdout.len()
    };
    let (precision, balanced, recall) = (length(&["--precision"]), length(&[]), length(&["--recall"]));
    assert!(precision < balanced && balanced < recall, "{precision} {balanced} {recall}");
}

#[test]
fn comments_and_tables_may_be_left_out() {
    let of =
        |page: &str, more: &[&str]| run(&testdata(), &[["extract", "--recall"].as_slice(), more, &[page]].concat()).quiet().stdout;
    // `strata` leaves out the comments of articles anyway.
    let (rules, quiet) = (["--preset", "article"], ["--preset", "article", "--no-comments"]);
    let (with, without) = (of("blog-comments/page.html", &rules), of("blog-comments/page.html", &quiet));
    assert!(with.len() > without.len() && !without.is_empty(), "{with}");
    let all = ["--preset", "keep-everything"];
    let none = ["--preset", "keep-everything", "--no-tables"];
    let (with, without) = (of("data-table/page.html", &all), of("data-table/page.html", &none));
    assert!(with.contains("Year | Harbour") && !without.contains("Harbour") && without.contains("Rainfall at"), "{with}");
}

#[test]
fn sites_have_rules() {
    let own = page().replace("<h1>", "<link rel=canonical href='https://www.own.example/x'><h1>");
    let here = folder(&[("a.html", page().as_bytes()), ("own.html", own.as_bytes())]);
    fs::write(
        here.path().join("sites.toml"),
        "[site.'example.org']\nonly = ['#steps']\n[site.'own.example']\nonly = ['.ad']\npreset = 'canola'\n[site.'*']\nexclude = ['p']\npreset = 'keep-everything'\n",
    )
    .unwrap();
    fs::write(
        here.path().join("list"),
        "a.html\thttps://example.org:8080/x\na.html\thttps://user@elsewhere.net\nown.html\na.html\n",
    )
    .unwrap();
    let args = ["extract", "--format", "jsonl", "--site-rules", "sites.toml", "--files-from", "list"];
    let lines = run(here.path(), &args).quiet().lines();
    let texts: Vec<&str> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["First step.", "About the mill", "Buy the mill today and never look back.", "About the mill"]);
    assert_eq!((&lines[1]["preset"], &lines[2]["preset"]), (&"keep-everything".into(), &"canola".into()));
    // Options on the command line take precedence, and selectors are combined.
    let given = run(here.path(), &[args.as_slice(), &["--preset", "min-words=0", "--exclude", ".ad"]].concat()).quiet().lines();
    assert_eq!((&given[2]["preset"], &given[2]["text"]), (&"min-words=0".into(), &"".into()));
    fs::write(here.path().join("wrong.toml"), "[site.'example.org']\nexlude = ['p']\n").unwrap();
    let wrong = run(here.path(), &["extract", "--site-rules", "wrong.toml", "a.html"]);
    wrong.complains(2, &["wrong.toml: line 2, column 1: unknown key 'exlude'"]);
    run(here.path(), &["extract", "--site-rules", "none.toml", "a.html"]).complains(2, &["site rules none.toml"]);
}

#[test]
fn the_configuration_file_may_have_rules() {
    let here = folder(&[("a.html", page().as_bytes()), ("etc/sites.toml", b"[site.'*']\nonly = ['#steps']\n")]);
    fs::write(here.path().join("etc/c.toml"), "[extract]\nsite-rules = \"sites.toml\"\nprecision = true\n").unwrap();
    let args = ["extract", "--preset", "keep-everything", "--config", "etc/c.toml", "a.html"];
    assert_eq!(run(here.path(), &args).quiet().stdout, "First step.\n", "names are relative to the file");
    run(here.path(), &[args.as_slice(), &["--recall"]].concat()).quiet();
    fs::write(here.path().join("etc/c.toml"), "[extract]\nexclude = ['.ad', 'h1']\ninclude = 'p'\n").unwrap();
    let text = run(here.path(), &args).quiet().stdout;
    assert!(!text.contains("Buy the mill") && !text.contains("About"), "{text}");
    let given = run(here.path(), &[args.as_slice(), &["--exclude", "h1"]].concat()).quiet().stdout;
    assert!(
        given.contains("Buy the mill") && !given.contains("About"),
        "a list on the command line replaces that of the file: {given}"
    );
    fs::write(here.path().join("etc/c.toml"), "[extract]\nexclude = ['.ad', 'a:hover']\n").unwrap();
    run(here.path(), &args).complains(2, &["etc/c.toml:2:19: ", "a:hover"]);
}
