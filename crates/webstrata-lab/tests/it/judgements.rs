//! The sets of judgements, when they are at hand: counts as published with them.

use std::path::PathBuf;
use webstrata_lab::gold::judgements::{Pair, Problems, Query};

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("WEBSTRATA_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("NOT CHECKED: WEBSTRATA_DATA is not set");
    }
    folder
}

fn at_hand(name: &str) -> Option<PathBuf> {
    let folder = data()?.join(name);
    if !folder.is_dir() {
        println!("NOT CHECKED: no {}", folder.display());
        return None;
    }
    Some(folder)
}

#[test]
fn cacm_has_its_queries_and_judgements() {
    let Some(folder) = at_hand("cacm") else { return };
    let mut problems = Problems::default();
    let queries = Query::read_cacm(&folder, &mut problems).unwrap();
    assert_eq!(problems, Problems::default());
    assert_eq!((queries.len(), queries.iter().map(|query| query.relevant.len()).sum::<usize>()), (64, 796));
}

#[test]
fn pairs_are_those_of_the_set() {
    let Some(folder) = at_hand("neardup") else { return };
    let mut problems = Problems::default();
    let pairs = Pair::read(&folder, &mut problems).unwrap();
    assert_eq!((pairs.len(), problems), (132, Problems::default()));
}

#[test]
fn known_items_have_targets() {
    let Some(folder) = at_hand("queries") else { return };
    for file in ["postgresql-doc-15.queries.jsonl", "python3.11-doc.queries.jsonl"] {
        let mut problems = Problems::default();
        let queries = Query::from_lines(&std::fs::read_to_string(folder.join(file)).unwrap(), &mut problems);
        assert_eq!(problems, Problems::default(), "{file}");
        assert!(queries.len() > 100 && queries.iter().all(|query| !query.relevant.is_empty()), "{file}");
    }
}
