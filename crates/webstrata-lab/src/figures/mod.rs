//! Figures and tables of Kohlschütter's thesis ("Exploiting Links and Text Structure on the Web", 2011) and of the papers on sites, drawn
//! on the available sets.
//!
//! A figure has charts, their numbers, and a short table with the paper's values beside ours. One file per
//! family: [`dot_plots`] (3.1), [`links`] (3.2 to 3.6), [`theta`] (4.4, 4.5), [`zipf`] (4.6 and table 4.2), [`width`] (4.7), [`passes`]
//! (4.8), [`segmenters`] (table 4.1), [`gain`] (4.20), [`accuracy`] (4.21), [`clean_density`] (4.22), [`writers`] (4.23, 4.25),
//! [`density`] (4.24 and table 4.8); [`som`] the SOM paper, [`tkde`] ContentExtractor and its relatives, both on [`sites`].
//! `docs/figures.md` discusses them.

pub mod accuracy;
pub mod clean_density;
pub mod density;
pub mod dot_plots;
pub mod gain;
pub mod graph_cuts;
pub mod links;
pub mod marked;
pub mod passes;
pub mod segmenters;
mod set;
pub mod sites;
pub mod som;
pub mod theta;
pub mod tkde;
pub mod width;
pub mod writers;
pub mod zipf;

pub use set::{Data, Set};

use crate::plot::{Chart, PlotError, panels};
use crate::table::Table;
use std::fmt;
use std::str::FromStr;

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
    /// The chart as SVG; `None` for a table.
    ///
    /// # Errors
    /// If there is nothing to draw.
    pub fn svg(&self) -> Result<Option<String>, PlotError> {
        if self.charts.is_empty() { Ok(None) } else { panels(&self.charts).map(Some) }
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
    /// Figures 3.1a and b: links of pages sorted by address.
    DotPlots,
    /// Figure 3.1c: links of pages grouped by host.
    HostDotPlot,
    /// Figure 3.2: links of pages grouped by partition.
    PartitionDotPlot,
    /// Figure 3.3: pages per host.
    PagesPerHost,
    /// Figure 3.4: pages per partition.
    PagesPerPartition,
    /// Figure 3.5 and tables 3.1, 3.2: links between partitions.
    LinksBetween,
    /// Figure 3.6: convergence.
    Convergence,
    /// Table 4.1: all segmenters.
    Segmenters,
    /// Figure 4.4: theta of plain and smoothed Block Fusion.
    Theta,
    /// Figure 4.5: theta of rule-based Block Fusion.
    ThetaRules,
    /// Figure 4.6 and table 4.2: Zipf's law.
    Zipf,
    /// Figure 4.7: line width.
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
    /// Figure 4.22: density on CleanEval.
    CleanDensity,
    /// Figure 4.23: words per block.
    BlockWords,
    /// Figure 4.24: density by class.
    Density,
    /// Figure 4.25: random writers.
    Writers,
    /// Table 1 of the SOM paper: segments and classes.
    SomTable,
    /// Figure 8 of the SOM paper: segments of pages.
    SomPages,
    /// Segment classes against attributes.
    SomAttributes,
    /// Samples of a site, as in the SOM paper.
    SomSamples,
    /// Tables 2, 3 and 6 of the TKDE paper: blocks of sites.
    TkdeTable,
    /// Blocks by the number of pages.
    TkdePages,
    /// Figures 7 to 9 of the TKDE paper: run time and storage against the number of pages.
    TkdeCosts,
    /// Figure 10 of the TKDE paper: L-Extractor.
    TkdeLearned,
    /// Parameters of the methods of the TKDE paper.
    TkdeParameters,
}

impl Name {
    /// All figures, in the order of the thesis.
    pub const ALL: [Name; 30] = [
        Name::DotPlots,
        Name::HostDotPlot,
        Name::PartitionDotPlot,
        Name::PagesPerHost,
        Name::PagesPerPartition,
        Name::LinksBetween,
        Name::Convergence,
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
        Name::CleanDensity,
        Name::BlockWords,
        Name::Density,
        Name::Writers,
        Name::SomTable,
        Name::SomPages,
        Name::SomAttributes,
        Name::SomSamples,
        Name::TkdeTable,
        Name::TkdePages,
        Name::TkdeCosts,
        Name::TkdeLearned,
        Name::TkdeParameters,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Name::DotPlots => "figure-3.1",
            Name::HostDotPlot => "figure-3.1c",
            Name::PartitionDotPlot => "figure-3.2",
            Name::PagesPerHost => "figure-3.3",
            Name::PagesPerPartition => "figure-3.4",
            Name::LinksBetween => "figure-3.5",
            Name::Convergence => "figure-3.6",
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
            Name::CleanDensity => "figure-4.22",
            Name::BlockWords => "figure-4.23",
            Name::Density => "figure-4.24",
            Name::Writers => "figure-4.25",
            Name::SomTable => "som-table-1",
            Name::SomPages => "som-figure-8",
            Name::SomAttributes => "som-attributes",
            Name::SomSamples => "som-samples",
            Name::TkdeTable => "tkde-table-2",
            Name::TkdePages => "tkde-pages",
            Name::TkdeCosts => "tkde-figure-7",
            Name::TkdeLearned => "tkde-figure-10",
            Name::TkdeParameters => "tkde-parameters",
        }
    }

    /// The set that it is drawn from.
    #[must_use]
    pub const fn set(self) -> Set {
        match self {
            Name::Segmenters | Name::Theta | Name::ThetaRules | Name::Zipf | Name::Width | Name::Passes => Set::Marked,
            Name::SomTable | Name::SomPages | Name::SomAttributes | Name::TkdeCosts => Set::Templates,
            Name::TkdeTable | Name::TkdePages | Name::TkdeParameters => Set::Sites,
            Name::SomSamples => Set::WholeSite,
            Name::DotPlots => Set::Links,
            Name::HostDotPlot
            | Name::PartitionDotPlot
            | Name::PagesPerHost
            | Name::PagesPerPartition
            | Name::LinksBetween
            | Name::Convergence => Set::Generated,
            Name::Classes
            | Name::Gain
            | Name::AccuracyNews
            | Name::BlockWords
            | Name::Density
            | Name::Writers
            | Name::TkdeLearned => Set::News,
            Name::AccuracyCleanEval | Name::CleanDensity => Set::CleanEval,
        }
    }

    /// Draws the figure on all threads of the current pool; the numbers do not depend on how many there are. Empty if `data` is from
    /// another set.
    #[must_use]
    pub fn draw(self, data: &Data) -> Vec<Figure> {
        match (self, data) {
            (Name::DotPlots, Data::Links(graph)) => dot_plots::sorted(graph),
            (Name::HostDotPlot, Data::Links(graph)) => dot_plots::grouped(graph),
            (Name::PartitionDotPlot, Data::Links(graph)) => links::partitioned(graph),
            (Name::PagesPerHost, Data::Links(graph)) => links::pages_per_host(graph),
            (Name::PagesPerPartition, Data::Links(graph)) => links::pages_per_partition(graph),
            (Name::LinksBetween, Data::Links(graph)) => links::links_between(graph),
            (Name::Convergence, Data::Links(graph)) => links::convergence(graph),
            (Name::SomTable, Data::Sites(sites)) => som::table_1(sites),
            (Name::SomPages, Data::Sites(sites)) => som::figure_8(sites),
            (Name::SomAttributes, Data::Sites(sites)) => som::attributes(sites),
            (Name::SomSamples, Data::Folder(folder, _)) => som::samples(folder),
            (Name::TkdeTable, Data::Sites(sites)) => tkde::table_2(sites),
            (Name::TkdePages, Data::Sites(sites)) => tkde::accuracy(sites),
            (Name::TkdeCosts, Data::Sites(sites)) => tkde::costs(sites),
            (Name::TkdeParameters, Data::Sites(sites)) => tkde::parameters(sites),
            (Name::TkdeLearned, Data::News(blocks, _)) => tkde::figure_10(blocks),
            (Name::CleanDensity, Data::Gold(gold)) => clean_density::figures(gold),
            (Name::BlockWords, Data::News(blocks, _)) => writers::words(blocks),
            (Name::Writers, Data::News(blocks, _)) => writers::writers(blocks),
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
#[error("unknown figure '{0}'; choose one of: {names}", names = Name::ALL.map(Name::name).join(" "))]
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
        let named: Vec<&str> = error.split(' ').filter(|word| word.contains('-')).collect();
        assert_eq!(named, Name::ALL.map(Name::name));
    }

    #[test]
    fn data_of_another_set_draws_nothing() {
        let none = Data::Marked(Vec::new());
        assert!(Name::ALL.into_iter().filter(|name| name.set() != Set::Marked).all(|name| name.draw(&none).is_empty()));
    }
}
