//! The features of a page: a row of numbers per block and one for the page, computed once, in flat arrays.

use super::aggregates::Aggregates;
use super::answers::Shape;
use super::block_rows::BlockRows;
use super::names::{ElementNames, score_names};
use super::page_row::page_row;
use super::page_type::PageType;
use super::repetition::Repetition;
use super::tags::{inline_name, tag_name};
use super::text_words::text_weights;
use super::titles::TitleWords;
use super::word_tables::WordTables;
use super::{context_pass, declared_types};
use crate::block::Mask;
use crate::label::Input;
use crate::model::{Column, LANES, MAX_COLUMNS, WEIGHT_STEP};

/// The data from which rows are computed. Rows are filled in on demand: all of them together would take many times the
/// memory of the page.
#[derive(Debug)]
pub(super) struct FeatureSource<'p> {
    pub(super) rows: BlockRows<'p>,
    /// The row of the page, without words.
    pub(super) page: Vec<f32>,
}

impl<'p> FeatureSource<'p> {
    pub(super) fn new(input: &Input<'p>, mask: Mask, tables: &WordTables) -> Self {
        FeatureSource::with_page_columns(input, mask, tables, |_| {})
    }

    /// Calls `page_column` with the names of the page's features.
    fn with_page_columns(input: &Input<'p>, mask: Mask, tables: &WordTables, mut page_column: impl FnMut(&'static str)) -> Self {
        let blocks = input.blocks;
        let aggregates = Aggregates::new(input, mask);
        let names = ElementNames::new(blocks, &aggregates.outline);
        let repetition = Repetition::new(&aggregates, &names);
        let table = &tables.names;
        let (name_scores, mut words) = score_names(&aggregates.outline, &names, table);
        let titles = TitleWords::new(blocks.dom(), input.title, !mask.head);
        let rows = BlockRows::new(blocks, aggregates, repetition, name_scores, (&titles, input.title));
        let mut page = Vec::with_capacity(80);
        page_row(blocks.dom(), &rows, |name, value| {
            page_column(name);
            page.push(value);
        });
        if !mask.head {
            let declared = declared_types::words(blocks.dom());
            words.extend(declared.into_iter().filter_map(|word| table.get(word)).map(|(index, _)| index));
        }
        let mut page_types = [0f32; PageType::ALL.len()];
        for index in words {
            for (sum, weight) in page_types.iter_mut().zip(table.at(index).page_types) {
                *sum += f32::from(weight) * WEIGHT_STEP;
            }
        }
        page.extend(page_types);
        FeatureSource { rows, page }
    }

    /// Appends the row of a block, page type probabilities included, to `values`.
    pub(super) fn push_row(&self, block: usize, page_types: &[f32; PageType::ALL.len()], values: &mut Vec<f32>) {
        self.rows.row(block, |_, value| values.push(value));
        values.extend_from_slice(page_types);
    }

    /// Writes the row of a block into one lane of a batch, which has room for [`MAX_COLUMNS`].
    pub(super) fn write_row(&self, block: usize, page_types: &[f32; PageType::ALL.len()], lane: usize, columns: &mut [Column]) {
        let lane = columns.as_flattened_mut().get_mut(lane..).and_then(|rest| rest.first_chunk_mut::<LANE>());
        let Some(values) = lane else { return };
        // Once everything is inlined, `at` is a constant nearly everywhere, so values are stored without checks.
        let mut at = 0;
        let mut put = |value: f32| {
            if let Some(place) = values.get_mut(at) {
                *place = value;
            }
            at += LANES;
        };
        self.rows.row(block, |_, value| put(value));
        page_types.iter().for_each(|&probability| put(probability));
    }

    pub(super) fn words(&self) -> &[f32] {
        &self.rows.aggregates.words
    }

    /// For each block: whether it is inside the main group.
    pub(super) fn in_main_group(&self) -> Vec<bool> {
        let (innermost, repetition) = (&self.rows.aggregates.outline.innermost, &self.rows.repetition);
        innermost.iter().map(|&element| repetition.in_main_group[element as usize]).collect()
    }

    pub(super) fn blocks(&self) -> usize {
        self.rows.aggregates.len()
    }
}

/// From the first to the last column of one lane of a batch.
const LANE: usize = (MAX_COLUMNS - 1) * LANES + 1;

/// Page type probabilities, at the end of the rows of blocks and answers.
pub(super) const PAGE_TYPE_COLUMNS: [&str; 7] = [
    "article page probability",
    "collection page probability",
    "documentation page probability",
    "forum page probability",
    "listing page probability",
    "product page probability",
    "service page probability",
];

/// Name weights by page type, at the end of the page's row.
const NAME_COLUMNS: [&str; 7] = [
    "name weight for article",
    "name weight for collection",
    "name weight for documentation",
    "name weight for forum",
    "name weight for listing",
    "name weight for product",
    "name weight for service",
];

/// Weights of the words in short texts by page type; they follow the name weights in rows that include words.
const TEXT_COLUMNS: [&str; 7] = [
    "word weight for article",
    "word weight for collection",
    "word weight for documentation",
    "word weight for forum",
    "word weight for listing",
    "word weight for product",
    "word weight for service",
];

/// The value that means "none", for features that may be undefined.
fn missing(name: &str) -> Option<f32> {
    match name {
        "blocks from headline" | "blocks from headline to text cluster" => Some(-999.0),
        "words from headline" => Some(-9999.0),
        "distance to main group" | "distance to text cluster" => Some(-200.0),
        "words since previous heading" | "level of next heading" => Some(-1.0),
        _ if name.ends_with("core container") || name.ends_with("main container") => Some(-2.0),
        _ if name.ends_with("previous block") || name.ends_with("next block") => Some(-1.0),
        "relative topic density of text cluster" => Some(-1.0),
        _ => None,
    }
}

/// Describes a block feature and its value in words.
pub(super) fn describe(name: &str, value: f32) -> String {
    if missing(name) == Some(value) {
        format!("{name}: none")
    } else if name.starts_with("inside ") || name.starts_with("content by ") {
        format!("{}{name}", if value > 0.0 { "" } else { "not " })
    } else if let Some(container) = name.strip_prefix("depth ").filter(|_| value == -1.0) {
        format!("not {container}")
    } else if let Some(rest) = name.strip_prefix("has ") {
        format!("{} {rest}", if value > 0.0 { "has" } else { "no" })
    } else if name.starts_with("tag of ") {
        format!("{name} {}", tag_name(value))
    } else if name == "inline element" {
        format!("{name} {}", inline_name(value))
    } else if value.fract() == 0.0 {
        format!("{name} {value}")
    } else {
        format!("{name} {value:.2}")
    }
}

/// The features of a page as one table, from which models are trained.
///
/// ```
/// use webstrata::{Page, block::Mask, label::strata::{PageFeatures, WordTables}};
/// let page = Page::parse(b"<h1>Rain</h1><p>It rains.");
/// let features = PageFeatures::new(&page.input(), Mask::default(), &WordTables::default());
/// assert_eq!(features.blocks(), 2);
/// let words = PageFeatures::columns().iter().position(|name| *name == "word count").unwrap();
/// assert_eq!(features.row(1)[words], 2.0);
/// ```
#[derive(Clone, Debug)]
pub struct PageFeatures {
    rows: Vec<f32>,
    width: usize,
    /// With the weights of words.
    page: Vec<f32>,
    words: Vec<f32>,
    by_rules: Vec<bool>,
    link_density: Vec<f32>,
    heading: Vec<u8>,
    in_main_group: Vec<bool>,
    neighbourhoods: context_pass::Neighbourhoods,
}

impl PageFeatures {
    /// Computes the features of a page, except those that `mask` hides, with these word weights. The page type probabilities are
    /// 0 until [`PageFeatures::set_page_types`].
    #[must_use]
    pub fn new(input: &Input<'_>, mask: Mask, tables: &WordTables) -> PageFeatures {
        let source = FeatureSource::new(input, mask, tables);
        let mut rows = Vec::new();
        for block in 0..source.blocks() {
            source.push_row(block, &[0.0; PageType::ALL.len()], &mut rows);
        }
        let width = rows.len().checked_div(source.blocks()).unwrap_or(0);
        let neighbourhoods = context_pass::Neighbourhoods::new(&source.rows.aggregates, &source.rows.repetition);
        let in_main_group = source.in_main_group();
        let mut page = source.page;
        page.extend(text_weights(input, mask, &tables.texts));
        let aggregates = source.rows.aggregates;
        PageFeatures {
            rows,
            width,
            page,
            words: aggregates.words,
            by_rules: aggregates.by_article,
            link_density: aggregates.link_density,
            heading: aggregates.heading,
            in_main_group,
            neighbourhoods,
        }
    }

    /// Names of the features of a block, in order.
    #[must_use]
    pub fn columns() -> Vec<&'static str> {
        PageFeatures::all_columns().0
    }

    /// Names of the features of a page, in order.
    #[must_use]
    pub fn page_columns() -> Vec<&'static str> {
        PageFeatures::all_columns().1
    }

    /// The same, followed by the weights of words.
    #[must_use]
    pub fn page_columns_with_words() -> Vec<&'static str> {
        [PageFeatures::page_columns(), TEXT_COLUMNS.to_vec()].concat()
    }

    /// The column names, computed from a tiny page: they are the same for every page.
    fn all_columns() -> (Vec<&'static str>, Vec<&'static str>) {
        let page = crate::html::Dom::parse("<p>x");
        let table = crate::block::BlockTable::new(&page, &Default::default());
        let input = Input { blocks: table.with(&page), title: None };
        let (mut row, mut of_page) = (Vec::new(), Vec::new());
        let tables = WordTables::default();
        let source = FeatureSource::with_page_columns(&input, Mask::default(), &tables, |name| of_page.push(name));
        source.rows.row(0, |name, _| row.push(name));
        row.extend(PAGE_TYPE_COLUMNS);
        of_page.extend(NAME_COLUMNS);
        (row, of_page)
    }

    /// Number of blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.words.len()
    }

    /// The rows of all blocks, concatenated.
    #[must_use]
    pub fn rows(&self) -> &[f32] {
        &self.rows
    }

    /// The row of one block; empty if the index is out of range.
    #[must_use]
    pub fn row(&self, block: usize) -> &[f32] {
        self.rows.get(block * self.width..(block + 1) * self.width).unwrap_or_default()
    }

    /// The row of the page.
    #[must_use]
    pub fn page(&self) -> &[f32] {
        &self.page[..self.page.len().saturating_sub(TEXT_COLUMNS.len())]
    }

    /// The row of the page, followed by the weights of its words.
    #[must_use]
    pub fn page_with_words(&self) -> &[f32] {
        &self.page
    }

    /// For each block: its number of words.
    #[must_use]
    pub fn words(&self) -> &[f32] {
        &self.words
    }

    /// For each block: whether the published rules classify it as content.
    #[must_use]
    pub fn by_rules(&self) -> &[bool] {
        &self.by_rules
    }

    /// The input for building the page's answers.
    pub(super) fn shape(&self) -> Shape<'_> {
        self.neighbourhoods.shape(&self.words, &self.link_density, &self.heading, &self.by_rules, &self.in_main_group)
    }

    /// The concatenated rows of the context pass, from the probabilities of the first pass.
    #[must_use]
    pub fn context_rows(&self, first: &[f32]) -> Vec<f32> {
        self.neighbourhoods.rows(first, &self.words)
    }

    /// Sets columns to 0 in all rows, to measure what they contribute.
    pub fn hide(&mut self, columns: &[usize]) {
        for row in self.rows.chunks_exact_mut(self.width.max(1)) {
            for &column in columns {
                if let Some(value) = row.get_mut(column) {
                    *value = 0.0;
                }
            }
        }
    }

    /// Fills in the page type probabilities.
    pub fn set_page_types(&mut self, page_types: &[f32; PageType::ALL.len()]) {
        let width = self.width;
        if width >= page_types.len() {
            for row in self.rows.chunks_exact_mut(width) {
                row[width - page_types.len()..].copy_from_slice(page_types);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::strata::GapFeatures;

    /// The names in the tables of a section of `docs/features.md`. `{a, b} of c` stands for `a of c` and `b of c`.
    fn documented(section: &str) -> Vec<String> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/features.md");
        let text = std::fs::read_to_string(path).unwrap();
        let section = text.split("\n## ").find(|part| part.starts_with(section)).unwrap();
        let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let mut names: Vec<String> = cells.flat_map(expanded).collect();
        names.sort_unstable();
        names
    }

    fn expanded(name: &str) -> Vec<String> {
        let Some((before, rest)) = name.split_once('{') else { return vec![name.to_owned()] };
        let (choices, after) = rest.split_once('}').unwrap();
        choices.split(", ").flat_map(|choice| expanded(&format!("{before}{choice}{after}"))).collect()
    }

    #[test]
    fn rows_fit_into_batches() {
        assert!(PageFeatures::columns().len() <= MAX_COLUMNS);
    }

    #[test]
    fn every_feature_is_documented() {
        let (first, context) = (GapFeatures::first_columns(), GapFeatures::context_columns());
        for (section, names) in [
            ("Blocks: first pass", PageFeatures::columns()),
            ("Blocks: context pass", context_pass::CONTEXT_COLUMNS.to_vec()),
            ("Pages", PageFeatures::page_columns_with_words()),
            ("Answers", crate::label::strata::ANSWER_COLUMNS.to_vec()),
            ("Gaps: first pass", first.to_vec()),
            ("Gaps: context pass", context[first.len()..].to_vec()),
        ] {
            let mut names = names;
            names.sort_unstable();
            assert_eq!(documented(section), names, "{section}");
        }
    }

    /// A feature of a block of a page.
    fn feature(html: &str, block: usize, name: &str) -> f32 {
        let page = crate::Page::parse(html.as_bytes());
        let features = PageFeatures::new(&page.input(), Mask::default(), &WordTables::default());
        features.row(block)[PageFeatures::columns().iter().position(|column| *column == name).unwrap()]
    }

    #[test]
    fn names_belong_to_their_values() {
        let html = "<title>Rain in May</title><nav><ul><li><a href=/>Home</a></ul></nav><article><h1>Rain in May</h1>\
            <p>It has been raining in the valley for three days, and nobody can remember that.<p>$5, on 2024-05-13</article>";
        for (block, name, value) in [
            (0, "link density", 1.0),
            (0, "linked runs", 1.0),
            (0, "blocks from headline", -1.0),
            (0, "inside main container", 0.0),
            (1, "heading level", 1.0),
            (1, "share of title words", 1.0),
            (1, "h1 count", 1.0),
            (1, "word count of next block", 15.0),
            (2, "word count", 15.0),
            (2, "sentence count", 1.0),
            (2, "word count of parent", 21.0),
            (2, "blocks from headline", 1.0),
            (2, "inside core container", 1.0),
            (2, "similar siblings of element", 2.0),
            (2, "level of previous heading", 1.0),
            (3, "price count", 1.0),
            (3, "blocks from end", 1.0),
            (3, "word count of previous block", 15.0),
        ] {
            assert_eq!(feature(html, block, name), value, "{name} of block {block}");
        }
        assert_eq!(tag_name(feature(html, 0, "tag of element")), "li");
        for tag in ["article", "main", "nav", "header", "footer", "aside", "form", "section", "figure", "blockquote", "address"] {
            let html = format!("<{tag}><p>text</{tag}><p>more");
            assert_eq!((feature(&html, 0, &format!("inside {tag}")), feature(&html, 1, &format!("inside {tag}"))), (1.0, 0.0));
        }
    }

    #[test]
    fn features_read_as_text() {
        for (name, value, text) in [
            ("word count", 12.0, "word count 12"),
            ("link density", 0.333, "link density 0.33"),
            ("inside nav", 1.0, "inside nav"),
            ("inside main container", 0.0, "not inside main container"),
            ("inside main container", -2.0, "inside main container: none"),
            ("depth below main container", -1.0, "not below main container"),
            ("depth below main container", 2.0, "depth below main container 2"),
            ("content by article preset", 0.0, "not content by article preset"),
            ("has URL", 0.0, "no URL"),
            ("tag of parent", 41.0, "tag of parent button"),
            ("inline element", 1.0, "inline element a"),
            ("blocks from headline", -999.0, "blocks from headline: none"),
            ("tag of next block", -1.0, "tag of next block: none"),
        ] {
            assert_eq!(describe(name, value), text);
        }
    }
}
