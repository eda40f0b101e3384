//! Reports are safe, deterministic, bounded by the size of the page, and readable by everyone.
use super::*;
use sha2::{Digest, Sha256};
use webstrata::ExtractOptions;
use webstrata::block::GapModel;
use webstrata::html::Dom;
use webstrata::segment::{Method, SegmentOptions};

/// All methods.
fn report(name: &str, page: &str) -> String {
    let page = Page::parse(page.as_bytes());
    let options = SegmentOptions::default();
    let division = |method: Method| Division {
        name: method.name(),
        rules: Some(options.rules),
        segments: page.segments_by(&*method.segmenter_with(&options)),
        notes: Vec::new(),
    };
    html(name, &page, &Method::ALL.map(division), &page.extract_with(&ExtractOptions::default().explain(true)), None)
}

/// The hash of a script or style sheet as written in a content security policy: `sha256-…`.
fn hash(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digest = Sha256::digest(text.replace("\r\n", "\n"));
    let mut encoded = String::from("sha256-");
    for group in digest.chunks(3) {
        let bits = group.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for k in 0..4 {
            let digit = char::from(DIGITS[(bits >> (18 - 6 * k)) as usize & 63]);
            encoded.push(if k <= group.len() { digit } else { '=' });
        }
    }
    encoded
}

#[test]
fn the_policy_names_the_style_sheet_and_the_script() {
    assert_eq!(
        hash("alert('Hello, world.');"),
        "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=",
        "the example of the standard"
    );
    assert_eq!(STYLE_HASH, hash(STYLE), "report.css changed: this is its hash (right)");
    assert_eq!(SCRIPT_HASH, hash(SCRIPT), "report.js changed: this is its hash (right)");
    let report = report("a.html", "<p>one");
    let policy = report.find("Content-Security-Policy").unwrap();
    assert!(
        policy < report.find("<style>").unwrap() && policy < report.find("<title>").unwrap(),
        "a policy applies only to what follows it"
    );
    for part in ["default-src 'none'", "require-trusted-types-for 'script'", STYLE_HASH, SCRIPT_HASH] {
        assert!(report.contains(part), "{part}");
    }
}

#[test]
fn the_style_sheet_and_the_script_cannot_end_early_and_request_nothing() {
    for text in [STYLE, SCRIPT] {
        let lower = text.to_ascii_lowercase();
        for word in ["</style", "</script", "<!--", "url(", "@import", "http:", "https:", "innerhtml", "eval(", "fetch("] {
            assert!(!lower.contains(word), "{word}");
        }
    }
    assert!(SCRIPT.lines().count() <= 300, "the script stays small: {}", SCRIPT.lines().count());
}

/// Attacks in every part of a page that a report shows.
const NASTY: [&str; 16] = [
    "</script><script>alert(1)</script>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "</style>",
    "</title>",
    "</svg></p></ol>",
    "\"",
    "'",
    "\" onmouseover=\"alert(1)",
    "&lt;script&gt;",
    "&#60;img src=x onerror=alert(1)&#62;",
    "\u{2028}\u{2029}\u{202e}\u{200f}",
    "\u{0}\u{1b}\u{7f}\u{85}",
    "{}\\u003c</textarea>",
];

/// Tags and attributes of a report without its text, which escaping must not change.
fn skeleton(report: &str) -> Vec<String> {
    let dom = Dom::parse(report);
    let names = dom.nodes().filter(|node| node.is_element()).map(|node| {
        let attributes = node.attributes().map(|attribute| attribute.name().to_owned()).collect::<Vec<_>>();
        format!("{} {}", node.name(), attributes.join(" "))
    });
    names.collect()
}

#[test]
fn no_text_of_a_page_becomes_markup() {
    // The same page with harmless words instead of the attacks must give the same elements with the same attributes.
    let page = |word: &str| {
        let escaped = word.replace('&', "&amp;").replace('<', "&lt;");
        format!(
            "<title>A {escaped} b</title><h1>A {escaped} b</h1><ul><li>A {escaped} b <b>A {escaped} b</b></ul>\
             <p>A {escaped} b and <a href=x>A {escaped} b</a>"
        )
    };
    for word in NASTY {
        let (nasty, plain) = (report(&format!("f {word} g"), &page(word)), report("f word g", &page("word")));
        let (nasty, plain) = (skeleton(&nasty), skeleton(&plain));
        // Words and lines may be counted differently, which moves boundaries; the possible elements stay the same.
        let mut kinds: Vec<&String> = nasty.iter().filter(|kind| !plain.contains(kind)).collect();
        kinds.retain(|kind| !["span class data-g", "path class d"].contains(&kind.as_str()));
        assert!(kinds.is_empty(), "{word:?}: {kinds:?}");
        assert_eq!(nasty.iter().filter(|kind| kind.starts_with("script")).count(), 1, "{word:?}");
    }
}

#[test]
fn escaped_text_parses_back_to_the_original() {
    // All strings of up to three special characters, in text and in an attribute.
    let characters = ['&', '<', '>', '"', '\'', 'a', ';', '#', '\u{2028}', '\u{0}', '=', '/'];
    let mut texts = vec![String::new()];
    for _ in 0..3 {
        let longer: Vec<String> = texts.iter().flat_map(|text| characters.map(|c| format!("{text}{c}"))).collect();
        texts.extend(longer);
    }
    for text in texts {
        let mut html = Html::default();
        html.raw("<p>x").text(&text).raw("y<i title=\"x").text(&text).raw("y\">");
        let html = html.finish();
        let dom = Dom::parse(&html);
        let elements: Vec<&str> = dom.nodes().filter(|node| node.is_element()).map(|node| node.name()).collect();
        assert_eq!(elements, ["html", "body", "p", "i"], "{text:?}: {html}");
        let want = format!("x{}y", text.replace('\0', "\u{fffd}"));
        let title = dom.nodes().last().unwrap().attributes().next().unwrap().value().into_owned();
        assert_eq!(title, want, "{html}");
        let solid = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(dom.text(), solid(&want), "{html}");
    }
}

#[test]
fn all_text_appears_once_and_every_segment_is_listed() {
    let page = "<h1>Layers</h1><ul><li><a href=/>Home</a><li>Away</ul><p>Some <b>bold</b>ness &amp; more. ".to_owned()
        + &"Rocks lie one upon the other. ".repeat(30);
    let parsed = Page::parse(page.as_bytes());
    let report = report("a.html", &page);
    let dom = Dom::parse(&report);
    let of_class = |class: &str| {
        let has =
            |node: &webstrata::html::Node<'_>| node.attribute("class").is_some_and(|names| names.split(' ').any(|n| n == class));
        dom.nodes().filter(has).collect::<Vec<_>>()
    };
    let text: String = of_class("p").iter().map(|piece| piece.text()).collect::<Vec<_>>().join(" ");
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert_eq!(letters(&text), letters(&parsed.dom().text()));
    assert_eq!(of_class("d").len(), parsed.blocks_by(GapModel::Tags).len());
    assert_eq!(of_class("h").len(), parsed.segments(Method::ALL[0]).len());
    let lists: Vec<usize> =
        dom.nodes().filter(|node| node.name() == "ol").map(|list| list.children().filter(|n| n.is_element()).count()).collect();
    assert_eq!(lists, Method::ALL.map(|method| parsed.segments(method).len()));
}

#[test]
fn a_page_without_text_has_a_report_too() {
    for page in ["", "<p>", "<script>1</script>"] {
        assert!(report("a.html", page).contains("There is no text on this page."), "{page:?}");
    }
    let page = Page::parse(b"<p>one");
    assert!(!html("a.html", &page, &[], &page.extract(), None).is_empty(), "no method");
}

#[test]
fn the_size_of_a_report_is_linear_in_the_page() {
    let shapes: [fn(usize) -> String; 5] = [
        |n| "<p>one two three <b>four</b>".repeat(n),
        |n| "<b>x</b>".repeat(n),
        |n| format!("<p>{}", "word ".repeat(n)),
        |n| format!("<{0}>{1}", "x".repeat(200), "<i>a</i> ".repeat(n)),
        |n| "<div>a".repeat(n),
    ];
    for (k, shape) in shapes.into_iter().enumerate() {
        let length = |n: usize| report("a.html", &shape(n)).len() - report("a.html", "").len();
        let (one, two) = (length(4_000), length(8_000));
        assert!(two <= one * 21 / 10, "shape {k}: {one}, then {two}");
        assert_eq!(report("a.html", &shape(50)), report("a.html", &shape(50)), "shape {k}: the same each time");
    }
}

/// A colour `#rrggbb` in linear light.
fn linear(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

fn times(matrix: [[f64; 3]; 3], [a, b, c]: [f64; 3]) -> [f64; 3] {
    matrix.map(|[x, y, z]| x * a + y * b + z * c)
}

/// Linear light to the CIE's XYZ (sRGB, IEC 61966-2-1); the second row is the luminance.
const XYZ: [[f64; 3]; 3] = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];

/// Contrast as the Web Content Accessibility Guidelines 2.2 define it.
fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (times(XYZ, linear(a))[1], times(XYZ, linear(b))[1]);
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Normal colour vision, and vision without one kind of cone (Machado, Oliveira, Fernandes: A Physiologically-based
/// Model for Simulation of Color Vision Deficiency, 2009, severity 1).
const EYES: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
];

/// Distance between two colours for a kind of vision, in CIE L*a*b*, where 2 is just noticeable.
fn difference(eye: [[f64; 3]; 3], a: &str, b: &str) -> f64 {
    let lab = |colour: &str| {
        let [x, y, z] = times(XYZ, times(eye, linear(colour)).map(|channel| channel.max(0.0)));
        let f = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let (x, y, z) = (f(x / 0.9505), f(y), f(z / 1.089));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    };
    lab(a).iter().zip(lab(b)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// The two colours of a line `name light-dark(#light, #dark)` of the style sheet.
fn colours(name: &str) -> [&'static str; 2] {
    let line = STYLE.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_else(|| panic!("{name}"));
    let (light, dark) = line.split_once("light-dark(").unwrap().1.split_once(", ").unwrap();
    [light, &dark[..7]]
}

const CONTENT: [&str; 10] = ["title", "heading", "body", "list", "table", "code", "caption", "credit", "byline", "comment"];
const NOT_CONTENT: [&str; 7] = ["navigation", "related", "footer", "legal", "form", "advertisement", "boilerplate"];

fn role(name: &str) -> [&'static str; 2] {
    colours(&format!(".{name} {{ --c:"))
}

#[test]
fn every_role_has_a_colour() {
    let mut coloured: Vec<&str> = CONTENT.iter().chain(&NOT_CONTENT).copied().collect();
    let mut roles: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
    coloured.sort_unstable();
    roles.sort_unstable();
    assert_eq!(coloured, roles);
}

#[test]
fn colours_have_sufficient_contrast() {
    assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 0.01);
    for mode in 0..2 {
        for background in ["--paper:", "--sheet:"].map(|name| colours(name)[mode]) {
            for name in ["--ink:", "--soft:", "--cut:", "--focus:"] {
                let found = contrast(colours(name)[mode], background);
                assert!(found >= 4.5, "text in {name} on {background}: {found}");
            }
            let roles = CONTENT.iter().chain(&NOT_CONTENT).map(|name| role(name)[mode]);
            for colour in ["--bar:", "--link:"].map(|name| colours(name)[mode]).into_iter().chain(roles) {
                assert!(contrast(colour, background) >= 3.0, "{colour} on {background}: {}", contrast(colour, background));
            }
        }
    }
}

#[test]
fn content_and_the_rest_differ_in_colour_for_colour_blind_readers_too() {
    assert!(difference(EYES[0], "#808080", "#808080") < 1e-9 && difference(EYES[0], "#000000", "#ffffff") > 99.0);
    for (mode, eye) in [0, 1].into_iter().flat_map(|mode| EYES.map(|eye| (mode, eye))) {
        for (content, rest) in CONTENT.iter().flat_map(|content| NOT_CONTENT.map(|rest| (content, rest))) {
            let found = difference(eye, role(content)[mode], role(rest)[mode]);
            assert!(found >= 16.0, "{content} and {rest}: {found}");
        }
    }
}

#[test]
fn pictures_are_shown_and_allowed_only_if_there_are_any() {
    let page = Page::parse(b"<p>one");
    let picture = "data:image/png;base64,UE5H";
    let with = html("a.html", &page, &[], &page.extract(), Some(picture));
    assert!(with.contains("img-src data:; require-trusted-types-for 'script'"));
    assert!(with.contains(&format!("<img src=\"{picture}\"")));
    let without = html("a.html", &page, &[], &page.extract(), None);
    assert!(!without.contains("img-src") && !without.contains("<img"));
}
