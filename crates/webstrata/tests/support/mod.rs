//! What several test programs share: the reference parser, random inputs, hostile inputs, generated pages, data folders.
//!
//! Each program uses a part of it, so unused items are no sign of anything here.
#![allow(dead_code, unreachable_pub)]

pub mod align;
pub mod clock;
pub mod data;
pub mod hostile;
pub mod memory;
pub mod oracle;
pub mod pages;
pub mod random;
pub mod tokens;
pub mod words;
