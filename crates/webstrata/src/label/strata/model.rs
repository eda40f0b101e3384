//! The model: word weights, forests for page types, for the first pass and the context pass, and their file.

use super::answer_row::ANSWER_COLUMNS;
use super::answers::Shape;
use super::context_pass::{CONTEXT_COLUMNS, Neighbourhoods};
use super::features::{FeatureSource, PageFeatures};
use super::page_type::PageType;
use super::word_tables::WordTables;
use crate::block::Mask;
use crate::label::Input;
use crate::model::{Forest, LANES, ModelError, ModelReader, ModelWriter, WordTable, logit, probability};

/// A trained model of `strata`.
///
/// ```
/// use webstrata::label::strata::ContentModel;
/// assert!(ContentModel::read(b"something else").is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ContentModel {
    /// Weights of class and id names, and of the words in short texts.
    pub words: WordTables,
    /// One forest per page type, for the verdicts. These forests ignore words (`text_words.rs`).
    pub page_types: Vec<Forest>,
    /// One forest per page type, for the page type that is reported.
    pub reported_types: Vec<Forest>,
    /// The forest of the first pass for articles and documentation.
    pub articles: Forest,
    /// The forest of the first pass for other pages.
    pub others: Forest,
    /// The forest of the context pass.
    pub context: Forest,
    /// The forest that predicts the F1 of an answer.
    pub answers: Forest,
    /// For each page type: the probability below which nothing is kept.
    pub floors: [f32; PageType::ALL.len()],
    /// Exponent that turns a predicted F1 into a confidence: 1 or more, so that few bad answers are rated good.
    pub caution: f32,
    /// Names of the training sets: scores on them are not held-out scores.
    pub trained_on: Vec<String>,
}

/// A model's predictions for a page.
#[derive(Debug)]
pub(super) struct Prediction<'p> {
    /// For each block: the probability of being content.
    pub(super) probabilities: Vec<f32>,
    /// For each block: that probability after the first pass only.
    pub(super) first: Vec<f32>,
    /// The probability of each page type, without words.
    pub(super) page_types: [f32; PageType::ALL.len()],
    /// The features it is based on.
    pub(super) source: FeatureSource<'p>,
    neighbourhoods: Neighbourhoods,
}

impl Prediction<'_> {
    /// The input for building the page's answers.
    pub(super) fn shape<'s>(&'s self, in_main_group: &'s [bool]) -> Shape<'s> {
        let aggregates = &self.source.rows.aggregates;
        let (links, by_rules) = (&aggregates.link_density, &aggregates.by_article);
        self.neighbourhoods.shape(&aggregates.words, links, &aggregates.heading, by_rules, in_main_group)
    }
}

impl ContentModel {
    /// Reads a model.
    ///
    /// # Errors
    /// If the file is not a model, is damaged, has a different version, or was trained with different features.
    pub fn read(file: &[u8]) -> Result<ContentModel, ModelError> {
        let mut input = ModelReader::new(file)?;
        let words = WordTables { names: WordTable::read(&mut input)?, texts: WordTable::read(&mut input)? };
        let mut forests = || (0..PageType::ALL.len()).map(|_| Forest::read(&mut input)).collect::<Result<Vec<_>, _>>();
        let (page_types, reported_types) = (forests()?, forests()?);
        let articles = Forest::read(&mut input)?;
        let others = Forest::read(&mut input)?;
        let context = Forest::read(&mut input)?;
        let answers = Forest::read(&mut input)?;
        let mut floors = [0.0; PageType::ALL.len()];
        for floor in &mut floors {
            *floor = input.fixed_point()?;
        }
        let caution = input.fixed_point()?;
        let trained_on = (0..input.u8()?).map(|_| input.name()).collect::<Result<Vec<_>, _>>()?;
        let model =
            ContentModel { words, page_types, reported_types, articles, others, context, answers, floors, caution, trained_on };
        let fits = |forest: &Forest, expected: usize| match forest.columns() {
            found if found == expected => Ok(()),
            found => Err(ModelError::Features { found, expected }),
        };
        model.page_types.iter().try_for_each(|forest| fits(forest, PageFeatures::page_columns().len()))?;
        model.reported_types.iter().try_for_each(|forest| fits(forest, PageFeatures::page_columns_with_words().len()))?;
        let columns = PageFeatures::columns().len();
        fits(&model.articles, columns)?;
        fits(&model.others, columns)?;
        fits(&model.context, CONTEXT_COLUMNS.len())?;
        fits(&model.answers, ANSWER_COLUMNS.len())?;
        Ok(model)
    }

    /// Writes the model.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out = ModelWriter::default();
        self.words.names.write(&mut out);
        self.words.texts.write(&mut out);
        self.page_types.iter().chain(&self.reported_types).for_each(|forest| forest.write(&mut out));
        self.articles.write(&mut out);
        self.others.write(&mut out);
        self.context.write(&mut out);
        self.answers.write(&mut out);
        self.floors.iter().for_each(|floor| out.fixed_point(*floor));
        out.fixed_point(self.caution);
        let sets = &self.trained_on[..self.trained_on.len().min(usize::from(u8::MAX))];
        out.u8(sets.len() as u8);
        sets.iter().for_each(|set| out.name(set));
        out.finish()
    }

    /// The probability below which nothing is kept on a page with these page type probabilities.
    #[must_use]
    pub fn floor(&self, page_types: &[f32; PageType::ALL.len()]) -> f32 {
        self.floors.iter().zip(page_types).map(|(floor, probability)| floor * probability).sum()
    }

    /// The forest of the first pass for a page with these page type probabilities.
    pub(super) fn first(&self, page_types: &[f32; PageType::ALL.len()]) -> &Forest {
        if is_article(page_types) { &self.articles } else { &self.others }
    }

    /// The probability that each block is content, and the probability of each page type.
    ///
    /// ```
    /// use webstrata::{Page, label::strata::{ContentModel, PageType}};
    /// # let file = webstrata::label::strata::shipped_file();
    /// let model = ContentModel::read(file)?;
    /// let page = Page::parse(b"<h1>Rain</h1><p>It rains.");
    /// let (probabilities, page_types) = model.probabilities(&page.input());
    /// assert_eq!((probabilities.len(), page_types.len()), (2, PageType::ALL.len()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn probabilities(&self, input: &Input<'_>) -> (Vec<f32>, [f32; PageType::ALL.len()]) {
        let prediction = self.predict(input);
        (prediction.probabilities, prediction.page_types)
    }

    pub(super) fn predict<'p>(&self, input: &Input<'p>) -> Prediction<'p> {
        let source = FeatureSource::new(input, Mask::default(), &self.words);
        let page_types = page_type_probabilities(&self.page_types, &source.page);
        let mut first = vec![0.0; source.blocks()];
        let mut scorer = self.first(&page_types).row_scorer();
        for (batch, scores) in first.chunks_mut(LANES).enumerate() {
            for lane in 0..scores.len() {
                source.write_row(batch * LANES + lane, &page_types, lane, scorer.columns());
            }
            scorer.score(scores);
        }
        first.iter_mut().for_each(|score| *score = probability(*score));
        let neighbourhoods = Neighbourhoods::new(&source.rows.aggregates, &source.rows.repetition);
        let context = neighbourhoods.with_first_pass(&first, source.words());
        let mut probabilities = vec![0.0; first.len()];
        let mut scorer = self.context.scorer();
        for (batch, scores) in probabilities.chunks_mut(LANES).enumerate() {
            for lane in 0..scores.len() {
                let row = context.row(batch * LANES + lane);
                scorer.columns().iter_mut().zip(row).for_each(|(column, value)| column[lane] = value);
            }
            scorer.score(scores);
        }
        add_first_pass(&mut probabilities, &first);
        apply_rule_prior(
            &mut probabilities,
            source.words(),
            &source.rows.aggregates.by_article,
            page_types[PageType::Article as usize],
        );
        Prediction { probabilities, first, page_types, source, neighbourhoods }
    }
}

/// The most probable page type; ties go to the first.
#[must_use]
pub fn most_probable(page_types: &[f32; PageType::ALL.len()]) -> PageType {
    let mut best = 0;
    for at in 1..page_types.len() {
        if page_types[at] > page_types[best] {
            best = at;
        }
    }
    PageType::ALL[best]
}

/// Minimum probability of an article or documentation for a page to be treated as one.
///
/// Far below one half: a page mistaken for an article loses less than an article mistaken for a listing, which keeps the
/// teasers around it.
const ARTICLE_GATE: f32 = 0.1;

/// Whether a page with these page type probabilities is treated as an article: one text without repeated units.
#[must_use]
pub fn is_article(page_types: &[f32; PageType::ALL.len()]) -> bool {
    page_types[PageType::Article as usize] + page_types[PageType::Documentation as usize] >= ARTICLE_GATE
}

/// The probabilities after the context pass, from its rows and the probabilities of the first pass.
#[must_use]
pub fn context_probabilities(context: &Forest, rows: &[f32], first: &[f32]) -> Vec<f32> {
    let mut probabilities = vec![0.0; first.len()];
    context.score_all(rows, &mut probabilities);
    add_first_pass(&mut probabilities, first);
    probabilities
}

/// Turns the scores of the context pass, which correct the logits of the first pass, into probabilities.
fn add_first_pass(scores: &mut [f32], first: &[f32]) {
    for (score, &first) in scores.iter_mut().zip(first) {
        *score = probability(logit(first) + *score);
    }
}

/// How far the published rules shift the logits of blocks on a page that is certainly an article.
///
/// The verdicts of the rules are also features, but the forest trusts them only as far as its training pages justify. They deserve
/// more trust on pages from other years and in other languages. With shifts of .3, .5 and .9, F1 is .873, .873 and .871 on all training
/// sets, cross-validated by site, .952, .951 and .948 on modern news, and .941, .944 and .945 on cleanportaleval.
const RULE_PRIOR: f32 = 0.5;

/// Shifts the probabilities of a page's blocks towards the verdicts of the published rules; `article` is the probability
/// that the page is an article.
///
/// Rules that find less than half of the expected content have no influence: on a listing they keep one teaser or nothing.
pub fn apply_rule_prior(probabilities: &mut [f32], words: &[f32], by_rules: &[bool], article: f32) {
    let expected: f32 = probabilities.iter().zip(words).map(|(probability, words)| probability * words).sum();
    let ruled: f32 = by_rules.iter().zip(words).map(|(&by_rules, &words)| if by_rules { words } else { 0.0 }).sum();
    let fit = ((ruled / expected.max(1.0) - 0.4) / 0.2).clamp(0.0, 1.0);
    let shift = RULE_PRIOR * fit * (2.0 * article - 1.0).max(0.0);
    for (of_block, &by_rules) in probabilities.iter_mut().zip(by_rules) {
        *of_block = probability(logit(*of_block) + if by_rules { shift } else { -shift });
    }
}

/// The probability of each page type: the individual forests' probabilities, scaled to sum to 1.
#[must_use]
pub fn page_type_probabilities(page_types: &[Forest], page: &[f32]) -> [f32; PageType::ALL.len()] {
    let mut probabilities = [0f32; PageType::ALL.len()];
    for (of_type, forest) in probabilities.iter_mut().zip(page_types) {
        *of_type = probability(forest.score_row(page)).max(1e-4);
    }
    let total: f32 = probabilities.iter().sum();
    probabilities.iter_mut().for_each(|probability| *probability /= total.max(1e-6));
    probabilities
}
