//! Formulas in the markup that MathJax, KaTeX, MediaWiki and others generate.

use super::tex::{Tex, clean, looks_like_tex};
use super::{Formula, mathml};
use crate::html::{Dom, Node, Tag};

/// Encodings of annotations with TeX.
const TEX_ENCODINGS: [&str; 5] = ["application/x-tex", "tex", "latex", "application/x-latex", "text/x-tex"];

/// Maximum number of MathJax 2 siblings that belong to one formula: a preview, the formula, its script.
const MAX_SIBLINGS: usize = 4;

/// The formula of a `math` element.
pub(super) fn from_math(math: Node<'_>) -> Formula {
    let id = math.number();
    let nodes = id..math.dom().record(id).end.max(id + 1);
    let by_attribute = |name: &str, value: &str| math.attribute(name).is_some_and(|found| found.trim().eq_ignore_ascii_case(value));
    let display = by_attribute("display", "block") || by_attribute("mode", "display");
    let found = annotation(math)
        .or_else(|| alternative_text(math))
        .or_else(|| latex_attribute(math))
        .or_else(|| clean(&mathml::to_tex(math)?));
    let (tex, displays) = found.map(|Tex { tex, display }| (tex, display)).unwrap_or_default();
    Formula { shown: nodes.clone(), nodes, tex, display: display || displays, mathml: Some(id), ..Formula::default() }
}

/// The TeX in an annotation of the formula.
fn annotation(math: Node<'_>) -> Option<Tex> {
    let mut notes = math.descendants().filter(|node| node.tag() == Tag::ANNOTATION);
    let note = notes.find(|note| {
        let encoding = note.attribute("encoding").unwrap_or_default().to_ascii_lowercase();
        TEX_ENCODINGS.contains(&encoding.trim())
    })?;
    clean(&literal_text(note))
}

fn alternative_text(math: Node<'_>) -> Option<Tex> {
    let text = math.attribute("alttext")?;
    let class = math.attribute("class").unwrap_or_default();
    (class.contains("ltx_") || looks_like_tex(&text)).then(|| clean(&text))?
}

/// The TeX that MathJax 4 stores in an attribute of its elements.
fn latex_attribute(node: Node<'_>) -> Option<Tex> {
    clean(&node.attribute("data-latex")?)
}

/// Maximum number of nodes between a MathJax container and the root of the formula.
const MAX_ABOVE_ROOT: usize = 12;

/// The TeX of a MathJax 4 container: on the container or on the root of the formula. Inner elements have only the TeX of parts.
pub(super) fn mathjax_source(container: Node<'_>) -> Option<Tex> {
    let is_root = |node: &Node<'_>| {
        node.name().eq_ignore_ascii_case("mjx-math") || node.attribute("data-mml-node").is_some_and(|name| &*name == "math")
    };
    let root = || container.descendants().take(MAX_ABOVE_ROOT).find(is_root);
    latex_attribute(container).or_else(|| latex_attribute(root()?))
}

/// The attribute by which GitLab marks code that it renders as a formula.
pub(super) const MATH_STYLE: &str = "data-math-style";

/// The formula of a code element that GitLab marks as one.
pub(super) fn from_code(code: Node<'_>) -> Option<Formula> {
    let style = code.attribute(MATH_STYLE)?;
    let id = code.number();
    let nodes = id..code.dom().record(id).end.max(id + 1);
    let Tex { tex, display } = clean(&literal_text(code))?;
    let display = display || style.eq_ignore_ascii_case("display");
    Some(Formula { shown: nodes.clone(), nodes, tex, display, ..Formula::default() })
}

/// The text of an element with newlines preserved, since they end comments in TeX.
fn literal_text(node: Node<'_>) -> String {
    let dom = node.dom();
    node.descendants().filter(|part| !part.is_element()).map(|part| dom.run_text(part.number())).collect()
}

/// The formula of a `math/…` script; its TeX is empty if it is in a notation other than TeX or MathML.
pub(super) fn from_script(script: Node<'_>) -> Option<Formula> {
    let kind = script.attribute("type")?.to_ascii_lowercase();
    let language = kind.strip_prefix("math/")?;
    let id = script.number();
    let nodes = id..script.dom().record(id).end.max(id + 1);
    let source = unwrapped(&literal_text(script));
    let mut formula = Formula { nodes, display: language.contains("mode=display"), ..Formula::default() };
    if language.starts_with("tex") || language.starts_with("latex") {
        if let Some(found) = clean(&source) {
            formula.display |= found.display;
            formula.tex = found.tex;
        }
    } else if language.starts_with("mml") {
        let dom = Dom::parse(&source);
        if let Some(math) = dom.find(Tag::MATH).map(from_math) {
            formula.display |= math.display;
            formula.tex = math.tex;
        }
    }
    Some(formula)
}

/// The source in a script without the CDATA markup and escapes for XML parsers.
fn unwrapped(source: &str) -> String {
    let source = source.trim();
    let source = ["%<![CDATA[", "% <![CDATA[", "<![CDATA["].iter().find_map(|open| source.strip_prefix(open)).unwrap_or(source);
    let source = ["%]]>", "% ]]>", "]]>"].iter().find_map(|close| source.strip_suffix(close)).unwrap_or(source);
    if source.contains('&') { source.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") } else { source.to_owned() }
}

/// The classes of an element that matter here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Classes {
    pub(super) katex: bool,
    pub(super) mediawiki: bool,
    pub(super) mathjax: bool,
    pub(super) display: bool,
    /// Whether its TeX is in the attribute `data-tex`.
    pub(super) data: bool,
    /// Whether its text contains TeX between delimiters, or is TeX as a whole.
    pub(super) tex: bool,
    pub(super) whole: bool,
    /// Whether it is a row of an equation, each part of which LaTeXML puts into a cell.
    pub(super) row: bool,
    /// Whether renderers process it, or ignore it.
    pub(super) processed: bool,
    pub(super) ignored: bool,
}

impl Classes {
    pub(super) fn read(value: &str) -> Self {
        let mut classes = Classes::default();
        let mut math = false;
        let mut placed = false;
        for class in value.split_ascii_whitespace() {
            match class {
                "katex" | "katex--inline" => classes.katex = true,
                "katex-display" | "katex-block" | "katex--display" => (classes.katex, classes.display) = (true, true),
                "mwe-math-element" => classes.mediawiki = true,
                "mwe-math-element-block" => classes.display = true,
                "ztext-math" => classes.data = true,
                "ltx_eqn_row" => classes.row = true,
                "math" => math = true,
                "inline" | "math-inline" => placed = true,
                "display" | "math-display" => (placed, classes.display) = (true, true),
                "mathjax" | "mathjax-tex" | "math-tex" | "math-container" | "arithmatex" | "js-inline-math" | "js-display-math" => {
                    classes.tex = true;
                }
                "tex2jax_process" | "mathjax_process" => classes.processed = true,
                "tex2jax_ignore" | "mathjax_ignore" | "nomathjax" => classes.ignored = true,
                "mjx-chtml" | "MJXc-display" => classes.mathjax = true,
                class => classes.mathjax |= class.starts_with("MathJax"),
            }
        }
        classes.tex |= math;
        classes.whole = math && placed;
        classes
    }
}

/// The formula of a row of several `math` elements, each in its own cell.
pub(super) fn from_row<'d>(parts: impl Iterator<Item = Node<'d>>) -> Option<Formula> {
    let mut tex = String::new();
    for part in parts {
        let formula = from_math(part);
        let bare = formula.tex.strip_prefix("\\displaystyle").unwrap_or(&formula.tex).trim_start();
        if !tex.is_empty() {
            tex.push(' ');
        }
        tex.push_str(if bare.is_empty() { return None } else { bare });
    }
    Some(Formula { tex, display: true, ..Formula::default() })
}

/// The MathJax 2 formula that starts with this element and extends to the script among its siblings, whose source is used.
pub(super) fn from_mathjax(element: Node<'_>, next_math: impl Fn(u32, u32) -> Option<u32>) -> Option<Formula> {
    let dom = element.dom();
    let start = element.number();
    let parent = dom.record(start).parent;
    let mut end = dom.record(start).end;
    let mut display = false;
    let mut shown = 0..0;
    let mut at = element;
    let mut script = None;
    for _ in 0..MAX_SIBLINGS {
        let id = at.number();
        let record = dom.record(id);
        if record.tag == Tag::SCRIPT {
            script = from_script(at);
            end = script.as_ref().map_or(end, |_| record.end.max(id + 1));
            break;
        }
        let class = at.attribute("class").unwrap_or_default();
        if !Classes::read(&class).mathjax {
            break;
        }
        display |= class.contains("isplay");
        if !class.contains("Preview") && shown.is_empty() {
            shown = id..record.end;
        }
        end = record.end;
        if dom.record(record.end).parent != parent || (record.end as usize) >= dom.len() {
            break;
        }
        at = Node::new(dom, record.end);
    }
    let math = next_math(start, end).map(|math| from_math(Node::new(dom, math)));
    let mut formula = match (script, math) {
        (Some(script), math) => {
            let math = math.unwrap_or_default();
            let tex = if script.tex.is_empty() { math.tex } else { script.tex };
            Formula { tex, display: script.display, mathml: math.mathml, shown: math.shown, ..Formula::default() }
        }
        (None, Some(math)) => math,
        (None, None) => return None,
    };
    if formula.shown.is_empty() {
        formula.shown = shown;
    }
    formula.display |= display;
    formula.nodes = start..end;
    Some(formula)
}
