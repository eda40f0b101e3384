//! Data tables. All other tables are layout, and their text is treated like any other.
//!
//! This is the crate's only test for data tables: [`find`] judges every table of a page in one pass over the tree, and both the
//! selection and the writers use its list. A data table has at least two rows and two columns, and the evidence of its markup
//! outweighs that of its cells. Header cells, a caption, `thead`, a drawn border or a name such as `wikitable` are evidence for data; such a
//! table may have long cells, headings, lists and code in some of them. Without any evidence the cells must be lines of text: no
//! headings, no code, no table inside, and hardly a long one. `role=presentation` marks layout.
//!
//! ARIA tables (`role=table`, `role=row`, `role=cell`) are tables whatever their elements.

use super::table_marks::{TablePart, flags_of, is, leading_number, part_of_role, part_of_tag};
use crate::block::listing::is_listing_table;
use crate::block::{Blocks, Context};
use crate::html::{Attributes, Dom, HIDDEN, Node, Tag};

/// A cell with more bytes of text than this is long: more than a line or two.
const LONG_CELL_BYTES: u32 = 700;

/// A table without any evidence may have long cells if it has at least this many rows, and this many cells per long one.
const MIN_RECORDS: u32 = 4;
const RECORD_CELLS_PER_LONG: u32 = 8;

/// A cell with more bytes of text than this is an article, and its table is layout, whatever the markup says.
const MAX_CELL_BYTES: u32 = 20_000;

/// Tables nested deeper than this are treated as text of the cell around them.
const MAX_NESTING: usize = 32;

/// A data table: its element and the node after its last descendant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataTable {
    pub(crate) node: u32,
    pub(crate) end: u32,
    /// Whether rows of a `tfoot` come before others, or the caption comes after a row.
    pub(crate) out_of_order: bool,
    /// Whether it consists of ARIA roles, or has some.
    pub(crate) aria: bool,
}

/// A table that is still open.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    node: u32,
    end: u32,
    rows: u32,
    /// Rows with two cells or more, counting a cell that spans down from above.
    wide: u32,
    cells: u32,
    headers: u32,
    /// Cells that contain a table, long cells, cells with headings, code or quotations.
    nested: u32,
    long: u32,
    rich: u32,
    /// Cells of the current row, including one that spans down from above.
    cells_of_row: u32,
    bytes_of_cell: u32,
    /// The first row below the last cell that spans rows.
    covered: u32,
    flags: u16,
}

impl Open {
    fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    fn is_data(&self) -> bool {
        if self.has(is::LAYOUT | is::ARTICLE) || self.rows < 2 || self.wide < 2 {
            return false;
        }
        if self.has(is::MARKED) {
            return self.nested * 2 <= self.cells && self.long * 2 <= self.cells;
        }
        if self.headers > 0 || self.has(is::DRAWN) {
            return self.nested * 4 <= self.cells && self.long * 4 <= self.cells && self.rich * 2 <= self.cells;
        }
        self.nested == 0 && self.rich == 0 && (self.long == 0 || self.is_list_of_records())
    }

    /// Whether it has many rows, each with several cells, few of them long: names with descriptions, some of them long.
    /// Layout tables have few rows, and most of them have text.
    fn is_list_of_records(&self) -> bool {
        self.rows >= MIN_RECORDS && self.wide == self.rows && self.long * RECORD_CELLS_PER_LONG <= self.cells
    }

    fn row(&mut self) {
        self.rows += 1;
        self.cells_of_row = u32::from(self.covered > self.rows);
    }

    fn cell(&mut self, header: bool, rowspan: u32) {
        self.cells += 1;
        self.headers += u32::from(header);
        self.cells_of_row += 1;
        self.wide += u32::from(self.cells_of_row == 2);
        match rowspan {
            0 => self.covered = u32::MAX,
            1 => {}
            rows => self.covered = self.covered.max(self.rows.saturating_add(rows)),
        }
        self.bytes_of_cell = 0;
        self.flags &= !is::OF_CELL;
    }

    fn text(&mut self, bytes: u32) {
        let before = self.bytes_of_cell;
        self.bytes_of_cell = before.saturating_add(bytes);
        self.long += u32::from(before <= LONG_CELL_BYTES && self.bytes_of_cell > LONG_CELL_BYTES);
        if self.bytes_of_cell > MAX_CELL_BYTES {
            self.flags |= is::ARTICLE;
        }
    }

    fn rich_cell(&mut self) {
        self.rich += u32::from(!self.has(is::CELL_RICH));
        self.flags |= is::CELL_RICH;
    }
}

/// The data tables of a page in document order; nested ones follow the one around them. On most pages the blocks alone show
/// that there are none.
pub(crate) fn find(blocks: Blocks<'_>) -> Vec<DataTable> {
    let dom = blocks.dom();
    let aria = has_aria_tables(dom);
    if !aria && !blocks.records().iter().any(|record| record.context.intersects(Context::CELL)) {
        return Vec::new();
    }
    find_in(dom, aria)
}

/// Whether a page may have an ARIA table.
fn has_aria_tables(dom: &Dom<'_>) -> bool {
    let source = dom.source().as_bytes();
    let attributes = dom.attrs().iter().map(|attribute| attribute.raw);
    let roles = attributes.filter(|raw| raw.name_end - raw.name_start == 4 && raw.value_start.wrapping_sub(raw.name_end) <= 2);
    roles.map(|raw| &source[raw.name_start as usize..raw.value_end as usize]).any(|role| {
        let value = role.strip_prefix(b"role=").unwrap_or_default();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
        [&b"table"[..], b"grid", b"treegrid"].iter().any(|name| value.starts_with(name))
    })
}

fn find_in(dom: &Dom<'_>, aria: bool) -> Vec<DataTable> {
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut attributes = Attributes::new(dom);
    let records = dom.records();
    let mut number = 0;
    // The end of an element whose descendants are text of a cell or not shown: tables inside it do not count.
    let mut opaque_until = 0;
    while let Some(record) = records.get(number as usize) {
        while let Some(table) = open.pop_if(|table| table.end <= number) {
            close(table, &mut open, &mut found);
        }
        if record.tag != Tag::TEXT && (record.tag.flags() & HIDDEN != 0 || record.tag == Tag::SVG) {
            number = record.end.max(number + 1);
            continue;
        }
        if record.tag == Tag::TABLE && is_listing_table(Node::new(dom, number)) {
            if let Some(table) = open.last_mut() {
                table.rich_cell();
            }
            number = record.end.max(number + 1);
            continue;
        }
        let mut part = part_of_tag(record.tag);
        if aria && record.tag != Tag::TEXT && part != Some(TablePart::Table) {
            let role = attributes.for_node(number).find(|attribute| attribute.name().eq_ignore_ascii_case("role"));
            part = part.or_else(|| role.and_then(|role| part_of_role(&role.value())));
        }
        if part == Some(TablePart::Table) && number >= opaque_until {
            if let Some(outer) = open.last_mut() {
                outer.nested += u32::from(!outer.has(is::CELL_NESTED));
                outer.flags |= is::CELL_NESTED;
            }
            if open.len() < MAX_NESTING {
                let mut flags = if record.tag == Tag::TABLE { 0 } else { is::MARKED | is::ARIA };
                attributes.for_node(number).for_each(|attribute| flags |= flags_of(attribute));
                open.push(Open { node: number, end: record.end, flags, ..Open::default() });
            }
        } else if let Some(table) = open.last_mut() {
            match part {
                Some(TablePart::Row) => {
                    table.row();
                    if table.has(is::FOOT) {
                        let foot = dom.record(record.parent).tag == Tag::TFOOT;
                        table.flags |= if foot { 0 } else { is::OUT_OF_ORDER };
                    }
                }
                Some(cell @ (TablePart::Cell | TablePart::HeaderCell)) => {
                    let mut rowspan = 1;
                    for attribute in attributes.for_node(number) {
                        if attribute.name().eq_ignore_ascii_case("rowspan") {
                            rowspan = leading_number(&attribute.value()).unwrap_or(1);
                        } else if attribute.name().eq_ignore_ascii_case("scope") {
                            table.flags |= is::DRAWN;
                        }
                    }
                    table.cell(cell == TablePart::HeaderCell, rowspan);
                }
                _ => table_content(table, record.tag, number, record.end, record.to - record.from, &mut opaque_until),
            }
        } else if record.tag == Tag::PRE {
            opaque_until = opaque_until.max(record.end);
        }
        number += 1;
    }
    while let Some(table) = open.pop() {
        close(table, &mut open, &mut found);
    }
    found.sort_by_key(|table| table.node);
    found
}

/// Records an element or text inside a table that is neither a row nor a cell.
fn table_content(table: &mut Open, tag: Tag, number: u32, end: u32, bytes: u32, opaque_until: &mut u32) {
    match tag {
        Tag::TEXT => table.text(bytes),
        Tag::CAPTION if end > number + 1 => {
            table.flags |= is::MARKED | if table.rows > 0 { is::OUT_OF_ORDER } else { 0 };
        }
        Tag::THEAD => table.flags |= is::DRAWN,
        Tag::TFOOT => table.flags |= is::FOOT,
        Tag::PRE | Tag::LISTING | Tag::XMP => {
            *opaque_until = (*opaque_until).max(end);
            table.rich_cell();
        }
        // Forums that lay out their threads as tables have a headline and a reply form in them on every page.
        Tag::H1 if !table.has(is::MARKED) => table.flags |= is::LAYOUT,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::BLOCKQUOTE | Tag::TEXTAREA => table.rich_cell(),
        _ => {}
    }
}

/// Judges a table that has ended. Its text also counts for the cell around it.
fn close(table: Open, open: &mut [Open], found: &mut Vec<DataTable>) {
    if table.is_data() {
        let (out_of_order, aria) = (table.has(is::OUT_OF_ORDER), table.has(is::ARIA));
        found.push(DataTable { node: table.node, end: table.end, out_of_order, aria });
    }
    if let Some(outer) = open.last_mut() {
        outer.flags |= table.flags & is::ARTICLE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(html: &str) -> Vec<String> {
        let dom = Dom::parse(html);
        find_in(&dom, has_aria_tables(&dom)).iter().map(|table| Node::new(&dom, table.node).text()).collect()
    }

    #[test]
    fn aria_tables_are_found_as_in_the_source() {
        let in_source = |html: &str| {
            html.match_indices("role=").any(|(at, key)| {
                let value = html[at + key.len()..].trim_start_matches(['"', '\'']);
                ["table", "grid", "treegrid"].iter().any(|name| value.starts_with(name))
            })
        };
        for html in [
            "<div role=table>",
            "<div class=a role=\"grid\" id=b>",
            "<p>x<div role='treegrid'>",
            "<div role=gridcell>",
            "<div role=row><p role=presentation>",
            "<div ROLE=table>",
            "<div role = table>",
            "<div role=Table>",
            "<div role>table",
            "<div role=\"\">",
            "<div>table",
        ] {
            assert_eq!(has_aria_tables(&Dom::parse(html)), in_source(html), "{html}");
        }
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn data_tables_differ_from_layout_tables() {
        assert_eq!(data("<table><tr><td>a<td>b<tr><td>c<td>d</table>"), ["a b c d"]);
        assert_eq!(data("<table><tr><td>menu<td>text</table>"), NONE);
        assert_eq!(data("<table><tr><td><h1>x</h1><td>b<tr><td>c<td>d</table>"), NONE);
        let long = "word ".repeat(200);
        assert_eq!(data(&format!("<table><tr><td>a<td>b<tr><td>c<td>{long}</table>")), NONE);
        assert_eq!(data("<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>"), ["1 2 3 4"]);
    }

    #[test]
    fn evidence_outweighs_what_cells_look_like() {
        let long = "word ".repeat(200);
        let rows = format!("<tr><td>a<td>b<tr><td>c<td>{long}<tr><td>e<td><pre>f</pre>");
        assert_eq!(data(&format!("<table>{rows}</table>")).len(), 0);
        for evidence in
            ["<table border=1>", "<table class='big wikitable'>", "<table><caption>x</caption>", "<table><tr><th>x<th>y"]
        {
            assert_eq!(data(&format!("{evidence}{rows}</table>")).len(), 1, "{evidence}");
        }
        assert_eq!(data("<table role=presentation><tr><th>a<th>b<tr><td>c<td>d</table>"), NONE);
        assert_eq!(data("<table class=layout><tr><th>a<th>b<tr><td>c<td>d</table>"), NONE);
        let posts = format!("<table><tr><th>Author<th>Message<tr><td>Jo<td>{long}<tr><td>Ann<td>{long}</table>");
        assert_eq!(data(&posts), NONE);
        let article = "word ".repeat(5000);
        assert_eq!(data(&format!("<table class=wikitable><tr><th>a<th>b<tr><td>c<td>{article}</table>")), NONE);
    }

    #[test]
    fn a_list_of_records_may_have_a_long_cell() {
        let long = "word ".repeat(200);
        let rows = |count: usize| "<tr><td>name<td>what it does".repeat(count);
        assert_eq!(data(&format!("<table>{}<tr><td>last<td>{long}</table>", rows(3))).len(), 1);
        // Too few rows, too many long cells, a row that is only text.
        assert_eq!(data(&format!("<table>{}<tr><td>last<td>{long}</table>", rows(2))), NONE);
        assert_eq!(data(&format!("<table>{}<tr><td>{long}<td>{long}</table>", rows(6))), NONE);
        assert_eq!(data(&format!("<table>{}<tr><td>{long}</table>", rows(6))), NONE);
    }

    #[test]
    fn threads_are_layout() {
        let thread = "<table><tr><td><h1>Rain</h1><tr><th>Author<th>Message<tr><td>Jo<td>It rains.<tr><td>Ann<td>Still.</table>";
        assert_eq!(data(thread), NONE);
        assert_eq!(data(&thread.replace("h1", "b")).len(), 1);
        let form = "<table><tr><td rowspan=2>Jo<td>It rains.<form><textarea></textarea></form><tr><td>Yesterday</table>";
        assert_eq!(data(form), NONE);
        assert_eq!(data(&form.replace("textarea", "b")).len(), 1);
    }

    #[test]
    fn spans_and_roles_make_columns() {
        assert_eq!(data("<table><tr><td rowspan=3>a<td>1<tr><td>2<tr><td>3</table>").len(), 1);
        assert_eq!(data("<table><tr><td rowspan=0>a<td>1<tr><td>2</table>").len(), 1);
        assert_eq!(data("<table><tr><td>a<td>1<tr><td>2<tr><td>3</table>"), NONE);
        let aria = "<div role=table><div role=row><span role=columnheader>a</span><span role=columnheader>b</span></div>\
                    <div role='row'><span role=cell>c</span><span role=cell>d</span></div></div>";
        assert_eq!(data(aria).len(), 1);
        assert_eq!(data(&aria.replace("role=table", "role=list")), NONE);
    }

    #[test]
    fn code_is_not_a_table() {
        assert_eq!(data("<table class=highlighttable><tr><td>1<td>a<tr><td>2<td>b</table>"), NONE);
        assert_eq!(data("<pre><code><table><tr><td>1<td>a<tr><td>2<td>b</table></code></pre>"), NONE);
        assert_eq!(data("<table><tr><td class=lineno>1<td class=code>a<tr><td class=lineno>2<td class=code>b</table>"), NONE);
    }

    #[test]
    fn parts_out_of_order_are_noticed() {
        let out_of_order = |html: &str| {
            let dom = Dom::parse(html);
            find_in(&dom, false).first().is_some_and(|table| table.out_of_order)
        };
        assert!(!out_of_order("<table><caption>x</caption><tr><td>a<td>b<tr><td>c<td>d<tfoot><tr><td>e<td>f</table>"));
        assert!(out_of_order("<table><thead><tr><td>a<td>b<tfoot><tr><td>e<td>f<tbody><tr><td>c<td>d</table>"));
        assert!(out_of_order("<table><tr><td>a<td>b<tr><td>c<td>d</tr><caption>x</caption></table>"));
    }
}
