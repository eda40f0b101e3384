//! `webstrata-lab eval`.

mod blocks;
mod extract;
mod facets;
mod figures;
mod latency;
mod markdown;
mod metadata;
mod search;
mod segment;
mod tables;

use super::with_threads;
use crate::Summary;
use crate::args::{EvalArgs, EvalCommand, OutputArgs};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::io::Write;
use webstrata_corpus::io::write_without_sync;

/// Runs one of the evaluations.
pub(crate) fn run(args: &EvalArgs) -> Result<Summary> {
    match &args.command {
        EvalCommand::Extract(args) => with_threads(args.run.threads, || extract::run(args)),
        EvalCommand::Segment(args) => with_threads(args.run.threads, || segment::run(args)),
        EvalCommand::Figures(args) => with_threads(args.run.threads, || figures::run(args)),
        EvalCommand::Markdown(args) => with_threads(args.run.threads, || markdown::run(args)),
        EvalCommand::Metadata(args) => metadata::run(args),
        EvalCommand::Search(args) => with_threads(args.run.threads, || search::run(args)),
        EvalCommand::Latency(args) => latency::run(args),
        EvalCommand::Facets(args) => facets::run(args),
        EvalCommand::Tables(args) => with_threads(args.threads, || tables::run(args)),
        EvalCommand::Blocks(args) => with_threads(args.run.threads, || blocks::run(args)),
    }
}

/// Writes the scores to the file given, or to standard output.
fn write(output: &OutputArgs, text: &str) -> Result<()> {
    match &output.out {
        Some(path) => Ok(write_without_sync(path, text.as_bytes())?),
        None => std::io::stdout().lock().write_all(text.as_bytes()).context("cannot write to standard output"),
    }
}

/// A number, or null if it is not finite: JSON has no NaN.
fn figure(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}
