//! Options of extraction.

use super::{Mode, Rules};
use crate::label::{Preset, RoleSet};
use crate::options::setters;

/// Options of [`Page::extract_with`](crate::Page::extract_with).
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset, select::Mode};
/// let page = Page::parse(b"<p>one<p>two");
/// assert_eq!(page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).text(), "one\ntwo");
/// let narrow = ExtractOptions::default().preset(Preset::Article).mode(Mode::Precision).comments(false).tables(false);
/// assert_eq!(page.extract_with(&narrow).text(), "");
/// let explained = page.extract_with(&ExtractOptions::default().explain(true).duplicates(true));
/// assert!(explained.explain().why(0).starts_with("strata: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtractOptions {
    /// The method that labels blocks.
    pub preset: Preset,
    /// Whether precision or recall matters more.
    pub mode: Mode,
    /// Whether readers' comments are kept where the method takes them for content.
    pub comments: bool,
    /// Whether data tables are kept. Layout tables are not affected.
    pub tables: bool,
    /// Whether the content begins with the page's headline where the page shows one, even if the method does not keep it.
    /// Without it the headline is left out, even if the method keeps it.
    pub title: bool,
    /// Roles of blocks that are kept although the method or the defaults drop them, if the blocks are between the first and
    /// the last block of the content or adjacent to them. Picture captions, credits and bylines are dropped by default.
    pub keep_roles: RoleSet,
    /// Roles of blocks that are dropped although the method keeps them.
    pub drop_roles: RoleSet,
    /// Whether repeated text is kept, such as a copy for another screen size. A duplicate is two or more blocks in
    /// the same order, or one block of 20 words or more. True when the options are made from [`Preset::KeepEverything`].
    pub duplicates: bool,
    /// Rules by CSS selector that override the method.
    pub rules: Rules,
    /// Whether the method records its reasons as it runs. Costs some 50 to 200 bytes per block; without it
    /// [`Content::explain`](crate::content::Content::explain) has to run the method once more.
    pub explain: bool,
}

setters! {
    ExtractOptions { preset: Preset, mode: Mode, comments: bool, tables: bool, title: bool, duplicates: bool, rules: Rules, explain: bool }
    into { keep_roles: RoleSet, drop_roles: RoleSet }
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Preset::Strata.into()
    }
}

impl From<Preset> for ExtractOptions {
    fn from(preset: Preset) -> Self {
        ExtractOptions {
            preset,
            mode: Mode::default(),
            comments: true,
            tables: true,
            title: true,
            keep_roles: RoleSet::EMPTY,
            drop_roles: RoleSet::EMPTY,
            duplicates: matches!(preset, Preset::KeepEverything),
            rules: Rules::default(),
            explain: false,
        }
    }
}
