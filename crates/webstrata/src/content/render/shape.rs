//! The shapes of tables and cells in a document.

/// The shape of a table in a document.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::{Event, Part, RenderOptions}, label::Preset};
/// let page = Page::parse(b"<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>");
/// let document = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).document(&RenderOptions::default());
/// let cells: Vec<_> = document.events().filter_map(|e| if let Event::Start(Part::Cell(cell)) = e { Some(cell) } else { None }).collect();
/// let Some(Event::Start(Part::Table(table))) = document.events().next() else { panic!() };
/// assert_eq!((table.columns, table.header_rows), (2, 1));
/// assert_eq!((cells[0].header, cells[2].rows, cells[4].column), (true, 2, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TableShape {
    /// Number of columns.
    pub columns: u8,
    /// Number of rows at the top that consist of header cells. There is at least one row below them.
    pub header_rows: u16,
}

/// The position and extent of a cell in its table. Cells do not overlap, and none extends beyond its table. Rows without content,
/// and columns in which no cell with content starts, are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CellShape {
    /// The first column.
    pub column: u8,
    /// Number of columns, at least 1.
    pub columns: u8,
    /// Number of rows, at least 1.
    pub rows: u16,
    /// Whether it is a header cell: `th`, or in `thead`.
    pub header: bool,
    /// Whether it contains parts (lists, code, tables and the paragraphs around them) rather than its text directly.
    pub has_parts: bool,
}

impl Default for CellShape {
    fn default() -> Self {
        CellShape { column: 0, columns: 1, rows: 1, header: false, has_parts: false }
    }
}
