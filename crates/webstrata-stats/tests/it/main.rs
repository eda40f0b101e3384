//! Tests of the crate as others use it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod counts;
mod files;
mod recovery;
mod reports;
