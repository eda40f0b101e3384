//! `extract` and `metadata`.

use super::json;
use super::options::{ModeName, PresetName, extraction};
use super::page_source::PageSource;
use crate::http::body::PageBody;
use crate::http::error::{ApiError, Failures};
use crate::http::params::Params;
use crate::state::App;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};
use webstrata::content::RenderOptions;
use webstrata::record::{PageRecord, RecordOptions};

/// Format of the response.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// A record.
    #[default]
    Json,
    /// Plain text.
    Text,
    /// Markdown.
    Markdown,
    /// Clean HTML.
    Html,
}

/// A part of a record.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Part {
    /// Plain text.
    Text,
    /// Markdown.
    Markdown,
    /// Clean HTML.
    Html,
    /// Metadata with its sources.
    Metadata,
    /// Metadata and content under Readability's names.
    Readability,
    /// All blocks.
    Blocks,
    /// All links.
    Links,
    /// All images.
    Images,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExtractParams {
    /// The method that decides what is content.
    #[param(inline)]
    preset: Option<PresetName>,
    /// Whether it favours precision or recall.
    #[param(inline)]
    mode: Option<ModeName>,
    /// Whether comments are content; by default they are.
    comments: Option<bool>,
    /// Whether tables are content; by default they are.
    tables: Option<bool>,
    /// Format of the response.
    #[param(inline)]
    format: Option<Format>,
    /// Parts of the record besides the text: `markdown`, `html`, `metadata`, `readability`, `blocks`, `links`, `images`, separated by commas.
    #[param(
        pattern = "^(text|markdown|html|metadata|readability|blocks|links|images)(,(text|markdown|html|metadata|readability|blocks|links|images)){0,7}$"
    )]
    include: Option<String>,
    /// The page's address, against which relative addresses are resolved.
    #[param(max_length = 2000)]
    url: Option<String>,
    /// An address to fetch the page from instead of the body, if the server allows it.
    #[param(max_length = 2000)]
    fetch: Option<String>,
}

/// The main content of the page in the body.
#[utoipa::path(
    post, path = "/api/v1/extract", tag = "pages", params(ExtractParams),
    request_body(content = Vec<u8>, description = "The page as it is, in any encoding; `charset` in the Content-Type is trusted", content_type = "text/html"),
    responses((status = 200, description = "The record, or the content in the requested format", content(
        (PageSchema = "application/json"), (String = "text/plain"), (String = "text/markdown"), (String = "text/html"))), Failures)
)]
pub(crate) async fn extract(
    State(app): State<Arc<App>>,
    Params(params): Params<ExtractParams>,
    body: PageBody,
) -> Result<Response, ApiError> {
    let mut options = extraction(params.preset.as_deref(), params.mode)?;
    options = options.comments(params.comments.unwrap_or(true)).tables(params.tables.unwrap_or(true));
    let parts = parts(params.include.as_deref())?;
    let source = PageSource::new(&app, body, params.url, params.fetch).await?;
    let (format, length) = (params.format.unwrap_or_default(), source.len());
    let text = app
        .work
        .page(length, move || {
            source.parsed(|page| {
                let render = RenderOptions::default().base(source.url().map(str::to_owned));
                let has = |part: Part| parts.contains(&part);
                if format == Format::Json {
                    let mut record = RecordOptions::default().url(source.url()).id(source.url().unwrap_or_default());
                    record = record.metadata(has(Part::Metadata)).readability(has(Part::Readability)).blocks(has(Part::Blocks));
                    record = record.why(has(Part::Blocks)).links(has(Part::Links)).images(has(Part::Images));
                    if has(Part::Markdown) {
                        record = record.markdown(render.clone());
                    }
                    let content = page.extract_with(&options.explain(record.needs_reasons()));
                    let mut found = PageRecord::new(page, &content, &record);
                    found.html = has(Part::Html).then(|| content.html(&render));
                    return found.to_json();
                }
                let content = page.extract_with(&options);
                match format {
                    Format::Markdown => content.markdown(&render),
                    Format::Html => content.html(&render),
                    _ => content.text(),
                }
            })
        })
        .await?;
    let kind = match format {
        Format::Json => return Ok(json(text)),
        Format::Text => "text/plain; charset=utf-8",
        Format::Markdown => "text/markdown; charset=utf-8",
        Format::Html => "text/html; charset=utf-8",
    };
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

fn parts(include: Option<&str>) -> Result<Vec<Part>, ApiError> {
    let part = |name: &str| {
        let value = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name);
        Part::deserialize(value).map_err(|error| ApiError::bad(format!("include: {error}")))
    };
    include.into_iter().flat_map(|list| list.split(',')).map(part).collect()
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MetadataParams {
    /// The page's address.
    #[param(max_length = 2000)]
    url: Option<String>,
    /// An address to fetch the page from instead of the body, if the server allows it.
    #[param(max_length = 2000)]
    fetch: Option<String>,
}

/// The metadata of the page in the body, each value with its source.
#[utoipa::path(
    post, path = "/api/v1/metadata", tag = "pages", params(MetadataParams),
    request_body(content = Vec<u8>, description = "The page as it is", content_type = "text/html"),
    responses((status = 200, description = "A record with metadata", body = PageSchema), Failures)
)]
pub(crate) async fn metadata(
    State(app): State<Arc<App>>,
    Params(params): Params<MetadataParams>,
    body: PageBody,
) -> Result<Response, ApiError> {
    let source = PageSource::new(&app, body, params.url, params.fetch).await?;
    let text = app.work.page(source.len(), move || {
        source.parsed(|page| {
            let options = RecordOptions::default().url(source.url()).id(source.url().unwrap_or_default());
            PageRecord::metadata_only(page, &options).to_json()
        })
    });
    Ok(json(text.await?))
}

/// A page as `docs/json.md` describes it. `openapi.rs` inserts the schema.
#[derive(ToSchema)]
#[schema(as = Page)]
pub(crate) struct PageSchema {}
