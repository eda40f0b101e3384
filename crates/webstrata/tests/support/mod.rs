//! Shared by test programs and benchmarks: the reference parser, random and hostile inputs, generated pages, data folders.
#![allow(dead_code, unreachable_pub, reason = "each program uses a part of it")]

pub mod align;
pub mod clock;
pub mod data;
pub mod hostile;
pub mod hostile_metadata;
pub mod oracle;
pub mod pages;
pub mod random;
pub mod tokens;
pub mod words;
