//! Compares random input with the reference parser: tokens, the words of trees, and the invariants of trees.
//!
//! Seeded, so every run sees the same inputs, and bounded in number and time. For a longer run:
//! `WEBSTRATA_FUZZ_SECONDS=600 cargo test -p webstrata --test it tokenizer_fuzz -- --nocapture`
//! (which also takes a seed from the clock).

use crate::support::oracle::Tree;
use crate::support::random::{Bounds, Random};
use crate::support::tokens::{Switching, ours, theirs};
use crate::support::words::{Symbols, Words, end};
use webstrata::Limits;
use webstrata::html::token::Repair;
use webstrata::html::{Dom, ParseOptions, Parser};

/// Pieces that take the tokenizer through all its states.
const PIECES: [&str; 58] = [
    "<", ">", "/", "!", "-", "--", "<!--", "-->", "--!>", "a", "B", "=", "\"", "'", " ", "<script>", "</script>", "</script",
    "<script", "<title>", "</title>", "<style>", "</style>", "&amp;", "&", "&#x41;", "&notit;", "x", "\n", "<![CDATA[", "]]>",
    "<?", "</", "<p", "<a href=", "<p>", "</p>", "\r", "<!doctype html>", "<textarea>", "</textarea>", "\u{e9}", "/>", "\u{4e16}",
    "&#128;", "&#0;", "\t", "<!doctype", " public", " system", "<xmp>", "</xmp>", "<!--<script>", "&copy=", "\u{c}", "`", "\0",
    "<plaintext>",
];

/// The last pieces affect everything after them, so they are rare.
const RARE_PIECES: usize = 2;

const TAGS: [&str; 36] = [
    "p", "div", "a", "b", "i", "font", "span", "ul", "li", "h1", "h2", "button", "form", "select", "option", "svg", "blockquote",
    "dl", "dd", "dt", "pre", "section", "br", "img", "em", "x-y", "nobr", "title", "ruby", "rt", "optgroup", "math", "mi",
    "foreignObject", "object", "address",
];

const TABLE_TAGS: [&str; 8] = ["table", "tr", "td", "th", "tbody", "thead", "caption", "table"];

/// In soup with tables, one tag in this many is part of one.
const TABLE_EVERY: usize = 10;

#[test]
fn tokens_match_the_reference() {
    let bounds = Bounds::new(200_000, 20, 0x70_6b65);
    let mut random = Random::new(bounds.seed);
    let mut count = 0;
    while !bounds.done(count) {
        count += 1;
        let mut source = String::new();
        for _ in 0..random.below(28) + 2 {
            let known = if random.one_in(16) { PIECES.len() } else { PIECES.len() - RARE_PIECES };
            source.push_str(random.pick(&PIECES[..known]));
        }
        let (ours, theirs) = (ours(&source, Switching::On), theirs(&source));
        assert!(ours == theirs, "input {count} of seed {}: {source:?}\n  ours   {ours:?}\n  theirs {theirs:?}", bounds.seed);
    }
    println!("tokens: {count} inputs, none differ");
}

/// Tag soup with a numbered word after every tag.
fn soup(random: &mut Random, tables: bool) -> String {
    let mut source = String::from(random.pick(&["<!doctype html><body>", "<!doctype html>", "<body>", ""]));
    for word in 0..random.below(25) + 3 {
        let tag = if tables && random.one_in(TABLE_EVERY) { random.pick(&TABLE_TAGS) } else { random.pick(&TAGS) };
        // A title swallows everything after it, which leaves no words to compare.
        let tag = if tag == "title" && !random.one_in(8) { "p" } else { tag };
        match random.below(5) {
            0 | 1 => source.push_str(&format!("<{tag}>")),
            2 | 3 => source.push_str(&format!("</{tag}>")),
            _ => {}
        }
        source.push_str(&format!(" w{word} "));
    }
    source
}

/// Number of soups whose words passed each comparison.
#[derive(Default, Debug)]
struct Outcomes {
    soups: usize,
    kept: usize,
    ordered: usize,
    links: usize,
    same: usize,
}

fn outcomes(tables: bool) -> Outcomes {
    let bounds = Bounds::new(40_000, 20, 0x736f_7570);
    let mut random = Random::new(bounds.seed);
    let mut parser = Parser::new(ParseOptions::default().repair(Repair::Off));
    let mut symbols = Symbols::default();
    let mut outcomes = Outcomes::default();
    let show = std::env::var_os("WEBSTRATA_FUZZ_SHOW").is_some();
    while !bounds.done(outcomes.soups) {
        outcomes.soups += 1;
        let source = soup(&mut random, tables);
        let dom = parser.parse(&source);
        let ours = Words::from_dom(&dom, &mut symbols);
        let theirs = Words::from_tree(&Tree::parse(&source), &mut symbols);
        let kept = ours.sorted() == theirs.sorted();
        let ordered = ours.same_sequence(&theirs);
        let links = ordered && ours.positions.iter().zip(&theirs.positions).all(|(a, b)| a.link == b.link);
        outcomes.kept += usize::from(kept);
        outcomes.ordered += usize::from(ordered);
        outcomes.links += usize::from(links);
        outcomes.same += usize::from(ordered && ours.positions == theirs.positions);
        if show && (!kept || (!ordered && !tables) || (!links && !tables)) {
            let list = |w: &Words| {
                let word = |i: usize| {
                    format!("{}|{}{}", w.word(i), symbols.name(w.positions[i].parent), if w.positions[i].link { "|L" } else { "" })
                };
                (0..w.len()).map(word).collect::<Vec<_>>().join(" ")
            };
            println!("{source}\n  ours   {}\n  theirs {}", list(&ours), list(&theirs));
        }
        parser.recycle(dom);
    }
    let share = |n: usize| 100.0 * n as f64 / outcomes.soups as f64;
    println!(
        "tag soup, tables {tables}: {} pages, words kept {:.3}%, in order {:.3}%, same links {:.3}%, all parents the same {:.3}%",
        outcomes.soups,
        share(outcomes.kept),
        share(outcomes.ordered),
        share(outcomes.links),
        share(outcomes.same)
    );
    outcomes
}

#[test]
fn soup_without_tables_keeps_words_and_their_order() {
    let outcomes = outcomes(false);
    assert_eq!((outcomes.kept, outcomes.ordered), (outcomes.soups, outcomes.soups), "{outcomes:?}");
}

#[test]
fn soup_with_tables_keeps_words_and_mostly_their_order() {
    let outcomes = outcomes(true);
    assert_eq!(outcomes.kept, outcomes.soups, "{outcomes:?}");
    assert!(outcomes.ordered * 100 >= outcomes.soups * 99, "{outcomes:?}");
}

/// Checks the invariants of the tree.
fn check(dom: &Dom<'_>, limits: &Limits) {
    let source = dom.source();
    let mut depths = vec![0usize; dom.len()];
    let mut text_end = 0;
    for (number, node) in dom.nodes().enumerate() {
        let id = node.id().index();
        assert_eq!(id, number);
        let end = end(node);
        assert!(id < end && end <= dom.len(), "node {id} ends at {end}: {source}");
        assert!(
            node.formatting_end().index() >= end && node.formatting_end().index() <= dom.len(),
            "node {id} ends before its own end: {source}"
        );
        if let Some(parent) = node.parent() {
            let above = parent.id().index();
            assert!(above < id, "node {id} precedes its parent {above}: {source}");
            assert!(parent.is_element(), "node {id} is in a text: {source}");
            assert!(end <= crate::support::words::end(parent), "node {id} ends after its parent {above}: {source}");
            // The nearest preceding node whose range contains this one is its parent.
            assert!(
                id == above + 1 || crate::support::words::end(nearest(dom, id)) <= id || nearest(dom, id) == parent,
                "node {id}: {source}"
            );
            depths[id] = depths[above] + 1;
            // Elements beyond the cap are attached at it; raw-text elements and texts may be one or two below.
            assert!(depths[id] <= usize::from(limits.depth.max(8)) + 2, "node {id} has depth {}: {source}", depths[id]);
        } else {
            assert_eq!(id, 0);
        }
        let span = node.span();
        assert!(span.start <= span.end && span.end as usize <= source.len());
        assert!(source.is_char_boundary(span.start as usize) && source.is_char_boundary(span.end as usize));
        if !node.is_element() {
            assert!(!span.is_empty() && span.start >= text_end, "texts overlap at node {id}: {source}");
            assert_eq!(end, id + 1);
            text_end = span.end;
        }
    }
    // Children tile the inside of their parent.
    for node in dom.nodes() {
        let mut next = node.id().index() + 1;
        for child in node.children() {
            assert_eq!(child.id().index(), next, "{source}");
            assert_eq!(child.parent(), Some(node), "child {next}: {source}");
            next = end(child);
        }
        assert_eq!(next, end(node), "children of {}: {source}", node.id().index());
    }
}

/// The preceding node, or its nearest ancestor that has not ended.
fn nearest<'d>(dom: &'d Dom<'d>, id: usize) -> webstrata::html::Node<'d> {
    let mut node = dom.nodes().nth(id - 1).unwrap();
    while end(node) <= id {
        match node.parent() {
            Some(parent) => node = parent,
            None => break,
        }
    }
    node
}

#[test]
fn tree_invariants_hold_on_random_tag_soup() {
    let bounds = Bounds::new(60_000, 20, 0x6c_6177);
    let mut random = Random::new(bounds.seed);
    let plain = ParseOptions::default();
    let strict = ParseOptions::default().repair(Repair::Off);
    let small = ParseOptions::default().limits(Limits::default().depth(8).nodes(20).attributes(2).bytes(300)).repair(Repair::On);
    let shallow = ParseOptions::default().limits(Limits::default().depth(9)).repair(Repair::Off);
    let mut parsers = [plain, strict, small, shallow].map(|options| (options.limits.clone(), Parser::new(options)));
    let mut count = 0;
    while !bounds.done(count) {
        count += 1;
        let tables = random.one_in(2);
        let mut source = soup(&mut random, tables);
        if random.one_in(4) {
            for _ in 0..random.below(8) {
                source.push_str(random.pick(&PIECES));
            }
            source.push_str(&soup(&mut random, tables));
        }
        for (limits, parser) in &mut parsers {
            let dom = parser.parse(&source);
            check(&dom, limits);
            parser.recycle(dom);
        }
    }
    println!("laws of the tree: {count} soups, four parsers each");
}
