//! `webstrata graph`, on what `webstrata run` has written.

use crate::common::program;
use std::fs;
use webstrata_corpus::archive::{Packing, WarcWriter};

/// A run over three pages of two hosts.
fn run() -> tempfile::TempDir {
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
fn links_become_a_graph() {
    let folder = run();
    let graph = |arguments: &[&str]| {
        let done = program(folder.path(), &["graph", "run", "--out", "graph"]).args(arguments).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    let read = |name: &str| fs::read_to_string(folder.path().join("graph").join(name)).unwrap();
    assert!(graph(&[]).starts_with("3 pages, 5 edges, "), "{}", graph(&[]));
    assert_eq!(read("vertices.txt"), "0\thttps://a.org/\n1\thttps://www.b.org/1\n2\thttps://www.b.org/2\n");
    assert_eq!(read("edges.txt"), "0\t1\n1\t0\n1\t2\n2\t0\n2\t1\n");
    assert!(read("strata.txt").lines().all(|line| line.split('\t').count() == 5));
    assert!(read("strata.txt").contains("1\t2\tinside\t") && read("strata.txt").contains("2\t0\toutside\t"));
    assert!(graph(&["--hosts"]).starts_with("2 hosts, 2 edges, "));
    assert_eq!(read("vertices.txt"), "0\torg.a\n1\torg.b.www\n");
    graph(&["--format", "parquet"]);
    assert!(fs::read(folder.path().join("graph/strata.parquet")).unwrap().starts_with(b"PAR1"));
    graph(&["--format", "bvgraph"]);
    assert!(read("graph.properties").contains("nodes=3"), "{}", read("graph.properties"));
}

#[test]
fn a_folder_without_a_run_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let done = program(folder.path(), &["graph", "nothing", "--out", "graph"]).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(said.contains("nothing") && said.contains("webstrata run"), "{said}");
    assert!(!folder.path().join("graph").exists());
}
