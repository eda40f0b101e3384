//! `webstrata rank topics`, `compare` and `facets`: consistent outputs, and errors.

use crate::common::{Ran, program};
use crate::rank::{rank, succeed};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// Two cycles with one link between them; `end` has no links.
const LINKS: &str = "fox wolf\nwolf dog\ndog fox\ndog mars\nmars moon\nmoon sun\nsun mars\nwolf end\n";
const TOPICS: &str = "# a tree\nlife\tdog\nlife/wild\tfox\nlife/wild\twolf\nsky\tmars\nsky/near\tmoon\nsky/near\tpluto\n";

fn here() -> tempfile::TempDir {
    let here = tempfile::tempdir().unwrap();
    fs::write(here.path().join("links.txt"), LINKS).unwrap();
    fs::write(here.path().join("topics.tsv"), TOPICS).unwrap();
    here
}

/// Parses a table into values by page and column.
fn table(text: &str) -> BTreeMap<(String, String), f64> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').skip(1).collect();
    let mut found = BTreeMap::new();
    for line in lines {
        let (page, ranks) = line.split_once('\t').unwrap();
        for (name, rank) in names.iter().zip(ranks.split('\t')) {
            found.insert((page.to_owned(), (*name).to_owned()), rank.parse().unwrap());
        }
    }
    found
}

#[test]
fn topics_are_ranked_as_lists_of_their_pages() {
    let here = here();
    let arguments =
        ["topics", "links.txt", "--taxonomy", "topics.tsv", "--depth", "2", "--tolerance", "1e-13", "--out", "ranks.tsv"];
    let Ran { code, stdout: out, stderr } = rank(here.path(), &arguments);
    assert_eq!((code, out.as_str()), (Some(0), ""), "{stderr}");
    assert!(
        stderr.contains("1 lines have a page that is not in the graph, such as pluto") && stderr.contains("4 topics"),
        "{stderr}"
    );
    let text = fs::read_to_string(here.path().join("ranks.tsv")).unwrap();
    assert!(text.starts_with("page\t*\tlife\tlife/wild\tsky\tsky/near\n"), "{text}");
    let found = table(&text);
    for (topic, pages) in [("life", "dog\nfox\nwolf\n"), ("life/wild", "fox\nwolf\n"), ("sky/near", "moon\n")] {
        fs::write(here.path().join("preference"), pages).unwrap();
        for line in succeed(here.path(), &["pagerank", "links.txt", "--preference", "preference", "--tolerance", "1e-13"]).lines() {
            let (page, rank) = line.split_once('\t').unwrap();
            let other: f64 = rank.parse().unwrap();
            assert!((found[&(page.to_owned(), topic.to_owned())] - other).abs() < 1e-12, "{topic} {page}");
        }
    }
    for line in succeed(here.path(), &["pagerank", "links.txt", "--tolerance", "1e-13"]).lines() {
        let (page, rank) = line.split_once('\t').unwrap();
        assert!((found[&(page.to_owned(), "*".to_owned())] - rank.parse::<f64>().unwrap()).abs() < 1e-12, "{page}");
    }
    // One topic and its level; best pages only; Parquet.
    let top =
        succeed(here.path(), &["topics", "links.txt", "--taxonomy", "topics.tsv", "--topic", "life/wild", "--top", "1", "-q"]);
    let names: Vec<&str> = top.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(names, ["topic", "*", "life/wild"]);
    // The batch size changes ranks only within the tolerance.
    let best = |batch_size: &str| {
        let arguments =
            ["topics", "links.txt", "--taxonomy", "topics.tsv", "--depth", "2", "--top", "3", "-q", "--batch-size", batch_size];
        let lines = succeed(here.path(), &arguments);
        lines.lines().map(|line| line.rsplit_once('\t').unwrap().0.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((best("2").len(), best("2")), (16, best("16")));
    succeed(here.path(), &["topics", "links.txt", "--taxonomy", "topics.tsv", "--out", "r.parquet", "--format", "parquet"]);
    assert!(fs::read(here.path().join("r.parquet")).unwrap().starts_with(b"PAR1"));
}

#[test]
fn a_mixture_equals_a_mixed_preference() {
    let here = here();
    let common = ["topics", "links.txt", "--taxonomy", "topics.tsv", "--tolerance", "1e-13", "-q"];
    let found = table(&succeed(here.path(), &[&common[..], &["--combine", "mine: life=0.7,sky=0.3"]].concat()));
    // 0.7 over three pages of life, 0.3 over two of the sky; `end` is dangling, so ranks are not additive.
    fs::write(here.path().join("preference"), "dog\t0.7\nfox\t0.7\nwolf\t0.7\nmars\t0.45\nmoon\t0.45\n").unwrap();
    for line in succeed(here.path(), &["pagerank", "links.txt", "--preference", "preference", "--tolerance", "1e-13"]).lines() {
        let (page, rank) = line.split_once('\t').unwrap();
        let mixed = found[&(page.to_owned(), "mine".to_owned())];
        assert!((mixed - rank.parse::<f64>().unwrap()).abs() < 1e-11, "{page}");
    }
}

#[test]
fn rankings_are_compared_and_drawn() {
    let here = here();
    succeed(here.path(), &["topics", "links.txt", "--taxonomy", "topics.tsv", "--depth", "2", "--out", "ranks.tsv"]);
    fs::write(here.path().join("good"), "life\tfox\nlife\tdog\nsky\tsun\n").unwrap();
    let Ran { code, stdout: out, stderr } =
        rank(here.path(), &["compare", "ranks.tsv", "--at", "1,3", "--judgements", "good", "--svg", "tree.svg"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("sibling: 1 pairs, mean tau") && stderr.contains("child: 2 pairs"), "{stderr}");
    let (pairs, precision) = out.split_once("\n\n").unwrap();
    assert!(pairs.starts_with("one\ttwo\trelation\tpages\ttau\toverlap@1\toverlap@3\n"), "{pairs}");
    assert!(pairs.contains("life\tlife/wild\tchild\t7\t") && pairs.contains("life\tsky\tsibling\t7\t"), "{pairs}");
    assert!(
        precision.contains("life\t1\t")
            && precision.contains("sky\t1\t")
            && precision.contains("*\t3\t") | precision.contains("*\t2\t"),
        "{precision}"
    );
    let picture = fs::read_to_string(here.path().join("tree.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.contains(">wild</text>"), "{picture}");

    // Files with one ranking each are named after the files.
    fs::write(here.path().join("a"), "x\t3\ny\t2\nz\t1\n").unwrap();
    fs::write(here.path().join("b"), "x\t1\ny\t2\nz\t3\nother\t9\n").unwrap();
    let found = succeed(here.path(), &["compare", "a", "b", "--at", "2"]);
    assert_eq!(found, "one\ttwo\trelation\tpages\ttau\toverlap@2\na\tb\tother\t3\t-1.000000\t0.0000\n");
}

#[test]
fn pages_and_lists_have_facets() {
    let here = here();
    succeed(here.path(), &["topics", "links.txt", "--taxonomy", "topics.tsv", "--out", "ranks.tsv"]);
    let direct =
        succeed(here.path(), &["facets", "links.txt", "--taxonomy", "topics.tsv", "--page", "wolf", "--page", "sun", "-q"]);
    let strongest = |page: &str| {
        let lines = direct.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        lines.filter(|fields| fields[0] == page && fields[1] != "*").map(|fields| fields[1].to_owned()).next()
    };
    assert_eq!((strongest("wolf").as_deref(), strongest("sun").as_deref()), (Some("life"), Some("sky")));
    assert_eq!(direct, succeed(here.path(), &["facets", "--ranks", "ranks.tsv", "--page", "wolf", "--page", "sun", "-q"]));
    fs::write(here.path().join("results"), "wolf\nnowhere\nwolf\nsun\n").unwrap();
    let Ran { code, stdout: out, stderr } = rank(here.path(), &["facets", "--ranks", "ranks.tsv", "--list", "results"]);
    assert!(code == Some(0) && stderr.contains("1 pages have no rank"), "{stderr}");
    let shares: Vec<&str> = out.lines().collect();
    assert!(shares[0] == "facet\tshare" && shares.contains(&"life\t0.5000"), "{out}");
    let mut search = program(here.path(), &["rank", "facets", "--ranks", "ranks.tsv", "--list", "-", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    search.stdin.take().unwrap().write_all(b"wolf\nsun\n").unwrap();
    assert_eq!(String::from_utf8(search.wait_with_output().unwrap().stdout).unwrap(), out);
    // By life alone `fox` is below the mean; relative to its general rank it is above.
    assert!(!succeed(here.path(), &["facets", "--ranks", "ranks.tsv", "--page", "fox"]).contains("life"));
    assert!(succeed(here.path(), &["facets", "--ranks", "ranks.tsv", "--page", "fox", "--relative"]).contains("fox\tlife\t"));
    // Topics below those found are ranked as needed.
    let down = ["facets", "links.txt", "--taxonomy", "topics.tsv", "--list", "results", "--identify", "--dimension", "siblings"];
    let found = succeed(here.path(), &down);
    assert!(found.contains("life/wild\t"), "{found}");
}

#[test]
fn bad_input_is_reported_and_leaves_no_files() {
    let here = here();
    fs::write(here.path().join("ragged"), "life\tfox\nlife\n").unwrap();
    fs::write(here.path().join("unknown"), "fox\tlife\n").unwrap();
    fs::write(here.path().join("cut"), [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).unwrap();
    fs::write(here.path().join("one"), "x\t1\n").unwrap();
    fs::write(here.path().join("bad"), "x\t1\ny\n").unwrap();
    let before = fs::read_dir(here.path()).unwrap().count();
    for (arguments, want) in [
        (&["topics", "links.txt", "--taxonomy", "ragged"][..], "ragged, line 2: 1 fields"),
        (&["topics", "links.txt", "--taxonomy", "unknown"], "--pages-first"),
        (&["topics", "links.txt", "--taxonomy", "cut"], "near byte"),
        (&["topics", "links.txt", "--taxonomy", "topics.tsv", "--topic", "sports"], "top-level topics are life, sky"),
        (&["topics", "links.txt", "--taxonomy", "topics.tsv", "--root", "top"], "--root"),
        (&["topics", "links.txt", "--taxonomy", "topics.tsv", "--combine", "life"], "TOPIC=WEIGHT"),
        (&["topics", "links.txt", "--taxonomy", "topics.tsv", "--combine", "life=1,none=1"], "none"),
        (&["topics", "links.txt", "--taxonomy", "topics.tsv", "--combine", "sky: life=1"], "another ranking"),
        (&["topics", "links.txt", "--taxonomy", "topics.tsv", "--format", "parquet", "--top", "3"], ""),
        (&["topics", "links.txt", "--taxonomy", "topics.tsv", "--max-iterations", "1"], "--max-iterations"),
        (&["compare", "one"], "another file"),
        (&["compare", "one", "bad"], "bad, line 2"),
        (&["compare", "one", "one"], "called"),
        (&["compare", "one", "nothing"], "nothing"),
        (&["compare", "one", "--judgements", "links.txt"], "no relevant page"),
    ] {
        let out = if arguments[0] == "topics" && !want.is_empty() { &["--out", "result"][..] } else { &[] };
        let Ran { code, stderr, .. } = rank(here.path(), &[arguments, out].concat());
        assert!(code == Some(2) && stderr.contains(want), "{arguments:?}: {stderr} should say {want}");
        assert_eq!(fs::read_dir(here.path()).unwrap().count(), before, "{arguments:?}");
    }
    for (arguments, want) in [
        (&["facets", "--ranks", "one", "--page", "y"][..], "y has no rank"),
        (&["facets", "--ranks", "one"], "--page"),
        (&["facets", "links.txt", "--page", "fox"], "--taxonomy"),
        (&["facets", "--page", "fox"], "--ranks"),
        (&["facets", "--ranks", "one", "--page", "x", "--relative"], "column *"),
        (&["facets", "--ranks", "one", "--list", "links.txt"], "none of"),
    ] {
        let Ran { code, stderr, .. } = rank(here.path(), arguments);
        assert!(code == Some(2) && stderr.contains(want), "{arguments:?}: {stderr} should say {want}");
    }
    for arguments in [
        &["topics", "links.txt", "--taxonomy", "topics.tsv", "--out", "topics.tsv"][..],
        &["compare", "one", "bad", "--svg", "one"],
    ] {
        let Ran { code, stderr, .. } = rank(here.path(), arguments);
        assert!(code == Some(2) && stderr.contains("would overwrite"), "{stderr}");
    }
}
