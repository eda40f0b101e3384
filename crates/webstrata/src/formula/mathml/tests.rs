//! Tests for every element of MathML Core, and for the older ones.

use super::*;
use crate::html::Dom;

fn tex(inner: &str) -> String {
    let html = format!("<math>{inner}</math>");
    let dom = Dom::parse(&html);
    to_tex(dom.find(Tag::MATH).unwrap()).unwrap()
}

fn check(cases: &[(&str, &str)]) {
    for (html, want) in cases {
        assert_eq!(tex(html), *want, "{html}");
    }
}

#[test]
fn tokens() {
    check(&[
        ("<mi>x</mi>", "x"),
        ("<mi>α</mi><mi>b</mi>", "\\alpha b"),
        ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", "\\sin x"),
        ("<mi>rank</mi><mo>&#x2061;</mo><mi>A</mi>", "\\operatorname{rank}A"),
        ("<mi>km</mi>", "\\mathrm{km}"),
        ("<mi mathvariant=normal>d</mi><mi>x</mi>", "\\mathrm{d}x"),
        ("<mi mathvariant=bold>v</mi>", "\\mathbf{v}"),
        ("<mi mathvariant=bold>β</mi>", "\\boldsymbol{\\beta}"),
        ("<mi mathvariant=double-struck>R</mi>", "\\mathbb{R}"),
        ("<mi mathvariant=script>L</mi><mi mathvariant=fraktur>g</mi>", "\\mathcal{L}\\mathfrak{g}"),
        ("<mi mathvariant=italic>var</mi>", "\\mathit{var}"),
        ("<mi mathvariant=normal>∞</mi>", "\\infty"),
        ("<mi>ℝ</mi><mi>𝔸</mi><mi>𝑥</mi><mi>𝜶</mi>", "\\mathbb{R}\\mathbb{A}x\\boldsymbol{\\alpha}"),
        ("<mn>3.14</mn><mn mathvariant=bold>0</mn>", "3.14\\mathbf{0}"),
        ("<mi>a</mi><mo>≤</mo><mi>b</mi><mo>−</mo><mi>c</mi>", "a\\leq b-c"),
        ("<mo>{</mo><mi>x</mi><mo>}</mo><mo>%</mo>", "\\{x\\}\\%"),
        ("<mo>lim</mo>", "\\lim"),
        ("<mo>:=</mo>", ":="),
        ("<mi>a</mi><mo>mod</mo><mi>b</mi>", "a\\bmod b"),
        ("<mtext>if a_b&nbsp;</mtext><mi>x</mi>", "\\text{if a\\_b }x"),
        ("<mtext>&nbsp;</mtext>", "\\ "),
        ("<mtext mathvariant=bold>no</mtext>", "\\textbf{no}"),
        ("<ms>ab</ms>", "\\text{\"ab\"}"),
        ("<ms lquote=« rquote=»>ab</ms>", "\\text{«ab»}"),
        ("<mi>a</mi><mspace width=1em></mspace><mi>b</mi><mspace width=0.1667em /><mi>c</mi>", "a\\quad b\\,c"),
        ("<mspace width=2em></mspace><mspace width=-0.2em></mspace>", "\\qquad\\!"),
    ]);
}

#[test]
fn layout() {
    check(&[
        ("<mrow><mi>a</mi><mrow><mi>b</mi></mrow></mrow>", "ab"),
        ("<mfrac><mn>1</mn><mi>n</mi></mfrac>", "\\frac{1}{n}"),
        ("<mfrac bevelled=true><mn>1</mn><mn>2</mn></mfrac>", "{1}/{2}"),
        ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", "\\genfrac{}{}{0pt}{}{n}{k}"),
        ("<mrow><mo>(</mo><mfrac linethickness=0pt><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>", "\\binom{n}{k}"),
        (
            "<mrow><mrow><mo>(</mo></mrow><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac><mrow><mo>)</mo></mrow></mrow>",
            "\\binom{n}{k}",
        ),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "\\sqrt{a+b}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt[3]{x}"),
        ("<mroot><mi>x</mi><mrow><mi>n</mi><mo>]</mo></mrow></mroot>", "\\sqrt[{n]}]{x}"),
        ("<mstyle displaystyle=true><mi>x</mi></mstyle>", "x"),
        ("<mpadded width=0><mi>x</mi></mpadded>", "x"),
        ("<mphantom><mi>x</mi></mphantom>", "\\phantom{x}"),
        ("<merror><mtext>bad</mtext></merror>", "\\text{bad}"),
        ("<maction actiontype=toggle selection=2><mi>a</mi><mi>b</mi></maction>", "b"),
        ("<maction><mi>a</mi><mi>b</mi></maction>", "a"),
        ("<semantics><mi>x</mi><annotation>y</annotation></semantics>", "x"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a,b)"),
        ("<mfenced open='[' close=')' separators=';,'><mi>a</mi><mi>b</mi><mi>c</mi></mfenced>", "[a;b,c)"),
        ("<mfenced open='|' close='|'><mfrac><mi>a</mi><mi>b</mi></mfrac></mfenced>", "\\left|\\frac{a}{b}\\right|"),
        ("<mfenced open='{' close=''><mfrac><mi>a</mi><mi>b</mi></mfrac></mfenced>", "\\left\\{\\frac{a}{b}\\right."),
        ("<menclose notation=box><mi>x</mi></menclose>", "\\boxed{x}"),
        ("<menclose notation='updiagonalstrike'><mi>x</mi></menclose>", "\\cancel{x}"),
        ("<menclose notation=radical><mi>x</mi></menclose>", "\\sqrt{x}"),
        ("<mrow><mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow>", "\\left(\\frac{a}{b}\\right)"),
        ("<mrow><mo stretchy=false>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo stretchy=false>)</mo></mrow>", "(\\frac{a}{b})"),
        ("<mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow>", "(a)"),
        ("<mrow>loose</mrow>", "\\text{loose}"),
    ]);
}

#[test]
fn scripts() {
    check(&[
        ("<msub><mi>x</mi><mn>1</mn></msub>", "x_{1}"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^{2}"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a)^{2}"),
        ("<msup><msub><mi>x</mi><mn>1</mn></msub><mn>2</mn></msup>", "{x_{1}}^{2}"),
        ("<msup><mi>f</mi><mo>′</mo></msup><msup><mi>g</mi><mo>″</mo></msup>", "f'g''"),
        ("<msup><mi>x</mi><mrow></mrow></msup>", "x"),
        ("<msub><mi></mi><mn>1</mn></msub>", "{}_{1}"),
        ("<msup><mn>90</mn><mo>∘</mo></msup>", "90^{\\circ}"),
        ("<msub><mi>log</mi><mn>2</mn></msub><mi>x</mi>", "\\log_{2}x"),
        ("<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>14</mn></mmultiscripts>", "{}^{14}C_{6}"),
        ("<mmultiscripts><mi>R</mi><mi>i</mi><mi>j</mi><mi>k</mi><mi>l</mi></mmultiscripts>", "R_{i}^{j}{}_{k}^{l}"),
    ]);
}

#[test]
fn under_and_over() {
    check(&[
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>", "\\sum_{i=1}^{n}i"),
        ("<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><mi>f</mi>", "\\int_{0}^{1}f"),
        ("<munder><mo>lim</mo><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>", "\\lim_{x\\to0}"),
        ("<munder><mi>argmax</mi><mi>x</mi></munder>", "\\operatorname*{argmax}_{x}"),
        ("<mover><mi>x</mi><mo>^</mo></mover><mover><mi>y</mi><mo>¯</mo></mover>", "\\hat{x}\\bar{y}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>¯</mo></mover>", "\\overline{AB}"),
        ("<mover><mi>v</mi><mo>→</mo></mover><mover><mi>x</mi><mo>˙</mo></mover>", "\\vec{v}\\dot{x}"),
        ("<munder><mi>x</mi><mo>_</mo></munder>", "\\underline{x}"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", "\\overset{\\text{def}}{=}"),
        ("<munder><mi>x</mi><mi>y</mi></munder>", "\\underset{y}{x}"),
        ("<munderover><mi>x</mi><mi>u</mi><mi>o</mi></munderover>", "\\overset{o}{\\underset{u}{x}}"),
        ("<mover><mo>→</mo><mi>f</mi></mover>", "\\xrightarrow{f}"),
        ("<munder><munder><mrow><mi>a</mi><mi>b</mi></mrow><mo>⏟</mo></munder><mi>n</mi></munder>", "{\\underbrace{ab}}_{n}"),
        ("<munder movablelimits=true><mo movablelimits=true>max</mo><mi>x</mi></munder>", "\\max_{x}"),
    ]);
}

#[test]
fn tables() {
    let cells = "<mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr>";
    let inner = "a & b \\\\ c & d";
    for (open, close, kind) in [
        ("", "", "matrix"),
        ("(", ")", "pmatrix"),
        ("[", "]", "bmatrix"),
        ("{", "}", "Bmatrix"),
        ("|", "|", "vmatrix"),
        ("{", "", "cases"),
    ] {
        let sign = |sign: &str| if sign.is_empty() { String::new() } else { format!("<mo>{sign}</mo>") };
        let html = format!("<mrow>{}<mtable>{cells}</mtable>{}</mrow>", sign(open), sign(close));
        assert_eq!(tex(&html), format!("\\begin{{{kind}}} {inner} \\end{{{kind}}}"), "{html}");
        let html = format!("<mfenced open='{open}' close='{close}'><mtable>{cells}</mtable></mfenced>");
        if !open.is_empty() {
            assert_eq!(tex(&html), format!("\\begin{{{kind}}} {inner} \\end{{{kind}}}"), "{html}");
        }
    }
    check(&[
        (
            "<mi>f</mi><mo>=</mo><mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mtext>if </mtext><mi>x</mi></mtd></mtr></mtable>",
            "f=\\begin{cases} 1 & \\text{if}x \\end{cases}",
        ),
        (
            "<mtable displaystyle=true columnalign='right left'><mtr><mtd><mi>a</mi></mtd><mtd><mo>=</mo><mi>b</mi></mtd></mtr></mtable>",
            "\\begin{aligned} a & =b \\end{aligned}",
        ),
        (
            "<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>x</mi></mtd></mlabeledtr></mtable>",
            "\\begin{matrix} x \\tag{1} \\end{matrix}",
        ),
    ]);
}

#[test]
fn element_names_are_case_insensitive() {
    check(&[("<MSUP><MI>x</MI><MN>2</MN></MSUP>", "x^{2}"), ("<MFRAC><MN>1</MN><MN>2</MN></MFRAC>", "\\frac{1}{2}")]);
}

#[test]
fn missing_arguments_do_no_harm() {
    for name in [
        "mi", "mn", "mo", "mtext", "ms", "mspace", "mrow", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover",
        "munderover", "mmultiscripts", "mtable", "mtr", "mtd", "mfenced", "menclose", "mpadded", "mphantom", "mstyle", "semantics",
        "merror", "maction", "unknown",
    ] {
        for inner in ["", "<mi>x</mi>", "<mi>x</mi><mi>y</mi><mi>z</mi><mi>w</mi>", "<mprescripts/>", "text"] {
            let written = tex(&format!("<{name}>{inner}</{name}>"));
            assert_eq!(written.matches('{').count(), written.matches('}').count(), "{name} {inner} {written}");
        }
    }
}

#[test]
fn deep_and_large_formulas_are_refused() {
    for (open, close, n, converts) in [
        ("<mrow><mi>x</mi>", "</mrow>", 90, true),
        ("<mrow><mi>x</mi>", "</mrow>", 110, false),
        ("<msup><mi>x</mi>", "</msup>", 20_000, false),
        ("<mo>(</mo><mfrac></mfrac>", "<mo>)</mo>", 5_000, false),
    ] {
        let html = format!("<math>{}{}</math>", open.repeat(n), close.repeat(n));
        let dom = Dom::parse(&html);
        assert_eq!(to_tex(dom.find(Tag::MATH).unwrap()).is_some(), converts, "{open} {n}");
    }
}
