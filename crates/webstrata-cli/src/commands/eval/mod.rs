//! `webstrata eval`: how good a method is, on which pages, by which measure.

mod blocks;
mod extract;
mod figures;
mod segment;

use crate::args::{EvalArgs, EvalCommand, EvalOutputArgs};
use crate::commands::threads;
use crate::output::write_whole;
use crate::run::Summary;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Carries out one of the evaluations.
pub(crate) fn run(args: &EvalArgs) -> Result<Summary> {
    match &args.what {
        EvalCommand::Extract(args) => with_threads(&args.output, || extract::run(args)),
        EvalCommand::Segment(args) => with_threads(&args.output, || segment::run(args)),
        EvalCommand::Figures(args) => threads::with_threads(args.threads, || figures::run(args)),
        EvalCommand::Blocks(args) => with_threads(&args.output, || blocks::run(args)),
    }
}

fn with_threads(output: &EvalOutputArgs, work: impl FnOnce() -> Result<Summary> + Send) -> Result<Summary> {
    threads::with_threads(output.threads, work)
}

/// Writes what was measured to where it was asked for.
fn write(output: &EvalOutputArgs, text: &str) -> Result<()> {
    match &output.output {
        Some(path) => write_file(path, text),
        None => std::io::stdout().lock().write_all(text.as_bytes()).context("cannot write to standard output"),
    }
}

/// A figure, or null where there is none: JSON has no NaN.
fn figure(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    write_whole(path, text).with_context(|| format!("cannot write {}", path.display()))
}
