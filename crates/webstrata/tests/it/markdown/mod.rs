//! Parsing the Markdown yields the document it was written from; no text is lost on the way.

mod autolinks;
mod code;
pub(crate) mod grammar;
mod headings;
mod inline;
mod left_out;
mod readback;

use crate::support::clock::{assert_all_linear, check_linear};
use crate::support::data::{self, cases};
use crate::support::hostile::KINDS;
use crate::support::random::Random;
use grammar::page;
use readback::{collapsed, parsed, summary};
use webstrata::block::WordBoundary;
use webstrata::content::{Content, Event, MarkdownTables, Part, RenderOptions, Style, TextOptions};
use webstrata::html::Tag;
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page};

/// Text without invisible characters, as in documents.
fn visible(text: &str) -> String {
    let text = text.replace(['\u{ad}', '\u{200b}', '\u{2060}', '\u{feff}'], "");
    text.lines().map(collapsed).collect::<Vec<_>>().join("\n")
}

/// Only letters and digits, to compare texts if one of them has lines of punctuation only.
fn words_only(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The text of the content blocks, one per line.
fn lines(content: &Content<'_>) -> String {
    let mut text = String::new();
    let mut last = None;
    for number in content.selection().blocks() {
        let block = content.blocks().get(number).unwrap();
        if let Some(last) = last {
            match block.boundary() {
                WordBoundary::None if last + 1 == number => {}
                WordBoundary::Space if last + 1 == number => text.push(' '),
                _ => text.push('\n'),
            }
        }
        last = Some(number);
        text.push_str(&block.text());
    }
    text
}

/// Checks one page; the error says what is wrong.
fn check(bytes: &[u8], preset: Preset, images: bool) -> Result<(), String> {
    let page = Page::parse(bytes);
    let content = page.extract_with(&ExtractOptions::from(preset));
    let options = RenderOptions::default().images(images);
    for tables in [MarkdownTables::Auto, MarkdownTables::Gfm, MarkdownTables::Html] {
        let document = content.document(&options.clone().markdown_tables(tables));
        let has_tables = document.events().any(|e| matches!(e, Event::Start(Part::Table(_))));
        if tables != MarkdownTables::Auto && !has_tables {
            break;
        }
        let markdown = document.markdown();
        let math = document.events().any(|e| matches!(e, Event::Math { .. }));
        let (want, got) = (summary(&document, tables), parsed(&markdown, math));
        if want != got {
            return Err(format!("{markdown}\n--- read back\n{got:#?}\n--- instead of\n{want:#?}"));
        }
    }
    let document = content.document(&options);
    let plain = content.text_with(&TextOptions::BARE);
    let text = visible(&lines(&content));
    // Code and tables keep punctuation-only lines, notes lose their back-reference symbols, and a style sheet separates a term from its type.
    let signs = |style: Style| style.contains(Style::GENERATED);
    let words = |event: Event<&str>| {
        matches!(event, Event::Start(Part::Code(_) | Part::Note(_))) || matches!(event, Event::Text { style, .. } if signs(style))
    };
    let left_out = left_out::find(page.dom());
    // Spans determine which copy of a formula is kept.
    let math = document.events().any(|e| matches!(e, Event::Math { .. }));
    let same = if math || left_out.contains(&true) {
        left_out::same_words(&content, &left_out, &plain)
    } else if document.events().any(words) || page.dom().find(Tag::TABLE).is_some() {
        words_only(&plain) == words_only(&text)
    } else {
        plain == text
    };
    if same { Ok(()) } else { Err(format!("{plain}\n--- instead of\n{text}")) }
}

/// The Markdown of all text of a page.
fn markdown(html: &str) -> String {
    let page = Page::parse(html.as_bytes());
    page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).markdown(&RenderOptions::default())
}

#[test]
fn generated_pages_round_trip() {
    for seed in 0..if data::full_lane() { 20_000 } else { 5_000 } {
        let html = page(&mut Random::new(seed));
        check(html.as_bytes(), Preset::KeepEverything, seed % 2 == 0)
            .unwrap_or_else(|e| panic!("seed {seed}\n{html}\n--- written\n{e}"));
    }
}

#[test]
fn bundled_pages_round_trip() {
    for case in cases("pages").into_iter().chain(cases("markdown")) {
        let bytes = std::fs::read(case.join("page.html")).unwrap();
        for preset in [Preset::KeepEverything, Preset::Article, Preset::LargestContent] {
            check(&bytes, preset, true).unwrap_or_else(|e| panic!("{}\n{e}", case.display()));
        }
    }
}

#[test]
fn real_pages_round_trip() {
    data::check_pages(|bytes| {
        let ordered = data::in_reading_order(bytes);
        let bytes = ordered.as_deref().unwrap_or(bytes);
        [Preset::KeepEverything, Preset::Article].into_iter().try_for_each(|preset| check(bytes, preset, true))
    });
}

#[test]
fn golden_files() {
    for case in cases("markdown") {
        let bytes = std::fs::read(case.join("page.html")).unwrap();
        let page = Page::parse(&bytes);
        let options = RenderOptions::default().base("https://example.org/dir/page.html".to_owned()).images(true);
        let got = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).markdown(&options);
        let want = std::fs::read_to_string(case.join("expected.md")).unwrap_or_default();
        assert!(got == want, "{}:\n{got}\n--- instead of\n{want}", case.display());
    }
}

#[test]
fn plain_text_keeps_structure() {
    let html = "<h1>A<br>B</h1><ul><li>so&shy;ft<ol start=4><li>four<li>zero&#x200b;width</ol><li>end</ul><pre>if x {\n    y\n}</pre>\
        <table><tr><th>a<th>b<tr><td><td>c d</table>";
    let page = Page::parse(html.as_bytes());
    let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    assert_eq!(content.text(), "A\nB\n- soft\n  4. four\n  5. zerowidth\n- end\nif x {\n    y\n}\na | b\n| c d");
    assert_eq!(content.text_with(&TextOptions::BARE), "A\nB\nsoft\nfour\nzerowidth\nend\nif x {\n    y\n}\na\nb\nc d");
}

#[test]
fn only_content_is_written() {
    let html = format!(
        "<ul><li><a href=/>Home</a></ul><img src=logo.png><article><h1>Rain</h1><p>{0}</p><img src=x.png alt=x><ul><li>{1}</ul></article>\
         <footer><a href=/terms>Terms</a></footer>",
        "It rained again in the long valley, and nobody was surprised by it. ".repeat(6),
        "It rained on the hills, too, and there people were a little surprised. ".repeat(6)
    );
    let page = Page::parse(html.as_bytes());
    let options = RenderOptions::default().images(true);
    let markdown = page.extract_with(&ExtractOptions::from(Preset::LargestContent)).markdown(&options);
    assert!(markdown.starts_with("# Rain\n\nIt rained") && markdown.contains("\n\n![x](x.png)\n\n- It rained"), "{markdown}");
    assert!(!markdown.contains("Home") && !markdown.contains("Terms") && !markdown.contains("logo"), "{markdown}");
}

#[test]
fn text_after_inline_code_has_a_paragraph() {
    let html = "<p>before <math><xmp>code</xmp>after</math> it<p>end";
    let page = Page::parse(html.as_bytes());
    let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    let mut leaves = 0;
    for event in content.document(&RenderOptions::default()).events() {
        match event {
            Event::Start(part) if part.is_leaf() => leaves += 1,
            Event::End(part) if part.is_leaf() => leaves -= 1,
            Event::Text { text, .. } => assert_eq!(leaves, 1, "{text:?} is in no leaf"),
            _ => {}
        }
    }
    assert!(check(html.as_bytes(), Preset::KeepEverything, false).is_ok());
}

#[test]
fn duplicates_are_written_once() {
    let copy = "<p>One two three four five six.</p><p>Seven eight nine ten eleven twelve.</p>";
    let long = format!("<p>{}</p>", "word ".repeat(25));
    let html = format!("{copy}<p>Else.</p>{copy}{long}<p>Else.</p>{long}<table><tr><td>0<td>1<tr><td>0<td>1</table>");
    let page = Page::parse(html.as_bytes());
    let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything).duplicates(false));
    let text = content.text();
    assert!(content.explain().why(3).ends_with("duplicates: not content: repeats block 0"));
    let long = "word ".repeat(25);
    let copy = "One two three four five six.\nSeven eight nine ten eleven twelve.";
    assert_eq!(text, format!("{copy}\nElse.\n{}\nElse.\n0 | 1\n0 | 1", long.trim()));
}

#[test]
fn deep_and_wide_pages_take_linear_time() {
    let kinds: [(&str, &str); 15] = [
        ("<ul><li>a", ""),
        ("<blockquote>a", ""),
        ("<table><tr><td>a<td>b<tr><td>c<td>", ""),
        ("<b><i>a", "</i></b>"),
        ("<td colspan=9000000000000000 rowspan=0>a", ""),
        ("<a href=#n>1</a><p id=n>", ""),
        ("<sup><a href=#n>1</a></sup><p id=n>x", ""),
        ("<li>a<img src=x>", ""),
        ("<pre>`a", "</pre>"),
        ("<q>a<ruby>b<rt>c", ""),
        ("<pre class=lineno><span class=ln>1", "</pre>"),
        ("<div class=gutter><pre>1</pre>", ""),
        ("<h2 id=x><a href=#x class=headerlink>a", ""),
        ("<p><code style=white-space:pre>a", "</code>"),
        ("a<sup>2", "</sup>"),
    ];
    let table = format!("<base href='https://example.org/{}'><table><tr>", "b".repeat(900));
    assert_all_linear(kinds.map(|(open, close)| linear(open, 10_000, |n| format!("{table}{}{}", open.repeat(n), close.repeat(n)))));
}

#[test]
fn hostile_pages_take_linear_time() {
    assert_all_linear(KINDS.iter().map(|kind| linear(kind.name, kind.n / 8, kind.page)));
}

fn linear(name: &str, n: usize, page: impl Fn(usize) -> String) -> Result<(), String> {
    let write = |html: &[u8]| {
        let page = Page::parse(html);
        let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
        let options = RenderOptions::default().images(true);
        let size = content.markdown(&options).len() + content.text().len();
        assert!(size < html.len() * 400 + 1000, "{name}: {size} bytes");
        size
    };
    check_linear(name, n, page, |bytes, timer| timer.time(|| write(bytes)))
}

/// One document serves both: callers that want text and Markdown need not build it twice.
#[test]
fn links_do_not_change_the_plain_text() {
    for (_, bytes) in data::bundled() {
        let page = Page::parse(&bytes);
        for preset in [Preset::Strata, Preset::KeepEverything] {
            let content = page.extract_with(&ExtractOptions::from(preset));
            let linked = content.document(&RenderOptions::default().base("https://example.org/a/".to_owned()));
            assert_eq!(linked.text(&TextOptions::default()), content.text());
        }
    }
}
