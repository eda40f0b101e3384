//! `webstrata rank`: what scripts rely on, and what is said of bad input.

use crate::common::program;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

fn rank(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let done = program(folder, &["rank"]).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

/// Carries a command out that must work.
fn fine(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, said) = rank(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {said}");
    out
}

fn ranks(text: &str) -> Vec<(String, f64)> {
    let line = |line: &str| line.split_once('\t').map(|(page, rank)| (page.to_owned(), rank.parse().unwrap())).unwrap();
    text.lines().map(line).collect()
}

/// PageRank as it is defined, one step after the other, with what dangles given to all.
fn plain(links: &[(&str, &str)]) -> BTreeMap<String, f64> {
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
fn an_edge_list_becomes_ranks_in_the_order_of_numbers() {
    let here = tempfile::tempdir().unwrap();
    let list: String = NUMBERS.iter().map(|(from, to)| format!("{from}\t{to}\n")).collect();
    fs::write(here.path().join("edges.txt"), format!("# a comment\n{list}")).unwrap();
    let arguments = [
        "pagerank", "edges.txt", "--out", "ranks.tsv", "--damping", "0.85", "--tolerance", "1e-13", "--threads", "2",
        "--residuals", "r.csv",
    ];
    let (code, out, said) = rank(here.path(), &arguments);
    assert_eq!((code, out.as_str()), (Some(0), ""), "{said}");
    assert!(said.contains("6 pages, 7 links") && said.contains("iterations") && said.contains("within"), "{said}");
    let found = ranks(&fs::read_to_string(here.path().join("ranks.tsv")).unwrap());
    assert_eq!(found.iter().map(|(page, _)| page.as_str()).collect::<Vec<_>>(), ["2", "3", "4", "7", "10", "100"]);
    assert!((found.iter().map(|(_, rank)| rank).sum::<f64>() - 1.0).abs() < 1e-12);
    let want = plain(&NUMBERS);
    assert!(found.iter().all(|(page, rank)| (rank - want[page]).abs() < 1e-12), "{found:?} {want:?}");
    let curve = fs::read_to_string(here.path().join("r.csv")).unwrap();
    assert!(curve.starts_with("iteration,residual\n1,") && curve.lines().count() > 5, "{curve}");

    // The same for spaces, for packed lists, for another number of threads, and on standard output.
    let spaced = list.replace('\t', " ");
    let mut gzip = std::process::Command::new("gzip")
        .arg("-c")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    gzip.stdin.take().unwrap().write_all(spaced.as_bytes()).unwrap();
    fs::write(here.path().join("edges.gz"), gzip.wait_with_output().unwrap().stdout).unwrap();
    let same = fine(here.path(), &["pagerank", "edges.gz", "--tolerance", "1e-13", "--threads", "1", "--quiet"]);
    assert_eq!(same, fs::read_to_string(here.path().join("ranks.tsv")).unwrap());
    assert_eq!(same, fine(here.path(), &["pagerank", "edges.gz", "--tolerance", "1e-13", "--quiet", "--out", "-"]));
    let top = ranks(&fine(here.path(), &["pagerank", "edges.txt", "--top", "2"]));
    assert!(top.len() == 2 && top[0].0 == "2" && top[0].1 > top[1].1, "{top:?}");
    // From its own end it is there at once.
    fine(here.path(), &["pagerank", "edges.txt", "--start", "ranks.tsv", "--out", "again.tsv", "--residuals", "again.csv"]);
    assert!(fs::read_to_string(here.path().join("again.csv")).unwrap().lines().count() <= 3);
}

#[test]
fn addresses_are_built_asked_and_added_to() {
    let here = tempfile::tempdir().unwrap();
    fs::write(
        here.path().join("a.txt"),
        "http://b.org/ http://a.org/\nhttp://a.org/ http://a.org/x\nhttp://a.org/ http://b.org/\n",
    )
    .unwrap();
    fs::write(here.path().join("b.txt"), "http://a.org/new http://a.org/\nhttp://c.org/ http://a.org/\n").unwrap();
    fine(here.path(), &["build", "a.txt", "--out", "web"]);
    assert_eq!(fine(here.path(), &["backlinks", "web", "http://a.org/"]), "http://b.org/\n");
    let before = fs::read(here.path().join("web")).unwrap();
    fine(here.path(), &["add", "web", "b.txt"]);
    assert_eq!(fs::read(here.path().join("web")).unwrap(), before);
    let backlinks = fine(here.path(), &["backlinks", "web", "http://a.org/"]);
    assert_eq!(backlinks, "http://a.org/new\nhttp://b.org/\nhttp://c.org/\n");
    let grown = fine(here.path(), &["pagerank", "web"]);
    fine(here.path(), &["build", "web", "--out", "web"]);
    assert_eq!(fs::read_dir(here.path()).unwrap().count(), 3);
    assert_eq!(fine(here.path(), &["pagerank", "web"]), grown);
    let (code, _, said) = rank(here.path(), &["backlinks", "web", "http://nowhere.org/"]);
    assert!(code == Some(2) && said.contains("http://nowhere.org/ is not in web"), "{said}");
    fs::write(here.path().join("seeds"), "http://c.org/\n").unwrap();
    let biased = ranks(&fine(here.path(), &["pagerank", "web", "--preference", "seeds", "--top", "2"]));
    // Nothing links to the seed, and it links to one page; that one gets more from the page that it links to.
    assert_eq!((biased[0].0.as_str(), biased[1].0.as_str()), ("http://a.org/", "http://c.org/"));
    let staying = fine(here.path(), &["pagerank", "web", "--stay", "0.9", "--leave", "0.1"]);
    assert_ne!(staying, grown);
    assert_eq!(fine(here.path(), &["pagerank", "web", "--stay", "0.3", "--leave", "0.3"]), grown);
}

#[test]
fn generated_graphs_are_ranked() {
    let here = tempfile::tempdir().unwrap();
    let size = ["--page-count", "4000", "--hosts", "40", "--links", "30000"];
    fine(here.path(), &[&["generate", "--out", "g"][..], &size].concat());
    fine(here.path(), &[&["generate", "--out", "h"][..], &size].concat());
    assert_eq!(fs::read(here.path().join("g")).unwrap(), fs::read(here.path().join("h")).unwrap());
    let one = fine(here.path(), &["pagerank", "g", "--threads", "1"]);
    assert_eq!(one, fine(here.path(), &["pagerank", "g", "--threads", "2"]));
    let (code, _, said) = rank(here.path(), &["pagerank", "g", "--max-iterations", "3"]);
    assert!(code == Some(2) && said.contains("--max-iterations"), "{said}");
}

#[test]
fn bad_input_is_named_and_leaves_nothing() {
    let here = tempfile::tempdir().unwrap();
    let cut = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    for (bytes, want) in [
        (&b"0 1\n2\n"[..], "line 2: 1 fields"),
        (b"0 1\n0 4294967295\n", "line 2: page 4294967295 is out of range"),
        (b"0 1\n1 x\n", "line 2"),
        (b"# nothing\n", "has no links"),
        (&cut, "near byte"),
        (b"webstrata graph\nabc", "rank build"),
    ] {
        fs::write(here.path().join("in"), bytes).unwrap();
        for command in [["pagerank", "in", "--out", "out"], ["build", "in", "--out", "out"]] {
            let (code, _, said) = rank(here.path(), &command);
            assert!(code == Some(2) && said.contains(want) && said.contains("in"), "{command:?}: {said} should say {want}");
            assert_eq!(fs::read_dir(here.path()).unwrap().count(), 1);
        }
    }
    fs::write(here.path().join("in"), "0 1\n").unwrap();
    for (arguments, want) in [
        (&["--damping", "1"][..], "less than 1"),
        (&["--tolerance", "0"], "above 0"),
        (&["--stay", "0.1"], "addresses"),
        (&["--weight", "navigation=0.1"], "folder of a run"),
        (&["--weight", "menu=1"], "no stratum"),
        (&["--page-table", "p"], "folder of a run"),
        (&["--pages", "1"], "out of range"),
        (&["--start", "in"], "no rank"),
        (&["--format", "parquet"], "--out"),
    ] {
        let (code, _, said) = rank(here.path(), &[&["pagerank", "in"], arguments].concat());
        assert!(code == Some(2) && said.contains(want), "{arguments:?}: {said} should say {want}");
    }
    let (code, _, said) = rank(here.path(), &["pagerank", "in", "--out", "in"]);
    assert!(code == Some(2) && said.contains("take the place"), "{said}");
}
