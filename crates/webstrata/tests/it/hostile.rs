//! Hostile pages from bytes to text and to segments: linear time, no panic.

use crate::support::clock::{assert_all_linear, check_linear};
use crate::support::hostile::{BYTE_KINDS, KINDS};
use webstrata::label::Preset;
use webstrata::segment::Method;
use webstrata::{ExtractOptions, Page};

fn extract(bytes: &[u8]) -> usize {
    let page = Page::parse(bytes);
    page.extract_with(&ExtractOptions::from(Preset::Strata)).text().len()
}

/// Growth is measured far below the full size: once a page no longer fits the processor's caches, doubling it more than
/// doubles the time of any job.
const SIZE_DIVISOR: usize = 4;

#[test]
fn extraction_is_linear() {
    let texts = KINDS
        .iter()
        .map(|kind| check_linear(kind.name, kind.n / SIZE_DIVISOR, kind.page, |bytes, timer| timer.time(|| extract(bytes))));
    let bytes = BYTE_KINDS
        .iter()
        .map(|kind| check_linear(kind.name, kind.n / SIZE_DIVISOR, kind.page, |bytes, timer| timer.time(|| extract(bytes))));
    assert_all_linear(texts.chain(bytes));
}

#[test]
fn quadratic_work_is_noticed() {
    let quadratic = |bytes: &[u8]| bytes.iter().map(|a| bytes.iter().filter(|b| *b == a).count()).sum::<usize>();
    let page = |n| vec![b'x'; n];
    assert!(check_linear("a quadratic job", 500, page, |bytes, timer| timer.time(|| quadratic(bytes))).is_err());
}

/// Runs all segmenters, and computes everything that the command line prints about a segment.
fn segment(bytes: &[u8]) -> usize {
    let page = Page::parse(bytes);
    let paths = webstrata::html::Paths::new(page.dom());
    let content = page.extract_with(&ExtractOptions::default().explain(true));
    let explanation = content.explain();
    let mut size = 0;
    // The graph-cut variants share their code and take longest.
    let variants = [Method::GCutsNp, Method::GCutsNl, Method::CClusNl];
    for method in Method::ALL.into_iter().filter(|method| !variants.contains(method)) {
        let segments = page.segments(method);
        for segment in &segments {
            size += segment.text().len() + segment.spans().len() + segment.counts().words as usize;
            size += segment.node().map_or(0, |node| paths.path(node).len());
        }
        size += content.label_segments(&segments).iter().map(|verdict| verdict.why(&explanation).len()).sum::<usize>();
    }
    size
}

#[test]
fn segmenters_are_linear() {
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
    assert_all_linear(
        kinds.iter().map(|(name, page, n)| check_linear(name, *n, page, |bytes, timer| timer.time(|| segment(bytes)))),
    );
}

#[test]
fn every_prefix_of_a_page_is_extracted() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pages");
    for case in ["news-tables-2005", "hidden-stuff", "enc-shift-jis-undeclared", "character-references"] {
        let bytes = std::fs::read(folder.join(case).join("page.html")).unwrap();
        let max = bytes.len().min(6_000);
        for end in 0..max {
            extract(&bytes[..end]);
        }
    }
}
