//! The table of segments.

use super::table::{self, Columns, Row, Table};
use arrow_array::builder::{ListBuilder, StructBuilder, UInt32Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, BooleanArray, Float32Array, UInt32Array};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use webstrata::label::Role;

/// One segment of a page.
///
/// ```
/// use webstrata::label::Role;
/// use webstrata_corpus::store::SegmentRow;
/// let row = SegmentRow { page: "a.html@0".into(), spans: vec![[3, 9]], role: Some(Role::Body), ..SegmentRow::default() };
/// assert!(serde_json::to_string(&row).unwrap().starts_with(r#"{"page":"a.html@0","number":0,"spans":[[3,9]],"#));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SegmentRow {
    /// Id of its page.
    pub page: String,
    /// Its number on the page, from 0.
    pub number: u32,
    /// Byte ranges of its text in the page as it was read, or in the UTF-8 it was converted to.
    pub spans: Vec<[u32; 2]>,
    /// DOM path of the lowest element that contains all of it.
    pub path: String,
    /// The role of most of its words; `None` if a later version wrote a role that this one does not know.
    #[serde(with = "table::role_name")]
    pub role: Option<Role>,
    /// Whether more than half of it is content.
    pub content: bool,
    /// The probability that it is content: the mean over its blocks, weighted by words, or the share of its words that is content if
    /// the method has no probabilities.
    pub score: f32,
    /// Number of words.
    pub words: u32,
    /// Words per line.
    pub text_density: f32,
    /// Share of its words in links.
    pub link_density: f32,
    /// Its class among the segments of the site, if there is evidence about the site.
    pub class: Option<String>,
}

/// Start and end of a span.
fn span_fields() -> Fields {
    ["start", "end"].map(|name| Arc::new(Field::new(name, DataType::UInt32, false))).into_iter().collect()
}

fn span_item() -> Field {
    Field::new("item", DataType::Struct(span_fields()), false)
}

impl Row for SegmentRow {
    const TABLE: Table = Table::Segments;

    fn schema() -> SchemaRef {
        Arc::new(Schema::new(vec![
            Field::new("page", DataType::Utf8, false),
            Field::new("number", DataType::UInt32, false),
            Field::new_list("spans", span_item(), false),
            Field::new("path", DataType::Utf8, false),
            Field::new("role", DataType::Utf8, false),
            Field::new("content", DataType::Boolean, false),
            Field::new("score", DataType::Float32, false),
            Field::new("words", DataType::UInt32, false),
            Field::new("text_density", DataType::Float32, false),
            Field::new("link_density", DataType::Float32, false),
            Field::new("class", DataType::Utf8, true),
        ]))
    }

    fn columns(rows: &[&Self]) -> Vec<ArrayRef> {
        let text = |of: fn(&SegmentRow) -> &str| table::texts(rows.iter().map(|row| of(row)));
        let number =
            |of: fn(&SegmentRow) -> u32| -> ArrayRef { Arc::new(UInt32Array::from_iter_values(rows.iter().map(|row| of(row)))) };
        let measure =
            |of: fn(&SegmentRow) -> f32| -> ArrayRef { Arc::new(Float32Array::from_iter_values(rows.iter().map(|row| of(row)))) };
        let mut spans = ListBuilder::new(StructBuilder::from_fields(span_fields(), rows.len())).with_field(span_item());
        for row in rows {
            let values = spans.values();
            for part in 0..2 {
                if let Some(ends) = values.field_builder::<UInt32Builder>(part) {
                    row.spans.iter().for_each(|span| ends.append_value(span[part]));
                }
            }
            row.spans.iter().for_each(|_| values.append(true));
            spans.append(true);
        }
        vec![
            text(|row| &row.page),
            number(|row| row.number),
            Arc::new(spans.finish()),
            text(|row| &row.path),
            text(|row| row.role.map_or("", Role::name)),
            Arc::new(rows.iter().map(|row| Some(row.content)).collect::<BooleanArray>()),
            measure(|row| row.score),
            number(|row| row.words),
            measure(|row| row.text_density),
            measure(|row| row.link_density),
            table::optional_texts(rows.iter().map(|row| row.class.as_deref())),
        ]
    }

    fn rows(columns: &Columns<'_>) -> Result<Vec<Self>, String> {
        let (mut page, mut path, mut role) = (columns.texts("page")?, columns.texts("path")?, columns.texts("role")?);
        let (mut number, mut words) = (columns.numbers("number")?, columns.numbers("words")?);
        let (mut score, mut content) = (columns.floats("score")?, columns.booleans("content")?);
        let (mut text_density, mut link_density) = (columns.floats("text_density")?, columns.floats("link_density")?);
        let mut class = columns.optional_texts("class")?;
        let row = |spans: Option<ArrayRef>| SegmentRow {
            page: page.next().unwrap_or_default(),
            number: number.next().flatten().unwrap_or_default(),
            spans: spans.map(|spans| pairs(&spans)).unwrap_or_default(),
            path: path.next().unwrap_or_default(),
            role: role.next().and_then(|name| name.parse().ok()),
            content: content.next().flatten().unwrap_or_default(),
            score: score.next().flatten().unwrap_or_default(),
            words: words.next().flatten().unwrap_or_default(),
            text_density: text_density.next().flatten().unwrap_or_default(),
            link_density: link_density.next().flatten().unwrap_or_default(),
            class: class.next().flatten(),
        };
        Ok(columns.lists("spans")?.map(row).collect())
    }

    fn size(&self) -> usize {
        let role = self.role.map_or(0, |role| role.name().len());
        let texts = self.page.len() + self.path.len() + role + self.class.as_ref().map_or(0, String::len);
        size_of::<SegmentRow>() + texts + 8 * self.spans.len()
    }
}

fn pairs(spans: &ArrayRef) -> Vec<[u32; 2]> {
    let ends = |part: usize| spans.as_struct_opt()?.columns().get(part)?.as_primitive_opt::<UInt32Type>();
    match (ends(0), ends(1)) {
        (Some(starts), Some(ends)) => starts.values().iter().zip(ends.values()).map(|(&start, &end)| [start, end]).collect(),
        _ => Vec::new(),
    }
}
