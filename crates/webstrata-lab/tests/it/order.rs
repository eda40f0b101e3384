//! The papers' order of segmentation methods holds on pages marked by people.
//!
//! The papers (Kohlschütter, Nejdl: A Densitometric Approach to Web Page Segmentation, CIKM 2008; thesis 4.2)
//! compare TagGap, the variants of Block Fusion and JustRules on pages that are not public. On the marked pages of
//! `seg-popular` the order by Adjusted Rand is theirs: tag gaps alone are worst, smoothing helps, rules beat plain
//! densities. (With marks as fine as these, rule-based fusion is no better than the smoothed one: the two are not
//! compared.) The numbers are those of an earlier reading of the rules on another parser, up to what is read differently:
//! which text counts, where a word ends.
//!
//! Run with `WEBSTRATA_DATA` set to the folder of the sets; without it there is nothing to check.

use std::path::{Path, PathBuf};
use webstrata::Page;
use webstrata::segment::{Method, RuleSet};
use webstrata_lab::gold::seg_popular::{Level, MarkedPage};
use webstrata_lab::segmentation::{Score, Task};

/// Pages of the set; all have at least ten marked words in at least two gold segments.
const PAGES: usize = 70;

/// Marked blocks of both levels. The files have one more, inside a script.
const BLOCKS: usize = 1270;

/// Pages that the reference did not score: the parser behind it lost their marked text.
const NOT_IN_REFERENCE: [&str; 2] = ["www.healthfinder.gov", "www.treasury.gov"];

/// Adjusted Rand, NMI and BCubed F with the papers' rules: level 2 where there is one, else level 1; marked text only.
const REFERENCE: [(Method, [f64; 3]); 5] = [
    (Method::TagGap, [0.183, 0.647, 0.307]),
    (Method::BfPlain, [0.329, 0.693, 0.488]),
    (Method::BfSmoothed, [0.347, 0.691, 0.525]),
    (Method::BfRulebased, [0.334, 0.719, 0.517]),
    (Method::JustRules, [0.371, 0.732, 0.559]),
];

/// How far a mean may be from the reference: the standard error of a mean over these pages.
const MARGIN: f64 = 0.03;

/// The first is worse than the second, whatever the rule set.
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

/// The folder of the set, or a note that it is not at hand.
fn set() -> Option<PathBuf> {
    let folder = std::env::var_os("WEBSTRATA_DATA").map(|root| Path::new(&root).join("seg-popular")).filter(|set| set.is_dir());
    if folder.is_none() {
        println!("seg-popular is not at hand: set WEBSTRATA_DATA to the folder that has it; skipped");
    }
    folder
}

#[test]
fn the_papers_order_on_marked_pages() {
    let Some(set) = set() else { return };
    let marked = MarkedPage::read_all(&set).unwrap();
    let pages: Vec<Page<'_>> = marked.iter().map(MarkedPage::parse).collect();
    let mut tasks = Vec::new();
    for (page, marked) in pages.iter().zip(&marked) {
        match Task::new(page, |byte| marked.label_at(byte, Level::Sub)) {
            Ok(task) => tasks.push((marked.id(), task)),
            Err(why) => println!("{}: left out, {why}", marked.id()),
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
fn no_mark_is_left_for_a_method_to_see() {
    let Some(set) = set() else { return };
    for marked in MarkedPage::read_all(&set).unwrap() {
        let page = marked.parse();
        for node in page.dom().nodes() {
            let traces = ["data-block", "data-block-type"].into_iter().filter(|name| node.has_attribute(name));
            assert_eq!(traces.count(), 0, "{} {}", marked.id(), node.path());
        }
    }
}
