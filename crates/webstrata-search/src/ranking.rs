//! Rankings and weights.

use crate::schema::Class;
use std::fmt;
use std::str::FromStr;

/// Ranking functions, as compared in the papers.
///
/// ```
/// use webstrata_search::Ranking;
/// assert_eq!("bm25-minwords=11".parse(), Ok(Ranking::MinWords(11)));
/// assert_eq!(Ranking::NoTemplates.to_string(), "bm25-nt");
/// assert!("bm26".parse::<Ranking>().unwrap_err().contains("bm25-segment"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ranking {
    /// BM25 over all text, unweighted.
    Bm25,
    /// BM25 over content only.
    NoTemplates,
    /// Words weighted by the segments in which they occur.
    #[default]
    Segments,
    /// Only blocks of at least this many words.
    MinWords(u8),
    /// Only blocks of at least this text density.
    MinDensity(u8),
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ranking::Bm25 => f.write_str("bm25"),
            Ranking::NoTemplates => f.write_str("bm25-nt"),
            Ranking::Segments => f.write_str("bm25-segment"),
            Ranking::MinWords(least) => write!(f, "bm25-minwords={least}"),
            Ranking::MinDensity(least) => write!(f, "bm25-mindensity={least}"),
        }
    }
}

impl FromStr for Ranking {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let least = |number: &str| number.parse::<u8>().map_err(|_| format!("{number:?} is not a number from 0 to 255"));
        match text.split_once('=') {
            None if text == "bm25" => Ok(Ranking::Bm25),
            None if text == "bm25-nt" => Ok(Ranking::NoTemplates),
            None if text == "bm25-segment" => Ok(Ranking::Segments),
            Some(("bm25-minwords", number)) => least(number).map(Ranking::MinWords),
            Some(("bm25-mindensity", number)) => least(number).map(Ranking::MinDensity),
            _ => Err("choose one of: bm25, bm25-nt, bm25-segment, bm25-minwords=K, bm25-mindensity=D".into()),
        }
    }
}

/// The weights of `bm25-segment`.
///
/// ```
/// use webstrata_search::{Class, Weights};
/// let weights: Weights = "title=4,navigation=0".parse()?;
/// assert_eq!((weights.of(Class::Title), weights.of(Class::Content), weights.of(Class::Navigation)), (Some(4.0), Some(1.0), Some(0.0)));
/// assert_eq!("site".parse(), Ok(Weights::Site));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weights {
    /// By class of text, in the order of [`Class::ALL`].
    Classes([f32; 6]),
    /// By the class of the segment among those of its site (see [`ClassWeight`](crate::ClassWeight)).
    Site,
}

/// Default weights by role. Titles, headings and defined terms say in a few words what a page is about; menus are about other pages.
/// Tuned on the manuals of Django, SymPy and Linux and on half of the PostgreSQL queries, and measured on others (`docs/search.md`).
pub const ROLE_WEIGHTS: [f32; 6] = [6.0, 8.0, 1.0, 0.7, 0.3, 0.7];

/// Maximum weight.
const MAX_WEIGHT: f32 = 1000.0;

impl Default for Weights {
    fn default() -> Self {
        Weights::Classes(ROLE_WEIGHTS)
    }
}

impl Weights {
    /// The weight of a text class; `None` if it depends on the site.
    #[must_use]
    pub fn of(&self, class: Class) -> Option<f32> {
        match self {
            Weights::Classes(weights) => Some(weights[class as usize]),
            Weights::Site => None,
        }
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Weights::Site => f.write_str("site"),
            Weights::Classes(weights) if *weights == ROLE_WEIGHTS => f.write_str("role"),
            Weights::Classes(weights) => {
                let parts = Class::ALL.iter().zip(weights).map(|(class, weight)| format!("{class}={weight}"));
                f.write_str(&parts.collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "role" => return Ok(Weights::default()),
            "site" => return Ok(Weights::Site),
            _ => {}
        }
        // Classes that are not named have the weight 1.
        let mut weights = [1.0; 6];
        for part in text.split(',') {
            let (class, weight) =
                part.split_once('=').ok_or("give role, site, or CLASS=WEIGHT separated by commas, such as title=4,navigation=0")?;
            let weight = weight.trim().parse::<f32>().ok().filter(|weight| (0.0..=MAX_WEIGHT).contains(weight));
            weights[class.trim().parse::<Class>()? as usize] =
                weight.ok_or_else(|| format!("a weight is a number from 0 to {MAX_WEIGHT}"))?;
        }
        Ok(Weights::Classes(weights))
    }
}
