//! Weights of occurrences by segment; the segment is found from the position of the word.

use crate::schema::{Mark, names};
use tantivy::columnar::Column;
use tantivy::{DocId, Result, Score, Searcher, SegmentReader};

/// A rule that weights segments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MarkRule {
    /// Only blocks with at least this many words (thesis, 4.4.5).
    MinWords(u8),
    /// Only blocks with at least this text density (thesis, 4.4.5).
    MinDensity(u8),
    /// By the class of the segment in its site: weights by class number, 1 for unknown classes.
    SiteClasses(Vec<Score>),
}

impl MarkRule {
    fn weight(&self, mark: &Mark) -> Score {
        match self {
            MarkRule::MinWords(least) => Score::from(u8::from(mark.words >= *least)),
            MarkRule::MinDensity(least) => Score::from(u8::from(mark.density >= *least)),
            MarkRule::SiteClasses(weights) => weights.get(mark.site_class as usize).copied().unwrap_or(1.0),
        }
    }

    /// Whether the rule drops text, which changes lengths.
    fn drops(&self) -> bool {
        !matches!(self, MarkRule::SiteClasses(_))
    }
}

/// A rule, and the average length of the text it keeps.
#[derive(Clone, Debug)]
pub(crate) struct MarkWeights {
    rule: MarkRule,
    average_length: Option<Score>,
    largest: Score,
}

impl MarkWeights {
    /// Counts the words the rule keeps. This is done once per rule and index, in time linear in the number of segments.
    pub(crate) fn new(rule: MarkRule, searcher: &Searcher) -> Result<MarkWeights> {
        let largest = match &rule {
            MarkRule::SiteClasses(weights) => weights.iter().copied().fold(1.0, Score::max),
            _ => 1.0,
        };
        let mut weights = MarkWeights { rule, average_length: None, largest };
        if weights.rule.drops() {
            let (mut sum, mut pages) = (0.0, 0.0);
            for reader in searcher.segment_readers() {
                let mut marks = MarkReader::open(reader)?;
                for doc in 0..reader.max_doc() {
                    sum += f64::from(marks.length(doc, &weights));
                    pages += 1.0;
                }
            }
            weights.average_length = Some(if sum > 0.0 { (sum / pages) as Score } else { 1.0 });
        }
        Ok(weights)
    }

    pub(crate) fn average_length(&self) -> Option<Score> {
        self.average_length
    }

    pub(crate) fn largest(&self) -> Score {
        self.largest
    }
}

/// Reads the marks of pages in one part of the index.
pub(crate) struct MarkReader {
    column: Column<u64>,
    /// The page whose marks are loaded.
    doc: Option<DocId>,
    /// Its marks. The last one marks the end of the page.
    marks: Vec<Mark>,
}

impl MarkReader {
    pub(crate) fn open(reader: &SegmentReader) -> Result<MarkReader> {
        Ok(MarkReader { column: reader.fast_fields().u64(names::MARKS)?, doc: None, marks: Vec::new() })
    }

    fn load(&mut self, doc: DocId) -> &[Mark] {
        if self.doc != Some(doc) {
            self.doc = Some(doc);
            self.marks.clear();
            self.marks.extend(self.column.values_for_doc(doc).map(Mark::unpack));
        }
        &self.marks
    }

    /// The weighted number of words that the rule keeps. There is an empty position between two segments.
    pub(crate) fn length(&mut self, doc: DocId, weights: &MarkWeights) -> Score {
        let marks = self.load(doc);
        let words = |pair: &[Mark]| pair[1].start.saturating_sub(pair[0].start + 1) as Score;
        marks.windows(2).map(|pair| weights.rule.weight(&pair[0]) * words(pair)).sum()
    }

    /// The sum of the weights of positions, which must ascend.
    pub(crate) fn weigh(&mut self, doc: DocId, positions: &[u32], weights: &MarkWeights) -> Score {
        let marks = self.load(doc);
        let (mut at, mut sum) = (0, 0.0);
        let mut known: Option<(usize, Score)> = None;
        for &position in positions {
            while marks.get(at + 1).is_some_and(|next| next.start <= position) {
                at += 1;
            }
            let weight = match known {
                Some((same, weight)) if same == at => weight,
                _ => marks.get(at).map_or(1.0, |mark| weights.rule.weight(mark)),
            };
            known = Some((at, weight));
            sum += weight;
        }
        sum
    }
}
