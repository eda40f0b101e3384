//! webstrata finds the strata of a Web page: its segments, its main content and its boilerplate, each
//! with a role and a reason, and each traced to the bytes it comes from.
//!
//! ```
//! use webstrata::{Page, segment::Method};
//!
//! let html = b"<title>Rain</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><h1>Rain</h1>\
//!     <p>It has been raining in the valley for three days, and nobody there can remember when that last happened.</p>";
//! let page = Page::parse(html); // never fails on bad HTML
//! let content = page.extract();
//! assert!(content.text().contains("three days"));
//! for segment in page.segments(Method::BfRulebased).iter() {
//!     println!("{:?} {}", segment.spans(), segment.text());
//! }
//! ```
//!
//! Data flows one way, and a module is a stage: [`decode`] (bytes to text), [`html`] (text to a tree),
//! [`block`] (the tree to blocks of text with their counts and features), [`learned`] (models as data), [`segment`] (blocks to segments),
//! [`label`] (verdicts on blocks and segments), [`content`] (what comes out), `record` (the same as plain data, with the feature
//! `json`). Each stage borrows what
//! it works on and returns a new value; [`Page`] strings them together.
//!
//! No input makes any of it fail, panic, or take more than linear time and memory; [`Limits`] caps what one page
//! may cost. There is no I/O, no thread, no clock and no `unsafe` in this crate.

#![forbid(unsafe_code)]

pub mod block;
pub mod content;
pub mod decode;
pub mod html;
pub mod label;
mod limits;
pub mod model;
mod options;
mod page;
#[cfg(feature = "json")]
pub mod record;
pub mod segment;
pub mod select;
mod span;

pub use limits::{Limits, Problem};
pub use page::{Page, PageOptions, PageReader};
pub use select::ExtractOptions;
pub use span::Span;

/// The examples of the README are tested with those of the library.
#[cfg(all(doctest, feature = "selectors"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
