//! Files of records: written whole or not at all, sorted beyond memory, checked when they are read.

mod file;
mod merge;
mod record;
mod sort;

pub(crate) use file::{RecordReader, RecordWriter, read_json, write_json};
pub(crate) use merge::{Merge, merge};
pub(crate) use record::{Record, Source, write_text};
pub(crate) use sort::Sorter;
