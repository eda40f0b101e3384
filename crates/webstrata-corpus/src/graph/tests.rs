//! Compares queries of a graph with a list of links.
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Links between `pages` pages.
pub(super) fn links(pages: u32, most: usize) -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((0..pages, 0..pages), 0..most)
}

proptest! {
    #[test]
    fn a_graph_matches_its_links(links in links(600, 2000)) {
        let graph = Graph::from_links(600, links.clone()).unwrap();
        let links: BTreeSet<(u32, u32)> = links.into_iter().collect();
        prop_assert_eq!(graph.num_links(), links.len() as u64);
        for page in 0..600u32 {
            let found: Vec<u32> = graph.predecessors(page as usize).collect();
            let want: Vec<u32> = links.iter().filter(|&&(from, to)| to == page && from != page).map(|&(from, _)| from).collect();
            prop_assert_eq!(found, want);
            prop_assert_eq!(graph.out_degree(page as usize) as usize, links.iter().filter(|&&(from, _)| from == page).count());
            prop_assert_eq!(graph.links_to_itself(page as usize), links.contains(&(page, page)));
        }
        prop_assert_eq!(graph.predecessors(600).count(), 0);
    }
}

#[test]
fn names_are_found_and_hosts_are_ranges() {
    let names: Vec<String> = (0..500).map(|n| format!("http://h{}.org/p{n}", n % 7)).collect();
    let graph = Graph::from_names(names.iter().zip(names.iter().skip(1))).unwrap();
    assert_eq!((graph.num_pages(), graph.num_hosts()), (500, 7));
    for name in &names {
        let page = graph.find(name).unwrap();
        assert_eq!(&graph.name(page), name);
        let host = graph.host_of(page);
        assert!(graph.pages_of(host).contains(&page));
        assert_eq!(graph.page(graph.id(page)), Some(page));
        assert!(graph.pages_of(host).all(|other| vertex::host_key(&graph.name(other)) == vertex::host_key(name)));
    }
    for name in ["http://h0.org/", "http://h9.org/p1", "p1", "", "http://h6.org/zzz"] {
        assert_eq!(graph.find(name), None, "{name}");
    }
    assert_eq!(graph.page(PageId { host: 7, local: 0 }), None);
}

#[test]
fn strata_stay_with_their_links() {
    let far = 70_000u32;
    let hosts: Vec<u32> = vec![0; far as usize + 1];
    let graph = Graph::with_hosts(&hosts, [(far, 5, 3), (5, 5, 9), (1, 5, 2), (9, 5, 1), (9, 5, 4), (2, 7, 6)]).unwrap();
    assert_eq!(graph.predecessors_with_strata(5).collect::<Vec<_>>(), [(1, 2), (9, 1), (far, 3)]);
    assert_eq!(graph.predecessors_with_strata(7).collect::<Vec<_>>(), [(2, 6)]);
}
