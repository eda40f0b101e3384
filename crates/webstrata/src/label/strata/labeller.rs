//! The labeller: turns a model's predictions into verdicts with reasons.

use super::features::{PageFeatures, describe};
use super::model::{ContentModel, Prediction};
use super::names::NameRoles;
use super::page_type::PageType;
use super::roles::role_of;
use super::select::best_threshold;
use super::site::SiteEvidence;
use crate::label::labels::Learned;
use crate::label::{Explanation, Input, Labeller, Labels, Preset, StageInfo, Verdict};
use crate::model::{ModelError, logit, probability};
use std::sync::OnceLock;

/// The model that ships with the library; `strata.card.md` next to it says how it was trained.
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

/// Pages with more blocks are left to the rules of `article`: features take some 400 bytes per block, and no page written
/// for readers is that long (the largest of 6,849 has 6,400 blocks).
const MAX_BLOCKS: usize = 50_000;

/// Comments are dropped only if this many words remain; otherwise they are what the page is about.
const MIN_WORDS_WITHOUT_COMMENTS: f32 = 60.0;

/// A page is taken to have no content if fewer words of content than this are expected, and a lower F1: an error page, a
/// paywall, an empty shell.
const EMPTY_PAGE_WORDS: f32 = 25.0;
const EMPTY_PAGE_F1: f32 = 0.4;

/// Expected words of content at which confidence is half of the expected F1: few words say little about a page.
const HALF_CONFIDENCE_WORDS: f32 = 5.0;

/// Minimum probability where precision is favoured.
const MIN_PRECISE_PROBABILITY: f32 = 0.5;

/// The weights of recall for the two modes.
pub(crate) const PRECISION_BETA: f32 = 0.5;
pub(crate) const RECALL_BETA: f32 = 2.0;

impl StrataLabeller<'static> {
    /// The labeller with the model that ships with the library.
    ///
    /// # Errors
    /// If that model cannot be read, which a test rules out.
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
        if let Some(site) = self.site {
            for (of_block, shift) in prediction.probabilities.iter_mut().zip(site.shifts(input.blocks)) {
                *of_block = probability(logit(*of_block) - shift);
            }
        }
        Decision::new(self.model, prediction, self.beta)
    }
}

/// Why a block is kept or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// Its probability is above or below the threshold.
    Probability,
    /// It belongs to readers' comments.
    Comments,
    /// The page has no content.
    EmptyPage,
}

/// A prediction and the decisions that follow from it.
struct Decision<'p> {
    prediction: Prediction<'p>,
    threshold: f32,
    confidence: f32,
    kept: Vec<bool>,
    reasons: Vec<Reason>,
}

impl<'p> Decision<'p> {
    fn new(model: &ContentModel, prediction: Prediction<'p>, beta: f32) -> Self {
        let words = prediction.source.words();
        let balanced = model.floor(&prediction.page_types);
        let floor = if beta < 1.0 { balanced.max(MIN_PRECISE_PROBABILITY) } else { balanced / beta };
        let (threshold, _) = best_threshold(&prediction.probabilities, words, beta, floor, 1.0);
        let mut kept: Vec<bool> = prediction.probabilities.iter().map(|&probability| probability >= threshold).collect();
        let mut reasons = vec![Reason::Probability; kept.len()];
        let is_comment = |block: usize| prediction.source.rows.name_roles(block).intersects(NameRoles::COMMENTS);
        let rest: f32 = (0..kept.len()).filter(|&block| kept[block] && !is_comment(block)).map(|block| words[block]).sum();
        let forum = prediction.page_types[PageType::Forum as usize] >= 0.5;
        if beta <= 1.0 && !forum && rest >= MIN_WORDS_WITHOUT_COMMENTS {
            for block in (0..kept.len()).filter(|&block| is_comment(block)) {
                if std::mem::replace(&mut kept[block], false) {
                    reasons[block] = Reason::Comments;
                }
            }
        }
        let score = expected_f1(&prediction.probabilities, words, &kept);
        let content_words: f32 = prediction.probabilities.iter().zip(words).map(|(probability, words)| probability * words).sum();
        let confidence = score * content_words / (content_words + HALF_CONFIDENCE_WORDS);
        if score < EMPTY_PAGE_F1 && content_words < EMPTY_PAGE_WORDS {
            for block in 0..kept.len() {
                if std::mem::replace(&mut kept[block], false) {
                    reasons[block] = Reason::EmptyPage;
                }
            }
        }
        Decision { threshold, confidence, kept, reasons, prediction }
    }

    fn labels(&self) -> Labels {
        let verdicts = self
            .kept
            .iter()
            .zip(&self.prediction.source.rows.aggregates.titles)
            .map(|(&content, &title)| Verdict { content, title });
        let mut labels: Labels = verdicts.collect();
        let role = |block: usize| role_of(&self.prediction.source.rows, block, self.kept[block]);
        labels.learned = Some(Box::new(Learned {
            probabilities: self.prediction.probabilities.clone(),
            roles: (0..self.kept.len()).map(role).collect(),
            page_type: self.prediction.page_type(),
            confidence: self.confidence,
        }));
        labels
    }

    /// The reason for a block: its probability, the threshold, and the features that contributed most.
    fn why(&self, model: &ContentModel, names: &[&'static str], block: usize) -> String {
        let own = self.prediction.probabilities[block];
        match self.reasons[block] {
            Reason::Comments => {
                return format!("strata: not content: among readers' comments, and the page is not a forum (probability {own:.2})");
            }
            Reason::EmptyPage => {
                return format!("strata: not content: the page seems to have no content (probability {own:.2})");
            }
            Reason::Probability => {}
        }
        let mut row = Vec::with_capacity(names.len());
        self.prediction.source.push_row(block, &self.prediction.page_types, &mut row);
        let mut contributions = vec![0.0; names.len()];
        model.first.contributions(&row, &mut contributions);
        let mut order: Vec<usize> = (0..names.len()).collect();
        let sign = if self.kept[block] { 1.0 } else { -1.0 };
        order.sort_by(|&a, &b| (sign * contributions[b]).total_cmp(&(sign * contributions[a])).then(a.cmp(&b)));
        let strongest = order.iter().take(NAMED_FEATURES).filter(|&&column| sign * contributions[column] > 0.0);
        let mut parts: Vec<String> =
            strongest.map(|&column| format!("{} ({:+.1})", describe(names[column], row[column]), contributions[column])).collect();
        let context = logit(own) - logit(self.prediction.first[block]);
        if sign * context > 0.1 {
            parts.push(format!("surrounding blocks ({context:+.1})"));
        }
        let (verdict, than) = if self.kept[block] { ("content", ">=") } else { ("not content", "<") };
        format!("strata: {verdict}: probability {own:.2} {than} {:.2}: {}", self.threshold, parts.join(", "))
    }
}

/// Number of features that a reason names.
const NAMED_FEATURES: usize = 3;

/// The expected F1 of the blocks kept.
fn expected_f1(probabilities: &[f32], words: &[f32], kept: &[bool]) -> f32 {
    let (mut hits, mut size, mut content) = (0.0, 0.0, 0.0);
    for ((probability, words), kept) in probabilities.iter().zip(words).zip(kept) {
        content += probability * words;
        if *kept {
            hits += probability * words;
            size += words;
        }
    }
    if size + content > 0.0 { 2.0 * hits / (size + content) } else { 0.0 }
}

impl Labeller for StrataLabeller<'_> {
    fn name(&self) -> &'static str {
        "strata"
    }

    fn label(&self, input: &Input<'_>) -> Labels {
        if input.blocks.len() > MAX_BLOCKS {
            return Preset::Article.label(input);
        }
        self.decide(input).labels()
    }

    fn explain(&self, input: &Input<'_>) -> Explanation<'static> {
        if input.blocks.len() > MAX_BLOCKS {
            return Preset::Article.explain(input);
        }
        let decision = self.decide(input);
        let names = PageFeatures::columns();
        let reasons = (0..decision.kept.len()).map(|block| decision.why(self.model, &names, block)).collect();
        Explanation::from_reasons(decision.labels(), &STRATA, reasons)
    }
}
