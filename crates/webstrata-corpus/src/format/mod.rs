//! Output formats: what the command line and the Python package write for a page.
//!
//! Text, Markdown, clean HTML and XML come from `webstrata::content`, JSON from `webstrata::record`; this module adds metadata,
//! readers' comments and whatever else each format has around the content.

pub mod csv;
mod fields;
mod front_matter;
mod html;
mod metadata;
mod tables;
mod writer;
mod xml;

pub use fields::MetadataFields;
pub use writer::{PageFormat, PageWriter, Rendered, TablesFormat, UnknownFormat, serialized};
