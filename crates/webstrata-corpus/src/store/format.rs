//! The output formats of a run, and the files of each.

use super::Table;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How rows are written.
///
/// ```
/// use webstrata_corpus::store::Format;
/// assert_eq!("parquet".parse(), Ok(Format::Parquet));
/// assert!("csv".parse::<Format>().unwrap_err().to_string().contains("parquet, jsonl, wet or wat"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Apache Parquet, compressed with Zstandard.
    #[default]
    Parquet,
    /// JSON Lines: one object per line.
    Jsonl,
    /// The text of each page as a WARC record of type `conversion`, as in Common Crawl's WET files.
    Wet,
    /// Title and links of each page as a WARC record of type `metadata`, as in Common Crawl's WAT files.
    Wat,
}

/// Folder and extension of one kind of shard file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) folder: &'static str,
    pub(super) extension: &'static str,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::Parquet, Format::Jsonl, Format::Wet, Format::Wat];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Jsonl => "jsonl",
            Format::Wet => "wet",
            Format::Wat => "wat",
        }
    }

    /// Whether it has tables. The other formats have their own records.
    #[must_use]
    pub const fn has_tables(self) -> bool {
        matches!(self, Format::Parquet | Format::Jsonl)
    }

    /// The places of its shard files.
    pub(super) fn places(self, tables: &[Table]) -> Vec<Place> {
        match self {
            Format::Parquet => tables.iter().map(|table| Place { folder: table.name(), extension: "parquet" }).collect(),
            Format::Jsonl => tables.iter().map(|table| Place { folder: table.name(), extension: "jsonl" }).collect(),
            Format::Wet => vec![Place { folder: "wet", extension: "warc.wet.gz" }],
            Format::Wat => vec![Place { folder: "wat", extension: "warc.wat.gz" }],
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format '{0}'; use parquet, jsonl, wet or wat")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}
