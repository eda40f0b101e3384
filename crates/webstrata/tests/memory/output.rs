//! Markdown, HTML and text of hostile pages: bounded memory.

use crate::allocator::{BASE, FACTOR, peak};
use crate::support::hostile::KINDS;
use webstrata::content::{Content, RenderOptions};
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page};

type Writer = fn(&Content<'_>, &RenderOptions) -> String;

const WRITERS: [(&str, Writer); 3] = [
    ("Markdown", |content, options| content.markdown(options)),
    ("HTML", |content, options| content.html(options)),
    ("text", |content, _| content.text()),
];

/// Pages that are hard on writers: a piece, and how often it is repeated.
const PIECES: &[(&str, usize)] = &[
    ("All work and no play makes a dull text of it. ", 1_000_000),
    ("<p>x", 400_000),
    ("word<br>", 400_000),
    ("<a href=x>x</a>", 200_000),
    ("<a href=x>x</a><b>y</b>", 200_000),
    ("<a href=http://a.example/some/longer/path>x</a>", 100_000),
    ("<td>a<td>b<tr>", 200_000),
    ("<li>a<img src=i alt=a>", 200_000),
    ("<ol reversed><li>a</ol>", 100_000),
    ("<li value=7>a", 200_000),
    ("<sup><a href=#n>1</a></sup><p id=n>x", 100_000),
    ("<math alttext=x><mi>y</mi></math>", 100_000),
    ("<pre>`</pre>", 200_000),
    ("<ul><li>a", 200_000),
    ("<blockquote>a", 200_000),
    ("<table><tr><td>a<td>b<tr><td>c<td>", 100_000),
    ("<td colspan=9000000000000000 rowspan=0>a", 100_000),
    ("&lt;&gt;&amp;", 500_000),
    ("&lt;x ", 500_000),
    ("*_[", 1_000_000),
    ("<b>x</b><i>y</i>", 300_000),
    ("<p>\u{5d0}", 300_000),
];

fn check(name: &str, page: &str, bad: &mut Vec<String>) {
    let options = RenderOptions::default().images(true);
    for (writer, write) in WRITERS {
        let memory = page.len()
            + peak(|| {
                let page = Page::parse(page.as_bytes());
                write(&page.extract_with(&ExtractOptions::from(Preset::KeepEverything)), &options).len()
            });
        let allowed = FACTOR * page.len() + BASE;
        let times = memory as f64 / page.len() as f64;
        println!("{name:<48.48} {writer:<8} {times:>6.1} times its {:.1} MB, {} MB", page.len() as f64 / 1e6, memory >> 20);
        if memory > allowed {
            bad.push(format!("{writer} of {name}: {} MB of {} MB", memory >> 20, allowed >> 20));
        }
    }
}

#[test]
fn memory_is_bounded() {
    let mut bad = Vec::new();
    for kind in KINDS {
        check(kind.name, &(kind.page)(2 * kind.n), &mut bad);
    }
    for (piece, n) in PIECES {
        check(piece, &format!("<table><tr>{}", piece.repeat(*n)), &mut bad);
        check(piece, &format!("<p>{}", piece.repeat(*n)), &mut bad);
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
