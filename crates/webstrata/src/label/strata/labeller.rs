//! The labeller: turns a model's predictions into verdicts with reasons.

use super::decision::Decision;
use super::features::PageFeatures;
use super::model::{ContentModel, is_article};
use super::site::SiteEvidence;
use super::site_limits;
use crate::label::{Explanation, Input, Labeller, Labels, Preset, StageInfo};
use crate::model::{ModelError, logit, probability};
use std::sync::OnceLock;

/// The model that ships with the library; `strata.card.md` next to it documents its training.
static FILE: &[u8] = include_bytes!("strata.model");

/// The file of the model that ships with the library.
#[must_use]
pub fn shipped_file() -> &'static [u8] {
    FILE
}

/// That model, read once.
static SHIPPED: OnceLock<Result<ContentModel, ModelError>> = OnceLock::new();

static STRATA: StageInfo = StageInfo { name: "strata", source: "trained model, see strata.card.md", rules: &[] };

/// The learned labeller.
///
/// ```
/// use webstrata::{Page, label::strata::StrataLabeller};
/// let text = "It has been raining in the valley for three days, and nobody can remember when that last happened. ".repeat(4);
/// let html = format!("<nav class=menu><a href=/>Home</a> <a href=/n>News</a></nav><h1>Rain</h1><p>{text}</p>");
/// let page = Page::parse(html.as_bytes());
/// let strata = StrataLabeller::shipped()?;
/// let explanation = page.explain(&strata);
/// assert!(explanation.labels().verdict(2).content);
/// assert!(explanation.why(2).starts_with("strata: content: probability "));
/// assert!(!explanation.labels().verdict(0).content);
/// assert!(page.label(&strata).confidence().unwrap() > 0.5);
/// let careful = page.label(&strata.beta(0.5)); // precision counts more
/// assert!(careful.content().count() <= page.label(&strata).content().count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StrataLabeller<'m> {
    model: &'m ContentModel,
    /// Weight of recall relative to precision.
    beta: f32,
    site: Option<&'m SiteEvidence>,
}

/// Pages with more blocks fall back to the rules of `article`: features take some 400 bytes per block, and no page written
/// for readers is that long (the largest of 6,849 has 6,400 blocks).
const MAX_BLOCKS: usize = 50_000;

/// The weights of recall for the two modes.
pub(crate) const PRECISION_BETA: f32 = 0.5;
pub(crate) const RECALL_BETA: f32 = 2.0;

impl StrataLabeller<'static> {
    /// The labeller with the model that ships with the library.
    ///
    /// # Errors
    /// If the model cannot be read, which a test rules out.
    pub fn shipped() -> Result<Self, ModelError> {
        match SHIPPED.get_or_init(|| ContentModel::read(FILE)) {
            Ok(model) => Ok(StrataLabeller::new(model)),
            Err(error) => Err(*error),
        }
    }
}

impl<'m> StrataLabeller<'m> {
    /// The labeller with a model of your own.
    #[must_use]
    pub fn new(model: &'m ContentModel) -> Self {
        StrataLabeller { model, beta: 1.0, site: None }
    }

    /// Names of the sets that the model was trained on.
    #[must_use]
    pub fn trained_on(&self) -> &'m [String] {
        &self.model.trained_on
    }

    /// Sets the weight of recall relative to precision: above 1 favours recall, below 1 precision.
    #[must_use]
    pub fn beta(self, beta: f32) -> Self {
        StrataLabeller { beta: beta.clamp(0.05, 20.0), ..self }
    }

    /// Adds evidence from the site of the page.
    #[must_use]
    pub fn site(self, site: &'m SiteEvidence) -> Self {
        StrataLabeller { site: Some(site), ..self }
    }

    /// Name and source, for explanations.
    #[must_use]
    pub fn info() -> &'static StageInfo {
        &STRATA
    }

    fn decide<'p>(&self, input: &Input<'p>) -> Decision<'p> {
        let mut prediction = self.model.predict(input);
        let Some(site) = self.site else { return Decision::new(self.model, prediction, self.beta) };
        let mut shifts = site.shifts(input.blocks);
        shifts.resize(prediction.probabilities.len(), 0.0);
        let in_main_group = prediction.source.in_main_group();
        let is_article = is_article(&prediction.page_types);
        site_limits::limit(&mut shifts, &prediction.probabilities, &prediction.shape(&in_main_group), is_article);
        if shifts.iter().all(|&shift| shift == 0.0) {
            return Decision::new(self.model, prediction, self.beta);
        }
        let own = prediction.probabilities.clone();
        for (of_block, shift) in prediction.probabilities.iter_mut().zip(shifts) {
            *of_block = probability(logit(*of_block) - shift);
        }
        let decision = Decision::new(self.model, prediction, self.beta);
        decision.unless_emptied(self.model, own, self.beta)
    }
}

impl StrataLabeller<'_> {
    /// The labels without the page type that is reported; [`StrataLabeller::complete`] adds it.
    pub(crate) fn label_without_page_type(&self, input: &Input<'_>) -> Labels {
        if input.blocks.len() > MAX_BLOCKS {
            return Preset::Article.label(input);
        }
        self.decide(input).labels()
    }

    /// Adds the page type to labels of this page, unless they have one.
    pub(crate) fn complete(&self, input: &Input<'_>, labels: &Labels) {
        if let Some(learned) = &labels.learned {
            learned.page_type.complete(self.model, input);
        }
    }
}

impl Labeller for StrataLabeller<'_> {
    fn name(&self) -> &'static str {
        "strata"
    }

    fn label(&self, input: &Input<'_>) -> Labels {
        let labels = self.label_without_page_type(input);
        self.complete(input, &labels);
        labels
    }

    fn explain(&self, input: &Input<'_>) -> Explanation<'static> {
        if input.blocks.len() > MAX_BLOCKS {
            return Preset::Article.explain(input);
        }
        let decision = self.decide(input);
        let names = PageFeatures::columns();
        let reasons = (0..decision.kept.len()).map(|block| decision.why(self.model, &names, block)).collect();
        let labels = decision.labels();
        self.complete(input, &labels);
        Explanation::from_reasons(labels, &STRATA, reasons)
    }
}
