//! `webstrata eval`: how good a method is, on which pages, by which measure.

mod extract;
mod segment;

use crate::args::{EvalArgs, EvalCommand, EvalOutputArgs};
use crate::output::write_whole;
use crate::run::Summary;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::Path;

/// Carries out one of the evaluations.
pub(crate) fn run(args: &EvalArgs) -> Result<Summary> {
    match &args.what {
        EvalCommand::Extract(args) => with_threads(&args.output, || extract::run(args)),
        EvalCommand::Segment(args) => with_threads(&args.output, || segment::run(args)),
    }
}

fn with_threads(output: &EvalOutputArgs, work: impl FnOnce() -> Result<Summary> + Send) -> Result<Summary> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(usize::from(output.threads)).build().context("cannot start the threads")?;
    pool.install(work)
}

/// Writes what was measured to where it was asked for.
fn write(output: &EvalOutputArgs, text: &str) -> Result<()> {
    match &output.output {
        Some(path) => write_file(path, text),
        None => std::io::stdout().lock().write_all(text.as_bytes()).context("cannot write to standard output"),
    }
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    write_whole(path, text).with_context(|| format!("cannot write {}", path.display()))
}
