//! Metadata as text.

use crate::format::MetadataFields;
use std::fmt::Display;
use webstrata::content::metadata::{Metadata, Value};

/// The values of a field as text.
enum Field {
    One(Option<String>),
    Many(Vec<String>),
}

fn one<T: Display>(value: Option<&Value<T>>) -> Field {
    Field::One(value.map(|value| value.value.to_string()))
}

fn many<T: Display>(values: &[Value<T>]) -> Field {
    Field::Many(values.iter().map(|value| value.value.to_string()).collect())
}

/// All fields, in the order in which they are shown.
const ALL: [&str; 15] = [
    "title", "authors", "published", "modified", "language", "direction", "site_name", "description", "canonical", "image", "tags",
    "license", "feeds", "amp", "types",
];

fn field(metadata: &Metadata, name: &str) -> Field {
    match name {
        "title" => one(metadata.title.as_ref()),
        "authors" | "author" => many(&metadata.authors),
        "date" => one(metadata.date()),
        "published" => one(metadata.published.as_ref()),
        "modified" => one(metadata.modified.as_ref()),
        "language" => one(metadata.language.as_ref()),
        "direction" => one(metadata.direction.as_ref()),
        "site_name" => one(metadata.site_name.as_ref()),
        "description" => one(metadata.description.as_ref()),
        "canonical" => one(metadata.canonical.as_ref()),
        "image" => one(metadata.image.as_ref()),
        "tags" => many(&metadata.tags),
        "license" => one(metadata.license.as_ref()),
        "feeds" => many(&metadata.feeds),
        "amp" => one(metadata.amp.as_ref()),
        "types" => many(&metadata.types),
        _ => Field::Many(Vec::new()),
    }
}

fn names(only: &MetadataFields) -> &[&'static str] {
    match only {
        MetadataFields::All => &ALL,
        MetadataFields::Fields(names) => names,
    }
}

/// The fields with a value, and whether each may have several.
pub(crate) fn texts(metadata: &Metadata, only: &MetadataFields) -> Vec<(&'static str, Vec<String>, bool)> {
    let fields = names(only).iter().map(|&name| match field(metadata, name) {
        Field::One(value) => (name, value.into_iter().collect::<Vec<_>>(), false),
        Field::Many(values) => (name, values, true),
    });
    fields.filter(|(_, values, _)| !values.is_empty()).collect()
}

/// `field: value`, one line per value.
pub(crate) fn lines(metadata: &Metadata, only: &MetadataFields) -> String {
    let line = |name: &str, value: &String| format!("{name}: {}\n", value.split_whitespace().collect::<Vec<_>>().join(" "));
    texts(metadata, only).iter().flat_map(|(name, values, _)| values.iter().map(|value| line(name, value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_can_be_selected() {
        for name in ALL {
            assert!(MetadataFields::NAMES.contains(&name), "{name}");
        }
        assert_eq!(MetadataFields::NAMES.len(), ALL.len() + 2, "and author and date");
    }
}
