//! Integration tests of the page library, in one binary: linking one is much faster than linking twenty.
//!
//! Tests that install their own allocator are in `tests/memory`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test program")]

mod api;
mod architecture;
mod cases;
mod clean_html;
mod feature_extractor;
mod fidelity;
mod formulas;
mod fuzz_smoke;
mod hostile;
mod hostile_metadata;
mod hostile_parse;
mod html5lib;
mod labels;
mod markdown;
mod provenance;
#[cfg(feature = "json")]
mod record;
#[cfg(feature = "selectors")]
mod selection;
mod strata_labels;
mod strata_segments;
#[path = "../support/mod.rs"]
mod support;
mod tables;
mod tokenizer_fuzz;
mod written_words;
mod xml;
