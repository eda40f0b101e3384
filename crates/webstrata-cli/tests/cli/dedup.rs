//! `webstrata dedup`: rows, filtered copies, adding to an index, and killed runs.

use crate::common::{article, files, folder, program, run};
#[cfg(unix)]
use crate::kills::Killer;
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Stdio;
#[cfg(unix)]
use std::time::Instant;
use webstrata_corpus::archive::{Packing, WarcWriter};

/// A different text for every number.
fn text(number: usize) -> String {
    let mut state = number as u64 + 1;
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("w{}", state >> 51)
    };
    (0..80).map(|_| word()).collect::<Vec<_>>().join(" ")
}

/// Lines of texts: every third page is a copy of the one before, every fifth differs in its last word.
fn lines(pages: std::ops::Range<usize>) -> String {
    let mut out = String::new();
    for number in pages {
        let text = match number {
            _ if number % 15 == 0 => text(number),
            _ if number % 3 == 0 => text(number - 1),
            _ if number % 5 == 0 => text(number - 1).rsplit_once(' ').unwrap().0.to_owned() + " end",
            _ => text(number),
        };
        let line = json!({"id": format!("p{number:05}"), "text": text, "date": format!("2024-{:02}-01", 12 - number % 12)});
        writeln!(out, "{line}").unwrap();
    }
    out
}

fn rows(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const DEDUP: [&str; 3] = ["dedup", "--progress", "never"];

fn dedup(here: &Path, args: &[&str]) -> crate::common::Ran {
    run(here, &[&DEDUP, args].concat())
}

#[test]
fn rows_have_clusters() {
    let here = folder(&[("t.jsonl", lines(0..60).as_bytes())]);
    for preset in ["fineweb", "paper"] {
        let ran = dedup(here.path(), &["t.jsonl", "--out", "c.jsonl", "--preset", preset]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("60 pages: 44 kept, 12 exact and 4 near duplicates in 16 clusters"),
            "{preset}: {}",
            ran.stderr
        );
        let rows = rows(&here.path().join("c.jsonl"));
        assert_eq!(rows.len(), 60);
        assert_eq!(rows[0], json!({"id": "p00000", "cluster": "p00000", "keep": true, "size": 1, "match": null}));
        assert_eq!(rows[2], json!({"id": "p00002", "cluster": "p00002", "keep": true, "size": 2, "match": null}));
        assert_eq!(rows[3], json!({"id": "p00003", "cluster": "p00002", "keep": false, "size": 2, "match": "exact"}));
        assert_eq!(rows[5]["cluster"], rows[4]["cluster"]);
    }
    assert_eq!(files(here.path()), ["c.jsonl", "t.jsonl"], "the index is removed unless requested");
}

#[test]
fn results_are_not_input() {
    let page = article("mill");
    let here = folder(&[("pages/a.html", page.as_bytes()), ("pages/b.html", page.as_bytes())]);
    for input in [&["pages/**/*"][..], &["pages", "--ext", "html,jsonl,txt,json,bin"]] {
        let args = [input, &["--out", "pages/c.jsonl", "--filter", "pages/kept.txt", "--index", "pages/index"]].concat();
        for attempt in 0..2 {
            let ran = dedup(here.path(), &args);
            assert_eq!(ran.code, Some(0), "{input:?}, {attempt}: {}", ran.stderr);
            assert!(ran.stderr.contains("2 pages: 1 kept"), "{input:?}, {attempt}: {}", ran.stderr);
        }
        fs::remove_dir_all(here.path().join("pages/index")).unwrap();
    }
}

#[test]
fn the_rule_decides_which_page_is_kept() {
    let page = |id: &str, words: &str, date: &str, confidence: f64| {
        json!({"id": id, "text": text(1) + words, "date": date, "confidence": confidence}).to_string() + "\n"
    };
    let input = page("a", " and more", "2024-03", 0.5) + &page("b", "", "2024-01", 0.4) + &page("c", "", "2024-02", 0.9);
    let here = folder(&[("t.jsonl", input.as_bytes())]);
    for (rule, kept) in [("longest", "a"), ("earliest", "b"), ("confidence", "c")] {
        dedup(here.path(), &["t.jsonl", "--out", "c.jsonl", "--keep", rule, "-q"]).quiet();
        for row in rows(&here.path().join("c.jsonl")) {
            assert_eq!((row["cluster"].as_str(), row["keep"].as_bool()), (Some(kept), Some(row["id"] == kept)), "{rule}");
        }
    }
}

#[test]
fn a_filtered_copy_keeps_lines_unchanged() {
    let odd = "  {\"text\": \"only  this\",   \"id\":\"x\", \"more\": [1, 2]}";
    let input = format!("{}\n{odd}\n{{\"id\": \"y\", \"text\": \"only  this\"}}", lines(0..6));
    let here = folder(&[("t.jsonl", input.as_bytes())]);
    dedup(here.path(), &["t.jsonl", "--filter", "kept.jsonl", "-q"]).quiet();
    let kept = fs::read_to_string(here.path().join("kept.jsonl")).unwrap();
    let want: Vec<&str> = input.lines().enumerate().filter(|(n, _)| ![3, 5, 6, 8].contains(n)).map(|(_, line)| line).collect();
    let five = input.lines().nth(5).unwrap();
    let four = input.lines().nth(4).unwrap();
    // The longer of two near duplicates is kept.
    let want: Vec<&str> = want.into_iter().map(|line| if line == four && five.len() > four.len() { five } else { line }).collect();
    assert_eq!(kept.lines().collect::<Vec<_>>(), want);
    assert!(kept.contains(odd) && kept.ends_with('\n'));
}

#[test]
fn results_can_go_to_standard_output() {
    let here = folder(&[("t.jsonl", lines(0..60).as_bytes())]);
    dedup(here.path(), &["t.jsonl", "--out", "c.jsonl", "-q"]).quiet();
    let ran = dedup(here.path(), &["t.jsonl", "--out", "-", "-q"]).quiet();
    assert_eq!(ran.stdout, fs::read_to_string(here.path().join("c.jsonl")).unwrap());
    assert_eq!(files(here.path()), ["c.jsonl", "t.jsonl"]);
}

#[test]
fn a_filtered_folder_is_a_list_of_files() {
    let page = |number: usize| format!("<p>{}</p>", text(number));
    let (a, b) = (page(1), page(2));
    let here = folder(&[("in/a.html", a.as_bytes()), ("in/b.html", b.as_bytes()), ("in/c.html", a.as_bytes())]);
    dedup(here.path(), &["in", "--filter", "kept.txt", "-q"]).quiet();
    assert_eq!(fs::read_to_string(here.path().join("kept.txt")).unwrap(), "in/a.html\nin/b.html\n");
}

#[test]
fn pages_are_compared_by_the_chosen_text() {
    let [a, b] = [1, 2].map(|number| format!("<title>A page</title><h1>A page</h1><p>{}.</p>", text(number)));
    let nav: String = (0..60).map(|i| format!("<li><a href=/{i}>Story number {i} of the day</a></li>")).collect();
    let framed = a.replace("<h1>", &format!("<nav><ul>{nav}</ul></nav><h1>"));
    let here = folder(&[("in/a.html", a.as_bytes()), ("in/b.html", b.as_bytes()), ("in/c.html", framed.as_bytes())]);
    for (source, together) in
        [("content", true), ("largest-segment", true), ("largest-segment=bf-rulebased", true), ("all-text", false)]
    {
        dedup(here.path(), &["in", "--out", "c.jsonl", "--text-source", source, "-q"]).quiet();
        let rows = rows(&here.path().join("c.jsonl"));
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0]["cluster"] == rows[2]["cluster"], together, "{source}: {rows:?}");
        assert_ne!(rows[0]["cluster"], rows[1]["cluster"], "{source}");
    }
}

#[test]
fn blocks_that_sites_share_are_found() {
    let here = tempfile::tempdir().unwrap();
    let mut archive = WarcWriter::new(Vec::new(), Packing::Gzip).unwrap();
    let report = "<p>".to_owned() + &text(1) + "</p>";
    for (url, own) in [("https://a.org/1", 2), ("https://a.org/2", 3), ("https://b.org/1", 4)] {
        let menu = if url.contains("a.org") { "<ul><li>Start page of A<li>All reports</ul>" } else { "<ul><li>Portal B</ul>" };
        let page = format!("<body><div>{menu}</div>{report}<p>{}</p>", text(own));
        archive.page(url, "2024-05-01T12:00:00Z", "text/html; charset=utf-8", page.as_bytes()).unwrap();
    }
    fs::write(here.path().join("c.warc.gz"), archive.into_inner()).unwrap();
    let ran = dedup(here.path(), &["c.warc.gz", "--blocks", "--out", "blocks.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("on several sites") && ran.stderr.contains("if every site stores its blocks once"),
        "{}",
        ran.stderr
    );
    let rows = rows(&here.path().join("blocks.jsonl"));
    let syndicated: Vec<&Value> = rows.iter().filter(|row| row["size"] == 3).collect();
    assert_eq!(syndicated.iter().map(|row| row["site"].as_str().unwrap()).collect::<Vec<_>>(), ["a.org", "a.org", "b.org"]);
    assert!(syndicated.iter().all(|row| row["cluster"] == syndicated[0]["cluster"]));
    let cluster = syndicated[0]["cluster"].as_str().unwrap();
    assert!(cluster.starts_with("https://a.org/1#"), "{cluster}");
    assert_eq!(files(here.path()), ["blocks.jsonl", "c.warc.gz"], "the index is removed unless requested");
    // Not with a filtered copy, another text, or texts as input.
    dedup(here.path(), &["c.warc.gz", "--blocks", "--filter", "f.txt"]).complains(2, &["--blocks", "--filter"]);
    let other = ["c.warc.gz", "--blocks", "--out", "o", "--text-source", "content"];
    dedup(here.path(), &other).complains(2, &["--blocks", "--text-source"]);
    fs::write(here.path().join("t.jsonl"), lines(0..3)).unwrap();
    dedup(here.path(), &["t.jsonl", "--blocks", "--out", "o"]).complains(2, &["--blocks is for pages"]);
    // An index of pages and one of blocks do not mix.
    assert_eq!(dedup(here.path(), &["c.warc.gz", "--blocks", "--index", "seen", "--out", "o.parquet"]).code, Some(0));
    dedup(here.path(), &["c.warc.gz", "--index", "seen", "--out", "o"]).complains(2, &["blocks"]);
}

#[test]
fn adding_equals_indexing_everything_together() {
    let (one, two) = (lines(0..40), lines(40..90));
    let input = [("mon.jsonl", one.as_bytes()), ("tue.jsonl", two.as_bytes()), ("all.jsonl", (one.clone() + &two).as_bytes())]
        .map(|(n, b)| (n, b.to_vec()));
    let here = folder(&input.each_ref().map(|(n, b)| (*n, b.as_slice())));
    for preset in ["fineweb", "paper"] {
        let index = format!("index-{preset}");
        let add = |day: &str, out: &str, more: &[&str]| {
            dedup(here.path(), &[&[day, "--index", &index, "--out", out, "--preset", preset, "-q"], more].concat())
        };
        add("mon.jsonl", "c.jsonl", &[]).quiet();
        add("tue.jsonl", "c.jsonl", &[]).complains(2, &["has other pages", "--add"]);
        add("tue.jsonl", "c.jsonl", &["--add", "--filter", "new.jsonl"]).quiet();
        let again = fs::read(here.path().join("c.jsonl")).unwrap();
        add("tue.jsonl", "c.jsonl", &["--add"]).quiet();
        assert_eq!(fs::read(here.path().join("c.jsonl")).unwrap(), again, "the same pages are not added twice");
        dedup(here.path(), &["all.jsonl", "--out", "want.jsonl", "--preset", preset, "-q"]).quiet();
        assert_eq!(again, fs::read(here.path().join("want.jsonl")).unwrap(), "{preset}");
        let new = fs::read_to_string(here.path().join("new.jsonl")).unwrap();
        let kept = rows(&here.path().join("want.jsonl"))[40..].iter().filter(|row| row["keep"] == true).count();
        assert_eq!(new.lines().count(), kept);
        let other = if preset == "paper" { "fineweb" } else { "paper" };
        dedup(here.path(), &["tue.jsonl", "--index", &index, "--out", "c.jsonl", "--preset", other, "--add"])
            .complains(2, &["different settings", "4 of 8", "14 bands"]);
    }
}

#[test]
fn threads_do_not_change_the_result() {
    let here = folder(&[("t.jsonl", lines(0..1500).as_bytes())]);
    for (threads, memory) in [("1", "128MB"), ("2", "1MB"), ("7", "1MB")] {
        let args = [
            "t.jsonl",
            "--out",
            &format!("c{threads}.jsonl"),
            "--threads",
            threads,
            "--memory",
            memory,
            "--checkpoint",
            "100",
            "-q",
        ];
        dedup(here.path(), &args).quiet();
    }
    let read = |name: &str| fs::read(here.path().join(name)).unwrap();
    assert!(read("c1.jsonl") == read("c2.jsonl") && read("c1.jsonl") == read("c7.jsonl"));
}

#[test]
fn unreadable_input_is_reported() {
    let here = folder(&[("t.jsonl", format!("{{bad\n{}{{\"id\": \"x\"}}\n", lines(0..3)).as_bytes()), ("in/a.html", b"<p>a")]);
    let ran = dedup(here.path(), &["t.jsonl", "--out", "c.jsonl"]).complains(1, &["t.jsonl@0", "'text'", "3 pages"]);
    assert_eq!(ran.stdout, "");
    assert_eq!(rows(&here.path().join("c.jsonl")).len(), 3);
    dedup(here.path(), &["gone.jsonl", "--out", "c.jsonl"]).complains(2, &["gone.jsonl"]);
    dedup(here.path(), &["t.jsonl"]).complains(2, &["--out"]);
    dedup(here.path(), &["in", "--filter", "kept.parquet"]).complains(2, &["Parquet", ".txt"]);
    dedup(here.path(), &["t.jsonl", "--out", "t.jsonl"]).complains(2, &["overwrite the input"]);
    dedup(here.path(), &["t.jsonl", "--out", "c.jsonl", "--text-source", "all-text"])
        .complains(2, &["--text-source all-text is for pages"]);
    dedup(here.path(), &["in", "--out", "c.jsonl", "--text-source", "title"]).complains(2, &["largest-segment"]);
}

#[test]
fn an_index_in_a_folder_of_other_files_is_refused() {
    let here = folder(&[("t.jsonl", lines(0..3).as_bytes()), ("a/notes.txt", b"a"), ("b/settings.json", b"{\"theme\": \"dark\"}")]);
    for index in ["a", "b"] {
        let message = format!("{index} is not empty and is not a dedup index; choose another index folder");
        let ran = dedup(here.path(), &["t.jsonl", "--out", "c.jsonl", "--index", index]).complains(2, &[message.as_str()]);
        assert!(!ran.stderr.contains("delete"), "the files are not ours: {}", ran.stderr);
    }
}

#[test]
fn a_damaged_index_is_detected() {
    let here = folder(&[("t.jsonl", lines(0..50).as_bytes())]);
    let args = ["t.jsonl", "--out", "c.jsonl", "--index", "index", "-q"];
    dedup(here.path(), &args).quiet();
    for name in files(&here.path().join("index")) {
        let path = here.path().join("index").join(&name);
        let good = fs::read(&path).unwrap();
        if good.is_empty() {
            continue; // the lock
        }
        let mut bad = good.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 0xff;
        fs::write(&path, bad).unwrap();
        let ran = dedup(here.path(), &args);
        let whole = fs::read(here.path().join("c.jsonl")).unwrap();
        assert!(ran.code == Some(0) || ran.stderr.contains("index"), "{name}: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked") && !whole.is_empty(), "{name}: {}", ran.stderr);
        fs::write(&path, good).unwrap();
    }
}

/// The same command resumes a killed run, and the output is the same.
#[test]
#[cfg(unix)]
fn a_killed_run_resumes() {
    let here = folder(&[("t.jsonl", lines(0..6000).as_bytes())]);
    for preset in ["fineweb", "paper"] {
        let args = |name: &str| {
            let index = format!("index-{preset}-{name}");
            let (out, filter) = (format!("{name}.jsonl"), format!("{name}-kept.jsonl"));
            let fixed = ["t.jsonl", "--preset", preset, "--checkpoint", "150", "--memory", "1MB", "-q"].map(str::to_owned);
            let named = ["--index".to_owned(), index, "--out".to_owned(), out, "--filter".to_owned(), filter];
            DEDUP.map(str::to_owned).into_iter().chain(fixed).chain(named).collect::<Vec<_>>()
        };
        let start = |name: &str| {
            let args = args(name);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            program(here.path(), &args).stderr(Stdio::piped()).spawn().unwrap()
        };
        let started = Instant::now();
        assert!(start("want").wait().unwrap().success());
        let mut killer = Killer::new(started.elapsed());
        let read = |name: &str| fs::read(here.path().join(name)).unwrap();
        for run in 0.. {
            if !killer.needs_more() {
                break;
            }
            let name = format!("k{run}");
            killer.kill(start(&name));
            let output = start(&name).wait_with_output().unwrap();
            assert!(output.status.success(), "{preset}, run {run}: {}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(read(&format!("{name}.jsonl")), read("want.jsonl"), "{preset}, run {run}");
            assert_eq!(read(&format!("{name}-kept.jsonl")), read("want-kept.jsonl"), "{preset}, run {run}");
        }
        killer.assert_enough();
        let left: Vec<String> =
            files(here.path()).into_iter().filter(|name| name.ends_with(".tmp") && !name.contains("index-")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
