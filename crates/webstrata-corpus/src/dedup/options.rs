//! Options for comparing texts, and the two presets.

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
    /// Which values of the shingles are kept, and how many of them must agree.
    pub scheme: Scheme,
}

/// Which values of a text's shingles are kept, and how many of them must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// The smallest hashes of a text are its signature; some of them must be in both.
    Smallest {
        /// Hashes in a signature.
        kept: u8,
        /// Number of hashes that two texts must share.
        agree: u8,
    },
    /// Min-hashes in bands; all rows of one band must agree.
    Bands {
        /// Number of bands.
        bands: u8,
        /// Min-hashes in a band.
        rows: u8,
    },
}

impl Similarity {
    /// The papers' options (Chakrabarti, Kumar, Punera: *A graph-theoretic approach to webpage segmentation*, WWW 2008; Kohlschütter,
    /// Nejdl: *A densitometric approach to Web page segmentation*, CIKM 2008): windows of six tokens, the eight smallest hashes,
    /// four of them in common.
    #[must_use]
    pub const fn paper() -> Self {
        Similarity { width: 6, scheme: Scheme::Smallest { kept: 8, agree: 4 } }
    }

    /// FineWeb's options: word 5-grams, 14 bands of 8 min-hashes of 64 bits. The probability of finding a pair is 77% at a Jaccard
    /// similarity of 0.75, 92% at 0.8, and 99% at 0.85.
    #[must_use]
    pub const fn fineweb() -> Self {
        Similarity { width: 5, scheme: Scheme::Bands { bands: 14, rows: 8 } }
    }

    /// Replaces zeros with ones and clamps inconsistent values (more shared than kept): settings may come from files.
    #[must_use]
    pub(crate) fn clamped(self) -> Self {
        let scheme = match self.scheme {
            Scheme::Smallest { kept, agree } => {
                let kept = kept.clamp(1, MAX_KEPT);
                Scheme::Smallest { kept, agree: agree.clamp(1, kept) }
            }
            Scheme::Bands { bands, rows } => Scheme::Bands { bands: bands.max(1), rows: rows.max(1) },
        };
        Similarity { width: self.width.max(1), scheme }
    }
}

/// A page has a key for every combination of hashes that may be shared: at most 12,870 for 16 hashes.
const MAX_KEPT: u8 = 16;

impl fmt::Display for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scheme {
            Scheme::Smallest { kept, agree } => write!(f, "{}-word windows, {agree} of {kept} smallest hashes", self.width),
            Scheme::Bands { bands, rows } => write!(f, "word {}-grams, {bands} bands of {rows}", self.width),
        }
    }
}

/// Which page of a cluster is kept. Ties are broken by the smaller id.
///
/// ```
/// use webstrata_corpus::dedup::Keep;
/// assert_eq!("earliest".parse(), Ok(Keep::Earliest));
/// assert!("newest".parse::<Keep>().unwrap_err().to_string().contains("longest"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The one with the longest text (bytes of the text that is compared).
    #[default]
    Longest,
    /// The one with the earliest date; pages without a date come last.
    Earliest,
    /// The one extracted with the highest confidence; pages without a confidence come last.
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

/// An unknown rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule '{0}'; use longest, earliest or confidence")]
pub struct UnknownKeep(String);

impl FromStr for Keep {
    type Err = UnknownKeep;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Keep::ALL.iter().find(|(_, known)| *known == name).map(|(keep, _)| *keep).ok_or_else(|| UnknownKeep(name.to_owned()))
    }
}

/// Memory and file sizes. Results do not depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Bytes that a sort buffers before it writes a run. In total, several times as much is used.
    pub sort: usize,
    /// Pages per part of a batch: the most that is lost when a run is killed.
    pub part: usize,
}

impl Default for Resources {
    fn default() -> Self {
        Resources { sort: 128 << 20, part: 100_000 }
    }
}
