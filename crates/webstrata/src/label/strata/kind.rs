//! Kinds of pages: what counts as content depends on them.

use std::fmt;
use std::str::FromStr;

/// What a page is for.
///
/// ```
/// use webstrata::label::strata::Kind;
/// assert_eq!(Kind::Forum.to_string(), "forum");
/// assert_eq!("product".parse(), Ok(Kind::Product));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// One text to be read: news, a post, an essay.
    #[default]
    Article,
    /// Many things of one kind in rows, each with little text: a shop's shelf.
    Collection,
    /// A manual, a reference.
    Documentation,
    /// Questions, answers, threads.
    Forum,
    /// Teasers and entries that lead elsewhere: results, archives, jobs.
    Listing,
    /// One thing to be bought.
    Product,
    /// What somebody offers: firms, offices, landing pages.
    Service,
}

impl Kind {
    /// All kinds, in the order of the model's columns.
    pub const ALL: [Kind; 7] =
        [Kind::Article, Kind::Collection, Kind::Documentation, Kind::Forum, Kind::Listing, Kind::Product, Kind::Service];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Article => "article",
            Kind::Collection => "collection",
            Kind::Documentation => "documentation",
            Kind::Forum => "forum",
            Kind::Listing => "listing",
            Kind::Product => "product",
            Kind::Service => "service",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind's name that is not known.
///
/// ```
/// use webstrata::label::strata::Kind;
/// assert!("x".parse::<Kind>().unwrap_err().to_string().contains("forum"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no kind '{0}'; there are: article collection documentation forum listing product service")]
pub struct UnknownKind(String);

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Kind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| UnknownKind(text.to_owned()))
    }
}
