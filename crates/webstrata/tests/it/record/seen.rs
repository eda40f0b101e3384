//! Tracks which properties of a schema occur in some value.

use serde_json::Value;
use std::collections::BTreeSet;

/// The properties of a schema, and those that occurred, as `object.property`.
pub(crate) struct Seen<'s> {
    schema: &'s Value,
    seen: BTreeSet<String>,
}

impl<'s> Seen<'s> {
    pub(crate) fn new(schema: &'s Value) -> Self {
        Seen { schema, seen: BTreeSet::new() }
    }

    /// Records the properties of a valid value.
    pub(crate) fn note(&mut self, value: &Value) {
        self.visit("page", self.schema, value);
    }

    fn visit(&mut self, name: &str, schema: &'s Value, value: &Value) {
        if let Some(name) = schema["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/")) {
            return self.visit(name, &self.schema["$defs"][name], value);
        }
        if let Some(items) = value.as_array() {
            items.iter().for_each(|item| self.visit(name, &schema["items"], item));
        }
        let (Some(object), Some(properties)) = (value.as_object(), schema["properties"].as_object()) else { return };
        for (key, value) in object {
            self.seen.insert(format!("{name}.{key}"));
            self.visit(key, &properties[key], value);
        }
    }

    /// Properties that no value had.
    pub(crate) fn missing(&self) -> Vec<String> {
        let properties = |name: &str, object: &Value| {
            let keys = object["properties"].as_object().into_iter().flat_map(|p| p.keys());
            keys.map(|key| format!("{name}.{key}")).collect::<Vec<_>>()
        };
        let mut all = properties("page", self.schema);
        for (name, definition) in self.schema["$defs"].as_object().into_iter().flatten() {
            all.extend(properties(name, definition));
        }
        assert!(all.len() > 150, "only {} properties: does this still read the schema?", all.len());
        all.retain(|name| !self.seen.contains(name));
        all
    }
}

/// Calls `f` with each object that the schema describes.
pub(crate) fn every_object(schema: &Value, f: &mut impl FnMut(&Value)) {
    f(schema);
    let definitions = schema["$defs"].as_object().into_iter().flat_map(|d| d.values());
    definitions.filter(|definition| definition["properties"].is_object()).for_each(f);
}
