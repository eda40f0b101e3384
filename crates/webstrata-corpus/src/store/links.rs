//! The table of links.

use super::table::{self, Columns, Row, Table};
use arrow_array::{ArrayRef, BooleanArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use webstrata::label::Role;

/// One link.
///
/// ```
/// use webstrata_corpus::store::LinkRow;
/// let row = LinkRow { from: "https://example.org/".into(), to: "https://example.org/a".into(), ..LinkRow::default() };
/// assert!(serde_json::to_string(&row).unwrap().contains(r#""to":"https://example.org/a","anchor":"""#));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRow {
    /// Id of its page.
    pub page: String,
    /// Address of that page, or its id if it has none.
    pub from: String,
    /// Its target.
    pub to: String,
    /// Its text, or the `alt` text of its images.
    pub anchor: String,
    /// Number of its segment on the page.
    pub segment: Option<u32>,
    /// Role of that segment.
    #[serde(with = "table::role_name")]
    pub role: Option<Role>,
    /// Whether it is in content.
    pub content: Option<bool>,
    /// Whether it leads to the host of the page, if both are known.
    pub same_host: Option<bool>,
}

impl Row for LinkRow {
    const TABLE: Table = Table::Links;

    fn schema() -> SchemaRef {
        Arc::new(Schema::new(vec![
            Field::new("page", DataType::Utf8, false),
            Field::new("from", DataType::Utf8, false),
            Field::new("to", DataType::Utf8, false),
            Field::new("anchor", DataType::Utf8, false),
            Field::new("segment", DataType::UInt32, true),
            Field::new("role", DataType::Utf8, true),
            Field::new("content", DataType::Boolean, true),
            Field::new("same_host", DataType::Boolean, true),
        ]))
    }

    fn columns(rows: &[&Self]) -> Vec<ArrayRef> {
        let text = |of: fn(&LinkRow) -> &str| table::texts(rows.iter().map(|row| of(row)));
        vec![
            text(|row| &row.page),
            text(|row| &row.from),
            text(|row| &row.to),
            text(|row| &row.anchor),
            Arc::new(rows.iter().map(|row| row.segment).collect::<UInt32Array>()),
            table::optional_texts(rows.iter().map(|row| row.role.map(Role::name))),
            Arc::new(rows.iter().map(|row| row.content).collect::<BooleanArray>()),
            Arc::new(rows.iter().map(|row| row.same_host).collect::<BooleanArray>()),
        ]
    }

    fn rows(columns: &Columns<'_>) -> Result<Vec<Self>, String> {
        let (page, mut from) = (columns.texts("page")?, columns.texts("from")?);
        let (mut to, mut anchor) = (columns.texts("to")?, columns.texts("anchor")?);
        let (mut segment, mut role) = (columns.numbers("segment")?, columns.optional_texts("role")?);
        let (mut content, mut same_host) = (columns.booleans("content")?, columns.booleans("same_host")?);
        let row = |page| LinkRow {
            page,
            from: from.next().unwrap_or_default(),
            to: to.next().unwrap_or_default(),
            anchor: anchor.next().unwrap_or_default(),
            segment: segment.next().flatten(),
            role: role.next().flatten().as_deref().and_then(|name| name.parse().ok()),
            content: content.next().flatten(),
            same_host: same_host.next().flatten(),
        };
        Ok(page.map(row).collect())
    }

    fn size(&self) -> usize {
        let texts = self.page.len() + self.from.len() + self.to.len() + self.anchor.len();
        size_of::<LinkRow>() + texts + self.role.map_or(0, |role| role.name().len())
    }
}
