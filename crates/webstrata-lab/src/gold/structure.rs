//! Structure of a page's content: the elements its Markdown should have.

use crate::metrics::grid::Cell;
use serde::{Deserialize, Deserializer};

/// Code, formulas, tables, headings and list items of the content, each in page order.
///
/// ```
/// use webstrata_lab::gold::structure::Structure;
/// let gold: Structure = serde_json::from_str(r#"{
///     "code": [{"text": "let x = 1;", "language": "rust"}], "math": [{"tex": "x^2", "display": true}],
///     "tables": [[["a", "b"], [{"text": "c", "cols": 2}]]],
///     "headings": [{"level": 2, "text": "Piers"}], "items": ["oars"], "neutral": ["Contents"]}"#).unwrap();
/// assert_eq!(gold.code[0].language.as_deref(), Some("rust"));
/// assert_eq!(gold.tables[0][1][0].cols, 2);
/// assert!(!gold.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Structure {
    /// Code.
    #[serde(default)]
    pub code: Vec<Code>,
    /// Formulas.
    #[serde(default)]
    pub math: Vec<Formula>,
    /// Tables: rows of cells.
    #[serde(default, deserialize_with = "tables")]
    pub tables: Vec<Vec<Vec<Cell>>>,
    /// Headings.
    #[serde(default)]
    pub headings: Vec<Heading>,
    /// List items, without the lists, tables and code inside them.
    #[serde(default)]
    pub items: Vec<String>,
    /// Texts that may or may not be items in an answer, such as definitions and entries of a table of contents.
    #[serde(default)]
    pub neutral: Vec<String>,
}

impl Structure {
    /// Whether there is nothing to measure.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let lists = [self.code.len(), self.math.len(), self.tables.len(), self.headings.len(), self.items.len()];
        lists == [0; 5]
    }

    /// Code blocks, without inline code.
    pub fn blocks(&self) -> impl Iterator<Item = &Code> {
        self.code.iter().filter(|code| !code.inline)
    }
}

/// Code.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Code {
    /// Its text.
    pub text: String,
    /// Its language, if the page names one.
    #[serde(default)]
    pub language: Option<String>,
    /// Whether it is inline code.
    #[serde(default)]
    pub inline: bool,
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Formula {
    /// Its TeX source, without delimiters.
    pub tex: String,
    /// Whether it is a display formula.
    #[serde(default)]
    pub display: bool,
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Heading {
    /// From 1 to 6.
    pub level: u8,
    /// Its text.
    pub text: String,
}

/// A cell is a text, or an object if it spans several rows or columns.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyCell {
    Text(String),
    Spanning {
        text: String,
        #[serde(default = "one")]
        rows: usize,
        #[serde(default = "one")]
        cols: usize,
    },
}

fn one() -> usize {
    1
}

fn tables<'d, D: Deserializer<'d>>(input: D) -> Result<Vec<Vec<Vec<Cell>>>, D::Error> {
    let cell = |cell: AnyCell| match cell {
        AnyCell::Text(text) => Cell { text, rows: 1, cols: 1 },
        AnyCell::Spanning { text, rows, cols } => Cell { text, rows, cols },
    };
    let tables: Vec<Vec<Vec<AnyCell>>> = Deserialize::deserialize(input)?;
    let row = |row: Vec<AnyCell>| row.into_iter().map(cell).collect();
    Ok(tables.into_iter().map(|table| table.into_iter().map(row).collect()).collect())
}
