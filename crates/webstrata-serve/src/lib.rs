//! webstrata over HTTP and in a browser.
//!
//! [`Server`] answers an API (`/api/v1/…`, described by `/api/v1/openapi.json`) and serves the page that `webstrata serve` opens:
//! segments over a page, search, sites and links. [`fetch`] gets pages from the Web, politely, and never from private addresses.
//!
//! | module | purpose |
//! |---|---|
//! | `server` | connections: limits, idle ones, shutdown |
//! | `http/` | common to all requests: ids, log, access control, rate limits, bodies, errors, headers |
//! | `work` | pages on a bounded number of threads, with a bounded queue |
//! | `api/` | one file per resource |
//! | `view` | the sanitised page with its segments marked |
//! | `data/` | tables, index, site evidence, graph and ranks found in a folder |
//! | `fetch/` | pages from the Web |
//!
//! All input is considered hostile: a request costs at most `max_body` bytes of memory, its share of the memory for all requests,
//! and time linear in its size; text from a page is escaped, and shown in a frame in which nothing runs or loads.

#![forbid(unsafe_code)]

mod api;
mod assets;
mod data;
mod error;
pub mod fetch;
mod http;
mod metrics;
mod options;
mod server;
mod state;
mod view;
mod work;

pub use api::openapi;
pub use error::ServeError;
pub use http::log::LogLine;
pub use options::{Log, ServeOptions};
pub use server::{Handle, Server};
