//! Annotation of pages by pointing and clicking: `webstrata-lab annotate`.
//!
//! A person sees the blocks of a page in document order and marks them: content or not, a role, and where segments of two levels start.
//! [`marks`] is what is saved, [`folder`] the pages and files of a folder, [`export`] writes a set that the lab reads, [`agreement`]
//! compares two annotators. [`server`] is a small HTTP server for one person on one machine, with [`http`] below it. The protocol
//! that annotators follow is `docs/annotation.md`.
//!
//! Nothing of an annotated page reaches the browser but the text of its blocks, as JSON, and the script only makes text nodes of
//! it. So no script, style, image or frame of a page can run or be loaded.

pub mod agreement;
pub mod export;
pub mod folder;
pub mod http;
pub mod marks;
pub mod server;
