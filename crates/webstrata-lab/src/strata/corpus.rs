//! Pages with their gold, ready to learn from: the words of each block, and which share of it is content.

use super::align::shares;
use crate::gold::set::GoldSet;
use crate::metrics::words::{Vocabulary, common};
use rayon::prelude::*;
use std::fs;
use webstrata::Page;
use webstrata::label::strata::PageType;

/// A page to learn from or to be measured on.
#[derive(Clone, Debug)]
pub struct GoldBlocks {
    /// Its name.
    pub id: String,
    /// The site it is from: folds keep sites together.
    pub site: String,
    /// Its page type, where the gold says so.
    pub page_type: Option<PageType>,
    /// Its language, where the gold says so.
    pub language: Option<String>,
    /// The page itself.
    pub bytes: Vec<u8>,
    /// By block: its words as numbers.
    pub words: Vec<Vec<u32>>,
    /// The words of the gold.
    pub gold: Vec<u32>,
    /// By block: which share of it is content.
    pub shares: Vec<f32>,
    /// What the page counts beside others.
    pub weight: f32,
}

impl GoldBlocks {
    /// Bag-of-words F1 of keeping these blocks.
    #[must_use]
    pub fn f1(&self, kept: impl Fn(usize) -> bool) -> f64 {
        let answer: Vec<u32> =
            self.words.iter().enumerate().filter(|(at, _)| kept(*at)).flat_map(|(_, words)| words.iter().copied()).collect();
        crate::metrics::words::Prf::new(common(&self.gold, &answer), answer.len(), self.gold.len()).f1()
    }
}

/// Reads the pages of a set that have a gold text, and aligns them. Pages that cannot be read are left out.
#[must_use]
pub fn read(set: &GoldSet) -> Vec<GoldBlocks> {
    let page = |gold: &crate::gold::set::GoldPage| {
        let text = gold.gold_text.as_deref()?;
        let bytes = fs::read(&gold.file).ok()?;
        let mut vocabulary = Vocabulary::default();
        let wanted = vocabulary.read(text);
        let words: Vec<Vec<u32>> = {
            let page = Page::parse(&bytes);
            page.blocks().iter().map(|block| vocabulary.read(&block.text())).collect()
        };
        Some(GoldBlocks {
            id: gold.id.clone(),
            site: gold.site.clone().unwrap_or_else(|| gold.id.clone()),
            page_type: gold.page_type.as_deref().and_then(|page_type| page_type.parse().ok()),
            language: gold.language.clone(),
            shares: shares(&words, &wanted),
            weight: 1.0,
            bytes,
            words,
            gold: wanted,
        })
    };
    set.pages.par_iter().filter_map(page).collect()
}
