//! Learning from the pages of one site: templates, and the parts that its pages have in common.
//!
//! One file is one method: [`som`] (the merged tree of all pages and its segment classes), [`content_extractor`] (recurring blocks), and
//! the baselines [`lin_ho`] and [`shingling`]. FeatureExtractor needs no site:
//! [`webstrata::label::FeatureOptions`]. All but shingling, which judges elements, judge the blocks of
//! [`blocks`]. [`Fingerprint`]s recognise templates in any corpus; [`cache`] computes what storing each block once would save.

pub mod blocks;
pub mod cache;
pub mod content_extractor;
pub mod design;
pub mod digest;
pub mod evidence;
pub mod evidence_reader;
pub mod facts;
mod file;
mod fingerprint;
pub mod frequencies;
pub mod lin_ho;
pub mod method;
pub mod report;
pub mod sample;
mod sections;
pub mod shingling;
mod similar;
pub mod som;
pub mod spill;
pub mod work;

pub use file::FileError;
pub use fingerprint::{Fingerprint, FingerprintMarks};
