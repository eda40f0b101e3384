//! Fidelity of Markdown: whether code, formulas, tables, headings and list items of a page arrive, and arrive unchanged.
//!
//! The Markdown of every tool is read by one parser ([`markdown`]) and compared with structured gold ([`score`]). `docs/lab.md`
//! has the definitions.

pub mod causes;
mod language;
pub mod markdown;
mod raw;
pub mod run;
pub mod score;
pub mod tables;
