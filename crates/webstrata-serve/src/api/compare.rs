//! `compare`: a page by several methods, and its profile.

use super::extract::PageSchema;
use super::options::{MethodName, ModeName, PresetName, RulesName, extraction, segmentation};
use super::page_source::PageSource;
use super::{json, to_json};
use crate::http::body::PageBody;
use crate::http::error::{ApiError, Failures};
use crate::http::params::Params;
use crate::state::App;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata::content::RenderOptions;
use webstrata::record::{PageRecord, RecordOptions, SegmentRecord};
use webstrata::segment::Method;

/// Maximum number of methods compared at a time; the pattern of `methods` also has it.
const MAX_METHODS: usize = 9;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CompareParams {
    /// The methods, separated by commas; by default `strata,bf-rulebased`.
    #[param(
        pattern = "^(strata|bf-rulebased|bf-smoothed|bf-smoothed-low|bf-plain|just-rules|getblockset|gcuts|gcuts-np|gcuts-nl|cclus|cclus-nl|taggap|wordwrap)(,(strata|bf-rulebased|bf-smoothed|bf-smoothed-low|bf-plain|just-rules|getblockset|gcuts|gcuts-np|gcuts-nl|cclus|cclus-nl|taggap|wordwrap)){0,8}$"
    )]
    methods: Option<String>,
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

/// A page by several methods.
#[derive(Serialize, ToSchema)]
pub(crate) struct Comparison {
    /// `webstrata.compare/1`.
    schema: &'static str,
    /// The record of the page: text, Markdown, metadata; the segments are below.
    #[schema(value_type = PageSchema)]
    page: PageRecord,
    /// The text densities along the page: its atoms, the texts between two tags that are not `a`.
    profile: Vec<Atom>,
    /// The segments by method.
    methods: Vec<BySegments>,
}

/// An atom of the profile: a text without tags.
#[derive(Serialize, ToSchema)]
pub(crate) struct Atom {
    /// Its byte range: start and end (excluded).
    span: [u32; 2],
    /// Number of lines of 80 characters.
    lines: u32,
    /// Number of words.
    words: u32,
    /// Number of words in links.
    link_words: u32,
    /// Words per line.
    density: f64,
}

/// The segments of one method.
#[derive(Serialize, ToSchema)]
pub(crate) struct BySegments {
    /// The method.
    method: &'static str,
    /// Its segments.
    #[schema(value_type = Vec<Object>)]
    segments: Vec<SegmentRecord>,
}

/// The page in the body, segmented by several methods, with its densitometric profile.
#[utoipa::path(
    post, path = "/api/v1/compare", tag = "pages", params(CompareParams),
    request_body(content = Vec<u8>, description = "The page as it is", content_type = "text/html"),
    responses((status = 200, description = "The page, its profile, and its segments by method", body = Comparison), Failures)
)]
pub(crate) async fn compare(
    State(app): State<Arc<App>>,
    Params(params): Params<CompareParams>,
    body: PageBody,
) -> Result<Response, ApiError> {
    let names = params.methods.as_deref().unwrap_or("strata,bf-rulebased");
    let methods: Vec<Method> = names.split(',').map(method).collect::<Result<_, _>>()?;
    if methods.len() > MAX_METHODS {
        return Err(ApiError::bad("at most nine methods at a time"));
    }
    let options = extraction(params.preset.as_deref(), params.mode)?.explain(true);
    let segments = segmentation(params.theta, params.granularity, params.rules)?;
    let source = PageSource::new(&app, body, params.url, params.fetch).await?;
    let task = move || {
        source.parsed(|page| {
            let content = page.extract_with(&options);
            let base = RecordOptions::default().url(source.url()).id(source.url().unwrap_or_default());
            let whole = base.clone().metadata(true).markdown(RenderOptions::default());
            let by = |method: Method| {
                let record = base.clone().text(false).spans(false).segments((method, segments));
                let segments = PageRecord::new(page, &content, &record).segments.unwrap_or_default();
                BySegments { method: method.name(), segments }
            };
            to_json(&Comparison {
                schema: "webstrata.compare/1",
                page: PageRecord::new(page, &content, &whole),
                profile: profile(page),
                methods: methods.iter().map(|&method| by(method)).collect(),
            })
        })
    };
    Ok(json(app.work.run(task).await??))
}

fn method(name: &str) -> Result<Method, ApiError> {
    let value = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name);
    let name = MethodName::deserialize(value).map_err(|error| ApiError::bad(format!("methods: {error}")))?;
    Ok(name.into())
}

fn profile(page: &Page<'_>) -> Vec<Atom> {
    let atom = |block: webstrata::block::Block<'_>| {
        let (counts, spans) = (block.counts(), block.spans());
        Atom {
            span: spans.first().zip(spans.last()).map_or([0, 0], |(first, last)| [first.start, last.end]),
            lines: counts.lines,
            words: counts.words,
            link_words: counts.link_words,
            density: (block.density().value() * 1000.0).round() / 1000.0,
        }
    };
    page.blocks_by(GapModel::Tags).iter().map(atom).collect()
}
