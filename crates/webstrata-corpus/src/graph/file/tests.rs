//! Files are read back as written; damaged and forged files are refused.
use super::super::tests::links;
use super::super::{Graph, GraphError};
use super::*;
use proptest::prelude::*;
use std::fs;
use xxhash_rust::xxh3::xxh3_64;

fn same(one: &Graph, two: &Graph) {
    assert_eq!((one.num_pages(), one.num_hosts(), one.num_links()), (two.num_pages(), two.num_hosts(), two.num_links()));
    assert_eq!((one.has_hosts(), one.has_strata()), (two.has_hosts(), two.has_strata()));
    for page in 0..one.num_pages() {
        assert!(one.predecessors_with_strata(page).eq(two.predecessors_with_strata(page)));
        assert_eq!((one.name(page), one.degrees[page]), (two.name(page), two.degrees[page]));
    }
}

fn names(count: u32) -> Graph {
    let name = |n: u32| format!("http://h{}.org/{n}", n % 11);
    Graph::from_names((0..count).map(|n| (name(n), name(n * 13 % count)))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn files_come_back(links in links(700, 3000)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g");
        let graph = Graph::from_links(700, links.clone()).unwrap();
        graph.save(&path).unwrap();
        same(&graph, &Graph::open(&path).unwrap());
        let hosts: Vec<u32> = (0..700).map(|page| page / 31).collect();
        let graph = Graph::with_hosts(&hosts, links.iter().map(|&(from, to)| (from, to, (from % 8) as u8))).unwrap();
        graph.save(&path).unwrap();
        same(&graph, &Graph::open(&path).unwrap());
        prop_assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn a_changed_byte_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g");
    let graph = names(400);
    graph.save(&path).unwrap();
    same(&graph, &Graph::open(&path).unwrap());
    let bytes = fs::read(&path).unwrap();
    let tables: Vec<(usize, usize)> = rows(&bytes);
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        fs::write(&path, &changed).unwrap();
        let padding = at >= MAGIC.len() && at < directory_at(&bytes) && !tables.iter().any(|&(from, to)| (from..to).contains(&at));
        match Graph::open(&path) {
            Ok(graph) => assert!(padding && graph.num_pages() == 400, "byte {at}"),
            Err(error) => assert!(error.to_string().contains("graph build"), "{error}"),
        }
        let _ = Graph::open_unchecked(&path);
    }
    for length in [0, 1, 15, 16, 39, 40, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(Graph::open(&path).is_err() && Graph::open_unchecked(&path).is_err(), "{length} bytes");
    }
}

fn directory_at(bytes: &[u8]) -> usize {
    let tail = bytes.len() - FOOTER;
    tail - u64::from_le_bytes(bytes[tail..tail + 8].try_into().unwrap()) as usize
}

fn rows(bytes: &[u8]) -> Vec<(usize, usize)> {
    let list = &bytes[directory_at(bytes)..bytes.len() - FOOTER];
    let number = |row: &[u8], at: usize| u64::from_le_bytes(row[at..at + 8].try_into().unwrap()) as usize;
    list[DIRECTORY_HEADER..].chunks(DIRECTORY_ENTRY).map(|row| (number(row, 4), number(row, 4) + number(row, 12))).collect()
}

/// Forges numbers in a table with correct checksums.
fn forged(bytes: &[u8], kind: Kind, change: impl Fn(&mut [u8])) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let (list, end) = (directory_at(&bytes), bytes.len() - FOOTER);
    for row in (list + DIRECTORY_HEADER..end).step_by(DIRECTORY_ENTRY) {
        let number = |at: usize| u64::from_le_bytes(bytes[row + at..row + at + 8].try_into().unwrap()) as usize;
        if u32::from_le_bytes(bytes[row..row + 4].try_into().unwrap()) == kind as u32 {
            let (offset, length) = (number(4), number(12));
            change(&mut bytes[offset..offset + length]);
            let hash = xxh3_64(&bytes[offset..offset + length]);
            bytes[row + 20..row + 28].copy_from_slice(&hash.to_le_bytes());
        }
    }
    let hash = xxh3_64(&bytes[list..end]);
    bytes[end + 8..end + 16].copy_from_slice(&hash.to_le_bytes());
    bytes
}

#[test]
fn forged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g");
    names(400).save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, forged(&bytes, Kind::Adjacency, |_| ())).unwrap();
    Graph::open(&path).unwrap();
    for kind in [Kind::Adjacency, Kind::Index, Kind::Degrees, Kind::Starts, Kind::Offsets, Kind::HostOrder] {
        for change in [0xff, 0x7f, 0] {
            let forged = forged(&bytes, kind, |table| table.fill(change));
            fs::write(&path, forged).unwrap();
            let error = Graph::open(&path).unwrap_err();
            assert!(matches!(error, GraphError::Damaged { .. }), "{kind:?} {error}");
            // Without verification, answers may be wrong but must not panic.
            if let Ok(graph) = Graph::open_unchecked(&path) {
                for page in 0..graph.num_pages() + 2 {
                    let _ = (
                        graph.predecessors_with_strata(page).count(),
                        graph.name(page),
                        graph.host_of(page),
                        graph.out_degree(page),
                    );
                }
                let _ = graph.find("http://h3.org/14");
            }
        }
    }
    // Names that share more bytes with the previous one than it has.
    fs::write(&path, forged(&bytes, Kind::Texts, |table| table.fill(0x7f))).unwrap();
    assert!(Graph::open(&path).is_err());
}
