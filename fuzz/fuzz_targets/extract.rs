//! Computes blocks, segments, labels and content of any page.
#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::extract(bytes));
