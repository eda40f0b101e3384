//! The server over HTTP, as clients and attackers see it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod api;
mod attacks;
mod client;
mod crawl;
mod fetch;
mod limits;
