//! The table of links.

use super::table::{self, Table, row};
use serde::{Deserialize, Serialize};
use webstrata::label::Role;

/// One link.
///
/// ```
/// use webstrata_corpus::store::LinkRow;
/// let row = LinkRow { source: "https://example.org/".into(), target: "https://example.org/a".into(), ..LinkRow::default() };
/// assert!(serde_json::to_string(&row).unwrap().contains(r#""target":"https://example.org/a","anchor":"""#));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRow {
    /// Id of its page.
    pub page: String,
    /// Address of that page, or its id if it has none.
    pub source: String,
    /// Its target.
    pub target: String,
    /// Its text, or the `alt` text of its images.
    pub anchor: String,
    /// Index of its segment on the page.
    pub segment: Option<u32>,
    /// Role of that segment.
    #[serde(with = "table::role_name")]
    pub role: Option<Role>,
    /// Whether it is in content.
    pub content: Option<bool>,
    /// Whether it leads to the host of the page, if both are known.
    pub same_host: Option<bool>,
}

row!(LinkRow, Table::Links, [page, source, target, anchor, segment, role, content, same_host]);
