//! The sets that figures are drawn from.

use super::links::large_web_hundredth;
use super::sites::{self, Site};
use crate::gold::l3s_blocks::L3sBlocks;
use crate::gold::seg_popular::MarkedPage;
use crate::gold::set::GoldSet;
use crate::learn::dataset::LabelledBlocks;
use std::error::Error;
use std::path::{Path, PathBuf};
use webstrata::block::GapModel;
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::build::{self, BuildOptions};
use webstrata_corpus::graph::generate::generate;

/// Minimum number of pages per site.
const MIN_PAGES: usize = 5;

/// A set that figures are drawn from, identified by the name of its folder.
///
/// ```
/// use webstrata_lab::figures::Set;
/// assert_eq!(Set::ALL.map(Set::folder), ["graphs/cnr-2000", "generated", "seg-popular", "l3s-gn1",
///     "cleaneval", "swde-sample", "daniel", "sites/linux-doc-6.1"]);
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
    /// Template-driven sites with known attributes.
    Templates,
    /// Sites with gold texts; those of `cleanportaleval` as well, if it is available.
    Sites,
    /// All pages of one site.
    WholeSite,
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
    /// Sites.
    Sites(Vec<Site>),
    /// A folder with the pages of a site, and their number.
    Folder(PathBuf, usize),
}

impl Set {
    /// All sets.
    pub const ALL: [Set; 8] =
        [Set::Links, Set::Generated, Set::Marked, Set::News, Set::CleanEval, Set::Templates, Set::Sites, Set::WholeSite];

    /// The name of its folder.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Set::Links => "graphs/cnr-2000",
            Set::Generated => "generated",
            Set::Marked => "seg-popular",
            Set::News => "l3s-gn1",
            Set::CleanEval => "cleaneval",
            Set::Templates => "swde-sample",
            Set::Sites => "daniel",
            Set::WholeSite => "sites/linux-doc-6.1",
        }
    }

    /// How the pages of the set differ from those of the thesis, whose numbers are shown beside ours; `None` if they are the same.
    ///
    /// ```
    /// use webstrata_lab::figures::Set;
    /// assert_eq!(Set::News.difference(311).unwrap(), "311 of its 621 pages");
    /// assert_eq!(Set::News.difference(621), None);
    /// ```
    #[must_use]
    pub fn difference(self, pages: usize) -> Option<String> {
        match self {
            Set::Links => Some(format!("{pages} pages of cnr-2000; its 62.8 million pages of LargeWeb are not available")),
            Set::Generated => Some(format!("{pages} generated pages with the proportions of LargeWeb, which is not available")),
            Set::Marked => Some(format!("{pages} pages of seg-popular (2014); its 111 pages of 2007 are not public")),
            Set::News if pages == 621 => None,
            Set::News => Some(format!("{pages} of its 621 pages")),
            Set::CleanEval => Some(format!("{pages} pages, a part of its set")),
            Set::Templates => Some(format!("{pages} pages of template-driven sites; those of the paper are not public")),
            Set::Sites => Some(format!("{pages} pages of news sites; those of the paper are not public")),
            Set::WholeSite => Some(format!("{pages} pages of one documentation site; those of the paper are not public")),
        }
    }

    /// Reads the set from the folder of all sets, and returns it with the problems of skipped pages.
    ///
    /// # Errors
    /// If the set is missing, or nothing in it can be used.
    pub fn read(self, root: &Path) -> Result<(Data, Vec<String>), Box<dyn Error + Send + Sync>> {
        let folder = root.join(self.folder());
        Ok(match self {
            Set::Links => {
                let list = folder.join("edges.txt");
                let built = build::edge_list(&list, None, &BuildOptions::default(), &mut |_| true)?;
                (Data::Links(Box::new(built.graph)), Vec::new())
            }
            Set::Generated => {
                let graph = generate(&large_web_hundredth(), None, &mut |_| true)?;
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
            Set::Templates => {
                let mut gold = GoldSet::read(&folder)?;
                (Data::Sites(sites::sites(&gold, MIN_PAGES)), std::mem::take(&mut gold.problems))
            }
            Set::Sites => {
                let mut gold = GoldSet::read(&folder)?;
                let mut all = sites::sites(&gold, MIN_PAGES);
                if let Ok(more) = GoldSet::read(&root.join("cleanportaleval")) {
                    all.extend(sites::sites(&more, MIN_PAGES));
                }
                (Data::Sites(all), std::mem::take(&mut gold.problems))
            }
            Set::WholeSite => {
                let pages = sites::pages_below(&folder).len();
                if pages == 0 {
                    return Err(format!("{}: no pages", folder.display()).into());
                }
                (Data::Folder(folder, pages), Vec::new())
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
            Data::Sites(sites) => sites.iter().map(|site| site.pages.len()).sum(),
            Data::Folder(_, pages) => *pages,
        }
    }
}
