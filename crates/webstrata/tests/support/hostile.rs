//! Pages designed to slow down a parser: each kind is a generator that takes a size.
//!
//! The length of a page is roughly proportional to `n`, so a linear parser takes twice the time for `2 n`.

/// One kind of hostile page; `P` is text or bytes.
pub struct Kind<P = String> {
    pub name: &'static str,
    /// The full size is twice this.
    pub n: usize,
    /// Generates the page for a size.
    pub page: fn(usize) -> P,
}

fn repeat(head: &str, piece: &str, n: usize) -> String {
    let mut page = String::with_capacity(head.len() + piece.len() * n);
    page.push_str(head);
    for _ in 0..n {
        page.push_str(piece);
    }
    page
}

/// `head`, then the pieces for 0 to n - 1.
fn numbered(head: &str, n: usize, piece: impl Fn(usize) -> String) -> String {
    let mut page = String::from(head);
    for i in 0..n {
        page.push_str(&piece(i));
    }
    page
}

/// Kinds that are text.
pub const KINDS: &[Kind] = &[
    Kind { name: "nested div", n: 100_000, page: |n| repeat("", "<div>x", n) },
    Kind { name: "nested and closed div", n: 50_000, page: |n| repeat("", "<div>x", n) + &"</div>".repeat(n) },
    Kind { name: "nested lists", n: 50_000, page: |n| repeat("", "<ul><li>x", n) },
    Kind { name: "list items", n: 150_000, page: |n| repeat("<ul>", "<li>x", n) },
    Kind { name: "definition terms in divs", n: 50_000, page: |n| repeat("<dl>", "<dt>x<div><dd>y", n) },
    Kind { name: "nested b", n: 100_000, page: |n| repeat("", "<b>x", n) },
    Kind { name: "misnested a and b", n: 70_000, page: |n| repeat("", "<a><b>x</a>y</b>", n) },
    Kind { name: "misnested, never closed", n: 150_000, page: |n| repeat("", "<a><b>", n) },
    Kind { name: "a in blocks", n: 70_000, page: |n| repeat("", "<a>x<div>y</a>z", n) },
    Kind { name: "a in nested blocks", n: 40_000, page: |n| repeat("", "<a><p><b><div><i></a>x", n) },
    Kind { name: "formatting across paragraphs", n: 50_000, page: |n| repeat("<b><i><u><em><font color=red><s><tt>", "<p>x", n) },
    Kind { name: "distinct fonts across paragraphs", n: 20_000, page: |n| numbered("", n, |i| format!("<p><font size={i}>x")) },
    Kind { name: "formatting in cells", n: 30_000, page: |n| repeat("<table>", "<tr><td><b><i>x", n) },
    Kind { name: "formatting in objects", n: 50_000, page: |n| repeat("", "<b><object>x", n) },
    Kind { name: "end tags that match nothing", n: 200_000, page: |n| repeat("<div><p>", "</b>x</i>", n) },
    Kind { name: "end tags below a deep stack", n: 150_000, page: |n| repeat(&"<span>".repeat(1000), "</div>", n) },
    Kind { name: "scripts below a deep stack", n: 70_000, page: |n| repeat(&"<div>".repeat(2000), "<script>x</script>", n) },
    Kind { name: "titles below a deep stack", n: 70_000, page: |n| repeat(&"<div>".repeat(2000), "<title>x</title></b>", n) },
    Kind { name: "headings ended by others", n: 70_000, page: |n| repeat("", "<h1>x</h2><h3>", n) },
    Kind { name: "end tags of p", n: 200_000, page: |n| repeat("", "</p>x", n) },
    Kind { name: "nested tables", n: 40_000, page: |n| repeat("", "<table><tr><td>x", n) },
    Kind { name: "tables in rows", n: 60_000, page: |n| repeat("", "<table><tr>x", n) },
    Kind { name: "text in tables", n: 100_000, page: |n| repeat("<table>", "x<tr>y", n) },
    Kind { name: "nested forms", n: 70_000, page: |n| repeat("", "<form><div></form>x", n) },
    Kind { name: "select in select", n: 70_000, page: |n| repeat("", "<select><option>x<select>", n) },
    Kind { name: "nested buttons", n: 70_000, page: |n| repeat("", "<button><p>x", n) },
    Kind { name: "ruby", n: 100_000, page: |n| repeat("<ruby>", "<rb>x<rt>y", n) },
    Kind { name: "svg and foreignObject", n: 30_000, page: |n| repeat("", "<svg><foreignObject>x", n) },
    Kind { name: "svg left by p", n: 50_000, page: |n| repeat("", "<svg><g><p>x", n) },
    Kind { name: "end tags in svg", n: 100_000, page: |n| repeat(&"<svg><g>".repeat(400), "</b>x</rect>", n) },
    Kind { name: "math text", n: 50_000, page: |n| repeat("<math>", "<mi>x<mglyph>", n) },
    Kind { name: "templates", n: 50_000, page: |n| repeat("", "<template><td>x", n) },
    Kind { name: "attributes of one tag", n: 50_000, page: |n| numbered("<p", n, |i| format!(" a{i}=v")) + ">x" },
    Kind { name: "the same attribute", n: 100_000, page: |n| repeat("<p", " a=b", n) + ">x" },
    Kind { name: "a long attribute", n: 5_000_000, page: |n| repeat("<p title=\"", "x", n) + "\">y" },
    Kind { name: "a long attribute without an end", n: 5_000_000, page: |n| repeat("<p title=\"", "<", n) },
    Kind { name: "quotes in tags", n: 200_000, page: |n| repeat("", "<p a=\"", n) },
    Kind { name: "body tags with attributes", n: 50_000, page: |n| repeat("<p id=x>", "<body class=y><html lang=z>", n) },
    Kind { name: "ampersands", n: 1_000_000, page: |n| repeat("<p>", "&", n) },
    Kind { name: "half references", n: 100_000, page: |n| repeat("<p>", "&CounterClockwiseContourIntegra", n) },
    Kind { name: "long numbers", n: 1_000_000, page: |n| repeat("<p>&#", "9", n) },
    Kind { name: "less-than signs", n: 1_000_000, page: |n| repeat("", "<", n) },
    Kind { name: "open titles", n: 100_000, page: |n| repeat("", "<title>x", n) },
    Kind { name: "open scripts", n: 100_000, page: |n| repeat("", "<script>x", n) },
    Kind { name: "open scripts with escapes", n: 70_000, page: |n| repeat("", "<script><!--<script>", n) },
    Kind { name: "open scripts with end tags of others", n: 70_000, page: |n| repeat("", "<script>x</style>", n) },
    Kind { name: "open text areas", n: 100_000, page: |n| repeat("", "<textarea>x", n) },
    Kind {
        name: "open raw text of all kinds",
        n: 20_000,
        page: |n| repeat("", "<style>x<title>x<xmp>x<iframe>x<noembed>x<noframes>x", n),
    },
    Kind { name: "almost end tags", n: 100_000, page: |n| repeat("<script>", "</scrip", n) },
    Kind { name: "open comments", n: 200_000, page: |n| repeat("", "<!--", n) },
    Kind { name: "comment ends", n: 300_000, page: |n| repeat("<!--", "-->", n) },
    Kind { name: "dashes", n: 1_000_000, page: |n| repeat("<!--", "-", n) },
    Kind { name: "bogus comments", n: 300_000, page: |n| repeat("", "<!x", n) },
    Kind { name: "open CDATA sections", n: 100_000, page: |n| repeat("<svg>", "<![CDATA[", n) },
    Kind { name: "doctypes", n: 70_000, page: |n| repeat("", "<!doctype html>", n) },
    Kind { name: "made-up names", n: 70_000, page: |n| numbered("", n, |i| format!("<x-{i}>y")) },
    Kind {
        name: "made-up names that share their start",
        n: 4_000,
        page: |n| numbered("", n, |i| format!("<{}{}>y", "x".repeat(200), i % 700)),
    },
    Kind {
        name: "512 names, then unknown ones",
        n: 30_000,
        page: |n| numbered("", n, |i| format!("<y{}></y{}>", i % 5000, i % 5000)),
    },
    Kind { name: "a long name", n: 2_000_000, page: |n| repeat("<", "x", n) + ">y" },
    Kind { name: "long names", n: 20, page: |n| numbered("", n, |i| format!("<x{}{i}>y", "x".repeat(60_000))) },
    Kind { name: "framesets", n: 70_000, page: |n| repeat("", "<frameset><frame>", n) },
    Kind { name: "white space between tags", n: 100_000, page: |n| repeat("<b><p>", " </p> <p> ", n) },
    Kind { name: "white space in pre", n: 300_000, page: |n| repeat("<pre>", " <b> ", n) },
];

/// Kinds that are bytes, and long texts.
pub const BYTE_KINDS: &[Kind<Vec<u8>>] = &[
    Kind { name: "text, 100 MB", n: 50_000_000, page: |n| b"All work and no play makes a dull text of it. ".repeat(n / 46) },
    Kind { name: "one word, 10 MB", n: 5_000_000, page: |n| vec![b'x'; n] },
    Kind { name: "an attribute, 10 MB", n: 5_000_000, page: |n| [b"<p title='".to_vec(), vec![b'x'; n], b"'>y".to_vec()].concat() },
    Kind { name: "NUL bytes", n: 2_000_000, page: |n| [b"<p>".to_vec(), vec![0; n]].concat() },
    Kind { name: "NULs in words", n: 500_000, page: |n| b"a\0b ".repeat(n) },
    Kind { name: "random bytes", n: 500_000, page: noise },
    Kind { name: "ideographs", n: 300_000, page: |n| "地層".repeat(n).into_bytes() },
    Kind { name: "one-letter blocks", n: 200_000, page: |n| b"<p>x".repeat(n) },
    Kind { name: "one-letter links", n: 100_000, page: |n| b"<a>x</a>".repeat(n) },
    Kind { name: "short lines", n: 200_000, page: |n| b"word<br>".repeat(n) },
    Kind { name: "windows-1252 text", n: 500_000, page: |n| b"caf\xe9 na\xefve \n".repeat(n / 10) },
];

/// Bytes that look random and are the same in every run.
pub fn noise(n: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    std::iter::repeat_with(next).take(n).collect()
}
