//! Metadata of hostile pages: linear time, bounded memory, no panic. The tree is made beforehand: only the metadata is measured.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test program")]

mod support;

use support::clock::times;
use support::memory::{Measuring, peak};
use webstrata::content::metadata::{Metadata, MetadataOptions};
use webstrata::html::Dom;

/// Between linear, 2, and quadratic, 4.
const MOST_GROWTH: f64 = 3.0;
/// Memory beside the tree: so many times the page, and so many bytes.
const MEMORY_FACTOR: usize = 12;
const MEMORY_BASE: usize = 32 << 20;

#[global_allocator]
static ALLOCATOR: Measuring = Measuring;

/// A kind of page: its name, the size of the smaller of two runs, and the page of a size.
type Kind = (&'static str, usize, fn(usize) -> String);

fn script(json: &str) -> String {
    format!("<script type=application/ld+json>{json}</script>")
}

const KINDS: &[Kind] = &[
    ("a long list in JSON-LD", 40_000, |n| script(&format!("[{}]", "{\"@type\":\"Article\",\"author\":\"Jo Ash\"},".repeat(n)))),
    ("an object with many members", 40_000, |n| {
        script(&format!("{{\"@type\":\"Article\",{}}}", "\"author\":\"Jo Ash\",".repeat(n)))
    }),
    ("nested lists in JSON-LD", 100_000, |n| script(&"[".repeat(n))),
    ("nested objects in JSON-LD", 50_000, |n| script(&"{\"author\":".repeat(n))),
    ("nested and closed objects", 50_000, |n| script(&format!("{}1{}", "{\"author\":".repeat(n), "}".repeat(n)))),
    ("nested graphs", 40_000, |n| script(&"{\"@graph\":[".repeat(n))),
    ("quotes in JSON-LD", 200_000, |n| script(&format!("[{}", "\"x\" ".repeat(n)))),
    ("escapes in JSON-LD", 150_000, |n| script(&format!("[\"{}", "\\u00e9\\".repeat(n)))),
    ("comments in JSON-LD", 100_000, |n| script(&"[/**/ /*".repeat(n))),
    ("items with one identifier", 20_000, |n| script(&format!("[{}]", "{\"@id\":\"x\",\"author\":{\"@id\":\"x\"}},".repeat(n)))),
    ("many scripts", 30_000, |n| script("{\"@type\":\"Article\",\"name\":\"x\"}").repeat(n)),
    ("a large description", 500_000, |n| {
        script(&format!("{{\"@type\":\"Article\",\"description\":\"{}\"}}", "a&amp;b ".repeat(n)))
    }),
    ("meta elements", 100_000, |n| "<meta property=og:title content='Rain - Snow | Rock'>".repeat(n)),
    ("authors in meta elements", 100_000, |n| "<meta name=author content='a, b and c d'>".repeat(n)),
    ("meta elements of no meaning", 100_000, |n| "<meta name=published-x-date content=x>".repeat(n)),
    ("an attribute of megabytes", 2_000_000, |n| format!("<meta name=author content='{}'>", "a and ".repeat(n / 6))),
    ("a class of megabytes", 2_000_000, |n| format!("<p class='{}'>x", "author ".repeat(n / 7))),
    ("a title of megabytes", 2_000_000, |n| format!("<title>{}</title>", "a | b - ".repeat(n / 8))),
    ("nested properties", 100_000, |n| "<div itemprop=name>x".repeat(n)),
    ("nested items", 60_000, |n| "<div itemscope itemprop=author itemtype=http://schema.org/Article>x".repeat(n)),
    ("many properties of an item", 100_000, |n| {
        format!("<div itemscope itemtype=Article>{}", "<i itemprop=author>x</i>".repeat(n))
    }),
    ("nested RDFa", 60_000, |n| "<div typeof=Article property='author name'>x".repeat(n)),
    ("properties of RDFa", 100_000, |n| "<p property='dc:title dc:creator name'>x".repeat(n)),
    ("time elements", 100_000, |n| "<time datetime=2024-05-13>x</time>".repeat(n)),
    ("nested time elements", 80_000, |n| "<time class=published>13 May 2024".repeat(n)),
    ("bylines", 80_000, |n| "<p class=byline>By Jo Ash and Kim Li</p>".repeat(n)),
    ("nested bylines", 80_000, |n| "<div class=author>By Jo Ash".repeat(n)),
    ("bylines in text", 80_000, |n| "<p>By Jo Ash, 13 May 2024</p>".repeat(n)),
    ("authors as links", 60_000, |n| "<a rel='author tag license' href=/author/x>Jo Ash</a>".repeat(n)),
    ("dates", 80_000, |n| "<p class=date>13 May 2024</p>".repeat(n)),
    ("headings", 80_000, |n| "<h1>Rain falls</h1><h2 class=entry-title>Rain falls</h2>".repeat(n)),
    ("buttons in a heading", 100_000, |n| format!("<h1>{}", "<button>x</button>".repeat(n))),
    ("nested headings", 80_000, |n| "<h1><div class=headline>x".repeat(n)),
    ("lines that are the title", 60_000, |n| {
        format!("<title>Rain falls - Rock falls</title>{}", "<p>Rain falls<a>Rock falls</a>".repeat(n))
    }),
    ("nested headers round the title", 60_000, |n| {
        format!("<title>Rain falls - Rock</title>{}", "<header><a>Rain falls".repeat(n))
    }),
    ("sidebars", 100_000, |n| "<aside class='related comment'><p class=author>x".repeat(n)),
    ("links to feeds and licences", 60_000, |n| {
        "<link rel='alternate license canonical' type=application/rss+xml href=/a>".repeat(n)
    }),
];

fn of(dom: &Dom<'_>) -> Metadata {
    Metadata::from_dom(dom, &MetadataOptions { url: Some("https://www.dailyrock.example/2024/05/13/rain") })
}

/// One test, so that nothing else takes memory or time meanwhile.
#[test]
fn metadata_of_hostile_pages_is_linear() {
    let mut bad = Vec::new();
    for (name, n, page) in KINDS {
        let (small, large) = (page(*n), page(2 * n));
        let doms = [Dom::parse(&small), Dom::parse(&large)];
        let memory = peak(large.as_bytes(), |_| usize::from(of(&doms[1]).title.is_some()));
        let found = of(&doms[1]);
        assert!(found.authors.len() <= 32 && found.tags.len() <= 64 && found.kinds.len() <= 16, "{name}");
        let (growth, seconds) = times(small.as_bytes(), large.as_bytes(), |bytes| {
            let dom = &doms[usize::from(bytes.len() == large.len())];
            usize::from(of(dom).title.is_some())
        });
        let most = MEMORY_FACTOR * large.len() + MEMORY_BASE;
        println!("{name}: {growth:.2} times the time for twice the page, {seconds:.4} s, {} kB", memory >> 10);
        if growth > MOST_GROWTH || memory > most {
            bad.push(format!("{name}: growth {growth:.2}, {memory} bytes of {most}"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
