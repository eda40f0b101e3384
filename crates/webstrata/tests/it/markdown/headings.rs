//! Permalink and edit symbols of headings are left out in all formats; the words of headings are not.

use super::{check, markdown};
use webstrata::content::RenderOptions;
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page};

const HEADINGS: &[(&str, &str)] = &[
    ("Sphinx", "<section id=piers><h2>Piers<a class=headerlink href=#piers title='Link to this heading'>¶</a></h2></section>"),
    ("MkDocs", "<h2 id=piers>Piers<a class=headerlink href=#piers title='Permanent link'>&para;</a></h2>"),
    ("rustdoc", "<h2 id=piers><a class=doc-anchor href=#piers>§</a>Piers</h2>"),
    ("older rustdoc", "<h2 id=piers class=section-header><a href=#piers>Piers</a></h2>"),
    ("mdBook", "<h2 id=piers><a class=header href=#piers>Piers</a></h2>"),
    ("GitHub", "<h2 id=piers><a class=anchor aria-hidden=true href=#piers><svg></svg></a>Piers</h2>"),
    ("Hugo", "<h2 id=piers>Piers <a href=#piers aria-hidden=true>#</a></h2>"),
    (
        "Docusaurus",
        "<h2 class=anchor id=piers>Piers<a href=#piers class=hash-link aria-label='Direct link to Piers'>&#8203;</a></h2>",
    ),
    (
        "VitePress",
        "<h2 id=piers tabindex=-1>Piers <a class=header-anchor href=#piers aria-label='Permalink to \"Piers\"'>&#8203;#</a></h2>",
    ),
    (
        "Starlight",
        "<div class=sl-heading-wrapper><h2 id=piers>Piers</h2><a class=sl-anchor-link href=#piers><span aria-hidden=true>🔗</span>\
         <span class=sr-only>Section titled “Piers”</span></a></div>",
    ),
    (
        "MediaWiki",
        "<div class=mw-heading><h2 id=Piers>Piers</h2><span class=mw-editsection><span>[</span><a href=/edit>edit</a> | \
         <a href=/source>edit source</a><span>]</span></span></div>",
    ),
    (
        "older MediaWiki",
        "<h2><span class=mw-headline id=Piers>Piers</span><span class=mw-editsection><span>[</span><a href=/edit>edit</a><span>]</span></span></h2>",
    ),
    ("words", "<h2 id=piers>Piers <a href=#piers>Permalink</a></h2>"),
    ("label", "<h2 id=piers>Piers <a href=#piers aria-label='Link to this heading'>link here</a></h2>"),
    (
        "gi-docgen",
        "<h2 id=piers>Piers <a href=https://example.org/x.c#L7 class=srclink title='go to source location'>[src]</a></h2>",
    ),
    ("top", "<h2 id=piers>Piers <a href=#top class=backtotop>[top]</a></h2>"),
    ("AnchorJS", "<h2 id=piers>Piers<a class=anchorjs-link href=#piers aria-label=Anchor data-anchorjs-icon=#></a></h2>"),
];

#[test]
fn permalinks_are_left_out() {
    for (generator, html) in HEADINGS {
        let html = format!("{html}<p>They stand in the river.</p>");
        assert_eq!(markdown(&html), "## Piers\n\nThey stand in the river.\n", "{generator}");
        let page = Page::parse(html.as_bytes());
        let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
        assert_eq!(content.text(), "Piers\nThey stand in the river.", "{generator}");
        assert_eq!(content.html(&RenderOptions::default()), "<h2>Piers</h2>\n<p>They stand in the river.</p>\n", "{generator}");
        check(html.as_bytes(), Preset::KeepEverything, true).unwrap_or_else(|e| panic!("{generator}: {e}"));
    }
}

#[test]
fn words_and_other_links_of_headings_stay() {
    for (html, want) in [
        ("<h2 id=one><a href=#one>Chapter 1</a>: Rain</h2>", "## Chapter 1: Rain\n"),
        ("<h2><a href=/rain>Rain</a></h2>", "## [Rain](/rain)\n"),
        ("<h2><a href=#two>Snow</a> and C#</h2>", "## [Snow](#two) and C\\#\n"),
        ("<h2><button aria-expanded=false>What is rain?</button></h2>", "## What is rain?\n"),
        ("<h2><a class=anchor name=x>Part 1</a> Rain</h2>", "## Part 1 Rain\n"),
        ("<h2>§ 3 Rain</h2>", "## § 3 Rain\n"),
        ("<p>see <a href=#n>*</a> there", "see [\\*](#n) there\n"),
        ("<h2>Rain</h2><span>falls</span>", "## Rain\n\nfalls\n"),
    ] {
        assert_eq!(markdown(html), want, "{html}");
    }
}

#[test]
fn permalinks_of_definitions_are_left_out() {
    let html = "<dl><dt id=rain class=sig><code>rain</code>()<a class=headerlink href=#rain>¶</a></dt><dd><p>Lets it rain.</p></dd></dl>\
        <figure id=f><figcaption>A river.<a href=#f>#</a></figcaption></figure>";
    assert_eq!(markdown(html), "`rain`**()**\n\nLets it rain.\n\nA river.\n");
}
