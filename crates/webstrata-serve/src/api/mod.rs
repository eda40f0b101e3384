//! The API: one file per resource. `openapi.rs` describes it from the same declarations that route it.

// The paths that `utoipa::path` writes are longer than they need to be.
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
use crate::http::log::around;
use crate::state::App;
use axum::Router;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
pub use openapi::openapi;
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
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

/// All routes, with what holds for every request.
pub(crate) fn router(app: Arc<App>) -> Router {
    let (api, _) = routes().split_for_parts();
    api.route("/", get(assets::index))
        .route("/assets/{*name}", get(assets::asset))
        .route("/api/v1/openapi.json", get(openapi::document))
        .fallback(|| async { ApiError::NotFound("there is no such address; /api/v1/openapi.json has them all".into()) })
        .layer(CatchPanicLayer::custom(|_| ApiError::Internal.into_response()))
        .layer(from_fn_with_state(Arc::clone(&app), around))
        .with_state(app)
}

/// JSON that has been written already.
fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// A value as JSON.
fn to_json(value: &impl serde::Serialize) -> Result<String, ApiError> {
    serde_json::to_string(value).map_err(|_| ApiError::Internal)
}

/// The answer that something which the folder would need to have is not there.
fn missing(what: &'static str) -> ApiError {
    ApiError::NotFound(what.into())
}

/// The type of error bodies, for the list of schemas.
type Error = ErrorBody;
