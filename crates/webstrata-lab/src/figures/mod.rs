//! The figures and tables of chapter 4 of Kohlschütter's thesis ("Exploiting Links and Text Structure on the Web", 2011), drawn on
//! the available sets.
//!
//! A figure has charts, their numbers, and a short table with the thesis' values beside ours. One file per
//! family: [`theta`] (4.4, 4.5), [`zipf`] (4.6 and table 4.2), [`width`] (4.7), [`passes`] (4.8), [`segmenters`] (table 4.1), [`gain`]
//! (4.20), [`accuracy`] (4.21), [`density`] (4.24 and table 4.8). `docs/figures.md` discusses them.

pub mod accuracy;
pub mod bte;
pub mod density;
pub mod gain;
pub mod marked;
pub mod passes;
pub mod segmenters;
pub mod theta;
pub mod width;
pub mod zipf;

use crate::gold::l3s_blocks::L3sBlocks;
use crate::gold::seg_popular::MarkedPage;
use crate::gold::set::GoldSet;
use crate::learn::dataset::LabelledBlocks;
use crate::plot::{Chart, PlotError, panels};
use crate::table::Table;
use std::error::Error;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use webstrata::block::GapModel;

/// A figure, or a table if it has no charts.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Base name of its files.
    pub file: String,
    /// Title.
    pub title: String,
    /// Charts, top to bottom.
    pub charts: Vec<Chart>,
    /// All numbers.
    pub numbers: Table,
    /// Key values, with the thesis' beside ours.
    pub summary: Table,
}

impl Figure {
    /// The picture; none for a table.
    ///
    /// # Errors
    /// There is nothing to draw.
    pub fn svg(&self) -> Result<Option<String>, PlotError> {
        if self.charts.is_empty() { Ok(None) } else { panels(&self.charts).map(Some) }
    }
}

/// A set that figures are drawn from, identified by the name of its folder.
///
/// ```
/// use webstrata_lab::figures::Set;
/// assert_eq!(Set::ALL.map(Set::folder), ["seg-popular", "l3s-gn1", "cleaneval"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Annotated pages.
    Marked,
    /// News with labelled text.
    News,
    /// CleanEval.
    CleanEval,
}

/// A loaded set.
#[derive(Clone, Debug)]
pub enum Data {
    /// Annotated pages.
    Marked(Vec<MarkedPage>),
    /// News with labelled text: as blocks and as pages.
    News(Box<LabelledBlocks>, GoldSet),
    /// Pages with gold texts.
    Gold(GoldSet),
}

impl Set {
    /// All sets.
    pub const ALL: [Set; 3] = [Set::Marked, Set::News, Set::CleanEval];

    /// The name of its folder.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Set::Marked => "seg-popular",
            Set::News => "l3s-gn1",
            Set::CleanEval => "cleaneval",
        }
    }

    /// How the pages of the set differ from those of the thesis, whose numbers are shown beside ours; none if they are the same.
    ///
    /// ```
    /// use webstrata_lab::figures::Set;
    /// assert_eq!(Set::News.difference(311).unwrap(), "311 of its 621 pages");
    /// assert_eq!(Set::News.difference(621), None);
    /// ```
    #[must_use]
    pub fn difference(self, pages: usize) -> Option<String> {
        match self {
            Set::Marked => Some(format!("{pages} pages of seg-popular (2014); its 111 pages of 2007 are not public")),
            Set::News if pages == 621 => None,
            Set::News => Some(format!("{pages} of its 621 pages")),
            Set::CleanEval => Some(format!("{pages} pages, a part of its set")),
        }
    }

    /// Reads the set from the folder of all sets; also returns the problems of skipped pages.
    ///
    /// # Errors
    /// The set is missing, or nothing in it can be used.
    pub fn read(self, root: &Path) -> Result<(Data, Vec<String>), Box<dyn Error + Send + Sync>> {
        let folder = root.join(self.folder());
        Ok(match self {
            Set::Marked => {
                let pages = MarkedPage::read_all(&folder)?;
                if pages.is_empty() {
                    return Err(format!("{}: no pages in html/", folder.display()).into());
                }
                (Data::Marked(pages), Vec::new())
            }
            Set::News => {
                let labelled = L3sBlocks::read(&folder)?;
                let blocks = Box::new(LabelledBlocks::new(&labelled, GapModel::Tags));
                let gold = GoldSet::read(&folder)?;
                (Data::News(blocks, gold), labelled.problems)
            }
            Set::CleanEval => {
                let mut gold = GoldSet::read(&folder)?;
                let problems = std::mem::take(&mut gold.problems);
                (Data::Gold(gold), problems)
            }
        })
    }
}

impl Data {
    /// Number of pages.
    #[must_use]
    pub fn pages(&self) -> usize {
        match self {
            Data::Marked(pages) => pages.len(),
            Data::News(_, gold) | Data::Gold(gold) => gold.pages.len(),
        }
    }
}

/// A figure or table by name.
///
/// ```
/// use webstrata_lab::figures::{Name, Set};
/// assert_eq!("figure-4.7".parse(), Ok(Name::Width));
/// assert_eq!(Name::Width.set(), Set::Marked);
/// assert!("figure-4.9".parse::<Name>().unwrap_err().to_string().contains("table-4.1"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// Table 4.1: all segmenters.
    Segmenters,
    /// Figure 4.4: theta of plain and smoothed Block Fusion.
    Theta,
    /// Figure 4.5: theta of rule-based Block Fusion.
    ThetaRules,
    /// Figure 4.6 and table 4.2: Zipf's law.
    Zipf,
    /// Figure 4.7: width of a line.
    Width,
    /// Figure 4.8: passes.
    Passes,
    /// Table 4.8: classes.
    Classes,
    /// Figure 4.20: information gain.
    Gain,
    /// Figure 4.21a: accuracy on CleanEval.
    AccuracyCleanEval,
    /// Figure 4.21b: accuracy on news.
    AccuracyNews,
    /// Figure 4.24: density by class.
    Density,
}

impl Name {
    /// All, in the order of the thesis.
    pub const ALL: [Name; 11] = [
        Name::Segmenters,
        Name::Theta,
        Name::ThetaRules,
        Name::Zipf,
        Name::Width,
        Name::Passes,
        Name::Classes,
        Name::Gain,
        Name::AccuracyCleanEval,
        Name::AccuracyNews,
        Name::Density,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Name::Segmenters => "table-4.1",
            Name::Theta => "figure-4.4",
            Name::ThetaRules => "figure-4.5",
            Name::Zipf => "figure-4.6",
            Name::Width => "figure-4.7",
            Name::Passes => "figure-4.8",
            Name::Classes => "table-4.8",
            Name::Gain => "figure-4.20",
            Name::AccuracyCleanEval => "figure-4.21a",
            Name::AccuracyNews => "figure-4.21b",
            Name::Density => "figure-4.24",
        }
    }

    /// The set it is drawn from.
    #[must_use]
    pub const fn set(self) -> Set {
        match self {
            Name::Segmenters | Name::Theta | Name::ThetaRules | Name::Zipf | Name::Width | Name::Passes => Set::Marked,
            Name::Classes | Name::Gain | Name::AccuracyNews | Name::Density => Set::News,
            Name::AccuracyCleanEval => Set::CleanEval,
        }
    }

    /// Draws the figure on all threads of the current pool; the numbers do not depend on how many there are. Empty if `data` is another
    /// set.
    #[must_use]
    pub fn draw(self, data: &Data) -> Vec<Figure> {
        match (self, data) {
            (Name::Segmenters, Data::Marked(pages)) => segmenters::figures(pages),
            (Name::Theta, Data::Marked(pages)) => theta::figures(pages, theta::Variant::Densities),
            (Name::ThetaRules, Data::Marked(pages)) => theta::figures(pages, theta::Variant::Rules),
            (Name::Zipf, Data::Marked(pages)) => zipf::figures(pages),
            (Name::Width, Data::Marked(pages)) => width::figures(pages),
            (Name::Passes, Data::Marked(pages)) => passes::figures(pages),
            (Name::Classes, Data::News(blocks, _)) => density::classes(blocks),
            (Name::Gain, Data::News(blocks, _)) => gain::figures(blocks),
            (Name::AccuracyNews, Data::News(_, gold)) => accuracy::figures(gold, accuracy::Corpus::News),
            (Name::Density, Data::News(blocks, _)) => density::figures(blocks),
            (Name::AccuracyCleanEval, Data::Gold(gold)) => accuracy::figures(gold, accuracy::Corpus::CleanEval),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown figure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no figure '{0}'; there are: table-4.1 figure-4.4 figure-4.5 figure-4.6 figure-4.7 figure-4.8 table-4.8 figure-4.20 figure-4.21a \
     figure-4.21b figure-4.24"
)]
pub struct UnknownFigure(String);

impl FromStr for Name {
    type Err = UnknownFigure;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Name::ALL.into_iter().find(|name| name.name() == text).ok_or_else(|| UnknownFigure(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_lists_all_names() {
        let error = "x".parse::<Name>().map_or_else(|error| error.to_string(), |_| String::new());
        let named: Vec<&str> = error.split(' ').filter(|word| word.contains("-4.")).collect();
        assert_eq!(named, Name::ALL.map(Name::name));
    }

    #[test]
    fn data_of_another_set_draws_nothing() {
        let none = Data::Marked(Vec::new());
        assert!(Name::ALL.into_iter().filter(|name| name.set() != Set::Marked).all(|name| name.draw(&none).is_empty()));
    }
}
