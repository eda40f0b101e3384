//! Access to an index for evaluations and other programs.

use super::{Index, MAX_RESULTS, SearchOptions, guarded, text};
use crate::best::Candidate;
use crate::error::from_tantivy;
use crate::plan::Planner;
use crate::query::Query;
use crate::schema::names;
use crate::scorer::WordForms;
use crate::{SearchError, TopicRanks};
use tantivy::{DocAddress, TantivyDocument};

impl Index {
    /// The ranks stored with the pages, if the index was built with ranks.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn topic_ranks(&self) -> Result<Option<TopicRanks>, SearchError> {
        if self.rank_names.is_empty() {
            return Ok(None);
        }
        let failed = from_tantivy(&self.path);
        let mut pages = Vec::new();
        for reader in self.searcher.segment_readers() {
            let columns = reader.fast_fields();
            let keys = columns.u64(names::KEY).map_err(&failed)?;
            // A part of the index without any ranked page has no such column.
            let Some(ranks) = columns.column_opt::<f64>(names::RANKS).map_err(&failed)? else { continue };
            let alive = reader.alive_bitset();
            for doc in (0..reader.max_doc()).filter(|&doc| alive.is_none_or(|alive| alive.is_alive(doc))) {
                let values: Vec<f64> = ranks.values_for_doc(doc).collect();
                if let (Some(key), false) = (keys.first(doc), values.is_empty()) {
                    pages.push((key, values));
                }
            }
        }
        Ok(Some(TopicRanks::new(self.path.display().to_string(), &self.rank_names, &pages)))
    }

    /// The addresses (or ids) and titles of all pages that have a title, for evaluations.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn titles(&self) -> Result<Vec<(String, String)>, SearchError> {
        let mut titles = Vec::new();
        for (part, reader) in self.searcher.segment_readers().iter().enumerate() {
            for doc in reader.doc_ids_alive() {
                let document: TantivyDocument =
                    self.searcher.doc(DocAddress::new(part as u32, doc)).map_err(from_tantivy(&self.path))?;
                let name = text(&document, self.fields.url).or_else(|| text(&document, self.fields.id));
                titles.extend(name.zip(text(&document, self.fields.name)));
            }
        }
        Ok(titles)
    }

    /// The ids and scores of the best pages and nothing else, for evaluations.
    ///
    /// # Errors
    /// As for [`Index::search`].
    pub fn rank(&self, query: &Query, options: &SearchOptions) -> Result<Vec<(String, f32)>, SearchError> {
        let planner = Planner { fields: &self.fields, languages: &self.languages };
        let query = self.word_query(planner.plan(query)?, options)?;
        let failed = from_tantivy(&self.path);
        let best = guarded(&self.path, || self.best(&query, options.limit.min(MAX_RESULTS)))?.map_err(&failed)?;
        let id = |candidate: Candidate| {
            let document: TantivyDocument = self.searcher.doc(candidate.address).map_err(&failed)?;
            Ok((text(&document, self.fields.id).unwrap_or_default(), candidate.score))
        };
        best.into_iter().map(id).collect()
    }

    /// Only the time-critical part of a search. Returns the number of pages found and the best score.
    ///
    /// # Errors
    /// As for [`Index::search`].
    pub fn top(&self, query: &Query, options: &SearchOptions) -> Result<(usize, f32), SearchError> {
        let planner = Planner { fields: &self.fields, languages: &self.languages };
        let query = self.word_query(planner.plan(query)?, options)?;
        let best = self.best(&query, options.limit.min(MAX_RESULTS)).map_err(from_tantivy(&self.path))?;
        Ok((best.len(), best.first().map_or(0.0, |candidate| candidate.score)))
    }

    /// The best pages by tantivy's own BM25 over all text, for comparison: pages with at least one of the words.
    ///
    /// # Errors
    /// As for [`Index::search`].
    pub fn tantivy_top(&self, query: &Query, limit: usize) -> Result<Vec<(DocAddress, f32)>, SearchError> {
        use tantivy::query::{BooleanQuery, Query as TantivyQuery, TermQuery};
        use tantivy::schema::IndexRecordOption;
        let planner = Planner { fields: &self.fields, languages: &self.languages };
        let forms = planner.plan(query)?.words.into_iter().flat_map(|WordForms(forms)| forms);
        let term = |form: String| {
            let term = tantivy::Term::from_field_text(self.fields.all, &form);
            Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)) as Box<dyn TantivyQuery>
        };
        let query = BooleanQuery::union(forms.map(term).collect());
        let collector = tantivy::collector::TopDocs::with_limit(limit.max(1)).order_by_score();
        let found = self.searcher.search(&query, &collector).map_err(from_tantivy(&self.path))?;
        Ok(found.into_iter().map(|(score, address)| (address, score)).collect())
    }
}
