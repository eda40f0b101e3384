//! Pages with gold, ready for training: the words of each block, and its share of content.

use super::align::shares;
use crate::gold::set::{GoldPage, GoldSet};
use crate::metrics::words::{Vocabulary, common};
use rayon::prelude::*;
use std::fs;
use webstrata::Page;
use webstrata::label::strata::PageType;

/// A page for training or evaluation.
#[derive(Clone, Debug)]
pub struct GoldBlocks {
    /// Name of its set.
    pub set: String,
    /// Its id.
    pub id: String,
    /// Its site; folds keep sites together.
    pub site: String,
    /// Its page type, if the gold states it.
    pub page_type: Option<PageType>,
    /// Its language, if the gold states it.
    pub language: Option<String>,
    /// The page itself.
    pub bytes: Vec<u8>,
    /// The words of each block, as numbers.
    pub words: Vec<Vec<u32>>,
    /// The gold text; empty if only snippets are labelled.
    pub gold_text: String,
    /// The words of the gold.
    pub gold: Vec<u32>,
    /// The share of each block that is content.
    pub shares: Vec<f32>,
    /// Weight of the page.
    pub weight: f32,
}

impl GoldBlocks {
    /// Whether the page is an article or documentation, if its type is known.
    #[must_use]
    pub fn is_article(&self) -> Option<bool> {
        self.page_type.map(|page_type| matches!(page_type, PageType::Article | PageType::Documentation))
    }

    /// Bag-of-words F1 of keeping these blocks.
    #[must_use]
    pub fn f1(&self, kept: impl Fn(usize) -> bool) -> f64 {
        let answer: Vec<u32> =
            self.words.iter().enumerate().filter(|(at, _)| kept(*at)).flat_map(|(_, words)| words.iter().copied()).collect();
        crate::metrics::words::Prf::new(common(&self.gold, &answer), answer.len(), self.gold.len()).f1()
    }
}

/// Minimum weight of a page whose reader was not sure of the labels.
const MIN_SURE: f32 = 0.3;

/// The site of a page as named in its gold; otherwise the host of its address, or its id.
pub(super) fn site(gold: &GoldPage) -> String {
    let host = || gold.url.as_deref()?.split('/').nth(2).filter(|host| !host.is_empty()).map(str::to_owned);
    gold.site.clone().or_else(host).unwrap_or_else(|| gold.id.clone())
}

/// Reads and aligns the pages of a set that have a gold text. Unreadable pages are skipped.
#[must_use]
pub fn read(set: &GoldSet) -> Vec<GoldBlocks> {
    let page = |gold: &GoldPage| {
        let text = gold.gold_text.as_deref()?;
        let bytes = fs::read(&gold.file).ok()?;
        let mut vocabulary = Vocabulary::default();
        let wanted = vocabulary.read(text);
        let words: Vec<Vec<u32>> = {
            let page = Page::parse(&bytes);
            page.blocks().iter().map(|block| vocabulary.read(&block.text())).collect()
        };
        Some(GoldBlocks {
            set: set.name.clone(),
            id: gold.id.clone(),
            site: site(gold),
            page_type: gold.page_type.as_deref().and_then(|page_type| page_type.parse().ok()),
            language: gold.language.clone(),
            shares: shares(&words, &wanted),
            weight: gold.sure.unwrap_or(1.0).clamp(MIN_SURE, 1.0),
            bytes,
            words,
            gold: wanted,
            gold_text: text.to_owned(),
        })
    };
    set.pages.par_iter().filter_map(page).collect()
}
