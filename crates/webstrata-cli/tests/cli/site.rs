//! `webstrata site`: its output for a crawl of two sites, resuming after kills, and errors.

use crate::common::{folder, program, run};
#[cfg(unix)]
use crate::kills::Killer;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
#[cfg(unix)]
use std::time::Instant;

/// A crawl of two sites, as JSON Lines: one with two designs, one with a single page.
fn crawl(pages: usize) -> tempfile::TempDir {
    let here = folder(&[]);
    let mut lines = String::new();
    // Numbers spelled with letters: texts that differ only in digits count as the same.
    let word = |number: usize| number.to_string().bytes().map(|digit| char::from(b'a' + (digit - b'0'))).collect::<String>();
    for n in 0..pages {
        let words: String = (0..40).map(|k| format!("word{} ", word((n * 31 + k * 7) % 997))).collect();
        let body = if n % 3 == 0 {
            format!("<section><h2>Offer {n}</h2><table><tr><td><b>{words}</b></td><td><i>Price</i></td></tr></table></section>")
        } else {
            format!("<div class=story><h1>Story {n}</h1><p>{words}</p><p>{words} more</p></div>")
        };
        let html = format!(
            "<title>{n}</title><ul id=menu><li><a href=/>Home</a><li><a href=/n>News</a></ul>{body}<div id=foot>© 2024 The Paper of the valley</div>"
        );
        lines.push_str(&serde_json::json!({"url": format!("https://www.paper.co.uk/{n}"), "html": html}).to_string());
        lines.push('\n');
    }
    lines.push_str(&serde_json::json!({"url": "http://lonely.org/", "html": "<p>One page alone."}).to_string());
    fs::write(here.path().join("crawl.jsonl"), lines).unwrap();
    here
}

/// All files below a folder, except those of the work itself.
fn output(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_file() {
                files.insert(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap());
            } else if path != folder.join("work") {
                folders.push(path);
            }
        }
    }
    files
}

#[test]
fn a_crawl_of_two_sites() {
    let here = crawl(60);
    let ran = run(here.path(), &["site", "crawl.jsonl", "--report", "--cache-savings", "--out", "out"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr, "webstrata: 61 pages of 2 sites: 1 report in out/sites; 1 site with one page\n");
    let files = output(&here.path().join("out"));
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let learned = ["evidence", "fingerprints", "learned.json", "samples", "sites.jsonl"];
    assert_eq!(names, [&learned[..], &["sites/pa/paper.co.uk.html", "sites/pa/paper.co.uk.json"]].concat());
    assert_eq!(files["sites.jsonl"].split(|&byte| byte == b'\n').count(), 3, "one line per site");
    let report: Value = serde_json::from_slice(&files["sites/pa/paper.co.uk.json"]).unwrap();
    assert_eq!(report["pages"], 60);
    let classes = report["designs"][0]["classes"].as_array().unwrap();
    let named =
        |label: &str| classes.iter().find(|class| class["label"] == label).unwrap_or_else(|| panic!("{label} in {classes:?}"));
    assert_eq!(named("ul/id/body/html")["template"], true);
    assert_eq!(named("div/id/body/html")["texts"][0], "© 2024 The Paper of the valley");
    let story = named("p/div/class/body/html");
    assert_eq!((&story["template"], &story["pages"]), (&Value::Bool(false), &Value::from(40)));
    assert!(report["cache"]["content"].as_u64() < report["cache"]["whole"].as_u64());
    // Run again, there is nothing to do.
    let again = run(here.path(), &["site", "crawl.jsonl", "--report", "--cache-savings", "--out", "out"]);
    assert!(again.code == Some(0) && again.stderr.contains("nothing to do"));
}

#[test]
fn each_design_has_its_own_tree() {
    let here = crawl(60);
    run(here.path(), &["site", "crawl.jsonl", "--by-design", "-q", "--out", "out"]).quiet();
    let report: Value = serde_json::from_slice(&output(&here.path().join("out"))["sites/pa/paper.co.uk.json"]).unwrap();
    let pages: Vec<u64> = report["designs"].as_array().unwrap().iter().map(|design| design["pages"].as_u64().unwrap()).collect();
    assert_eq!(pages, [20, 40]);
}

#[test]
fn a_report_draws_the_tree_of_a_site() {
    let here = crawl(30);
    run(here.path(), &["site", "crawl.jsonl", "-q", "--out", "sites"]).quiet();
    let page = "<ul id=menu><li><a href=/>Home</a><li><a href=/n>News</a></ul><div class=story><h1>Late</h1><p>A late story of its \
                own.</p></div><aside>Nobody else has this.</aside><div id=foot>© 2024 The Paper of the valley</div>";
    fs::write(here.path().join("late.html"), page).unwrap();
    let args = ["segment", "late.html", "--base-url", "https://paper.co.uk/late", "--site", "sites", "--report", "report.html"];
    run(here.path(), &[&args[..], &["--method", "som", "--method", "just-rules", "-q"]].concat()).quiet();
    let report = fs::read_to_string(here.path().join("report.html")).unwrap();
    let list = |method: &str| {
        let (_, rest) = report.split_once(&format!("<ol data-method=\"{method}\">")).unwrap();
        rest.split_once("</ol>").unwrap().0.to_owned()
    };
    let (som, rules) = (list("som"), list("just-rules"));
    assert!(som.contains("class ul/id/body/html: 30 pages, same text on 100%, template; "), "{som}");
    assert!(som.contains("class p/div/class/body/html: 20 pages, same text on 5%; "), "{som}");
    assert!(som.contains("no class: it is not on any learned page of the site; "), "{som}");
    assert!(!rules.contains("class "), "{rules}");
    // A page of a site that was not learned is an error, and no page remains: exit code 3.
    let other = ["segment", "late.html", "--base-url", "https://other.org/", "--site", "sites", "--report", "other.html"];
    run(here.path(), &[&other[..], &["--method", "som"]].concat()).complains(3, &["other.org"]);
}

#[test]
fn the_output_does_not_depend_on_threads() {
    let here = crawl(700);
    for threads in ["1", "3"] {
        run(here.path(), &["site", "crawl.jsonl", "--threads", threads, "-q", "--out", threads]).quiet();
    }
    assert_eq!(output(&here.path().join("1")), output(&here.path().join("3")));
}

#[test]
#[cfg(unix)]
fn a_killed_run_resumes() {
    let here = crawl(1500);
    let args = |out: &'static str| ["site", "crawl.jsonl", "--report", "-q", "--out", out];
    let start = || program(here.path(), &args("out")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    run(here.path(), &args("whole")).quiet();
    let mut killer = Killer::new(started.elapsed());
    let expected = output(&here.path().join("whole"));
    while killer.needs_more() {
        let _ = fs::remove_dir_all(here.path().join("out"));
        // Twice in a row: after the first kill there is something to resume.
        killer.kill(start());
        killer.kill(start());
        let ran = run(here.path(), &args("out"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(output(&here.path().join("out")), expected);
    }
    killer.assert_enough();
}

#[test]
fn errors_are_reported() {
    let here = crawl(5);
    run(here.path(), &["site", "nothing.warc", "--out", "out"]).complains(2, &["nothing.warc"]);
    fs::write(here.path().join("broken.jsonl"), "{\"html\": \"<p>One\"}\nno JSON\n{\"html\": \"<p>Two\"}\n").unwrap();
    run(here.path(), &["site", "broken.jsonl", "--name", "my.org", "--out", "named"]).complains(1, &["broken.jsonl"]);
    assert!(here.path().join("named/sites/my/my.org.json").is_file());
    // A folder with unfinished work of another command.
    fs::create_dir_all(here.path().join("half/work")).unwrap();
    fs::copy(here.path().join("named/work/state.json"), here.path().join("half/work/state.json")).unwrap();
    run(here.path(), &["site", "crawl.jsonl", "--out", "half"]).complains(2, &["another command", "another folder"]);
}

/// The site methods of `run`, over a crawl with one learned site and one with a single page.
#[test]
fn a_run_by_a_site_method() {
    let here = crawl(30);
    run(here.path(), &["site", "crawl.jsonl", "-q", "--out", "sites"]).quiet();
    for (preset, menu_stays) in [("content-extractor", false), ("fingerprints", false), ("keep-everything", true)] {
        let site: &[&str] = if menu_stays { &[] } else { &["--site", "sites"] };
        let args = ["run", "crawl.jsonl", "-q", "--preset", preset, "--format", "jsonl", "--tables", "pages", "--out", preset];
        run(here.path(), &[&args[..], site].concat()).quiet();
        let text: Vec<u8> = output(&here.path().join(preset).join("pages")).into_values().flatten().collect();
        let text = String::from_utf8(text).unwrap();
        let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), 31);
        for row in &rows {
            let of_paper = row["url"].as_str().unwrap().contains("paper");
            let text = row["text"].as_str().unwrap();
            assert_eq!(text.contains("Home"), of_paper && menu_stays, "{preset}: {text}");
            assert!(text.contains("word") || text == "One page alone.", "{preset}: {text}");
            let unknown = row["problems"].as_array().is_some_and(|problems| problems.contains(&Value::from("site-unknown")));
            assert_eq!(unknown, !of_paper && preset == "content-extractor", "{preset}");
        }
    }
}
