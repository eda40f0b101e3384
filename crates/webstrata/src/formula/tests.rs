//! The result for each generator's markup, node by node.

use super::*;
use crate::html::Tag;

fn found(html: &str) -> Vec<(String, bool, String)> {
    let dom = Dom::parse(html);
    let text = |formula: &Formula| {
        let in_annotation = |id: u32| dom.record(dom.record(id).parent).tag == Tag::ANNOTATION;
        let runs = formula.shown.clone().filter(|&id| dom.record(id).tag == Tag::TEXT && !in_annotation(id));
        runs.map(|id| dom.run_text(id).into_owned()).collect::<String>()
    };
    Formulas::find(&dom).iter_mut().map(|f| (std::mem::take(&mut f.tex), f.display, text(f))).collect()
}

fn one(html: &str, tex: &str, display: bool, text: &str) {
    assert_eq!(found(html), [(tex.to_owned(), display, text.to_owned())], "{html}");
}

#[test]
fn scripts_of_mathjax_2() {
    one("<script type='math/tex'>x^2</script>", "x^2", false, "");
    one("<script type='math/tex; mode=display'>x &lt; y</script>", "x < y", true, "");
    one("<script type='math/tex'>% <![CDATA[\na < b %]]></script>", "a < b", false, "");
    one(
        "<script type='math/mml'><math display=block><mfrac><mi>a</mi><mi>b</mi></mfrac></math></script>",
        "\\frac{a}{b}",
        true,
        "",
    );
    one(
        "<span class=MathJax_Preview>[math]</span><span class=MathJax><span>x</span><span>2</span></span>\
         <script type='math/tex' id=MathJax-Element-1>x^2</script>",
        "x^2",
        false,
        "x2",
    );
    one(
        "<div class=MathJax_Display><span class=MathJax><span>y</span></span></div><script type='math/tex; mode=display'>y</script>",
        "y",
        true,
        "y",
    );
    one(
        "<span class=MathJax><nobr>z2</nobr><span class=MJX_Assistive_MathML><math><msup><mi>z</mi><mn>2</mn></msup></math></span></span>",
        "z^{2}",
        false,
        "z2",
    );
    one("<span class=MathJax>n2</span><script type='math/asciimath'>n^2</script>", "", false, "n2");
    assert!(found("<script type=text/javascript>x</script><math></math>").iter().all(|(tex, _, _)| tex.is_empty()));
}

#[test]
fn containers_of_mathjax_3() {
    let html = |display: &str| {
        format!(
            "<mjx-container {display}><mjx-math><mjx-mi><mjx-c class=x></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml>\
             <math><mi>x</mi></math></mjx-assistive-mml></mjx-container>"
        )
    };
    one(&html(""), "x", false, "x");
    one(&html("display=true"), "x", true, "x");
}

#[test]
fn katex() {
    let inner = "<span class=katex><span class=katex-mathml><math><semantics><mrow><mi>x</mi></mrow>\
        <annotation encoding='application/x-tex'>x_{%\n1}</annotation></semantics></math></span>\
        <span class=katex-html aria-hidden=true>x1</span></span>";
    one(inner, "x_{1}", false, "x");
    one(&format!("<span class=katex-display>{inner}</span>"), "x_{1}", true, "x");
}

#[test]
fn mediawiki_and_latexml() {
    one(
        "<span class=mwe-math-element><span class=mwe-math-mathml-inline><math alttext='{\\displaystyle m}'><mi>m</mi></math></span>\
         <img class=mwe-math-fallback-image-inline alt='{\\displaystyle m}'></span>",
        "m",
        false,
        "m",
    );
    one("<span class=mwe-math-element><img class=mwe-math-fallback-image-inline alt='{\\displaystyle m}'></span>", "m", false, "");
    one("<math class=ltx_Math alttext='\\frac{a}{%\nb}' display=block><mi>a</mi></math>", "\\frac{a}{b}", true, "a");
    one("<math alttext='x squared'><msup><mi>x</mi><mn>2</mn></msup></math>", "x^{2}", false, "x2");
}

#[test]
fn text_of_elements() {
    one("<span class=\"math notranslate nohighlight\">\\(x^2\\)</span>", "x^2", false, "\\(x^2\\)");
    one(
        "<div class=\"math\">\\[\\begin{split}a\\end{split}\\]</div>",
        "\\begin{split}a\\end{split}",
        true,
        "\\[\\begin{split}a\\end{split}\\]",
    );
    one("<script src=katex.js></script><span class=\"math inline\">x^2</span>", "x^2", false, "x^2");
    one("<math-renderer class=js-inline-math>$y$</math-renderer>", "y", false, "$y$");
}

const RENDERER: &str = "<script src=/mathjax/tex-mml-chtml.js></script>";

#[test]
fn running_text_of_pages_with_a_renderer() {
    let tex = |html: &str| found(&format!("{RENDERER}{html}")).into_iter().map(|(tex, _, _)| tex).collect::<Vec<_>>();
    assert_eq!(tex("<p>Let \\(x\\) be $y_1$.</p>"), ["x", "y_1"]);
    assert_eq!(tex("<p>\\begin{align}<br>a<br>\\end{align} end"), ["\\begin{align} a \\end{align}"]);
    assert_eq!(tex("<p>It costs $5 or $6.<code>$x$</code><pre>\\(y\\)</pre>"), [""; 0]);
    assert_eq!(tex("<div class=tex2jax_ignore>$x$<p class=tex2jax_process>$y$</p>$z$</div>"), ["y"]);
    assert_eq!(tex("<p>\\(a <b>b</b> c\\)"), [""; 0]);
    assert!(found("<p>Let \\(x\\) be $y_1$.</p>").is_empty());
}

#[test]
fn formulas_by_node() {
    let html = format!("{RENDERER}<p>a \\(b\\) c $d$<br>e<math><mi>x</mi></math>");
    let dom = Dom::parse(&html);
    let formulas = Formulas::find(&dom);
    let text = dom.nodes().find(|n| !n.is_element() && n.text().starts_with("a \\(b")).unwrap().number();
    assert_eq!(formulas.starting_at(text).len(), 2);
    assert_eq!(formulas.touching(text).count(), 2);
    let math = dom.find(Tag::MATH).unwrap().number();
    assert!(formulas.around(math + 1).is_some() && !formulas.is_copy(math + 1));
    assert!(formulas.around(text).is_none() && formulas.starting_at(math).len() == 1);
}
