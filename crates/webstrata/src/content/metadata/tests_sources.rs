//! Whole pages with rarer sources: RDFa, microformats, broken JSON-LD, and titles without `h1`.

use super::tests::{list, metadata, show};

fn json_ld(script: &str) -> String {
    format!("<script type=application/ld+json>{script}</script>")
}

#[test]
fn rdfa() {
    let page = metadata(
        r#"<article vocab="https://schema.org/" typeof="NewsArticle" resource="/rain">
        <h2 property="headline">Rain at last</h2>
        <p>By <span property="author" typeof="Person"><b property="name">Jo Ash</b></span>
        <time property="datePublished" datetime="2024-05-13T17:42+02:00">Monday</time>
        <meta property="schema:dateModified" content="2024-05-14">
        <a property="license" href="https://creativecommons.org/licenses/by/4.0/">licence</a></article>"#,
    );
    assert_eq!(show(&page.title), "Rain at last (rdfa headline)");
    assert_eq!(list(&page.authors), "Jo Ash (rdfa author)");
    assert_eq!(show(&page.published), "2024-05-13T17:42:00+02:00 (rdfa datePublished)");
    assert_eq!(show(&page.modified), "2024-05-14 (rdfa dateModified)");
    assert_eq!(show(&page.license), "https://creativecommons.org/licenses/by/4.0/ (rdfa license)");
    assert_eq!(list(&page.types), "NewsArticle (rdfa typeof)");
    // The author's element contains just the name; the type has a prefix, and the property is an address.
    let page = metadata(
        r#"<div typeof="schema:Article"><span property="http://schema.org/author" typeof="schema:Person">Jo Ash</span></div>"#,
    );
    assert_eq!(list(&page.authors), "Jo Ash (rdfa author)");
}

#[test]
fn rdfa_of_dublin_core() {
    let page = metadata(
        r#"<div xmlns:dc="http://purl.org/dc/elements/1.1/"><p property="dc:title">Rain at last</p>
        <p property="dc:creator">Jo Ash</p><span property="dcterms:issued" content="2024-05-13">13 May</span></div>"#,
    );
    assert_eq!(show(&page.title), "Rain at last (rdfa dc:title)");
    assert_eq!(list(&page.authors), "Jo Ash (rdfa dc:creator)");
    assert_eq!(show(&page.published), "2024-05-13 (rdfa dcterms.issued)");
    let page = metadata("<meta name=dcterms:created content=2024-05-13><meta property=dct:creator content='Jo Ash'>");
    assert_eq!(show(&page.published), "2024-05-13 (meta dcterms.created)");
    assert_eq!(list(&page.authors), "Jo Ash (meta dcterms.creator)");
    // An unknown prefix is ignored.
    assert!(metadata("<p property=foaf:title>Rain</p>").title.is_none());
}

#[test]
fn microformats() {
    let page = metadata(
        "<div class=h-entry><p class=p-name>Rain in the valley</p><a class='p-author h-card' href=/jo>Jo Ash</a>
        <time class=dt-published datetime=2024-05-13T17:42Z>Monday</time><time class=dt-updated datetime=2024-05-14>Tuesday</time>
        <a rel=tag href=/t/rain>#rain</a></div>",
    );
    assert_eq!(show(&page.title), "Rain in the valley (title markup)");
    assert_eq!(list(&page.authors), "Jo Ash (byline markup)");
    assert_eq!(show(&page.published), "2024-05-13T17:42:00Z (time element)");
    assert_eq!(show(&page.modified), "2024-05-14 (time element)");
    assert_eq!(list(&page.tags), "rain (rel=tag markup)");
    let page = metadata(
        "<div class=hentry><b class=entry-title>Rain in the valley</b><span class='author vcard'><a class=fn>Jo Ash</a></span>
        <abbr class=published title='2024-05-13T17:42:00+02:00'>Monday</abbr></div>",
    );
    assert_eq!(show(&page.title), "Rain in the valley (title markup)");
    assert_eq!(list(&page.authors), "Jo Ash (byline markup)");
    assert_eq!(show(&page.published), "2024-05-13T17:42:00+02:00 (date markup)");
}

#[test]
fn broken_json_ld() {
    let table = [
        ("a comma too many", r#"{"@type":"Article","headline":"Rain","author":["Jo Ash",],}"#),
        ("comments", "{/* a */\"@type\":\"Article\", // b\n\"headline\":\"Rain\",\"author\":\"Jo Ash\"}"),
        (
            "a line break in a string",
            "{\"@type\":\"Article\",\"headline\":\"Rain\",\"description\":\"a\nb\",\"author\":\"Jo\nAsh\"}",
        ),
        ("a quote in a string", r#"{"@type":"Article","description":"the "rain" came","headline":"Rain","author":"Jo Ash"}"#),
        ("CDATA", "//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"Rain\",\"author\":\"Jo Ash\"}\n//]]>"),
        ("a comment of HTML", "<!-- {\"@type\":\"Article\",\"headline\":\"Rain\",\"author\":\"Jo Ash\"} -->"),
        ("two objects", r#"{"@type":"WebPage"}{"@type":"Article","headline":"Rain","author":"Jo Ash"}"#),
        ("a missing comma", "{\"@type\":\"Article\"\n\"headline\":\"Rain\"\n\"author\":\"Jo Ash\"}"),
        ("a missing bracket", r#"{"@type":"Article","headline":"Rain","author":[{"name":"Jo Ash"}"#),
        ("single quotes", "{'@type':'Article','headline':'Rain','author':'Jo Ash'}"),
        ("references", r#"{"@type":"Article","headline":"Rain","author":"Jo&nbsp;Ash"}"#),
        ("a variable", r#"var data = {"@type":"Article","headline":"Rain","author":"Jo Ash"};"#),
        ("an array of types", r#"[{"@type":["Article","Thing"],"headline":"Rain","author":{"@type":"Person","name":["Jo Ash"]}}]"#),
        ("a graph", r#"{"@graph":[{"@type":"Article","headline":"Rain","author":{"@id":"x"}},{"@id":"x","name":"Jo Ash"}]}"#),
        ("a graph in a graph", r#"{"@graph":{"@graph":[{"@type":"Article","headline":"Rain","author":"Jo Ash"}]}}"#),
        ("a page's entity", r#"{"@type":"WebPage","mainEntity":{"@type":"Article","headline":"Rain","author":"Jo Ash"}}"#),
        ("values", r#"{"@type":"Article","headline":{"@value":"Rain"},"author":{"@list":["Jo Ash"]}}"#),
        (
            "addresses for names",
            r#"{"@type":"http://schema.org/Article","https://schema.org/headline":"Rain","schema:author":"Jo Ash"}"#,
        ),
    ];
    for (what, script) in table {
        let page = metadata(&json_ld(script));
        assert_eq!(show(&page.title), "Rain (json-ld headline)", "{what}");
        assert_eq!(list(&page.authors), "Jo Ash (json-ld author)", "{what}");
        assert!(page.types.iter().all(|kind| kind.span.is_some()), "{what}");
    }
    for nothing in ["", "null", "[]", "{", "\"", "{\"@type\":", "<!--", "[[[[", "{\"author\":{\"author\":{}}}"] {
        assert_eq!(metadata(&json_ld(nothing)), metadata(""), "{nothing}");
    }
}

#[test]
fn the_publisher_is_not_the_author_if_there_is_another() {
    let script = r#"{"@type":"Article","author":{"@type":"Person","name":"Rock Press"},"publisher":{"name":"Rock Press"}}"#;
    assert_eq!(list(&metadata(&format!("{}<p class=byline>By Jo Ash", json_ld(script))).authors), "Jo Ash (byline markup)");
    assert_eq!(list(&metadata(&json_ld(script)).authors), "Rock Press (json-ld author)");
}

#[test]
fn a_byline_may_name_more_authors() {
    let script = json_ld(r#"{"@type":"Article","author":"Jo Ash"}"#);
    let authors = |byline: &str| list(&metadata(&format!("{script}<p class=byline>{byline}</p>")).authors);
    assert_eq!(authors("By Jo Ash and Kim Li"), "Jo Ash; Kim Li (byline markup)");
    assert_eq!(authors("By Sam Oak and Kim Li"), "Jo Ash (json-ld author)");
}

#[test]
fn other_forms_of_bylines() {
    let table = [
        ("<h3>Author</h3>\n<p>Jo Ash</p>", "Jo Ash (byline text)"),
        ("<p><time datetime=2024-05-13>13 May</time> by Jo Ash, Rock Press</p>", "Jo Ash; Rock Press (byline text)"),
        ("<p class=date-author>13 May 2024 · Jo Ash</p>", "Jo Ash (byline markup)"),
        ("<small>May 13th, 2024 by Jo Ash</small>", "Jo Ash (byline text)"),
        ("<p class=byline>By Jo Ash, re\u{ad}tired teacher</p>", "Jo Ash (byline markup)"),
        ("<p class=byline>كتبت: سلمى الوادي — ٣ نيسان</p>", "سلمى الوادي (byline markup)"),
        ("<p class=author>Sat</p>", " ()"),
        ("<div class=testimonial><p class=author>Jo Ash</p></div>", " ()"),
        ("<p class=byline>By Jo Ash, Home and Garden Expert</p>", "Jo Ash (byline markup)"),
    ];
    for (html, expected) in table {
        assert_eq!(list(&metadata(html).authors), expected, "{html}");
    }
}

#[test]
fn visible_titles() {
    let table = [
        (
            "<title>Rock Press - News - Rain falls in the valley</title><b>Rain falls in the valley</b>",
            "Rain falls in the valley (title text)",
        ),
        (
            "<title>Rain falls in the valley_English_Rock</title><td><font>Rain falls in the valley</font>",
            "Rain falls in the valley (title text)",
        ),
        (
            "<title>News and views - Rain falls now</title><p><a href=/>News and views</a><p>News and views",
            "News and views - Rain falls now (title element)",
        ),
        ("<title>dailyrock</title><h2>Rain falls in the valley</h2>", "Rain falls in the valley (h2 element)"),
        ("<title>Rain at last | Weather | Press</title>", "Rain at last (title element)"),
        (
            "<meta property=og:title content='Rain fa…'><title>Rain falls in the valley</title>",
            "Rain falls in the valley (title element)",
        ),
        (
            "<title>Sun and snow</title><meta property=og:title content='Sun and snow'><h1>All about rain</h1>",
            "All about rain (h1 element)",
        ),
        (
            "<title>Sun and snow</title><meta property=og:title content='Sun and snow'><h1>Join us today</h1>",
            "Sun and snow (meta og:title)",
        ),
        (
            "<title>Rain falls here « Rock and stone</title><h1><a href=https://rock.example/>Rock and stone</a></h1><h2>Rain falls here</h2>",
            "Rain falls here (title element)",
        ),
        ("<h1>Hyphen\u{ad}ation by hand</h1>", "Hyphenation by hand (h1 element)"),
        ("<h1>Rain falls here <button>Copy link</button></h1>", "Rain falls here (h1 element)"),
        ("<title>Rain falls here</title><h1>Rain falls here (12 comments)</h1>", "Rain falls here (title element)"),
    ];
    for (html, expected) in table {
        assert_eq!(show(&metadata(html).title), expected, "{html}");
    }
}

/// Some sites put a title for search engines into an `h1` at the end of the breadcrumb trail and show another headline.
#[test]
fn an_h1_in_a_breadcrumb_trail_is_not_the_headline() {
    let head = "<title>Rain tax: all that matters - Rock</title><meta property=og:title content='Who will pay for the rain?'>";
    let h1 = "<h1>Rain tax: all that matters</h1>";
    let trail = "<a href=/>Home</a> | <a href=/tax>Taxes</a> | ";
    let shown = "<article><h2><span>Taxes</span> Who will pay for the rain?</h2></article>";
    let seo = "Rain tax: all that matters (h1 element)";
    let other = "<article><h2>Who else pays taxes?</h2></article>";
    let table = [
        (format!("<nav>{trail}{h1}</nav>{shown}"), "Who will pay for the rain? (meta og:title)"),
        (format!("<div>{trail}{h1}</div>{other}"), "Who will pay for the rain? (meta og:title)"),
        (format!("<ol class=breadcrumb><li><a href=/>Home</a><li>{h1}</ol>{other}"), "Who will pay for the rain? (meta og:title)"),
        (format!("<p>{trail}</p>{h1}{shown}"), "Who will pay for the rain? (meta og:title)"),
        // A trail above the headline is common.
        (format!("<p>{trail}</p>{h1}{other}"), seo),
        (format!("<p><a href=/tax>Taxes</a></p>{h1}{other}"), seo),
        (format!("<div><a href=/tax>Taxes</a> {h1}</div>{other}"), seo),
    ];
    for (html, expected) in table {
        assert_eq!(show(&metadata(&format!("{head}{html}")).title), expected, "{html}");
    }
    // Nothing else is declared.
    let page = metadata(&format!("<title>Rain tax: all that matters - Rock</title><nav>{trail}{h1}</nav>{shown}"));
    assert_eq!(show(&page.title), seo);
}

#[test]
fn a_person_rather_than_the_site() {
    let site = "<meta property=og:site_name content='Stone Clinic'>";
    let script = json_ld(r#"{"@type":"Article","author":{"@type":"Person","name":"Stone Clinic"}}"#);
    let authors = |html: &str| list(&metadata(&format!("{site}{script}{html}")).authors);
    assert_eq!(authors("<p class=byline>By Jo Ash"), "Jo Ash (byline markup)");
    assert_eq!(authors("<p><b>Autorin/Autor</b> Jo Ash"), "Jo Ash (byline text)");
    // It may be a person's own site.
    assert_eq!(authors(""), "Stone Clinic (json-ld author)");
    assert_eq!(authors("<p class=byline>Twitter Facebook"), "Stone Clinic (json-ld author)");
    assert_eq!(authors("<p class=byline>Follow Stone Clinic"), "Stone Clinic (json-ld author)");
}

/// The site or an agency is the author of news if the page declares it and names nobody else.
#[test]
fn an_organisation_is_the_author_of_news_only() {
    let page = |kind: &str, byline: &str| {
        let script = json_ld(&format!(r#"{{"@type":"{kind}","author":{{"@type":"Organization","name":"Dailyrock"}}}}"#));
        list(&metadata(&format!("{script}<meta property=og:site_name content=Dailyrock>{byline}")).authors)
    };
    assert_eq!(page("NewsArticle", ""), "Dailyrock (json-ld author)");
    assert_eq!(page("NewsArticle", "<p class=byline>Jo Ash"), "Jo Ash (byline markup)");
    assert_eq!(page("BlogPosting", ""), " ()");
}

#[test]
fn names_on_pages_of_products_are_those_of_reviewers() {
    let product = json_ld(r#"{"@type":"Product","name":"Umbrella"}"#);
    assert_eq!(list(&metadata(&format!("{product}<p class=author>Jo A.</p>")).authors), " ()");
    assert_eq!(list(&metadata("<div class=customer_review_author>Jo Ash</div>").authors), " ()");
    let tagged = "<meta name=keywords content='Home insurance'><p class=byline>Home insurance</p>";
    assert_eq!(list(&metadata(tagged).authors), " ()");
}

#[test]
fn licences_and_feeds() {
    let page = metadata(
        "<footer><a href=https://creativecommons.org/licenses/by/4.0/>CC BY</a></footer>
        <link rel=alternate type='application/rss+xml; charset=utf-8' href=/a><link rel=feed href=/b>",
    );
    assert_eq!(show(&page.license), "https://creativecommons.org/licenses/by/4.0/ (license link markup)");
    assert_eq!(list(&page.feeds), "https://www.dailyrock.example/a; https://www.dailyrock.example/b (link alternate)");
    let page = metadata(&json_ld(r#"{"@type":"Article","license":{"@type":"CreativeWork","url":"https://rock.example/l"}}"#));
    assert_eq!(show(&page.license), "https://rock.example/l (json-ld license)");
}
