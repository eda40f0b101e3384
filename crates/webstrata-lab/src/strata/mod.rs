//! Trains the model of `strata`: pages with gold texts → content shares of blocks ([`align`], [`corpus`]) → weights of words, page
//! types, first pass, context pass and answers, each cross-validated by site ([`train`]) → the same again with pages that only have
//! labelled snippets ([`weak`]), all of it combined in [`pipeline`] → a model with its card ([`card`]), and a model per fold, which has
//! not seen the fold's sites ([`folds`]).
//!
//! The model of the segmenter of the same name is trained separately, from annotated pages ([`cuts`]).

pub mod align;
pub mod answers;
pub mod card;
pub mod corpus;
pub mod cuts;
mod floors;
pub mod folds;
pub mod hidden;
pub mod pipeline;
pub mod train;
pub mod weak;
mod words;
