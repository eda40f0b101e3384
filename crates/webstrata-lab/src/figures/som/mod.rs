//! The tables and figures of the SOM paper (Fernandes and others: A Site Oriented Method for Segmenting Web Pages, SIGIR 2011) that can be
//! computed on available sets.
//!
//! Its collections and their manual segmentations are not public. Figure 8 is drawn on eight template-driven sites that we segmented by
//! hand, as the paper's volunteers did: once per template. Classes across pages are compared with attributes of such sites (name, price,
//! author …) that are known on every page: an attribute should be in the same class on all pages, and in a different class from other
//! attributes. Table 2 needs queries with judgements for such a collection; there are none.

mod attributes;
mod pages;
mod samples;
mod table;

pub use attributes::attributes;
pub use pages::figure_8;
pub use samples::samples;
pub use table::table_1;

use super::Figure;
use super::sites::Site;
use std::collections::BTreeMap;
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata_corpus::site::som::{PageTree, PrunedSom, Som, SomOptions};

/// The two sets of options: ours and the paper's.
fn choices() -> [(&'static str, SomOptions); 2] {
    [("default", SomOptions::default()), ("paper", SomOptions::paper())]
}

fn tree_of(site: &Site) -> Som {
    let mut som = Som::default();
    for (number, page) in (0..).zip(&site.pages) {
        som.add(number, &PageTree::new(&Page::parse(&page.bytes)));
    }
    som
}

/// The segment of each byte of a page according to a site's tree: its class, or the number of a segment without one.
struct Labels {
    /// First byte of each run of text, and the label of the run; ascending.
    runs: Vec<(u32, Label)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Class(usize),
    /// A part that no other page has: the numbers of the page and of its segment.
    New(usize, usize),
}

impl Labels {
    fn new(page: &Page<'_>, number: usize, som: &PrunedSom<&Som>) -> Self {
        let tree = PageTree::new(page);
        let mut of_leaf = BTreeMap::new();
        for (at, segment) in som.segments(&tree).into_iter().enumerate() {
            let label = segment.class.map_or(Label::New(number, at), Label::Class);
            segment.leaves.iter().for_each(|&leaf| {
                of_leaf.insert(leaf, label);
            });
        }
        let mut runs = Vec::new();
        for block in page.blocks_by(GapModel::Tags) {
            let label = block.runs().next().and_then(|run| tree.leaf_of(run)).and_then(|leaf| of_leaf.get(&leaf).copied());
            runs.extend(block.spans().first().map(|span| (span.start, label.unwrap_or(Label::New(number, usize::MAX)))));
        }
        Labels { runs }
    }

    fn at(&self, byte: u32) -> Option<Label> {
        let before = self.runs.partition_point(|(start, _)| *start <= byte);
        self.runs.get(before.checked_sub(1)?).map(|run| run.1)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::sites::SitePage;
    use super::*;
    use crate::gold::set::GoldPage;

    /// A site with a menu, a name and a price on every page.
    pub(super) fn site() -> Site {
        let page = |n: usize| {
            let html = format!(
                "<div id=menu><a href=/>Home</a> <a href=/n>News</a></div><div id=main><h1>Lamp {n}</h1><p class=price>{n}9 euro</p>\
                 <p class=text>A lamp with {n} arms.</p></div>"
            );
            let attributes = [("name", format!("Lamp {n}")), ("price", format!("{n}9 EURO"))];
            let attributes = attributes.into_iter().map(|(name, value)| (name.to_owned(), vec![value])).collect();
            SitePage { gold: GoldPage { id: n.to_string(), attributes, ..GoldPage::default() }, bytes: html.into_bytes() }
        };
        Site { name: "shop-lamps".into(), group: "shop".into(), pages: (0..12).map(page).collect() }
    }

    #[test]
    fn attributes_of_a_template_have_classes_of_their_own() {
        let figure = attributes(&[site()]).remove(0);
        let csv = figure.summary.csv();
        assert!(csv.contains("\n\"SOM, default\",1,24,1.000,0,1.000\n"), "{csv}");
        assert!(figure.svg().is_ok_and(|svg| svg.is_some()));
        let table = table_1(&[site()]).remove(0);
        assert!(table.summary.csv().contains("\nshop,1,12,"), "{}", table.summary.csv());
        assert!(table.summary.csv().contains("paper: IG,–,34460,"), "{}", table.summary.csv());
    }

    #[test]
    fn samples_of_a_regular_site_agree_with_it() {
        let here = tempfile::tempdir().unwrap();
        for number in 0..200 {
            let html =
                format!("<div id=menu><a href=/>Home</a></div><div id=main><h1>Page {number}</h1><p>Text {number}.</p></div>");
            std::fs::write(here.path().join(format!("{number:03}.html")), html).unwrap();
        }
        let csv = samples(here.path()).remove(0).summary.csv();
        assert!(csv.contains("\ndefault,5%,30,1.000,“similar”,0%\n"), "{csv}");
        assert!(samples(&here.path().join("none")).is_empty());
    }
}
