//! No word of the output is joined from two, cut, doubled or made up: every line is found in the page as html5ever
//! parses it.
//!
//! The page is reduced to its letters without white space, in order, with flags where a word must begin (after white space or
//! a tag that ends a line) and where it may (after any tag). Every line of output must occur in them, after the previous line,
//! and must begin a word wherever the page must. Reads `$WEBSTRATA_DATA/<set>/html/*.html` if available.

use crate::support::data;
use crate::support::oracle::{Data, NONE, Tree};
use crate::support::words;
use html5ever::ns;
use webstrata::content::TextOptions;
use webstrata::html::entity::{Place, decode};
use webstrata::html::token::Repair;
use webstrata::html::{Dom, Node};
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page, PageOptions};

/// Tags that may occur inside a word.
const INLINE: [&str; 44] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "nobr", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "slot", "small", "span", "strike", "strong",
    "sub", "sup", "time", "tt", "u", "var", "wbr", "svg", "script", "style",
];

/// Elements whose text is not part of the line around them: invisible, or a form field.
const SKIPPED: [&str; 17] = [
    "annotation", "annotation-xml", "frameset", "head", "iframe", "noembed", "noframes", "noscript", "optgroup", "option",
    "script", "select", "style", "svg", "template", "textarea", "title",
];

/// Whether a class is that of a second copy of a formula.
fn is_copy(class: &str) -> bool {
    let is_copy = |class: &str| matches!(class, "katex-html" | "MathJax_Preview") || class.starts_with("mwe-math-fallback-image");
    class.split_ascii_whitespace().any(is_copy)
}

/// The name of an element; a copy of a formula counts as a `span`.
fn name_of<'t>(name: &'t html5ever::QualName, attributes: &[html5ever::Attribute]) -> &'t str {
    let copy = attributes.iter().any(|a| &*a.name.local == "class" && is_copy(&a.value));
    if copy { "span" } else { &name.local }
}

/// The same for our own tree.
fn own_name(node: Node<'_>) -> &str {
    if node.attribute("class").is_some_and(|class| is_copy(&class)) { "span" } else { node.name() }
}

/// Flags of a letter: a word may begin there, a word must begin there.
const MAY: u8 = 1;
const MUST: u8 = 2;

#[derive(Default)]
struct Letters {
    text: String,
    /// Flags, by byte of `text`.
    begins: Vec<u8>,
    next: u8,
    /// Number of open `pre` elements.
    pre: usize,
}

/// Invisible letters. U+FFFD counts: in some places the standard replaces NUL with it, in others it drops the NUL.
fn is_invisible(c: char) -> bool {
    matches!(c, '\0' | '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffd}')
}

fn is_white(c: char) -> bool {
    c <= ' ' || c.is_whitespace()
}

impl Letters {
    fn push(&mut self, text: &str) {
        for c in text.chars() {
            if is_invisible(c) {
                self.next |= MAY;
            } else if is_white(c) {
                self.next = MUST | MAY;
            } else {
                self.text.push(c);
                self.begins.push(self.next);
                self.begins.resize(self.text.len(), 0);
                self.next = 0;
            }
        }
    }

    fn from_tree(tree: &Tree) -> Letters {
        let nodes = tree.nodes();
        let mut letters = Letters::default();
        let mut at = nodes[0].first;
        while at != NONE {
            let node = &nodes[at as usize];
            match &node.data {
                Data::Text(text) => letters.push(text),
                Data::Element { name, attributes, .. } => letters.tag(name_of(name, attributes), name.ns == ns!(html), true),
                Data::Other => {}
            }
            let skipped = matches!(&node.data, Data::Element { name, attributes, .. } if SKIPPED.contains(&&*name.local)
                || attributes.iter().any(|a| &*a.name.local == "class" && is_copy(&a.value)));
            if node.first != NONE && !skipped {
                at = node.first;
                continue;
            }
            while at != NONE {
                let ended = &nodes[at as usize];
                if let Data::Element { name, attributes, .. } = &ended.data {
                    letters.tag(name_of(name, attributes), name.ns == ns!(html), false);
                }
                at = if ended.next == NONE { ended.parent } else { ended.next };
                if ended.next != NONE {
                    break;
                }
            }
        }
        letters
    }

    /// The same for our own tree; with `scripts`, the text of `noscript` is invisible.
    fn from_dom(dom: &Dom<'_>, scripts: bool) -> Letters {
        let mut letters = Letters::default();
        let mut open: Vec<(Node<'_>, usize)> = Vec::new();
        let mut skipped_until = 0;
        for node in dom.nodes() {
            let id = node.id().index();
            while let Some((ended, _)) = open.pop_if(|(_, end)| *end <= id) {
                letters.tag(own_name(ended), !ended.is_foreign(), false);
            }
            if id < skipped_until {
                continue;
            }
            let source = node.span().slice(dom.source());
            if node.is_element() {
                letters.tag(own_name(node), !node.is_foreign(), true);
                open.push((node, words::end(node)));
                let copy = node.attribute("class").is_some_and(|class| is_copy(&class));
                if copy || (SKIPPED.contains(&node.name()) && (scripts || node.name() != "noscript")) {
                    skipped_until = words::end(node);
                }
            } else {
                // White space alone has no node.
                let before = &dom.source()[..node.span().start as usize];
                letters.next |= if before.ends_with(is_white) { MAY | MUST } else { 0 };
                let mut text = String::new();
                decode(source, Place::Text, &mut text);
                letters.push(&text);
            }
        }
        letters
    }

    fn tag(&mut self, name: &str, html: bool, start: bool) {
        // Made-up elements end a line, except in code.
        let inline = !html || INLINE.contains(&name) || name.starts_with("mjx-") || (self.pre > 0 && name.contains('-'));
        self.next |= if inline { MAY } else { MAY | MUST };
        if name == "pre" {
            self.pre = if start { self.pre + 1 } else { self.pre.saturating_sub(1) };
        }
    }

    /// Offset of the end of `line` in the page, searched from `from`; or what is wrong.
    fn find(&self, line: &str, from: usize) -> Result<usize, String> {
        let mut words = Letters::default();
        words.push(line);
        if words.text.is_empty() {
            return Ok(from);
        }
        let begins = |at: usize| self.begins.get(at).is_none_or(|&b| b & (MAY | MUST) != 0);
        let mut glued = None;
        let mut start = from;
        while let Some(at) = self.text.get(start..).and_then(|rest| rest.find(&words.text)).map(|at| at + start) {
            let end = at + words.text.len();
            start = at + self.text[at..].chars().next().map_or(1, char::len_utf8);
            if !begins(at) || !begins(end) {
                continue;
            }
            let place = (1..words.text.len()).find(|&k| self.begins[at + k] & MUST != 0 && words.begins[k] & MUST == 0);
            match place {
                None => return Ok(end),
                Some(k) => glued = glued.or(Some(k)),
            }
        }
        Err(match glued {
            Some(k) => format!("glued before {:?} in {line:?}", words.text[k..].chars().take(20).collect::<String>()),
            None if self.text[..from.min(self.text.len())].contains(&words.text) => format!("doubled: {line:?}"),
            None => format!("cut or made up: {line:?}"),
        })
    }
}

/// The tree that a text was compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ComparedTree {
    /// The reference's tree.
    Reference,
    /// Our own tree.
    Ours,
    /// Our own tree, read as if no scripts ran.
    Unscripted,
}

/// Returns what is wrong with the text of a page, and the tree it was compared with.
fn check(bytes: &[u8], preset: Preset) -> (Vec<String>, ComparedTree) {
    // The reference does not repair elements without an end tag.
    let page = Page::parse_with(bytes, &PageOptions::default().repair(Repair::Off));
    let text = page.extract_with(&ExtractOptions::from(preset)).text_with(&TextOptions::BARE);
    let against = |letters: &Letters| {
        let mut from = 0;
        let find = |line: &str| letters.find(line, from).map(|end| from = end).err();
        text.lines().filter_map(find).collect::<Vec<String>>()
    };
    let wrong = against(&Letters::from_tree(&Tree::parse(page.dom().source())));
    if wrong.is_empty() {
        return (wrong, ComparedTree::Reference);
    }
    // The standard moves and copies misplaced elements, and a `noscript` may swallow the rest of a page (docs/fidelity.md).
    let wrong = against(&Letters::from_dom(page.dom(), true));
    if wrong.is_empty() {
        return (wrong, ComparedTree::Ours);
    }
    // A page that keeps its text in `noscript` is read as if no scripts ran.
    (against(&Letters::from_dom(page.dom(), false)), ComparedTree::Unscripted)
}

const PRESETS: [Preset; 2] = [Preset::Article, Preset::KeepEverything];

#[test]
fn the_check_can_fail() {
    let letters = Letters::from_tree(&Tree::parse("<p>one <b>two</b>three<p>four<div>five six</div>"));
    let check = |lines: &[&str]| lines.iter().try_fold(0, |from, line| letters.find(line, from));
    assert!(check(&["one twothree", "four", "five six"]).is_ok());
    assert!(check(&["one two three", "five six"]).is_ok(), "a tag may separate words");
    let own = Letters::from_dom(&Dom::parse("<p>one <b>two</b>three<p>four<div>five six</div>"), true);
    assert_eq!((own.text, own.begins), (letters.text.clone(), letters.begins.clone()));
    for (lines, part) in [
        (&["onetwothree"][..], "glued"),
        (&["one twothree", "fourfive six"], "glued"),
        (&["four", "four"], "doubled"),
        (&["on"], "cut"),
        (&["one seven"], "made up"),
    ] {
        let error = check(lines).unwrap_err();
        assert!(error.contains(part), "{lines:?}: {error}");
    }
}

#[test]
fn bundled_pages_keep_their_words() {
    for folder in ["pages", "markdown"] {
        for case in data::cases(folder) {
            let bytes = std::fs::read(case.join("page.html")).unwrap();
            for preset in PRESETS {
                assert_eq!(check(&bytes, preset).0, [""; 0], "{} {preset}", case.display());
            }
        }
    }
}

// Two tests, so that they run on two processors.
#[test]
fn real_pages_keep_their_words() {
    check_sets(&data::SETS[..1]);
}

#[test]
fn real_pages_of_the_other_sets_keep_their_words() {
    check_sets(&data::SETS[1..]);
}

fn check_sets(sets: &[&str]) {
    let mut failed = 0;
    for set in sets {
        let Some(pages) = data::pages(set) else { continue };
        let (mut wrong, mut moved, mut unscripted, mut reordered) = (0, 0, 0, 0);
        for path in &pages {
            let mut bytes = std::fs::read(path).unwrap();
            if let Some(ordered) = data::in_reading_order(&bytes) {
                reordered += 1;
                bytes = ordered;
            }
            for preset in PRESETS {
                let (found, tree) = check(&bytes, preset);
                moved += usize::from(tree == ComparedTree::Ours && preset == PRESETS[1]);
                unscripted += usize::from(tree == ComparedTree::Unscripted && preset == PRESETS[1]);
                if let Some(first) = found.first() {
                    wrong += 1;
                    println!("{} {preset}: {} lines, the first: {first:.300}", path.display(), found.len());
                }
            }
        }
        println!(
            "{set}: {} pages, {wrong} outputs with a wrong word; {moved} pages compared with our own tree, {unscripted} read without scripts",
            pages.len()
        );
        println!("{set}: {reordered} pages whose tables were put in reading order");
        failed += wrong;
        assert!(moved <= 2 + pages.len() / 100, "{moved} pages of {set} do not fit the reference");
        assert!(unscripted <= 2 + pages.len() / 50, "{unscripted} pages of {set} are read without scripts");
    }
    assert_eq!(failed, 0);
}
