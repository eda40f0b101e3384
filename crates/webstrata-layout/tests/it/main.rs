//! Layouts from a real browser, and from programs that only pretend to be one.

#![cfg(unix)]
// Tests fail by panicking; helpers are functions of their own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod boxes;
mod common;
mod failures;
mod network;
