//! One file per command.

pub(crate) mod dedup;
pub(crate) mod documentation;
pub(crate) mod extract;
mod extract_config;
pub(crate) mod graph;
pub(crate) mod index;
pub(crate) mod rank;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod segment;
mod segment_som;
pub(crate) mod site;
mod threads;
