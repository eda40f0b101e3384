//! One file a command.

mod choice;
pub(crate) mod documentation;
pub(crate) mod eval;
pub(crate) mod extract;
pub(crate) mod segment;
