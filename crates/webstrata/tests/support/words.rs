//! The visible words of a page with their positions: the common form in which two trees are compared.
//!
//! A word is a run of characters without white space inside one parent: a tag ends a word, a comment
//! does not. U+FFFD is left out on both sides (the standard replaces NUL with it in some places and drops
//! the NUL in others).

use super::oracle::{Data, NONE, Tree};
use html5ever::ns;
use std::collections::HashMap;
use webstrata::html::entity::{Place, decode};
use webstrata::html::token::{RawAttribute, RawTag, Repair, Sink, TextKind, TokenizerState, tokenize};
use webstrata::html::{Dom, Node, Tag, TagSet};

/// Inline elements; the nearest ancestor of a word that is not one of them is its block.
const INLINE: [&str; 40] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "nobr", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "slot", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "var", "wbr",
];

/// Elements whose text is invisible.
const INVISIBLE: [&str; 6] = ["script", "style", "template", "noframes", "iframe", "noembed"];

/// HTML elements whose text is taken literally.
const LITERAL: TagSet =
    TagSet::from_tags(&[Tag::SCRIPT, Tag::STYLE, Tag::XMP, Tag::IFRAME, Tag::NOEMBED, Tag::NOFRAMES, Tag::PLAINTEXT]);

/// Interned names, shared by the two sides of a comparison.
#[derive(Default)]
pub struct Symbols {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Symbols {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let lower = name.to_ascii_lowercase();
        let known = self.numbers.get(&lower).copied();
        let number = known.unwrap_or(self.names.len() as u32);
        if known.is_none() {
            self.names.push(lower.clone());
            self.numbers.insert(lower, number);
        }
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The name with this number.
    pub fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }
}

/// Position of a word: the names of its parent and its block, and whether it is in a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Position {
    pub parent: u32,
    pub block: u32,
    pub link: bool,
}

/// The words of one page.
#[derive(Default)]
pub struct Words {
    text: String,
    ends: Vec<u32>,
    pub positions: Vec<Position>,
    run: String,
    run_parent: Option<u32>,
    position: Position,
}

impl Words {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn word(&self, i: usize) -> &str {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.text[start..self.ends[i] as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|i| self.word(i))
    }

    /// Whether two pages have the same words in the same order.
    pub fn same_sequence(&self, other: &Words) -> bool {
        self.ends == other.ends && self.text == other.text
    }

    /// The words, sorted.
    pub fn sorted(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.iter().collect();
        words.sort_unstable();
        words
    }

    fn flush(&mut self) {
        for word in self.run.split(|c: char| c <= ' ' || c.is_whitespace()) {
            let before = self.text.len();
            self.text.extend(word.chars().filter(|&c| c != '\u{fffd}' && c != '\0'));
            if self.text.len() > before {
                self.ends.push(self.text.len() as u32);
                self.positions.push(self.position);
            }
        }
        self.run.clear();
        self.run_parent = None;
    }

    /// Opens the run of a parent, unless it is open already.
    fn at(&mut self, parent: u32, position: impl FnOnce() -> Position) -> &mut String {
        if self.run_parent != Some(parent) {
            self.flush();
            self.run_parent = Some(parent);
            self.position = position();
        }
        &mut self.run
    }

    /// The words of a reference tree.
    pub fn from_tree(tree: &Tree, symbols: &mut Symbols) -> Words {
        let mut words = Words::default();
        let nodes = tree.nodes();
        let mut at = nodes[0].first;
        while at != NONE {
            let node = &nodes[at as usize];
            let mut below = node.first;
            match &node.data {
                Data::Text(text) => {
                    let position = || {
                        let mut position = Position::default();
                        let mut block = None;
                        let mut up = node.parent;
                        while let Some(Data::Element { name, .. }) = nodes.get(up as usize).map(|n| &n.data) {
                            let local = &*name.local;
                            if up == node.parent {
                                position.parent = symbols.number(local);
                            }
                            if block.is_none() && (!INLINE.contains(&local) || name.ns != ns!(html)) {
                                block = Some(symbols.number(local));
                            }
                            position.link |= local == "a" && name.ns == ns!(html);
                            up = nodes[up as usize].parent;
                        }
                        position.block = block.unwrap_or(position.parent);
                        position
                    };
                    words.at(node.parent, position).push_str(text);
                }
                Data::Element { name, .. } => {
                    words.flush();
                    if name.ns == ns!(html) && INVISIBLE.contains(&&*name.local) {
                        below = NONE;
                    }
                }
                Data::Other => {}
            }
            at = if below != NONE { below } else { next_after(&nodes, at) };
        }
        words.flush();
        words
    }

    /// The words of our tree.
    pub fn from_dom(dom: &Dom<'_>, symbols: &mut Symbols) -> Words {
        let mut words = Words::default();
        // A link may extend beyond its element; the farthest end counts.
        let mut link_until = 0;
        let mut skip_until = 0;
        let mut before: Option<Node<'_>> = None;
        for node in dom.nodes() {
            let id = node.id().index();
            if id < skip_until {
                continue;
            }
            if node.is_element() {
                words.flush();
                before = None;
                if node.tag() == Tag::A && !node.is_foreign() {
                    link_until = link_until.max(node.formatting_end().index());
                }
                if !node.is_foreign() && INVISIBLE.contains(&node.name()) {
                    skip_until = end(node);
                }
                continue;
            }
            let Some(parent) = node.parent() else { continue };
            if words.position.link != (id < link_until) {
                words.flush();
                before = None;
            }
            let position = || {
                let block =
                    std::iter::successors(Some(parent), |n| n.parent()).find(|n| n.is_foreign() || !INLINE.contains(&n.name()));
                let block = block.unwrap_or(parent);
                Position { parent: symbols.number(parent.name()), block: symbols.number(block.name()), link: id < link_until }
            };
            let run = words.at(parent.id().index() as u32, position);
            if let Some(before) = before
                && has_text(&dom.source()[before.span().end as usize..node.span().start as usize])
            {
                run.push(' ');
            }
            let source = node.span().slice(dom.source());
            let in_cdata = dom.source()[..node.span().start as usize].ends_with("<![CDATA[") && parent.is_foreign();
            if in_cdata || (LITERAL.contains(parent.tag()) && !parent.is_foreign()) {
                run.push_str(source);
            } else {
                decode(&source.replace('\0', ""), Place::Text, run);
            }
            before = Some(node);
        }
        words.flush();
        words
    }
}

/// Index after the last descendant of `node`.
pub fn end(node: Node<'_>) -> usize {
    node.descendants().next_back().unwrap_or(node).id().index() + 1
}

fn next_after(nodes: &[super::oracle::Node], mut at: u32) -> u32 {
    loop {
        let node = &nodes[at as usize];
        if node.next != NONE {
            return node.next;
        }
        at = node.parent;
        if at == NONE || at == 0 {
            return NONE;
        }
    }
}

/// Whether there is text between ignored tags and comments. It can only be white space: anything else is a node.
fn has_text(gap: &str) -> bool {
    struct Any(bool);
    impl Sink for Any {
        fn text(&mut self, _: usize, _: usize, _: TextKind) {
            self.0 = true;
        }
        fn start(&mut self, _: RawTag, _: &[RawAttribute]) -> TokenizerState {
            TokenizerState::Data
        }
        fn end(&mut self, _: RawTag) {}
    }
    let mut any = Any(false);
    tokenize(gap.as_bytes(), 0, Repair::Off, &mut any, &mut Vec::new());
    any.0
}
