//! The command line.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::{Write, stdout};

/// Runs the command line; the first argument is the program's name. Returns the exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = webstrata_cli::run(&arguments);
        // A Rust program flushes at exit, but Python does not know this buffer. There is nobody to report a failure to.
        let _ = stdout().flush();
        code
    })
}
