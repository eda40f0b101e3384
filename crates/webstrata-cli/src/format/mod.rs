//! Output formats.

pub(crate) mod csv;
pub(crate) mod front_matter;
pub(crate) mod html;
pub(crate) mod metadata;
pub(crate) mod tables;
pub(crate) mod xml;
