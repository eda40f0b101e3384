//! What extraction is asked for.

use super::Mode;
#[cfg(feature = "select")]
use super::Rules;
use crate::label::Preset;

/// What [`Page::extract`](crate::Page::extract) does.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::Mode, label::Preset};
/// let page = Page::parse(b"<p>one<p>two");
/// assert_eq!(page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).text(), "one\ntwo");
/// let narrow = ExtractOptions { mode: Mode::Precision, comments: false, ..Preset::Article.into() };
/// assert_eq!(page.extract_with(&narrow).text(), "");
/// ```
#[derive(Clone, Debug)]
pub struct ExtractOptions {
    /// The method.
    pub preset: Preset,
    /// Precision or recall.
    pub mode: Mode,
    /// Are comments of readers kept where the method takes them for content?
    pub comments: bool,
    /// Are tables of data kept? A table that lays a page out is none.
    pub tables: bool,
    /// Is text kept that occurs again, a copy for another size of screen? What counts as a copy is two blocks or more
    /// in the same order, or one of 20 words or more. Made from a preset that keeps everything, options keep copies too.
    pub duplicates: bool,
    /// What is known about the page.
    #[cfg(feature = "select")]
    pub rules: Rules,
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
            duplicates: matches!(preset, Preset::KeepEverything),
            #[cfg(feature = "select")]
            rules: Rules::default(),
        }
    }
}
