//! Hostile pages from bytes to text: linear time, bounded memory, no panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test program")]

mod support;

use support::clock::{MOST_GROWTH, times};
use support::hostile::KINDS;
use support::memory::{BASE, FACTOR, Measuring, peak};
use webstrata::label::Preset;
use webstrata::segment::Method;
use webstrata::{ExtractOptions, Page};

#[global_allocator]
static ALLOCATOR: Measuring = Measuring;

fn extract(bytes: &[u8]) -> usize {
    let page = Page::parse(bytes);
    page.extract_with(&ExtractOptions::from(Preset::Strata)).text().len()
}

/// A source of bytes that is the same in every run.
fn noise(n: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    std::iter::repeat_with(next).take(n).collect()
}

/// A kind of page: its name, its full size, and how to make it.
type Kind = (&'static str, usize, Box<dyn Fn(usize) -> Vec<u8>>);

fn kinds() -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for kind in KINDS {
        kinds.push((kind.name, 2 * kind.n, Box::new(|n| (kind.page)(n).into_bytes())));
    }
    let mut add = |name, n, page: fn(usize) -> Vec<u8>| kinds.push((name, n, Box::new(page)));
    add("text, 100 MB", 100_000_000, |n| "All work and no play makes a dull text of it. ".repeat(n / 46).into_bytes());
    add("one word, 10 MB", 10_000_000, |n| vec![b'x'; n]);
    add("an attribute, 10 MB", 10_000_000, |n| [b"<p title='".to_vec(), vec![b'x'; n], b"'>y".to_vec()].concat());
    add("NUL bytes", 4_000_000, |n| [b"<p>".to_vec(), vec![0; n]].concat());
    add("NULs in words", 1_000_000, |n| b"a\0b ".repeat(n));
    add("random bytes", 1_000_000, noise);
    add("ideographs", 600_000, |n| "地層".repeat(n).into_bytes());
    add("one letter blocks", 400_000, |n| b"<p>x".repeat(n));
    add("one letter links", 200_000, |n| b"<a>x</a>".repeat(n));
    add("short lines", 400_000, |n| b"word<br>".repeat(n));
    add("windows-1252 text", 1_000_000, |n| b"caf\xe9 na\xefve \n".repeat(n / 10));
    kinds
}

/// The full size shows that a page is survived and what memory it takes. Growth is measured on smaller pages, an eighth
/// against a quarter of that: beyond the processor's caches twice the page takes more than twice the time
/// whatever is done with it.
fn check(kind: &Kind) -> Option<String> {
    let (name, n, page) = kind;
    let full = page(*n);
    let memory = peak(&full, extract) + full.len();
    let allowed = FACTOR * full.len() + BASE;
    let (growth, seconds) = times(&page(n / 8), &page(n / 4), extract);
    let mega = full.len() as f64 / 1e6;
    println!(
        "{name:<42} {growth:>5.2} times, {:>7.0} MB/s, {:>5.1} times its {mega:.1} MB",
        mega / 4.0 / seconds,
        memory as f64 / full.len() as f64
    );
    let bad = growth > MOST_GROWTH || memory > allowed;
    bad.then(|| format!("{name}: {growth:.2} times the time, {} MB of {} MB", memory >> 20, allowed >> 20))
}

// One test: two at a time would disturb each other's clocks and counts.
#[test]
fn hostile_pages_are_bounded() {
    let bad: Vec<String> = kinds().iter().filter_map(check).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    segmenters_are_linear();
    every_prefix_of_a_page_comes_out();
}

/// All segmenters with all that the command line prints of a segment.
fn segment(bytes: &[u8]) -> usize {
    let page = Page::parse(bytes);
    let paths = webstrata::html::Paths::new(page.dom());
    let mut size = 0;
    for method in Method::ALL {
        let segments = page.segments(method);
        for segment in segments.iter() {
            size += segment.text().len() + segment.spans().len() + segment.counts().words as usize;
            size += segment.node().map_or(0, |node| paths.path(node).len());
        }
        size += webstrata::label::label_segments(&segments).len();
    }
    size
}

fn segmenters_are_linear() {
    let mut bad = Vec::new();
    type Generator = fn(usize) -> Vec<u8>;
    let kinds: [(&str, Generator, usize); 8] = [
        ("one long paragraph", |n| b"All work and no play. ".repeat(n), 20_000),
        ("one long paragraph of links", |n| b"<a>All work</a> and ".repeat(n), 20_000),
        ("one letter blocks", |n| b"<p>x".repeat(n), 40_000),
        ("rising densities", |n| (0..n).flat_map(|i| format!("<p>{}", "x ".repeat(i % 37)).into_bytes()).collect(), 4_000),
        ("nested div", |n| b"<div>x".repeat(n), 20_000),
        ("inline tags", |n| b"<b>x</b> <i>y</i>".repeat(n), 20_000),
        ("references", |n| b"&amp; &eacute;t&eacute; ".repeat(n), 20_000),
        ("siblings", |n| b"<div><p>one two</p></div>".repeat(n), 20_000),
    ];
    for (name, page, n) in kinds {
        let (small, large) = (page(n), page(2 * n));
        let (growth, seconds) = times(&small, &large, segment);
        println!("segment: {name:<33} {growth:>5.2} times, {:>8.2} ms", seconds * 1e3);
        if growth > MOST_GROWTH {
            bad.push(name);
        }
    }
    assert!(bad.is_empty(), "more than linear: {bad:?}");
}

fn every_prefix_of_a_page_comes_out() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pages");
    for case in ["news-tables-2005", "hidden-stuff", "enc-shift-jis-undeclared", "character-references"] {
        let bytes = std::fs::read(folder.join(case).join("page.html")).unwrap();
        let most = bytes.len().min(6_000);
        for end in 0..most {
            extract(&bytes[..end]);
        }
    }
}
