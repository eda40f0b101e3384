//! Any page gives blocks, segments, labels and content.
#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::extract(bytes));
