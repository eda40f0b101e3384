//! What many pages of one site tell: templates, and the parts that pages have in common.
//!
//! One file is one method: [`som`] (the tree of all pages and its segment classes), [`content_extractor`] (blocks that recur), and what they
//! are compared with, [`lin_ho`], [`shingling`], [`feature_extractor`]. They judge the blocks of [`blocks`], shingling apart, which judges
//! elements. [`Fingerprint`]s are for templates over any corpus; [`cache`] says what storing each block once would save.

pub mod blocks;
pub mod cache;
pub mod content_extractor;
pub mod design;
pub mod digest;
pub mod evidence;
pub mod facts;
pub mod feature_extractor;
mod file;
mod fingerprint;
pub mod known;
pub mod lin_ho;
pub mod report;
pub mod shingling;
mod similar;
pub mod som;
pub mod spill;
pub mod work;

pub use file::FileError;
pub use fingerprint::Fingerprint;
