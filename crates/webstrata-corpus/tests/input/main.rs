//! Pages in: what is read, what is skipped, where reading goes on, and what hostile files can do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "a test program")]

mod columns;
mod damage;
mod encodings;
mod forms;
mod hostile;
mod pages;
mod resume;
mod support;
