//! HTML: text to tokens, tokens to a tree, and an API to walk and query the tree.
//!
//! [`token`] and the tree builder behind [`Parser`] follow the HTML standard wherever a page's text,
//! links and blocks depend on it, in time linear in the input; [`Dom`] documents the departures.

pub(crate) mod address;
mod doctype;
mod dom;
pub(crate) mod eight;
pub mod entity;
mod entity_table;
pub(crate) mod fnv;
mod names;
pub(crate) mod scan;
mod tag;
pub mod token;
mod tree;
mod value_cache;

pub use dom::{Attribute, Dom, Facts, Node, NodeId, NodeKind, Paths};
pub(crate) use dom::{Attributes, Folded, Record, collapsed_prefix, decode_run, flag, is_white, needs_decoding};
#[cfg(feature = "selectors")]
pub use dom::{Selector, SelectorError};
pub(crate) use tag::{HIDDEN, INLINE};
pub use tag::{Tag, TagSet};
pub use tree::{ParseOptions, Parser};
pub(crate) use value_cache::ValueCache;
