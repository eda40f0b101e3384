//! An index opened for searching.

mod evaluate;
mod hits;
mod options;

use crate::best::{Best, Candidate};
use crate::class_weights::{ClassWeight, SiteClasses};
use crate::error::from_tantivy;
use crate::manifest::{self, State, classes_file, tantivy_folder};
use crate::marks::{MarkRule, MarkWeights};
use crate::plan::{Plan, Planner};
use crate::query::Query;
use crate::ranking::{Ranking, Weights};
use crate::ranks::Ranks;
use crate::schema::{Class, Fields, names};
use crate::scorer::{Weighting, WordQuery, WordWeight};
use crate::words::Words;
use crate::write::register;
use crate::{PageRanks, SearchError};
pub use hits::{Hit, Results};
pub use options::{MAX_RESULTS, SearchOptions};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tantivy::query::{EnableScoring, Weight};
use tantivy::schema::Value;
use tantivy::{DocAddress, DocSet, ReloadPolicy, Searcher, TERMINATED, TantivyDocument};

/// Maximum number of languages whose stems are searched; the most frequent ones are chosen.
const MAX_LANGUAGES: usize = 12;

/// An open index.
///
/// ```
/// use webstrata_corpus::store::{PageRow, SegmentRow};
/// use webstrata_search::{Index, IndexOptions, IndexWriter, SearchOptions};
/// let folder = tempfile::tempdir().unwrap();
/// let mut writer = IndexWriter::open(folder.path(), &IndexOptions::default())?;
/// let page = PageRow { id: "1".into(), language: Some("en".into()), text: "Rivers rose.".into(), ..PageRow::default() };
/// let body = SegmentRow { text: "Rivers rose.".into(), content: true, ..SegmentRow::default() };
/// writer.add(&page, &[body])?;
/// writer.finish()?;
/// let index = Index::open(folder.path())?;
/// let found = index.search(&"river".parse()?, &SearchOptions::default())?;
/// assert_eq!((found.hits[0].id.as_str(), found.hits[0].snippet.hits[0]), ("1", [0, 6]));
/// # Ok::<(), webstrata_search::SearchError>(())
/// ```
pub struct Index {
    path: PathBuf,
    fields: Fields,
    searcher: Searcher,
    languages: Vec<Option<String>>,
    classes: SiteClasses,
    state: State,
    rank_names: Vec<String>,
    /// Mark weights, which take a scan of the index to prepare.
    prepared: Mutex<HashMap<String, Arc<MarkWeights>>>,
    /// Rank factors, by the name of the ranks.
    mixed: Mutex<HashMap<String, Arc<Ranks>>>,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Index({}, {} pages)", self.path.display(), self.pages())
    }
}

impl Index {
    /// Opens an index. Searches see the state at this moment, whatever is written later.
    ///
    /// # Errors
    /// If there is no index of this format, or it is damaged.
    pub fn open(path: &Path) -> Result<Index, SearchError> {
        let manifest = manifest::check(path)?;
        guarded(path, || Index::open_checked(path, manifest.ranks))?
    }

    fn open_checked(path: &Path, rank_names: Vec<String>) -> Result<Index, SearchError> {
        let failed = from_tantivy(path);
        let fields = Fields::new();
        let folder = tantivy_folder(path);
        let damaged = |reason: &str| SearchError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
        if !folder.join("meta.json").exists() {
            return Err(SearchError::NoIndex(path.to_owned()));
        }
        let mut index = tantivy::Index::open_in_dir(&folder).map_err(&failed)?;
        if index.schema() != fields.schema {
            return Err(damaged("its fields differ from its format"));
        }
        register(&mut index);
        let state = State::parse(index.load_metas().map_err(&failed)?.payload.as_deref());
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(&failed)?;
        let searcher = reader.searcher();
        let classes = match classes_file(path) {
            file if file.exists() => SiteClasses::read(&file)?,
            _ => SiteClasses::default(),
        };
        let languages = languages(&searcher, &fields).map_err(&failed)?;
        let (prepared, mixed) = (Mutex::default(), Mutex::default());
        Ok(Index { path: path.to_owned(), fields, searcher, languages, classes, state, rank_names, prepared, mixed })
    }

    /// Verifies the checksums of all files.
    ///
    /// # Errors
    /// If a checksum is wrong.
    pub fn verify(&self) -> Result<(), SearchError> {
        let wrong = guarded(&self.path, || self.searcher.index().validate_checksum())?.map_err(from_tantivy(&self.path))?;
        let mut names: Vec<String> = wrong.iter().map(|path| path.display().to_string()).collect();
        names.sort();
        match names.first() {
            None => Ok(()),
            Some(name) => Err(SearchError::Damaged { path: self.path.clone(), reason: format!("the checksum of {name} is wrong") }),
        }
    }

    /// Number of pages.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// Whether all pages of the tables are in the index.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.state.complete || self.state.tables.is_empty()
    }

    /// The segment classes of sites, with their weights.
    #[must_use]
    pub fn class_weights(&self) -> &[ClassWeight] {
        self.classes.weights()
    }

    /// Runs a query.
    ///
    /// # Errors
    /// If the query has no words, an option is out of range, or the index is damaged.
    pub fn search(&self, query: &Query, options: &SearchOptions) -> Result<Results, SearchError> {
        guarded(&self.path, || self.search_unguarded(query, options))?
    }

    fn search_unguarded(&self, query: &Query, options: &SearchOptions) -> Result<Results, SearchError> {
        if !(options.k1 > 0.0 && options.k1 <= 1000.0 && (0.0..=1.0).contains(&options.b)) {
            return Err(SearchError::Option("k1 must be above 0 and at most 1000, and b from 0 to 1".into()));
        }
        let limit = options.limit.min(MAX_RESULTS);
        let planner = Planner { fields: &self.fields, languages: &self.languages };
        let plan = planner.plan(query)?;
        let words = plan.words.clone();
        let query = self.word_query(plan, options)?;
        let mut wanted = if options.fold { limit.saturating_mul(2) + 10 } else { limit };
        loop {
            let best = self.best(&query, wanted).map_err(from_tantivy(&self.path))?;
            let exhausted = best.len() < wanted;
            let (kept, enough) = self.fold(best, limit, options.fold)?;
            // Many near duplicates were folded: look further down.
            if enough || exhausted || wanted >= MAX_RESULTS {
                let weight = if options.explain { Some(self.weight(&query)?) } else { None };
                let hits = kept.into_iter().map(|(page, similar)| self.hit(page, &similar, &words, weight.as_ref(), options));
                return Ok(Results { hits: hits.collect::<Result<_, _>>()? });
            }
            wanted = (wanted * 4).min(MAX_RESULTS);
        }
    }

    fn word_query(&self, plan: Plan, options: &SearchOptions) -> Result<WordQuery, SearchError> {
        let base = if options.ranking == Ranking::NoTemplates { self.fields.kept } else { self.fields.all };
        let weighting = match (options.ranking, options.weights) {
            (Ranking::Bm25 | Ranking::NoTemplates, _) => Weighting::Plain,
            (Ranking::Segments, Weights::Classes(weights)) => Weighting::Classes(
                Class::ALL.into_iter().map(|class| (self.fields.class(class), weights[class as usize])).collect(),
            ),
            (Ranking::Segments, Weights::Site) => {
                Weighting::Marks(self.prepared("site", || MarkRule::SiteClasses(self.classes.by_number()))?)
            }
            (Ranking::MinWords(least), _) => {
                Weighting::Marks(self.prepared(&options.ranking.to_string(), || MarkRule::MinWords(least))?)
            }
            (Ranking::MinDensity(least), _) => {
                Weighting::Marks(self.prepared(&options.ranking.to_string(), || MarkRule::MinDensity(least))?)
            }
        };
        let ranks = options.ranks.as_ref().map(|ranks| self.mixed(ranks)).transpose()?;
        let filter = plan.filter.map(Arc::from);
        Ok(WordQuery {
            base,
            words: plan.words,
            weighting,
            k1: options.k1,
            b: options.b,
            prune: !options.exhaustive,
            filter,
            ranks,
        })
    }

    fn prepared(&self, name: &str, rule: impl FnOnce() -> MarkRule) -> Result<Arc<MarkWeights>, SearchError> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(weights) = prepared.get(name) {
            return Ok(Arc::clone(weights));
        }
        let weights = Arc::new(MarkWeights::new(rule(), &self.searcher).map_err(from_tantivy(&self.path))?);
        prepared.insert(name.to_owned(), Arc::clone(&weights));
        Ok(weights)
    }

    fn mixed(&self, ranks: &PageRanks) -> Result<Arc<Ranks>, SearchError> {
        let mut mixed = self.mixed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = mixed.get(ranks.name()) {
            return Ok(Arc::clone(found));
        }
        let made = Arc::new(Ranks::new(&self.searcher, ranks.by_key(), ranks.weight(), &self.path)?);
        mixed.insert(ranks.name().to_owned(), Arc::clone(&made));
        Ok(made)
    }

    fn weight(&self, query: &WordQuery) -> Result<WordWeight, SearchError> {
        query.word_weight(EnableScoring::enabled_from_searcher(&self.searcher)).map_err(from_tantivy(&self.path))
    }

    /// Finds the best pages.
    fn best(&self, query: &WordQuery, count: usize) -> tantivy::Result<Vec<Candidate>> {
        let mut best = Best::new(count);
        if count == 0 {
            return Ok(Vec::new());
        }
        let scoring = EnableScoring::enabled_from_searcher(&self.searcher);
        let weight = query.word_weight(scoring)?;
        for (part, reader) in self.searcher.segment_readers().iter().enumerate() {
            let keys = reader.fast_fields().u64(names::KEY)?;
            let alive = reader.alive_bitset();
            let mut found = |doc, score| {
                if alive.is_none_or(|alive| alive.is_alive(doc)) {
                    let key = keys.first(doc).unwrap_or_default();
                    best.push(Candidate { score, key, address: DocAddress::new(part as u32, doc) });
                }
                best.threshold()
            };
            if query.words.is_empty() {
                // A query of filters only: the best by rank; all equal without ranks.
                let Some(filter) = &query.filter else { continue };
                let filter = filter.weight(EnableScoring::disabled_from_searcher(&self.searcher))?;
                let ranks = query.ranks.as_ref().and_then(|ranks| ranks.of_part(reader.segment_id()));
                let mut pages = filter.scorer(reader, 1.0)?;
                while pages.doc() != TERMINATED {
                    let doc = pages.doc();
                    found(doc, ranks.as_ref().and_then(|(ranks, _)| ranks.get(doc as usize)).copied().unwrap_or(1.0));
                    pages.advance();
                }
            } else {
                let threshold = best.threshold();
                let mut found = |doc, score| {
                    if alive.is_none_or(|alive| alive.is_alive(doc)) {
                        let key = keys.first(doc).unwrap_or_default();
                        best.push(Candidate { score, key, address: DocAddress::new(part as u32, doc) });
                    }
                    best.threshold()
                };
                weight.for_each_pruning(threshold, reader, &mut found)?;
            }
        }
        Ok(best.finish())
    }
}

fn text(document: &TantivyDocument, field: tantivy::schema::Field) -> Option<String> {
    document.get_first(field).and_then(|value| value.as_str().map(str::to_owned))
}

/// Turns a panic in tantivy, which trusts its files, into an error.
fn guarded<T>(path: &Path, work: impl FnOnce() -> T) -> Result<T, SearchError> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| SearchError::Damaged { path: path.to_owned(), reason: "a file cannot be decoded".into() })
}

/// The stemmed languages of an index, most frequent first, and `None` if there are pages without stemming.
fn languages(searcher: &Searcher, fields: &Fields) -> tantivy::Result<Vec<Option<String>>> {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for reader in searcher.segment_readers() {
        let lists = reader.inverted_index(fields.language)?;
        let mut terms = lists.terms().stream()?;
        while let Some((name, info)) = terms.next() {
            let name = String::from_utf8_lossy(name);
            if Words::has_stems(&name) && !name.contains('-') {
                *counts.entry(name.into_owned()).or_default() += u64::from(info.doc_freq);
            }
        }
    }
    let stemmed: u64 = counts.values().sum();
    let mut sorted: Vec<(String, u64)> = counts.into_iter().collect();
    sorted.sort_by(|one, two| two.1.cmp(&one.1).then(one.0.cmp(&two.0)));
    sorted.truncate(MAX_LANGUAGES);
    let pages: u64 = searcher.segment_readers().iter().map(|reader| u64::from(reader.max_doc())).sum();
    let mut languages: Vec<Option<String>> = sorted.into_iter().map(|(name, _)| Some(name)).collect();
    if stemmed < pages || languages.is_empty() {
        languages.push(None);
    }
    Ok(languages)
}
