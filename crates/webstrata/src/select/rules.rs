//! Rules by CSS selector, for callers that know the markup of a page.

use super::areas::{Area, Cause, Override};
use crate::html::Dom;
#[cfg(feature = "selectors")]
use crate::html::{Selector, SelectorError};
use crate::span::offset;
#[cfg(not(feature = "selectors"))]
use no_selectors::Selector;
use std::fmt;

/// Rules that override the method.
///
/// They apply to text, not to blocks: a rule may drop a note from the middle of a sentence. Without the cargo feature
/// `selectors` there is no way to create a rule, and this is always empty.
///
#[cfg_attr(feature = "selectors", doc = "```")]
#[cfg_attr(not(feature = "selectors"), doc = "```ignore")]
/// use webstrata::{ExtractOptions, Page, label::Preset, select::Rules};
/// let html = b"<div class=post>Rain <span class=ad>Buy boots!</span> again.</div><p>Other text</p><div id=tags>weather</div>";
/// let page = Page::parse(html);
/// let rules = Rules::parse(&[".post"], &["#tags"], &[".ad"])?;
/// assert_eq!(rules.to_string(), r##"only ".post"; include "#tags"; exclude ".ad""##);
/// let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything).rules(rules));
/// assert_eq!(content.text(), "Rain again.\nweather");
/// assert_eq!(
///     content.explain().why(1),
///     "keep-everything: content: everything is kept; rule: not content: outside the elements that the rules keep"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    only: Vec<Selector>,
    include: Vec<Selector>,
    exclude: Vec<Selector>,
}

impl Rules {
    /// Rules from parsed selectors; see [`Rules::parse`] for what each list does.
    #[cfg(feature = "selectors")]
    #[must_use]
    pub fn new(only: Vec<Selector>, include: Vec<Selector>, exclude: Vec<Selector>) -> Self {
        Rules { only, include, exclude }
    }

    /// Parses rules. Only text inside elements that match `only` is kept; text inside `include` is kept regardless
    /// of the method; text inside `exclude` is dropped regardless of the method and the other rules.
    ///
    /// # Errors
    /// Returns the first invalid selector, with the position and the cause.
    #[cfg(feature = "selectors")]
    pub fn parse<S: AsRef<str>>(only: &[S], include: &[S], exclude: &[S]) -> Result<Rules, SelectorError> {
        let list = |texts: &[S]| texts.iter().map(|text| Selector::parse(text.as_ref())).collect::<Result<Vec<_>, _>>();
        Ok(Rules::new(list(only)?, list(include)?, list(exclude)?))
    }

    #[cfg(feature = "site-rules")]
    pub(super) fn set(&mut self, kind: Override, selectors: Vec<Selector>) {
        *match kind {
            Override::Only => &mut self.only,
            Override::Include => &mut self.include,
            Override::Exclude => &mut self.exclude,
        } = selectors;
    }

    pub(super) fn of_kind(&self, kind: Override) -> &[Selector] {
        match kind {
            Override::Only => &self.only,
            Override::Include => &self.include,
            Override::Exclude => &self.exclude,
        }
    }

    /// Number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.only.len() + self.include.len() + self.exclude.len()
    }

    /// Whether there are no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the rules of `other`.
    pub fn extend(&mut self, other: &Rules) {
        self.only.extend_from_slice(&other.only);
        self.include.extend_from_slice(&other.include);
        self.exclude.extend_from_slice(&other.exclude);
    }

    /// The elements that rules of a kind match, each with the number of its rule.
    pub(super) fn areas(&self, dom: &Dom<'_>, kind: Override) -> Vec<Area> {
        let mut areas = Vec::new();
        for (number, selector) in self.of_kind(kind).iter().enumerate() {
            let cause = Cause::Rule(offset(number));
            areas.extend(selector.select(dom).into_iter().map(|node| Area::new(node, cause)));
        }
        areas
    }
}

/// The rules by kind, each selector in quotation marks: `only ".post"; exclude ".ad" "#tags"`. Empty without rules.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for (name, selectors) in [("only", &self.only), ("include", &self.include), ("exclude", &self.exclude)] {
            if !selectors.is_empty() {
                write!(f, "{between}{name}")?;
                between = "; ";
            }
            selectors.iter().try_for_each(|selector| write!(f, " {:?}", selector.to_string()))?;
        }
        Ok(())
    }
}

/// The empty selector type, for builds without the feature `selectors`.
#[cfg(not(feature = "selectors"))]
mod no_selectors {
    use crate::html::{Dom, Node};
    use std::fmt;

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(in crate::select) enum Selector {}

    impl Selector {
        pub(in crate::select) fn select<'d>(&self, _: &'d Dom<'d>) -> Vec<Node<'d>> {
            match *self {}
        }
    }

    impl fmt::Display for Selector {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            match *self {}
        }
    }
}
