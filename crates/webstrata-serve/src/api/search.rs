//! `search` and `facets`.

use super::options::{MAX_TOPIC, bounded};
use super::stored::{damaged, limited};
use super::{json, missing, to_json};
use crate::http::error::{ApiError, Failures};
use crate::http::params::Params;
use crate::state::App;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json as value;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::IntoParams;
use webstrata_corpus::graph::facets::{FacetOptions, RESULTS};
use webstrata_search::{Hit, Index, Query, Ranking, SearchError, SearchOptions, Weights};

/// Maximum number of results.
const MAX_RESULTS: usize = 200;
/// Maximum length of a query in characters.
const MAX_QUERY: usize = 1000;
/// Exponent of ranks, the same as in `webstrata search`.
const RANK_WEIGHT: f64 = 0.2;
/// Maximum number of values listed for a facet.
const MAX_VALUES: usize = 20;
const NO_INDEX: &str = "this server has no index; give it a folder that `webstrata index` wrote";

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchParams {
    /// The query, as docs/search.md describes it: words, "phrases", AND, OR, -not, site:, lang:, kind:, after:, before:.
    #[param(max_length = 1000)]
    q: String,
    /// Number of results.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// The ranking: `bm25`, `bm25-nt`, `bm25-segment`, `bm25-minwords=K`, `bm25-mindensity=D`.
    #[param(pattern = "^(bm25|bm25-nt|bm25-segment|bm25-minwords=[1-9][0-9]?|bm25-mindensity=[1-9])$")]
    ranking: Option<String>,
    /// The weights of `bm25-segment`: `role` or `site`.
    #[param(pattern = "^(role|site)$")]
    weights: Option<String>,
    /// A topic of the ranks that pages are weighted by, or `*` for ranks without a topic; without it, ranks are not used.
    #[param(max_length = 300)]
    topic: Option<String>,
    /// Whether near duplicates are shown once; by default they are.
    fold: Option<bool>,
    /// Whether scores are explained.
    explain: Option<bool>,
}

impl SearchParams {
    fn options(&self, app: &App) -> Result<(Query, SearchOptions), ApiError> {
        bounded("a query", &self.q, MAX_QUERY)?;
        bounded("a topic", self.topic.as_deref().unwrap_or_default(), MAX_TOPIC)?;
        let query: Query = self.q.parse().map_err(ApiError::bad)?;
        let ranking: Ranking = self.ranking.as_deref().map_or(Ok(Ranking::default()), str::parse).map_err(ApiError::bad)?;
        let weights: Weights = match self.weights.as_deref() {
            None | Some("role") => Weights::default(),
            Some("site") => Weights::Site,
            Some(_) => return Err(ApiError::bad("weights must be role or site")),
        };
        let ranks = match (&self.topic, &app.data.topics) {
            (None, _) => None,
            (Some(_), None) => return Err(missing("this server has no ranks; put the TSV from `webstrata rank` into its folder")),
            (Some(topic), Some(topics)) => {
                let column = app
                    .data
                    .links
                    .column(topic)
                    .ok_or_else(|| ApiError::bad("the ranks have no such topic; /api/v1/about lists them"))?;
                Some(Arc::new(topics.mix(&column.name, RANK_WEIGHT).map_err(|error| refused(&error))?))
            }
        };
        let limit = limited(self.limit, 10, MAX_RESULTS)?;
        let (fold, explain) = (self.fold.unwrap_or(true), self.explain.unwrap_or(false));
        Ok((query, SearchOptions { ranking, weights, limit, fold, explain, ranks, ..SearchOptions::default() }))
    }
}

/// Pages that match a query, with snippets.
#[utoipa::path(
    get, path = "/api/v1/search", tag = "crawl", params(SearchParams),
    responses((status = 200, description = "The hits, as in `webstrata search --format json`", body = Object), Failures)
)]
pub(crate) async fn search(State(app): State<Arc<App>>, Params(params): Params<SearchParams>) -> Result<Response, ApiError> {
    let task = {
        let app = Arc::clone(&app);
        move || {
            let (index, (query, options)) = (index(&app)?, params.options(&app)?);
            let results = index.search(&query, &options).map_err(|error| refused(&error))?;
            to_json(&value!({ "format": "webstrata.search/1", "query": query.to_string(), "hits": results.hits }))
        }
    };
    Ok(json(app.work.run(task).await??))
}

/// Facets of the pages that match a query: sites, languages, types and years of the best of them, and topics if there are ranks by topic.
#[utoipa::path(
    get, path = "/api/v1/facets", tag = "crawl", params(SearchParams),
    responses((status = 200, description = "Values with page counts; topics with shares", body = Object), Failures)
)]
pub(crate) async fn facets(State(app): State<Arc<App>>, Params(params): Params<SearchParams>) -> Result<Response, ApiError> {
    let task = {
        let app = Arc::clone(&app);
        move || {
            let (index, (query, options)) = (index(&app)?, params.options(&app)?);
            // The thesis considers more results than are shown.
            let wide = SearchOptions { limit: RESULTS.max(options.limit), explain: false, ..options };
            let hits = index.search(&query, &wide).map_err(|error| refused(&error))?.hits;
            let topics = match &app.data.topics {
                // A single column is a rank, not a topic.
                Some(topics) if app.data.links.columns().len() > 1 => {
                    topics.facets(&hits, &FacetOptions::default()).map_err(|error| refused(&error))?
                }
                _ => Vec::new(),
            };
            to_json(&value!({
                "format": "webstrata.facets/1",
                "pages": hits.len(),
                "site": counted(&hits, |hit| hit.host.as_deref()),
                "lang": counted(&hits, |hit| hit.language.as_deref()),
                "kind": counted(&hits, |hit| hit.kind.as_deref()),
                "year": counted(&hits, |hit| hit.date.as_deref().and_then(|date| date.get(..4))),
                "topics": topics.into_iter().take(MAX_VALUES).collect::<Vec<_>>(),
            }))
        }
    };
    Ok(json(app.work.run(task).await??))
}

fn index(app: &App) -> Result<&Index, ApiError> {
    app.data.index.as_ref().ok_or_else(|| missing(NO_INDEX))
}

/// The values of a facet, the most frequent first.
fn counted<'h>(hits: &'h [Hit], value: impl Fn(&'h Hit) -> Option<&'h str>) -> Vec<serde_json::Value> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for value in hits.iter().filter_map(value) {
        *counts.entry(value).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts.into_iter().take(MAX_VALUES).map(|(value, count)| value!({ "value": value, "pages": count })).collect()
}

/// A search error: a bad request, or damaged files.
fn refused(error: &SearchError) -> ApiError {
    match error {
        SearchError::Query(error) => ApiError::bad(error),
        SearchError::Option(reason) => ApiError::bad(reason),
        other => damaged(other),
    }
}
