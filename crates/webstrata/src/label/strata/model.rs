//! The model: weights of names, forests for page_types, for the first look and the second, and the file they are in.

use super::context_pass::{CONTEXT_COLUMNS, Tree};
use super::features::{Basis, PageFeatures};
use super::page_type::PageType;
use crate::block::Mask;
use crate::label::Input;
use crate::model::{Forest, LANES, ModelError, NameTable, Reader, Writer, logit, probability};

/// What was learned.
///
/// ```
/// use webstrata::label::strata::ContentModel;
/// assert!(ContentModel::read(b"something else").is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ContentModel {
    /// Weights of names.
    pub names: NameTable,
    /// One forest for each page type.
    pub page_types: Vec<Forest>,
    /// The first look at blocks.
    pub first: Forest,
    /// The second look.
    pub second: Forest,
    /// By page type: the probability below which nothing is kept.
    pub floors: [f32; PageType::ALL.len()],
}

/// What a model says of a page.
#[derive(Debug)]
pub(super) struct Opinion<'p> {
    /// By block: the probability that it is content.
    pub(super) probabilities: Vec<f32>,
    /// By block: what the first look said.
    pub(super) first: Vec<f32>,
    /// The probability of each page type.
    pub(super) page_types: [f32; PageType::ALL.len()],
    /// What it was judged by.
    pub(super) basis: Basis<'p>,
}

impl Opinion<'_> {
    /// The likeliest page_type.
    pub(super) fn page_type(&self) -> PageType {
        let mut best = 0;
        for at in 1..self.page_types.len() {
            if self.page_types[at] > self.page_types[best] {
                best = at;
            }
        }
        PageType::ALL[best]
    }
}

impl ContentModel {
    /// Reads a model.
    ///
    /// # Errors
    /// When it is none, damaged, of another version, or made for other columns.
    pub fn read(file: &[u8]) -> Result<ContentModel, ModelError> {
        let mut input = Reader::new(file)?;
        let names = NameTable::read(&mut input)?;
        let page_types = (0..PageType::ALL.len()).map(|_| Forest::read(&mut input)).collect::<Result<Vec<_>, _>>()?;
        let first = Forest::read(&mut input)?;
        let second = Forest::read(&mut input)?;
        let mut floors = [0.0; PageType::ALL.len()];
        for floor in &mut floors {
            *floor = input.fixed_point()?;
        }
        let model = ContentModel { names, page_types, first, second, floors };
        let fits = |forest: &Forest, expected: usize| match forest.columns() {
            found if found == expected => Ok(()),
            found => Err(ModelError::Columns { found, expected }),
        };
        model.page_types.iter().try_for_each(|forest| fits(forest, PageFeatures::page_columns().len()))?;
        fits(&model.first, PageFeatures::columns().len())?;
        fits(&model.second, CONTEXT_COLUMNS.len())?;
        Ok(model)
    }

    /// The file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out = Writer::default();
        self.names.write(&mut out);
        self.page_types.iter().for_each(|forest| forest.write(&mut out));
        self.first.write(&mut out);
        self.second.write(&mut out);
        self.floors.iter().for_each(|floor| out.fixed_point(*floor));
        out.finish()
    }

    /// The probability below which nothing is kept, on a page that is of each page_type with these probabilities.
    #[must_use]
    pub fn floor(&self, page_types: &[f32; PageType::ALL.len()]) -> f32 {
        self.floors.iter().zip(page_types).map(|(floor, probability)| floor * probability).sum()
    }

    /// How likely each block of a page is content, and how likely the page is of each page_type.
    ///
    /// ```
    /// use webstrata::{Page, label::strata::{PageType, ContentModel}};
    /// # let file = webstrata::label::strata::shipped_file();
    /// let model = ContentModel::read(file).unwrap();
    /// let page = Page::parse(b"<h1>Rain</h1><p>It rains.");
    /// let (probabilities, page_types) = model.probabilities(&page.input());
    /// assert_eq!((probabilities.len(), page_types.len()), (2, PageType::ALL.len()));
    /// ```
    #[must_use]
    pub fn probabilities(&self, input: &Input<'_>) -> (Vec<f32>, [f32; PageType::ALL.len()]) {
        let opinion = self.judge(input);
        (opinion.probabilities, opinion.page_types)
    }

    pub(super) fn judge<'p>(&self, input: &Input<'p>) -> Opinion<'p> {
        let basis = Basis::new(input, Mask::default(), &self.names);
        let page_types = page_type_probabilities(&self.page_types, &basis.page);
        let mut first = vec![0.0; basis.blocks()];
        let mut scorer = self.first.scorer();
        for (batch, scores) in first.chunks_mut(LANES).enumerate() {
            for lane in 0..scores.len() {
                basis.write_row(batch * LANES + lane, &page_types, lane, scorer.sheet());
            }
            scorer.score(scores);
        }
        first.iter_mut().for_each(|score| *score = probability(*score));
        let tree = Tree::new(&basis.rows.aggregates, &basis.rows.repeats);
        let told = tree.told(&first, basis.words());
        let mut probabilities = vec![0.0; first.len()];
        let mut scorer = self.second.scorer();
        for (batch, scores) in probabilities.chunks_mut(LANES).enumerate() {
            for lane in 0..scores.len() {
                let row = told.row(batch * LANES + lane);
                scorer.sheet().iter_mut().zip(row).for_each(|(cells, value)| cells[lane] = value);
            }
            scorer.score(scores);
        }
        mend(&mut probabilities, &first);
        apply_rule_prior(
            &mut probabilities,
            basis.words(),
            &basis.rows.aggregates.by_article,
            page_types[PageType::Article as usize],
        );
        Opinion { probabilities, first, page_types, basis }
    }
}

/// The probabilities after the second look, from its rows and what the first look said.
#[must_use]
pub fn context_probabilities(second: &Forest, rows: &[f32], first: &[f32]) -> Vec<f32> {
    let mut mended = vec![0.0; first.len()];
    second.score_all(rows, &mut mended);
    mend(&mut mended, first);
    mended
}

/// Makes probabilities of what the second look scored.
fn mend(scores: &mut [f32], first: &[f32]) {
    for (score, &first) in scores.iter_mut().zip(first) {
        *score = probability(logit(first) + *score);
    }
}

/// By how much the published rules move the log odds of blocks on a page that is an article for sure.
///
/// The forest knows the rules and trusts them as far as the pages it was learned from do. On pages of other years and
/// languages they are worth more: this gives .006 on l3s-gn1, .003 on dragnet, .02 on daniel, nothing on cleaneval, and costs .01 on
/// wcxb, cross-validated: less on articles than on listings that are taken for articles.
const RULE_PRIOR: f32 = 0.9;

/// Lets the published rules have their say on the probabilities of a page's blocks; `article` is the probability that it is one.
///
/// Only where they fit the page: rules that find less than half of the content that is expected (on a listing they keep one teaser, or
/// nothing) have no say.
pub fn apply_rule_prior(probabilities: &mut [f32], words: &[f32], by_rules: &[bool], article: f32) {
    let expected: f32 = probabilities.iter().zip(words).map(|(probability, words)| probability * words).sum();
    let ruled: f32 = by_rules.iter().zip(words).map(|(&by_rules, &words)| if by_rules { words } else { 0.0 }).sum();
    let fit = ((ruled / expected.max(1.0) - 0.4) / 0.2).clamp(0.0, 1.0);
    let lean = RULE_PRIOR * fit * (2.0 * article - 1.0).max(0.0);
    for (likely, &by_rules) in probabilities.iter_mut().zip(by_rules) {
        *likely = probability(logit(*likely) + if by_rules { lean } else { -lean });
    }
}

/// The probability of each page_type, from one forest each: their odds, made to sum up to 1.
#[must_use]
pub fn page_type_probabilities(page_types: &[Forest], page: &[f32]) -> [f32; PageType::ALL.len()] {
    let mut probabilities = [0f32; PageType::ALL.len()];
    for (chance_of, forest) in probabilities.iter_mut().zip(page_types) {
        *chance_of = probability(forest.score(page)).max(1e-4);
    }
    let total: f32 = probabilities.iter().sum();
    probabilities.iter_mut().for_each(|probability| *probability /= total.max(1e-6));
    probabilities
}
