//! Evidence in the tags, roles and attributes of a table.

use crate::html::{Attribute, Tag};

/// The kind of table element, by its tag or role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TablePart {
    Table,
    Row,
    Cell,
    HeaderCell,
}

/// The part that an ARIA role names.
pub(crate) fn part_of_role(role: &str) -> Option<TablePart> {
    let part = |name: &str| match name {
        "table" | "grid" | "treegrid" => Some(TablePart::Table),
        "row" => Some(TablePart::Row),
        "cell" | "gridcell" => Some(TablePart::Cell),
        "columnheader" | "rowheader" => Some(TablePart::HeaderCell),
        _ => None,
    };
    part(role).or_else(|| part(&role.trim().to_ascii_lowercase()))
}

/// The part that a tag represents.
pub(crate) fn part_of_tag(tag: Tag) -> Option<TablePart> {
    match tag {
        Tag::TABLE => Some(TablePart::Table),
        Tag::TR => Some(TablePart::Row),
        Tag::TD => Some(TablePart::Cell),
        Tag::TH => Some(TablePart::HeaderCell),
        _ => None,
    }
}

/// Substrings of class names used for data tables.
const DATA_NAMES: [&str; 20] = [
    "wikitable", "infobox", "dataframe", "docutils", "datatable", "data-table", "data_table", "tablesorter", "tablepress",
    "confluencetable", "ltx_tabular", "tableblock", "sortable", "table-striped", "table-bordered", "table-hover", "msotable",
    "gt_table", "specs", "comparison",
];

/// Substrings of class names used for tables that lay out a page or the lines of a program.
const LAYOUT_NAMES: [&str; 8] =
    ["layout", "highlighttable", "rouge-table", "crayon-table", "hljs-ln", "syntaxhighlighter", "js-file-line", "ltx_eqn_table"];

/// Flags of an open table.
pub(super) mod is {
    /// Marked as a data table: a caption, a name, a role.
    pub(in crate::select) const MARKED: u16 = 1;
    /// Drawn or described like one: a border, a summary, `thead`.
    pub(in crate::select) const DRAWN: u16 = 1 << 1;
    /// Marked as layout.
    pub(in crate::select) const LAYOUT: u16 = 1 << 2;
    /// A cell is as long as an article.
    pub(in crate::select) const ARTICLE: u16 = 1 << 3;
    /// Of the current cell: contains a table, contains headings or code.
    pub(in crate::select) const CELL_NESTED: u16 = 1 << 4;
    pub(in crate::select) const CELL_RICH: u16 = 1 << 5;
    /// A `tfoot` was seen.
    pub(in crate::select) const FOOT: u16 = 1 << 6;
    pub(in crate::select) const OUT_OF_ORDER: u16 = 1 << 7;
    pub(in crate::select) const ARIA: u16 = 1 << 8;
    pub(in crate::select) const OF_CELL: u16 = CELL_NESTED | CELL_RICH;
}

/// The flags set by an attribute of the `table` element.
pub(super) fn flags_of(attribute: Attribute<'_>) -> u16 {
    let name = attribute.name();
    let is_name = |known: &str| name.eq_ignore_ascii_case(known);
    let value = attribute.value();
    if is_name("role") {
        return match &*value {
            "presentation" | "none" => is::LAYOUT,
            role if part_of_role(role) == Some(TablePart::Table) => is::MARKED | is::ARIA,
            _ => 0,
        };
    }
    if is_name("class") {
        return match () {
            () if names_layout(&value) => is::LAYOUT,
            () if names_any(&value, &DATA_NAMES) => is::MARKED,
            () => 0,
        };
    }
    let drawn = (is_name("border") && leading_number(&value).is_some_and(|width| width > 0))
        || (is_name("summary") && !value.trim().is_empty() && !value.to_ascii_lowercase().contains("layout"))
        || (is_name("rules") && !value.eq_ignore_ascii_case("none"));
    if drawn { is::DRAWN } else { 0 }
}

/// Whether a class marks a table that lays out a page or the lines of a program. `has-fixed-layout` is about column widths.
fn names_layout(value: &str) -> bool {
    value.split_ascii_whitespace().any(|class| !class.eq_ignore_ascii_case("has-fixed-layout") && names_any(class, &LAYOUT_NAMES))
}

/// Whether one of the names is part of a class.
fn names_any(class: &str, names: &[&str]) -> bool {
    let class = class.to_ascii_lowercase();
    names.iter().any(|name| class.contains(name))
}

/// The number at the start of a value.
pub(crate) fn leading_number(value: &str) -> Option<u32> {
    let digits = value.trim().trim_start_matches('+');
    let digits = &digits[..digits.bytes().take_while(u8::is_ascii_digit).count()];
    (!digits.is_empty()).then(|| digits.parse().unwrap_or(u32::MAX))
}
