//! Figures and tables of Kohlschütter's thesis ("Exploiting Links and Text Structure on the Web", 2011), drawn on the available sets.
//!
//! A figure has charts, their numbers, and a short table with the thesis' values beside ours. One file per
//! family: [`links`] (3.1 to 3.6), [`theta`] (4.4, 4.5), [`zipf`] (4.6 and table 4.2), [`width`] (4.7), [`passes`] (4.8), [`segmenters`] (table 4.1), [`gain`]
//! (4.20), [`accuracy`] (4.21), [`clean_density`] (4.22), [`writers`] (4.23, 4.25), [`density`] (4.24 and table 4.8). `docs/figures.md`
//! discusses them.

pub mod accuracy;
pub mod clean_density;
pub mod density;
pub mod gain;
pub mod links;
pub mod marked;
pub mod passes;
pub mod segmenters;
pub mod theta;
pub mod width;
pub mod writers;
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
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::build::{self, BuildOptions};
use webstrata_corpus::graph::generate::generate;

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
/// assert_eq!(Set::ALL.map(Set::folder), ["graphs/cnr-2000", "generated", "seg-popular", "l3s-gn1", "cleaneval"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// A crawl's link graph, pages sorted by address.
    Links,
    /// A generated link graph with hosts; needs no folder.
    Generated,
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
    /// A link graph.
    Links(Box<Graph>),
    /// Annotated pages.
    Marked(Vec<MarkedPage>),
    /// News with labelled text: as blocks and as pages.
    News(Box<LabelledBlocks>, GoldSet),
    /// Pages with gold texts.
    Gold(GoldSet),
}

impl Set {
    /// All sets.
    pub const ALL: [Set; 5] = [Set::Links, Set::Generated, Set::Marked, Set::News, Set::CleanEval];

    /// The name of its folder.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Set::Links => "graphs/cnr-2000",
            Set::Generated => "generated",
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
            Set::Links => Some(format!("{pages} pages of cnr-2000; its 62.8 million pages of LargeWeb are not at hand")),
            Set::Generated => Some(format!("{pages} generated pages with the proportions of LargeWeb, which is not at hand")),
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
            Set::Links => {
                let list = folder.join("edges.txt");
                let built = build::edge_list(&list, None, &BuildOptions::default(), &mut |_| true)?;
                (Data::Links(Box::new(built.graph)), Vec::new())
            }
            Set::Generated => {
                let graph = generate(&links::large_web_hundredth(), None, &mut |_| true)?;
                (Data::Links(Box::new(graph)), Vec::new())
            }
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
            Data::Links(graph) => graph.num_pages(),
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
    /// Figure 4.22: density on CleanEval.
    CleanDensity,
    /// Figure 4.23: words per block.
    BlockWords,
    /// Figure 4.24: density by class.
    Density,
    /// Figure 4.25: random writers.
    Writers,
}

impl Name {
    /// All, in the order of the thesis.
    pub const ALL: [Name; 21] = [
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
        }
    }

    /// The set it is drawn from.
    #[must_use]
    pub const fn set(self) -> Set {
        match self {
            Name::Segmenters | Name::Theta | Name::ThetaRules | Name::Zipf | Name::Width | Name::Passes => Set::Marked,
            Name::DotPlots => Set::Links,
            Name::HostDotPlot
            | Name::PartitionDotPlot
            | Name::PagesPerHost
            | Name::PagesPerPartition
            | Name::LinksBetween
            | Name::Convergence => Set::Generated,
            Name::Classes | Name::Gain | Name::AccuracyNews | Name::BlockWords | Name::Density | Name::Writers => Set::News,
            Name::AccuracyCleanEval | Name::CleanDensity => Set::CleanEval,
        }
    }

    /// Draws the figure on all threads of the current pool; the numbers do not depend on how many there are. Empty if `data` is another
    /// set.
    #[must_use]
    pub fn draw(self, data: &Data) -> Vec<Figure> {
        match (self, data) {
            (Name::DotPlots, Data::Links(graph)) => links::sorted(graph),
            (Name::HostDotPlot, Data::Links(graph)) => links::grouped(graph),
            (Name::PartitionDotPlot, Data::Links(graph)) => links::partitioned(graph),
            (Name::PagesPerHost, Data::Links(graph)) => links::pages_per_host(graph),
            (Name::PagesPerPartition, Data::Links(graph)) => links::pages_per_partition(graph),
            (Name::LinksBetween, Data::Links(graph)) => links::links_between(graph),
            (Name::Convergence, Data::Links(graph)) => links::convergence(graph),
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
#[error("no figure '{0}'; there are: {names}", names = Name::ALL.map(Name::name).join(" "))]
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
        let named: Vec<&str> = error.split(' ').filter(|word| word.contains("-4.") || word.contains("-3.")).collect();
        assert_eq!(named, Name::ALL.map(Name::name));
    }

    #[test]
    fn data_of_another_set_draws_nothing() {
        let none = Data::Marked(Vec::new());
        assert!(Name::ALL.into_iter().filter(|name| name.set() != Set::Marked).all(|name| name.draw(&none).is_empty()));
    }
}
