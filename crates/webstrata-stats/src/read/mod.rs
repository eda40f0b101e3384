//! Input readers: the tables of runs (Parquet and JSON Lines) and folders of plain text.

mod count;
mod files;
mod jsonl;
mod parquet;
mod plain;
mod tables;

pub use count::{Input, Options, Progress, count};
