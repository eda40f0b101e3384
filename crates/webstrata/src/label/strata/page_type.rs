//! Page types, which determine what counts as content.

use std::fmt;
use std::str::FromStr;

/// The type of a page: what it is for.
///
/// ```
/// use webstrata::label::strata::PageType;
/// assert_eq!(PageType::Forum.to_string(), "forum");
/// assert_eq!("product".parse(), Ok(PageType::Product));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PageType {
    /// One text to read: news, a post, an essay.
    #[default]
    Article,
    /// Rows of similar things with little text each: a shop category, a gallery.
    Collection,
    /// A manual, a reference.
    Documentation,
    /// Questions, answers, threads.
    Forum,
    /// Teasers and entries that link elsewhere: search results, archives, jobs.
    Listing,
    /// One thing for sale.
    Product,
    /// An organisation and its services: companies, public offices, landing pages.
    Service,
}

impl PageType {
    /// All types, in the order of the model's features.
    pub const ALL: [PageType; 7] = [
        PageType::Article,
        PageType::Collection,
        PageType::Documentation,
        PageType::Forum,
        PageType::Listing,
        PageType::Product,
        PageType::Service,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PageType::Article => "article",
            PageType::Collection => "collection",
            PageType::Documentation => "documentation",
            PageType::Forum => "forum",
            PageType::Listing => "listing",
            PageType::Product => "product",
            PageType::Service => "service",
        }
    }
}

impl fmt::Display for PageType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown page type name.
///
/// ```
/// use webstrata::label::strata::PageType;
/// assert!("x".parse::<PageType>().unwrap_err().to_string().contains("forum"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown page type '{0}'; choose one of: article collection documentation forum listing product service")]
pub struct UnknownPageType(String);

impl FromStr for PageType {
    type Err = UnknownPageType;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        PageType::ALL.into_iter().find(|page_type| page_type.name() == text).ok_or_else(|| UnknownPageType(text.to_owned()))
    }
}
