//! The reference: html5ever's tree builder over a minimal arena.
//!
//! Nodes are numbers, links are numbers, nothing is reference-counted: benchmarks measure
//! the parser, not the memory management of a DOM. Scripting is off, as in the library.

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, parse_document};
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

/// Marks the absence of a node.
pub const NONE: u32 = u32::MAX;

/// The kind of a node, with its data.
pub enum Data {
    /// The document, a template's content, a comment: nothing that has text.
    Other,
    Text(StrTendril),
    Element {
        name: QualName,
        attributes: Vec<Attribute>,
        content: u32,
        html_inside: bool,
    },
}

/// A node with its links.
pub struct Node {
    pub data: Data,
    pub parent: u32,
    pub first: u32,
    pub last: u32,
    pub previous: u32,
    pub next: u32,
}

/// A tree; node 0 is the document.
pub struct Tree {
    nodes: RefCell<Vec<Node>>,
    pub quirks: Cell<QuirksMode>,
}

/// Name of an element, borrowed from the arena.
#[derive(Debug)]
pub struct Name<'t>(Ref<'t, QualName>);

impl ElemName for Name<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl Tree {
    /// Parses a page.
    pub fn parse(source: &str) -> Tree {
        let options = ParseOpts {
            tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
            ..ParseOpts::default()
        };
        let tree = Tree { nodes: RefCell::new(Vec::with_capacity(source.len() / 32 + 8)), quirks: Cell::new(QuirksMode::NoQuirks) };
        tree.add(Data::Other);
        parse_document(tree, options).one(StrTendril::from_slice(source))
    }

    /// The nodes.
    pub fn nodes(&self) -> Ref<'_, Vec<Node>> {
        self.nodes.borrow()
    }

    fn add(&self, data: Data) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        let id = nodes.len() as u32;
        nodes.push(Node { data, parent: NONE, first: NONE, last: NONE, previous: NONE, next: NONE });
        id
    }

    fn detach(&self, id: u32) {
        let nodes = &mut *self.nodes.borrow_mut();
        let Node { parent, previous, next, .. } = nodes[id as usize];
        if parent == NONE {
            return;
        }
        match previous {
            NONE => nodes[parent as usize].first = next,
            _ => nodes[previous as usize].next = next,
        }
        match next {
            NONE => nodes[parent as usize].last = previous,
            _ => nodes[next as usize].previous = previous,
        }
        let node = &mut nodes[id as usize];
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    /// Puts a node below `parent`, before `before` or, if that is [`NONE`], at the end.
    fn insert(&self, id: u32, parent: u32, before: u32) {
        self.detach(id);
        let nodes = &mut *self.nodes.borrow_mut();
        let previous = match before {
            NONE => nodes[parent as usize].last,
            _ => nodes[before as usize].previous,
        };
        let node = &mut nodes[id as usize];
        (node.parent, node.previous, node.next) = (parent, previous, before);
        match previous {
            NONE => nodes[parent as usize].first = id,
            _ => nodes[previous as usize].next = id,
        }
        match before {
            NONE => nodes[parent as usize].last = id,
            _ => nodes[before as usize].previous = id,
        }
    }

    fn insert_any(&self, child: NodeOrText<u32>, parent: u32, before: u32) {
        match child {
            NodeOrText::AppendNode(id) => self.insert(id, parent, before),
            NodeOrText::AppendText(text) => {
                let previous = match before {
                    NONE => self.nodes.borrow()[parent as usize].last,
                    _ => self.nodes.borrow()[before as usize].previous,
                };
                if previous != NONE
                    && let Data::Text(old) = &mut self.nodes.borrow_mut()[previous as usize].data
                {
                    old.push_tendril(&text);
                    return;
                }
                let id = self.add(Data::Text(text));
                self.insert(id, parent, before);
            }
        }
    }
}

impl TreeSink for Tree {
    type Handle = u32;
    type Output = Tree;
    type ElemName<'t> = Name<'t>;

    fn finish(self) -> Tree {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        0
    }

    fn elem_name<'t>(&'t self, target: &'t u32) -> Name<'t> {
        Name(Ref::map(self.nodes.borrow(), |nodes| match &nodes[*target as usize].data {
            Data::Element { name, .. } => name,
            _ => panic!("node {target} is not an element"),
        }))
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> u32 {
        let content = if flags.template { self.add(Data::Other) } else { NONE };
        self.add(Data::Element { name, attributes, content, html_inside: flags.mathml_annotation_xml_integration_point })
    }

    fn create_comment(&self, _: StrTendril) -> u32 {
        self.add(Data::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> u32 {
        self.add(Data::Other)
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        self.insert_any(child, *parent, NONE);
    }

    fn append_based_on_parent_node(&self, element: &u32, previous: &u32, child: NodeOrText<u32>) {
        let parent = self.nodes.borrow()[*element as usize].parent;
        match parent {
            NONE => self.append(previous, child),
            _ => self.insert_any(child, parent, *element),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &u32) -> u32 {
        match self.nodes.borrow()[*target as usize].data {
            Data::Element { content, .. } => content,
            _ => NONE,
        }
    }

    fn same_node(&self, x: &u32, y: &u32) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode);
    }

    fn append_before_sibling(&self, sibling: &u32, child: NodeOrText<u32>) {
        let parent = self.nodes.borrow()[*sibling as usize].parent;
        self.insert_any(child, parent, *sibling);
    }

    fn add_attrs_if_missing(&self, target: &u32, more: Vec<Attribute>) {
        if let Data::Element { attributes, .. } = &mut self.nodes.borrow_mut()[*target as usize].data {
            for attribute in more {
                if attributes.iter().all(|a| a.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &u32) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        loop {
            let first = self.nodes.borrow()[*node as usize].first;
            if first == NONE {
                return;
            }
            self.insert(first, *new_parent, NONE);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &u32) -> bool {
        matches!(self.nodes.borrow()[*target as usize].data, Data::Element { html_inside: true, .. })
    }
}
