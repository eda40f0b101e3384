//! One file a command.

mod choice;
pub(crate) mod dedup;
pub(crate) mod documentation;
pub(crate) mod extract;
pub(crate) mod graph;
pub(crate) mod rank;
pub(crate) mod run;
pub(crate) mod segment;
pub(crate) mod site;
mod threads;
