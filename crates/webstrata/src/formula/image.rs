//! Pictures of formulas with TeX in their alternative text or address.

use super::Formula;
use super::tex::{Tex, clean, looks_like_tex};
use crate::html::{Attribute, Node, Tag};

/// Classes of such pictures.
const CLASSES: [&str; 13] = [
    "tex",
    "latex",
    "math",
    "mathtex",
    "formula",
    "formulaInl",
    "formulaDsp",
    "mwe-math-fallback-image-inline",
    "mwe-math-fallback-image-display",
    "ql-img-inline-formula",
    "ql-img-displayed-equation",
    "latexcenter",
    "math-tex",
];

/// Substrings of the addresses of formula-rendering services, and the text that precedes the TeX in them.
const SERVICES: [(&str, &str); 9] = [
    ("latex.php", "latex="),
    ("codecogs.com", ".latex?"),
    ("codecogs.com", ".image?"),
    ("zhihu.com/equation", "tex="),
    ("math.jianshu.com", "formula="),
    ("cht=tx", "chl="),
    ("mathtex.cgi", "?"),
    ("mimetex.cgi", "?"),
    ("/math/render/", "\0"),
];

/// Whether attributes may belong to a picture of a formula.
pub(super) fn is_formula<'d>(attributes: impl Iterator<Item = Attribute<'d>>) -> bool {
    attributes.into_iter().any(|attribute| {
        let name = attribute.name();
        if name.eq_ignore_ascii_case("class") {
            is_class(&attribute.value())
        } else {
            name.eq_ignore_ascii_case("src") && {
                let address = attribute.value();
                names_service(&address) || address.contains(FOLDER)
            }
        }
    })
}

/// The folder in which Sphinx puts pictures of formulas.
const FOLDER: &str = "/math/";

/// Maximum number of enclosing elements that may mark a picture as a formula.
const MAX_WRAPPERS: usize = 2;

/// If the picture or an enclosing element marks it as a formula: whether that is a block.
fn mark(image: Node<'_>) -> Option<bool> {
    let has_class = |node: &Node<'_>| node.attribute("class").is_some_and(|class| is_class(&class));
    if has_class(&image) || image.attribute("src").is_some_and(|address| names_service(&address)) {
        return Some(false);
    }
    image.ancestors().take(MAX_WRAPPERS).find(has_class).map(|wrapper| wrapper.tag() == Tag::DIV)
}

fn is_class(value: &str) -> bool {
    value.split_ascii_whitespace().any(|class| CLASSES.contains(&class))
}

/// Whether an address is that of a service. The first three substrings are a quick check that rules out most addresses.
fn names_service(address: &str) -> bool {
    ["tex", "math", "=tx"].iter().any(|part| address.contains(part)) && SERVICES.iter().any(|(part, _)| address.contains(part))
}

/// The formula that an `img` shows.
pub(super) fn read(image: Node<'_>) -> Option<Formula> {
    if !is_formula(image.attributes()) {
        return None;
    }
    let in_block = mark(image)?;
    let class = image.attribute("class").unwrap_or_default();
    let by_class = class.contains("Dsp") || class.contains("display") || class.contains("latexcenter");
    let alternative = image.attribute("alt").filter(|alt| looks_like_tex(alt)).and_then(|alt| clean(&alt));
    let Tex { tex, display } = alternative.or_else(|| from_address(&image.attribute("src")?))?;
    let id = image.number();
    Some(Formula { nodes: id..id + 1, tex, display: display || by_class || in_block, ..Formula::default() })
}

/// The TeX in the address of a service.
fn from_address(address: &str) -> Option<Tex> {
    let (_, key) = SERVICES.iter().find(|(part, key)| address.contains(part) && address.contains(key))?;
    let from = address.find(key)? + key.len();
    let named = key.ends_with('=');
    let value = if named { address[from..].split(['&', '#']).next()? } else { &address[from..] };
    let tex = percent_decoded(value, named)?.replace("&space;", " ").replace("&plus;", "+");
    // Size and colour settings of the services.
    let settings = ["\\dpi{", "\\bg_", "\\fn_", "\\inline", "\\large", "\\small", "\\tiny", "\\huge"];
    let mut bare = tex.trim();
    while let Some(setting) = settings.iter().find(|setting| bare.starts_with(**setting)) {
        let rest = &bare[setting.len()..];
        let end = if setting.ends_with('{') { rest.find('}')? + 1 } else { rest.find([' ', '\\', '{']).unwrap_or(rest.len()) };
        bare = rest[end..].trim_start();
    }
    clean(bare)
}

/// Decodes the percent-escapes in a part of an address. With `form`, a plus sign is a space.
fn percent_decoded(value: &str, form: bool) -> Option<String> {
    let digit = |byte: Option<&u8>| byte.and_then(|b| char::from(*b).to_digit(16));
    let bytes = value.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let decoded = (byte == b'%').then(|| digit(bytes.get(at + 1)).zip(digit(bytes.get(at + 2)))).flatten();
        match (byte, decoded) {
            (_, Some((high, low))) => {
                out.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'+', None) if form => out.push(b' '),
            _ => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::Dom;

    #[test]
    fn pictures_of_formulas() {
        for (html, want) in [
            ("<img class=tex alt='x^2' src=a.png>", Some(("x^2", false))),
            ("<img class=formulaDsp alt='\\[ a+b \\]' src=form_1.png>", Some(("a+b", true))),
            ("<img class=latex alt='Diagram of a bridge' src=a.png>", None),
            (
                "<img class=latex src='https://s0.example/latex.php?latex=%5Cfrac%7Ba%7D%7B2%7D+x&bg=fff'>",
                Some(("\\frac{a}{2} x", false)),
            ),
            ("<img src='https://latex.codecogs.com/gif.latex?\\dpi{120}&space;x'>", Some(("x", false))),
            ("<img src='https://latex.codecogs.com/svg.latex?\\inline%20x^2'>", Some(("x^2", false))),
            ("<img src='https://www.zhihu.com/equation?tex=a%2Bb' alt='a+b' eeimg=1>", Some(("a+b", false))),
            ("<img class=mwe-math-fallback-image-display alt='{\\displaystyle E}'>", Some(("E", true))),
            ("<img src=bridge.png alt='\\alpha'>", None),
            ("<div class=math><p><img src='_images/math/0c.png' alt='\\chi^2'></p></div>", Some(("\\chi^2", true))),
            ("<p><img src='/news/math/test.png' alt='a_1'>", None),
        ] {
            let dom = Dom::parse(html);
            let found = read(dom.find(Tag::IMG).unwrap());
            assert_eq!(found.as_ref().map(|f| (&*f.tex, f.display)), want, "{html}");
        }
    }
}
