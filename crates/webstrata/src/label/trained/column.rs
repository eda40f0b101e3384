//! Features by name: the columns of a data set, as users and model files name them.
//!
//! A feature of the block itself has a plain name, that of a neighbour is prefixed: `words`, `previous.words`, `next.words`.
//! In addition to the 67 [`FEATURES`] there is `frequency`, how often a block's text occurs in the whole corpus, and L-Extractor's
//! counts of words and tags in the part of the page that contains the block: `part.text`, `part.links` and so on.

use super::parts::PartShares;
use crate::block::{FEATURES, Feature, Features, Frequencies, Neighbour};
use crate::segment;
use std::fmt;
use std::str::FromStr;

/// A column.
///
/// ```
/// use webstrata::label::trained::column::Column;
/// let column: Column = "previous.link-density".parse().unwrap();
/// assert_eq!(column.to_string(), "previous.link-density");
/// assert!("words.next".parse::<Column>().unwrap_err().to_string().contains("previous. or next. before the name"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// One of the 67 features.
    Local(Feature, Neighbour),
    /// How often the text of a block occurs in the corpus.
    Frequency(Neighbour),
    /// A feature of the part of the page that contains the block.
    Part(segment::Feature),
}

const NAMES: [(Feature, &str); 25] = [
    (Feature::Words, "words"),
    (Feature::TextDensity, "density"),
    (Feature::LinkDensity, "link-density"),
    (Feature::WordLength, "word-length"),
    (Feature::SentenceLength, "sentence-length"),
    (Feature::InH1, "h1"),
    (Feature::InH2, "h2"),
    (Feature::InH3, "h3"),
    (Feature::InH4, "h4"),
    (Feature::InH5, "h5"),
    (Feature::InH6, "h6"),
    (Feature::InP, "p"),
    (Feature::InDiv, "div"),
    (Feature::InA, "a"),
    (Feature::Capitalised, "capitalised"),
    (Feature::CapitalisedRatio, "capitalised-ratio"),
    (Feature::UpperCase, "upper-case"),
    (Feature::UpperCaseRatio, "upper-case-ratio"),
    (Feature::FullStops, "full-stops"),
    (Feature::Dates, "dates"),
    (Feature::Bars, "bars"),
    (Feature::Position, "position"),
    (Feature::RelativePosition, "relative-position"),
    (Feature::DensityQuotient, "density-quotient"),
    (Feature::WordsQuotient, "words-quotient"),
];

const NEIGHBOURS: [Neighbour; 3] = [Neighbour::Previous, Neighbour::Current, Neighbour::Next];

impl Column {
    /// The 67 local features in the order of [`FEATURES`].
    #[must_use]
    pub fn local() -> Vec<Column> {
        FEATURES.iter().map(|&(feature, of)| Column::Local(feature, of)).collect()
    }

    /// All 70: the local ones, and the corpus frequency of the previous, the current and the next block.
    #[must_use]
    pub fn all() -> Vec<Column> {
        let mut all = Column::local();
        all.extend(NEIGHBOURS.map(Column::Frequency));
        all
    }

    /// The features of L-Extractor.
    #[must_use]
    pub fn parts() -> Vec<Column> {
        segment::Feature::ALL.map(Column::Part).to_vec()
    }

    /// A feature of the previous, the current and the next block.
    #[must_use]
    pub fn around(feature: Feature) -> [Column; 3] {
        NEIGHBOURS.map(|of| Column::Local(feature, of))
    }

    /// Parses a list: names separated by commas, or one of `local`, `all`, `density+link`, `words+link`, `parts`.
    ///
    /// ```
    /// use webstrata::label::trained::column::Column;
    /// assert_eq!(Column::list("words,next.words").unwrap().len(), 2);
    /// assert_eq!(Column::list("density+link").unwrap().len(), 6);
    /// assert_eq!(Column::list("local").unwrap().len(), 67);
    /// assert_eq!(Column::list("parts").unwrap()[4].to_string(), "part.links");
    /// ```
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn list(text: &str) -> Result<Vec<Column>, UnknownFeature> {
        let with_links = |feature| [Column::around(feature), Column::around(Feature::LinkDensity)].concat();
        match text.trim() {
            "local" => Ok(Column::local()),
            "all" => Ok(Column::all()),
            "density+link" => Ok(with_links(Feature::TextDensity)),
            "words+link" => Ok(with_links(Feature::Words)),
            "parts" => Ok(Column::parts()),
            names => names.split(',').map(|name| name.trim().parse()).collect(),
        }
    }

    /// Whether the feature is one of L-Extractor's.
    #[must_use]
    pub fn is_of_part(self) -> bool {
        matches!(self, Column::Part(_))
    }

    /// Whether the feature is counted over a whole corpus.
    #[must_use]
    pub fn is_global(self) -> bool {
        matches!(self, Column::Frequency(_))
    }

    /// The value for a block.
    #[must_use]
    pub fn value(self, features: &Features, frequencies: Frequencies<'_>, parts: &PartShares, block: usize) -> f32 {
        match self {
            Column::Part(feature) => parts.of_block(block, feature),
            Column::Local(feature, of) => features.get(block, feature, of),
            Column::Frequency(Neighbour::Previous) => block.checked_sub(1).map_or(0, |previous| frequencies.get(previous)) as f32,
            Column::Frequency(Neighbour::Current) => frequencies.get(block) as f32,
            Column::Frequency(Neighbour::Next) => frequencies.get(block + 1) as f32,
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, of) = match *self {
            Column::Local(feature, of) => (NAMES.iter().find(|(f, _)| *f == feature).map_or("", |(_, name)| name), of),
            Column::Frequency(of) => ("frequency", of),
            Column::Part(feature) => return write!(f, "part.{feature}"),
        };
        let before = match of {
            Neighbour::Previous => "previous.",
            Neighbour::Current => "",
            Neighbour::Next => "next.",
        };
        write!(f, "{before}{name}")
    }
}

/// An unknown feature name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown feature '{0}'; use one of the lists local, all, density+link, words+link, parts, or names from {names}, with previous. or next. before the name for a neighbour", names = names())]
pub struct UnknownFeature(String);

fn names() -> String {
    let parts = Column::parts().into_iter().map(|column| column.to_string());
    NAMES.iter().map(|(_, name)| (*name).to_owned()).chain(["frequency".to_owned()]).chain(parts).collect::<Vec<_>>().join(" ")
}

impl FromStr for Column {
    type Err = UnknownFeature;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Column::all().into_iter().chain(Column::parts()).find(|column| column.to_string() == text).ok_or_else(|| {
            // Do not echo a long name in full.
            UnknownFeature(text.chars().take(40).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_names_are_unique_and_parse() {
        let mut names: Vec<String> = Column::all().iter().map(Column::to_string).collect();
        for (name, column) in names.iter().zip(Column::all()) {
            assert_eq!(name.parse(), Ok(column));
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 70);
    }
}
