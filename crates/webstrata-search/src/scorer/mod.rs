//! BM25 in which the frequency of a word is a weighted sum over the segments of the page.
//!
//! ```text
//! score(page) = rank(page) · Σ idf(t) · (k1 + 1) · tf(t) / (tf(t) + k1 · (1 − b + b · length / average length))
//! tf(t)       = Σ over the segments of the page: weight of the segment · occurrences of t in it
//! idf(t)      = ln(1 + (N − n(t) + 0.5) / (n(t) + 0.5))
//! ```
//!
//! Weights are applied inside the saturation, because a word in the title and in the text is one piece of evidence, not two
//! (S. Robertson, H. Zaragoza, M. Taylor: Simple BM25 extension to multiple weighted fields. CIKM 2004). With all weights 1 this is
//! tantivy's BM25. n(t) and lengths are those of the whole text, whatever the weights; only rankings that drop text (`bm25-minwords`,
//! `bm25-mindensity`) use the length of the text they keep.
//!
//! Pruning is block-max MaxScore (H. Turtle, J. Flood: Query evaluation, IP&M 1995; K. Chakrabarti et al.: Interval-based pruning
//! for top-k processing, ICDE 2011) on the block maxima that tantivy stores. Without the classes with a weight above 1, weighted
//! frequencies are at most the plain ones. Where those cannot reach the threshold, only pages in the lists of the heavier classes can.
//! With weights by position, frequencies are at most the largest weight times the plain ones, and the saturation is concave. Block
//! maxima are exact for the average length in their part of the index; a margin corrects them for the average length in the whole
//! index, so the pruned result equals the exhaustive one.

mod part;
mod prune;

use crate::marks::{MarkReader, MarkWeights};
use crate::ranks::Ranks;
use part::{Bounds, Cursor, Part};
use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::query::{Bm25Weight, EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Result, Score, SegmentReader, TERMINATED, TantivyError, Term};

/// The parameters for which tantivy's block maxima are valid.
const STANDARD: (Score, Score) = (1.2, 0.75);

/// A word of the query. Its forms in the languages of the index share one idf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordForms(pub(crate) Vec<String>);

/// How occurrences are weighted.
#[derive(Clone, Debug)]
pub(crate) enum Weighting {
    /// All with weight 1.
    Plain,
    /// By the field of their class.
    Classes(Vec<(Field, Score)>),
    /// By the segment of their position.
    Marks(Arc<MarkWeights>),
}

/// A query of words, restricted to the pages that match another query.
#[derive(Clone, Debug)]
pub(crate) struct WordQuery {
    pub(crate) base: Field,
    pub(crate) words: Vec<WordForms>,
    pub(crate) weighting: Weighting,
    pub(crate) k1: Score,
    pub(crate) b: Score,
    /// Whether to prune. Without pruning, every page is scored: the oracle of the tests.
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
            // Classes with a weight above 1 are bounded by their own lists.
            Weighting::Classes(_) => (1.0, None),
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
            classes.sort_by(|one, two| two.1.total_cmp(&one.1));
            let heavy = classes.iter().take_while(|(_, weight)| *weight > 1.0).count();
            let positions = match &self.marks {
                Some(_) => lists.read_postings(&weight.term, IndexRecordOption::WithFreqsAndPositions)?,
                None => None,
            };
            let (factor, bm25) = (weight.factor * boost, weight.bm25.boost_by(boost));
            let mut cursor = Cursor { form, block, at: 0, doc: 0, classes, heavy, positions, factor, bm25 };
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

/// All pages that contain one of the words and pass the filter.
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
            prune::pruned(part, threshold, callback);
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
