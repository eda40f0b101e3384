//! Methods that need a site, applied to single pages: `webstrata site` learns the site, and any of its pages is judged by the
//! result, whether it was among the pages learned from or not.
//!
//! [`SiteMethod`] names them, [`SiteFolder`] reads the learned data, [`SiteLabeller`] labels pages with reasons, and [`SomPage`] gives
//! their segments with classes.

mod folder;
mod labeller;
mod places;
mod prepared;
mod som_page;
#[cfg(test)]
mod tests;

pub(super) use folder::{LearnedInfo, SAMPLES, VERSION};
pub use folder::{SiteError, SiteFolder, SomTree};
pub use labeller::SiteLabeller;
pub use places::Places;
pub use prepared::Prepared;
pub use som_page::{SomClass, SomPage, SomRegion};

use super::content_extractor::ContentExtractorOptions;
use super::frequencies::MIN_FREQUENCY;
use super::shingling::ShinglingOptions;
use super::som::SomOptions;
use std::fmt;
use std::str::FromStr;

/// A method that decides what is content with the help of other pages.
///
/// ```
/// use webstrata_corpus::site::method::SiteMethod;
/// assert_eq!("lin-ho".parse(), Ok(SiteMethod::LinHo));
/// assert!("lh".parse::<SiteMethod>().unwrap_err().to_string().contains("content-extractor"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SiteMethod {
    /// Blocks that few other pages of the site have (Debnath et al. 2005, Algorithm 1).
    ContentExtractor,
    /// Blocks at the places of the site's template where its pages have their content (Debnath et al. 2005, 4.4.2).
    ContentExtractorPlaces,
    /// Blocks whose terms are on few pages of the site (Lin and Ho 2002).
    LinHo,
    /// The same for parts divided by tables, as in the original paper.
    LinHoTables,
    /// Elements that few other pages share (Ramaswamy et al. 2004).
    Shingling,
    /// Segments whose fingerprint is rare in the corpus (Kohlschütter's thesis, 4.3.3).
    Fingerprints,
}

impl SiteMethod {
    /// All methods.
    pub const ALL: [SiteMethod; 6] = [
        SiteMethod::ContentExtractor,
        SiteMethod::ContentExtractorPlaces,
        SiteMethod::LinHo,
        SiteMethod::LinHoTables,
        SiteMethod::Shingling,
        SiteMethod::Fingerprints,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SiteMethod::ContentExtractor => "content-extractor",
            SiteMethod::ContentExtractorPlaces => "content-extractor-places",
            SiteMethod::LinHo => "lin-ho",
            SiteMethod::LinHoTables => "lin-ho-tables",
            SiteMethod::Shingling => "shingling",
            SiteMethod::Fingerprints => "fingerprints",
        }
    }
}

impl fmt::Display for SiteMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown site method '{0}'; choose one of: content-extractor content-extractor-places lin-ho lin-ho-tables shingling fingerprints"
)]
pub struct UnknownSiteMethod(String);

impl FromStr for SiteMethod {
    type Err = UnknownSiteMethod;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        SiteMethod::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| UnknownSiteMethod(name.to_owned()))
    }
}

/// Parameters of the methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodOptions {
    /// Parameters of ContentExtractor.
    pub content_extractor: ContentExtractorOptions,
    /// Parameters of Shingling. The window and sketch sizes are those with which pages were learned.
    pub shingling: ShinglingOptions,
    /// Minimum number of occurrences in the corpus for a fingerprint to be a template.
    pub template_frequency: u32,
    /// How SOM trees are pruned.
    pub som: SomOptions,
}

impl Default for MethodOptions {
    fn default() -> Self {
        MethodOptions {
            content_extractor: ContentExtractorOptions::default(),
            shingling: ShinglingOptions::default(),
            template_frequency: MIN_FREQUENCY,
            som: SomOptions::default(),
        }
    }
}
