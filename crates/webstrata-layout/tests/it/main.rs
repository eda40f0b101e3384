//! Layouts from a real browser, and from programs that only pretend to be one.

#![cfg(unix)]

mod boxes;
mod common;
mod failures;
mod network;
