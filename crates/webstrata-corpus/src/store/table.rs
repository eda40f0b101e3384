//! The tables of a run, and what all rows have in common.

use arrow_array::{Array, ArrayRef, BooleanArray, Float32Array, ListArray, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::{ArrowError, SchemaRef};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

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

/// A row of a table: serde makes it JSON, the functions here make it Arrow columns.
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
    /// If a column is missing or of another type.
    fn rows(columns: &Columns<'_>) -> Result<Vec<Self>, String>;
    /// Approximate size in bytes, which limits chunks and shards.
    fn size(&self) -> usize;
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

    fn typed<A: Array + 'static>(self, name: &str) -> Result<&'b A, String> {
        let column = self.0.column_by_name(name).ok_or_else(|| format!("it has no column `{name}`"))?;
        column.as_any().downcast_ref::<A>().ok_or_else(|| format!("its column `{name}` is of another type: {}", column.data_type()))
    }

    /// A required text column.
    pub(super) fn texts(self, name: &str) -> Result<impl Iterator<Item = String> + 'b, String> {
        Ok(self.optional_texts(name)?.map(Option::unwrap_or_default))
    }

    /// An optional text column.
    pub(super) fn optional_texts(self, name: &str) -> Result<impl Iterator<Item = Option<String>> + 'b, String> {
        Ok(self.typed::<StringArray>(name)?.iter().map(|text| text.map(str::to_owned)))
    }

    /// A column of 32-bit numbers.
    pub(super) fn numbers(self, name: &str) -> Result<impl Iterator<Item = Option<u32>> + 'b, String> {
        Ok(self.typed::<UInt32Array>(name)?.iter())
    }

    /// A column of 64-bit numbers.
    pub(super) fn long_numbers(self, name: &str) -> Result<impl Iterator<Item = Option<u64>> + 'b, String> {
        Ok(self.typed::<UInt64Array>(name)?.iter())
    }

    /// A column of floating-point numbers.
    pub(super) fn floats(self, name: &str) -> Result<impl Iterator<Item = Option<f32>> + 'b, String> {
        Ok(self.typed::<Float32Array>(name)?.iter())
    }

    /// A column of booleans.
    pub(super) fn booleans(self, name: &str) -> Result<impl Iterator<Item = Option<bool>> + 'b, String> {
        Ok(self.typed::<BooleanArray>(name)?.iter())
    }

    /// A column of lists.
    pub(super) fn lists(self, name: &str) -> Result<impl Iterator<Item = Option<ArrayRef>> + 'b, String> {
        Ok(self.typed::<ListArray>(name)?.iter())
    }
}

/// Makes a required text column.
pub(super) fn texts<'t>(values: impl Iterator<Item = &'t str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

/// Makes an optional text column.
pub(super) fn optional_texts<'t>(values: impl Iterator<Item = Option<&'t str>>) -> ArrayRef {
    Arc::new(values.collect::<StringArray>())
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
