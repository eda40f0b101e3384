//! The features of a candidate answer, from which its F1 is predicted. `docs/features.md` explains every name.

use super::aggregates::{LONG_MAX_LINKS, LONG_MIN_WORDS};
use super::answers::{Answer, Shape};
use super::features::PAGE_TYPE_COLUMNS;
use super::page_type::PageType;

/// Names of the features of an answer, in order.
pub const ANSWER_COLUMNS: [&str; OWN_COLUMNS.len() + PAGE_TYPE_COLUMNS.len()] = {
    let mut all = [""; OWN_COLUMNS.len() + PAGE_TYPE_COLUMNS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < OWN_COLUMNS.len() { OWN_COLUMNS[at] } else { PAGE_TYPE_COLUMNS[at - OWN_COLUMNS.len()] };
        at += 1;
    }
    all
};

/// All but the page type probabilities.
const OWN_COLUMNS: [&str; 38] = [
    "kind of answer",
    "expected precision",
    "expected recall",
    "expected F1",
    "expected F1 over base answer",
    "page share",
    "log of word count",
    "word count over expected content",
    "share of base answer",
    "share in base answer",
    "ranges",
    "ranges per block",
    "share of words between first and last block",
    "link density",
    "lowest probability",
    "highest probability left out",
    "uncertainty",
    "uncertainty of the rest",
    "share kept by rules",
    "share of what rules keep",
    "share of main group",
    "share in main group",
    "share of long text",
    "long-text share",
    "position of first block",
    "position of last block",
    "heading share",
    "share of blocks",
    "words per block",
    "log of page words",
    "log of expected content",
    "expected content share of page",
    "uncertainty of page",
    "expected F1 of base answer",
    "share of page kept by rules",
    "words kept by rules over expected content",
    "main group share of page",
    "long-text share of page",
];

/// Words of an answer or of a page, by kind.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    words: f32,
    /// Expected content.
    hits: f32,
    uncertainty: f32,
    rules: f32,
    group: f32,
    long: f32,
    links: f32,
    blocks: f32,
    headings: f32,
}

impl Sums {
    fn add(&mut self, shape: &Shape<'_>, probabilities: &[f32], block: usize) {
        let (words, probability) = (shape.words[block], probabilities[block]);
        self.words += words;
        self.hits += words * probability;
        self.uncertainty += words * 4.0 * probability * (1.0 - probability);
        self.rules += if shape.by_rules[block] { words } else { 0.0 };
        self.group += if shape.in_main_group[block] { words } else { 0.0 };
        self.long += if words >= LONG_MIN_WORDS && shape.link_density[block] < LONG_MAX_LINKS { words } else { 0.0 };
        self.links += words * shape.link_density[block];
        self.blocks += 1.0;
        self.headings += f32::from(u8::from(shape.heading[block] > 0));
    }
}

/// Cap on the words of a block left out.
const MAX_WORDS_LEFT_OUT: f32 = 40.0;

/// Computes the rows of a page's answers; sums over the page are computed once.
#[derive(Debug)]
pub(super) struct AnswerRows<'p> {
    shape: Shape<'p>,
    probabilities: &'p [f32],
    page_types: [f32; PageType::ALL.len()],
    page: Sums,
    base: &'p [bool],
    base_words: f32,
    base_f1: f32,
}

fn ratio(part: f32, whole: f32) -> f32 {
    part / whole.max(1.0)
}

impl<'p> AnswerRows<'p> {
    pub(super) fn new(
        shape: Shape<'p>,
        probabilities: &'p [f32],
        page_types: &[f32; PageType::ALL.len()],
        base: &'p [bool],
    ) -> Self {
        let (mut page, mut of_base) = (Sums::default(), Sums::default());
        for (block, &in_base) in base.iter().enumerate() {
            page.add(&shape, probabilities, block);
            if in_base {
                of_base.add(&shape, probabilities, block);
            }
        }
        let base_f1 = 2.0 * of_base.hits / (of_base.words + page.hits).max(1.0);
        AnswerRows { shape, probabilities, page_types: *page_types, page, base, base_words: of_base.words, base_f1 }
    }

    /// The row of an answer.
    pub(super) fn row(&self, answer: &Answer) -> [f32; ANSWER_COLUMNS.len()] {
        let (page, kept, count) = (&self.page, &answer.kept, self.probabilities.len() as f32);
        let mut own = Sums::default();
        let (mut in_base, mut between, mut ranges) = (0f32, 0f32, 0f32);
        let (mut lowest, mut left_out) = (1f32, 0f32);
        let (first, last) = (kept.iter().position(|kept| *kept), kept.iter().rposition(|kept| *kept));
        let range = first.zip(last).map_or(0..0, |(first, last)| first..last + 1);
        let mut before = false;
        for (block, &kept) in kept.iter().enumerate() {
            let (words, probability) = (self.shape.words[block], self.probabilities[block]);
            if kept {
                own.add(&self.shape, self.probabilities, block);
                lowest = lowest.min(probability);
                ranges += f32::from(u8::from(!before));
                in_base += if self.base[block] { words } else { 0.0 };
            } else {
                left_out = left_out.max(probability * words.min(MAX_WORDS_LEFT_OUT));
            }
            between += if range.contains(&block) { words } else { 0.0 };
            before = kept;
        }
        let expected_f1 = 2.0 * own.hits / (own.words + page.hits).max(1.0);
        let [a, b, c, d, e, f, g] = self.page_types;
        [
            answer.kind.number(),
            ratio(own.hits, own.words),
            ratio(own.hits, page.hits),
            expected_f1,
            expected_f1 - self.base_f1,
            ratio(own.words, page.words),
            own.words.ln_1p(),
            ratio(own.words, page.hits),
            ratio(in_base, self.base_words),
            ratio(in_base, own.words),
            ranges,
            ratio(ranges, own.blocks),
            ratio(own.words, between),
            ratio(own.links, own.words),
            lowest,
            left_out,
            ratio(own.uncertainty, own.words),
            ratio(page.uncertainty - own.uncertainty, page.words - own.words),
            ratio(own.rules, own.words),
            ratio(own.rules, page.rules),
            ratio(own.group, page.group),
            ratio(own.group, own.words),
            ratio(own.long, page.long),
            ratio(own.long, own.words),
            ratio(first.map_or(count, |first| first as f32), count),
            ratio(last.map_or(0.0, |last| last as f32), count),
            ratio(own.headings, own.blocks),
            ratio(own.blocks, count),
            ratio(own.words, own.blocks),
            page.words.ln_1p(),
            page.hits.ln_1p(),
            ratio(page.hits, page.words),
            ratio(page.uncertainty, page.words),
            self.base_f1,
            ratio(page.rules, page.words),
            ratio(page.rules, page.hits),
            ratio(page.group, page.words),
            ratio(page.long, page.words),
            a,
            b,
            c,
            d,
            e,
            f,
            g,
        ]
    }
}
