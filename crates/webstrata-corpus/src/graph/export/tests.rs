//! Exported files against files made in memory.

use super::super::vertex;
use super::*;
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use webstrata::label::Role;

fn row(from: &str, to: &str, role: Option<Role>) -> LinkRow {
    LinkRow { source: from.into(), target: to.into(), role, ..LinkRow::default() }
}

/// The expected contents of the three text files, computed naively.
fn naive(links: &[LinkRow], level: Level) -> [String; 3] {
    let named: Vec<(Vec<u8>, Vec<u8>, &LinkRow)> = links
        .iter()
        .filter_map(|link| Some((vertex::key(&link.source, level)?, vertex::key(&link.target, level)?, link)))
        .collect();
    let vertices: BTreeSet<&Vec<u8>> = named.iter().flat_map(|(from, to, _)| [from, to]).collect();
    let ids: BTreeMap<&Vec<u8>, usize> = vertices.iter().enumerate().map(|(id, &name)| (name, id)).collect();
    let mut edges = BTreeSet::new();
    let mut strata: BTreeMap<(usize, usize, bool, &str), u64> = BTreeMap::new();
    for (from, to, link) in &named {
        let (one, two) = (ids[from], ids[to]);
        if level == Level::Pages || one != two {
            edges.insert((one, two));
        }
        let inside = vertex::host(from) == vertex::host(to);
        *strata.entry((one, two, inside, link.role.map_or("", Role::name))).or_default() += 1;
    }
    let shown = |name: &[u8]| String::from_utf8(vertex::name(name).to_vec()).unwrap();
    let line = |((from, to, inside, role), links): (&(usize, usize, bool, &str), &u64)| {
        let (side, role) = (if *inside { "inside" } else { "outside" }, if role.is_empty() { "-" } else { role });
        format!("{from}\t{to}\t{side}\t{role}\t{links}\n")
    };
    [
        vertices.iter().enumerate().map(|(id, name)| format!("{id}\t{}\n", shown(name))).collect(),
        edges.iter().map(|(from, to)| format!("{from}\t{to}\n")).collect(),
        strata.iter().map(line).collect(),
    ]
}

/// The contents of the files.
fn exported(links: &[LinkRow], level: Level, memory: usize) -> ([String; 3], ExportSummary) {
    let folder = tempfile::tempdir().unwrap();
    let options = ExportOptions { level, memory, ..ExportOptions::default() };
    let summary = export_links(links.iter().cloned().map(Ok), folder.path(), &options).unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let files = [read("vertices.txt"), read("edges.txt"), read("strata.txt")];
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left");
    (files, summary)
}

proptest! {
    // Every case writes six files.
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn files_match_what_is_computed_in_memory(
        links in prop::collection::vec((0..8usize, 0..12usize, 0..8usize, 0..12usize, 0..4usize), 0..300),
        hosts in any::<bool>(),
    ) {
        let hosts_of = ["a.org", "www.a.org", "a.org.uk", "b-a.org", "b.org", "127.0.0.1", "x.b.org", "aa.org"];
        let address = |host: usize, page: usize| match page {
            0 => "mailto:a@b.org".to_owned(),
            1 => format!("https://{}", hosts_of[host]),
            page if page < 6 => format!("http://{}/{}", hosts_of[host], "p".repeat(page)),
            page => format!("https://{}/p/{page}?q#f", hosts_of[host]),
        };
        let roles = [None, Some(Role::Navigation), Some(Role::Body), Some(Role::Advertisement)];
        let links: Vec<LinkRow> =
            links.into_iter().map(|(a, b, c, d, role)| row(&address(a, b), &address(c, d), roles[role])).collect();
        let level = if hosts { Level::Hosts } else { Level::Pages };
        let want = naive(&links, level);
        let (small, summary) = exported(&links, level, 1 << 12);
        prop_assert_eq!(&small, &want);
        prop_assert_eq!(&exported(&links, level, 1 << 20).0, &want);
        prop_assert_eq!(summary.links, links.len() as u64);
        prop_assert_eq!(summary.vertices, want[0].lines().count() as u64);
        prop_assert_eq!(summary.edges, want[1].lines().count() as u64);
    }
}

/// Links among three hosts.
fn some_links() -> Vec<LinkRow> {
    vec![
        row("https://www.b.org/1", "https://a.org/", Some(Role::Body)),
        row("https://www.b.org/1", "https://a.org/#part", Some(Role::Body)),
        row("https://www.b.org/1", "https://a.org/", Some(Role::Navigation)),
        row("https://www.b.org/1", "https://www.b.org/2", None),
        row("https://a.org/", "http://c.org/x", Some(Role::Related)),
        row("a.warc@12", "https://a.org/", Some(Role::Body)),
    ]
}

#[test]
fn edges_are_split_by_stratum() {
    let ([vertices, edges, strata], summary) = exported(&some_links(), Level::Pages, 1 << 20);
    assert_eq!(vertices, "0\thttps://a.org/\n1\thttps://www.b.org/1\n2\thttps://www.b.org/2\n3\thttp://c.org/x\n");
    assert_eq!(edges, "0\t3\n1\t0\n1\t2\n");
    assert_eq!(strata, "0\t3\toutside\trelated\t1\n1\t0\toutside\tbody\t2\n1\t0\toutside\tnavigation\t1\n1\t2\tinside\t-\t1\n");
    assert_eq!(summary, ExportSummary { links: 6, left_out: 1, vertices: 4, edges: 3, inside: 1 });
    let ([vertices, edges, strata], summary) = exported(&some_links(), Level::Hosts, 1 << 20);
    assert_eq!(vertices, "0\torg.a\n1\torg.b.www\n2\torg.c\n");
    assert_eq!(edges, "0\t2\n1\t0\n");
    assert_eq!(strata.lines().next_back(), Some("1\t1\tinside\t-\t1"));
    assert_eq!(summary.edges, 2);
}

#[test]
fn parquet_has_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let options = ExportOptions { format: ExportFormat::Parquet, ..ExportOptions::default() };
    export_links(some_links().into_iter().map(Ok), folder.path(), &options).unwrap();
    let read = |name: &str| {
        let file = fs::File::open(folder.path().join(name)).unwrap();
        let mut batches = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
        batches.next().unwrap().unwrap()
    };
    let vertices = read("vertices.parquet");
    let (names, hosts) = (vertices.column(1).as_string::<i32>(), vertices.column(2).as_string::<i32>());
    assert_eq!((names.value(1), hosts.value(1), vertices.num_rows()), ("https://www.b.org/1", "org.b.www", 4));
    let strata = read("strata.parquet");
    let number = |column: usize, row: usize| strata.column(column).as_primitive::<UInt64Type>().value(row);
    assert_eq!((number(0, 1), number(1, 1), number(4, 1)), (1, 0, 2));
    let last = strata.num_rows() - 1;
    assert!(strata.column(2).as_boolean().value(last) && arrow_array::Array::is_null(strata.column(3), last));
}

#[test]
fn an_unreadable_run_leaves_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let links = [Ok(row("https://a.org/", "https://b.org/", None)), Err(StoreError::NoRun("x".into()))];
    assert!(export_links(links, folder.path(), &ExportOptions::default()).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(not(feature = "bvgraph"))]
#[test]
fn a_missing_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let options = ExportOptions { format: ExportFormat::BvGraph, ..ExportOptions::default() };
    assert!(matches!(export_links([], folder.path(), &options), Err(GraphError::NoBvGraph)));
}

#[cfg(feature = "bvgraph")]
#[test]
fn bvgraphs_have_the_same_edges() {
    use lender::prelude::*;
    use webgraph::graphs::bvgraph::BvGraphSeq;
    use webgraph::traits::SequentialLabeling;
    let mut links = some_links();
    for number in 0..2000u32 {
        let other = number.wrapping_mul(2_654_435_761) % 500;
        links.push(row(&format!("https://d.org/{}", number % 300), &format!("https://d.org/{other}"), None));
    }
    for level in [Level::Pages, Level::Hosts] {
        let folder = tempfile::tempdir().unwrap();
        let options = ExportOptions { format: ExportFormat::BvGraph, level, ..ExportOptions::default() };
        let summary = export_links(links.iter().cloned().map(Ok), folder.path(), &options).unwrap();
        let graph =
            BvGraphSeq::with_basename(folder.path().join("graph")).endianness::<dsi_bitstream::traits::BE>().load().unwrap();
        assert_eq!(graph.num_nodes() as u64, summary.vertices);
        let mut edges = String::new();
        let mut nodes = graph.iter();
        while let Some((from, successors)) = nodes.next() {
            for to in successors {
                edges.push_str(&format!("{from}\t{to}\n"));
            }
        }
        assert_eq!(edges, naive(&links, level)[1]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5, "nothing else is left");
    }
}
