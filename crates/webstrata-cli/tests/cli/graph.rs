//! `webstrata graph`: building, extending, querying, generating and exporting graphs.

use crate::common::{Ran, program, run};
use crate::rank::{ranks, succeed};
use std::fs;
use std::path::Path;
use webstrata_corpus::archive::{Packing, WarcWriter};

/// Runs `webstrata graph`, which must succeed, and returns standard output.
fn graph(folder: &Path, arguments: &[&str]) -> String {
    let Ran { code, stdout, stderr } = run(folder, &[&["graph"], arguments].concat());
    assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
    stdout
}

/// A run over three pages of two hosts.
fn crawl() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = WarcWriter::new(Vec::new(), Packing::Gzip).unwrap();
    let text = "Some words about the matter at hand, so that there is a paragraph and not only links. ".repeat(6);
    for (url, links) in [
        ("https://www.b.org/1", "<a href=/2>next</a> <a href='https://a.org/#top'>there</a> <a href='mailto:x@b.org'>mail</a>"),
        ("https://www.b.org/2", "<a href=/1>back</a> <a href='https://a.org/'>there</a>"),
        ("https://a.org/", "<a href='https://www.b.org/1'>here</a>"),
    ] {
        let page = format!("<html><body><h1>A page</h1><p>{text} {links} {text}</p></body></html>");
        archive.page(url, "2024-05-01T12:00:00Z", "text/html; charset=utf-8", page.as_bytes()).unwrap();
    }
    fs::write(folder.path().join("a.warc.gz"), archive.into_inner()).unwrap();
    let done = program(folder.path(), &["run", "a.warc.gz", "--out", "run"]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    folder
}

#[test]
fn links_of_a_run_are_exported() {
    let folder = crawl();
    let export = |arguments: &[&str]| graph(folder.path(), &[&["export", "run", "--out", "graph"], arguments].concat());
    let read = |name: &str| fs::read_to_string(folder.path().join("graph").join(name)).unwrap();
    assert!(export(&[]).starts_with("3 pages, 5 edges, "), "{}", export(&[]));
    assert_eq!(read("vertices.txt"), "0\thttps://a.org/\n1\thttps://www.b.org/1\n2\thttps://www.b.org/2\n");
    assert_eq!(read("edges.txt"), "0\t1\n1\t0\n1\t2\n2\t0\n2\t1\n");
    assert!(read("strata.txt").lines().all(|line| line.split('\t').count() == 5));
    assert!(read("strata.txt").contains("1\t2\tinside\t") && read("strata.txt").contains("2\t0\toutside\t"));
    assert!(export(&["--hosts"]).starts_with("2 hosts, 2 edges, "));
    assert_eq!(read("vertices.txt"), "0\torg.a\n1\torg.b.www\n");
    export(&["--format", "parquet", "--memory", "64M"]);
    assert!(fs::read(folder.path().join("graph/strata.parquet")).unwrap().starts_with(b"PAR1"));
}

#[cfg(feature = "bvgraph")]
#[test]
fn bvgraphs_are_exported_and_built() {
    let folder = crawl();
    graph(folder.path(), &["export", "run", "--out", "graph", "--format", "bvgraph"]);
    let properties = fs::read_to_string(folder.path().join("graph/graph.properties")).unwrap();
    assert!(properties.contains("nodes=3"), "{properties}");
    graph(folder.path(), &["build", "graph/graph.graph", "--out", "web"]);
    assert_eq!(graph(folder.path(), &["backlinks", "web", "2"]), "1\n");
}

#[test]
fn a_folder_without_a_run_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &["graph", "export", "nothing", "--out", "graph"]).complains(2, &["nothing", "webstrata run"]);
    assert!(!folder.path().join("graph").exists());
}

#[test]
fn strata_of_a_run_are_in_its_graph() {
    let folder = crawl();
    graph(folder.path(), &["build", "run", "--out", "web"]);
    let backlinks = graph(folder.path(), &["backlinks", "web", "https://a.org/", "--strata"]);
    assert_eq!(backlinks, "https://www.b.org/1\tcontent\nhttps://www.b.org/2\tcontent\n");
    let surfer = ["pagerank", "web", "--surfer", "strata", "--weight", "content=2", "--again", "content=0.5", "--quiet"];
    let ranked = ranks(&succeed(folder.path(), &[&surfer[..], &["--arrivals", "arrivals.csv"]].concat()));
    assert!((ranked.iter().map(|(_, rank)| rank).sum::<f64>() - 1.0).abs() < 1e-9);
    let arrivals = fs::read_to_string(folder.path().join("arrivals.csv")).unwrap();
    assert!(arrivals.contains("\ncontent,0.") && arrivals.contains("\nnavigation,"), "{arrivals}");
}

#[test]
fn graphs_are_built_queried_and_extended() {
    let here = tempfile::tempdir().unwrap();
    fs::write(
        here.path().join("a.txt"),
        "http://b.org/ http://a.org/\nhttp://a.org/ http://a.org/x\nhttp://a.org/ http://b.org/\n",
    )
    .unwrap();
    fs::write(here.path().join("b.txt"), "http://a.org/new http://a.org/\nhttp://c.org/ http://a.org/\n").unwrap();
    graph(here.path(), &["build", "a.txt", "--out", "web"]);
    assert_eq!(graph(here.path(), &["backlinks", "web", "http://a.org/"]), "http://b.org/\n");
    let before = fs::read(here.path().join("web")).unwrap();
    graph(here.path(), &["add", "web", "b.txt"]);
    assert_eq!(fs::read(here.path().join("web")).unwrap(), before);
    let backlinks = graph(here.path(), &["backlinks", "web", "http://a.org/"]);
    assert_eq!(backlinks, "http://a.org/new\nhttp://b.org/\nhttp://c.org/\n");
    let grown = succeed(here.path(), &["pagerank", "web"]);
    graph(here.path(), &["build", "web", "--out", "web"]);
    assert_eq!(fs::read_dir(here.path()).unwrap().count(), 3);
    assert_eq!(succeed(here.path(), &["pagerank", "web"]), grown);
    let unknown = ["graph", "backlinks", "web", "http://nowhere.org/"];
    run(here.path(), &unknown).complains(2, &["http://nowhere.org/ is not in web"]);
    fs::write(here.path().join("seeds"), "http://c.org/\n").unwrap();
    let biased = ranks(&succeed(here.path(), &["pagerank", "web", "--preference", "seeds", "--top", "2"]));
    // Nothing links to the seed; the page that it links to also has other predecessors.
    assert_eq!((biased[0].0.as_str(), biased[1].0.as_str()), ("http://a.org/", "http://c.org/"));
    let staying = succeed(here.path(), &["pagerank", "web", "--stay", "0.9", "--leave", "0.1"]);
    assert_ne!(staying, grown);
    assert_eq!(succeed(here.path(), &["pagerank", "web", "--surfer", "hosts", "--stay", "0.9", "--leave", "0.1"]), staying);
    let weighted = ["pagerank", "web", "--surfer", "weighted", "--stay", "0.3", "--leave", "0.3"];
    assert_eq!(succeed(here.path(), &weighted), grown);
    let strict = ["pagerank", "web", "--stay", "0.9", "--leave", "0.1", "--absent", "jump", "--arrivals", "arrivals.csv"];
    assert_ne!(succeed(here.path(), &strict), staying);
    let arrivals = fs::read_to_string(here.path().join("arrivals.csv")).unwrap();
    let names: Vec<&str> = arrivals.lines().map(|line| line.split_once(',').unwrap().0).collect();
    assert_eq!(names, ["arrival", "jump", "inside", "outside"]);
    let shares: f64 = arrivals.lines().skip(1).map(|line| line.split_once(',').unwrap().1.parse::<f64>().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{arrivals}");
}

#[test]
fn generated_graphs_are_reproducible() {
    let here = tempfile::tempdir().unwrap();
    let size = ["--num-pages", "4000", "--num-hosts", "40", "--num-links", "30000"];
    graph(here.path(), &[&["generate", "--out", "g"][..], &size].concat());
    graph(here.path(), &[&["generate", "--out", "h"][..], &size].concat());
    assert_eq!(fs::read(here.path().join("g")).unwrap(), fs::read(here.path().join("h")).unwrap());
    assert_eq!(ranks(&succeed(here.path(), &["pagerank", "g"])).len(), 4000);
}
