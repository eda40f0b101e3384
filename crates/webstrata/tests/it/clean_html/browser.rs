//! A fragment as a browser sees it: its tree, violations in it, and the tree serialised again.

use crate::support::oracle::{Data, NONE, Node, Tree};

const INLINE: [&str; 11] = ["a", "br", "code", "del", "em", "img", "math", "span", "strong", "sub", "sup"];
const BLOCKS: [&str; 14] = ["h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "dl", "table", "pre", "blockquote", "hr"];
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// MathML elements that contain text, and those that contain other elements.
const TOKENS: [&str; 5] = ["mi", "mn", "mo", "ms", "mtext"];
const LAYOUT: [&str; 21] = [
    "merror", "mfrac", "mmultiscripts", "mover", "mpadded", "mphantom", "mprescripts", "mroot", "mrow", "mspace", "msqrt",
    "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtr", "munder", "munderover", "math",
];

/// Whether a name is that of a MathML element.
fn is_mathml(name: &str) -> bool {
    TOKENS.contains(&name) || LAYOUT.contains(&name) || matches!(name, "semantics" | "annotation")
}

/// Whether `outer` may contain `inner`.
fn may_contain(outer: &str, inner: &str) -> bool {
    let inline = INLINE.contains(&inner);
    match outer {
        "body" => BLOCKS.contains(&inner) || inner == "div",
        "div" | "blockquote" | "dd" => BLOCKS.contains(&inner),
        "li" => inline || BLOCKS.contains(&inner),
        "ul" | "ol" => inner == "li",
        "dl" => matches!(inner, "dt" | "dd"),
        "table" => matches!(inner, "caption" | "thead" | "tbody"),
        "thead" | "tbody" => inner == "tr",
        "tr" => matches!(inner, "td" | "th"),
        "pre" => inner == "code",
        "td" | "th" => inline || BLOCKS.contains(&inner),
        "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "caption" => inline,
        "math" => inner == "semantics",
        "semantics" => matches!(inner, "mrow" | "annotation"),
        outer if LAYOUT.contains(&outer) => inner != "math" && (TOKENS.contains(&inner) || LAYOUT.contains(&inner)),
        "a" => inline && inner != outer,
        "sup" => matches!(inner, "a" | "sub"),
        "strong" | "em" | "del" => matches!(inner, "strong" | "em" | "del" | "code" | "sup" | "sub") && inner != outer,
        _ => false,
    }
}

fn may_contain_text(name: &str) -> bool {
    (INLINE.contains(&name) && name != "math")
        || TOKENS.contains(&name)
        || name == "annotation"
        || matches!(name, "p" | "li" | "td" | "th" | "dt" | "caption")
        || name.len() == 2 && name.starts_with('h') && name != "hr"
}

fn may_have(element: &str, attribute: &str, value: &str) -> bool {
    let safe = |rest: &str, more: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
    match (element, attribute) {
        ("math", "display") => value == "block",
        ("span", "class") => matches!(value, "math inline" | "math display"),
        ("annotation", "encoding") => value == "application/x-tex",
        (element, "columnalign" | "rowalign" | "dir" | "form" | "mathvariant") if is_mathml(element) => {
            value.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '-' | ' '))
        }
        (
            element,
            "accent" | "accentunder" | "displaystyle" | "fence" | "largeop" | "movablelimits" | "separator" | "stretchy"
            | "symmetric",
        ) if is_mathml(element) => matches!(value, "true" | "false"),
        (
            element,
            "columnspan" | "depth" | "height" | "linethickness" | "lspace" | "mathsize" | "maxsize" | "minsize" | "rowspan"
            | "rspace" | "scriptlevel" | "voffset" | "width",
        ) if is_mathml(element) => safe(value, ".+-%") && value.len() <= 16,
        ("a", "href") => is_safe_address(value, &SCHEMES),
        ("img", "src") => is_safe_address(value, &SCHEMES[..2]),
        ("img", "alt") => true,
        ("td" | "th", "colspan" | "rowspan") => value.parse::<u16>().is_ok_and(|span| span > 1),
        ("ol", "start") => value.parse::<u32>().is_ok(),
        ("code", "class") => value.strip_prefix("language-").is_some_and(|rest| safe(rest, "+-#._")),
        ("dt", "id") => value.strip_prefix("note-").is_some_and(|rest| safe(rest, "")),
        ("div", "dir") => value == "rtl",
        ("p" | "li" | "td" | "th" | "caption" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6", "dir") => matches!(value, "ltr" | "rtl"),
        _ => false,
    }
}

/// Whether an address is relative or has one of the schemes, both as a browser reads it and as a careless program does.
pub(crate) fn is_safe_address(address: &str, schemes: &[&str]) -> bool {
    let strict: String = address.trim_matches(|c: char| c <= ' ').chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let careless: String = address.chars().filter(|c| c.is_ascii_graphic()).collect();
    [strict, careless].iter().all(|address| {
        let Some((scheme, _)) = address.split_once(':') else { return true };
        let legal = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        !legal || schemes.contains(&&*scheme.to_ascii_lowercase())
    })
}

/// Everything in a fragment that is not allowed.
pub(crate) fn violations(html: &str) -> Vec<String> {
    let tree = Tree::parse(html);
    let nodes = tree.nodes();
    let mut wrong = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    let mut links: Vec<&str> = Vec::new();
    walk(&nodes, &mut |at, end| {
        if end {
            return;
        }
        let outer = element_name(&nodes, nodes[at as usize].parent);
        match &nodes[at as usize].data {
            Data::Other if at == 0 => {}
            Data::Other => wrong.push(format!("a comment in {outer}")),
            Data::Text(text) if may_contain_text(outer) => {
                wrong.extend(
                    text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')).map(|c| format!("{c:?} in {outer}")),
                );
            }
            Data::Text(text) => wrong.extend((!text.trim_matches('\n').is_empty()).then(|| format!("text in {outer}: {text:?}"))),
            Data::Element { name, attributes, .. } => {
                let local = &*name.local;
                let namespace =
                    if is_mathml(local) { "http://www.w3.org/1998/Math/MathML" } else { "http://www.w3.org/1999/xhtml" };
                if &*name.ns != namespace {
                    wrong.push(format!("foreign element {local}"));
                }
                let frame = matches!((outer, local), ("", "html") | ("html", "head" | "body"));
                if !frame && !may_contain(outer, local) {
                    wrong.push(format!("{local} in {outer}"));
                }
                for attribute in attributes {
                    let (name, value) = (&*attribute.name.local, &*attribute.value);
                    if frame || !may_have(local, name, value) {
                        wrong.push(format!("{local} has {name}={value:?}"));
                    }
                    match name {
                        "id" => ids.push(value),
                        "href" if outer == "sup" => links.push(value),
                        _ => {}
                    }
                }
                let needed = match local {
                    "a" => "href",
                    "img" => "src",
                    "div" => "dir",
                    "span" => "class",
                    "annotation" => "encoding",
                    _ => "",
                };
                if !needed.is_empty() && attributes.iter().all(|a| &*a.name.local != needed) {
                    wrong.push(format!("{local} without {needed}"));
                }
            }
        }
    });
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() < count {
        wrong.push("the same id twice".to_owned());
    }
    let lost = links.iter().filter(|link| link.strip_prefix('#').is_none_or(|id| !ids.contains(&id)));
    wrong.extend(lost.map(|link| format!("no {link}")));
    if html.contains("<!") || html.contains("<?") || html.contains("</ ") {
        wrong.push("markup that is not a tag".to_owned());
    }
    let again = serialised(&tree);
    if again != html {
        wrong.push(format!("serialised again it is\n{again}\n--- instead of"));
    }
    wrong
}

pub(crate) fn element_name(nodes: &[Node], at: u32) -> &str {
    match nodes.get(at as usize).map(|node| &node.data) {
        Some(Data::Element { name, .. }) => &name.local,
        _ => "",
    }
}

/// Calls `visit` at the start and at the end of every node.
pub(crate) fn walk(nodes: &[Node], visit: &mut impl FnMut(u32, bool)) {
    let mut at = 0;
    visit(at, false);
    loop {
        if nodes[at as usize].first != NONE {
            at = nodes[at as usize].first;
            visit(at, false);
            continue;
        }
        visit(at, true);
        while at != 0 && nodes[at as usize].next == NONE {
            at = nodes[at as usize].parent;
            visit(at, true);
        }
        if at == 0 {
            return;
        }
        at = nodes[at as usize].next;
        visit(at, false);
    }
}

/// The content of the body as the standard serialises it.
pub(crate) fn serialised(tree: &Tree) -> String {
    let nodes = tree.nodes();
    let mut out = String::new();
    walk(&nodes, &mut |at, end| match &nodes[at as usize].data {
        Data::Other if at == 0 => {}
        Data::Other => out.push_str(if end { "" } else { "<!---->" }),
        Data::Text(text) => out.push_str(&if end { String::new() } else { escaped(text) }),
        Data::Element { name, attributes, .. } => {
            let local = &*name.local;
            if matches!(local, "html" | "head" | "body") {
                return;
            }
            if !end {
                out.push_str(&format!("<{local}"));
                for attribute in attributes {
                    let value = escaped(&attribute.value).replace('"', "&quot;");
                    out.push_str(&format!(" {}=\"{value}\"", attribute.name.local));
                }
                out.push('>');
            } else if !matches!(local, "br" | "hr" | "img") {
                out.push_str(&format!("</{local}>"));
            }
        }
    });
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('\u{a0}', "&nbsp;").replace('<', "&lt;").replace('>', "&gt;")
}
