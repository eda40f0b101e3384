//! The `selectors` crate's own matching, one element at a time: slow, but the reference.

use super::parse::{Grammar, Nothing, Word};
use super::*;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{MatchingForInvalidation, NeedsSelectorFlags, QuirksMode, SelectorCaches};
use selectors::matching::{ElementSelectorFlags, MatchingContext, MatchingMode, matches_selector_list};
use selectors::{Element, OpaqueElement, SelectorList};

/// An element, with its page's nodes in a table (their addresses identify them).
#[derive(Clone, Copy, Debug)]
struct OracleElement<'d> {
    all: &'d [Node<'d>],
    node: Node<'d>,
}

impl<'d> OracleElement<'d> {
    fn element(self, node: Option<Node<'d>>) -> Option<Self> {
        node.filter(|n| n.is_element()).map(|node| OracleElement { node, ..self })
    }
}

impl Element for OracleElement<'_> {
    type Impl = Grammar;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(&self.all[self.node.id().index()])
    }

    fn parent_element(&self) -> Option<Self> {
        self.element(self.node.parent())
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let before = |n: &Node<'_>| n.is_element() && n.number() < self.node.number();
        self.element(self.node.parent()?.children().filter(before).last())
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let after = |n: &Node<'_>| n.is_element() && n.number() > self.node.number();
        self.element(self.node.parent()?.children().find(after))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.element(self.node.children().find(|n| n.is_element()))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        !self.node.is_foreign()
    }

    fn has_local_name(&self, name: &Word) -> bool {
        self.node.name().eq_ignore_ascii_case(&name.0)
    }

    fn is_same_type(&self, other: &Self) -> bool {
        (self.node.tag(), self.node.is_foreign()) == (other.node.tag(), other.node.is_foreign())
    }

    fn attr_matches(&self, _: &NamespaceConstraint<&Word>, name: &Word, test: &AttrSelectorOperation<&Word>) -> bool {
        self.node.attribute(&name.0).is_some_and(|value| match test {
            AttrSelectorOperation::Exists => true,
            AttrSelectorOperation::WithValue { operator, case_sensitivity, value: wanted } => {
                operator.eval_str(&value, &wanted.0, *case_sensitivity)
            }
        })
    }

    fn has_id(&self, id: &Word, _: CaseSensitivity) -> bool {
        self.node.attribute("id").as_deref() == Some(&id.0)
    }

    fn has_class(&self, class: &Word, _: CaseSensitivity) -> bool {
        self.node.attribute("class").unwrap_or_default().split_ascii_whitespace().any(|word| word == class.0)
    }

    fn is_empty(&self) -> bool {
        self.node.descendants().count() == 0
    }

    fn is_root(&self) -> bool {
        self.node.number() == 0
    }

    // A page has no namespaces, shadow trees, states or pseudo-elements.

    fn has_namespace(&self, _: &Word) -> bool {
        true
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn match_non_ts_pseudo_class(&self, class: &Nothing, _: &mut MatchingContext<'_, Grammar>) -> bool {
        match *class {}
    }

    fn match_pseudo_element(&self, element: &Nothing, _: &mut MatchingContext<'_, Grammar>) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        false
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_custom_state(&self, _: &Word) -> bool {
        false
    }

    fn imported_part(&self, _: &Word) -> Option<Word> {
        None
    }

    fn is_part(&self, _: &Word) -> bool {
        false
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}

/// All elements that match, with `scope` as `:scope`.
pub(super) fn select<'d>(all: &'d [Node<'d>], list: &SelectorList<Grammar>, scope: Node<'d>) -> Vec<Node<'d>> {
    let mut caches = SelectorCaches::default();
    let (mode, quirks) = (MatchingMode::Normal, QuirksMode::NoQuirks);
    let mut context = MatchingContext::new(mode, None, &mut caches, quirks, NeedsSelectorFlags::No, MatchingForInvalidation::No);
    context.scope_element = Some(OracleElement { all, node: scope }.opaque());
    let matches = |&node: &Node<'d>| node.is_element() && matches_selector_list(list, OracleElement { all, node }, &mut context);
    all.iter().copied().filter(matches).collect()
}
