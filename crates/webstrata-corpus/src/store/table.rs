//! The tables of a run, and the code that all rows share.

use super::cell::Cell;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Field, SchemaRef};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A table of a run.
///
/// ```
/// use webstrata_corpus::store::Table;
/// assert_eq!("links".parse(), Ok(Table::Links));
/// assert!("words".parse::<Table>().unwrap_err().to_string().contains("pages, segments, links"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Table {
    /// One row per page.
    Pages,
    /// One row per segment.
    Segments,
    /// One row per link.
    Links,
}

impl Table {
    /// All tables.
    pub const ALL: [Table; 3] = [Table::Pages, Table::Segments, Table::Links];

    /// Its name, which is also the name of its folder.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Table::Pages => "pages",
            Table::Segments => "segments",
            Table::Links => "links",
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown table '{0}'; choose one of: pages, segments, links")]
pub struct UnknownTable(String);

impl FromStr for Table {
    type Err = UnknownTable;

    fn from_str(text: &str) -> Result<Self, UnknownTable> {
        Table::ALL.into_iter().find(|table| table.name() == text).ok_or_else(|| UnknownTable(text.to_owned()))
    }
}

/// A row of a table: serde converts it to JSON, the functions here to Arrow columns.
pub trait Row: Serialize + DeserializeOwned + Send {
    /// The table.
    const TABLE: Table;
    /// Its columns.
    fn schema() -> SchemaRef;
    /// The columns of these rows, in the order of the schema.
    fn columns(rows: &[&Self]) -> Vec<ArrayRef>;
    /// The rows of these columns.
    ///
    /// # Errors
    /// If a column is missing or has the wrong type.
    fn rows(columns: &Columns<'_>) -> Result<Vec<Self>, String>;
    /// Approximate size in bytes, which limits chunks and shards.
    fn size(&self) -> usize;
}

/// Makes a struct a row of a table, with a column for each of these fields.
macro_rules! row {
    ($row:ty, $table:expr, [$($field:ident),* $(,)?]) => {
        impl $crate::store::Row for $row {
            const TABLE: $crate::store::Table = $table;

            fn schema() -> arrow_schema::SchemaRef {
                let fields = vec![$($crate::store::table::field(stringify!($field), |row: &$row| &row.$field)),*];
                std::sync::Arc::new(arrow_schema::Schema::new(fields))
            }

            fn columns(rows: &[&Self]) -> Vec<arrow_array::ArrayRef> {
                vec![$($crate::store::table::column(rows, |row: &$row| &row.$field)),*]
            }

            fn rows(columns: &$crate::store::Columns<'_>) -> Result<Vec<Self>, String> {
                let mut rows = vec![<$row>::default(); columns.len()];
                $(columns.fill(stringify!($field), &mut rows, |row| &mut row.$field)?;)*
                Ok(rows)
            }

            fn size(&self) -> usize {
                size_of::<$row>() $(+ $crate::store::cell::Cell::heap(&self.$field))*
            }
        }
    };
}

pub(super) use row;

/// The field of a schema.
pub(super) fn field<R, C: Cell>(name: &str, _: fn(&R) -> &C) -> Field {
    Field::new(name, C::kind(), C::NULLABLE)
}

/// The column of some rows.
pub(super) fn column<R, C: Cell>(rows: &[&R], of: fn(&R) -> &C) -> ArrayRef {
    C::array(rows.iter().map(|row| of(row)))
}

/// Rows as an Arrow batch.
pub(super) fn batch<R: Row>(rows: &[&R]) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_new(R::schema(), R::columns(rows))
}

/// Columns by name, for reading.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'b>(&'b RecordBatch);

impl<'b> Columns<'b> {
    /// The columns of a batch.
    #[must_use]
    pub fn new(batch: &'b RecordBatch) -> Self {
        Columns(batch)
    }

    /// Number of rows.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.num_rows()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Sets a field of all rows.
    pub(super) fn fill<R, C: Cell>(self, name: &str, rows: &mut [R], field: fn(&mut R) -> &mut C) -> Result<(), String> {
        let column = self.0.column_by_name(name).ok_or_else(|| format!("it has no column `{name}`"))?;
        let wrong = || format!("its column `{name}` has the wrong type: {}", column.data_type());
        let cells = C::read(column.as_ref()).ok_or_else(wrong)?;
        rows.iter_mut().zip(cells).for_each(|(row, cell)| *field(row) = cell);
        Ok(())
    }
}

/// Hashes in JSON: 16 hexadecimal digits, because many JSON readers have no 64-bit integers.
pub(super) mod hex {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in crate::store) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{value:016x}"))
    }

    pub(in crate::store) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }

    pub(super) fn parse(text: &str) -> Result<u64, String> {
        u64::from_str_radix(text, 16).map_err(|error| format!("`{text}` is not a hash: {error}"))
    }
}

/// Lists of hashes in JSON.
pub(super) mod hexes {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in crate::store) fn serialize<S: Serializer>(values: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|value| format!("{value:016x}")))
    }

    pub(in crate::store) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| super::hex::parse(text)).collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}

/// Roles by name. A name that this version does not know is read as no role.
pub(super) mod role_name {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::borrow::Cow;
    use webstrata::label::Role;

    pub(in super::super) fn serialize<S: Serializer>(role: &Option<Role>, out: S) -> Result<S::Ok, S::Error> {
        role.map(Role::name).serialize(out)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Role>, D::Error> {
        Ok(Option::<Cow<'de, str>>::deserialize(from)?.and_then(|name| name.parse().ok()))
    }
}
