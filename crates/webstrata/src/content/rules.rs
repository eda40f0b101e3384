//! What a caller knows about a page, by CSS selectors.

use crate::html::{Selector, SelectorError};

/// Rules that overrule the method.
///
/// They speak of text, not of blocks: a rule may leave a note out of the middle of a sentence.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::Rules, label::Preset};
/// let html = b"<div class=post>Rain <span class=ad>Buy boots!</span> again.</div><p>Other text</p><div id=tags>weather</div>";
/// let page = Page::parse(html);
/// let rules = Rules::parse(&[".post"], &["#tags"], &[".ad"]).unwrap();
/// let content = page.extract_with(&ExtractOptions { rules, ..Preset::KeepEverything.into() });
/// assert_eq!(content.text(), "Rain again.\nweather");
/// assert_eq!(content.explain().why(1), "keep-everything: content: everything is; rule: not content: outside of what the rules keep");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Text in these elements is content, and no other text is.
    pub only: Vec<Selector>,
    /// Text in these elements is content, whatever the method says.
    pub include: Vec<Selector>,
    /// Text in these elements is not content, whatever the method and the other rules say.
    pub exclude: Vec<Selector>,
}

impl Rules {
    /// Rules from their text: `only`, `include` and `exclude`.
    ///
    /// # Errors
    /// Says which selector cannot be read, where and why.
    pub fn parse<S: AsRef<str>>(only: &[S], include: &[S], exclude: &[S]) -> Result<Rules, SelectorError> {
        let list = |texts: &[S]| texts.iter().map(|text| Selector::parse(text.as_ref())).collect::<Result<Vec<_>, _>>();
        Ok(Rules { only: list(only)?, include: list(include)?, exclude: list(exclude)? })
    }

    /// Is there no rule?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.only.is_empty() && self.include.is_empty() && self.exclude.is_empty()
    }
}
