//! `about`, `health` and `metrics`.

use crate::http::error::Failures;
use crate::state::App;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;
use webstrata::label::Preset;
use webstrata::segment::Method;

/// Capabilities of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct About {
    /// Version of webstrata.
    version: &'static str,
    /// Human-readable descriptions of the data found in its folder.
    data: Vec<String>,
    /// Whether it has tables.
    pages: bool,
    /// Whether it has the original HTML of the pages in the tables.
    sources: bool,
    /// Whether it has an index.
    search: bool,
    /// Whether it has site evidence.
    sites: bool,
    /// Whether it has a graph.
    graph: bool,
    /// The topics of its ranks.
    topics: Vec<String>,
    /// Whether it fetches pages.
    fetch: bool,
    /// Maximum size of a body in bytes.
    max_body: usize,
    /// Segmentation methods.
    methods: Vec<&'static str>,
    /// Extraction methods.
    presets: Vec<String>,
}

/// The capabilities and data of this server.
#[utoipa::path(get, path = "/api/v1/about", tag = "server", responses((status = 200, description = "Its data and methods", body = About), Failures))]
pub(crate) async fn about(State(app): State<Arc<App>>) -> Json<About> {
    let data = &app.data;
    Json(About {
        version: env!("CARGO_PKG_VERSION"),
        data: data.summary(),
        pages: data.tables.is_some(),
        sources: app.sources.is_some(),
        search: data.index.is_some(),
        sites: data.sites.is_some(),
        graph: data.links.graph.is_some(),
        topics: data.links.columns().to_vec(),
        fetch: app.fetcher.is_some(),
        max_body: app.options.max_body,
        methods: Method::ALL.iter().rev().map(|method| method.name()).collect(),
        presets: Preset::ALL.iter().map(ToString::to_string).collect(),
    })
}

/// Health of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`.
    status: &'static str,
}

/// Reports whether the server is healthy. Needs no token.
#[utoipa::path(get, path = "/api/v1/health", tag = "server", responses((status = 200, description = "It is", body = Health), Failures))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Metrics for Prometheus.
#[utoipa::path(get, path = "/api/v1/metrics", tag = "server", responses((status = 200, description = "In the text format of Prometheus", body = String, content_type = "text/plain"), Failures))]
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Response {
    let free = app.memory.available_permits() * 1024;
    let text = app.metrics.text(app.work.busy(), app.options.max_memory.saturating_sub(free));
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
