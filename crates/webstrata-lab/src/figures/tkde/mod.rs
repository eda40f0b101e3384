//! The tables and figures of the TKDE paper (Debnath, Mitra, Pal, Giles: Automatic Identification of Informative Sections of Web Pages,
//! 2005) on available sites: its own pages are not public.
//!
//! Blocks are those of GetBlockSet. Where the gold is a text, a block is content if half of its words are in it; blocks without words are
//! not scored.

mod curves;
mod learned;
mod parameters;
mod tables;

pub use curves::{accuracy, costs};
pub use learned::figure_10;
pub use parameters::parameters;
pub use tables::table_2;

use super::Figure;
use super::sites::Site;
use crate::metrics::words::Vocabulary;
use crate::strata::align::shares;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata::label::{FeatureOptions, Winners};
use webstrata_corpus::site::blocks::{BlockTags, SiteBlock, block_set};
use webstrata_corpus::site::content_extractor::ContentExtractor;
use webstrata_corpus::site::lin_ho::lin_ho;
use webstrata_corpus::site::shingling::{ShingledPage, ShinglingOptions, shared_fragments};

/// A method of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    LinHo,
    ContentExtractor,
    FeatureExtractor,
    KFeatureExtractor,
    Shingling,
}

impl Method {
    const ALL: [Method; 5] =
        [Method::LinHo, Method::ContentExtractor, Method::FeatureExtractor, Method::KFeatureExtractor, Method::Shingling];

    fn name(self) -> &'static str {
        match self {
            Method::LinHo => "LH",
            Method::ContentExtractor => "ContentExtractor",
            Method::FeatureExtractor => "FeatureExtractor",
            Method::KFeatureExtractor => "K-FeatureExtractor",
            Method::Shingling => "Shingling",
        }
    }

    /// The means of the paper's tables 2 (11 news sites), 3 (4 shops, for K-FeatureExtractor) and 6 (5 news sites, for Shingling):
    /// b-precision, b-recall, b-F.
    fn paper(self) -> Option<[f64; 3]> {
        match self {
            Method::LinHo => Some([0.813, 0.992, 0.892]),
            Method::ContentExtractor => Some([0.960, 0.997, 0.977]),
            Method::FeatureExtractor => Some([0.979, 0.988, 0.982]),
            Method::KFeatureExtractor => Some([1.000, 0.970, 0.984]),
            Method::Shingling => Some([0.962, 0.996, 0.978]),
        }
    }
}

/// Parsed pages of a site.
struct Pages<'s> {
    parsed: Vec<Page<'s>>,
    tags: BlockTags,
}

/// The verdicts of a method on the blocks of each page, and its run time without parsing.
struct Verdicts {
    blocks: Vec<Vec<SiteBlock>>,
    content: Vec<Vec<bool>>,
    time: Duration,
}

impl<'s> Pages<'s> {
    fn new(site: &'s Site, pages: usize, tags: BlockTags) -> Self {
        Pages { parsed: site.pages.iter().take(pages).map(|page| Page::parse(&page.bytes)).collect(), tags }
    }

    /// Runs a method on all pages.
    fn run(&self, method: Method) -> Verdicts {
        // Finding atoms is part of parsing.
        for page in &self.parsed {
            let _ = page.blocks_by(GapModel::Tags);
        }
        let start = Instant::now();
        let partition = self.tags.partition();
        let blocks = || self.parsed.iter().map(|page| block_set(page, &partition)).collect::<Vec<_>>();
        let (blocks, content, time) = match method {
            Method::Shingling => {
                let options = ShinglingOptions::default();
                let shingled: Vec<ShingledPage> = self.parsed.iter().map(|page| ShingledPage::new(page, &options)).collect();
                let atoms = shared_fragments(&shingled, &options);
                let time = start.elapsed();
                let blocks = blocks();
                let any =
                    |block: &SiteBlock, own: &[bool]| own.get(block.atoms.clone()).is_some_and(|own| own.iter().any(|&own| own));
                let content =
                    blocks.iter().zip(&atoms).map(|(page, own)| page.iter().map(|block| any(block, own)).collect()).collect();
                (blocks, content, time)
            }
            _ => {
                let blocks = blocks();
                let content = match method {
                    Method::LinHo => lin_ho(&blocks).content,
                    Method::FeatureExtractor => {
                        blocks.iter().map(|page| winners(page, &FeatureOptions::paper(), Winners::Best)).collect()
                    }
                    Method::KFeatureExtractor => {
                        blocks.iter().map(|page| winners(page, &FeatureOptions::paper(), Winners::Cluster)).collect()
                    }
                    Method::ContentExtractor | Method::Shingling => ContentExtractor::default().run(&blocks).content,
                };
                let time = start.elapsed();
                (blocks, content, time)
            }
        };
        Verdicts { blocks, content, time }
    }

    fn text_of(&self, page: usize, block: &SiteBlock) -> String {
        let atoms = self.parsed[page].blocks_by(GapModel::Tags);
        block.atoms.clone().filter_map(|atom| atoms.get(atom)).map(|atom| atom.text()).collect::<Vec<_>>().join(" ")
    }

    /// For each block of each page: whether it is content according to the gold; `None` for a block without words.
    fn wanted(&self, site: &Site) -> Vec<Vec<Option<bool>>> {
        let partition = self.tags.partition();
        let of_page = |(number, page): (usize, &Page<'_>)| {
            let mut vocabulary = Vocabulary::default();
            let words: Vec<Vec<u32>> =
                block_set(page, &partition).iter().map(|block| vocabulary.read(&self.text_of(number, block))).collect();
            let gold = vocabulary.read(site.pages[number].gold.gold_text.as_deref().unwrap_or_default());
            shares(&words, &gold).iter().zip(&words).map(|(&share, words)| (!words.is_empty()).then_some(share >= 0.5)).collect()
        };
        self.parsed.iter().enumerate().map(of_page).collect()
    }
}

/// FeatureExtractor's verdicts on the blocks of a page.
fn winners(page: &[SiteBlock], options: &FeatureOptions, winners: Winners) -> Vec<bool> {
    let counts: Vec<_> = page.iter().map(|block| block.values).collect();
    let mut content = vec![false; page.len()];
    options.winners(&counts, winners).into_iter().for_each(|block| content[block] = true);
    content
}

/// Numbers of blocks that are content and kept, that are kept, and that are content.
#[derive(Clone, Copy, Debug, Default)]
struct Counts([u64; 3]);

impl Counts {
    fn new(wanted: &[Vec<Option<bool>>], content: &[Vec<bool>]) -> Self {
        let mut counts = Counts::default();
        for (wanted, kept) in wanted.iter().zip(content).flat_map(|(wanted, content)| wanted.iter().zip(content)) {
            let Some(wanted) = *wanted else { continue };
            counts.0[0] += u64::from(wanted && *kept);
            counts.0[1] += u64::from(*kept);
            counts.0[2] += u64::from(wanted);
        }
        counts
    }

    /// b-precision, b-recall, b-F (equations 5 to 7).
    fn scores(self) -> [f64; 3] {
        let ratio = |of: u64| if of == 0 { 0.0 } else { self.0[0] as f64 / of as f64 };
        let (precision, recall) = (ratio(self.0[1]), ratio(self.0[2]));
        let f = if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
        [precision, recall, f]
    }
}

fn mean(scores: &[[f64; 3]]) -> [f64; 3] {
    [0, 1, 2].map(|k| scores.iter().map(|score| score[k]).sum::<f64>() / scores.len().max(1) as f64)
}

impl Verdicts {
    /// Bytes of content blocks, plus each other block once.
    fn stored(&self) -> u64 {
        let mut seen = HashSet::new();
        let blocks = self.blocks.iter().zip(&self.content).flat_map(|(blocks, content)| blocks.iter().zip(content));
        blocks
            .filter(|(block, content)| **content || seen.insert(block.source))
            .map(|(block, _)| u64::from(block.span.end - block.span.start))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sites::SitePage;
    use super::*;
    use crate::gold::set::GoldPage;

    /// A site of 40 pages, each with a menu and its own text.
    fn site() -> Site {
        let page = |n: usize| {
            let text = (0..14).map(|word| format!("word{}", n * 100 + word)).collect::<Vec<_>>().join(" ");
            let html = format!(
                "<div><a href=/>Home</a> <a href=/n>News</a> <a href=/s>Sport</a></div><p>{text}</p><div>All rights reserved</div>"
            );
            let gold = GoldPage { id: n.to_string(), gold_text: Some(text), ..GoldPage::default() };
            SitePage { gold, bytes: html.into_bytes() }
        };
        Site { name: "post".into(), group: "post".into(), pages: (0..40).map(page).collect() }
    }

    #[test]
    fn templates_are_distinguished_from_content() {
        let figure = table_2(&[site()]).remove(0);
        let csv = figure.summary.csv();
        assert!(csv.contains("\nContentExtractor,html5,1.000,.960,1.000,.997,1.000,.977,1.000,1.000\n"), "{csv}");
        // One of the three blocks of each page is content.
        let counts = Counts::new(&[vec![Some(true), Some(false), None, Some(true)]], &[vec![true, true, true, false]]);
        assert_eq!(counts.scores(), [0.5, 0.5, 0.5]);
    }

    #[test]
    fn parameters_change_the_result() {
        let csv = parameters(&[site()]).remove(0).summary.csv();
        // The menu and the last line are on all 40 pages, so any theta tells them from the text.
        for row in ["\"epsilon 0.9, theta 0.5\",1.000,1.000,1.000", "\"epsilon 0.99, theta 0.07\",1.000,1.000,1.000"] {
            assert!(csv.contains(row), "{csv}");
        }
        assert_eq!(csv.lines().count(), 1 + 6 * 4 + 4);
    }

    #[test]
    fn curves_are_drawn() {
        for figure in accuracy(&[site()]).into_iter().chain(costs(&[site()])).chain(parameters(&[site()])) {
            assert!(figure.svg().is_ok_and(|svg| svg.is_some()), "{}", figure.file);
            assert!(!figure.summary.is_empty());
        }
        // A cache keeps the menu once.
        let verdicts = Pages::new(&site(), 40, BlockTags::Html5).run(Method::ContentExtractor);
        let whole = curves::size(&site(), 40);
        assert!(verdicts.stored() < whole * 3 / 4, "{} {whole}", verdicts.stored());
    }
}
