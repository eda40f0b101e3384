//! Clean HTML: nothing that could run or load something gets through, the output is valid and survives being parsed again,
//! and no text is lost.

mod attacks;
pub(crate) mod browser;
mod generated;
pub(crate) mod readback;

use crate::markdown::grammar;
use crate::support::clock::{assert_all_linear, check_linear};
use crate::support::data;
use crate::support::hostile::KINDS;
use crate::support::random::Random;
use browser::{is_safe_address, violations};
use readback::{parsed, summary};
use webstrata::content::RenderOptions;
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page, PageOptions};

/// Checks one page; the error says what is wrong.
fn check(bytes: &[u8], preset: Preset, options: &RenderOptions, noscript: bool) -> Result<(), String> {
    let page = Page::parse_with(bytes, &PageOptions::default().noscript(noscript));
    let content = page.extract_with(&ExtractOptions::from(preset));
    let document = content.document(options);
    let html = document.html();
    let wrong = violations(&html);
    if !wrong.is_empty() {
        return Err(format!("{}\n{html}", wrong.join("\n")));
    }
    let (want, got) = (summary(&document), parsed(&html));
    if want == got {
        Ok(())
    } else {
        Err(format!("{html}\n--- read back\n{}", difference(&format!("{want:#?}"), &format!("{got:#?}"))))
    }
}

/// The first line in which two texts differ, with context around the difference.
fn difference(want: &str, got: &str) -> String {
    let mut lines = want.lines().zip(got.lines());
    let (want, got) = lines.find(|(want, got)| want != got).unwrap_or((want, got));
    let same = want.chars().zip(got.chars()).take_while(|(a, b)| a == b).count();
    let near = |line: &str| line.chars().skip(same.saturating_sub(60)).take(160).collect::<String>();
    format!("{}\n--- instead of\n{}", near(got), near(want))
}

fn all() -> RenderOptions {
    RenderOptions::default().images(true)
}

#[test]
fn attacks_do_not_get_through() {
    let based = all().base("https://example.org/dir/page.html".to_owned());
    let mut pages = 0;
    for attack in attacks::all() {
        for (open, close) in attacks::CONTEXTS {
            let html = format!("{open}before {attack} after{close}<p>end");
            for options in [&all(), &based] {
                for noscript in [false, true] {
                    check(html.as_bytes(), Preset::KeepEverything, options, noscript).unwrap_or_else(|e| panic!("{html}\n--- {e}"));
                }
            }
            pages += 1;
        }
    }
    println!("{pages} pages");
    assert!(pages > 2000, "{pages}");
}

/// Attacks in encodings other than UTF-8.
#[test]
fn encodings_hide_nothing() {
    for attack in attacks::all() {
        let html = format!("<p>before {attack} after<p>end");
        let wide: Vec<u8> = [0xfeff].into_iter().chain(html.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        check(&wide, Preset::KeepEverything, &all(), false).unwrap_or_else(|e| panic!("{html}\n--- {e}"));
    }
    for page in attacks::ENCODED {
        check(page, Preset::KeepEverything, &all(), false).unwrap_or_else(|e| panic!("{page:?}\n--- {e}"));
    }
}

/// The harmless part of an attack is kept.
#[test]
fn text_and_addresses_are_kept() {
    let html = "<h2 id=cookie>A <b onclick=x>b</b></h2><p>see <a href='JAVASCRIPT:x'>no</a> <a href=' /yes' onclick=x>yes</a>\
        <img src=javascript:x alt=no><img src=i.png onerror=x alt='\"><script>'> end<pre class='language-<x> lang-c'>a &lt; b</pre>";
    let page = Page::parse(html.as_bytes());
    let got = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).html(&all());
    let want = "<h2>A b</h2>\n<p>see no <a href=\"/yes\">yes</a> <img src=\"i.png\" alt=\"&quot;&gt;&lt;script&gt;\"> end</p>\n\
        <pre><code class=\"language-c\">a &lt; b</code></pre>\n";
    assert_eq!(got, want);
}

#[test]
fn structure_is_kept() {
    let html = "<p>one<sup><a href=#n>1</a></sup> two<br>three<table><tr><th>a<th>b<tr><td><td>c</table><ol start=3><li>x<ul><li>y</ul></ol>\
        <blockquote>q</blockquote><hr><p dir=rtl>שלום עולם<ul><li>אחת</ul><p>end <del>gone</del><div id=n>note</div>";
    let page = Page::parse(html.as_bytes());
    let got = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).html(&all());
    let want = "<p>one<sup><a href=\"#note-1\">1</a></sup> two<br>three</p>\n<table>\n<thead>\n<tr><th>a</th><th>b</th></tr>\n</thead>\n\
        <tbody>\n<tr><td></td><td>c</td></tr>\n</tbody>\n</table>\n<ol start=\"3\">\n<li>x\n<ul>\n<li>y</li>\n</ul>\n</li>\n</ol>\n\
        <blockquote>\n<p>q</p>\n</blockquote>\n<hr>\n<p dir=\"rtl\">שלום עולם</p>\n<ul>\n<li dir=\"rtl\">אחת</li>\n</ul>\n\
        <p>end <del>gone</del></p>\n<dl>\n<dt id=\"note-1\">1</dt>\n<dd>\n<p>note</p>\n</dd>\n</dl>\n";
    assert_eq!(got, want);
}

#[test]
fn the_checks_can_fail() {
    for html in [
        "<script>x</script>",
        "<p onclick=\"x\">a</p>",
        "<p>a<!-- b --></p>",
        "<svg></svg>",
        "<p>a<svg><b></b></svg></p>",
        "<p><a href=\"javascript:x\">a</a></p>",
        "<p><a href=\"java\tscript:x\">a</a></p>",
        "<p><a href=\"\u{1}JavaScript:x\">a</a></p>",
        "<p><a href=\"java\u{200b}script:x\">a</a></p>",
        "<p><img src=\"data:x\" alt=\"\"></p>",
        "<p><p>a</p></p>",
        "<ul>a</ul>",
        "<p>a</p><style>b</style>",
        "<p id=\"x\">a</p>",
        "<p><a name=\"x\">a</a></p>",
        "<p><b>a</b></p>",
        "<p>a",
        "<p>&copy;</p>",
        "a",
        "<p><a href=\"/\">a<a href=\"/\">b</a></a></p>",
        "<table><tr><td>a</td></tr></table>",
        "<!doctype html><p>a</p>",
        "<p><code class=\"x\">a</code></p>",
        "<p><sup><a href=\"#note-1\">a</a></sup></p>",
        "<p><img src=\"mailto:a\" alt=\"\"></p>",
        "<p><math><mi>a</mi></math></p>",
        "<p><math><semantics><mrow><mi href=\"/\">a</mi></mrow></semantics></math></p>",
        "<p><math><semantics><mrow><mi><b>a</b></mi></mrow></semantics></math></p>",
        "<p><math><semantics><mrow><maction><mi>a</mi></maction></mrow></semantics></math></p>",
        "<p><math><semantics><mrow>a</mrow></semantics></math></p>",
        "<p><math><semantics><annotation-xml></annotation-xml></semantics></math></p>",
        "<p><math><semantics><mrow><mspace width=\"expression(x)\"></mspace></mrow></semantics></math></p>",
        "<p><span>a</span></p>",
        "<p><span class=\"x\">a</span></p>",
    ] {
        assert!(!violations(html).is_empty(), "{html}");
    }
    assert!(!is_safe_address("vbscript:x", &["http"]) && is_safe_address("a/b:c", &["http"]));
}

#[test]
fn generated_pages_are_clean() {
    for seed in 0..10_000 {
        let html = grammar::page(&mut Random::new(seed));
        check(html.as_bytes(), Preset::KeepEverything, &all(), false).unwrap_or_else(|e| panic!("seed {seed}\n{html}\n--- {e}"));
    }
}

#[test]
fn bundled_pages_are_clean() {
    for folder in ["pages", "markdown"] {
        for case in data::cases(folder) {
            let bytes = std::fs::read(case.join("page.html")).unwrap();
            for preset in [Preset::KeepEverything, Preset::Article] {
                check(&bytes, preset, &all(), false).unwrap_or_else(|e| panic!("{}\n{e}", case.display()));
            }
        }
    }
}

#[test]
fn golden_files() {
    let options = all().base("https://example.org/dir/page.html".to_owned());
    for case in data::cases("markdown") {
        let bytes = std::fs::read(case.join("page.html")).unwrap();
        let page = Page::parse(&bytes);
        let got = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).html(&options);
        let want = std::fs::read_to_string(case.join("expected.html")).unwrap_or_default();
        assert!(got == want, "{}:\n{got}\n--- instead of\n{want}", case.display());
    }
}

#[test]
fn real_pages_are_clean() {
    data::check_pages(|bytes| {
        [Preset::KeepEverything, Preset::Article].into_iter().try_for_each(|preset| check(bytes, preset, &all(), false))
    });
}

#[test]
fn hostile_pages_take_linear_time() {
    assert_all_linear(KINDS.iter().map(|kind| {
        check_linear(kind.name, kind.n / 8, kind.page, |bytes, timer| {
            timer.time(|| {
                let page = Page::parse(bytes);
                page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).html(&all()).len()
            });
        })
    }));
}
