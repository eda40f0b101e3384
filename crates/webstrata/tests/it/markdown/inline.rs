//! Inline markup: raised text, readings, quotations, terms, tasks, players.

use super::{check, markdown};
use webstrata::content::{RenderOptions, TextOptions};
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page};

/// Markup, Markdown, plain text, bare words.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("10<sup>6</sup> m", "10⁶ m", "10⁶ m", "10 6 m"),
    ("10<sup>−3</sup>", "10⁻³", "10⁻³", "10−3"),
    ("H<sub>2</sub>O and CO<sub>2</sub>", "H₂O and CO₂", "H₂O and CO₂", "H2O and CO2"),
    ("the 1<sup>st</sup> time", "the 1<sup>st</sup> time", "the 1st time", "the 1st time"),
    ("x<sub>k+1</sub> = y", "x<sub>k+1</sub> = y", "xk+1 = y", "xk+1 = y"),
    ("<i>x</i><sup>2</sup> + <b>y<sup>2</sup></b>", "*x*² + **y**²", "x² + y²", "x2 + y2"),
    ("valley<sup>1</sup>, hill", "valley¹, hill", "valley¹, hill", "valley 1, hill"),
    ("area <sup>2</sup>", "area ²", "area ²", "area 2"),
    ("Rain<sup>®</sup> and snow<sup>[3]</sup>", "Rain® and snow\\[3\\]", "Rain® and snow[3]", "Rain® and snow[3]"),
    ("<a href=/a>m<sup>2</sup></a>", "[m²](/a)", "m²", "m2"),
    ("<code>x<sup>2</sup></code>", "`x2`", "x2", "x2"),
    ("<ruby>漢字<rt>かんじ</rt></ruby>です", "漢字(かんじ)です", "漢字(かんじ)です", "漢字かんじです"),
    ("<ruby>漢<rp>（</rp><rt>かん</rt><rp>）</rp></ruby>", "漢（かん）", "漢（かん）", "漢（かん）"),
    ("He said <q>no</q>.", "He said “no”.", "He said “no”.", "He said no."),
    ("<q>She said <q>no</q></q>", "“She said ‘no’”", "“She said ‘no’”", "She said no"),
    ("<span lang=de>Er sagte <q>nein</q>.</span>", "Er sagte „nein“.", "Er sagte „nein“.", "Er sagte nein."),
    ("Il dit <q lang=fr>non</q>.", "Il dit «\u{a0}non\u{a0}».", "Il dit «\u{a0}non\u{a0}».", "Il dit non."),
    ("He said <q>“no”</q>.", "He said “no”.", "He said “no”.", "He said “no”."),
    ("The <abbr title='World Wide Web'>WWW</abbr> is old", "The WWW is old", "The WWW is old", "The WWW is old"),
    ("<b>W</b>eb and un<em>believ</em>able", "**W**eb and un*believ*able", "Web and unbelievable", "Web and unbelievable"),
    (
        "<dl><dt>boat<span class=classifier>str</span></dt><dd>Its name.</dd></dl>",
        "**boat** : **str**\n\nIts name.",
        "boat : str\nIts name.",
        "boat str\nIts name.",
    ),
    (
        "<dl><dt>Rain</dt><dd>falls<ul><li>here<li>there</ul></dd><dt>Snow</dt><dd>lies<dl><dt>Ice</dt><dd>is cold</dd></dl></dd></dl>",
        "**Rain**\n\nfalls\n\n- here\n- there\n\n**Snow**\n\nlies\n\n**Ice**\n\nis cold",
        "Rain\nfalls\n- here\n- there\nSnow\nlies\nIce\nis cold",
        "Rain\nfalls\nhere\nthere\nSnow\nlies\nIce\nis cold",
    ),
    (
        "<ul><li><input type=checkbox disabled checked> done<li class=task-list-item><label><input type=checkbox disabled> to do</label><li>other</ul>",
        "- [x] done\n- [ ] to do\n- other",
        "- [x] done\n- [ ] to do\n- other",
        "done\nto do\nother",
    ),
    ("<ul><li><input type=checkbox name=red> Red<li>Blue</ul>", "- Red\n- Blue", "- Red\n- Blue", "Red\nBlue"),
    ("<details><summary>More</summary><p>Less.</p></details>", "**More**\n\nLess.", "More\nLess.", "More\nLess."),
    (
        "<p>One<sup><a href=#fn1>1</a></sup> here.</p><ol><li id=fn1>A note. <a href=#r1>↩</a></ol>",
        "One[^1] here.\n\n[^1]: A note.",
        "One 1 here.\nA note.",
        "One 1 here.\nA note.",
    ),
];

#[test]
fn marks_are_written_as_they_are_shown() {
    let mut wrong = Vec::new();
    for (html, want, text, words) in CASES {
        let page = Page::parse(html.as_bytes());
        let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
        let got = [markdown(html).trim_end().to_owned(), content.text(), content.text_with(&TextOptions::BARE)];
        for (got, want) in got.iter().zip([want, text, words]) {
            if got != want {
                wrong.push(format!("{html}\n{got}\n--- instead of\n{want}"));
            }
        }
        check(html.as_bytes(), Preset::KeepEverything, true).unwrap_or_else(|e| wrong.push(format!("{html}: {e}")));
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn clean_html_has_the_marks_too() {
    let html = "<p>10<sup>6</sup> H<sub>2</sub>O <q>no</q><ul><li><input type=checkbox checked>done</ul>";
    let page = Page::parse(html.as_bytes());
    let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    let want = "<p>10<sup>6</sup> H<sub>2</sub>O “no”</p>\n<ul>\n<li>☑ done</li>\n</ul>\n";
    assert_eq!(content.html(&RenderOptions::default()), want);
}

#[test]
fn media_players_become_links_with_images() {
    let html = "<p>Before.</p><figure><video controls poster=p.jpg><source src=/films/rain.mp4></video><figcaption>Rain.</figcaption></figure>\
        <audio src='a.ogg?x=1' title='The sound of rain'></audio><p>After.</p><video src='javascript:x'></video><p>End.</p>";
    let page = Page::parse(html.as_bytes());
    let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    let options = RenderOptions::default().images(true).base("https://example.org/".to_owned());
    let want = "Before.\n\n[rain.mp4](https://example.org/films/rain.mp4)\n\nRain.\n\n\
        [The sound of rain](https://example.org/a.ogg?x=1)\n\nAfter.\n\nEnd.\n";
    assert_eq!(content.markdown(&options), want);
    assert_eq!(content.document(&options).text(&TextOptions::default()), "Before.\nRain.\nAfter.\nEnd.");
    assert_eq!(content.markdown(&options.links(false)), "Before.\n\nRain.\n\nAfter.\n\nEnd.\n");
    assert_eq!(markdown(html), "Before.\n\nRain.\n\nAfter.\n\nEnd.\n");
}
