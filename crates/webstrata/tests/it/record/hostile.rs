//! Links, images and whole records of hostile pages: linear time, bounded output, no panic.

use crate::support::clock::{assert_all_linear, check_linear};
use webstrata::content::LinkOptions;
use webstrata::label::Preset;
use webstrata::record::{PageRecord, RecordOptions};
use webstrata::segment::{Method, SegmentOptions};
use webstrata::{ExtractOptions, Page};

type Generator = fn(usize) -> Vec<u8>;

const KINDS: [(&str, Generator, usize); 17] = [
    ("links", |n| b"<a href=x>y</a>".repeat(n), 40_000),
    ("links that are never closed", |n| b"<a href=x>y".repeat(n), 40_000),
    ("links in nested blocks", |n| b"<div><a href=x>y".repeat(n), 20_000),
    ("links that reach into blocks", |n| b"<a href=x>y<div>z</a>".repeat(n), 20_000),
    ("a link that goes on in paragraphs", |n| [b"<a href=x>".to_vec(), b"<p>y".repeat(n)].concat(), 20_000),
    ("links in links", |n| b"<a href=x>y<object>".repeat(n), 20_000),
    ("links around many images", |n| b"<a href=x><img src=y alt=z><img src=y></a>".repeat(n), 20_000),
    ("links below a deep stack", |n| [b"<div>".repeat(1000), b"<a href=x>y</a>".repeat(n)].concat(), 40_000),
    ("images below a deep stack", |n| [b"<div>".repeat(1000), b"<img src=x>".repeat(n)].concat(), 40_000),
    (
        "images of one figure",
        |n| [b"<figure><figcaption>".to_vec(), b"x ".repeat(n), b"</figcaption>".to_vec(), b"<img src=y>".repeat(n)].concat(),
        10_000,
    ),
    ("nested figures", |n| b"<figure><img src=x><figcaption>y".repeat(n), 20_000),
    ("nested captions", |n| b"<div class=caption><img src=x>y".repeat(n), 20_000),
    ("images before a caption", |n| [b"<img src=x>".repeat(n), b"<p class=caption>y".to_vec()].concat(), 40_000),
    ("a long srcset", |n| [b"<img srcset='".to_vec(), b"x.jpg 2x, ".repeat(n), b"'>".to_vec()].concat(), 100_000),
    (
        "sources of one picture",
        |n| [b"<picture>".to_vec(), b"<source srcset='x 2x'>".repeat(n), b"<img><img src=y>".repeat(n)].concat(),
        20_000,
    ),
    ("relations", |n| [b"<a href=x rel='".to_vec(), b"nofollow a b c ".repeat(n), b"'>y</a>".to_vec()].concat(), 40_000),
    (
        "a long base",
        |n| {
            [
                b"<base href='https://example.org/".to_vec(),
                vec![b'x'; 1900],
                b"/'>".to_vec(),
                b"<a href=y><img src=z></a>".repeat(n),
            ]
            .concat()
        },
        20_000,
    ),
];

fn lists(bytes: &[u8]) -> usize {
    let page = Page::parse(bytes);
    let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    let segments = page.segments(Method::BfRulebased);
    let options = LinkOptions::default().base("https://example.org/").segments(segments.as_segments());
    content.links(&options).len() + content.images(&options).len()
}

fn record(bytes: &[u8]) -> String {
    let page = Page::parse(bytes);
    let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    let segments = Some((Method::WordWrap, SegmentOptions::default()));
    let options = RecordOptions::default().segments(segments).blocks(true).why(true).links(true).images(true).metadata(true);
    PageRecord::new(&page, &content, &options).to_json()
}

#[test]
fn lists_of_hostile_pages_take_linear_time() {
    assert_all_linear(KINDS.map(|(name, page, n)| check_linear(name, n, page, |bytes, timer| timer.time(|| lists(bytes)))));
    let page = b"<a href=x>y</a>".repeat(500_000);
    assert!(lists(&page) >= 300_000, "many links are listed, up to the cap on nodes");
}

#[test]
fn records_of_hostile_pages_take_linear_time() {
    assert_all_linear(
        KINDS.map(|(name, page, n)| check_linear(name, n / 4, page, |bytes, timer| timer.time(|| record(bytes).len()))),
    );
}
