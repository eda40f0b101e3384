//! `rank` and `backlinks`.

use super::options::{MAX_ADDRESS, MAX_TOPIC, bounded};
use super::stored::limited;
use super::{json, missing, to_json};
use crate::data::{Backlink, Backlinks, RankedPage};
use crate::http::error::{ApiError, Failures};
use crate::http::params::Params;
use crate::state::App;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Maximum number of pages in a list.
const MAX_PAGES: usize = 1000;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RankParams {
    /// The topic; by default the first column of the ranks.
    #[param(max_length = 300)]
    topic: Option<String>,
    /// Number of pages.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
}

/// The pages with the highest ranks.
#[derive(Serialize, ToSchema)]
pub(crate) struct RankList {
    /// The topic.
    topic: String,
    /// All topics.
    topics: Vec<String>,
    /// The pages.
    pages: Vec<RankedPage>,
}

/// The pages with the highest ranks, overall or for a topic.
#[utoipa::path(
    get, path = "/api/v1/rank", tag = "links", params(RankParams),
    responses((status = 200, description = "The pages", body = RankList), Failures)
)]
pub(crate) async fn rank(State(app): State<Arc<App>>, Params(params): Params<RankParams>) -> Result<Response, ApiError> {
    bounded("a topic", params.topic.as_deref().unwrap_or_default(), MAX_TOPIC)?;
    let limit = limited(params.limit, 50, MAX_PAGES)?;
    let task = {
        let app = Arc::clone(&app);
        move || {
            let links = &app.data.links;
            if links.ranks.is_none() {
                return Err(missing("this server has no ranks; put the TSV from `webstrata rank` into its folder"));
            }
            let (topic, pages) =
                links.top(params.topic.as_deref(), limit).ok_or_else(|| missing("the ranks have no such topic"))?;
            to_json(&RankList { topic, topics: links.columns().to_vec(), pages })
        }
    };
    Ok(json(app.work.run(task).await??))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BacklinkParams {
    /// The page, as the graph names it.
    #[param(max_length = 2000)]
    page: String,
    /// Number of pages.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
}

/// The pages that link to a page.
#[derive(Serialize, ToSchema)]
pub(crate) struct BacklinkList {
    /// The page.
    page: String,
    /// Its ranks by topic, if there are any.
    ranks: BTreeMap<String, f64>,
    /// Number of all pages that link to it.
    total: usize,
    /// That number by the stratum of the link.
    strata: BTreeMap<String, usize>,
    /// Some of them.
    backlinks: Vec<Backlink>,
}

/// The pages that link to a page, with the stratum of each link: content, navigation, …
#[utoipa::path(
    get, path = "/api/v1/backlinks", tag = "links", params(BacklinkParams),
    responses((status = 200, description = "The pages", body = BacklinkList), Failures)
)]
pub(crate) async fn backlinks(State(app): State<Arc<App>>, Params(params): Params<BacklinkParams>) -> Result<Response, ApiError> {
    bounded("an address", &params.page, MAX_ADDRESS)?;
    let limit = limited(params.limit, 100, MAX_PAGES)?;
    let task = {
        let app = Arc::clone(&app);
        move || {
            let links = &app.data.links;
            if links.graph.is_none() {
                return Err(missing("this server has no graph; put the file from `webstrata graph build` into its folder"));
            }
            let found = links.backlinks(&params.page, limit).ok_or_else(|| missing("this page is not in the graph"))?;
            let Backlinks { found: backlinks, total, by_stratum: strata } = found;
            let ranks = links.ranks_of(&params.page).into_iter().collect();
            to_json(&BacklinkList { page: params.page, ranks, total, strata: strata.into_iter().collect(), backlinks })
        }
    };
    Ok(json(app.work.run(task).await??))
}
