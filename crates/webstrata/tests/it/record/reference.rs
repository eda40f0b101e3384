//! The JSON reference, `docs/json.md`, generated from the schema.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt::{self, Write};

const SCHEMA: &str = include_str!("../../../../../docs/schema/page-2.schema.json");

const INTRODUCTION: &str = "\
# JSON reference

<!-- Generated from docs/schema/page-2.schema.json; do not edit. To regenerate:
     cargo run -p webstrata --features json --example json_reference > docs/json.md -->

`webstrata extract --format jsonl` and `webstrata segment` write one JSON object per page, each on its own line. In Rust it
is `webstrata::record::PageRecord` (feature `json`). The JSON Schema (draft 2020-12) is
[schema/page-2.schema.json](schema/page-2.schema.json).

- **Byte ranges** are `[start, end]` in the page's bytes: the first byte, and the one after the last. If `transcoded` is
  true, the page was not UTF-8, and they are ranges in its UTF-8 transcoding.
- **Numbers** of blocks and segments count from 0, in document order.
- **Missing fields** were not requested, or the page does not have them; the tables say which fields are always present.
- **Verdicts** (`content`, `role`, `score`, `why`) are the same in `extract`, `segment`, `run`, the report and the library.
- **Versions**: `schema` names the version. Within a version no field is added, removed or changed in meaning.
";

/// JSON that keeps the order of keys.
enum Json {
    Object(Vec<(String, Json)>),
    Array(Vec<Json>),
    Text(String),
    Other,
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Json, M::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Json::Object(all))
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Json, S::Error> {
                let mut all = Vec::new();
                while let Some(item) = list.next_element()? {
                    all.push(item);
                }
                Ok(Json::Array(all))
            }

            fn visit_str<E>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Text(text.to_owned()))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
                Ok(Json::Other)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
                Ok(Json::Other)
            }
        }

        deserializer.deserialize_any(Any)
    }
}

impl Json {
    fn get(&self, key: &str) -> Option<&Json> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    fn entries(&self) -> &[(String, Json)] {
        if let Json::Object(entries) = self { entries } else { &[] }
    }

    fn text(&self, key: &str) -> &str {
        if let Some(Json::Text(text)) = self.get(key) { text } else { "" }
    }

    fn texts<'j>(&'j self, key: &str) -> Vec<&'j str> {
        let text = |json: &'j Json| if let Json::Text(text) = json { Some(text.as_str()) } else { None };
        if let Some(Json::Array(list)) = self.get(key) { list.iter().filter_map(text).collect() } else { Vec::new() }
    }
}

/// The type of a value, with a link to its table if it has one.
fn type_of(value: &Json) -> String {
    if let Some(name) = value.text("$ref").strip_prefix("#/$defs/") {
        return format!("[{name}](#{name})");
    }
    match value.text("type") {
        "array" => format!("list of {}", value.get("items").map(type_of).unwrap_or_default()),
        "" if value.get("const").is_some() => format!("`\"{}\"`", value.text("const")),
        "" => value.texts("type").join(" or "),
        one => one.to_owned(),
    }
}

fn names(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn table(out: &mut String, object: &Json) -> fmt::Result {
    let required = object.texts("required");
    out.push_str("\n| field | type | always | meaning |\n|---|---|---|---|\n");
    for (name, value) in object.get("properties").map(Json::entries).unwrap_or_default() {
        let always = if required.contains(&name.as_str()) { "yes" } else { "" };
        let one_of = value.texts("enum");
        let one_of = if one_of.is_empty() { String::new() } else { format!(" One of {}.", names(&one_of)) };
        writeln!(out, "| `{name}` | {} | {always} | {}{one_of} |", type_of(value), value.text("description"))?;
    }
    Ok(())
}

/// The reference as Markdown.
pub(crate) fn reference() -> Result<String, Box<dyn std::error::Error>> {
    let schema: Json = serde_json::from_str(SCHEMA)?;
    let mut out = INTRODUCTION.to_owned();
    writeln!(out, "\n## page\n\n{}", schema.text("description"))?;
    table(&mut out, &schema)?;
    for (name, definition) in schema.get("$defs").map(Json::entries).unwrap_or_default() {
        writeln!(out, "\n## {name}\n\n{}", definition.text("description"))?;
        if definition.get("properties").is_some() {
            table(&mut out, definition)?;
        } else if definition.get("enum").is_some() {
            writeln!(out, "\nOne of {}.", names(&definition.texts("enum")))?;
        }
    }
    Ok(out)
}
