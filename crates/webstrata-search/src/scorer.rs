//! BM25 in which the frequency of a word is a weighted sum over the segments of the page.
//!
//! ```text
//! score(page) = rank(page) · Σ idf(t) · (k1 + 1) · tf(t) / (tf(t) + k1 · (1 − b + b · length / average length))
//! tf(t)       = Σ over the segments of the page: weight of the segment · occurrences of t in it
//! idf(t)      = ln(1 + (N − n(t) + 0.5) / (n(t) + 0.5))
//! ```
//!
//! S. Robertson, H. Zaragoza, M. Taylor: Simple BM25 extension to multiple weighted fields. CIKM 2004: weights inside the
//! saturation, because a word in the title and in the text is one piece of evidence, not two. With all weights 1 this is tantivy's
//! BM25. n(t) and lengths are those of the whole text, whatever the weights; only rankings that drop text (`bm25-minwords`,
//! `bm25-mindensity`) count the length of what they keep.
//!
//! Pruning is block-max MaxScore (H. Turtle, J. Flood: Query evaluation, IP&M 1995; K. Chakrabarti et al.: Interval-based pruning
//! for top-k processing, ICDE 2011). Weighted frequencies are at most the largest weight times the plain one, and the saturation is
//! concave, so the block maxima that tantivy stores bound them too. These are exact for the average length of their part of the
//! index; [`Bounds::margin`] corrects them for the average of all of it, so the pruned result equals the exhaustive one.

use crate::marks::{MarkReader, MarkWeights};
use crate::ranks::Ranks;
use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, Postings, SegmentPostings};
use tantivy::query::{Bm25Weight, EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Result, Score, SegmentReader, TERMINATED, TantivyError, Term};

/// The parameters for which tantivy's block maxima hold.
const STANDARD: (Score, Score) = (1.2, 0.75);
/// Rounding: sums of bounds are made in another order than scores.
const SLACK: Score = 1.000_01;

/// A word of the query: its forms in the languages of the index share one idf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordForms(pub(crate) Vec<String>);

/// How occurrences are weighted.
#[derive(Clone, Debug)]
pub(crate) enum Weighting {
    /// All the same.
    Plain,
    /// By the fields of classes.
    Classes(Vec<(Field, Score)>),
    /// By the segment of each position.
    Marks(Arc<MarkWeights>),
}

/// A query of words, with pages restricted by another query.
#[derive(Clone, Debug)]
pub(crate) struct WordQuery {
    pub(crate) base: Field,
    pub(crate) words: Vec<WordForms>,
    pub(crate) weighting: Weighting,
    pub(crate) k1: Score,
    pub(crate) b: Score,
    /// Without pruning, every page is scored: the oracle of the tests.
    pub(crate) prune: bool,
    pub(crate) filter: Option<Arc<dyn Query>>,
    pub(crate) ranks: Option<Arc<Ranks>>,
}

struct FormWeight {
    word: usize,
    term: Term,
    classes: Vec<(Term, Score)>,
    factor: Score,
    idf: Score,
    bm25: Bm25Weight,
}

pub(crate) struct WordWeight {
    forms: Vec<FormWeight>,
    words: usize,
    base: Field,
    average: Score,
    norms: Arc<[Score; 256]>,
    k1: Score,
    b: Score,
    largest: Score,
    marks: Option<Arc<MarkWeights>>,
    standard: bool,
    prune: bool,
    filter: Option<Box<dyn Weight>>,
    ranks: Option<Arc<Ranks>>,
}

impl Query for WordQuery {
    fn weight(&self, scoring: EnableScoring<'_>) -> Result<Box<dyn Weight>> {
        Ok(Box::new(self.word_weight(scoring)?))
    }
}

impl WordQuery {
    pub(crate) fn word_weight(&self, scoring: EnableScoring<'_>) -> Result<WordWeight> {
        let EnableScoring::Enabled { statistics_provider: statistics, .. } = scoring else {
            return Err(TantivyError::InvalidArgument("words are scored".into()));
        };
        let pages = statistics.total_num_docs()?;
        let average = statistics.total_num_tokens(self.base)? as Score / pages.max(1) as Score;
        let mut norms = [0.0; 256];
        for (id, norm) in norms.iter_mut().enumerate() {
            let length = FieldNormReader::id_to_fieldnorm(id as u8) as Score;
            *norm = self.k1 * (1.0 - self.b + self.b * length / average.max(Score::MIN_POSITIVE));
        }
        let mut forms = Vec::new();
        for (word, WordForms(texts)) in self.words.iter().enumerate() {
            let terms: Vec<Term> = texts.iter().map(|text| Term::from_field_text(self.base, text)).collect();
            let frequencies = terms.iter().map(|term| statistics.doc_freq(term)).collect::<Result<Vec<u64>>>()?;
            let frequency = frequencies.iter().sum::<u64>().min(pages);
            let idf = (1.0 + ((pages - frequency) as Score + 0.5) / (frequency as Score + 0.5)).ln();
            for ((term, text), _) in terms.into_iter().zip(texts).zip(frequencies).filter(|(_, found)| *found > 0) {
                let classes: &[(Field, Score)] = match &self.weighting {
                    Weighting::Classes(classes) => classes,
                    _ => &[],
                };
                let classes = classes.iter().filter(|(_, weight)| *weight != 1.0);
                let classes = classes.map(|&(field, weight)| (Term::from_field_text(field, text), weight)).collect();
                let bm25 = Bm25Weight::for_one_term_without_explain(frequency, pages, average);
                forms.push(FormWeight { word, term, classes, factor: idf * (1.0 + self.k1), idf, bm25 });
            }
        }
        let (largest, marks) = match &self.weighting {
            Weighting::Plain => (1.0, None),
            Weighting::Classes(classes) => (classes.iter().map(|class| class.1).fold(0.0, Score::max), None),
            Weighting::Marks(marks) => (marks.largest(), Some(Arc::clone(marks))),
        };
        let own_length = marks.as_ref().is_some_and(|marks| marks.average_length().is_some());
        let filter = self.filter.as_ref().map(|query| match scoring.searcher() {
            Some(searcher) => query.weight(EnableScoring::disabled_from_searcher(searcher)),
            None => query.weight(EnableScoring::disabled_from_schema(scoring.schema())),
        });
        Ok(WordWeight {
            forms,
            words: self.words.len(),
            base: self.base,
            average,
            norms: Arc::new(norms),
            k1: self.k1,
            b: self.b,
            largest,
            marks,
            standard: (self.k1, self.b) == STANDARD && !own_length,
            prune: self.prune,
            filter: filter.transpose()?,
            ranks: self.ranks.clone(),
        })
    }
}

/// One form of a word in one part of the index.
struct Cursor {
    form: usize,
    block: BlockSegmentPostings,
    at: usize,
    doc: DocId,
    classes: Vec<(SegmentPostings, Score)>,
    positions: Option<SegmentPostings>,
    factor: Score,
    bm25: Bm25Weight,
}

impl Cursor {
    fn plain_tf(&self) -> u32 {
        self.block.freq(self.at)
    }

    fn settle(&mut self) -> DocId {
        self.doc = if self.at < self.block.block_len() { self.block.doc(self.at) } else { TERMINATED };
        self.doc
    }

    fn advance(&mut self) -> DocId {
        if self.doc == TERMINATED {
            return TERMINATED;
        }
        self.at += 1;
        if self.at >= self.block.block_len() {
            self.block.advance();
            self.at = 0;
        }
        self.settle()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.doc >= target {
            return self.doc;
        }
        self.at = self.block.seek(target);
        self.settle()
    }
}

/// What the pages of one part of the index can score at most.
struct Bounds {
    /// Factor by which block maxima are too small at most.
    margin: Score,
    standard: bool,
    largest: Score,
    /// Largest factor of ranks.
    rank: Score,
}

/// The state of scoring in one part of the index.
struct Part {
    cursors: Vec<Cursor>,
    norms: FieldNormReader,
    cache: Arc<[Score; 256]>,
    marks: Option<(MarkReader, Arc<MarkWeights>)>,
    lengths: Option<(Score, Score, Score)>,
    filter: Option<Box<dyn Scorer>>,
    ranks: Option<Arc<[f32]>>,
    bounds: Bounds,
    positions: Vec<u32>,
}

impl Part {
    /// The part of the denominator that depends on the length of the page.
    fn norm(&mut self, doc: DocId) -> Score {
        match (self.lengths, &mut self.marks) {
            (Some((k1, b, average)), Some((reader, weights))) => k1 * (1.0 - b + b * reader.length(doc, weights) / average),
            _ => self.cache[usize::from(self.norms.fieldnorm_id(doc))],
        }
    }

    /// The least that [`Part::norm`] can be.
    fn least_norm(&self, doc: DocId) -> Score {
        match self.lengths {
            Some((k1, b, _)) => k1 * (1.0 - b),
            None => self.cache[usize::from(self.norms.fieldnorm_id(doc))],
        }
    }

    fn rank(&self, doc: DocId) -> Score {
        self.ranks.as_ref().and_then(|ranks| ranks.get(doc as usize)).copied().unwrap_or(1.0)
    }

    /// The weighted frequency.
    fn tf(&mut self, cursor: usize, doc: DocId) -> Score {
        let Part { cursors, marks, positions, .. } = self;
        let cursor = &mut cursors[cursor];
        let plain = cursor.plain_tf() as Score;
        if let (Some((reader, weights)), Some(postings)) = (marks, &mut cursor.positions) {
            if postings.doc() < doc {
                postings.seek(doc);
            }
            if postings.doc() != doc {
                return 0.0;
            }
            positions.clear();
            postings.append_positions_with_offset(0, positions);
            return reader.weigh(doc, positions, weights);
        }
        let mut tf = plain;
        for (postings, weight) in &mut cursor.classes {
            if postings.doc() < doc {
                postings.seek(doc);
            }
            if postings.doc() == doc {
                tf += (*weight - 1.0) * postings.term_freq() as Score;
            }
        }
        tf.max(0.0)
    }

    fn score_of(&mut self, cursor: usize, doc: DocId, norm: Score) -> Score {
        let tf = self.tf(cursor, doc);
        if tf > 0.0 { self.cursors[cursor].factor * tf / (tf + norm) } else { 0.0 }
    }

    /// The score, with its terms always added in the same order: the sum must not depend on how the index is divided.
    fn score(&mut self, doc: DocId) -> Score {
        let norm = self.norm(doc);
        let mut score = 0.0;
        for cursor in 0..self.cursors.len() {
            if self.cursors[cursor].doc == doc {
                score += self.score_of(cursor, doc, norm);
            }
        }
        score * self.rank(doc)
    }

    /// No more than this, without looking at the segments.
    fn at_most(&self, cursor: usize, norm: Score) -> Score {
        let tf = self.cursors[cursor].plain_tf() as Score * self.bounds.largest;
        self.cursors[cursor].factor * tf / (tf + norm)
    }

    /// No more than this in the current block, and the last page of the block.
    fn block_bound(&mut self, cursor: usize) -> (Score, DocId) {
        let cursor = &mut self.cursors[cursor];
        let last = cursor.block.docs().last().copied().unwrap_or(TERMINATED);
        if !self.bounds.standard {
            return (cursor.factor, last);
        }
        let most = cursor.block.block_max_score(&self.norms, &cursor.bm25) * self.bounds.margin * self.bounds.largest.max(1.0);
        (most.min(cursor.factor), last)
    }

    fn allows(&mut self, doc: DocId) -> bool {
        match &mut self.filter {
            None => true,
            Some(filter) => (if filter.doc() < doc { filter.seek(doc) } else { filter.doc() }) == doc,
        }
    }
}

impl WordWeight {
    fn open(&self, reader: &SegmentReader, boost: Score) -> Result<Part> {
        let lists = reader.inverted_index(self.base)?;
        let norms =
            reader.fieldnorms_readers().get_field(self.base)?.unwrap_or_else(|| FieldNormReader::constant(reader.max_doc(), 1));
        let mut cursors = Vec::new();
        for (form, weight) in self.forms.iter().enumerate() {
            let Some(block) = lists.read_block_postings(&weight.term, IndexRecordOption::WithFreqs)? else { continue };
            let mut classes = Vec::new();
            for (term, weight) in &weight.classes {
                let list = reader.inverted_index(term.field())?;
                classes.extend(list.read_postings(term, IndexRecordOption::WithFreqs)?.map(|postings| (postings, *weight)));
            }
            let positions = match &self.marks {
                Some(_) => lists.read_postings(&weight.term, IndexRecordOption::WithFreqsAndPositions)?,
                None => None,
            };
            let (factor, bm25) = (weight.factor * boost, weight.bm25.boost_by(boost));
            let mut cursor = Cursor { form, block, at: 0, doc: 0, classes, positions, factor, bm25 };
            cursor.settle();
            cursors.push(cursor);
        }
        let marks = match &self.marks {
            Some(weights) => Some((MarkReader::open(reader)?, Arc::clone(weights))),
            None => None,
        };
        let ranks = self.ranks.as_ref().and_then(|ranks| ranks.of_part(reader.segment_id()));
        let rank = ranks.as_ref().map_or(1.0, |(_, largest)| *largest);
        let filter = self.filter.as_ref().map(|filter| filter.scorer(reader, 1.0)).transpose()?;
        let here = lists.total_num_tokens() as Score / reader.max_doc().max(1) as Score;
        let ratio = if here > 0.0 && self.average > 0.0 { (here / self.average).max(self.average / here) } else { 1.0 };
        let bounds = Bounds { margin: ratio * ratio, standard: self.standard, largest: self.largest, rank };
        Ok(Part {
            cursors,
            norms,
            cache: Arc::clone(&self.norms),
            lengths: self.marks.as_ref().and_then(|marks| Some((self.k1, self.b, marks.average_length()?))),
            marks,
            filter,
            ranks: ranks.map(|(ranks, _)| ranks),
            bounds,
            positions: Vec::new(),
        })
    }

    /// The operands of a page's score.
    pub(crate) fn operands(&self, reader: &SegmentReader, doc: DocId) -> Result<Operands> {
        let mut part = self.open(reader, 1.0)?;
        for cursor in &mut part.cursors {
            cursor.seek(doc);
        }
        let norm = part.norm(doc);
        let mut terms = vec![Vec::new(); self.words];
        for cursor in 0..part.cursors.len() {
            if part.cursors[cursor].doc != doc {
                continue;
            }
            let form = &self.forms[part.cursors[cursor].form];
            terms[form.word].push(TermOperands {
                term: form.term.value().as_str().unwrap_or_default().to_owned(),
                idf: form.idf,
                plain_tf: part.cursors[cursor].plain_tf(),
                tf: part.tf(cursor, doc),
                score: part.score_of(cursor, doc, norm),
            });
        }
        Ok(Operands { score: part.score(doc), rank: part.rank(doc), norm, terms: terms.concat() })
    }
}

/// The operands of a score.
pub(crate) struct Operands {
    pub(crate) score: Score,
    pub(crate) rank: Score,
    pub(crate) norm: Score,
    pub(crate) terms: Vec<TermOperands>,
}

#[derive(Clone, Debug)]
pub(crate) struct TermOperands {
    pub(crate) term: String,
    pub(crate) idf: Score,
    pub(crate) plain_tf: u32,
    pub(crate) tf: Score,
    pub(crate) score: Score,
}

/// All pages with one of the words that the filter allows.
struct AllPages {
    part: Part,
    doc: DocId,
}

impl AllPages {
    fn settle(&mut self) -> DocId {
        loop {
            self.doc = self.part.cursors.iter().map(|cursor| cursor.doc).min().unwrap_or(TERMINATED);
            if self.doc == TERMINATED || self.part.allows(self.doc) {
                return self.doc;
            }
            self.step();
        }
    }

    fn step(&mut self) {
        for cursor in self.part.cursors.iter_mut().filter(|cursor| cursor.doc == self.doc) {
            cursor.advance();
        }
    }
}

impl DocSet for AllPages {
    fn advance(&mut self) -> DocId {
        self.step();
        self.settle()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        for cursor in &mut self.part.cursors {
            cursor.seek(target);
        }
        self.settle()
    }

    fn doc(&self) -> DocId {
        self.doc
    }

    fn size_hint(&self) -> u32 {
        self.part.cursors.iter().map(|cursor| cursor.block.doc_freq()).fold(0, u32::saturating_add)
    }
}

impl Scorer for AllPages {
    fn score(&mut self) -> Score {
        self.part.score(self.doc)
    }
}

impl Weight for WordWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> Result<Box<dyn Scorer>> {
        let part = self.open(reader, boost)?;
        if part.cursors.is_empty() {
            return Ok(Box::new(EmptyScorer));
        }
        let mut pages = AllPages { part, doc: 0 };
        pages.settle();
        Ok(Box::new(pages))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> Result<Explanation> {
        let operands = self.operands(reader, doc)?;
        let mut explanation = Explanation::new("rank · Σ idf · (k1 + 1) · tf / (tf + norm)", operands.score);
        explanation.add_const("rank", operands.rank);
        explanation.add_const("norm = k1 · (1 − b + b · length / average)", operands.norm);
        for term in operands.terms {
            let mut detail = Explanation::new_with_string(format!("word {:?}", term.term), term.score);
            detail.add_const("idf", term.idf);
            detail.add_const("tf, weighted", term.tf);
            detail.add_const("tf, plain", term.plain_tf as Score);
            explanation.add_detail(detail);
        }
        Ok(explanation)
    }

    fn for_each_pruning(
        &self,
        threshold: Score,
        reader: &SegmentReader,
        callback: &mut dyn FnMut(DocId, Score) -> Score,
    ) -> Result<()> {
        let part = self.open(reader, 1.0)?;
        if part.cursors.is_empty() {
            return Ok(());
        }
        if self.prune {
            pruned(part, threshold, callback);
            return Ok(());
        }
        let mut pages = AllPages { part, doc: 0 };
        let (mut doc, mut threshold) = (pages.settle(), threshold);
        while doc != TERMINATED {
            let score = pages.score();
            if score > threshold {
                threshold = callback(doc, score);
            }
            doc = pages.advance();
        }
        Ok(())
    }
}

/// Block-max MaxScore. Lists whose bounds together cannot reach the threshold are not essential: they are only asked about pages of
/// the others. Windows end where the first block of an essential list ends; whole windows are skipped by their bounds.
fn pruned(mut part: Part, mut threshold: Score, callback: &mut dyn FnMut(DocId, Score) -> Score) {
    // By falling bounds from the back: the smallest first. The order of equal ones does not matter for the result.
    let mut order: Vec<usize> = (0..part.cursors.len()).collect();
    order.sort_by(|&one, &two| part.cursors[one].factor.total_cmp(&part.cursors[two].factor));
    let count = order.len();
    let mut sums = vec![0.0; count + 1];
    for (at, &cursor) in order.iter().enumerate() {
        sums[at + 1] = sums[at] + part.cursors[cursor].factor * SLACK;
    }
    // Bounds are of the sum, without the rank.
    let largest_rank = part.bounds.rank;
    let mut first = 0;
    loop {
        while first < count && sums[first + 1] <= threshold / largest_rank {
            first += 1;
        }
        let doc = order[first..].iter().map(|&cursor| part.cursors[cursor].doc).min().unwrap_or(TERMINATED);
        if doc == TERMINATED {
            return;
        }
        let (mut sum, mut end) = (sums[first], TERMINATED - 1);
        for &cursor in &order[first..] {
            if part.cursors[cursor].doc != TERMINATED {
                let (bound, last) = part.block_bound(cursor);
                sum += bound * SLACK;
                end = end.min(last);
            }
        }
        if sum <= threshold / largest_rank {
            for &cursor in &order[first..] {
                part.cursors[cursor].seek(end + 1);
            }
            continue;
        }
        let mut doc = doc;
        while doc <= end {
            let (norm, rank) = (part.least_norm(doc), part.rank(doc));
            let mut most = sums[first];
            for &cursor in &order[first..] {
                if part.cursors[cursor].doc == doc {
                    most += part.at_most(cursor, norm) * SLACK;
                }
            }
            if most * rank > threshold && part.allows(doc) {
                let mut enough = true;
                if first > 0 {
                    // The exact scores of the essential lists may rule the page out before the others are asked.
                    let norm = part.norm(doc);
                    let mut score = 0.0;
                    for &cursor in &order[first..] {
                        if part.cursors[cursor].doc == doc {
                            score += part.score_of(cursor, doc, norm) * SLACK;
                        }
                    }
                    let mut at = first;
                    enough = (score + sums[at]) * rank > threshold;
                    while enough && at > 0 {
                        at -= 1;
                        if part.cursors[order[at]].seek(doc) == doc {
                            score += part.at_most(order[at], norm) * SLACK;
                        }
                        enough = (score + sums[at]) * rank > threshold;
                    }
                }
                if enough {
                    let score = part.score(doc);
                    if score > threshold {
                        threshold = callback(doc, score);
                    }
                }
            }
            let mut next = TERMINATED;
            for &cursor in &order[first..] {
                if part.cursors[cursor].doc == doc {
                    part.cursors[cursor].advance();
                }
                next = next.min(part.cursors[cursor].doc);
            }
            doc = next;
            if sums[first + 1] <= threshold / largest_rank {
                break;
            }
        }
    }
}
