//! Integration tests of the corpus library, in one program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs, reason = "a test program")]

#[allow(dead_code, unreachable_pub, reason = "shared with the page library")]
#[path = "../../../webstrata/tests/support/hostile.rs"]
mod hostile;
mod hostile_run;
mod input;
mod site_evidence;
mod tables;
