//! The papers' ranking of segmentation methods holds on annotated pages.
//!
//! The papers (Kohlschütter, Nejdl: A Densitometric Approach to Web Page Segmentation, CIKM 2008; thesis 4.2)
//! compare TagGap, the variants of Block Fusion and JustRules on pages that are not public. On the annotated pages of
//! `seg-popular` the ranking by Adjusted Rand is the same: tag gaps alone are worst, smoothing helps, rules beat plain
//! densities. (With annotations as fine as these, rule-based fusion is no better than smoothed fusion: the two are not
//! compared.) The numbers are those of an earlier implementation on another parser, up to differences in
//! which text counts and where a word ends.
//!
//! Needs `WEBSTRATA_DATA`, the folder of the sets; without it nothing is checked.

use crate::evaluation_set;
use webstrata::Page;
use webstrata::segment::{Method, RuleSet};
use webstrata_lab::gold::seg_popular::{Level, MarkedPage};
use webstrata_lab::segmentation::{Score, Task};

/// Number of pages; all have at least ten marked words in at least two gold segments.
const PAGES: usize = 70;

/// Number of marked blocks of both levels. The files have one more, inside a script.
const BLOCKS: usize = 1270;

/// Pages that the reference did not score: its parser lost their marked text.
const NOT_IN_REFERENCE: [&str; 2] = ["www.healthfinder.gov", "www.treasury.gov"];

/// Adjusted Rand, NMI and BCubed F with the papers' rules: level 2 if there is one, otherwise level 1; marked text only.
const REFERENCE: [(Method, [f64; 3]); 5] = [
    (Method::TagGap, [0.183, 0.647, 0.307]),
    (Method::BfPlain, [0.329, 0.693, 0.488]),
    (Method::BfSmoothed, [0.347, 0.691, 0.525]),
    (Method::BfRulebased, [0.334, 0.719, 0.517]),
    (Method::JustRules, [0.371, 0.732, 0.559]),
];

/// Tolerance: the standard error of a mean over these pages.
const MARGIN: f64 = 0.03;

/// Pairs of methods: the first is worse than the second, with every rule set.
const ORDER: [(Method, Method); 5] = [
    (Method::TagGap, Method::BfPlain),
    (Method::BfPlain, Method::BfSmoothed),
    (Method::TagGap, Method::BfRulebased),
    (Method::BfPlain, Method::JustRules),
    (Method::BfSmoothed, Method::JustRules),
];

fn mean(tasks: &[&Task<'_>], method: Method, rules: RuleSet) -> Score {
    let segmenter = method.segmenter(rules);
    Score::mean(&tasks.iter().map(|task| task.score(&*segmenter)).collect::<Vec<_>>())
}

fn print_table(tasks: &[&Task<'_>]) {
    println!("| method | rules | AdjRand | NMI | BCubed P | R | F | segments |\n|---|---|---|---|---|---|---|---|");
    for rules in [RuleSet::paper(), RuleSet::html5()] {
        for method in Method::ALL {
            let Score { adjusted_rand, nmi, bcubed, segments } = mean(tasks, method, rules);
            println!(
                "| {method} | {} | {adjusted_rand:.3} | {nmi:.3} | {:.3} | {:.3} | {:.3} | {segments:.1} |",
                rules.name, bcubed.precision, bcubed.recall, bcubed.f
            );
        }
    }
}

#[test]
fn methods_rank_as_in_the_papers() {
    let Some(set) = evaluation_set("seg-popular").filter(|_| crate::full_lane()) else { return };
    let marked = MarkedPage::read_all(&set).unwrap();
    let pages: Vec<Page<'_>> = marked.iter().map(MarkedPage::parse).collect();
    let mut tasks = Vec::new();
    for (page, marked) in pages.iter().zip(&marked) {
        match Task::new(page, |byte| marked.label_at(byte, Level::Sub)) {
            Ok(task) => tasks.push((marked.id(), task)),
            Err(why) => println!("{}: skipped, {why}", marked.id()),
        }
    }
    let all: Vec<&Task<'_>> = tasks.iter().map(|(_, task)| task).collect();
    let share = all.iter().map(|task| task.marked_words() as f64 / task.words() as f64).sum::<f64>() / all.len() as f64;
    let blocks: usize = marked.iter().map(MarkedPage::blocks).sum();
    println!("{} pages, {blocks} marked blocks, marked text only ({share:.3} of the words, mean over pages)", all.len());
    print_table(&all);
    assert_eq!((all.len(), blocks), (PAGES, BLOCKS));

    let compared: Vec<&Task<'_>> = tasks.iter().filter(|(id, _)| !NOT_IN_REFERENCE.contains(id)).map(|(_, task)| task).collect();
    println!("\nThe {} pages of the reference:", compared.len());
    print_table(&compared);
    for (method, reference) in REFERENCE {
        let score = mean(&compared, method, RuleSet::paper());
        for (measured, expected) in [score.adjusted_rand, score.nmi, score.bcubed.f].into_iter().zip(reference) {
            assert!((measured - expected).abs() <= MARGIN, "{method}: {measured:.3}, reference {expected:.3}");
        }
    }
    for rules in [RuleSet::paper(), RuleSet::html5()] {
        for (worse, better) in ORDER {
            let (low, high) = (mean(&all, worse, rules).adjusted_rand, mean(&all, better, rules).adjusted_rand);
            assert!(low < high, "{}: {worse} {low:.3}, {better} {high:.3}", rules.name);
        }
    }
}

#[test]
fn methods_see_no_annotations() {
    let Some(set) = evaluation_set("seg-popular") else { return };
    for marked in MarkedPage::read_all(&set).unwrap() {
        let page = marked.parse();
        for node in page.dom().nodes() {
            let traces = ["data-block", "data-block-type"].into_iter().filter(|name| node.has_attribute(name));
            assert_eq!(traces.count(), 0, "{} {}", marked.id(), node.path());
        }
    }
}
