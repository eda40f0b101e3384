//! Valid and invalid edge lists.
use super::*;
use std::fs;
use std::io::Write;
use webstrata::label::Role;

fn build(bytes: &[u8], options: impl FnOnce(&mut BuildOptions)) -> Result<Built, GraphError> {
    let folder = tempfile::tempdir().unwrap();
    let (list, out) = (folder.path().join("edges"), folder.path().join("g"));
    fs::write(&list, bytes).unwrap();
    let mut chosen = BuildOptions { memory: 1 << 12, temp_dir: folder.path().to_owned(), ..BuildOptions::default() };
    options(&mut chosen);
    let built = edge_list(&list, None, &chosen, &mut |_| true);
    // The same on disk as in memory, and no other files are left.
    let written = edge_list(&list, Some(&out), &chosen, &mut |_| true);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), if built.is_ok() { 2 } else { 1 });
    match (&built, &written) {
        (Ok(one), Ok(two)) => {
            let checked = Graph::open(&out).unwrap();
            for page in 0..one.graph.num_pages() {
                assert!(one.graph.predecessors(page).eq(two.graph.predecessors(page)));
                assert_eq!(one.graph.name(page), checked.name(page));
            }
        }
        (one, two) => assert_eq!(one.as_ref().unwrap_err().to_string(), two.as_ref().unwrap_err().to_string()),
    }
    built
}

fn error(bytes: &[u8], options: impl FnOnce(&mut BuildOptions)) -> String {
    build(bytes, options).unwrap_err().to_string()
}

fn links(graph: &Graph) -> Vec<(String, String)> {
    let mut links: Vec<(String, String)> = (0..graph.num_pages())
        .flat_map(|page| graph.predecessors(page).map(move |source| (graph.name(source as usize), graph.name(page))))
        .collect();
    links.sort();
    links
}

#[test]
fn numbers_in_any_order_with_gaps() {
    let built = build(b"# comment\r\n\n12 7\n7\t12\n7  3000000000 \n7 7\r\n12 7\n3000000000 12", |_| ()).unwrap();
    let graph = &built.graph;
    assert_eq!((graph.num_pages(), graph.num_links(), built.counts.read), (3, 5, 6));
    assert_eq!([graph.name(0), graph.name(1), graph.name(2)], ["7", "12", "3000000000"]);
    assert!(graph.links_to_itself(0) && graph.out_degree(0) == 3);
    let link = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    assert_eq!(links(graph), [link("12", "7"), link("3000000000", "12"), link("7", "12"), link("7", "3000000000")]);
    assert_eq!((graph.find("12"), graph.find("8"), graph.find("012")), (Some(1), None, None));
}

#[test]
fn counted_pages_may_have_no_links() {
    let built = build(b"3 1\n", |options| options.pages = Pages::Count(6)).unwrap();
    assert_eq!(
        (built.graph.num_pages(), built.graph.name(5), built.graph.predecessors(1).collect::<Vec<_>>()),
        (6, "5".into(), vec![3])
    );
    assert!(error(b"0 1\n1 6\n", |options| options.pages = Pages::Count(6)).contains("line 2: page 6 is out of range"));
}

#[test]
fn names_are_sorted_by_their_hosts() {
    let list = "http://b.org/x\thttp://a.org/\nMain Page\thttp://www.a.org\nhttp://a.org/\thttp://b.org/x\nhttp://b.org/x\thttp://a.org/\n";
    let graph = build(list.as_bytes(), |_| ()).unwrap().graph;
    let names: Vec<String> = (0..graph.num_pages()).map(|page| graph.name(page)).collect();
    assert_eq!(names, ["Main Page", "http://a.org/", "http://www.a.org", "http://b.org/x"]);
    assert_eq!((graph.num_hosts(), graph.num_links(), graph.has_strata()), (4, 3, false));
    names.iter().enumerate().for_each(|(page, name)| assert_eq!(graph.find(name), Some(page)));
    // Numbers can be names.
    let graph = build(b"10 9\n9 b\n", |options| options.pages = Pages::Names).unwrap().graph;
    assert_eq!((graph.name(0), graph.num_pages()), ("10".into(), 3));
}

#[test]
fn compressed_lists_give_the_same_graph() {
    let text: String = (0..5000u32).map(|n| format!("{} {}\n", n * 7 % 1000, n * 13 % 997)).collect();
    let plain = links(&build(text.as_bytes(), |_| ()).unwrap().graph);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&text.as_bytes()[..20_000]).unwrap();
    let mut packed = gzip.finish().unwrap();
    // A second member, as made by `cat a.gz b.gz`.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&text.as_bytes()[20_000..]).unwrap();
    packed.extend(gzip.finish().unwrap());
    assert_eq!(links(&build(&packed, |_| ()).unwrap().graph), plain);
    let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
    assert_eq!(links(&build(&zstd, |_| ()).unwrap().graph), plain);
    for cut in [&packed[..packed.len() - 9], &packed[..packed.len() / 2], &zstd[..zstd.len() - 4]] {
        let message = error(cut, |_| ());
        assert!(message.contains("near byte ") && message.contains("copy or download"), "{message}");
    }
    let mut damaged = packed;
    damaged[200] ^= 0xff;
    // The damage may first show as an invalid line.
    let message = error(&damaged, |_| ());
    assert!(message.contains("near byte") || message.contains("line "), "{message}");
}

#[test]
fn invalid_lines_are_reported() {
    for (list, want) in [
        (&b"0 1\n\n# x\n2\n"[..], "line 4: 1 fields instead of two"),
        (b"0 1 2\n", "line 1: 3 fields"),
        (b"0\t\n", "line 1: 2 fields"),
        (b"0 1\n1 a\n", "line 2: \"a\" is not a number"),
        (b"0 1\n1 -1\n", "line 2: \"-1\" is not a number"),
        (b"0 4294967295\n", "page 4294967295 is out of range"),
        (b"0 99999999999999999999999\n", "line 1: page 18446744073709551615 is out of range"),
        (b"", "has no links"),
        (b"# nothing\n\n", "has no links"),
        (b"a b\na \xff\n", "line 2: it is not UTF-8"),
        (b"a b\na\tb\x01\n", "control character"),
    ] {
        let message = error(list, |_| ());
        assert!(message.contains(want), "{message} should say {want}");
    }
    let long = [b"0 1\n".as_slice(), &vec![b'7'; 1 << 18]].concat();
    assert!(error(&long, |_| ()).contains("longer than"));
    let missing = edge_list(Path::new("/nowhere/edges"), None, &BuildOptions::default(), &mut |_| true).unwrap_err().to_string();
    assert!(missing.contains("/nowhere/edges"));
}

#[test]
fn strata_come_from_roles() {
    let link = |from: &str, to: &str, role: Role| {
        Ok(LinkRow { source: from.into(), target: to.into(), role: Some(role), ..LinkRow::default() })
    };
    let links = [
        link("http://a.org/", "http://b.org/#x", Role::Navigation),
        link("http://a.org/", "http://b.org/", Role::Body),
        link("http://b.org/", "http://a.org/", Role::Footer),
        link("http://b.org/", "mailto:x", Role::Footer),
    ];
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions { temp_dir: folder.path().to_owned(), ..BuildOptions::default() };
    let built = links_of_run(Path::new("run"), links, None, &options).unwrap();
    assert_eq!(built.counts, Counts { read: 4, left_out: 1, links: 2 });
    let strata =
        |page| built.graph.predecessors_with_strata(page).map(|(_, stratum)| Stratum::from_number(stratum)).collect::<Vec<_>>();
    assert_eq!((strata(0), strata(1)), (vec![Stratum::Footer], vec![Stratum::Content]));
    let none = links_of_run(Path::new("run"), [], None, &options).unwrap_err().to_string();
    assert!(none.contains("run has no links"), "{none}");
}

#[cfg(feature = "bvgraph")]
#[test]
fn bvgraphs_have_the_same_links() {
    use crate::graph::export::{ExportFormat, ExportOptions, export_links};
    let link = |from: u32, to: u32| LinkRow {
        source: format!("http://a.org/{from:03}"),
        target: format!("http://a.org/{to:03}"),
        ..LinkRow::default()
    };
    let rows: Vec<LinkRow> = (0..2000u32).map(|n| link(n % 300, n.wrapping_mul(2_654_435_761) % 500)).collect();
    let folder = tempfile::tempdir().unwrap();
    let options = ExportOptions { format: ExportFormat::BvGraph, ..ExportOptions::default() };
    export_links(rows.iter().cloned().map(Ok), folder.path(), &options).unwrap();
    let temp_dir = BuildOptions { temp_dir: folder.path().to_owned(), ..BuildOptions::default() };
    let packed = bvgraph(&folder.path().join("graph"), None, &temp_dir).unwrap().graph;
    let plain = links_of_run(Path::new("run"), rows.into_iter().map(Ok), None, &temp_dir).unwrap().graph;
    assert_eq!((packed.num_pages(), packed.num_links()), (plain.num_pages(), plain.num_links()));
    for page in 0..plain.num_pages() {
        assert!(packed.predecessors(page).eq(plain.predecessors(page)));
        assert_eq!(packed.out_degree(page), plain.out_degree(page));
    }
    let missing = bvgraph(&folder.path().join("none"), None, &temp_dir).unwrap_err().to_string();
    assert!(missing.contains("none"), "{missing}");
    let properties = folder.path().join("graph.properties");
    let text = fs::read_to_string(&properties).unwrap();
    let negative =
        text.lines().map(|line| if line.starts_with("windowsize") { "windowsize=-3\n".into() } else { format!("{line}\n") });
    fs::write(&properties, negative.collect::<String>()).unwrap();
    let refused = bvgraph(&folder.path().join("graph"), None, &temp_dir).unwrap_err().to_string();
    assert!(refused.contains("windowsize is \"-3\"") && refused.contains("graph.properties, line"), "{refused}");
    fs::write(&properties, text).unwrap();
    // A truncated file is an error, not a panic.
    let path = folder.path().join("graph.graph");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 3]).unwrap();
    assert!(bvgraph(&folder.path().join("graph"), None, &temp_dir).is_err());
}
