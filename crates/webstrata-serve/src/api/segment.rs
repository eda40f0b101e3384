//! `segment` and `view`.

use super::extract::PageSchema;
use super::json;
use super::options::{MethodName, ModeName, PresetName, RulesName, extraction, segmentation};
use super::page_source::PageSource;
use crate::http::body::PageBody;
use crate::http::error::{ApiError, Failures};
use crate::http::params::Params;
use crate::state::App;
use crate::view;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;
use webstrata::record::{PageRecord, RecordOptions};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SegmentParams {
    /// The segmentation method.
    #[param(inline)]
    method: Option<MethodName>,
    /// Maximum slope delta between the text densities of blocks that Block Fusion fuses.
    #[param(minimum = 0.0, maximum = 1.0)]
    theta: Option<f64>,
    /// Granularity of `strata`, from 0 (one segment) to 1 (a cut at every gap).
    #[param(minimum = 0.0, maximum = 1.0)]
    granularity: Option<f64>,
    /// The rule set.
    #[param(inline)]
    rules: Option<RulesName>,
    /// The method that decides what is content, as in `extract`.
    #[param(inline)]
    preset: Option<PresetName>,
    /// Whether it favours precision or recall.
    #[param(inline)]
    mode: Option<ModeName>,
    /// The page's address.
    #[param(max_length = 2000)]
    url: Option<String>,
    /// An address to fetch the page from instead of the body, if the server allows it.
    #[param(max_length = 2000)]
    fetch: Option<String>,
}

/// The segments of the page in the body, with roles and reasons.
#[utoipa::path(
    post, path = "/api/v1/segment", tag = "pages", params(SegmentParams),
    request_body(content = Vec<u8>, description = "The page as it is", content_type = "text/html"),
    responses((status = 200, description = "A record with segments", body = PageSchema), Failures)
)]
pub(crate) async fn segment(
    State(app): State<Arc<App>>,
    Params(params): Params<SegmentParams>,
    body: PageBody,
) -> Result<Response, ApiError> {
    Ok(json(run(app, params, body, |_, record| record.to_json()).await?))
}

/// The page in the body as harmless HTML, with its segments marked: for a frame. Of the page, it contains only text.
#[utoipa::path(
    post, path = "/api/v1/view", tag = "pages", params(SegmentParams),
    request_body(content = Vec<u8>, description = "The page as it is", content_type = "text/html"),
    responses((status = 200, description = "HTML; `data-s` is the number of a segment", body = String, content_type = "text/html"), Failures)
)]
pub(crate) async fn view(
    State(app): State<Arc<App>>,
    Params(params): Params<SegmentParams>,
    body: PageBody,
) -> Result<Response, ApiError> {
    let html = run(app, params, body, |page, record| view::document(page, record.segments.as_deref().unwrap_or_default())).await?;
    Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response())
}

async fn run<T: Send + 'static>(
    app: Arc<App>,
    params: SegmentParams,
    body: PageBody,
    with: impl FnOnce(&webstrata::Page<'_>, PageRecord) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let options = extraction(params.preset.as_deref(), params.mode)?.explain(true);
    let segments = segmentation(params.theta, params.granularity, params.rules)?;
    let method = params.method.unwrap_or(MethodName::Strata).into();
    let source = PageSource::new(&app, body, params.url, params.fetch).await?;
    let length = source.len();
    let task = move || {
        source.parsed(|page| {
            let record = RecordOptions::default().url(source.url()).id(source.url().unwrap_or_default());
            let record = record.text(false).spans(false).segments((method, segments));
            with(page, PageRecord::new(page, &page.extract_with(&options), &record))
        })
    };
    app.work.page(length, task).await
}
