//! `stats`: reports, simulators, and the list of deviating pages as a filter.

use crate::common::{files, folder, run};
use std::fs;

#[test]
fn simulated_pages_through_tables_to_a_report() {
    let here = folder(&[]);
    let at = here.path();
    run(at, &["stats", "pages", "--number", "60", "--out", "pages"]).quiet();
    run(at, &["run", "pages", "--method", "taggap", "--out", "tables", "--quiet"]).quiet();
    let said = run(at, &["stats", "report", "tables", "--out", "report"]).quiet().stdout;
    assert!(said.starts_with("60 pages: ") && said.trim_end().ends_with("index.html"), "{said}");
    let page = fs::read_to_string(at.join("report/index.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("prefers-color-scheme: dark"));
    assert!(at.join("report/words.csv").exists() && at.join("report/laws.json").exists());
    // Pages like those of the report.
    run(at, &["stats", "pages", "--law", "report/laws.json", "--number", "3", "--out", "again"]).quiet();
    assert_eq!(fs::read_dir(at.join("again")).unwrap().count(), 3);
    run(at, &["stats", "pages", "--short", "1.5", "--out", "no"]).complains(2, &["from 0 to 1"]);
    run(at, &["stats", "report", "nothing", "--out", "report"]).complains(2, &["nothing", "does not exist"]);
}

/// The report from the counts of all parts equals the report of the whole corpus; so does the file of counts.
#[test]
fn counts_of_parts_make_the_report_of_all() {
    let here = folder(&[]);
    let at = here.path();
    run(at, &["stats", "pages", "--number", "45", "--out", "pages"]).quiet();
    for (part, pages) in [("a", 0..20), ("b", 20..21), ("c", 21..45)] {
        let names: Vec<String> = pages.map(|number| format!("pages/{number:06}.html")).collect();
        let names = names.iter().map(String::as_str);
        let args: Vec<&str> = ["run"].into_iter().chain(names).chain(["--method", "taggap", "--out", part, "--quiet"]).collect();
        run(at, &args).quiet();
        let said = run(at, &["stats", "count", part, "--out", &format!("counts/{part}.counts")]).quiet().stdout;
        assert!(said.contains(&format!("in counts/{part}.counts")), "{said}");
    }
    let parts = ["counts/c.counts", "counts/a.counts", "counts/b.counts"];
    run(at, &["stats", "report", "a", "b", "c", "--threads", "1", "--out", "whole"]).quiet();
    run(at, &[&["stats", "report"], parts.as_slice(), &["--out", "merged"]].concat()).quiet();
    run(at, &["stats", "report", parts[1], "c", parts[2], "--threads", "3", "--out", "mixed"]).quiet();
    let names = files(&at.join("whole"));
    assert!(names.len() > 30, "{names:?}");
    for report in ["merged", "mixed"] {
        assert_eq!(files(&at.join(report)), names);
        for name in &names {
            assert_eq!(
                fs::read(at.join(report).join(name)).unwrap(),
                fs::read(at.join("whole").join(name)).unwrap(),
                "{report}/{name}"
            );
        }
    }
    run(at, &[&["stats", "count"], parts.as_slice(), &["--out", "all.counts", "--quiet"]].concat()).quiet();
    run(at, &["stats", "count", "c", "b", "a", "--threads", "1", "--out", "direct.counts", "--quiet"]).quiet();
    assert_eq!(fs::read(at.join("all.counts")).unwrap(), fs::read(at.join("direct.counts")).unwrap());
    // No temporary files are left, and a truncated file is an error.
    assert_eq!(files(&at.join("counts")), ["a.counts", "b.counts", "c.counts"]);
    let bytes = fs::read(at.join("all.counts")).unwrap();
    fs::write(at.join("cut.counts"), &bytes[..bytes.len() / 2]).unwrap();
    run(at, &["stats", "report", "cut.counts", "--out", "no"]).complains(2, &["cut.counts", "end is missing"]);
}

#[test]
fn listed_pages_are_left_out() {
    let here = folder(&[("a.html", b"<p>It rains."), ("b.html", b"<p>It snows."), ("c.html", b"<p>It hails.")]);
    fs::write(here.path().join("list.txt"), "b.html@0\n\n").unwrap();
    run(
        here.path(),
        &["run", "a.html", "b.html", "c.html", "--out", "tables", "--format", "jsonl", "--skip", "list.txt", "--quiet"],
    );
    let pages = fs::read_to_string(here.path().join("tables/pages/part-000000.jsonl")).unwrap();
    assert!(pages.lines().count() == 2 && !pages.contains("b.html"), "{pages}");
    let manifest = fs::read_to_string(here.path().join("tables/manifest.json")).unwrap();
    assert!(manifest.contains("\"listed\": 1"), "{manifest}");
}

#[test]
fn walks_follow_links() {
    let here = folder(&[("a.html", b"<p><a href=http://a.org/1>one</a> <a href=http://a.org/2>two</a> and more words")]);
    run(here.path(), &["run", "a.html", "--out", "tables", "--quiet"]);
    let walk = run(here.path(), &["stats", "walks", "tables", "--steps", "20", "--walks", "2"]).quiet().stdout;
    assert_eq!(walk.lines().count(), 40, "{walk}");
    assert!(walk.lines().all(|line| line.split('\t').count() == 3) && walk.contains("outside\thttp://a.org/"), "{walk}");
}
