//! `webstrata rank pagerank`: outputs that scripts rely on, and errors.

use crate::common::{Ran, run};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Runs `webstrata rank`.
pub(crate) fn rank(folder: &Path, arguments: &[&str]) -> Ran {
    run(folder, &[&["rank"], arguments].concat())
}

/// Runs `webstrata rank`, which must succeed, and returns standard output.
pub(crate) fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let ran = rank(folder, arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

/// Parses lines page<TAB>rank.
pub(crate) fn ranks(text: &str) -> Vec<(String, f64)> {
    let line = |line: &str| line.split_once('\t').map(|(page, rank)| (page.to_owned(), rank.parse().unwrap())).unwrap();
    text.lines().map(line).collect()
}

/// PageRank by power iteration; dangling pages give their rank to all.
fn naive(links: &[(&str, &str)]) -> BTreeMap<String, f64> {
    let mut out: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for &(from, to) in links {
        out.entry(to).or_default();
        let list = out.entry(from).or_default();
        if !list.contains(&to) {
            list.push(to);
        }
    }
    let n = out.len() as f64;
    let mut ranks: BTreeMap<&str, f64> = out.keys().map(|&page| (page, 1.0 / n)).collect();
    for _ in 0..500 {
        let mut next: BTreeMap<&str, f64> = out.keys().map(|&page| (page, 0.0)).collect();
        for (from, list) in &out {
            for to in list.iter().filter(|to| *to != from) {
                *next.get_mut(to).unwrap() += 0.85 * ranks[from] / list.len() as f64;
            }
        }
        let missing = (1.0 - next.values().sum::<f64>()) / n;
        next.values_mut().for_each(|rank| *rank += missing);
        ranks = next;
    }
    ranks.into_iter().map(|(page, rank)| (page.to_owned(), rank)).collect()
}

const NUMBERS: [(&str, &str); 8] =
    [("10", "2"), ("2", "10"), ("2", "3"), ("3", "3"), ("3", "2"), ("4", "2"), ("10", "2"), ("7", "100")];

#[test]
fn an_edge_list_is_ranked_in_the_order_of_its_numbers() {
    let here = tempfile::tempdir().unwrap();
    let list: String = NUMBERS.iter().map(|(from, to)| format!("{from}\t{to}\n")).collect();
    fs::write(here.path().join("edges.txt"), format!("# a comment\n{list}")).unwrap();
    let arguments = [
        "pagerank", "edges.txt", "--out", "ranks.tsv", "--damping", "0.85", "--tolerance", "1e-13", "--threads", "2",
        "--residuals", "r.csv",
    ];
    let Ran { code, stdout, stderr } = rank(here.path(), &arguments);
    assert_eq!((code, stdout.as_str()), (Some(0), ""), "{stderr}");
    assert!(stderr.contains("6 pages, 7 links") && stderr.contains("iterations") && stderr.contains("within"), "{stderr}");
    let found = ranks(&fs::read_to_string(here.path().join("ranks.tsv")).unwrap());
    assert_eq!(found.iter().map(|(page, _)| page.as_str()).collect::<Vec<_>>(), ["2", "3", "4", "7", "10", "100"]);
    assert!((found.iter().map(|(_, rank)| rank).sum::<f64>() - 1.0).abs() < 1e-12);
    let want = naive(&NUMBERS);
    assert!(found.iter().all(|(page, rank)| (rank - want[page]).abs() < 1e-12), "{found:?} {want:?}");
    let curve = fs::read_to_string(here.path().join("r.csv")).unwrap();
    assert!(curve.starts_with("iteration,residual\n1,") && curve.lines().count() > 5, "{curve}");

    // The same for spaces, compressed lists, other numbers of threads, and standard output.
    let spaced = list.replace('\t', " ");
    let mut gzip = std::process::Command::new("gzip")
        .arg("-c")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    gzip.stdin.take().unwrap().write_all(spaced.as_bytes()).unwrap();
    fs::write(here.path().join("edges.gz"), gzip.wait_with_output().unwrap().stdout).unwrap();
    let same = succeed(here.path(), &["pagerank", "edges.gz", "--tolerance", "1e-13", "--threads", "1", "--quiet"]);
    assert_eq!(same, fs::read_to_string(here.path().join("ranks.tsv")).unwrap());
    assert_eq!(same, succeed(here.path(), &["pagerank", "edges.gz", "--tolerance", "1e-13", "--quiet", "--out", "-"]));
    let top = ranks(&succeed(here.path(), &["pagerank", "edges.txt", "--top", "2"]));
    assert!(top.len() == 2 && top[0].0 == "2" && top[0].1 > top[1].1, "{top:?}");
    // Starting from its own result converges immediately.
    succeed(here.path(), &["pagerank", "edges.txt", "--start", "ranks.tsv", "--out", "again.tsv", "--residuals", "again.csv"]);
    assert!(fs::read_to_string(here.path().join("again.csv")).unwrap().lines().count() <= 3);
}

#[test]
fn iterations_are_limited() {
    let here = tempfile::tempdir().unwrap();
    let links: String = (0..200).map(|page| format!("{page} {}\n{} {page}\n", page * 7 % 200, page * page % 200)).collect();
    fs::write(here.path().join("edges.txt"), links).unwrap();
    rank(here.path(), &["pagerank", "edges.txt", "--max-iterations", "3"]).complains(2, &["--max-iterations"]);
    let one = succeed(here.path(), &["pagerank", "edges.txt", "--threads", "1"]);
    assert_eq!(one, succeed(here.path(), &["pagerank", "edges.txt", "--threads", "2"]));
}

#[test]
fn bad_input_is_reported_and_leaves_no_files() {
    let here = tempfile::tempdir().unwrap();
    let cut = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    for (bytes, want) in [
        (&b"0 1\n2\n"[..], "line 2: 1 fields"),
        (b"0 1\n0 4294967295\n", "line 2: page 4294967295 is out of range"),
        (b"0 1\n1 x\n", "line 2"),
        (b"# nothing\n", "has no links"),
        (&cut, "near byte"),
        (b"webstrata graph\nabc", "graph build"),
    ] {
        fs::write(here.path().join("in"), bytes).unwrap();
        for command in [["rank", "pagerank"], ["graph", "build"]] {
            run(here.path(), &[&command[..], &["in", "--out", "out"]].concat()).complains(2, &[want, "in"]);
            assert_eq!(fs::read_dir(here.path()).unwrap().count(), 1);
        }
    }
    fs::write(here.path().join("in"), "0 1\n").unwrap();
    for (arguments, want) in [
        (&["--damping", "1"][..], "less than 1"),
        (&["--tolerance", "0"], "above 0"),
        (&["--stay", "0.1"], "URLs"),
        (&["--weight", "navigation=0.1"], "folder of a run"),
        (&["--weight", "menu=1"], "unknown stratum"),
        (&["--page-table", "p"], "folder of a run"),
        (&["--pages", "1"], "out of range"),
        (&["--start", "in"], "not a rank"),
        (&["--format", "parquet"], "--out"),
    ] {
        rank(here.path(), &[&["pagerank", "in"], arguments].concat()).complains(2, &[want]);
    }
    rank(here.path(), &["pagerank", "in", "--out", "in"]).complains(2, &["would overwrite"]);
}
