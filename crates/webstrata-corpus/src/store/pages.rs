//! The table of pages.

use super::table::{self, Columns, Row, Table};
use arrow_array::builder::{ListBuilder, StringBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{ArrayRef, Float32Array, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One page.
///
/// ```
/// use webstrata_corpus::store::PageRow;
/// let row = PageRow { id: "crawl.warc.gz@0".into(), text: "Rain".into(), hash: 255, ..PageRow::default() };
/// let json = serde_json::to_string(&row).unwrap();
/// assert!(json.starts_with(r#"{"id":"crawl.warc.gz@0","url":null,"#) && json.contains(r#""hash":"00000000000000ff""#));
/// assert_eq!(serde_json::from_str::<PageRow>(&json).unwrap(), row);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageRow {
    /// Where it was read from, `file@offset`: unique in a run.
    pub id: String,
    /// Its address.
    pub url: Option<String>,
    /// The host of its address, in lower case.
    pub host: Option<String>,
    /// When it was fetched, in the format of the input.
    pub date: Option<String>,
    /// The language of its content as an ISO 639-3 code, if the content is long enough to tell.
    pub language: Option<String>,
    /// The page type, if the method predicts one.
    pub page_type: Option<String>,
    /// Text of its `title` element.
    pub title: Option<String>,
    /// Its content as plain text.
    pub text: String,
    /// Its content as Markdown.
    pub markdown: String,
    /// The F1 that the method expects of its result, from 0 to 1.
    pub confidence: Option<f32>,
    /// XXH3 of the lowercased words of its content: the same for pages with the same text.
    #[serde(with = "table::hex")]
    pub hash: u64,
    /// Keys for finding near duplicates, if requested.
    #[serde(with = "table::hexes")]
    pub signature: Vec<u64>,
    /// Codes of what was truncated or repaired.
    pub problems: Vec<String>,
}

impl Row for PageRow {
    const TABLE: Table = Table::Pages;

    fn schema() -> SchemaRef {
        let text = |name: &str| Field::new(name, DataType::Utf8, false);
        let optional = |name: &str| Field::new(name, DataType::Utf8, true);
        let list = |name: &str, of: DataType| Field::new_list(name, Field::new("item", of, false), false);
        Arc::new(Schema::new(vec![
            text("id"),
            optional("url"),
            optional("host"),
            optional("date"),
            optional("language"),
            optional("page_type"),
            optional("title"),
            text("text"),
            text("markdown"),
            Field::new("confidence", DataType::Float32, true),
            Field::new("hash", DataType::UInt64, false),
            list("signature", DataType::UInt64),
            list("problems", DataType::Utf8),
        ]))
    }

    fn columns(rows: &[&Self]) -> Vec<ArrayRef> {
        let text = |of: fn(&PageRow) -> &str| table::texts(rows.iter().map(|row| of(row)));
        let optional = |of: fn(&PageRow) -> Option<&str>| table::optional_texts(rows.iter().map(|row| of(row)));
        let mut signature = ListBuilder::new(UInt64Builder::new()).with_field(Field::new("item", DataType::UInt64, false));
        let mut problems = ListBuilder::new(StringBuilder::new()).with_field(Field::new("item", DataType::Utf8, false));
        for row in rows {
            signature.values().append_slice(&row.signature);
            signature.append(true);
            for problem in &row.problems {
                problems.values().append_value(problem);
            }
            problems.append(true);
        }
        vec![
            text(|row| &row.id),
            optional(|row| row.url.as_deref()),
            optional(|row| row.host.as_deref()),
            optional(|row| row.date.as_deref()),
            optional(|row| row.language.as_deref()),
            optional(|row| row.page_type.as_deref()),
            optional(|row| row.title.as_deref()),
            text(|row| &row.text),
            text(|row| &row.markdown),
            Arc::new(rows.iter().map(|row| row.confidence).collect::<Float32Array>()),
            Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.hash))),
            Arc::new(signature.finish()),
            Arc::new(problems.finish()),
        ]
    }

    fn rows(columns: &Columns<'_>) -> Result<Vec<Self>, String> {
        let mut rows = vec![PageRow::default(); columns.len()];
        let mut fill = |name: &str, set: fn(&mut PageRow, String)| {
            columns.texts(name).map(|column| rows.iter_mut().zip(column).for_each(|(row, value)| set(row, value)))
        };
        fill("id", |row, value| row.id = value)?;
        fill("text", |row, value| row.text = value)?;
        fill("markdown", |row, value| row.markdown = value)?;
        let mut fill = |name: &str, set: fn(&mut PageRow, Option<String>)| {
            columns.optional_texts(name).map(|column| rows.iter_mut().zip(column).for_each(|(row, value)| set(row, value)))
        };
        fill("url", |row, value| row.url = value)?;
        fill("host", |row, value| row.host = value)?;
        fill("date", |row, value| row.date = value)?;
        fill("language", |row, value| row.language = value)?;
        fill("page_type", |row, value| row.page_type = value)?;
        fill("title", |row, value| row.title = value)?;
        for (row, value) in rows.iter_mut().zip(columns.floats("confidence")?) {
            row.confidence = value;
        }
        for (row, value) in rows.iter_mut().zip(columns.long_numbers("hash")?) {
            row.hash = value.unwrap_or_default();
        }
        for (row, value) in rows.iter_mut().zip(columns.lists("signature")?) {
            let list = value.as_ref().and_then(|list| list.as_primitive_opt::<UInt64Type>());
            row.signature = list.map(|list| list.values().to_vec()).unwrap_or_default();
        }
        for (row, value) in rows.iter_mut().zip(columns.lists("problems")?) {
            let list = value.as_ref().and_then(|list| list.as_string_opt::<i32>());
            row.problems = list.map(|list| list.iter().flatten().map(str::to_owned).collect()).unwrap_or_default();
        }
        Ok(rows)
    }

    fn size(&self) -> usize {
        let optional = [&self.url, &self.host, &self.date, &self.language, &self.page_type, &self.title];
        let texts: usize = optional.into_iter().flatten().map(String::len).sum();
        let lists = 8 * self.signature.len() + self.problems.iter().map(|problem| problem.len() + 8).sum::<usize>();
        size_of::<PageRow>() + self.id.len() + texts + self.text.len() + self.markdown.len() + lists
    }
}
