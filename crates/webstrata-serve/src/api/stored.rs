//! `pages` and `page`: the output of a run; `source`: its input.

use super::options::{MAX_ADDRESS, bounded};
use super::{json, missing, to_json};
use crate::http::error::{ApiError, Failures};
use crate::http::params::Params;
use crate::state::App;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Maximum number of pages in a list.
const MAX_LIST: usize = 1000;
/// Maximum number of pages skipped before a list.
const MAX_SKIP: usize = 1_000_000_000;
const NO_TABLES: &str = "this server has no tables; give it a folder that `webstrata run` wrote";
const NO_SOURCES: &str =
    "tables have no HTML, and this server does not know where the files of the run are; --sources DIR names their folder";

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PagesParams {
    /// Number of pages to skip at the start.
    #[param(minimum = 0, maximum = 1_000_000_000)]
    skip: Option<u32>,
    /// Number of pages.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
}

/// A list of pages.
#[derive(serde::Serialize, ToSchema)]
pub(crate) struct PageList {
    /// Number of all pages.
    total: u64,
    /// Some of them.
    #[schema(value_type = Vec<Object>)]
    pages: Vec<serde_json::Value>,
}

/// The pages of the tables, in their order.
#[utoipa::path(
    get, path = "/api/v1/pages", tag = "crawl", params(PagesParams),
    responses((status = 200, description = "Ids, addresses and titles", body = PageList), Failures)
)]
pub(crate) async fn pages(State(app): State<Arc<App>>, Params(params): Params<PagesParams>) -> Result<Response, ApiError> {
    let limit = limited(params.limit, 50, MAX_LIST)?;
    let skip = params.skip.unwrap_or(0) as usize;
    if skip > MAX_SKIP {
        return Err(ApiError::bad(format!("skip must be at most {MAX_SKIP}")));
    }
    let task = {
        let app = Arc::clone(&app);
        move || {
            let tables = app.data.tables.as_ref().ok_or_else(|| missing(NO_TABLES))?;
            let pages = tables.list(skip, limit).map_err(|error| damaged(&error))?;
            to_json(&serde_json::json!({ "total": tables.pages(), "pages": pages }))
        }
    };
    Ok(json(app.work.run(task).await??))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageParams {
    /// Id or address of the page.
    #[param(max_length = 2000)]
    id: String,
}

/// A page of the tables with its segments and links.
#[utoipa::path(
    get, path = "/api/v1/page", tag = "crawl", params(PageParams),
    responses((status = 200, description = "The rows of the page, as docs/tables.md describes them", body = Object), Failures)
)]
pub(crate) async fn page(State(app): State<Arc<App>>, Params(params): Params<PageParams>) -> Result<Response, ApiError> {
    bounded("an id", &params.id, MAX_ADDRESS)?;
    let task = {
        let app = Arc::clone(&app);
        move || {
            let tables = app.data.tables.as_ref().ok_or_else(|| missing(NO_TABLES))?;
            match tables.page(&params.id).map_err(|error| damaged(&error))? {
                Some(page) => to_json(&page),
                None => Err(missing("this page is not in the tables")),
            }
        }
    };
    Ok(json(app.work.run(task).await??))
}

/// The page as the run read it, if the server knows where the inputs are. The content type is one that browsers do not display; the
/// header `X-Page-Type` has the type with which to send the page to the other endpoints.
#[utoipa::path(
    get, path = "/api/v1/source", tag = "crawl", params(PageParams),
    responses((status = 200, description = "The bytes of the page", body = Vec<u8>, content_type = "application/octet-stream"), Failures)
)]
pub(crate) async fn source(State(app): State<Arc<App>>, Params(params): Params<PageParams>) -> Result<Response, ApiError> {
    bounded("an id", &params.id, MAX_ADDRESS)?;
    let task = {
        let app = Arc::clone(&app);
        move || {
            let tables = app.data.tables.as_ref().ok_or_else(|| missing(NO_TABLES))?;
            let row = tables.row(&params.id).map_err(|error| damaged(&error))?;
            let row = row.ok_or_else(|| missing("this page is not in the tables"))?;
            let sources = app.sources.as_ref().ok_or_else(|| missing(NO_SOURCES))?;
            let most = app.options.max_body;
            match sources.page(&row.id, most) {
                Some(page) if page.bytes.len() > most => Err(ApiError::TooLarge(most)),
                Some(page) => Ok((page.charset, page.bytes)),
                None => Err(missing("the file that this page was read from is not in the folder of --sources, or has changed")),
            }
        }
    };
    let (charset, bytes) = app.work.run(task).await??;
    let kind = charset.map_or_else(|| "text/html".to_owned(), |charset| format!("text/html; charset={charset}"));
    let kind = HeaderValue::from_str(&kind).unwrap_or(HeaderValue::from_static("text/html"));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"page.html\"")),
        (HeaderName::from_static("x-page-type"), kind),
    ];
    Ok((headers, bytes).into_response())
}

/// A number of results.
pub(super) fn limited(limit: Option<u32>, usual: usize, most: usize) -> Result<usize, ApiError> {
    match limit.map_or(usual, |limit| limit as usize) {
        limit if (1..=most).contains(&limit) => Ok(limit),
        _ => Err(ApiError::bad(format!("limit must be a number from 1 to {most}"))),
    }
}

/// The error for data that was fine when the server started.
pub(super) fn damaged(_: &dyn std::error::Error) -> ApiError {
    // The reason names files on this machine, so clients do not get it.
    ApiError::Internal
}
