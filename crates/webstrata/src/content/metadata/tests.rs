//! Whole pages: each source of each field, precedence, and hostile pages.

use super::*;
use crate::html::Dom;

const URL: &str = "https://www.dailyrock.example/weather/rain";

pub(super) fn metadata(html: &str) -> Metadata {
    Metadata::from_dom(&Dom::parse(html), &MetadataOptions { url: Some(URL) })
}

pub(super) fn show<T: ToString>(value: &Option<Value<T>>) -> String {
    value.as_ref().map_or("-".to_owned(), |v| format!("{} ({})", v.value.to_string(), v.source))
}

pub(super) fn list(values: &[Value<String>]) -> String {
    let sources: Vec<String> = values.first().map(|v| v.source.to_string()).into_iter().collect();
    format!("{} ({})", values.iter().map(|v| v.value.as_str()).collect::<Vec<_>>().join("; "), sources.join(""))
}

#[test]
fn titles() {
    let table = [
        ("<title>Rain</title>", "Rain (title element)"),
        ("<title>Rain | The Daily Rock</title><meta property=og:site_name content='The Daily Rock'>", "Rain (title element)"),
        ("<title>Rain - dailyrock</title>", "Rain (title element)"),
        ("<title>x</title><meta property=og:title content='Rain &amp; snow'>", "Rain & snow (meta og:title)"),
        ("<meta name=twitter:title content=Rain>", "Rain (meta twitter:title)"),
        ("<meta name=DC.Title content=Rain>", "Rain (meta dc.title)"),
        ("<title>Rain in the valley – Rock</title><h1>Rain in the valley</h1>", "Rain in the valley (h1 element)"),
        ("<title>Rain in the valley – Rock</title><nav><h1>Rock</h1></nav>", "Rain in the valley – Rock (title element)"),
        (
            r#"<script type=application/ld+json>{"@type":"Article","headline":"Rain &#038; snow"}</script>"#,
            "Rain & snow (json-ld headline)",
        ),
        ("<div itemscope itemtype=https://schema.org/Article><b itemprop=headline>Rain</b></div>", "Rain (microdata headline)"),
        ("<h1>Rain at last</h1>", "Rain at last (h1 element)"),
        (
            "<meta property=og:title content='How to mend a roof'><h1>Thread: How to mend a roof</h1>",
            "How to mend a roof (meta og:title)",
        ),
        ("<svg><title>icon</title></svg>", "-"),
        ("", "-"),
    ];
    for (html, expected) in table {
        assert_eq!(show(&metadata(html).title), expected, "{html}");
    }
}

#[test]
fn authors() {
    let table = [
        ("<meta name=author content='Maren Tolliver'>", "Maren Tolliver (meta author)"),
        ("<meta property=article:author content=https://facebook.com/x><p class=byline>By Jo Ash</p>", "Jo Ash (byline markup)"),
        (
            "<meta name=citation_author content='Ash, Jo'><meta name=citation_author content='Li, Kim'>",
            "Jo Ash; Kim Li (meta citation_author)",
        ),
        ("<meta name=dc.creator content='Jo Ash'>", "Jo Ash (meta dc.creator)"),
        ("<meta name=parsely-author content='Jo Ash'>", "Jo Ash (meta parsely-author)"),
        ("<meta name=sailthru.author content='Jo Ash'>", "Jo Ash (meta sailthru.author)"),
        ("<p>By <a rel=author href=/jo>Jo Ash</a> and <a rel=author href=/kim>Kim Li</a>", "Jo Ash; Kim Li (rel=author markup)"),
        ("<p>by <a href=/author/jo/>Jo Ash</a>", "Jo Ash (author link markup)"),
        ("<span id=author-name>Jo Ash</span>", "Jo Ash (byline markup)"),
        ("<p>By Jo Ash, May 13, 2024</p>", "Jo Ash (byline text)"),
        ("<h4>Written by</h4><p>Jo Ash</p>", "Jo Ash (byline text)"),
        ("<p>By default nothing happens</p><p>by using this</p>", " ()"),
        ("<aside class=related><p class=author>Jo Ash</p></aside>", " ()"),
        ("<style id=author-css>.x{}</style>", " ()"),
        (
            r#"<script type=application/ld+json>{"@graph":[{"@type":"Article","author":{"@id":"a"}},{"@type":"Person","@id":"a","name":"Jo Ash"}]}</script>"#,
            "Jo Ash (json-ld author)",
        ),
        (
            r#"<script type=application/ld+json>[[{"@type":["NewsArticle"],"author":["Jo Ash",{"name":"Kim Li"}]}]]</script>"#,
            "Jo Ash; Kim Li (json-ld author)",
        ),
        (
            r#"<script type=application/ld+json>{"@type":"BlogPosting","author":{"@type":"Person","givenName":"Jo","familyName":"Ash"}}</script>"#,
            "Jo Ash (json-ld author)",
        ),
        (
            r#"<script type=application/ld+json>{"@type":"Article","author":{"@type":"Organization","name":"Rock Press"}}</script><p class=byline>By Jo Ash"#,
            "Jo Ash (byline markup)",
        ),
        (
            r#"<script type=application/ld+json>{"@type":"Article","author":"jash2"}</script><p class=byline>By Jo Ash"#,
            "Jo Ash (byline markup)",
        ),
        (
            "<div itemscope itemtype=http://schema.org/BlogPosting><p itemprop=author itemscope itemtype=http://schema.org/Person><b itemprop=name>Jo Ash</b></div>",
            "Jo Ash (microdata author)",
        ),
        ("<meta name=author content=DailyRock>", " ()"),
    ];
    for (html, expected) in table {
        assert_eq!(list(&metadata(html).authors), expected, "{html}");
    }
}

#[test]
fn dates() {
    let table = [
        (
            "<meta property=article:published_time content=2024-05-13T17:42:00+02:00>",
            "2024-05-13T17:42:00+02:00 (meta article:published_time)",
        ),
        ("<meta name=parsely-pub-date content=2024-05-13T17:42:00Z>", "2024-05-13T17:42:00Z (meta parsely-pub-date)"),
        ("<meta name=dcterms.created content=2024-05-13>", "2024-05-13 (meta dcterms.created)"),
        ("<meta name=w-published-date content=2024-05-13>", "2024-05-13 (meta published date)"),
        ("<time datetime='2024-05-13 17:42'>yesterday</time>", "2024-05-13T17:42:00 (time element)"),
        ("<time>13 May 2024</time>", "2024-05-13 (time element)"),
        (
            "<footer><time datetime=2020-01-01>x</time></footer><p><time pubdate datetime=2024-05-13>x</time>",
            "2024-05-13 (time element)",
        ),
        ("<p class=entry-date>13. Mai 2024</p>", "2024-05-13 (date markup)"),
        ("<p>Published on May 13, 2024</p>", "2024-05-13 (date text)"),
        (
            r#"<script type=application/ld+json>{"@type":"Article","datePublished":"2024-05-13"}</script>"#,
            "2024-05-13 (json-ld datePublished)",
        ),
        (
            "<div itemscope itemtype=http://schema.org/Article><meta itemprop=datePublished content=2024-05-13></div>",
            "2024-05-13 (microdata datePublished)",
        ),
        ("<html lang=en-US><p class=date>05/06/2024</p>", "2024-05-06 (date markup)"),
        ("<p class=date>05/06/2024</p>", "-"),
        ("<meta property=article:published_time content=nonsense>", "-"),
    ];
    for (html, expected) in table {
        assert_eq!(show(&metadata(html).published), expected, "{html}");
    }
    let page = metadata("<meta property=article:modified_time content=2024-05-14T08:00Z>");
    assert_eq!(show(&page.modified), "2024-05-14T08:00:00Z (meta article:modified_time)");
    assert_eq!(page.date(), page.modified.as_ref());
}

#[test]
fn other_fields() {
    let page = metadata(
        r#"<html lang=pt_br dir=RTL><base href=/base/>
        <meta property=og:site_name content="The Daily Rock"><meta name=description content=" About
         rain "><link rel=canonical href=../rain><meta property=og:image content=//img.example/a.png>
        <meta name=keywords content="rain, valley, Rain"><meta property=article:tag content=weather>
        <link rel=license href=https://creativecommons.org/licenses/by/4.0/>
        <link rel=alternate type=application/rss+xml href=/feed><link rel=alternate type=application/atom+xml href=/atom>
        <link rel=alternate hreflang=de href=/de><link rel=amphtml href=/amp><meta property=og:type content=article>
        <script type=application/ld+json>{"@context":"https://schema.org","@type":"schema:NewsArticle","headline":"Rain"}</script>"#,
    );
    assert_eq!(show(&page.language), "pt-BR (html lang)");
    assert_eq!(show(&page.direction), "rtl (html dir)");
    assert_eq!(show(&page.site_name), "The Daily Rock (meta og:site_name)");
    assert_eq!(show(&page.description), "About rain (meta description)");
    assert_eq!(show(&page.canonical), "https://www.dailyrock.example/rain (link canonical)");
    assert_eq!(show(&page.image), "https://img.example/a.png (meta og:image)");
    assert_eq!(list(&page.tags), "weather (meta article:tag)");
    assert_eq!(show(&page.license), "https://creativecommons.org/licenses/by/4.0/ (link license)");
    assert_eq!(list(&page.feeds), "https://www.dailyrock.example/feed; https://www.dailyrock.example/atom (link alternate)");
    assert_eq!(show(&page.amp), "https://www.dailyrock.example/amp (link amphtml)");
    assert_eq!(list(&page.types), "article; NewsArticle (meta og:type)");
    let names: Vec<&str> = page.readability().fields().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["title", "dir", "lang", "excerpt", "siteName"]);
}

#[test]
fn spans_locate_the_values() {
    let html = r#"<title>Rain</title><meta name=author content="Jo Ash"><p class=date>13 May 2024</p>
        <script type=application/ld+json>{"@type":"Article","description":"Much rain"}</script>"#;
    let page = metadata(html);
    let at = |span: Option<crate::Span>| span.unwrap_or_default().slice(html).to_owned();
    assert_eq!(at(page.title.as_ref().and_then(|v| v.span)), "Rain");
    assert_eq!(at(page.authors[0].span), "Jo Ash");
    assert_eq!(at(page.published.as_ref().and_then(|v| v.span)), "13 May 2024");
    assert_eq!(at(page.description.as_ref().and_then(|v| v.span)), "Much rain");
}

#[test]
fn the_page_is_described_by_its_own_article() {
    let script = |url: &str, name: &str| {
        format!(
            r#"<script type=application/ld+json>{{"@type":"Article","url":"{url}","headline":"{name} news","author":"{name} Ash"}}</script>"#
        )
    };
    let teasers: String = (0..9).map(|n| script(&format!("https://x.example/{n}"), "Other")).collect();
    assert_eq!(list(&metadata(&format!("{teasers}{}", script(URL, "Jo"))).authors), "Jo Ash (json-ld author)");
    assert!(metadata(&teasers).authors.is_empty());
}

#[test]
fn hostile_pages_terminate() {
    let pieces = [
        "<script type=application/ld+json>[[[[",
        "<script type=application/ld+json>{\"@graph\":[{\"author\":{</script>",
        "<div itemscope itemprop=author>",
        "<span itemprop=name>",
        "<p class=author>By ",
        "<a rel=author>x",
        "<time datetime=2024-05-13>",
        "<h1>",
        "<meta name=author content='a, b and c'>",
        "<meta name=keywords content='a,b,c;d'>",
        "<aside class=comment>",
        "<p class=date>2024",
        "By ",
        "<link rel='license license license' href=x>",
        "<title>a - b - c",
        "<base href=//>",
        "\u{0}",
        "<meta itemprop=x>",
    ];
    for piece in pieces {
        let html = piece.repeat(20_000);
        let page = metadata(&html);
        assert!(page.authors.len() <= 32 && page.tags.len() <= 64, "{piece}");
        let closed = format!("<script type=application/ld+json>{}</script>", "{\"@type\":\"Article\",\"author\":[".repeat(50_000));
        assert!(metadata(&closed).authors.is_empty());
    }
    let nobody = format!("<meta name=author content='{}'>", "admin and ".repeat(60));
    assert!(metadata(&nobody.repeat(2000)).authors.is_empty());
    let props = format!("{{\"@id\":\"x\",{}}}", "\"name\":\"y\",".repeat(100_000));
    metadata(&format!(
        "<script type=application/ld+json>[{props}{}]</script>",
        ",{\"@type\":\"Article\",\"@id\":\"x\"}".repeat(10_000)
    ));
    let long = "x, ".repeat(200_000);
    metadata(&format!("<meta name=author content='{long}'><title>{long}</title><h1>{long}</h1><p class=byline>{long}"));
    metadata(&format!("<title>{}</title><meta property=og:site_name content=x>", "a | ".repeat(100_000)));
    for url in ["", "x", "://", "https://", "https:///", "é://é", "https://é/2024/05/13"] {
        let _ = Metadata::from_dom(&Dom::parse("<link rel=canonical href='../é?#'><p>x"), &MetadataOptions { url: Some(url) });
    }
}
