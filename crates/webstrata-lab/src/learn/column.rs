//! Features by name: what the columns of a data set are, and how users and model files call them.
//!
//! A feature of the block itself is called by its name, one of a neighbour with the neighbour before it: `words`,
//! `previous.words`, `next.words`. Beside the 67 of the page library there is `frequency`: how often the text occurs in the
//! whole corpus.

use std::fmt;
use std::str::FromStr;
use webstrata::block::{FEATURES, Feature, Neighbour};

/// A column.
///
/// ```
/// use webstrata_lab::learn::column::Column;
/// let column: Column = "previous.link-density".parse().unwrap();
/// assert_eq!(column.to_string(), "previous.link-density");
/// assert!("words.next".parse::<Column>().unwrap_err().to_string().contains("next.words"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// One of the 67 features.
    Local(Feature, Neighbour),
    /// How often the text of a block occurs in the corpus.
    Frequency(Neighbour),
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

    /// All 70: the local ones and the corpus frequency of the block before, the block itself and the block behind.
    #[must_use]
    pub fn all() -> Vec<Column> {
        let mut all = Column::local();
        all.extend(NEIGHBOURS.map(Column::Frequency));
        all
    }

    /// A feature of the block before, of the block and of the block behind.
    #[must_use]
    pub fn around(feature: Feature) -> [Column; 3] {
        NEIGHBOURS.map(|of| Column::Local(feature, of))
    }

    /// Reads a list: names with commas between them, or one of `local`, `all`, `density+link`, `words+link`.
    ///
    /// ```
    /// use webstrata_lab::learn::column::Column;
    /// assert_eq!(Column::list("words,next.words").unwrap().len(), 2);
    /// assert_eq!(Column::list("density+link").unwrap().len(), 6);
    /// assert_eq!(Column::list("local").unwrap().len(), 67);
    /// ```
    ///
    /// # Errors
    /// A name is not known.
    pub fn list(text: &str) -> Result<Vec<Column>, UnknownFeature> {
        let with_links = |feature| [Column::around(feature), Column::around(Feature::LinkDensity)].concat();
        match text.trim() {
            "local" => Ok(Column::local()),
            "all" => Ok(Column::all()),
            "density+link" => Ok(with_links(Feature::TextDensity)),
            "words+link" => Ok(with_links(Feature::Words)),
            names => names.split(',').map(|name| name.trim().parse()).collect(),
        }
    }

    /// Must it be counted over a corpus?
    #[must_use]
    pub fn is_global(self) -> bool {
        matches!(self, Column::Frequency(_))
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, of) = match *self {
            Column::Local(feature, of) => (NAMES.iter().find(|(f, _)| *f == feature).map_or("", |(_, name)| name), of),
            Column::Frequency(of) => ("frequency", of),
        };
        let before = match of {
            Neighbour::Previous => "previous.",
            Neighbour::Current => "",
            Neighbour::Next => "next.",
        };
        write!(f, "{before}{name}")
    }
}

/// A feature's name that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no feature '{0}'; there are the lists local, all, density+link, words+link and the features {names}, of a neighbour as in previous.words and next.words", names = names())]
pub struct UnknownFeature(String);

fn names() -> String {
    NAMES.iter().map(|(_, name)| *name).chain(["frequency"]).collect::<Vec<_>>().join(" ")
}

impl FromStr for Column {
    type Err = UnknownFeature;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Column::all().into_iter().find(|column| column.to_string() == text).ok_or_else(|| {
            // A long text is no name: only its start is repeated.
            UnknownFeature(text.chars().take(40).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_name_of_its_own() {
        let mut names: Vec<String> = Column::all().iter().map(Column::to_string).collect();
        for (name, column) in names.iter().zip(Column::all()) {
            assert_eq!(name.parse(), Ok(column));
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 70);
    }
}
