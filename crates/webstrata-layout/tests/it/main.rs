//! Layouts from a real browser, and from fake ones.

#![cfg(unix)]
// Tests fail by panicking; helpers are separate functions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod boxes;
mod common;
mod failures;
mod network;
