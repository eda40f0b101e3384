//! Turns the best pages into displayed results.

use super::{Index, SearchOptions, text};
use crate::SearchError;
use crate::best::Candidate;
use crate::error::from_tantivy;
use crate::explain::Explained;
use crate::fold::Fingerprint;
use crate::schema::{Class, names};
use crate::scorer::{WordForms, WordWeight};
use crate::snippet::Snippet;
use serde::Serialize;
use tantivy::postings::Postings;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocAddress, DocSet, TantivyDocument, Term};
use webstrata_corpus::Timestamp;

/// A page and its near duplicates.
pub(super) type Folded = (Candidate, Vec<Candidate>);

/// The results of a search.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Results {
    /// The best pages.
    pub hits: Vec<Hit>,
}

/// A page that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Hit {
    /// Its score.
    pub score: f32,
    /// Its id in the tables.
    pub id: String,
    /// Its address.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its host.
    pub host: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// Its page type.
    pub kind: Option<String>,
    /// When it was published or changed, as ISO 8601.
    pub date: Option<String>,
    /// The part of its content that matches the query best.
    pub snippet: Snippet,
    /// Ids of near-duplicate pages that are folded into this one.
    pub similar: Vec<String>,
    /// Explanation of the score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explained>,
}

impl Index {
    /// Folds near duplicates. Returns the first `limit` distinct pages, each with its duplicates, and whether there are that many.
    pub(super) fn fold(&self, best: Vec<Candidate>, limit: usize, fold: bool) -> Result<(Vec<Folded>, bool), SearchError> {
        let mut kept: Vec<Folded> = Vec::new();
        if !fold {
            return Ok((best.into_iter().map(|page| (page, Vec::new())).collect(), true));
        }
        let failed = from_tantivy(&self.path);
        let mut prints: Vec<Fingerprint> = Vec::new();
        for page in best {
            let columns = self.searcher.segment_reader(page.address.segment_ord).fast_fields();
            let value = |name: &str| columns.u64(name).map(|column| column.first(page.address.doc_id).unwrap_or_default());
            let print = Fingerprint {
                key: page.key,
                hash: value(names::HASH).map_err(&failed)?,
                similar: value(names::SIMILAR).map_err(&failed)?,
                cluster: value(names::CLUSTER).map_err(&failed)?,
            };
            match prints.iter().position(|other| other.is_like(&print)) {
                Some(at) => kept[at].1.push(page),
                None if kept.len() == limit => continue, // a copy of a page above may still follow
                None => {
                    prints.push(print);
                    kept.push((page, Vec::new()));
                }
            }
        }
        let enough = kept.len() >= limit;
        Ok((kept, enough))
    }

    pub(super) fn hit(
        &self,
        page: Candidate,
        similar: &[Candidate],
        words: &[WordForms],
        weight: Option<&WordWeight>,
        options: &SearchOptions,
    ) -> Result<Hit, SearchError> {
        let failed = from_tantivy(&self.path);
        let document: TantivyDocument = self.searcher.doc(page.address).map_err(&failed)?;
        let id = |candidate: &Candidate| {
            let document: TantivyDocument = self.searcher.doc(candidate.address).map_err(&failed)?;
            Ok(text(&document, self.fields.id).unwrap_or_default())
        };
        let languages: Vec<String> =
            document.get_all(self.fields.language).filter_map(|value| value.as_str().map(str::to_owned)).collect();
        let language = languages.last().cloned();
        let forms: Vec<String> = words.iter().flat_map(|WordForms(forms)| forms).cloned().collect();
        let content = text(&document, self.fields.text).unwrap_or_default();
        let date = document.get_first(self.fields.date).and_then(|value| value.as_i64());
        let date = date.and_then(|seconds| Timestamp::from_micros(seconds.saturating_mul(1_000_000)));
        let explanation = match weight {
            Some(weight) => {
                let reader = self.searcher.segment_reader(page.address.segment_ord);
                let operands = weight.operands(reader, page.address.doc_id).map_err(&failed)?;
                let segments = self.segments_of(page.address, words).map_err(&failed)?;
                Some(Explained::new(operands, options, segments))
            }
            None => None,
        };
        Ok(Hit {
            score: page.score,
            id: text(&document, self.fields.id).unwrap_or_default(),
            url: text(&document, self.fields.url),
            title: text(&document, self.fields.name),
            host: text(&document, self.fields.host),
            kind: text(&document, self.fields.kind),
            date: date.map(|date| date.to_string()),
            snippet: Snippet::new(&content, &forms, languages.first().map(String::as_str)),
            language,
            similar: similar.iter().map(id).collect::<Result<_, SearchError>>()?,
            explanation,
        })
    }

    /// How often the words occur in each text class of a page.
    fn segments_of(&self, address: DocAddress, words: &[WordForms]) -> tantivy::Result<Vec<(Class, u32)>> {
        let reader = self.searcher.segment_reader(address.segment_ord);
        let mut counts = Vec::new();
        for class in Class::ALL {
            let field = self.fields.class(class);
            let lists = reader.inverted_index(field)?;
            let mut count = 0;
            for form in words.iter().flat_map(|WordForms(forms)| forms) {
                let term = Term::from_field_text(field, form);
                if let Some(mut postings) = lists.read_postings(&term, IndexRecordOption::WithFreqs)? {
                    let doc = if postings.doc() < address.doc_id { postings.seek(address.doc_id) } else { postings.doc() };
                    count += if doc == address.doc_id { postings.term_freq() } else { 0 };
                }
            }
            if count > 0 {
                counts.push((class, count));
            }
        }
        Ok(counts)
    }
}
