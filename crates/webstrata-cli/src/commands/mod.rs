//! One file per command.

pub(crate) mod dedup;
pub(crate) mod documentation;
pub(crate) mod extract;
mod extract_config;
#[cfg(feature = "serve")]
pub(crate) mod fetch;
pub(crate) mod graph;
#[cfg(feature = "search")]
pub(crate) mod index;
#[cfg(feature = "layout")]
mod layout;
#[cfg(not(feature = "layout"))]
#[path = "no_layout.rs"]
mod layout;
pub(crate) mod rank;
pub(crate) mod run;
#[cfg(feature = "search")]
pub(crate) mod search;
pub(crate) mod segment;
mod segment_som;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod site;
#[cfg(feature = "stats")]
pub(crate) mod stats;
mod threads;
