//! What is compared and when it counts as the same: options and the two presets.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How two texts are compared.
///
/// ```
/// use webstrata_corpus::dedup::{Scheme, Similarity};
/// let paper = Similarity::paper();
/// assert_eq!((paper.width, paper.scheme), (6, Scheme::Smallest { kept: 8, agree: 4 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Similarity {
    /// Words in a shingle.
    pub width: u8,
    /// What is kept of the shingles, and how much of it has to agree.
    pub scheme: Scheme,
}

/// What is kept of a text's shingles, and how much of it has to agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// The smallest hashes of a text are its signature; so many have to be in both.
    Smallest {
        /// Hashes in a signature.
        kept: u8,
        /// How many two texts must share.
        agree: u8,
    },
    /// Min-hashes in bands; all rows of one band have to agree.
    Bands {
        /// Number of bands.
        bands: u8,
        /// Min-hashes in a band.
        rows: u8,
    },
}

impl Similarity {
    /// The papers' (Chakrabarti, Kumar, Punera: *A graph-theoretic approach to webpage segmentation*, WWW 2008; Kohlschütter,
    /// Nejdl: *A densitometric approach to Web page segmentation*, CIKM 2008): windows of six tokens, the eight smallest hashes,
    /// four of them in common.
    #[must_use]
    pub const fn paper() -> Self {
        Similarity { width: 6, scheme: Scheme::Smallest { kept: 8, agree: 4 } }
    }

    /// FineWeb's: word 5-grams, 14 bands of 8 min-hashes of 64 bits. Pairs with a Jaccard similarity of 0.75 are found with
    /// a chance of 77%, of 0.8 with 92%, of 0.85 with 99%.
    #[must_use]
    pub const fn fineweb() -> Self {
        Similarity { width: 5, scheme: Scheme::Bands { bands: 14, rows: 8 } }
    }

    /// Zeros are read as ones, and what cannot be (more shared than kept) as the most that can: settings come from files, too.
    #[must_use]
    pub(crate) fn sane(self) -> Self {
        let scheme = match self.scheme {
            Scheme::Smallest { kept, agree } => {
                let kept = kept.clamp(1, MOST_KEPT);
                Scheme::Smallest { kept, agree: agree.clamp(1, kept) }
            }
            Scheme::Bands { bands, rows } => Scheme::Bands { bands: bands.max(1), rows: rows.max(1) },
        };
        Similarity { width: self.width.max(1), scheme }
    }
}

/// A page has a key for every choice of hashes that may be shared: at 16 they are 12,870 at most.
const MOST_KEPT: u8 = 16;

impl fmt::Display for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scheme {
            Scheme::Smallest { kept, agree } => write!(f, "{}-word windows, {agree} of {kept} smallest hashes", self.width),
            Scheme::Bands { bands, rows } => write!(f, "word {}-grams, {bands} bands of {rows}", self.width),
        }
    }
}

/// Which page of a cluster is kept. Where it does not decide, the smaller id does.
///
/// ```
/// use webstrata_corpus::dedup::Keep;
/// assert_eq!("earliest".parse(), Ok(Keep::Earliest));
/// assert!("newest".parse::<Keep>().unwrap_err().to_string().contains("longest"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The one with the longest text (in bytes, of the text that is compared).
    #[default]
    Longest,
    /// The one with the earliest date; pages without a date come last.
    Earliest,
    /// The one whose extraction was surest; pages without a confidence come last.
    Confidence,
}

impl Keep {
    /// All rules, with their names.
    pub const ALL: [(Keep, &'static str); 3] =
        [(Keep::Longest, "longest"), (Keep::Earliest, "earliest"), (Keep::Confidence, "confidence")];
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Keep::ALL.iter().find(|(keep, _)| keep == self).map_or("", |(_, name)| name))
    }
}

/// A keep rule that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule '{0}' for what is kept; there are: longest earliest confidence")]
pub struct UnknownKeep(String);

impl FromStr for Keep {
    type Err = UnknownKeep;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Keep::ALL.iter().find(|(_, known)| *known == name).map(|(keep, _)| *keep).ok_or_else(|| UnknownKeep(name.to_owned()))
    }
}

/// How much memory and how many files are used. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Bytes that a sort holds before it writes a run. Several times that is used in all.
    pub sort: usize,
    /// Pages in a part of a batch: what is lost at most when a run is killed.
    pub part: usize,
}

impl Default for Resources {
    fn default() -> Self {
        Resources { sort: 128 << 20, part: 100_000 }
    }
}
