//! The OpenAPI document, generated from the declarations of the routes. The schema of pages is the library's own.

use super::{Error, json, routes};
use axum::response::Response;
use serde_json::{Map, Value};
use std::sync::LazyLock;
use utoipa::OpenApi;

/// The schema of pages, a copy of `docs/schema/page-2.schema.json` (a test compares them).
const PAGE: &str = include_str!("../../assets/page-2.schema.json");

#[derive(OpenApi)]
#[openapi(
    info(title = "webstrata", description = "Main content, segments, metadata, search, sites and links of Web pages.", license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")),
    components(schemas(Error)),
    tags(
        (name = "pages", description = "One page, sent in the body"),
        (name = "crawl", description = "Pages of the server's folder"),
        (name = "links", description = "Ranks and backlinks"),
        (name = "server", description = "The server itself"),
    )
)]
struct Document;

static TEXT: LazyLock<String> = LazyLock::new(|| {
    let (_, document) = axum_routes();
    serde_json::to_string_pretty(&completed(serde_json::to_value(document).unwrap_or_default())).unwrap_or_default()
});

fn axum_routes() -> ((), utoipa::openapi::OpenApi) {
    let mut document = Document::openapi();
    let (_, paths) = routes().split_for_parts();
    document.merge(paths);
    ((), document)
}

/// The OpenAPI document (version 3.1) as JSON.
///
/// ```
/// let document: serde_json::Value = serde_json::from_str(webstrata_serve::openapi()).unwrap();
/// assert!(document["paths"]["/api/v1/extract"]["post"].is_object());
/// ```
#[must_use]
pub fn openapi() -> &'static str {
    &TEXT
}

pub(super) async fn document() -> Response {
    json(openapi().to_owned())
}

/// Inserts the library's schema, and its definitions among the others.
fn completed(mut document: Value) -> Value {
    let Ok(Value::Object(mut page)) = serde_json::from_str::<Value>(&PAGE.replace("#/$defs/", "#/components/schemas/Page.")) else {
        return document;
    };
    for name in ["$schema", "$id"] {
        page.remove(name);
    }
    let definitions = page.remove("$defs");
    if let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        if let Some(Value::Object(definitions)) = definitions {
            schemas.extend(definitions.into_iter().map(|(name, schema)| (format!("Page.{name}"), schema)));
        }
        schemas.insert("Page".into(), Value::Object(page));
    }
    any_body(&mut document);
    security(&mut document);
    document
}

/// A page is arbitrary bytes, which OpenAPI 3.1 expresses by omitting the schema.
fn any_body(document: &mut Value) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
    for operation in paths {
        if let Some(Value::Object(body)) = operation.pointer_mut("/post/requestBody/content/text~1html") {
            body.remove("schema");
        }
    }
}

/// Tokens are optional: a server on the loopback address has none.
fn security(document: &mut Value) {
    let bearer: Map<String, Value> =
        [("type".to_owned(), "http".into()), ("scheme".to_owned(), "bearer".into())].into_iter().collect();
    if let Some(components) = document.pointer_mut("/components").and_then(Value::as_object_mut) {
        components.insert("securitySchemes".into(), serde_json::json!({ "token": bearer }));
    }
    if let Some(document) = document.as_object_mut() {
        document.insert("security".into(), serde_json::json!([{}, { "token": [] }]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_pages_is_the_librarys() {
        assert_eq!(PAGE, include_str!("../../../../docs/schema/page-2.schema.json"));
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document: Value = serde_json::from_str(openapi()).unwrap();
        let references = openapi().match_indices("\"$ref\": \"#").map(|(at, _)| &openapi()[at + 10..]);
        let mut count = 0;
        for reference in references.map(|rest| rest.split('"').next().unwrap()) {
            assert!(document.pointer(reference).is_some(), "{reference}");
            count += 1;
        }
        assert!(count > 100, "{count}");
        assert!(document["components"]["schemas"]["Page"]["properties"]["segments"].is_object());
    }
}
