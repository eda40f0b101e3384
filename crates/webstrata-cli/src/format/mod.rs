//! How results are written.

pub(crate) mod front_matter;
pub(crate) mod metadata;
