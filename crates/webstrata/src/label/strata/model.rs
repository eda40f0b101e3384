//! The model: weights of names, forests for kinds, for the first look and the second, and the file they are in.

use super::evidence::{Basis, Evidence};
use super::kind::Kind;
use super::second::{SECOND_COLUMNS, Tree};
use crate::block::Mask;
use crate::label::Input;
use crate::learned::{ABREAST, Forest, ModelError, NameTable, Reader, Writer, chance, log_odds};

/// What was learned.
///
/// ```
/// use webstrata::label::strata::Model;
/// assert!(Model::read(b"something else").is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Weights of names.
    pub names: NameTable,
    /// One forest for each kind of page.
    pub kinds: Vec<Forest>,
    /// The first look at blocks.
    pub first: Forest,
    /// The second look.
    pub second: Forest,
    /// By kind of page: the chance below which nothing is kept.
    pub floors: [f32; Kind::ALL.len()],
}

/// What a model says of a page.
#[derive(Debug)]
pub(super) struct Opinion<'p> {
    /// By block: the chance that it is content.
    pub(super) chances: Vec<f32>,
    /// By block: what the first look said.
    pub(super) first: Vec<f32>,
    /// The chance of each kind of page.
    pub(super) kinds: [f32; Kind::ALL.len()],
    /// What it was judged by.
    pub(super) basis: Basis<'p>,
}

impl Opinion<'_> {
    /// The likeliest kind.
    pub(super) fn kind(&self) -> Kind {
        let mut best = 0;
        for at in 1..self.kinds.len() {
            if self.kinds[at] > self.kinds[best] {
                best = at;
            }
        }
        Kind::ALL[best]
    }
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// When it is none, damaged, of another version, or made for other columns.
    pub fn read(file: &[u8]) -> Result<Model, ModelError> {
        let mut input = Reader::new(file)?;
        let names = NameTable::read(&mut input)?;
        let kinds = (0..Kind::ALL.len()).map(|_| Forest::read(&mut input)).collect::<Result<Vec<_>, _>>()?;
        let first = Forest::read(&mut input)?;
        let second = Forest::read(&mut input)?;
        let mut floors = [0.0; Kind::ALL.len()];
        for floor in &mut floors {
            *floor = input.small()?;
        }
        let model = Model { names, kinds, first, second, floors };
        let fits = |forest: &Forest, expected: usize| match forest.columns() {
            found if found == expected => Ok(()),
            found => Err(ModelError::Columns { found, expected }),
        };
        model.kinds.iter().try_for_each(|forest| fits(forest, Evidence::page_columns().len()))?;
        fits(&model.first, Evidence::columns().len())?;
        fits(&model.second, SECOND_COLUMNS.len())?;
        Ok(model)
    }

    /// The file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out = Writer::default();
        self.names.write(&mut out);
        self.kinds.iter().for_each(|forest| forest.write(&mut out));
        self.first.write(&mut out);
        self.second.write(&mut out);
        self.floors.iter().for_each(|floor| out.small(*floor));
        out.finish()
    }

    /// The chance below which nothing is kept, on a page that is of each kind with these chances.
    #[must_use]
    pub fn floor(&self, kinds: &[f32; Kind::ALL.len()]) -> f32 {
        self.floors.iter().zip(kinds).map(|(floor, chance)| floor * chance).sum()
    }

    /// How likely each block of a page is content, and how likely the page is of each kind.
    ///
    /// ```
    /// use webstrata::{Page, label::strata::{Kind, Model}};
    /// # let file = webstrata::label::strata::shipped_file();
    /// let model = Model::read(file).unwrap();
    /// let page = Page::parse(b"<h1>Rain</h1><p>It rains.");
    /// let (chances, kinds) = model.chances(&page.input());
    /// assert_eq!((chances.len(), kinds.len()), (2, Kind::ALL.len()));
    /// ```
    #[must_use]
    pub fn chances(&self, input: &Input<'_>) -> (Vec<f32>, [f32; Kind::ALL.len()]) {
        let opinion = self.judge(input);
        (opinion.chances, opinion.kinds)
    }

    pub(super) fn judge<'p>(&self, input: &Input<'p>) -> Opinion<'p> {
        let basis = Basis::new(input, Mask::default(), &self.names);
        let kinds = kind_chances(&self.kinds, &basis.page);
        let mut first = vec![0.0; basis.blocks()];
        let mut scorer = self.first.scorer();
        for (batch, scores) in first.chunks_mut(ABREAST).enumerate() {
            for lane in 0..scores.len() {
                basis.write_row(batch * ABREAST + lane, &kinds, lane, scorer.sheet());
            }
            scorer.score(scores);
        }
        first.iter_mut().for_each(|score| *score = chance(*score));
        let tree = Tree::new(&basis.rows.ground, &basis.rows.repeats);
        let told = tree.told(&first, basis.words());
        let mut chances = vec![0.0; first.len()];
        let mut scorer = self.second.scorer();
        for (batch, scores) in chances.chunks_mut(ABREAST).enumerate() {
            for lane in 0..scores.len() {
                let row = told.row(batch * ABREAST + lane);
                scorer.sheet().iter_mut().zip(row).for_each(|(cells, value)| cells[lane] = value);
            }
            scorer.score(scores);
        }
        mend(&mut chances, &first);
        lean(&mut chances, basis.words(), &basis.rows.ground.by_article, kinds[Kind::Article as usize]);
        Opinion { chances, first, kinds, basis }
    }
}

/// The chances after the second look, from its rows and what the first look said.
#[must_use]
pub fn mended(second: &Forest, rows: &[f32], first: &[f32]) -> Vec<f32> {
    let mut mended = vec![0.0; first.len()];
    second.score_all(rows, &mut mended);
    mend(&mut mended, first);
    mended
}

/// Makes chances of what the second look scored.
fn mend(scores: &mut [f32], first: &[f32]) {
    for (score, &first) in scores.iter_mut().zip(first) {
        *score = chance(log_odds(first) + *score);
    }
}

/// By how much the published rules move the log odds of blocks on a page that is an article for sure.
///
/// The forest knows the rules and trusts them as far as the pages it was learned from do. On pages of other years and
/// languages they are worth more: this gives .006 on l3s-gn1, .003 on dragnet, .02 on daniel, nothing on cleaneval, and costs .01 on
/// wcxb, cross-validated: less on articles than on listings that are taken for articles.
const LEAN: f32 = 0.9;

/// Lets the published rules have their say on the chances of a page's blocks; `article` is the chance that it is one.
///
/// Only where they fit the page: rules that find less than half of the content that is expected (on a listing they keep one teaser, or
/// nothing) have no say.
pub fn lean(chances: &mut [f32], words: &[f32], by_rules: &[bool], article: f32) {
    let expected: f32 = chances.iter().zip(words).map(|(chance, words)| chance * words).sum();
    let ruled: f32 = by_rules.iter().zip(words).map(|(&by_rules, &words)| if by_rules { words } else { 0.0 }).sum();
    let fit = ((ruled / expected.max(1.0) - 0.4) / 0.2).clamp(0.0, 1.0);
    let lean = LEAN * fit * (2.0 * article - 1.0).max(0.0);
    for (likely, &by_rules) in chances.iter_mut().zip(by_rules) {
        *likely = chance(log_odds(*likely) + if by_rules { lean } else { -lean });
    }
}

/// The chance of each kind, from one forest each: their odds, made to sum up to 1.
#[must_use]
pub fn kind_chances(kinds: &[Forest], page: &[f32]) -> [f32; Kind::ALL.len()] {
    let mut chances = [0f32; Kind::ALL.len()];
    for (chance_of, forest) in chances.iter_mut().zip(kinds) {
        *chance_of = chance(forest.score(page)).max(1e-4);
    }
    let total: f32 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= total.max(1e-6));
    chances
}
