//! Options for extraction.

use super::{Mode, Rules};
use crate::label::{FeatureOptions, Preset, RoleSet};
use crate::options::setters;

/// Options for [`Page::extract_with`](crate::Page::extract_with).
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
    /// Parameters of FeatureExtractor and K-FeatureExtractor; other presets ignore them.
    pub features: FeatureOptions,
    /// Whether the verdicts of the method are refined: lines such as "Advertisement" and bylines are dropped, the headline is added,
    /// code, tables, lists and quotations are kept whole or not at all, and so on. Without it, exactly the blocks that the
    /// method classifies as content are kept, as in the papers.
    pub refine: bool,
    /// Whether precision or recall matters more.
    pub mode: Mode,
    /// Whether readers' comments are kept where the method classifies them as content.
    pub comments: bool,
    /// Whether data tables are kept. Layout tables are not affected.
    pub tables: bool,
    /// Whether the content begins with the page's headline where the page shows one, even if the method does not keep it.
    /// Without it, the headline is left out, even if the method keeps it.
    pub title: bool,
    /// Roles of blocks that are kept although the method or the defaults drop them, if the blocks are between the first and
    /// the last block of the content or adjacent to them. Picture captions, credits and bylines are dropped by default.
    pub keep_roles: RoleSet,
    /// Roles of blocks that are dropped although the method keeps them.
    pub drop_roles: RoleSet,
    /// Whether repeated text is kept, such as a copy for another screen size. A duplicate is two or more blocks in
    /// the same order, or one block of 20 words or more. True if the options are created from [`Preset::KeepEverything`].
    pub duplicates: bool,
    /// Rules by CSS selector that override the method.
    pub rules: Rules,
    /// Whether the method records its reasons as it runs. Costs some 50 to 200 bytes per block; without it
    /// [`Content::explain`](crate::content::Content::explain) has to run the method again.
    pub explain: bool,
}

setters! {
    ExtractOptions { preset: Preset, features: FeatureOptions, refine: bool, mode: Mode, comments: bool, tables: bool, title: bool, duplicates: bool, rules: Rules, explain: bool }
    into { keep_roles: RoleSet, drop_roles: RoleSet }
}

impl ExtractOptions {
    /// A method exactly as published: its own verdicts, and for FeatureExtractor the paper's list of tags.
    ///
    /// ```
    /// use webstrata::{ExtractOptions, Page, label::Preset};
    /// let html = format!("<h1>Rain</h1><p>{}", "It rained again in the valley, and nobody there remembers when that last happened. ".repeat(3));
    /// let page = Page::parse(html.as_bytes());
    /// let exact = page.extract_with(&ExtractOptions::paper(Preset::MinWords(10)));
    /// assert_eq!(exact.selection().blocks().collect::<Vec<_>>(), exact.labels().content().collect::<Vec<_>>());
    /// let refined = page.extract_with(&ExtractOptions::from(Preset::MinWords(10)));
    /// assert!(refined.text().starts_with("Rain") && !exact.text().starts_with("Rain"));
    /// ```
    #[must_use]
    pub fn paper(preset: Preset) -> Self {
        ExtractOptions { features: FeatureOptions::paper(), refine: false, duplicates: true, ..preset.into() }
    }
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
            features: FeatureOptions::default(),
            refine: true,
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
