//! Memory: bounded on hostile pages, and none allocated by a warm parser.
//!
//! A separate binary because it installs a counting allocator. It counts per thread, so the tests can run in parallel.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test program")]

mod allocator;
mod hostile;
mod metadata;
mod output;
#[path = "../support/mod.rs"]
mod support;
mod warm_parser;

#[global_allocator]
static ALLOCATOR: allocator::CountingAllocator = allocator::CountingAllocator;
