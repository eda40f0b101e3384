//! XML and TEI: well formed for any page, valid, and with the text of the document.

mod reader;
mod tei;

use crate::markdown::grammar;
use crate::support::clock::{assert_all_linear, check_linear};
use crate::support::data;
use crate::support::hostile::KINDS;
use crate::support::random::Random;
use reader::{Element, read};
use webstrata::content::{Document, Event, RenderOptions, XmlOptions};
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page};

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The text of a document; formulas are written as TeX.
fn text(document: &Document) -> String {
    let text = document.events().map(|event| match event {
        Event::Text { text, .. } | Event::Reference { text, .. } => letters(text),
        Event::Math { tex, .. } => letters(tex),
        _ => String::new(),
    });
    text.collect()
}

/// The text of an element without descriptions of images.
fn shown(element: &Element) -> String {
    let described: String = descendants(element).filter(|e| e.name == "desc").map(Element::text).collect();
    let mut all = letters(&element.text());
    for desc in descendants(element).filter(|e| e.name == "desc") {
        all = all.replacen(&letters(&desc.text()), "", 1);
    }
    if described.is_empty() { letters(&element.text()) } else { all }
}

fn descendants(root: &Element) -> impl Iterator<Item = &Element> {
    let mut open = vec![root];
    std::iter::from_fn(move || {
        let element = open.pop()?;
        open.extend(element.elements());
        Some(element)
    })
}

fn check(bytes: &[u8], preset: Preset) -> Result<(), String> {
    let page = Page::parse(bytes);
    let metadata = page.metadata();
    let comments = ["first & <last>\u{0}".to_owned()];
    for images in [false, true] {
        let content = page.extract_with(&ExtractOptions::from(preset));
        let document = content.document(&RenderOptions::default().images(images));
        let options = XmlOptions::default().metadata(Some(&metadata)).url("https://e.org/a b").id("<&>").comments(&comments);
        let xml = document.xml(&options);
        let root = read(&xml).map_err(|wrong| format!("{wrong}\n{xml}"))?;
        if root.name != "doc" || root.names() != ["main", "comments"] {
            return Err(format!("{:?}\n{xml}", root.names()));
        }
        let tei = document.tei(&options);
        let root_of_tei = read(&tei).map_err(|wrong| format!("{wrong}\n{tei}"))?;
        if let Some(wrong) = tei::violation(&root_of_tei) {
            return Err(format!("{wrong}\n{tei}"));
        }
        let body = descendants(&root_of_tei).find(|e| e.attribute("type") == Some("entry")).ok_or("no div")?;
        let want = text(&document);
        for (name, got) in
            [("xml", root.elements().next().map(|main| letters(&main.text())).unwrap_or_default()), ("tei", shown(body))]
        {
            if !images && got != want {
                return Err(format!("the text of {name}: {got}\n--- instead of\n{want}"));
            }
        }
    }
    Ok(())
}

#[test]
fn generated_pages_are_valid() {
    for seed in 0..3000 {
        let html = grammar::page(&mut Random::new(seed));
        check(html.as_bytes(), Preset::KeepEverything).unwrap_or_else(|e| panic!("seed {seed}\n{html}\n--- {e}"));
    }
}

/// Mutated pages: markup, references and control characters anywhere, in text, attributes and metadata.
#[test]
fn mutated_pages_are_valid() {
    const PIECES: [&str; 14] = [
        "<",
        ">",
        "&",
        "\"",
        "'",
        "]]>",
        "\u{0}",
        "\u{b}",
        "\u{fffe}",
        "&#1;",
        "&lt;x y=&quot;",
        "<!--",
        "\r",
        "<meta name=author content='",
    ];
    let pages = data::bundled();
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let (_, bytes) = &pages[random.below(pages.len())];
        let mut html = String::from_utf8_lossy(bytes).into_owned();
        for _ in 0..20 {
            let at = (random.below(html.len().max(1))..=html.len()).find(|at| html.is_char_boundary(*at)).unwrap_or(0);
            html.insert_str(at, random.pick(&PIECES));
        }
        check(html.as_bytes(), Preset::KeepEverything).unwrap_or_else(|e| panic!("seed {seed}\n--- {e}"));
    }
}

#[test]
fn bundled_pages_are_valid() {
    for (name, bytes) in data::bundled() {
        for preset in [Preset::KeepEverything, Preset::Article, Preset::Strata] {
            check(&bytes, preset).unwrap_or_else(|e| panic!("{name}\n{e}"));
        }
    }
}

#[test]
fn real_pages_are_valid() {
    data::check_pages(|bytes| check(bytes, Preset::KeepEverything));
}

const PAGE: &str = "<html lang=en><title>Rain - Rock</title><meta property=og:site_name content=Rock><meta name=author content='Jo Ash'>\
    <meta property=article:published_time content=2024-05-13T10:00Z><meta property=article:tag content='a &amp; b'>\
    <meta name=description content='About <rain>'><h1>Rain</h1><p>It <b>rained</b> <i>and <a href='/a b'>rained</a></i> <code>x</code>.<br>\
    Twice.<ul><li>one<li>two<ol><li>three</ol></ul><table><tr><th>a<th>b<tr><td><td>c</table><blockquote>q</blockquote>\
    <pre><code class=language-rust>fn x() {\n  1 &lt; 2\n}</code></pre><hr><p><img src=i.png alt='a \"b\"'> end<sup><a href=#n>1</a></sup><div id=n>note</div>";

fn options(metadata: &webstrata::content::metadata::Metadata) -> XmlOptions<'_> {
    XmlOptions::default().metadata(Some(metadata)).url("https://e.org/rain").id("a.html").fingerprint("00ff")
}

#[test]
fn plain_xml_has_the_known_elements() {
    let page = Page::parse(PAGE.as_bytes());
    let document =
        page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).document(&RenderOptions::default().images(true));
    let want = "<doc sitename=\"Rock\" title=\"Rain\" author=\"Jo Ash\" date=\"2024-05-13\" source=\"https://e.org/rain\" hostname=\"e.org\" \
excerpt=\"About &lt;rain&gt;\" tags=\"a &amp; b\" language=\"en\" id=\"a.html\" fingerprint=\"00ff\">\n<main>\n<head rend=\"h1\">Rain</head>\n\
<p>It <hi rend=\"#b\">rained</hi> <hi rend=\"#i\">and</hi> <ref target=\"/a%20b\"><hi rend=\"#i\">rained</hi></ref> <code>x</code>.<lb/>Twice.</p>\n\
<list rend=\"ul\">\n<item>one</item>\n<item>two\n<list rend=\"ol\">\n<item>three</item>\n</list>\n</item>\n</list>\n\
<table>\n<row><cell role=\"head\">a</cell><cell role=\"head\">b</cell></row>\n<row><cell/><cell>c</cell></row>\n</table>\n\
<quote>\n<p>q</p>\n</quote>\n<code rend=\"rust\" xml:space=\"preserve\">fn x() {\n  1 &lt; 2\n}</code>\n\
<p><graphic src=\"i.png\" alt=\"a &quot;b&quot;\"/> end<ref target=\"#note-1\" type=\"note\">1</ref></p>\n\
<note n=\"1\" xml:id=\"note-1\">\n<p>note</p>\n</note>\n</main>\n<comments/>\n</doc>\n";
    assert_eq!(document.xml(&options(&page.metadata())), want);
}

#[test]
fn tei_has_a_header_and_a_body() {
    let page = Page::parse(PAGE.as_bytes());
    let document =
        page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).document(&RenderOptions::default().images(true));
    let comments = ["Nice & dry".to_owned()];
    let metadata = page.metadata();
    let xml = document.tei(&options(&metadata).comments(&comments));
    let root = read(&xml).unwrap();
    assert_eq!(tei::violation(&root), None, "{xml}");
    assert_eq!(root.attribute("xmlns"), Some("http://www.tei-c.org/ns/1.0"));
    let first = |name: &str| descendants(&root).find(|e| e.name == name).unwrap_or_else(|| panic!("{name}\n{xml}"));
    assert_eq!(first("title").text(), "Rain");
    assert_eq!(first("author").text(), "Jo Ash");
    assert_eq!(first("bibl").text(), "Rain, Rock, 2024-05-13");
    assert_eq!(first("publisher").text(), "Rock (e.org)");
    assert_eq!(first("ptr").attribute("target"), Some("https://e.org/rain"));
    assert_eq!(first("date").attribute("when"), Some("2024-05-13"));
    assert_eq!(first("language").attribute("ident"), Some("en"));
    assert_eq!(first("term").text(), "a & b");
    assert_eq!(first("text").attribute("xml:lang"), Some("en"));
    assert_eq!(first("graphic").attribute("url"), Some("i.png"));
    assert_eq!(first("desc").text(), "a \"b\"");
    assert_eq!(first("body").elements().map(|div| div.attribute("type").unwrap()).collect::<Vec<_>>(), ["entry", "comments"]);
    assert!(xml.contains("<ab type=\"header\" rend=\"h1\">Rain</ab>\n") && xml.contains("<p>Nice &amp; dry</p>"), "{xml}");
    assert!(
        xml.contains("<ab type=\"code\"><code lang=\"rust\" xml:space=\"preserve\">fn x() {\n  1 &lt; 2\n}</code></ab>"),
        "{xml}"
    );
}

#[test]
fn the_checks_can_fail() {
    for xml in [
        "",
        "<a>",
        "</a>",
        "<a></b>",
        "<a/><b/>",
        "x<a/>",
        "<a b=c/>",
        "<a b=\"1\" b=\"2\"/>",
        "<a>&nbsp;</a>",
        "<a>\u{1}</a>",
        "<a>&</a>",
    ] {
        assert!(read(xml).is_err(), "{xml}");
    }
    for xml in [
        "<div>text</div>",
        "<list/>",
        "<table><row/></table>",
        "<p><p/></p>",
        "<row>x</row>",
        "<TEI><text/></TEI>",
        "<milestone/>",
        "<div><script/></div>",
        "<body><div><note xml:id=\"a\"/><note xml:id=\"a\"/></div></body>",
        "<code><hi/></code>",
    ] {
        assert!(tei::violation(&read(xml).unwrap()).is_some(), "{xml}");
    }
}

#[test]
fn hostile_pages_take_linear_time() {
    assert_all_linear(KINDS.iter().map(|kind| {
        check_linear(kind.name, kind.n / 8, kind.page, |bytes, timer| {
            timer.time(|| {
                let page = Page::parse(bytes);
                let document = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).document(&RenderOptions::default());
                document.xml(&XmlOptions::default()).len() + document.tei(&XmlOptions::default()).len()
            });
        })
    }));
}
