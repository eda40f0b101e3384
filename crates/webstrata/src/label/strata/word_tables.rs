//! The word weights of a model, and the words of a page that they are trained on.

use super::declared_types;
use super::names::{ElementNames, words_around};
use super::text_words::words_of_page;
use crate::block::Mask;
use crate::block::outline::Outline;
use crate::label::Input;
use crate::model::WordTable;

/// The word weights of a model.
///
/// ```
/// assert!(webstrata::label::strata::WordTables::default().texts.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordTables {
    /// Weights of the words in class and id names.
    pub names: WordTable,
    /// Weights of the words in short texts, for page types only.
    pub texts: WordTable,
}

/// The words of a page, for training word weights: those in the names of its elements, or those of its short texts.
///
/// ```
/// use webstrata::{Page, block::Mask, label::strata::PageWords, model::words_of_name};
/// let page = Page::parse(b"<div class=side><p id=menu>Home</div>");
/// let names = PageWords::of_names(&page.input(), Mask::default());
/// let word = |name| words_of_name(name).next().unwrap();
/// assert_eq!(names.blocks[0], [vec![word("menu")], vec![word("side")], vec![word("menu"), word("side")]]);
/// assert_eq!(names.page.len(), 2);
/// assert_eq!(PageWords::of_texts(&page.input(), Mask::default()).page.len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PageWords {
    /// For each block: the words of its innermost element, of the parent, and of all ancestors. Empty for texts.
    pub blocks: Vec<[Vec<u32>; 3]>,
    /// All distinct words on the page. Names include the types that the page declares; texts include the words of the title.
    pub page: Vec<u32>,
}

impl PageWords {
    /// Reads the names of a page.
    #[must_use]
    pub fn of_names(input: &Input<'_>, mask: Mask) -> Self {
        let outline = Outline::new(input.blocks, mask);
        let names = ElementNames::new(input.blocks, &outline);
        let mut page: Vec<u32> = (0..outline.elements.len() as u32).flat_map(|at| names.words(at).iter().copied()).collect();
        if !mask.head {
            page.extend(declared_types::words(input.blocks.dom()));
        }
        let of_block = |block: usize| {
            let mut words: [Vec<u32>; 3] = Default::default();
            words_around(&outline, &names, block, |level, word| words[usize::from(level)].push(word));
            words
        };
        PageWords::new((0..input.blocks.len()).map(of_block).collect(), page)
    }

    /// Reads the short texts of a page.
    #[must_use]
    pub fn of_texts(input: &Input<'_>, mask: Mask) -> Self {
        PageWords::new(Vec::new(), words_of_page(input, mask))
    }

    fn new(blocks: Vec<[Vec<u32>; 3]>, mut page: Vec<u32>) -> Self {
        page.sort_unstable();
        page.dedup();
        PageWords { blocks, page }
    }
}
