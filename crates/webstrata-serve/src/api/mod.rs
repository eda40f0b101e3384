//! The API: one file per resource. `openapi.rs` describes it from the same declarations that route it.

// `utoipa::path` writes longer paths than necessary.
#![allow(unused_qualifications)]

mod compare;
mod extract;
mod links;
mod openapi;
mod options;
mod page_source;
mod search;
mod segment;
mod site;
mod status;
mod stored;

use crate::assets;
use crate::http::error::{ApiError, ErrorBody};
use crate::state::App;
use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
pub use openapi::openapi;
use std::collections::BTreeSet;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes of the API.
fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(extract::extract))
        .routes(routes!(extract::metadata))
        .routes(routes!(segment::segment))
        .routes(routes!(segment::view))
        .routes(routes!(compare::compare))
        .routes(routes!(stored::page))
        .routes(routes!(stored::pages))
        .routes(routes!(stored::source))
        .routes(routes!(search::search))
        .routes(routes!(search::facets))
        .routes(routes!(site::sites))
        .routes(routes!(site::site))
        .routes(routes!(links::rank))
        .routes(routes!(links::backlinks))
        .routes(routes!(status::about))
        .routes(routes!(status::health))
        .routes(routes!(status::metrics))
}

/// The folder of the page's own files.
const ASSETS: &str = "/assets/";
/// The address of the API's description.
const DESCRIPTION: &str = "/api/v1/openapi.json";

/// All routes, with their names for the metrics.
pub(crate) struct Routes {
    pub(crate) router: Router,
    names: BTreeSet<String>,
}

impl Routes {
    pub(crate) fn new(app: Arc<App>) -> Routes {
        let (api, document) = routes().split_for_parts();
        let names = document.paths.paths.into_keys().chain(["/".into(), DESCRIPTION.into()]).collect();
        let router = api
            .route("/", get(assets::index))
            .route(&format!("{ASSETS}{{*name}}"), get(assets::asset))
            .route(DESCRIPTION, get(openapi::document))
            .fallback(|| async { ApiError::NotFound("there is no such endpoint; /api/v1/openapi.json lists them all".into()) })
            .with_state(app);
        Routes { router, names }
    }

    /// The name of the route of a path: one of a short list, no matter what clients request.
    pub(crate) fn name(&self, path: &str) -> &str {
        match self.names.get(path) {
            Some(name) => name,
            None if path.starts_with(ASSETS) => "/assets/{*name}",
            None => "other",
        }
    }
}

/// A response body that is already JSON.
fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// A value as JSON.
fn to_json(value: &impl serde::Serialize) -> Result<String, ApiError> {
    serde_json::to_string(value).map_err(|_| ApiError::Internal)
}

/// The error for data that is missing from the folder.
fn missing(what: &'static str) -> ApiError {
    ApiError::NotFound(what.into())
}

/// The type of error bodies, for the list of schemas.
type Error = ErrorBody;
