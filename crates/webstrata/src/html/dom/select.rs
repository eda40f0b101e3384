//! CSS selectors: parsed by the `selectors` crate, matched here against all elements at once.
//!
//! Testing one element after another, each walking back through its siblings and ancestors, makes
//! `a ~ b` and `:has()` quadratic. Instead every part of a selector is a set of elements, and the set of
//! one part follows from that of the next in a single pass over the page. So every selector takes time
//! linear in the page times the length of the selector, and the stack never grows with the page.

mod matcher;
#[cfg(test)]
mod oracle;
mod parse;
#[cfg(test)]
mod tests;

use super::{Dom, Node};
use crate::html::Tag;
use matcher::Matcher;
use selectors::attr::{AttrSelectorOperator, ParsedCaseSensitivity};
use selectors::parser::NthSelectorData;

/// A compiled list of CSS selectors.
///
/// Supports Selectors Level 4's type, class, id and attribute selectors, all combinators, `:root`,
/// `:scope`, `:empty`, `:first-child` and its relatives, `:nth-child()` (with `of`) and its relatives, `:not()`,
/// `:is()`, `:where()` and `:has()`. Names of elements and attributes match case-insensitively, even in
/// SVG; classes and ids match exactly, regardless of the page's doctype.
///
/// Selectors match the tree of [`Dom`], which differs from a browser's: white space between tags makes
/// no node, so `:empty` matches `<p> </p>`.
///
/// ```
/// use webstrata::html::{Dom, Selector};
/// let dom = Dom::parse("<ul><li>one<li class=hot>two<li>three</ul>");
/// let selector = Selector::parse("li.hot + li, li:first-child")?;
/// let texts: Vec<String> = selector.select(&dom).into_iter().map(|n| n.text()).collect();
/// assert_eq!(texts, ["one", "three"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Selector {
    css: String,
    list: List,
    /// The parts of the page needed to match elements that may be selected, and those around them.
    inside: Need,
    outside: Need,
}

/// Two selectors are equal if their texts are.
impl PartialEq for Selector {
    fn eq(&self, other: &Self) -> bool {
        self.css == other.css
    }
}

impl Eq for Selector {}

impl std::hash::Hash for Selector {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.css.hash(state);
    }
}

/// The reason why a selector was rejected. The message gives the column and the remedy.
///
/// ```
/// use webstrata::html::{Selector, SelectorError};
/// let error = Selector::parse("a:hover").unwrap_err();
/// assert!(matches!(&error, SelectorError::State { column: 2, name, .. } if name == "hover"));
/// assert!(error.to_string().starts_with("selector `a:hover`, column 2: `:hover` is a state"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectorError {
    /// The text is not a selector.
    #[error("selector `{}`, column {column}: {what}; {remedy}", shorten(selector))]
    Syntax {
        /// The selector.
        selector: String,
        /// Column of the error in characters, counted from 1; one past the end if something is missing there.
        column: usize,
        /// What is wrong.
        what: &'static str,
        /// What to write.
        remedy: &'static str,
    },
    /// A pseudo-class for a state that only a running browser has.
    #[error(
        "selector `{}`, column {column}: `:{name}` is a state of a running browser, which a parsed page does not have; \
         leave it out or test an attribute (`[href]`, `[checked]`, `[disabled]`)",
        shorten(selector)
    )]
    State {
        /// The selector.
        selector: String,
        /// Column of the pseudo-class in characters, counted from 1.
        column: usize,
        /// Its name.
        name: String,
    },
    /// A pseudo-element.
    #[error(
        "selector `{}`, column {column}: the pseudo-element `::{name}` is not in the tree; select the element it belongs to",
        shorten(selector)
    )]
    PseudoElement {
        /// The selector.
        selector: String,
        /// Column of the pseudo-element in characters, counted from 1.
        column: usize,
        /// Its name.
        name: String,
    },
    /// A pseudo-class that is not supported, or not allowed here.
    #[error(
        "selector `{}`, column {column}: `:{name}` is not supported here; use `:root`, `:scope`, `:empty`, `:first-child`, `:last-child`, \
         `:only-child`, `:nth-child()`, their `-of-type` forms, `:not()`, `:is()`, `:where()`, or `:has()` outside of `:has()`",
        shorten(selector)
    )]
    PseudoClass {
        /// The selector.
        selector: String,
        /// Column of the pseudo-class in characters, counted from 1.
        column: usize,
        /// Its name.
        name: String,
    },
}

/// A selector shortened for messages.
fn shorten(selector: &str) -> String {
    const MAX_CHARS: usize = 80;
    let mut short: String = selector.chars().take(MAX_CHARS).collect();
    if short.len() < selector.len() {
        short.push('…');
    }
    short
}

impl Selector {
    /// Compiles a selector or a list of them.
    ///
    /// ```
    /// use webstrata::html::Selector;
    /// assert!(Selector::parse("table > tr:nth-child(2n) td[colspan='2' i]").is_ok());
    /// let error = Selector::parse("ul > ").unwrap_err();
    /// assert_eq!(error.to_string(), "selector `ul > `, column 6: nothing follows the combinator; name the element or drop the combinator");
    /// ```
    ///
    /// # Errors
    /// If the text is not a valid selector, or depends on something that a parsed page does not have. The error says where and why.
    pub fn parse(css: &str) -> Result<Selector, SelectorError> {
        let list = parse::compile(css).map_err(|kind| parse::explain(css, &kind))?;
        let mut needs = [Need::Ancestors; 2];
        list.iter().for_each(|steps| collect_needs(steps, true, &mut needs));
        Ok(Selector { css: css.to_owned(), list, inside: needs[0], outside: needs[1] })
    }

    /// Whether the node matches. Text never does; `:scope` is the node itself.
    ///
    /// Costs a walk to the root; with sibling combinators or `:nth-child()` also one over the siblings on
    /// the way; with `:has()` one over the parent's content or, if `:has()` is left of a child or
    /// descendant combinator, over the page. To test many nodes of a page use [`Selector::select`].
    ///
    /// ```
    /// use webstrata::html::{Dom, Selector, Tag};
    /// let dom = Dom::parse("<div class='a b'><p>text</div>");
    /// let p = dom.find(Tag::P).unwrap();
    /// assert!(Selector::parse(".a.b > p:only-child")?.matches(p));
    /// assert!(!Selector::parse(".a.c > p")?.matches(p));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn matches(&self, node: Node<'_>) -> bool {
        if !node.is_element() || node.dom().is_empty() {
            return false;
        }
        let matcher = match (self.inside.max(self.outside), node.parent()) {
            (Need::Content, Some(parent)) => self.matcher(parent, node),
            (Need::Content, None) => Matcher::new(node, node, Need::Ancestors, true),
            (need, _) => Matcher::new(node, node, need, false),
        };
        let set = matcher.list(&self.list);
        matcher.nodes.iter().zip(set).any(|(n, found)| found && *n == node)
    }

    /// All matching elements of a page in document order; `:scope` is the root.
    ///
    /// Time is linear in the page, times the length of the selector, for every selector.
    ///
    /// ```
    /// use webstrata::html::{Dom, Selector};
    /// let dom = Dom::parse("<table><tr><td>1<td>2<tr><td>3<td>4</table>");
    /// let cells = Selector::parse("tr:has(+ tr) > :last-child")?.select(&dom);
    /// assert_eq!(cells[0].text(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn select<'d>(&self, dom: &'d Dom<'d>) -> Vec<Node<'d>> {
        if dom.is_empty() { Vec::new() } else { self.pick(dom.root(), true) }
    }

    /// The matching elements below `top`, and also `top` if `itself` is set.
    fn pick<'d>(&self, top: Node<'d>, itself: bool) -> Vec<Node<'d>> {
        let matcher = self.matcher(top, top);
        let set = matcher.list(&self.list);
        let range = top.number() + u32::from(!itself)..top.record().end;
        let mut found: Vec<Node<'d>> =
            matcher.nodes.iter().zip(set).filter(|(n, found)| *found && range.contains(&n.number())).map(|(n, _)| *n).collect();
        found.sort_unstable_by_key(|n| n.number());
        found
    }

    /// A matcher for the elements below `top`.
    fn matcher<'d>(&self, top: Node<'d>, scope: Node<'d>) -> Matcher<'d> {
        if self.outside == Need::Content {
            Matcher::new(top.dom().root(), scope, Need::Ancestors, true)
        } else {
            Matcher::new(top, scope, self.outside, true)
        }
    }
}

impl std::fmt::Debug for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Selector").field(&self.css).finish()
    }
}

/// The selector as written.
impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.css)
    }
}

impl Dom<'_> {
    /// All matching elements in document order; see [`Selector::select`].
    ///
    /// ```
    /// use webstrata::html::{Dom, Selector};
    /// let dom = Dom::parse("<p>one<p lang=de>zwei");
    /// assert_eq!(dom.select(&Selector::parse("p[lang]")?)[0].text(), "zwei");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn select<'d>(&'d self, selector: &Selector) -> Vec<Node<'d>> {
        selector.select(self)
    }
}

impl<'d> Node<'d> {
    /// The matching elements below the node in document order. `:scope` is the node, and elements to the left of a
    /// combinator may be outside it.
    ///
    /// Costs a walk over the node's content and to the root; the rest of the page is visited only if the
    /// selector tests siblings or has a `:has()` left of a child or descendant combinator.
    ///
    /// ```
    /// use webstrata::html::{Dom, Selector};
    /// let dom = Dom::parse("<table><tr><td>1<td>2<tr><td>3<td>4</table>");
    /// let (row, cell) = (Selector::parse("tr")?, Selector::parse(":scope > td:nth-child(2)")?);
    /// let second: Vec<String> = dom.select(&row).iter().flat_map(|r| r.select(&cell)).map(|n| n.text()).collect();
    /// assert_eq!(second, ["2", "4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn select(self, selector: &Selector) -> Vec<Node<'d>> {
        if self.is_element() && !self.dom().is_empty() { selector.pick(self, false) } else { Vec::new() }
    }
}

/// Alternative selectors, one of which must match.
type List = Vec<Vec<Step>>;

/// A compound selector and the combinator that links it to the previous step. The first step of a
/// selector has none, except in `:has()`, where it leads to the tested element.
#[derive(Clone)]
struct Step {
    combinator: Option<Combinator>,
    tests: Vec<Test>,
}

#[derive(Clone, Copy)]
enum Combinator {
    Child,
    Descendant,
    NextSibling,
    LaterSibling,
}

/// A simple selector.
#[derive(Clone)]
enum Test {
    Known(Tag),
    Custom(String),
    Id(String),
    Class(String),
    Attribute(String, Option<(AttrSelectorOperator, ParsedCaseSensitivity, String)>),
    Root,
    Scope,
    Empty,
    Nth(NthSelectorData, Option<List>),
    Any(List),
    Not(List),
    Has(List),
}

/// How much of the page a selector examines: ancestors, their siblings as well, or all their content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    Ancestors,
    Siblings,
    Content,
}

/// Collects the needs of a selector for elements that may be selected and their siblings (`needs[0]`, `inside`),
/// and for the elements around them (`needs[1]`).
fn collect_needs(steps: &[Step], mut inside: bool, needs: &mut [Need; 2]) {
    for step in steps.iter().rev() {
        let slot = usize::from(!inside);
        for test in &step.tests {
            match test {
                Test::Nth(_, of) => {
                    needs[slot] = needs[slot].max(Need::Siblings);
                    of.iter().flatten().for_each(|steps| collect_needs(steps, inside, needs));
                }
                Test::Any(list) | Test::Not(list) => list.iter().for_each(|steps| collect_needs(steps, inside, needs)),
                Test::Has(list) => {
                    needs[slot] = Need::Content;
                    list.iter().flatten().for_each(|step| collect_needs(std::slice::from_ref(step), inside, needs));
                }
                _ => {}
            }
        }
        match step.combinator {
            Some(Combinator::NextSibling | Combinator::LaterSibling) => needs[slot] = needs[slot].max(Need::Siblings),
            Some(Combinator::Child | Combinator::Descendant) => inside = false,
            None => {}
        }
    }
}
