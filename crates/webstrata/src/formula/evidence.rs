//! Quick check whether a page can have formulas at all, from its scripts, pictures and a few tags.

use super::image;
use super::markup::MATH_STYLE;
use crate::html::{Attributes, Dom, Node, Tag};
use memchr::{memchr_iter, memchr2, memmem};

/// Maximum length of a script that is searched for the name of a renderer, since configurations are short.
const MAX_SCRIPT_BYTES: usize = 4096;

/// The meaning of dollar signs in running text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Dollars {
    /// Not delimiters: the page configures its renderer without them.
    Never,
    /// Delimiters only if they cannot be anything else.
    #[default]
    Doubtful,
    /// Delimiters, according to the page's configuration.
    Configured,
}

/// Evidence of formulas on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Whether it has formula elements.
    pub(super) markup: bool,
    /// Whether it loads a renderer that reads TeX in running text.
    pub(super) renderer: bool,
    pub(super) dollars: Dollars,
}

impl Evidence {
    pub(super) fn any(self) -> bool {
        self.markup || self.renderer
    }

    pub(super) fn of(dom: &Dom<'_>) -> Self {
        let mut evidence = Evidence::default();
        let mut attributes = Attributes::new(dom);
        for (id, record) in dom.records().iter().enumerate() {
            let id = id as u32;
            match record.tag {
                // A delimited formula in an element of its own.
                Tag::TEXT => evidence.markup |= !evidence.markup && is_delimited(dom.span_of(id).slice(dom.source()).as_bytes()),
                Tag::MATH => evidence.markup = true,
                Tag::PRE | Tag::CODE => evidence.markup |= attributes.for_node(id).any(|a| a.name() == MATH_STYLE),
                Tag::IMG => evidence.markup |= !evidence.markup && image::is_formula(attributes.for_node(id)),
                Tag::LINK => {
                    let mut address = attributes.for_node(id).filter(|a| a.name().eq_ignore_ascii_case("href"));
                    evidence.renderer |= address.any(|a| a.span().slice(dom.source()).contains("katex"));
                }
                Tag::SCRIPT => {
                    for attribute in attributes.for_node(id) {
                        let value = attribute.span().slice(dom.source());
                        match attribute.name() {
                            "type" => evidence.markup |= value.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("math/")),
                            "src" => evidence.renderer |= names_renderer(value),
                            _ => {}
                        }
                    }
                    evidence.read_script(dom, id);
                }
                tag if tag.is_custom() => {
                    let name = Node::new(dom, id).name();
                    evidence.markup |= name.starts_with("mjx-") || name == "math-renderer";
                }
                _ => {}
            }
        }
        evidence
    }

    /// Reads the configuration of a renderer.
    fn read_script(&mut self, dom: &Dom<'_>, script: u32) {
        if dom.record(script + 1).tag != Tag::TEXT || dom.record(script).end <= script + 1 {
            return;
        }
        let text = dom.span_of(script + 1).slice(dom.source()).as_bytes();
        if text.len() > MAX_SCRIPT_BYTES || !configures_renderer(text) {
            return;
        }
        self.renderer = true;
        let has = |name: &str| memmem::find(text, name.as_bytes()).is_some();
        if has("inlineMath") || has("delimiters") {
            let dollars = has("'$'") || has("\"$\"") || has("'\\$'") || has("\"\\\\$\"");
            self.dollars = if dollars { Dollars::Configured } else { Dollars::Never };
        }
    }
}

/// Whether a text looks like one formula between delimiters.
fn is_delimited(text: &[u8]) -> bool {
    match text {
        [b'\\', ..] => true,
        [b'$', inside @ .., b'$'] => !inside.is_empty(),
        _ => false,
    }
}

/// Whether a script contains a name that occurs in the configurations of renderers. Both end with a rare letter.
fn configures_renderer(script: &[u8]) -> bool {
    memchr_iter(b'x', script).any(|at| script[..=at].ends_with(b"MathJax") || script[..=at].ends_with(b"katex"))
}

/// Whether the address of a script is that of MathJax or KaTeX. Most addresses lack the letter that all names share.
fn names_renderer(address: &str) -> bool {
    memchr2(b'x', b'X', address.as_bytes()).is_some()
        && ["MathJax", "mathjax", "katex", "KaTeX", "tex-mml-", "tex-chtml", "tex-svg"].iter().any(|name| address.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(html: &str) -> Evidence {
        Evidence::of(&Dom::parse(html))
    }

    #[test]
    fn names_are_found_as_by_plain_search() {
        for text in [
            "MathJax", "x=katex", "xMathJaX", "xx katexMathJa", "Mathjax", "KaTeX", "tex-svg", "/js/TEX-MML-", "",
            "MathJa\u{fffd}x",
        ] {
            let script = ["MathJax", "katex"].iter().any(|name| text.contains(name));
            assert_eq!(configures_renderer(text.as_bytes()), script, "{text}");
            let names = ["MathJax", "mathjax", "katex", "KaTeX", "tex-mml-", "tex-chtml", "tex-svg"];
            assert_eq!(names_renderer(text), names.iter().any(|name| text.contains(name)), "{text}");
        }
    }

    #[test]
    fn renderers_are_recognised() {
        for html in [
            "<script src=https://cdn.example/mathjax@3/es5/tex-mml-chtml.js></script>",
            "<script src=/MathJax.js?config=TeX-AMS_CHTML></script>",
            "<link rel=stylesheet href=/katex.min.css>",
            "<script>window.MathJax = {tex: {}}</script>",
            "<script>katex.render('x', document.body)</script>",
        ] {
            assert!(of(html).renderer, "{html}");
        }
        for html in ["<p>MathJax and katex", "<script>x()</script>", "<img src=a.png alt=\\alpha>", "<p>$5 and $6"] {
            assert!(!of(html).any(), "{html}");
        }
    }

    #[test]
    fn markup_is_recognised() {
        for html in [
            "<math>",
            "<script type=math/tex>x</script>",
            "<span class=math>\\(x\\)</span>",
            "<mjx-container>",
            "<img class=tex alt=x>",
            "<span class=math-container>$x$</span>",
            "<code class=math data-math-style=inline>x</code>",
            "<div class=math><p><img src=_images/math/0a.png alt=x></p></div>",
        ] {
            assert!(of(html).markup, "{html}");
        }
    }

    #[test]
    fn configurations_say_what_dollars_mean() {
        for (config, want) in [
            ("MathJax = {tex: {inlineMath: [['$', '$'], ['\\\\(', '\\\\)']]}}", Dollars::Configured),
            ("MathJax.Hub.Config({tex2jax: {inlineMath: [[\"$\",\"$\"]]}})", Dollars::Configured),
            ("MathJax = {tex: {inlineMath: [['\\\\(', '\\\\)']]}}", Dollars::Never),
            ("MathJax = {}", Dollars::Doubtful),
        ] {
            assert_eq!(of(&format!("<script>{config}</script>")).dollars, want, "{config}");
        }
    }
}
