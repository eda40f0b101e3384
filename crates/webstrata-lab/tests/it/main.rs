//! Tests of the lab: one binary for the library and the program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test program")]

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_webstrata-lab");

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
mod thesis_figures;
