//! How the model of `strata` is learned: pages with gold texts → shares of blocks ([`align`], [`corpus`]) → weights of names, page types,
//! the first look and the second, each cross-validated by site ([`train`]) → once more with pages of which only pieces are marked
//! ([`weak`]), all of it strung together in [`pipeline`] → a model with its card ([`card`]).
//!
//! The model of the segmenter of the same name is learned apart, from marked pages ([`cuts`]).

pub mod align;
pub mod card;
pub mod corpus;
pub mod cuts;
mod floors;
mod names;
pub mod pipeline;
pub mod train;
pub mod weak;
