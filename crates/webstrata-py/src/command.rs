//! The command line.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command line; the first argument is the program's name. Returns the exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| webstrata_cli::run(&arguments))
}
