//! From a prediction to verdicts: chooses one answer for the page, then handles comments and pages without content.

use super::answer_row::{ANSWER_COLUMNS, AnswerRows};
use super::answers::{self, Answer, Kind, Shape};
use super::features::{PageFeatures, describe};
use super::model::{ContentModel, Prediction, is_article};
use super::names::NameRoles;
use super::page_type::PageType;
use super::reported_type::ReportedType;
use super::roles::BlockRoles;
use super::site_limits::leaves_enough;
use crate::label::labels::Learned;
use crate::label::{Labels, Verdict};
use crate::model::{Forest, logit, probability};

/// Comments are dropped only if this many words remain; otherwise they are what the page is about.
const MIN_WORDS_WITHOUT_COMMENTS: f32 = 60.0;

/// A page is assumed to have no content if both its expected content words and its expected F1 are below these: an error page,
/// a paywall, an empty shell.
const EMPTY_PAGE_WORDS: f32 = 25.0;
const EMPTY_PAGE_F1: f32 = 0.4;

/// With fewer expected words than this, only blocks that are more likely content than not are kept: on a page of a few words
/// the answer with the highest expected F1 would keep all of them.
const FEW_WORDS: f32 = 5.0;
const MIN_PROBABILITY_OF_FEW: f32 = 0.5;

/// Expected words of content at which the confidence is halved: few words say little about a page.
const HALF_CONFIDENCE_WORDS: f32 = 5.0;

/// Minimum probability where precision is favoured.
const MIN_PRECISE_PROBABILITY: f32 = 0.5;

/// An answer replaces the base answer only if its predicted F1 is higher by this much: the highest of many predictions is
/// likely to be too high.
const MARGIN: f32 = 0.02;

/// The answers considered for a page, the base answer first, with their concatenated rows.
///
/// On an article the base answer is the only one: a threshold is right there more often than the forest's choice.
fn considered(
    shape: Shape<'_>,
    probabilities: &[f32],
    page_types: &[f32; PageType::ALL.len()],
    base: Answer,
) -> (Vec<Answer>, Vec<f32>) {
    let mut answers = vec![base];
    if !is_article(page_types) {
        answers.extend(answers::candidates(&shape, probabilities, &answers[0]));
    }
    let rows = AnswerRows::new(shape, probabilities, page_types, &answers[0].kept);
    let values = answers.iter().flat_map(|answer| rows.row(answer)).collect();
    (answers, values)
}

/// The blocks kept by each answer considered for a page, and the rows of the answers, for training.
#[must_use]
pub fn answers_of(
    features: &PageFeatures,
    probabilities: &[f32],
    page_types: &[f32; PageType::ALL.len()],
    floor: f32,
) -> (Vec<Vec<bool>>, Vec<f32>) {
    let (base, _) = answers::base(probabilities, features.words(), 1.0, floor);
    let (answers, rows) = considered(features.shape(), probabilities, page_types, base);
    (answers.into_iter().map(|answer| answer.kept).collect(), rows)
}

/// Chooses an answer from the rows of all answers considered; also returns its predicted F1.
#[must_use]
pub fn choose_answer(forest: &Forest, rows: &[f32]) -> (usize, f32) {
    let mut best = (0, f32::MIN, 0.0);
    for (at, row) in rows.chunks_exact(ANSWER_COLUMNS.len()).enumerate() {
        let predicted = probability(forest.score_row(row));
        let score = if at == 0 { predicted } else { predicted - MARGIN };
        if score > best.1 {
            best = (at, score, predicted);
        }
    }
    (best.0, best.2)
}

/// Why a block is kept or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// Its probability is above or below the threshold.
    Probability,
    /// The answer chosen for the page differs from the threshold's.
    Answer(Kind),
    /// It belongs to readers' comments.
    Comments,
    /// The page has no content.
    EmptyPage,
}

/// A prediction and the decisions that follow from it.
pub(super) struct Decision<'p> {
    prediction: Prediction<'p>,
    threshold: f32,
    confidence: f32,
    pub(super) kept: Vec<bool>,
    reasons: Vec<Reason>,
}

impl<'p> Decision<'p> {
    pub(super) fn new(model: &ContentModel, prediction: Prediction<'p>, beta: f32) -> Self {
        let words = prediction.source.words();
        let balanced = model.floor(&prediction.page_types);
        let content_words: f32 = prediction.probabilities.iter().zip(words).map(|(probability, words)| probability * words).sum();
        let few = content_words < FEW_WORDS;
        let floor = if beta < 1.0 { balanced.max(MIN_PRECISE_PROBABILITY) } else { balanced / beta };
        let floor = if few && beta <= 1.0 { floor.max(MIN_PROBABILITY_OF_FEW) } else { floor };
        let (base, threshold) = answers::base(&prediction.probabilities, words, beta, floor);
        let in_main_group = prediction.source.in_main_group();
        let shape = prediction.shape(&in_main_group);
        let (mut kept, mut reasons) = (base.kept.clone(), vec![Reason::Probability; base.kept.len()]);
        let (answers, rows) = considered(shape, &prediction.probabilities, &prediction.page_types, base);
        let (chosen, predicted) = choose_answer(&model.answers, &rows);
        let confidence = predicted.powf(model.caution) * content_words / (content_words + HALF_CONFIDENCE_WORDS);
        // The forest predicts F1, so it is not used where precision or recall is favoured.
        if let Some(answer) = answers.get(chosen).filter(|_| beta == 1.0 && chosen > 0 && !few) {
            for ((kept, reason), &of_answer) in kept.iter_mut().zip(&mut reasons).zip(&answer.kept) {
                if std::mem::replace(kept, of_answer) != of_answer {
                    *reason = Reason::Answer(answer.kind);
                }
            }
        }
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
        if content_words < EMPTY_PAGE_WORDS && score < EMPTY_PAGE_F1 {
            for block in 0..kept.len() {
                if std::mem::replace(&mut kept[block], false) {
                    reasons[block] = Reason::EmptyPage;
                }
            }
        }
        Decision { threshold, confidence, kept, reasons, prediction }
    }

    /// This decision, made with site evidence, unless it keeps too little of what the page's own probabilities would; then the decision by those.
    pub(super) fn unless_emptied(self, model: &ContentModel, own: Vec<f32>, beta: f32) -> Self {
        let kept = self.kept.clone();
        let mut prediction = self.prediction;
        let with_site = std::mem::replace(&mut prediction.probabilities, own);
        let alone = Decision::new(model, prediction, beta);
        let is_article = is_article(&alone.prediction.page_types);
        if !leaves_enough(alone.prediction.source.words(), &alone.kept, &kept, is_article) {
            return alone;
        }
        let mut prediction = alone.prediction;
        prediction.probabilities = with_site;
        Decision { prediction, kept, threshold: self.threshold, confidence: self.confidence, reasons: self.reasons }
    }

    pub(super) fn labels(&self) -> Labels {
        let titles = &self.prediction.source.rows.aggregates.titles;
        let verdicts = self.kept.iter().zip(titles).map(|(&content, &title)| Verdict { content, title });
        let mut labels: Labels = verdicts.collect();
        labels.learned = Some(Box::new(Learned {
            probabilities: self.prediction.probabilities.clone(),
            roles: BlockRoles::new(&self.prediction.source.rows),
            page_type: ReportedType::new(self.prediction.source.page.clone()),
            confidence: self.confidence,
        }));
        labels
    }

    /// The reason for a block: its probability, the threshold, and the features that contributed most.
    pub(super) fn why(&self, model: &ContentModel, names: &[&'static str], block: usize) -> String {
        let own = self.prediction.probabilities[block];
        let verdict = if self.kept[block] { "content" } else { "not content" };
        match self.reasons[block] {
            Reason::Comments => {
                return format!("strata: not content: among readers' comments, and the page is not a forum (probability {own:.2})");
            }
            Reason::EmptyPage => {
                return format!("strata: not content: the page seems to have no content (probability {own:.2})");
            }
            Reason::Answer(kind) => {
                let what = kind.description();
                return format!("strata: {verdict}: the best answer for the page is {what} (probability {own:.2})");
            }
            Reason::Probability => {}
        }
        let mut row = Vec::with_capacity(names.len());
        self.prediction.source.push_row(block, &self.prediction.page_types, &mut row);
        let mut contributions = vec![0.0; names.len()];
        model.first(&self.prediction.page_types).contributions(&row, &mut contributions);
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
        let than = if self.kept[block] { ">=" } else { "<" };
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
