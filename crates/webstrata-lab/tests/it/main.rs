//! Tests of the lab: one binary for the library and the program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test program")]

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_webstrata-lab");

use std::path::PathBuf;

mod annotate;
mod cli;
#[allow(dead_code, reason = "the tests of the user's program use the rest")]
#[path = "../../../webstrata-cli/tests/cli/common/mod.rs"]
mod common;
mod extraction;
mod judgements;
mod l3s_blocks;
mod labelled;
mod learners;
mod model_files;
mod order;
mod quality_gate;
mod site_evidence;
mod thesis_figures;

/// Whether this is the full lane, `scripts/test --full`; if not, prints a note that a test was left out. Reproductions of published
/// figures are left to it: they take long, and the floors of `quality_gate` guard the same methods on every change.
fn full_lane() -> bool {
    let full = std::env::var_os("WEBSTRATA_FULL").is_some_and(|value| value == "1");
    if !full {
        println!("only in the full lane (WEBSTRATA_FULL=1)");
    }
    full
}

/// The folder of an evaluation set; if it is missing, prints a note that it was not checked.
fn evaluation_set(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("WEBSTRATA_DATA").map(|root| PathBuf::from(root).join(name)).filter(|set| set.is_dir());
    if folder.is_none() {
        println!("NOT CHECKED: {name} is missing (set WEBSTRATA_DATA to the folder of the sets)");
    }
    folder
}
