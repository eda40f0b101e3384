//! The features of a page: a row of numbers for each block and one for the page, computed once, in flat arrays.

use super::aggregates::Aggregates;
use super::names::{ElementNames, hints, words_round};
use super::page_row::page_row;
use super::page_type::PageType;
use super::repeats::Repeats;
use super::rows::Rows;
use super::titles::TitleWords;
use super::{context_pass, head};
use crate::block::Mask;
use crate::block::outline::Outline;
use crate::label::Input;
use crate::model::{Column, LANES, NameTable, STEP};

/// What the model looks at, made once; rows are filled in as they are asked for, because all of them at once would take
/// many times the memory of the page.
#[derive(Debug)]
pub(super) struct Basis<'p> {
    pub(super) rows: Rows<'p>,
    /// The page's own row.
    pub(super) page: Vec<f32>,
}

impl<'p> Basis<'p> {
    pub(super) fn new(input: &Input<'p>, mask: Mask, table: &NameTable) -> Self {
        Basis::told(input, mask, table, |_| {})
    }

    fn told(input: &Input<'p>, mask: Mask, table: &NameTable, mut page_column: impl FnMut(&'static str)) -> Self {
        let blocks = input.blocks;
        let aggregates = Aggregates::new(input, mask);
        let names = ElementNames::new(blocks, &aggregates.outline);
        let repeats = Repeats::new(&aggregates, &names);
        let (hints, mut places) = hints(&aggregates.outline, &names, table);
        let titles = TitleWords::new(blocks.dom(), input.title, !mask.head);
        let mut page = Vec::with_capacity(64);
        page_row(blocks.dom(), &aggregates, &repeats, |name, value| {
            page_column(name);
            page.push(value);
        });
        if !mask.head {
            places.extend(head::words(blocks.dom()).into_iter().filter_map(|word| table.get(word)).map(|(place, _)| place));
        }
        let mut page_types = [0f32; PageType::ALL.len()];
        for place in places {
            for (sum, weight) in page_types.iter_mut().zip(table.at(place).page_types) {
                *sum += f32::from(weight) * STEP;
            }
        }
        page.extend(page_types);
        Basis { rows: Rows::new(blocks, aggregates, repeats, hints, &titles), page }
    }

    /// Adds the row of a block to `values`, with the probabilities of the page_types.
    pub(super) fn push_row(&self, block: usize, page_types: &[f32; PageType::ALL.len()], values: &mut Vec<f32>) {
        self.rows.row(block, |_, value| values.push(value));
        values.extend_from_slice(page_types);
    }

    /// Writes the row of a block into a column of `sheet`, which has the row's columns as its rows.
    pub(super) fn write_row(&self, block: usize, page_types: &[f32; PageType::ALL.len()], lane: usize, sheet: &mut [Column]) {
        let mut cells = sheet.iter_mut();
        // Column are counted by the size of a sheet: the remainder spares a check of each value.
        let mut put = |value: f32| {
            if let Some(cell) = cells.next() {
                cell[lane % LANES] = value;
            }
        };
        self.rows.row(block, |_, value| put(value));
        page_types.iter().for_each(|&page_type| put(page_type));
    }

    pub(super) fn words(&self) -> &[f32] {
        &self.rows.aggregates.words
    }

    pub(super) fn blocks(&self) -> usize {
        self.rows.aggregates.len()
    }
}

/// Columns for the page types, at the end of each row.
const PAGE_TYPE_COLUMNS: [&str; 7] =
    ["is-article", "is-collection", "is-documentation", "is-forum", "is-listing", "is-product", "is-service"];

/// Columns for what names say about the page_type, at the end of the page's row.
const NAME_COLUMNS: [&str; 7] =
    ["names-article", "names-collection", "names-documentation", "names-forum", "names-listing", "names-product", "names-service"];

/// The features of a page as one table: what models are learned from.
///
/// ```
/// use webstrata::{Page, block::Mask, label::strata::PageFeatures, model::NameTable};
/// let page = Page::parse(b"<h1>Rain</h1><p>It rains.");
/// let features = PageFeatures::new(&page.input(), Mask::default(), &NameTable::default());
/// assert_eq!(features.blocks(), 2);
/// let words = PageFeatures::columns().iter().position(|name| *name == "words").unwrap();
/// assert_eq!(features.row(1)[words], 2.0);
/// ```
#[derive(Clone, Debug)]
pub struct PageFeatures {
    rows: Vec<f32>,
    width: usize,
    page: Vec<f32>,
    words: Vec<f32>,
    by_rules: Vec<bool>,
    tree: context_pass::Tree,
}

impl PageFeatures {
    /// The features of a page, with what is hidden from it and the weights of names. PageTypes are still open: see
    /// [`PageFeatures::set_page_types`].
    #[must_use]
    pub fn new(input: &Input<'_>, mask: Mask, names: &NameTable) -> PageFeatures {
        let basis = Basis::new(input, mask, names);
        let mut rows = Vec::new();
        for block in 0..basis.blocks() {
            basis.push_row(block, &[0.0; PageType::ALL.len()], &mut rows);
        }
        let width = rows.len().checked_div(basis.blocks()).unwrap_or(0);
        let tree = context_pass::Tree::new(&basis.rows.aggregates, &basis.rows.repeats);
        let aggregates = basis.rows.aggregates;
        PageFeatures { rows, width, page: basis.page, words: aggregates.words, by_rules: aggregates.by_article, tree }
    }

    /// Names of a row's columns.
    #[must_use]
    pub fn columns() -> Vec<&'static str> {
        PageFeatures::all_columns().0
    }

    /// Names of the columns of the page's row.
    #[must_use]
    pub fn page_columns() -> Vec<&'static str> {
        PageFeatures::all_columns().1
    }

    /// Read off a page: whatever the page, the columns are the same.
    fn all_columns() -> (Vec<&'static str>, Vec<&'static str>) {
        let page = crate::html::Dom::parse("<p>x");
        let table = crate::block::BlockTable::new(&page, &Default::default());
        let input = Input { blocks: table.with(&page), title: None };
        let (mut row, mut of_page) = (Vec::new(), Vec::new());
        let basis = Basis::told(&input, Mask::default(), &NameTable::default(), |name| of_page.push(name));
        basis.rows.row(0, |name, _| row.push(name));
        row.extend(PAGE_TYPE_COLUMNS);
        of_page.extend(NAME_COLUMNS);
        (row, of_page)
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.words.len()
    }

    /// The rows of all blocks, one after the other.
    #[must_use]
    pub fn rows(&self) -> &[f32] {
        &self.rows
    }

    /// The row of one block; empty for a block that there is not.
    #[must_use]
    pub fn row(&self, block: usize) -> &[f32] {
        self.rows.get(block * self.width..(block + 1) * self.width).unwrap_or_default()
    }

    /// The page's own row.
    #[must_use]
    pub fn page(&self) -> &[f32] {
        &self.page
    }

    /// By block: its words.
    #[must_use]
    pub fn words(&self) -> &[f32] {
        &self.words
    }

    /// By block: is it content by the published rules?
    #[must_use]
    pub fn by_rules(&self) -> &[bool] {
        &self.by_rules
    }

    /// The rows of the second look, one after the other, from the probabilities of the first.
    #[must_use]
    pub fn context_rows(&self, first: &[f32]) -> Vec<f32> {
        self.tree.rows(first, &self.words)
    }

    /// Sets columns to 0 in all rows: to find out what they are worth.
    pub fn hide(&mut self, columns: &[usize]) {
        for row in self.rows.chunks_exact_mut(self.width.max(1)) {
            for &column in columns {
                if let Some(value) = row.get_mut(column) {
                    *value = 0.0;
                }
            }
        }
    }

    /// Fills in how likely the page is of each page_type.
    pub fn set_page_types(&mut self, page_types: &[f32; PageType::ALL.len()]) {
        let width = self.width;
        if width >= page_types.len() {
            for row in self.rows.chunks_exact_mut(width) {
                row[width - page_types.len()..].copy_from_slice(page_types);
            }
        }
    }
}

/// The words of names on a page: what the weights of names are learned from.
///
/// ```
/// use webstrata::{Page, block::Mask, label::strata::PageNames, model::words_of_name};
/// let page = Page::parse(b"<div class=side><p id=menu>Home</div>");
/// let names = PageNames::new(&page.input(), Mask::default());
/// let word = |name| words_of_name(name).next().unwrap();
/// assert_eq!(names.blocks[0], [vec![word("menu")], vec![word("side")], vec![word("menu"), word("side")]]);
/// assert_eq!(names.page.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PageNames {
    /// By block: the words of the innermost element, of the one round it, and of all elements round it.
    pub blocks: Vec<[Vec<u32>; 3]>,
    /// The words on the page, each once, with what its head says.
    pub page: Vec<u32>,
}

impl PageNames {
    /// The words of names on a page.
    #[must_use]
    pub fn new(input: &Input<'_>, mask: Mask) -> Self {
        let outline = Outline::new(input.blocks, mask);
        let names = ElementNames::new(input.blocks, &outline);
        let mut page: Vec<u32> = (0..outline.elements.len() as u32).flat_map(|at| names.of(at).iter().copied()).collect();
        if !mask.head {
            page.extend(head::words(input.blocks.dom()));
        }
        page.sort_unstable();
        page.dedup();
        let of_block = |block: usize| {
            let mut words: [Vec<u32>; 3] = Default::default();
            words_round(&outline, &names, block, |level, word| words[usize::from(level)].push(word));
            words
        };
        PageNames { blocks: (0..input.blocks.len()).map(of_block).collect(), page }
    }
}
