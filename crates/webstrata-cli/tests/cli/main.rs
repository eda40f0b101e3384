//! The program as users see it: arguments, exit codes, standard output and standard error.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs, reason = "a test program")]

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_webstrata");

mod common;
mod config;
mod content_options;
mod crawl;
mod data_tables;
mod dedup;
mod failures;
mod formats;
mod graph;
mod guide;
mod help;
mod inputs;
mod interrupt;
#[cfg(unix)]
mod kills;
mod limits;
mod model;
mod outputs;
mod rank;
mod rank_topics;
mod report;
mod rules;
mod search;
mod serve;
mod site;
mod stats;
mod structured;
mod transcripts;
