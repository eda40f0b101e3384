//! Our trees have the same words as html5ever's on real pages, in the same order, under the same parents, in the same links.
//!
//! Reads `$WEBSTRATA_DATA/<set>/html/*.html`; missing sets are skipped with a note.
//! `docs/fidelity.md` has the table of the last run and explains the kinds of difference.

use crate::support::oracle::Tree;
use crate::support::words::{Symbols, Words};
use crate::support::{align, data};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use webstrata::Problem;
use webstrata::html::token::Repair;
use webstrata::html::{ParseOptions, Parser};

const SETS: [&str; 5] = ["wcxb", "l3s-gn1", "dragnet", "daniel", "swde-sample"];

/// Minimum share of pages with the same words in the same order.
const MIN_SAME_SEQUENCE: f64 = 0.998;
/// Minimum share of words with the same parent.
const MIN_SAME_PARENT: f64 = 0.9995;
/// Minimum share of words that are in a link in both trees or in neither.
const MIN_SAME_LINK: f64 = 0.9999;
/// Minimum share of words whose nearest ancestor that is not inline has the same name.
const MIN_SAME_BLOCK: f64 = 0.9999;

const FORMATTING: [&str; 14] = ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
const TABLE: [&str; 10] = ["table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th"];

/// Pages and words of one kind of difference.
#[derive(Default, Clone, Copy)]
struct Count {
    pages: usize,
    words: usize,
}

/// Sums over pages.
#[derive(Default)]
struct Sums {
    pages: usize,
    bytes: usize,
    identical: usize,
    same_sequence: usize,
    same_words: usize,
    words: usize,
    same_parent: usize,
    same_block: usize,
    same_link: usize,
    repaired: usize,
    kinds: BTreeMap<String, Count>,
    examples: Vec<String>,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.pages += other.pages;
        self.bytes += other.bytes;
        self.identical += other.identical;
        self.same_sequence += other.same_sequence;
        self.same_words += other.same_words;
        self.words += other.words;
        self.same_parent += other.same_parent;
        self.same_block += other.same_block;
        self.same_link += other.same_link;
        self.repaired += other.repaired;
        for (kind, count) in other.kinds {
            let sum = self.kinds.entry(kind).or_default();
            sum.pages += count.pages;
            sum.words += count.words;
        }
        self.examples.extend(other.examples);
    }

    fn row(&self, name: &str) -> String {
        let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
        format!(
            "| {name} | {} | {:.1} | {} | {:.2}% | {:.2}% | {:.4}% | {:.4}% | {:.4}% | {} |",
            self.pages,
            self.bytes as f64 / 1e6,
            self.words,
            share(self.identical, self.pages),
            share(self.same_sequence, self.pages),
            share(self.same_parent, self.words),
            share(self.same_block, self.words),
            share(self.same_link, self.words),
            self.repaired
        )
    }
}

/// The kind of a difference between two parents.
fn kind(theirs: &str, ours: &str) -> &'static str {
    let formatting = |name: &str| FORMATTING.contains(&name);
    let table = |name: &str| TABLE.contains(&name);
    match () {
        () if formatting(theirs) && formatting(ours) => "parent: a different formatting element",
        () if formatting(theirs) => "parent: a formatting element only in html5ever's tree",
        () if formatting(ours) => "parent: a formatting element only in our tree",
        () if table(ours) && !table(theirs) => "parent: a table part in our tree, before the table in html5ever's",
        () if table(theirs) && !table(ours) => "parent: a table part only in html5ever's tree",
        () if table(theirs) => "parent: a different table part",
        () => "parent: a different element",
    }
}

fn compare(path: &Path, parser: &mut Parser, repairing: &mut Parser, symbols: &mut Symbols) -> Sums {
    let source = data::page(path);
    let dom = parser.parse(&source);
    let ours = Words::from_dom(&dom, symbols);
    parser.recycle(dom);
    let repaired_dom = repairing.parse(&source);
    let repaired = repaired_dom.problems().iter().any(|problem| matches!(problem, Problem::RawTextRepaired { .. }));
    repairing.recycle(repaired_dom);
    let theirs = Words::from_tree(&Tree::parse(&source), symbols);

    let mut sums = Sums { pages: 1, bytes: source.len(), words: theirs.len(), repaired: usize::from(repaired), ..Sums::default() };
    let same = ours.same_sequence(&theirs);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let pieces = if same {
        vec![(0, 0, theirs.len())]
    } else {
        let (a, b): (Vec<&str>, Vec<&str>) = (theirs.iter().collect(), ours.iter().collect());
        align::common(&a, &b)
    };
    sums.same_sequence = usize::from(same);
    sums.same_words = usize::from(same || ours.sorted() == theirs.sorted());
    let aligned: usize = pieces.iter().map(|piece| piece.2).sum();
    if !same {
        let moved = sums.same_words == 1;
        let kind =
            if moved { "sequence: words in a different order" } else { "sequence: words cut or joined differently, lost or added" };
        kinds.insert(kind.to_owned(), (theirs.len() - aligned).max(ours.len() - aligned));
    }
    let mut example = None;
    for (a, b, len) in pieces {
        for k in 0..len {
            let (x, y) = (theirs.positions[a + k], ours.positions[b + k]);
            sums.same_parent += usize::from(x.parent == y.parent);
            sums.same_block += usize::from(x.block == y.block);
            sums.same_link += usize::from(x.link == y.link);
            let mut note = |kind: String| *kinds.entry(kind).or_default() += 1;
            if x.parent != y.parent {
                let (theirs, ours) = (symbols.name(x.parent), symbols.name(y.parent));
                note(kind(theirs, ours).to_owned());
                if std::env::var_os("WEBSTRATA_FIDELITY_SHOW").is_some() {
                    note(format!("  {theirs} became {ours}"));
                }
            }
            if x.block != y.block {
                note(format!("block: {} became {}", symbols.name(x.block), symbols.name(y.block)));
            }
            if x.link != y.link {
                note(format!("link: {}", if y.link { "only in our tree" } else { "only in html5ever's tree" }));
            }
            if (x.block != y.block || x.link != y.link || (x.parent != y.parent && example.is_none()))
                && !matches!(example, Some((_, true)))
            {
                example = Some((a + k, x.block != y.block || x.link != y.link));
            }
        }
    }
    sums.identical = usize::from(same && kinds.is_empty());
    if !kinds.is_empty() {
        let at = example.map_or(0, |e| e.0);
        let list = |w: &Words, at: usize| {
            let word = |i: usize| {
                format!(
                    "{}|{}|{}{}",
                    w.word(i),
                    symbols.name(w.positions[i].parent),
                    symbols.name(w.positions[i].block),
                    if w.positions[i].link { "|L" } else { "" }
                )
            };
            (at..w.len().min(at + 6)).map(word).collect::<Vec<_>>().join(" ")
        };
        sums.examples.push(format!("{} {kinds:?}\n   T {}\n   O {}", path.display(), list(&theirs, at), list(&ours, at)));
    }
    sums.kinds = kinds.into_iter().map(|(kind, words)| (kind, Count { pages: 1, words })).collect();
    sums
}

/// All pages of a set, on as many threads as there are cores.
fn run(files: &[PathBuf]) -> Sums {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let work = || {
        let mut parser = Parser::new(ParseOptions::default().repair(Repair::Off));
        let mut repairing = Parser::new(ParseOptions::default().repair(Repair::On));
        let mut symbols = Symbols::default();
        let mut sums = Sums::default();
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            sums.add(compare(path, &mut parser, &mut repairing, &mut symbols));
        }
        sums
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut sums = Sums::default();
        for worker in workers {
            sums.add(worker.join().unwrap());
        }
        sums
    })
}

#[test]
fn trees_match_the_reference() {
    let mut total = Sums::default();
    let mut rows = Vec::new();
    for set in SETS {
        let Some(pages) = data::pages(set) else { continue };
        let sums = run(&pages);
        rows.push(sums.row(set));
        total.add(sums);
    }
    if total.pages == 0 {
        return;
    }
    println!(
        "| set | pages | MB | words | identical pages | same sequence | same parent | same block | same link | repaired pages |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for row in rows {
        println!("{row}");
    }
    println!("{}", total.row("all"));
    println!("\n{} pages with the same words in any order", total.same_words);
    println!("\n| kind of difference | pages | words |\n|---|---|---|");
    let mut kinds: Vec<_> = total.kinds.iter().collect();
    kinds.sort_by_key(|(kind, count)| (kind.split(':').next(), std::cmp::Reverse(count.words)));
    for (kind, count) in kinds {
        println!("| {kind} | {} | {} |", count.pages, count.words);
    }
    if std::env::var_os("WEBSTRATA_FIDELITY_SHOW").is_some() {
        total.examples.sort();
        println!("\n{}", total.examples.join("\n"));
    }
    let share = |n: usize, of: usize| n as f64 / of as f64;
    assert!(share(total.same_sequence, total.pages) >= MIN_SAME_SEQUENCE, "words in another order on too many pages");
    assert!(share(total.same_parent, total.words) >= MIN_SAME_PARENT, "too many words under another parent");
    assert!(share(total.same_link, total.words) >= MIN_SAME_LINK, "too many words with another link state");
    assert!(share(total.same_block, total.words) >= MIN_SAME_BLOCK, "too many words in another block");
}
