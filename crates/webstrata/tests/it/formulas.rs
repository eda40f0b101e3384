//! Formulas: kept with the text around them, written once, harmless in Markdown with and without support for formulas.

use crate::support::clock::{assert_all_linear, check_linear};
use crate::support::random::Random;
use pulldown_cmark::{Event as Parsed, Options, Parser, Tag};
use webstrata::content::{RenderOptions, TextOptions};
use webstrata::label::Preset;
use webstrata::select::Rules;
use webstrata::{ExtractOptions, Page};

const LONG: &str =
    "It has been raining in the valley for three days, and nobody who lives there can remember when that last happened.";

fn markdown(html: &str, options: impl Into<ExtractOptions>) -> String {
    Page::parse(html.as_bytes()).extract_with(&options.into()).markdown(&RenderOptions::default())
}

#[test]
fn formulas_follow_the_text_around_them() {
    for (formula, written) in [
        ("<script type='math/tex; mode=display'>E = mc^2</script>", "$$E = mc^2$$"),
        ("<p><img class=formulaDsp src=a.png alt='\\[E = mc^2\\]'></p>", "$$E = mc^2$$"),
        ("<div><math display=block><mi>E</mi><mo>=</mo><mi>m</mi></math></div>", "$$E=m$$"),
        ("<p><span class=\"math\">\\[E = m\\]</span></p>", "$$E = m$$"),
    ] {
        let html = format!("<div><p>{LONG}</p>{formula}<p>{LONG} Again.</p></div><ul><li><a href=/>Home</a>{formula}</ul>");
        assert_eq!(markdown(&html, Preset::MinWords(8)), format!("{LONG}\n\n{written}\n\n{LONG} Again.\n"), "{formula}");
        let last = format!("<article><p>{LONG}</p>{formula}</article><footer><p>Terms</p></footer>");
        assert_eq!(markdown(&last, Preset::MinWords(8)), format!("{LONG}\n\n{written}\n"), "{formula}");
        let outside = format!("<article><p>{LONG}</p></article><footer><p>Terms</p>{formula}</footer>");
        assert_eq!(markdown(&outside, Preset::MinWords(8)), format!("{LONG}\n"), "{formula}");
    }
}

#[test]
fn a_formula_may_begin_or_end_a_paragraph() {
    let x = "<script type=math/tex>x</script>";
    let html = format!("<p>{x} is even, as is {x}, but not ({x}).</p><p>{LONG} {x}</p><p>{LONG} 2</p><h2>On {x}</h2>");
    let want = format!("$x$ is even, as is $x$, but not ($x$).\n\n{LONG} $x$\n\n{LONG} 2\n\n## On $x$\n");
    assert_eq!(markdown(&html, Preset::KeepEverything), want);
}

#[test]
fn rules_decide_on_formulas() {
    let html = format!("<p>{LONG}</p><div class=eq><script type='math/tex; mode=display'>x</script></div><p>{LONG} 2</p>");
    let rules = |only: &[&str], exclude: &[&str]| {
        ExtractOptions::from(Preset::KeepEverything).rules(Rules::parse(only, &[], exclude).unwrap())
    };
    assert!(markdown(&html, rules(&[], &[])).contains("$$x$$"));
    assert!(!markdown(&html, rules(&[], &[".eq"])).contains("$$x$$"));
    assert_eq!(markdown(&html, rules(&[".eq"], &[])), "$$x$$\n");
}

#[test]
fn plain_text_has_one_copy() {
    let katex = "<span class=katex><span class=katex-mathml><math><semantics><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow>\
        <annotation encoding=application/x-tex>x=1</annotation></semantics></math></span><span class=katex-html>x=1</span></span>";
    let html = format!("<p>Let {katex}, and <script type=math/tex>y</script> too.</p>");
    let page = Page::parse(html.as_bytes());
    let content = page.extract_with(&Preset::KeepEverything.into());
    assert_eq!(content.text(), "Let x = 1, and y too.");
    assert_eq!(content.text_with(&TextOptions::BARE), "Let x = 1, and too.");
    let spans: String = content.spans().iter().map(|span| span.slice(page.dom().source())).collect();
    assert_eq!(spans, "Let x=1, and  too.");
}

#[test]
fn clean_html_has_mathml_or_tex() {
    let html = "<p>a <math href=javascript:x()><mi onclick=x() mathvariant=bold>v</mi></math> b <script type=math/tex>x<y</script>";
    let page = Page::parse(html.as_bytes());
    let got = page.extract_with(&Preset::KeepEverything.into()).html(&RenderOptions::default());
    let want = "<p>a <math><semantics><mrow><mi mathvariant=\"bold\">v</mi></mrow><annotation encoding=\"application/x-tex\">\
        \\mathbf{v}</annotation></semantics></math> b <span class=\"math inline\">\\(x&lt; y\\)</span></p>\n";
    assert_eq!(got, want);
    // Reading it again yields the same formulas.
    let again = Page::parse(got.as_bytes());
    assert_eq!(again.extract_with(&Preset::KeepEverything.into()).html(&RenderOptions::default()), want);
}

const PIECES: [&str; 44] = [
    "x",
    "\\frac{a}{b}",
    "<",
    ">",
    "<img src=x onerror=y>",
    "</p>",
    "<!--",
    "-->",
    "<a href='javascript:x'>",
    "[a](javascript:b)",
    "![a](b)",
    "[a]",
    "]",
    "[",
    "(",
    ")",
    "](c)",
    "`",
    "``",
    "$",
    "$$",
    "\\$",
    "\\",
    "\\\\",
    "{",
    "}",
    "%",
    "\n",
    "\\%",
    "&lt;",
    "&amp;",
    "<https://a.example>",
    "https://a.example/<b>",
    "*",
    "_",
    "|",
    "\\|",
    "~~",
    "\\text{if $x$}",
    "\\begin{array}{c|c}",
    "#",
    " ",
    "<a@b.example>",
    "\u{1}",
];

/// A formula source that Markdown could mistake for markup.
fn hostile_source(random: &mut Random) -> String {
    (0..1 + random.below(6)).map(|_| PIECES[random.below(PIECES.len())]).collect()
}

#[test]
fn no_formula_becomes_markup() {
    let renderer = "<script src=MathJax.js></script>";
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let tex = hostile_source(&mut random);
        let escaped = tex.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let script = tex.replace("</", "");
        let formula = match random.below(6) {
            0 => format!("<script type='math/tex'>{script}</script>"),
            1 => format!("<script type='math/tex; mode=display'>{script}</script>"),
            2 => format!("<img class=tex src=x.png alt=\"{escaped}\">"),
            3 => format!("\\({escaped}\\)"),
            4 => format!("${escaped}$"),
            _ => format!(
                "<math><semantics><mi>v</mi><annotation encoding=application/x-tex>{escaped}</annotation></semantics></math>"
            ),
        };
        let cell = random.one_in(4);
        let html = if cell {
            format!("{renderer}<table><tr><td>one<td>two<tr><td>{formula}<td>end</table>")
        } else {
            format!("{renderer}<p>one {formula} two<p>end")
        };
        let written = markdown(&html, Preset::KeepEverything);
        for options in [Options::ENABLE_TABLES, Options::ENABLE_TABLES | Options::ENABLE_MATH] {
            for event in Parser::new_ext(&written, options) {
                let is_markup = match &event {
                    Parsed::Html(_) => true,
                    Parsed::InlineHtml(html) => &**html != "<br>",
                    Parsed::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => !dest_url.starts_with("http"),
                    _ => false,
                };
                assert!(!is_markup, "seed {seed}\n{html}\n---\n{written}\n{event:?}");
            }
        }
        let ends = Parser::new_ext(&written, Options::ENABLE_TABLES | Options::ENABLE_MATH);
        let formulas = ends.filter(|event| matches!(event, Parsed::InlineMath(_) | Parsed::DisplayMath(_))).count();
        let meant = Page::parse(html.as_bytes()).extract_with(&Preset::KeepEverything.into()).document(&RenderOptions::default());
        let meant = meant.events().filter(|event| matches!(event, webstrata::content::Event::Math { .. })).count();
        // Without a formula, dollar signs are written literally.
        let in_array = cell && tex.contains("{array}");
        assert!(formulas == meant || meant == 0 || in_array, "seed {seed}: {formulas} instead of {meant}\n{html}\n---\n{written}");
    }
}

#[test]
fn many_formulas_take_linear_time() {
    let kinds: [(&str, &str); 14] = [
        ("\\(", ""),
        ("\\(a", "\\)"),
        ("\\(a}", "\\)"),
        ("$", ""),
        ("$$a ", ""),
        ("$a", ""),
        ("\\begin{align}a", "\\end{align}"),
        ("\\begin{align}a}\\end{align}", ""),
        ("a<br>\\[b", "<br>\\]"),
        ("<math><mrow>", ""),
        ("<math><mi>x</mi></math>", ""),
        ("<span class=MathJax>a", "</span>"),
        ("<span class=katex>a", "<math></math></span>"),
        ("<p><script type=math/tex>x</script>", ""),
    ];
    assert_all_linear(kinds.map(|(open, close)| {
        let page = |n: usize| format!("<script src=MathJax.js></script><p class=\"math\">{}{}", open.repeat(n), close.repeat(n));
        check_linear(open, 10_000, page, |bytes, timer| {
            timer.time(|| {
                let page = Page::parse(bytes);
                let content = page.extract_with(&Preset::KeepEverything.into());
                let document = content.document(&RenderOptions::default());
                let size = document.markdown().len() + document.html().len();
                assert!(size < bytes.len() * 60 + 1000, "{open}: {size} bytes");
                size
            });
        })
    }));
}
