//! Counts the segments of a page in blocks of tokens: first finds all tokens of a block, then looks up their facts, then counts their
//! terms and the fingerprints of segments that end in the block. Each step reads scattered locations of large tables;
//! batched, these reads take a fraction of the time that they take one after the other.

use super::memo::Token;
use super::terms::Occurrence;
use super::values::{Cell, Profile};
use super::{Counts, FINE, MAX_DENSITY, MAX_SHORT, PageFacts, SegmentFacts, Strata, TENTHS, Tallies, Templates, rounded, tokens};
use webstrata_corpus::site::{Fingerprint, FingerprintMarks};

/// Tokens per block: enough for parallel reads, and few enough that the data is still in the cache.
const BLOCK: usize = 128;

/// Tokens and words that are counted together.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Tokens; the tokens of a segment follow its number on the page.
    tokens: Vec<Token>,
    terms: Vec<Occurrence>,
    /// Normalised words of the segment.
    words: Vec<u8>,
}

/// Sums over a page.
#[derive(Debug, Default)]
pub(super) struct PageSums {
    pub(super) strata: Strata,
    pub(super) profile: Profile,
    pub(super) letters: u64,
    pub(super) tokens: u64,
    /// Its density weighted by words, in thousandths, so that the sum is exact.
    pub(super) density: u64,
    /// The density of the previous segment.
    before: Option<f32>,
}

/// Sums over a segment so far.
#[derive(Clone, Copy, Debug, Default)]
struct SegmentSums {
    /// Its index on the page.
    number: Option<usize>,
    /// Its density class.
    density: usize,
    long: bool,
    letters: u64,
    tokens: u64,
    /// Words of the current sentence.
    sentence: usize,
    stop: bool,
    marks: FingerprintMarks,
}

impl Counts {
    /// Counts the segments of a page.
    pub(super) fn segments(&mut self, page: PageFacts<'_>) -> PageSums {
        let (mut sums, mut open) = (PageSums::default(), SegmentSums::default());
        sums.strata.pages = 1;
        let buffer = page.buffer().as_bytes();
        for (number, segment) in page.segments().iter().enumerate().filter(|(_, segment)| segment.words > 0) {
            self.block.tokens.push(Token::segment(number));
            let (text, mut at) = (page.text(segment), 0);
            while let Some((start, end)) = tokens::next(text, at) {
                self.block.tokens.push(self.memo.find(buffer, segment.start() + start, end - start));
                at = end;
                if self.block.tokens.len() >= BLOCK {
                    self.block(page, &mut sums, &mut open);
                }
            }
        }
        // Ends the last segment.
        self.block.tokens.push(Token::segment(page.segments().len()));
        self.block(page, &mut sums, &mut open);
        sums
    }

    /// Counts the tokens of a block, and the segments that end in it.
    fn block(&mut self, page: PageFacts<'_>, sums: &mut PageSums, open: &mut SegmentSums) {
        let Counts { tallies, terms, templates, memo, block, .. } = self;
        let buffer = page.buffer();
        memo.prefetch(&block.tokens);
        let mut segment = *open;
        for token in &block.tokens {
            if let Some(number) = token.starts_segment() {
                if let Some((number, facts)) = segment.number.and_then(|number| Some((number, page.segments().get(number)?))) {
                    sums.add(facts, &segment, tallies);
                    template(number, facts, &segment, &mut block.words, templates);
                }
                let density = page.segments().get(number).map_or(0, |segment| rounded(segment.density));
                segment = SegmentSums { number: Some(number), density, long: density > MAX_SHORT, ..SegmentSums::default() };
                block.words.clear();
                continue;
            }
            let facts = memo.token(token, buffer, terms, &mut block.words);
            let counts = u64::from(facts.letters > 0);
            segment.letters += u64::from(facts.letters);
            segment.tokens += counts;
            segment.sentence += counts as usize;
            if let Some(term) = facts.term {
                block.terms.push(Occurrence::new(term, segment.long));
            }
            segment.marks |= facts.marks;
            segment.stop |= facts.stop;
            if facts.ends && segment.sentence > 0 {
                tallies.sentences.add(segment.sentence, 1);
                segment.sentence = 0;
            }
        }
        *open = segment;
        terms.add(&block.terms);
        templates.count(|number| page.segments().get(number).map_or("", |segment| page.text(segment)));
        block.tokens.clear();
        block.terms.clear();
    }
}

impl PageSums {
    /// Adds a segment whose tokens have all been counted.
    fn add(&mut self, facts: &SegmentFacts, segment: &SegmentSums, tallies: &mut Tallies) {
        let (words, density, stop) = (u64::from(facts.words), segment.density, usize::from(segment.stop));
        tallies.density_words[stop].add(density, words);
        tallies.density_segments[stop].add(density, 1);
        tallies.density_linked.add(density, (f64::from(facts.link_density).clamp(0.0, 1.0) * words as f64).round() as u64);
        tallies.density_letters[0].add(density, segment.letters);
        tallies.density_letters[1].add(density, segment.tokens);
        tallies.lengths.add(facts.words as usize, 1);
        if segment.tokens > 0 {
            tallies.token_lengths.add((segment.letters as f64 / segment.tokens as f64 * TENTHS).round() as usize, words);
        }
        if let Some(class) = self.before.and_then(|before| quotient(before, facts.density)) {
            tallies.quotients.add(class, 1);
        }
        self.before = Some(facts.density);
        self.strata.segments[usize::from(segment.long)] += 1;
        self.strata.words[usize::from(segment.long)] += words;
        self.profile.add(facts.words);
        self.letters += segment.letters;
        self.tokens += segment.tokens;
        self.density += words * (f64::from(facts.density).clamp(0.0, 1e4) * FINE).round() as u64;
    }
}

/// Queues the fingerprint of a segment, to be counted at the end of the block.
fn template(number: usize, facts: &SegmentFacts, segment: &SegmentSums, words: &mut Vec<u8>, templates: &mut Templates) {
    if let Some(fingerprint) = Fingerprint::of_words(words, segment.marks) {
        let density = segment.density.min(MAX_DENSITY) as u8;
        let cell = Cell { density, stop: segment.stop, segments: 1, words: u64::from(facts.words) };
        templates.push(fingerprint.0, number, cell);
    }
}

/// The class of the density quotient of two neighbours (equation 4.9); `None` if their densities are equal.
fn quotient(before: f32, after: f32) -> Option<usize> {
    let (before, after) = (f64::from(before), f64::from(after));
    (before != after && after > 0.0).then(|| ((before - after).abs() / after).ceil() as usize)
}
