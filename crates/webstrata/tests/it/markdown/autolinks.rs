//! GitHub's extended autolinks: a renderer that turns addresses in text into links must not find HTML after them.

use super::grammar;
use crate::clean_html::browser::violations;
use crate::support::random::Random;
use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};
use webstrata::content::RenderOptions;
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page};

fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.autolink = true;
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options
}

/// The HTML in rendered Markdown besides our own tags and clean tables, and its text with white space collapsed.
fn rendered(markdown: &str) -> (Vec<String>, String) {
    let arena = Arena::new();
    let (mut html, mut text) = (Vec::new(), String::new());
    for node in parse_document(&arena, markdown, &options()).descendants() {
        match &node.data().value {
            NodeValue::HtmlInline(tag) => html.push(tag.clone()),
            NodeValue::HtmlBlock(block) if is_clean_table(&block.literal) => {}
            NodeValue::HtmlBlock(block) => html.push(block.literal.clone()),
            NodeValue::Text(more) => text.push_str(more),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak | NodeValue::Paragraph => text.push(' '),
            _ => {}
        }
    }
    html.retain(|tag| !matches!(&**tag, "<br>" | "<sup>" | "</sup>" | "<sub>" | "</sub>"));
    (html, super::collapsed(&text))
}

fn is_clean_table(html: &str) -> bool {
    html.starts_with("<table>\n")
        && html.trim_end().ends_with("</table>")
        && violations(&format!("{}\n", html.trim_end().replace("&#10;", "\n"))).is_empty()
}

fn markdown(html: &str) -> String {
    let page = Page::parse(html.as_bytes());
    page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).markdown(&RenderOptions::default().images(true))
}

const ADDRESSES: [&str; 9] = [
    "https://example.org/",
    "http://a.example/b?c=d&amp;e=",
    "www.example.org/",
    "WWW.a.example/x",
    "me@example.org",
    "ftp://a.example/",
    "mailto:me@example.org",
    "xmpp:a@b.example/",
    "https://a.example/(b",
];

const TAGS: [&str; 12] = [
    "&lt;img src=x onerror=alert(1)&gt;",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&lt;/p&gt;",
    "&lt;!--",
    "&lt;b",
    "\\&lt;b&gt;",
    "&lt;https://b.example&gt;",
    "<b>&lt;i&gt;</b>",
    "<i>x</i>&lt;i&gt;",
    "<code>c</code>&lt;i&gt;",
    "<a href=y>&lt;i&gt;</a>",
    "[x](javascript:alert(1))",
];

#[test]
fn the_check_can_fail() {
    assert_eq!(rendered("https://example.org/\\<img src=x>").0, ["<img src=x>"]);
    assert_eq!(rendered("a <sup>b</sup> \\<img src=x>").0, [""; 0]);
    assert_eq!(rendered("<table>\n<tbody>\n<tr><td>a</td></tr>\n</tbody>\n</table>").0, [""; 0]);
    assert_eq!(rendered("<table>\n<tbody>\n<tr><td onclick=\"x\">a</td></tr>\n</tbody>\n</table>").0.len(), 1);
}

#[test]
fn nothing_after_a_url_is_html() {
    for address in ADDRESSES {
        for tag in TAGS {
            for between in ["", "x", "-", "_", "*", "<br>", "<sup>2</sup>", "&amp;lt;", "~", "|", "&shy;", "<img src=i.png>"] {
                let page = format!(
                    "<p>see {address}{between}{tag} there<ul><li>{address}{between}{tag}</ul><table><tr><td>{address}{tag}<td>b<tr><td>c<td>d</table>"
                );
                let markdown = markdown(&page);
                let html = rendered(&markdown).0;
                assert!(html.is_empty(), "{page}\n--- written\n{markdown}\n--- has {html:?}");
            }
        }
    }
}

/// Pages from the grammar, with URLs and tags inserted at random positions.
#[test]
fn mutated_pages_have_no_html() {
    for seed in 0..if crate::support::data::full_lane() { 20_000 } else { 5_000 } {
        let mut random = Random::new(seed);
        let mut page = grammar::page(&mut random);
        for _ in 0..1 + random.below(6) {
            let mut at = random.below(page.len() + 1);
            while !page.is_char_boundary(at) {
                at -= 1;
            }
            let address = random.pick(&ADDRESSES);
            let tag = random.pick(&TAGS);
            page.insert_str(at, &format!("{}{address}{tag}", if random.one_in(2) { " " } else { "" }));
        }
        let markdown = markdown(&page);
        let html = rendered(&markdown).0;
        assert!(html.is_empty(), "seed {seed}\n{page}\n--- written\n{markdown}\n--- has {html:?}");
    }
}

#[test]
fn addresses_are_shown_as_they_are() {
    for (html, want, shown) in [
        ("see https://a.example/b_c there", "see https://a.example/b_c there", "see https://a.example/b_c there"),
        ("see https://a.example/~me there", "see https\\://a.example/\\~me there", "see https://a.example/~me there"),
        ("see www.a.example/~me", "see www\\.a.example/\\~me", "see www.a.example/~me"),
        ("[https://a.example/]", "\\[https\\://a.example/\\]", "[https://a.example/]"),
        ("<b>https://a.example/</b> b", "**https://a.example/** b", "https://a.example/ b"),
        ("https://a.example/<b>b</b>", "https\\://a.example/**b**", "https://a.example/b"),
        ("https://a.example/<br>b", "https://a.example/ \\\nb", "https://a.example/ b"),
        ("a &lt;b&gt; c&lt;d&gt;", "a \\<b> c\\<d>", "a <b> c<d>"),
        ("https://a.example/&lt;b&gt;", "https\\://a.example/&lt;b>", "https://a.example/<b>"),
        (
            "<a href=https://a.example/b>b</a>&lt;c&gt; std::d&lt;e&gt;",
            "[b](https://a.example/b)\\<c> std::d\\<e>",
            "b<c> std::d<e>",
        ),
        ("me@a.example&lt;b&gt;", "me@a.example&lt;b>", "me@a.example<b>"),
    ] {
        let markdown = markdown(html);
        assert_eq!(markdown.trim_end(), want, "{html}");
        assert_eq!(rendered(&markdown).1, shown, "{html}");
    }
}
