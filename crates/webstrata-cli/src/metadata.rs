//! Metadata as JSON: each value with its source and, where there is one, its byte range.

use serde_json::{Map, Value as Json, json};
use std::fmt::Display;
use webstrata::content::metadata::{Metadata, Value};

fn one<T: Display>(value: &Value<T>) -> Json {
    let mut object = Map::new();
    object.insert("value".into(), value.value.to_string().into());
    object.insert("source".into(), value.source.to_string().into());
    if let Some(span) = value.span {
        object.insert("span".into(), json!([span.start, span.end]));
    }
    Json::Object(object)
}

fn list<T: Display>(values: &[Value<T>]) -> Option<Json> {
    (!values.is_empty()).then(|| values.iter().map(one).collect())
}

/// All fields that the page has a value for.
pub(crate) fn json(metadata: &Metadata) -> Json {
    let fields = [
        ("title", metadata.title.as_ref().map(one)),
        ("authors", list(&metadata.authors)),
        ("published", metadata.published.as_ref().map(one)),
        ("modified", metadata.modified.as_ref().map(one)),
        ("language", metadata.language.as_ref().map(one)),
        ("direction", metadata.direction.as_ref().map(one)),
        ("site_name", metadata.site_name.as_ref().map(one)),
        ("description", metadata.description.as_ref().map(one)),
        ("canonical", metadata.canonical.as_ref().map(one)),
        ("image", metadata.image.as_ref().map(one)),
        ("tags", list(&metadata.tags)),
        ("license", metadata.license.as_ref().map(one)),
        ("feeds", list(&metadata.feeds)),
        ("amp", metadata.amp.as_ref().map(one)),
        ("kinds", list(&metadata.kinds)),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Map<_, _>>().into()
}
