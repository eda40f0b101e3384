//! Published counts of the judgement sets, if available.

use crate::evaluation_set;
use webstrata_lab::gold::judgements::{Pair, Problems, Query};

#[test]
fn cacm_has_its_queries_and_judgements() {
    let Some(folder) = evaluation_set("cacm") else { return };
    let mut problems = Problems::default();
    let queries = Query::read_cacm(&folder, &mut problems).unwrap();
    assert_eq!(problems, Problems::default());
    assert_eq!((queries.len(), queries.iter().map(|query| query.relevant.len()).sum::<usize>()), (64, 796));
}

#[test]
fn pairs_match_the_set() {
    let Some(folder) = evaluation_set("neardup") else { return };
    let mut problems = Problems::default();
    let pairs = Pair::read(&folder, &mut problems).unwrap();
    assert_eq!((pairs.len(), problems), (132, Problems::default()));
}

#[test]
fn known_item_queries_have_targets() {
    let Some(folder) = evaluation_set("queries") else { return };
    for file in ["postgresql-doc-15.queries.jsonl", "python3.11-doc.queries.jsonl"] {
        let mut problems = Problems::default();
        let queries = Query::from_lines(&std::fs::read_to_string(folder.join(file)).unwrap(), &mut problems);
        assert_eq!(problems, Problems::default(), "{file}");
        assert!(queries.len() > 100 && queries.iter().all(|query| !query.relevant.is_empty()), "{file}");
    }
}
