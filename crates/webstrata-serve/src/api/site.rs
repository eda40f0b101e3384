//! `sites` and `site`: the results of `webstrata site`.

use super::options::{MAX_TOPIC, bounded};
use super::stored::{damaged, limited};
use super::{json, missing, to_json};
use crate::data::Sites;
use crate::http::error::{ApiError, Failures};
use crate::http::params::Params;
use crate::state::App;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// Maximum number of sites in a list.
const MAX_SITES: usize = 10_000;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SitesParams {
    /// Number of sites.
    #[param(minimum = 1, maximum = 10_000)]
    limit: Option<u32>,
}

/// The sites, those with the most pages first.
#[utoipa::path(
    get, path = "/api/v1/sites", tag = "crawl", params(SitesParams),
    responses((status = 200, description = "The lines of `sites.jsonl`", body = Vec<Object>), Failures)
)]
pub(crate) async fn sites(State(app): State<Arc<App>>, Params(params): Params<SitesParams>) -> Result<Response, ApiError> {
    let limit = limited(params.limit, 100, MAX_SITES)?;
    Ok(json(to_json(&learned(&app)?.list(limit))?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SiteParams {
    /// Name of the site.
    #[param(max_length = 300)]
    name: String,
}

/// The report on a site: its merged tree, its segment classes, and what belongs to its template.
#[utoipa::path(
    get, path = "/api/v1/site", tag = "crawl", params(SiteParams),
    responses((status = 200, description = "The report", body = Object), Failures)
)]
pub(crate) async fn site(State(app): State<Arc<App>>, Params(params): Params<SiteParams>) -> Result<Response, ApiError> {
    bounded("the name of a site", &params.name, MAX_TOPIC)?;
    let task = {
        let app = Arc::clone(&app);
        move || match learned(&app)?.report(&params.name).map_err(|error| damaged(&error))? {
            Some(report) => to_json(&report),
            None => Err(missing("there is no report on this site; sites with a single page have none")),
        }
    };
    Ok(json(app.work.run(task).await??))
}

fn learned(app: &App) -> Result<&Sites, ApiError> {
    app.data.sites.as_ref().ok_or_else(|| missing("this server has no site evidence; give it a folder that `webstrata site` wrote"))
}
