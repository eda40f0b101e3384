//! Blocks as rows: features, class, weight and page.
//!
//! A row is weighted by the words of its block: the thesis' scores are "normalized based on the number of words in a block", and its
//! learners must have used these weights, or `ZeroR` would not answer "content" where four in five blocks are boilerplate.

use super::column::Column;
use crate::gold::l3s_blocks::{L3sBlocks, Label};
use std::collections::BTreeMap;
use webstrata::Page;
use webstrata::block::{Blocks, Features, Frequencies, GapModel};
use webstrata::label::trained::parts::PartShares;

/// How labels map to classes; [`crate::gold::l3s_blocks`] explains why.
///
/// ```
/// use webstrata_lab::{gold::l3s_blocks::Label, learn::dataset::Classes};
/// assert_eq!(Classes::Two.class(Label::Comments), Classes::Two.class(Label::Headline));
/// assert_eq!(Classes::Four.names(), ["boilerplate", "full text", "headline", "supplemental"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Classes {
    /// Boilerplate and content.
    Two,
    /// Boilerplate, full text with comments, headline, supplemental.
    Four,
}

impl Classes {
    /// Their names; class 0 is boilerplate, all others are content.
    #[must_use]
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Classes::Two => &["boilerplate", "content"],
            Classes::Four => &["boilerplate", "full text", "headline", "supplemental"],
        }
    }

    /// The class of a label.
    #[must_use]
    pub fn class(self, label: Label) -> u8 {
        match (self, label) {
            (_, Label::NotContent | Label::Related) => 0,
            (Classes::Two, _) | (Classes::Four, Label::FullText | Label::Comments) => 1,
            (Classes::Four, Label::Headline) => 2,
            (Classes::Four, Label::Supplemental) => 3,
        }
    }
}

/// Labelled blocks.
///
/// ```
/// use webstrata_lab::learn::{column::Column, dataset::{Classes, Dataset}};
/// let columns = Column::list("words").unwrap();
/// let data = Dataset::from_rows(columns, &[(vec![3.0], 0, 3, 0), (vec![40.0], 1, 40, 0)], Classes::Two);
/// assert_eq!((data.len(), data.classes(), data.weight(1)), (2, 2, 40.0));
/// ```
#[derive(Clone, Debug)]
pub struct Dataset {
    columns: Vec<Column>,
    /// By column, then row.
    values: Vec<Vec<f32>>,
    class: Vec<u8>,
    class_names: Vec<&'static str>,
    weights: Vec<f64>,
    pages: Vec<u32>,
    hosts: Vec<u32>,
}

impl Dataset {
    /// Creates a data set from rows of values, class, words and page.
    #[must_use]
    pub fn from_rows(columns: Vec<Column>, rows: &[(Vec<f32>, u8, u32, u32)], classes: Classes) -> Self {
        let values = (0..columns.len()).map(|at| rows.iter().map(|row| row.0.get(at).copied().unwrap_or(0.0)).collect()).collect();
        Dataset {
            columns,
            values,
            class: rows.iter().map(|row| row.1.min(classes.names().len() as u8 - 1)).collect(),
            class_names: classes.names().to_vec(),
            weights: rows.iter().map(|row| f64::from(row.2)).collect(),
            pages: rows.iter().map(|row| row.3).collect(),
            hosts: rows.iter().map(|row| row.3).collect(),
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.class.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.class.is_empty()
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The values of a column.
    #[must_use]
    pub fn column(&self, at: usize) -> &[f32] {
        &self.values[at]
    }

    /// The values of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = f32> + '_ {
        self.values.iter().map(move |column| column[row])
    }

    /// The class of a row.
    #[must_use]
    pub fn class(&self, row: usize) -> usize {
        usize::from(self.class[row])
    }

    /// Number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.class_names.len()
    }

    /// Names of the classes.
    #[must_use]
    pub fn class_names(&self) -> &[&'static str] {
        &self.class_names
    }

    /// Weight of a row: its number of words, or 1 if the rows are parts.
    #[must_use]
    pub fn weight(&self, row: usize) -> f64 {
        self.weights[row]
    }

    /// The page of a row.
    #[must_use]
    pub fn page(&self, row: usize) -> u32 {
        self.pages[row]
    }

    /// The host of a row.
    #[must_use]
    pub fn host(&self, row: usize) -> u32 {
        self.hosts[row]
    }

    /// All rows.
    #[must_use]
    pub fn rows(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }

    /// Total weight of each class in some rows.
    #[must_use]
    pub fn distribution(&self, rows: &[u32]) -> Vec<f64> {
        let mut sums = vec![0.0; self.classes()];
        for &row in rows {
            sums[self.class(row as usize)] += self.weight(row as usize);
        }
        sums
    }
}

/// The blocks of a page, before columns and classes are chosen.
#[derive(Clone, Debug)]
struct PageBlocks {
    page: u32,
    host: u32,
    labels: Vec<Label>,
    words: Vec<u32>,
    features: Features,
    frequencies: Vec<u32>,
    parts: PartShares,
}

impl PageBlocks {
    /// Adds the parts of the page as rows of equal weight, as in L-Extractor: a part has the class of most of its words; a
    /// part without words is boilerplate.
    fn push_parts(&self, data: &mut Dataset, classes: Classes) {
        let mut votes = vec![vec![0u32; classes.names().len()]; self.parts.len()];
        for (block, &label) in self.labels.iter().enumerate() {
            if let Some(votes) = self.parts.part(block).and_then(|part| votes.get_mut(part)) {
                votes[usize::from(classes.class(label))] += self.words[block];
            }
        }
        for (part, votes) in votes.iter().enumerate() {
            for (column, values) in data.columns.iter().zip(&mut data.values) {
                values.push(if let Column::Part(feature) = column { self.parts.get(part, *feature) } else { 0.0 });
            }
            let most = (0..votes.len()).rev().max_by_key(|&class| votes[class]).filter(|&class| votes[class] > 0);
            data.class.push(most.unwrap_or(0) as u8);
            data.weights.push(1.0);
            data.pages.push(self.page);
            data.hosts.push(self.host);
        }
    }
}

/// All blocks of labelled pages with all features, from which data sets with any columns and classes are derived.
#[derive(Clone, Debug)]
pub struct LabelledBlocks {
    pages: Vec<PageBlocks>,
    gaps: GapModel,
}

impl LabelledBlocks {
    /// Divides the pages of a set into blocks.
    ///
    /// The corpus frequency of a block is the number of blocks with the same text (letters only, in lower
    /// case) on all pages of the set. The thesis counts in a crawl of 254,000 pages, which is not available. Labels are not used.
    #[must_use]
    pub fn new(set: &L3sBlocks, gaps: GapModel) -> Self {
        let mut hosts: BTreeMap<&str, u32> = BTreeMap::new();
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let mut texts: Vec<Vec<String>> = Vec::new();
        let mut pages = Vec::new();
        for (number, labelled) in set.pages.iter().enumerate() {
            let parsed: Page<'_> = labelled.page.parse();
            let blocks: Blocks<'_> = parsed.blocks_by(gaps);
            let next = hosts.len() as u32;
            let host = *hosts.entry(host_of(labelled.gold.url.as_deref().unwrap_or(&labelled.gold.id))).or_insert(next);
            let letters: Vec<String> = blocks.iter().map(|block| letters(&block.text())).collect();
            for text in &letters {
                *seen.entry(text.clone()).or_insert(0) += 1;
            }
            texts.push(letters);
            pages.push(PageBlocks {
                page: number as u32,
                host,
                labels: labelled.page.block_labels(blocks),
                words: blocks.iter().map(|block| block.counts().words).collect(),
                features: Features::new(blocks),
                frequencies: Vec::new(),
                parts: PartShares::new(blocks),
            });
        }
        for (page, texts) in pages.iter_mut().zip(&texts) {
            page.frequencies = texts.iter().map(|text| seen.get(text).copied().unwrap_or(0)).collect();
        }
        LabelledBlocks { pages, gaps }
    }

    /// How the pages were divided into blocks.
    #[must_use]
    pub fn gaps(&self) -> GapModel {
        self.gaps
    }

    /// Number of pages.
    #[must_use]
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// A sample of the pages, evenly spread over the set.
    #[must_use]
    pub fn sample(&self, pages: usize) -> LabelledBlocks {
        let pages = pages.min(self.pages.len());
        let chosen = (0..pages).map(|at| self.pages[at * self.pages.len() / pages].clone()).collect();
        LabelledBlocks { pages: chosen, gaps: self.gaps }
    }

    /// Label and number of words of every block.
    pub fn blocks(&self) -> impl Iterator<Item = (Label, u32)> + '_ {
        self.pages.iter().flat_map(|page| page.labels.iter().copied().zip(page.words.iter().copied()))
    }

    /// Derives the data set with the given columns and classes.
    #[must_use]
    pub fn dataset(&self, columns: &[Column], classes: Classes) -> Dataset {
        let mut data = Dataset {
            columns: columns.to_vec(),
            values: vec![Vec::new(); columns.len()],
            class: Vec::new(),
            class_names: classes.names().to_vec(),
            weights: Vec::new(),
            pages: Vec::new(),
            hosts: Vec::new(),
        };
        if !columns.is_empty() && columns.iter().all(|column| column.is_of_part()) {
            self.pages.iter().for_each(|page| page.push_parts(&mut data, classes));
            return data;
        }
        for page in &self.pages {
            for (block, &label) in page.labels.iter().enumerate().filter(|(block, _)| page.words[*block] > 0) {
                for (column, values) in columns.iter().zip(&mut data.values) {
                    values.push(column.value(&page.features, Frequencies(&page.frequencies), &page.parts, block));
                }
                data.class.push(classes.class(label));
                data.weights.push(f64::from(page.words[block]));
                data.pages.push(page.page);
                data.hosts.push(page.host);
            }
        }
        data
    }
}

/// The host of a URL.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

/// The letters of a text in lower case; everything else becomes single spaces.
fn letters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::l3s_blocks::{AnnotatedPage, LabelledPage};
    use crate::gold::set::GoldPage;
    use webstrata::block::{Feature, Neighbour};

    fn page(url: &str, html: &str) -> LabelledPage {
        let gold = GoldPage { id: url.into(), url: Some(url.into()), ..GoldPage::default() };
        LabelledPage { gold, page: AnnotatedPage::new(html) }
    }

    #[test]
    fn blocks_become_rows() {
        let set = L3sBlocks {
            pages: vec![
                page("http://a.org/1", "<p>Home</p><p><span class=x-nc-sel2>It rains again.</span></p>"),
                page("http://b.org/1", "<p>HOME!</p>"),
                page("http://a.org/2", "<p><span class=x-nc-sel1>Snow</span></p>"),
            ],
            problems: Vec::new(),
        };
        let blocks = LabelledBlocks::new(&set, GapModel::Lines);
        let columns = [Column::Local(Feature::Words, Neighbour::Current), Column::Frequency(Neighbour::Current)];
        let data = blocks.dataset(&columns, Classes::Four);
        assert_eq!(blocks.blocks().count(), 4);
        let rows: Vec<Vec<f32>> = (0..data.len()).map(|row| data.row(row).collect()).collect();
        assert_eq!(rows, [vec![1.0, 2.0], vec![3.0, 1.0], vec![1.0, 2.0], vec![1.0, 1.0]]);
        assert_eq!((0..4).map(|row| data.class(row)).collect::<Vec<_>>(), [0, 1, 0, 2]);
        assert_eq!((0..4).map(|row| data.host(row)).collect::<Vec<_>>(), [0, 0, 1, 0]);
        assert_eq!(data.distribution(&data.rows()), [2.0, 3.0, 1.0, 0.0]);
    }

    /// The rows of L-Extractor are the parts of GetBlockSet, of equal weight: a menu of two lines is one, and so is an image in its own `div`.
    #[test]
    fn parts_become_rows_of_equal_weight() {
        let menu = "<ul><li><a href=a>Home</a><li><a href=b>News</a></ul>";
        let html = format!("{menu}<div><img src=x></div><p><span class=x-nc-sel2>It rains again today.</span></p>");
        let set = L3sBlocks { pages: vec![page("http://a.org/1", &html)], problems: Vec::new() };
        let data = LabelledBlocks::new(&set, GapModel::Lines)
            .dataset(&Column::list("part.text,part.links,part.objects").unwrap(), Classes::Two);
        let rows: Vec<Vec<f32>> = (0..data.len()).map(|row| data.row(row).collect()).collect();
        assert_eq!(rows, [vec![0.5, 1.0, 0.0], vec![0.0, 0.0, 1.0], vec![1.0, 0.0, 0.0]]);
        assert_eq!((0..3).map(|row| (data.class(row), data.weight(row))).collect::<Vec<_>>(), [(0, 1.0), (0, 1.0), (1, 1.0)]);
    }
}
