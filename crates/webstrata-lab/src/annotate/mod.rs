//! Annotation of pages in a browser: `webstrata-lab annotate`.
//!
//! An annotator sees the blocks of a page in document order and marks them: content or not, a role, and where segments of two levels
//! start. [`marks`] is the saved data, [`folder`] the pages and files of a folder, [`export`] writes a set that the lab reads, and
//! [`agreement`] compares two annotators. [`server`] is a small HTTP server for one person on one machine, built on [`http`]. The
//! protocol for annotators is in `docs/annotation.md`.
//!
//! The browser gets nothing of an annotated page but the text of its blocks, as JSON, and the script only makes text nodes of
//! it. So no script, style, image or frame of a page can run or be loaded.

pub mod agreement;
pub mod export;
pub mod folder;
pub mod http;
pub mod marks;
pub mod server;
