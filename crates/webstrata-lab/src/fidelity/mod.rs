//! Fidelity of Markdown: whether the code, formulas, tables, headings and list items of a page are preserved.
//!
//! The Markdown of every tool is parsed by the same parser ([`markdown`]) and compared with structured gold ([`score`]). `docs/lab.md`
//! defines the measures.

pub mod causes;
mod language;
pub mod markdown;
mod raw;
pub mod run;
pub mod score;
pub mod tables;
