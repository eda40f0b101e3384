//! Why a page scores badly: a method's answer aligned with the gold, block by block.
//!
//! A score says that a page is bad; a cause says where to look. The words of the gold are aligned with the blocks of the page
//! ([`crate::strata::align`]), and the first cause that applies is reported: the gold is not on the page, there is no answer, the gold
//! splits blocks, the answer is another part of the page, too much, too little, or both.

use crate::gold::set::{GoldPage, GoldSet};
use crate::metrics::words::{Prf, Vocabulary, common};
use crate::strata::align::shares;
use crate::table::{Table, share};
use rayon::prelude::*;
use std::fmt;
use std::fs;
use webstrata::label::Role;
use webstrata::select::Selection;
use webstrata::{ExtractOptions, Page};

/// Why a page has a low score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The gold is empty, but there is an answer.
    NoGold,
    /// Less than 85% of the gold's words are in the page's text.
    GoldNotOnPage,
    /// There is no answer.
    NoAnswer,
    /// Even the best selection of blocks has an F1 below 0.9.
    GoldSplitsBlocks,
    /// Less than a third of the answer is right, and less than a third of the gold is found.
    OtherPart,
    /// The gold was found, with much else before it, between its parts, or after it.
    TooMuch(Side),
    /// The answer is right, but much is missing.
    TooLittle,
    /// Much is wrong, and much is missing.
    Both,
}

/// Where most of the surplus text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Before the first block of the gold.
    Before,
    /// Between its blocks.
    Between,
    /// After the last one.
    After,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::NoGold => "gold is empty",
            Cause::GoldNotOnPage => "gold is not on the page",
            Cause::NoAnswer => "no answer",
            Cause::GoldSplitsBlocks => "gold splits blocks",
            Cause::OtherPart => "another part of the page",
            Cause::TooMuch(Side::Before) => "too much, before",
            Cause::TooMuch(Side::Between) => "too much, between",
            Cause::TooMuch(Side::After) => "too much, after",
            Cause::TooLittle => "too little",
            Cause::Both => "wrong and missing",
        })
    }
}

/// A page with its score and cause.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Id of the page.
    pub id: String,
    /// The page type predicted by the method, if it predicts one.
    pub page_type: String,
    /// Number of words in the gold.
    pub gold: usize,
    /// The score.
    pub score: Prf,
    /// The cause.
    pub cause: Cause,
    /// Role of the largest surplus block, and of the largest missed block.
    pub roles: (Option<Role>, Option<Role>),
}

/// The worst pages of a set under a preset, worst first.
#[must_use]
pub fn worst(set: &GoldSet, options: &ExtractOptions, count: usize) -> Vec<Failure> {
    let mut all: Vec<Failure> = set.pages.par_iter().filter_map(|page| failure(page, options)).collect();
    all.sort_by(|a, b| a.score.f1().total_cmp(&b.score.f1()).then_with(|| a.id.cmp(&b.id)));
    all.truncate(count);
    all
}

fn failure(gold: &GoldPage, options: &ExtractOptions) -> Option<Failure> {
    let text = gold.gold_text.as_deref()?;
    let bytes = fs::read(&gold.file).ok()?;
    let page = Page::parse(&bytes);
    let content = page.extract_with(options);
    let mut vocabulary = Vocabulary::default();
    let wanted = vocabulary.read(text);
    let words: Vec<Vec<u32>> = page.blocks().iter().map(|block| vocabulary.read(&block.text())).collect();
    let alignment = Alignment { shares: shares(&words, &wanted), words, wanted, selection: content.selection() };
    let score = alignment.score(|block| content.is_content(block));
    let role = |wrong: bool| {
        let differs = |at: &usize| alignment.is_gold(*at) != alignment.is_kept(*at) && alignment.is_kept(*at) == wrong;
        let largest =
            (0..alignment.words.len()).filter(differs).max_by_key(|&at| (alignment.words[at].len(), std::cmp::Reverse(at)))?;
        Some(content.role(page.blocks().get(largest)?))
    };
    Some(Failure {
        id: gold.id.clone(),
        page_type: content.labels().page_type().map(|page_type| page_type.name().to_owned()).unwrap_or_default(),
        gold: alignment.wanted.len(),
        cause: alignment.cause(score),
        roles: (role(true), role(false)),
        score,
    })
}

/// An answer aligned with the gold.
struct Alignment<'l> {
    words: Vec<Vec<u32>>,
    shares: Vec<f32>,
    wanted: Vec<u32>,
    selection: &'l Selection,
}

impl Alignment<'_> {
    fn is_gold(&self, block: usize) -> bool {
        self.shares[block] >= 0.5
    }

    fn is_kept(&self, block: usize) -> bool {
        self.selection.keeps(block)
    }

    fn score(&self, kept: impl Fn(usize) -> bool) -> Prf {
        let answer: Vec<u32> = (0..self.words.len()).filter(|&at| kept(at)).flat_map(|at| self.words[at].iter().copied()).collect();
        Prf::new(common(&self.wanted, &answer), answer.len(), self.wanted.len())
    }

    fn cause(&self, score: Prf) -> Cause {
        let kept = (0..self.words.len()).any(|at| self.is_kept(at));
        if self.wanted.is_empty() {
            return Cause::NoGold;
        }
        if self.score(|_| true).recall < 0.85 {
            return Cause::GoldNotOnPage;
        }
        if !kept {
            return Cause::NoAnswer;
        }
        if self.score(|at| self.is_gold(at)).f1() < 0.9 {
            return Cause::GoldSplitsBlocks;
        }
        match (score.precision, score.recall) {
            (precision, recall) if precision < 1.0 / 3.0 && recall < 1.0 / 3.0 => Cause::OtherPart,
            (_, recall) if recall > 0.9 => Cause::TooMuch(self.side()),
            (precision, _) if precision > 0.9 => Cause::TooLittle,
            _ => Cause::Both,
        }
    }

    /// Where most of the surplus is, relative to the gold.
    fn side(&self) -> Side {
        let gold: Vec<usize> = (0..self.words.len()).filter(|&at| self.is_gold(at)).collect();
        let (first, last) = (gold.first().copied().unwrap_or(0), gold.last().copied().unwrap_or(0));
        let mut sums = [0usize; 3];
        for at in (0..self.words.len()).filter(|&at| self.is_kept(at) && !self.is_gold(at)) {
            sums[if at < first { 0 } else { 1 + usize::from(at > last) }] += self.words[at].len();
        }
        if sums[0] > sums[1].max(sums[2]) {
            Side::Before
        } else if sums[1] >= sums[2] {
            Side::Between
        } else {
            Side::After
        }
    }
}

/// The failures as a table.
#[must_use]
pub fn table(failures: &[Failure]) -> Table {
    let mut table =
        Table::new(&["page", "F1", "precision", "recall", "gold words", "predicted type", "cause", "wrongly kept", "missed"]);
    let role = |role: Option<Role>| role.map_or_else(|| "–".to_owned(), |role| role.to_string());
    for failure in failures {
        table.row(vec![
            failure.id.clone(),
            share(failure.score.f1()),
            share(failure.score.precision),
            share(failure.score.recall),
            failure.gold.to_string(),
            failure.page_type.clone(),
            failure.cause.to_string(),
            role(failure.roles.0),
            role(failure.roles.1),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata::label::Preset;

    fn cause(html: &str, gold: &str, preset: Preset) -> Cause {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("html")).unwrap();
        fs::write(folder.path().join("html/1.html"), html).unwrap();
        let line = serde_json::json!({ "id": "1", "gold_text": gold }).to_string();
        fs::write(folder.path().join("gold.jsonl"), line).unwrap();
        worst(&GoldSet::read(folder.path()).unwrap(), &preset.into(), 1).remove(0).cause
    }

    #[test]
    fn causes_of_small_pages() {
        let all = Preset::KeepEverything;
        let page = "<p>one two three<p>four five six<p>seven eight nine";
        assert_eq!(cause(page, "seven eight nine", all), Cause::TooMuch(Side::Before));
        assert_eq!(cause(page, "one two three", all), Cause::TooMuch(Side::After));
        assert_eq!(cause(page, "", all), Cause::NoGold);
        assert_eq!(cause(page, "ten eleven twelve", all), Cause::GoldNotOnPage);
        assert_eq!(cause(page, "one two three", Preset::MinWords(50)), Cause::NoAnswer);
        assert_eq!(cause("<p>one two three four five six seven eight", "three four", all), Cause::GoldSplitsBlocks);
        let long = "<p>one two three four<p>five six seven";
        assert_eq!(cause(long, "one two three four five six seven", Preset::MinWords(4)), Cause::TooLittle);
    }
}
