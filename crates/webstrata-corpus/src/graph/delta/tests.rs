//! An extended graph equals the graph of all its links, with the old identifiers.
use super::super::build::{BuildOptions, edge_list};
use super::super::rank::{Preference, SolveOptions, solve};
use super::*;
use proptest::prelude::*;
use std::fs;

fn text(links: &[(u32, u32)], name: impl Fn(u32) -> String) -> String {
    links.iter().map(|&(from, to)| format!("{}\t{}\n", name(from), name(to))).collect()
}

fn links_of(graph: &Graph) -> Vec<(String, String)> {
    let mut links: Vec<(String, String)> = (0..graph.num_pages())
        .flat_map(|page| {
            let own = graph.links_to_itself(page).then_some(page as u32);
            graph.predecessors(page).chain(own).map(move |source| (graph.name(source as usize), graph.name(page)))
        })
        .collect();
    links.sort();
    links
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn extending_equals_building(old in prop::collection::vec((0..60u32, 0..60u32), 1..100), first in prop::collection::vec((0..90u32, 0..90u32), 1..60), second in prop::collection::vec((0..120u32, 0..120u32), 1..60), named in any::<bool>()) {
        let name = |n: u32| if named { format!("http://h{}.org/{}", n % 13, n * 7) } else { (n * 3).to_string() };
        let folder = tempfile::tempdir().unwrap();
        let (path, list) = (folder.path().join("g"), folder.path().join("edges"));
        let options = BuildOptions { temp_dir: folder.path().to_owned(), ..BuildOptions::default() };
        let build = |links: &[(u32, u32)], out: Option<&Path>| {
            fs::write(&list, text(links, name)).unwrap();
            edge_list(&list, out, &options, &mut |_| true).unwrap().graph
        };
        let before = build(&old, Some(&path));
        for links in [&first, &second] {
            fs::write(&list, text(links, name)).unwrap();
            add_edge_list(&path, &list).unwrap();
        }
        let extended = Graph::open_with_layers(&path).unwrap();
        let all: Vec<(u32, u32)> = [old, first, second].concat();
        let built = build(&all, None);
        prop_assert_eq!(links_of(&extended), links_of(&built));
        prop_assert_eq!((extended.num_pages(), extended.num_links()), (built.num_pages(), built.num_links()));
        for page in 0..extended.num_pages() {
            prop_assert_eq!(extended.find(&extended.name(page)), Some(page));
            prop_assert_eq!(extended.out_degree(page), built.out_degree(built.find(&extended.name(page)).unwrap()));
        }
        // Old pages keep their identifiers.
        for page in 0..before.num_pages() {
            prop_assert_eq!(extended.find(&before.name(page)).map(|page| extended.id(page)), Some(before.id(page)));
        }
        // Once saved, it is a single graph, which can be extended again.
        extended.save(&path).unwrap();
        remove_layers(&path).unwrap();
        let saved = Graph::open_with_layers(&path).unwrap();
        prop_assert_eq!(links_of(&saved), links_of(&built));
        add_edge_list(&path, &list).unwrap();
        prop_assert_eq!(links_of(&Graph::open_with_layers(&path).unwrap()), links_of(&built));
        // It has the same ranks.
        let options = SolveOptions { threads: 1, tolerance: 1e-14, ..SolveOptions::default() };
        let (one, two) = (solve(&extended, &Preference::Uniform, &options).unwrap(), solve(&built, &Preference::Uniform, &options).unwrap());
        for page in 0..extended.num_pages() {
            prop_assert!((one.values[page] - two.values[built.find(&extended.name(page)).unwrap()]).abs() < 1e-13);
        }
    }
}

#[test]
fn invalid_additions_leave_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let (path, list) = (folder.path().join("g"), folder.path().join("edges"));
    Graph::from_links(3, [(0, 1), (1, 2)]).unwrap().save(&path).unwrap();
    for (text, want) in
        [("0 1\n7 x\n", "line 2"), ("", "no links"), ("1 2 3\n", "3 fields"), ("0 99999999999\n", "not a number in range")]
    {
        fs::write(&list, text).unwrap();
        let error = add_edge_list(&path, &list).unwrap_err().to_string();
        assert!(error.contains(want), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
    fs::write(&list, "2 7\n").unwrap();
    let added = add_edge_list(&path, &list).unwrap();
    assert_eq!((added.links, added.pages, added.hosts, added.layer.clone()), (1, 1, 1, Some(folder.path().join("g.1"))));
    // A layer that was changed, truncated, or belongs elsewhere.
    let layer = folder.path().join("g.1");
    let bytes = fs::read(&layer).unwrap();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        fs::write(&layer, changed).unwrap();
        assert!(Graph::open_with_layers(&path).is_err(), "byte {at}");
        fs::write(&layer, &bytes[..at]).unwrap();
        assert!(Graph::open_with_layers(&path).is_err(), "{at} bytes");
    }
    fs::write(&layer, &bytes).unwrap();
    assert_eq!(Graph::open_with_layers(&path).unwrap().num_pages(), 4);
    Graph::from_links(2, [(0, 1)]).unwrap().save(&path).unwrap();
    assert!(Graph::open_with_layers(&path).unwrap_err().to_string().contains("another graph"));
}
