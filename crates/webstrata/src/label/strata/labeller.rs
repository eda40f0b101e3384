//! The labeller: a model's opinion made into verdicts, with reasons.

use super::features::PageFeatures;
use super::model::{ContentModel, Opinion};
use super::names::Says;
use super::page_type::PageType;
use super::roles::told;
use super::select::best;
use super::site::SiteEvidence;
use crate::label::labels::Learned;
use crate::label::title::TitleMatch;
use crate::label::unit::{Marks, Trail, Unit};
use crate::label::{Explanation, Input, Labeller, Labels, Preset, Stage, StageInfo, Verdict};
use crate::model::{ModelError, logit, probability};
use std::sync::OnceLock;

/// The model that is part of this library; its card is `strata.card.md` beside it.
static FILE: &[u8] = include_bytes!("strata.model");

/// The file of that model.
#[must_use]
pub fn shipped_file() -> &'static [u8] {
    FILE
}

/// Read once: it never changes.
static SHIPPED: OnceLock<Result<ContentModel, ModelError>> = OnceLock::new();

static STRATA: StageInfo = StageInfo { name: "strata", source: "learned, see strata.card.md", rules: &[] };

/// The learned method.
///
/// ```
/// use webstrata::{Page, label::strata::Strata};
/// let text = "It has been raining in the valley for three days, and nobody can remember when that last happened. ".repeat(4);
/// let html = format!("<nav class=menu><a href=/>Home</a> <a href=/n>News</a></nav><h1>Rain</h1><p>{text}</p>");
/// let page = Page::parse(html.as_bytes());
/// let strata = Strata::shipped().unwrap();
/// let explanation = page.explain(&strata);
/// assert!(explanation.labels().verdict(2).content);
/// assert!(explanation.why(2).starts_with("strata: content: probability "));
/// assert!(!explanation.labels().verdict(0).content);
/// assert!(page.label(&strata).confidence().unwrap() > 0.5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Strata<'m> {
    model: &'m ContentModel,
    /// How much recall counts beside precision: 1 for as much.
    beta: f32,
    site: Option<&'m SiteEvidence>,
}

/// Pages of more blocks are left to the rules of `article`: evidence takes some 400 bytes a block, and no page for readers
/// has as many (the largest of 6,849 has 6,400).
const BLOCKS: usize = 50_000;

/// Words that must be left when comments are dropped: else they are what the page has to say.
const REST: f32 = 60.0;

/// A page with less sure content than this, in words, and less expected F1, has none: an error page, a wall, a shell.
const NOTHING_WORDS: f32 = 25.0;
const NOTHING_SCORE: f32 = 0.4;

/// Words of content that say little about a page: with as many, confidence is half of what is expected.
const FEW_WORDS: f32 = 5.0;

/// Least probability where precision is asked for.
const PRECISE: f32 = 0.5;

/// What a mode makes of the balance.
pub(crate) const PRECISION: f32 = 0.5;
pub(crate) const RECALL: f32 = 2.0;

impl Strata<'static> {
    /// The method with the model that is part of this library.
    ///
    /// # Errors
    /// When that model cannot be read, which a test rules out.
    pub fn shipped() -> Result<Self, ModelError> {
        match SHIPPED.get_or_init(|| ContentModel::read(FILE)) {
            Ok(model) => Ok(Strata::new(model)),
            Err(error) => Err(*error),
        }
    }
}

impl<'m> Strata<'m> {
    /// The method with a model.
    #[must_use]
    pub fn new(model: &'m ContentModel) -> Self {
        Strata { model, beta: 1.0, site: None }
    }

    /// With another balance: above 1 recall counts for more, below 1 precision.
    #[must_use]
    pub fn with_beta(self, beta: f32) -> Self {
        Strata { beta: beta.clamp(0.05, 20.0), ..self }
    }

    /// With what is known of the site.
    #[must_use]
    pub fn with_site(self, site: &'m SiteEvidence) -> Self {
        Strata { site: Some(site), ..self }
    }

    /// What it says of itself.
    #[must_use]
    pub fn info() -> &'static StageInfo {
        &STRATA
    }

    fn judge<'p>(&self, input: &Input<'p>) -> Judgement<'p> {
        let mut opinion = self.model.judge(input);
        if let Some(site) = self.site {
            for (likely, shift) in opinion.probabilities.iter_mut().zip(site.shifts(input.blocks)) {
                *likely = probability(logit(*likely) - shift);
            }
        }
        Judgement::new(self.model, opinion, self.beta)
    }
}

/// Why a block is kept or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Because {
    Probability,
    Comments,
    Nothing,
}

/// An opinion with what was made of it.
struct Judgement<'p> {
    opinion: Opinion<'p>,
    threshold: f32,
    confidence: f32,
    kept: Vec<bool>,
    because: Vec<Because>,
}

impl<'p> Judgement<'p> {
    fn new(model: &ContentModel, opinion: Opinion<'p>, beta: f32) -> Self {
        let words = opinion.basis.words();
        let balanced = model.floor(&opinion.page_types);
        let floor = if beta < 1.0 { balanced.max(PRECISE) } else { balanced / beta };
        let (threshold, _) = best(&opinion.probabilities, words, beta, floor, 1.0);
        let mut kept: Vec<bool> = opinion.probabilities.iter().map(|&probability| probability >= threshold).collect();
        let mut because = vec![Because::Probability; kept.len()];
        let is_comment = |block: usize| opinion.basis.rows.says(block).has(Says::COMMENTS);
        let rest: f32 = (0..kept.len()).filter(|&block| kept[block] && !is_comment(block)).map(|block| words[block]).sum();
        let forum = opinion.page_types[PageType::Forum as usize] >= 0.5;
        if beta <= 1.0 && !forum && rest >= REST {
            for block in (0..kept.len()).filter(|&block| is_comment(block)) {
                if std::mem::replace(&mut kept[block], false) {
                    because[block] = Because::Comments;
                }
            }
        }
        let score = expected(&opinion.probabilities, words, &kept);
        let sure: f32 = opinion.probabilities.iter().zip(words).map(|(probability, words)| probability * words).sum();
        let confidence = score * sure / (sure + FEW_WORDS);
        if score < NOTHING_SCORE && sure < NOTHING_WORDS {
            for block in 0..kept.len() {
                if std::mem::replace(&mut kept[block], false) {
                    because[block] = Because::Nothing;
                }
            }
        }
        Judgement { threshold, confidence, kept, because, opinion }
    }

    fn labels(&self, input: &Input<'_>) -> Labels {
        let titles = title_blocks(input);
        let verdicts = self.kept.iter().zip(&titles).map(|(&content, &title)| Verdict { content, title });
        let mut labels: Labels = verdicts.collect();
        let role = |block: usize| told(&self.opinion.basis.rows, block, self.kept[block]);
        labels.learned = Some(Box::new(Learned {
            probabilities: self.opinion.probabilities.clone(),
            roles: (0..self.kept.len()).map(role).collect(),
            page_type: self.opinion.page_type(),
            confidence: self.confidence,
        }));
        labels
    }

    /// The reason of a block: its probability against the threshold, and the evidence that carried it.
    fn why(&self, model: &ContentModel, names: &[&'static str], block: usize) -> String {
        let likely = self.opinion.probabilities[block];
        match self.because[block] {
            Because::Comments => {
                return format!(
                    "strata: not content: stands among readers' comments on a page that is no forum (probability {likely:.2})"
                );
            }
            Because::Nothing => {
                return format!("strata: not content: nothing on this page is likely to be content (probability {likely:.2})");
            }
            Because::Probability => {}
        }
        let mut row = Vec::with_capacity(names.len());
        self.opinion.basis.push_row(block, &self.opinion.page_types, &mut row);
        let mut contributions = vec![0.0; names.len()];
        model.first.contributions(&row, &mut contributions);
        let mut order: Vec<usize> = (0..names.len()).collect();
        let sign = if self.kept[block] { 1.0 } else { -1.0 };
        order.sort_by(|&a, &b| (sign * contributions[b]).total_cmp(&(sign * contributions[a])).then(a.cmp(&b)));
        let carried = order.iter().take(EVIDENCE).filter(|&&column| sign * contributions[column] > 0.0);
        let mut parts: Vec<String> =
            carried.map(|&column| format!("{} {} ({:+.1})", names[column], shown(row[column]), contributions[column])).collect();
        let mended = logit(likely) - logit(self.opinion.first[block]);
        if sign * mended > 0.1 {
            parts.push(format!("what stands round it ({mended:+.1})"));
        }
        let (verdict, than) = if self.kept[block] { ("content", ">=") } else { ("not content", "<") };
        format!("strata: {verdict}: probability {likely:.2} {than} {:.2}: {}", self.threshold, parts.join(", "))
    }
}

/// Columns that a reason names.
const EVIDENCE: usize = 3;

/// A number as reasons show it.
fn shown(value: f32) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}

/// The F1 to expect of what is kept.
fn expected(probabilities: &[f32], words: &[f32], kept: &[bool]) -> f32 {
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

/// By block: does it say the page's title?
fn title_blocks(input: &Input<'_>) -> Vec<bool> {
    let mut trail = Trail::without_reasons(input.blocks.len());
    let units = TitleMatch.apply(input, Unit::each(input.blocks), &mut trail);
    units.iter().map(|unit| unit.marks.has(Marks::TITLE)).collect()
}

impl Labeller for Strata<'_> {
    fn name(&self) -> &'static str {
        "strata"
    }

    fn label(&self, input: &Input<'_>) -> Labels {
        if input.blocks.len() > BLOCKS {
            return Preset::Article.label(input);
        }
        self.judge(input).labels(input)
    }

    fn explain(&self, input: &Input<'_>) -> Explanation<'static> {
        if input.blocks.len() > BLOCKS {
            return Preset::Article.explain(input);
        }
        let judgement = self.judge(input);
        let names = PageFeatures::columns();
        let reasons = (0..judgement.kept.len()).map(|block| judgement.why(self.model, &names, block)).collect();
        Explanation::from_reasons(judgement.labels(input), &STRATA, reasons)
    }
}
