//! `index` and `search`.

#[cfg(unix)]
use crate::common::program;
use crate::common::{article, folder, run};
#[cfg(unix)]
use crate::kills::{self, Killer};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;
#[cfg(unix)]
use std::time::Instant;

const THINGS: [&str; 6] = ["mill", "bridge", "harbour", "library", "market", "ferry"];

/// A run over some pages with a menu that names all of them.
fn tables(pages: usize) -> tempfile::TempDir {
    let here = folder(&[]);
    let menu: String = THINGS.iter().map(|thing| format!("<li><a href=/{thing}>{thing}</a>")).collect();
    let mut list = String::new();
    fs::create_dir(here.path().join("pages")).unwrap();
    for number in 0..pages {
        let thing = THINGS[number % THINGS.len()];
        let page = article(&format!("{thing} number{number}")).replace("<h1>", &format!("<nav><ul>{menu}</ul></nav><h1>"));
        fs::write(here.path().join(format!("pages/{number}.html")), page).unwrap();
        writeln!(list, "pages/{number}.html\thttps://{thing}.example/{number}").unwrap();
    }
    fs::write(here.path().join("list.txt"), list).unwrap();
    run(here.path(), &["run", "--files-from", "list.txt", "--out", "tables", "--quiet"]).quiet();
    here
}

fn urls(here: &Path, args: &[&str]) -> Vec<String> {
    let found = run(here, &[&["search"], args, &["--format", "jsonl"]].concat());
    found.lines().iter().map(|hit| hit["url"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_run_is_searched() {
    let here = tables(12);
    let built = run(here.path(), &["index", "tables", "--out", "index"]).quiet();
    assert_eq!(built.stdout, "12 pages of tables in index\n");
    assert!(run(here.path(), &["index", "tables", "--out", "index"]).quiet().stdout.contains("all already done"));
    assert!(
        run(here.path(), &["index", "--out", "index", "--check"])
            .quiet()
            .stdout
            .contains("12 pages in index, all files are intact")
    );

    let found = run(here.path(), &["search", "index", "number7", "--color", "never"]).quiet();
    assert!(found.stdout.starts_with("1. About the bridge number7\n   https://bridge.example/7  ("), "{}", found.stdout);
    assert!(!found.stdout.contains('\u{1b}'));
    let coloured = run(here.path(), &["search", "index", "number7", "--color", "always"]).quiet();
    assert!(coloured.stdout.contains("\u{1b}[1m\u{1b}[33mnumber7\u{1b}[0m"), "{:?}", coloured.stdout);

    // All pages have the word in their menu, two of them in their text.
    for ranking in ["bm25-segment", "bm25-nt", "bm25-minwords=10"] {
        let first = urls(here.path(), &["index", "harbour", "--ranking", ranking, "-n", "2", "--no-fold"]);
        assert_eq!(first.len(), 2, "{ranking}");
        assert!(first.iter().all(|url| url.starts_with("https://harbour.example/")), "{ranking}: {first:?}");
    }
    assert_eq!(urls(here.path(), &["index", "river", "site:mill.example", "--no-fold"]).len(), 2);
    assert_eq!(urls(here.path(), &["index", "river AND number3"]), ["https://library.example/3"]);
    run(here.path(), &["search", "index", "xylophone"]).complains(3, &["nothing found"]);

    let json: Value = serde_json::from_str(
        &run(here.path(), &["search", "index", "\"number7 stood\"", "--format", "json", "--explain"]).quiet().stdout,
    )
    .unwrap();
    assert_eq!(json["format"], "webstrata.search/1");
    let hit = &json["hits"][0];
    let [start, end] = [0, 1].map(|at| hit["snippet"]["hits"][0][at].as_u64().unwrap() as usize);
    assert!(["number7", "stood"].contains(&&hit["snippet"]["text"].as_str().unwrap()[start..end]), "{hit}");
    let sum: f64 = hit["explanation"]["words"].as_array().unwrap().iter().map(|word| word["score"].as_f64().unwrap()).sum();
    assert!((sum - hit["score"].as_f64().unwrap()).abs() < 1e-4);

    let weights = run(here.path(), &["index", "--out", "index", "--explain-weights"]).quiet();
    assert!(weights.stdout.starts_with("class\tweight\ticf\tspread\tsegments\tsite\n") && weights.stdout.lines().count() > 3);
}

#[test]
fn pages_are_replaced_and_deleted() {
    let here = tables(6);
    run(here.path(), &["index", "tables", "--out", "index", "-q"]).quiet();
    fs::write(here.path().join("new.html"), article("windmill")).unwrap();
    fs::write(here.path().join("new.txt"), "new.html\thttps://mill.example/0\n").unwrap();
    run(here.path(), &["run", "--files-from", "new.txt", "--out", "more", "-q"]).quiet();
    run(here.path(), &["index", "more", "--out", "index"]).complains(2, &["was built from other tables (tables)", "--add"]);
    run(here.path(), &["index", "more", "--out", "index", "--add", "-q"]).quiet();
    assert_eq!(urls(here.path(), &["index", "windmill"]), ["https://mill.example/0"]);
    assert!(urls(here.path(), &["index", "number0"]).is_empty());
    fs::write(here.path().join("gone.txt"), "https://bridge.example/1\nhttps://nowhere.example/\n").unwrap();
    let deleted = run(here.path(), &["index", "--out", "index", "--delete", "gone.txt"]).quiet();
    assert_eq!(deleted.stdout, "1 page deleted, 5 left in index\n");
    assert!(urls(here.path(), &["index", "number1"]).is_empty());
}

#[test]
fn ranks_and_facets_are_mixed_in() {
    let here = tables(12);
    run(here.path(), &["index", "tables", "--out", "index", "-q"]).quiet();
    let mut ranks = "page\t*\tWater\tLand\n".to_owned();
    for number in 0..12 {
        let thing = THINGS[number % THINGS.len()];
        let water = if ["bridge", "harbour", "ferry"].contains(&thing) { 0.15 } else { 0.01 };
        let star = if number == 9 { 0.9 } else { 0.01 };
        writeln!(ranks, "https://{thing}.example/{number}\t{star}\t{water}\t{}", 0.16 - water).unwrap();
    }
    fs::write(here.path().join("ranks.tsv"), ranks).unwrap();
    let first = urls(here.path(), &["index", "river", "--rank", "ranks.tsv", "--rank-weight", "1", "--no-fold"]);
    assert_eq!(first[0], "https://library.example/9");
    let water = urls(here.path(), &["index", "river", "--rank", "ranks.tsv", "--topic", "Water", "--no-fold", "-n", "6"]);
    assert!(water.iter().all(|url| ["bridge", "harbour", "ferry"].iter().any(|thing| url.contains(thing))), "{water:?}");
    let shown = run(
        here.path(),
        &["search", "index", "harbour OR ferry", "--ranking", "bm25-nt", "--rank", "ranks.tsv", "--facets", "--no-fold"],
    );
    let shown = shown.quiet();
    assert!(shown.stdout.contains("Topics:\n  100%  Water\n"), "{}", shown.stdout);
    run(here.path(), &["search", "index", "river", "--rank", "ranks.tsv", "--topic", "Fire"])
        .complains(2, &["no topic \"Fire\"", "Water"]);
    run(here.path(), &["search", "index", "river", "--facets"]).complains(2, &["index has no ranks", "--ranks"]);
    // The same with the ranks in the index, and with options from a file.
    run(here.path(), &["index", "tables", "--out", "own", "--ranks", "ranks.tsv", "-q"]).quiet();
    let own = urls(here.path(), &["own", "river", "--topic", "Water", "--no-fold", "-n", "6"]);
    assert_eq!(own, water);
    fs::write(here.path().join("c.toml"), "[search]\nlimit = 6\nno-fold = true\ntopic = \"Water\"\n[index]\ncheckpoint = 5\n")
        .unwrap();
    assert_eq!(urls(here.path(), &["own", "river", "--config", "c.toml"]), water);
}

/// From pages to answers in one command, with the same result as through tables.
#[test]
fn pages_are_indexed_without_tables() {
    let here = tables(12);
    run(here.path(), &["index", "tables", "--out", "index", "-q"]).quiet();
    let direct = ["index", "--files-from", "list.txt", "--out", "direct"];
    assert_eq!(run(here.path(), &direct).quiet().stdout, "12 pages of direct/tables in direct\n");
    assert!(run(here.path(), &direct).quiet().stdout.contains("all already done"));
    for query in ["harbour", "river AND number3", "\"number7 stood\""] {
        assert_eq!(urls(here.path(), &["direct", query]), urls(here.path(), &["index", query]));
    }
    // A folder has no addresses; the folder of the index is not part of its input.
    run(here.path(), &["index", "pages", "--out", "pages/index", "-q"]).quiet();
    let found = run(here.path(), &["search", "pages/index", "number7", "--format", "jsonl"]).quiet();
    assert_eq!(found.lines()[0]["id"], "pages/7.html@0");
    run(here.path(), &["index", "pages", "--out", "direct", "--add"]).complains(2, &["--add takes the tables of a run"]);
    run(here.path(), &["index", "--out", "direct"]).complains(2, &["PATH"]);
}

#[test]
fn errors_say_what_to_do() {
    let here = tables(3);
    run(here.path(), &["search", "nowhere", "rain"]).complains(2, &["nowhere is not an index", "webstrata index"]);
    run(here.path(), &["index", "nothing", "--out", "index"]).complains(2, &["nothing"]);
    run(here.path(), &["index", "tables", "--out", "pages"]).complains(2, &["pages is neither empty nor an index"]);
    run(here.path(), &["index", "tables", "--out", "index", "-q"]).quiet();
    for (query, words) in [("(river", "without a )"), ("-river", "NOT"), ("!!!", "no words"), ("after:soon", "after:2024-05-01")] {
        run(here.path(), &["search", "index", "--", query]).complains(2, &[words]);
    }
    let deep = format!("{}river{}", "(".repeat(10_000), ")".repeat(10_000));
    run(here.path(), &["search", "index", &deep]).complains(2, &["nested more than 64 deep"]);
    run(here.path(), &["search", "index", &"a".repeat(100_000)]).complains(2, &["100000 bytes"]);
    run(here.path(), &["search", "index", "river", "--ranking", "bm26"]).complains(2, &["bm25-segment"]);
    run(here.path(), &["search", "index", "river", "--weights", "menu=1"]).complains(2, &["navigation"]);
    run(here.path(), &["search", "index", "river", "--b", "2"]).complains(2, &["b from 0 to 1"]);
    for file in fs::read_dir(here.path().join("index/tantivy")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "idx" || extension == "term") {
            let bytes = fs::read(&path).unwrap();
            fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        }
    }
    run(here.path(), &["search", "index", "river"]).complains(2, &["is damaged", "build it again"]);
}

/// An index that was killed and resumed gives the same answers.
#[cfg(unix)]
#[test]
fn killed_indexes_resume() {
    let here = tables(if kills::number() > 10 { 1500 } else { 400 });
    let args = |tables: bool, out: &'static str| {
        // From tables, and from pages.
        let input: &[&str] = if tables { &["tables"] } else { &["--files-from", "list.txt"] };
        [&["index", "--out", out, "--quiet", "--checkpoint", "40", "--threads", "1"], input].concat()
    };
    let started = Instant::now();
    run(here.path(), &args(false, "whole")).quiet();
    let mut killer = Killer::new(started.elapsed());
    let answers = |out: &str| -> Vec<String> {
        let mut all = Vec::new();
        for query in ["harbour", "river AND number17", "\"stood by\" market", "site:mill.example owned"] {
            for ranking in ["bm25", "bm25-nt", "bm25-segment", "bm25-minwords=8"] {
                let args = ["search", out, query, "--ranking", ranking, "-n", "40", "--format", "jsonl"];
                all.push(run(here.path(), &args).quiet().stdout);
            }
        }
        all
    };
    let whole = answers("whole");
    let mut from_tables = false;
    while killer.needs_more() {
        for _ in 0..3 {
            killer
                .kill(program(here.path(), &args(from_tables, "out")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        }
        run(here.path(), &args(from_tables, "out")).quiet();
        run(here.path(), &["index", "--out", "out", "--check", "--quiet"]).quiet();
        assert_eq!(answers("out"), whole);
        fs::remove_dir_all(here.path().join("out")).unwrap();
        from_tables = !from_tables;
    }
    killer.assert_enough();
}
