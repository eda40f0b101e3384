//! Selector matching on sets of elements, with one pass over the elements per step.

use super::{Combinator, List, Need, Test};
use crate::html::{Node, Tag};
use selectors::attr::{CaseSensitivity, ParsedCaseSensitivity};
use selectors::parser::NthSelectorData;
use std::collections::HashMap;

/// The elements to test, ordered so that parents and earlier siblings come first.
pub(super) struct Matcher<'d> {
    pub(super) nodes: Vec<Node<'d>>,
    /// Positions of the parent and of the previous sibling; past the end if there is none.
    parent: Vec<usize>,
    previous: Vec<usize>,
    scope: Node<'d>,
}

impl<'d> Matcher<'d> {
    /// Collects the path from the root to `top`, with siblings if needed, and all content of `top` if `content` is set.
    pub(super) fn new(top: Node<'d>, scope: Node<'d>, need: Need, content: bool) -> Self {
        let mut matcher = Matcher { nodes: Vec::new(), parent: Vec::new(), previous: Vec::new(), scope };
        let mut path: Vec<Node<'d>> = std::iter::once(top).chain(top.ancestors()).collect();
        let mut at = matcher.push(path.pop().unwrap_or(top), usize::MAX, usize::MAX);
        while let Some(next) = path.pop() {
            if need == Need::Ancestors {
                at = matcher.push(next, at, usize::MAX);
            } else {
                let first = matcher.nodes.len();
                matcher.open(at);
                at = first + matcher.nodes[first..].iter().position(|n| *n == next).unwrap_or(0);
            }
        }
        if content {
            let mut opened = matcher.nodes.len();
            matcher.open(at);
            while opened < matcher.nodes.len() {
                matcher.open(opened);
                opened += 1;
            }
        }
        matcher
    }

    fn push(&mut self, node: Node<'d>, parent: usize, previous: usize) -> usize {
        self.nodes.push(node);
        self.parent.push(parent);
        self.previous.push(previous);
        self.nodes.len() - 1
    }

    /// Adds the children of an element.
    fn open(&mut self, at: usize) {
        let mut previous = usize::MAX;
        for child in self.nodes[at].children().filter(|n| n.is_element()) {
            previous = self.push(child, at, previous);
        }
    }

    /// Where a combinator leads from each element, and whether it is transitive.
    fn links(&self, combinator: Combinator) -> (&[usize], bool) {
        let table = if matches!(combinator, Combinator::Child | Combinator::Descendant) { &self.parent } else { &self.previous };
        (table, matches!(combinator, Combinator::Descendant | Combinator::LaterSibling))
    }

    /// The elements that match any selector of a list.
    pub(super) fn list(&self, list: &List) -> Vec<bool> {
        let mut any = vec![false; self.nodes.len()];
        for steps in list {
            let mut found = vec![true; self.nodes.len()];
            for step in steps {
                if let Some(combinator) = step.combinator {
                    let (links, transitive) = self.links(combinator);
                    let mut linked = vec![false; found.len()];
                    for (at, &from) in links.iter().enumerate() {
                        linked[at] = from < found.len() && (found[from] || (transitive && linked[from]));
                    }
                    found = linked;
                }
                self.keep(&mut found, &step.tests);
            }
            any.iter_mut().zip(found).for_each(|(any, found)| *any |= found);
        }
        any
    }

    /// The elements from which any relative selector of a list (`:has()`) leads to an element.
    fn has(&self, list: &List) -> Vec<bool> {
        let mut any = vec![false; self.nodes.len()];
        for steps in list {
            let mut found = vec![true; self.nodes.len()];
            for step in steps.iter().rev() {
                self.keep(&mut found, &step.tests);
                let (links, transitive) = self.links(step.combinator.unwrap_or(Combinator::Descendant));
                let mut linked = vec![false; found.len()];
                for (at, &from) in links.iter().enumerate().rev() {
                    if from < found.len() && (found[at] || (transitive && linked[at])) {
                        linked[from] = true;
                    }
                }
                found = linked;
            }
            any.iter_mut().zip(found).for_each(|(any, found)| *any |= found);
        }
        any
    }

    /// Drops the elements that fail a test.
    fn keep(&self, set: &mut [bool], tests: &[Test]) {
        for test in tests {
            if !set.contains(&true) {
                return;
            }
            let (other, wanted) = match test {
                Test::Any(list) => (self.list(list), true),
                Test::Not(list) => (self.list(list), false),
                Test::Has(list) => (self.has(list), true),
                Test::Nth(nth, of) => (self.nth(nth, of.as_ref()), true),
                simple => {
                    set.iter_mut()
                        .zip(&self.nodes)
                        .filter(|(kept, _)| **kept)
                        .for_each(|(kept, &node)| *kept = self.passes(simple, node));
                    continue;
                }
            };
            set.iter_mut().zip(other).for_each(|(kept, other)| *kept &= other == wanted);
        }
    }

    /// The elements at the positions among their siblings that `nth` selects.
    fn nth(&self, nth: &NthSelectorData, of: Option<&List>) -> Vec<bool> {
        let counted = of.map_or_else(|| vec![true; self.nodes.len()], |list| self.list(list));
        let mut set = counted.clone();
        for from_end in [false, true] {
            if from_end != nth.ty.is_from_end() && !nth.ty.is_only() {
                continue;
            }
            let mut by_parent = vec![0; self.nodes.len() + 1];
            let mut by_type: HashMap<(usize, Tag, bool), i32> = HashMap::new();
            for step in 0..self.nodes.len() {
                let at = if from_end { self.nodes.len() - 1 - step } else { step };
                if !counted[at] {
                    continue;
                }
                let (node, parent) = (self.nodes[at], self.parent[at].min(self.nodes.len()));
                let count = if nth.ty.is_of_type() {
                    by_type.entry((parent, node.tag(), node.is_foreign())).or_default()
                } else {
                    &mut by_parent[parent]
                };
                *count += 1;
                set[at] &= nth.an_plus_b.matches_index(*count);
            }
        }
        set
    }

    /// Whether an element passes a test that examines only that element.
    fn passes(&self, test: &Test, node: Node<'d>) -> bool {
        match test {
            Test::Known(tag) => node.tag() == *tag,
            Test::Custom(name) => node.tag().is_custom() && node.name().eq_ignore_ascii_case(name),
            Test::Id(id) => node.attribute("id").is_some_and(|value| value == *id),
            Test::Class(class) => {
                node.attribute("class").is_some_and(|value| value.split_ascii_whitespace().any(|word| word == class))
            }
            Test::Attribute(name, None) => node.has_attribute(name),
            Test::Attribute(name, Some((operator, case, wanted))) => node.attribute(name).is_some_and(|value| {
                let any_case = match case {
                    ParsedCaseSensitivity::AsciiCaseInsensitive => true,
                    ParsedCaseSensitivity::AsciiCaseInsensitiveIfInHtmlElementInHtmlDocument => !node.is_foreign(),
                    ParsedCaseSensitivity::ExplicitCaseSensitive | ParsedCaseSensitivity::CaseSensitive => false,
                };
                let case = if any_case { CaseSensitivity::AsciiCaseInsensitive } else { CaseSensitivity::CaseSensitive };
                operator.eval_str(&value, wanted, case)
            }),
            Test::Root => node.parent().is_none(),
            Test::Scope => node == self.scope,
            Test::Empty => node.children().next().is_none(),
            _ => false,
        }
    }
}
