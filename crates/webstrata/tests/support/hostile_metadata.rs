//! Pages designed to slow down the extraction of metadata.

use super::hostile::Kind;

fn script(json: &str) -> String {
    format!("<script type=application/ld+json>{json}</script>")
}

pub const METADATA_KINDS: &[Kind] = &[
    Kind {
        name: "a long list in JSON-LD",
        n: 40_000,
        page: |n| script(&format!("[{}]", "{\"@type\":\"Article\",\"author\":\"Jo Ash\"},".repeat(n))),
    },
    Kind {
        name: "an object with many members",
        n: 40_000,
        page: |n| script(&format!("{{\"@type\":\"Article\",{}}}", "\"author\":\"Jo Ash\",".repeat(n))),
    },
    Kind { name: "nested lists in JSON-LD", n: 100_000, page: |n| script(&"[".repeat(n)) },
    Kind { name: "nested objects in JSON-LD", n: 50_000, page: |n| script(&"{\"author\":".repeat(n)) },
    Kind {
        name: "nested and closed objects",
        n: 50_000,
        page: |n| script(&format!("{}1{}", "{\"author\":".repeat(n), "}".repeat(n))),
    },
    Kind { name: "nested graphs", n: 40_000, page: |n| script(&"{\"@graph\":[".repeat(n)) },
    Kind { name: "quotes in JSON-LD", n: 200_000, page: |n| script(&format!("[{}", "\"x\" ".repeat(n))) },
    Kind { name: "escapes in JSON-LD", n: 150_000, page: |n| script(&format!("[\"{}", "\\u00e9\\".repeat(n))) },
    Kind { name: "comments in JSON-LD", n: 100_000, page: |n| script(&"[/**/ /*".repeat(n)) },
    Kind {
        name: "items with one identifier",
        n: 20_000,
        page: |n| script(&format!("[{}]", "{\"@id\":\"x\",\"author\":{\"@id\":\"x\"}},".repeat(n))),
    },
    Kind { name: "many scripts", n: 30_000, page: |n| script("{\"@type\":\"Article\",\"name\":\"x\"}").repeat(n) },
    Kind {
        name: "a large description",
        n: 500_000,
        page: |n| script(&format!("{{\"@type\":\"Article\",\"description\":\"{}\"}}", "a&amp;b ".repeat(n))),
    },
    Kind { name: "meta elements", n: 100_000, page: |n| "<meta property=og:title content='Rain - Snow | Rock'>".repeat(n) },
    Kind { name: "authors in meta elements", n: 100_000, page: |n| "<meta name=author content='a, b and c d'>".repeat(n) },
    Kind { name: "meaningless meta elements", n: 100_000, page: |n| "<meta name=published-x-date content=x>".repeat(n) },
    Kind {
        name: "an attribute of megabytes",
        n: 2_000_000,
        page: |n| format!("<meta name=author content='{}'>", "a and ".repeat(n / 6)),
    },
    Kind { name: "a class of megabytes", n: 2_000_000, page: |n| format!("<p class='{}'>x", "author ".repeat(n / 7)) },
    Kind { name: "a title of megabytes", n: 2_000_000, page: |n| format!("<title>{}</title>", "a | b - ".repeat(n / 8)) },
    Kind { name: "nested properties", n: 100_000, page: |n| "<div itemprop=name>x".repeat(n) },
    Kind {
        name: "nested items",
        n: 60_000,
        page: |n| "<div itemscope itemprop=author itemtype=http://schema.org/Article>x".repeat(n),
    },
    Kind {
        name: "many properties of an item",
        n: 100_000,
        page: |n| format!("<div itemscope itemtype=Article>{}", "<i itemprop=author>x</i>".repeat(n)),
    },
    Kind { name: "nested RDFa", n: 60_000, page: |n| "<div typeof=Article property='author name'>x".repeat(n) },
    Kind { name: "properties of RDFa", n: 100_000, page: |n| "<p property='dc:title dc:creator name'>x".repeat(n) },
    Kind { name: "time elements", n: 100_000, page: |n| "<time datetime=2024-05-13>x</time>".repeat(n) },
    Kind { name: "nested time elements", n: 80_000, page: |n| "<time class=published>13 May 2024".repeat(n) },
    Kind { name: "bylines", n: 80_000, page: |n| "<p class=byline>By Jo Ash and Kim Li</p>".repeat(n) },
    Kind { name: "nested bylines", n: 80_000, page: |n| "<div class=author>By Jo Ash".repeat(n) },
    Kind { name: "bylines in text", n: 80_000, page: |n| "<p>By Jo Ash, 13 May 2024</p>".repeat(n) },
    Kind { name: "authors as links", n: 60_000, page: |n| "<a rel='author tag license' href=/author/x>Jo Ash</a>".repeat(n) },
    Kind { name: "dates", n: 80_000, page: |n| "<p class=date>13 May 2024</p>".repeat(n) },
    Kind { name: "headings", n: 80_000, page: |n| "<h1>Rain falls</h1><h2 class=entry-title>Rain falls</h2>".repeat(n) },
    Kind { name: "buttons in a heading", n: 100_000, page: |n| format!("<h1>{}", "<button>x</button>".repeat(n)) },
    Kind { name: "nested headings", n: 80_000, page: |n| "<h1><div class=headline>x".repeat(n) },
    Kind {
        name: "lines that are the title",
        n: 60_000,
        page: |n| format!("<title>Rain falls - Rock falls</title>{}", "<p>Rain falls<a>Rock falls</a>".repeat(n)),
    },
    Kind {
        name: "nested headers around the title",
        n: 60_000,
        page: |n| format!("<title>Rain falls - Rock</title>{}", "<header><a>Rain falls".repeat(n)),
    },
    Kind { name: "sidebars", n: 100_000, page: |n| "<aside class='related comment'><p class=author>x".repeat(n) },
    Kind {
        name: "links to feeds and licences",
        n: 60_000,
        page: |n| "<link rel='alternate license canonical' type=application/rss+xml href=/a>".repeat(n),
    },
];
