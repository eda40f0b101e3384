//! Tests of the crate's public interface.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod counts;
mod files;
mod recovery;
mod reports;
