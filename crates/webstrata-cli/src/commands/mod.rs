//! One file a command.

mod choice;
pub(crate) mod documentation;
pub(crate) mod eval;
pub(crate) mod extract;
mod model;
pub(crate) mod segment;
mod threads;
pub(crate) mod train;
