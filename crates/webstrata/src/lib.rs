//! webstrata finds the strata of a Web page: its main content, its segments and its boilerplate, each with a role and a
//! reason, and each traced to the bytes it comes from.
//!
//! # Quick start
//!
//! ```
//! use webstrata::{Page, segment::Method};
//!
//! let html = b"<title>Rain</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><h1>Rain</h1>\
//!     <p>It has been raining in the valley for three days, and nobody there can remember when that last happened.</p>";
//! let page = Page::parse(html); // never fails on bad HTML
//!
//! let content = page.extract();
//! assert!(content.text().contains("three days"));
//! println!("{}", content.markdown(&Default::default()));
//!
//! for segment in page.segments(Method::Strata) {
//!     println!("{} {:?} {}", segment.role(), segment.spans(), segment.why());
//! }
//! assert_eq!(page.metadata().title.unwrap().value, "Rain");
//! ```
//!
//! Four programs to start from are in `examples/`: `extract_page`, `segments_with_reasons` and `many_pages` here, and
//! `crawl_to_table` in the crate `webstrata-corpus`, which reads WARC files and writes tables.
//!
//! # Stages
//!
//! Data flows one way, and each module is a stage. Each stage borrows its input and returns a new value; nothing is written
//! back. [`Page`] runs them in order.
//!
//! | module | does |
//! |---|---|
//! | [`decode`] | bytes to text: finds the encoding |
//! | [`html`] | text to tokens and a tree, in linear time |
//! | [`layout`] | boxes and styles of nodes, if a layout engine has supplied them |
//! | `formula` | finds formulas and their TeX |
//! | [`block`] | the tree to blocks of text, with counts and features |
//! | [`segment`] | blocks to segments |
//! | [`label`] | verdicts on blocks: content or not, role, probability, reason |
//! | [`select`] | which blocks are kept: modes, rules, comments, tables, duplicates; verdicts on segments |
//! | [`content`] | text, Markdown, clean HTML, metadata, links, images |
//! | `record` | all of it as plain data for JSON (feature `json`) |
//!
//! Everything carries byte spans ([`Span`]) into the page's source.
//!
//! # Choosing a method
//!
//! - **Content**: [`label::Preset`]. `Strata`, the default, is learned and suits most pages of any type and language.
//!   `Article` is boilerpipe's method for news, with human-readable rules; `KeepEverything` keeps all text. The others
//!   are published baselines.
//! - **Balance**: [`select::Mode`] favours precision or recall.
//! - **Segments**: [`segment::Method`]. `Strata` is learned from pages that people segmented, and cuts at any granularity; `BfRulebased` is Block
//!   Fusion, which needs no training; `TagGap` and `WordWrap` are baselines.
//! - **Your own**: implement [`label::Labeller`] or [`segment::Segmenter`] and pass it to [`Page::extract_by`] or
//!   [`Page::segments_by`]. A trained model is a `label::TrainedModel` (feature `json`).
//!
//! Options are built with setters: `ExtractOptions::default().mode(Mode::Precision).tables(false)`.
//!
//! # Features
//!
//! Features only add to the API; they never change results.
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `selectors` | yes | CSS selectors: `html::Selector`, rules in [`select::Rules`] |
//! | `site-rules` | no | per-host rule files: `select::SiteRules` |
//! | `json` | no | the module `record`; trained models: `label::TrainedModel` |
//!
//! # Limits and errors
//!
//! No input makes this crate fail, panic, or take more than linear time and memory. [`Limits`] caps what one page may cost; a
//! page that reaches a limit is truncated there, and [`Page::problems`] reports it. Errors are reserved for the caller's mistakes:
//! unknown names, invalid selectors and rule files, damaged models. This crate does no I/O, starts no threads, reads no clock
//! and contains no `unsafe`.

#![forbid(unsafe_code)]
#![warn(missing_debug_implementations)]

pub mod block;
pub mod content;
pub mod decode;
mod formula;
pub mod html;
pub mod label;
pub mod layout;
mod limits;
#[doc(hidden)]
pub mod model;
mod options;
mod page;
#[cfg(feature = "json")]
pub mod record;
pub mod segment;
pub mod select;
mod span;

pub use limits::{Limits, Problem};
pub use model::ModelError;
pub use page::{Page, PageOptions, PageReader};
pub use select::ExtractOptions;
pub use span::Span;

/// Runs the README's examples as doc tests.
#[cfg(all(doctest, feature = "selectors"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
