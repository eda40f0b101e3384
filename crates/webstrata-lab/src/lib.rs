//! The lab: how good is a method, on which pages, by which measure.
//!
//! [`gold`] reads the gold standards (from a folder that the user names; none is shipped), [`metrics`]
//! has the measures, each with its formula and its source; [`extract`], [`blocks`] and [`segmentation`] put pages, methods and
//! gold together.
//!
//! ```
//! use webstrata::segment::{JustRules, RuleSet};
//! use webstrata_lab::gold::seg_popular::{Level, MarkedPage};
//! use webstrata_lab::segmentation::Task;
//!
//! let marked = MarkedPage::new("made.up", b"<ul data-block=1 data-block-type=Menu><li>Home<li>News<li>Weather</ul>\
//!     <p data-block=1 data-block-type=Content>It has been raining in the valley for three days.</p>");
//! let page = marked.parse();
//! let task = Task::new(&page, |byte| marked.label_at(byte, Level::Sub)).unwrap();
//! let score = task.score(&JustRules(RuleSet::paper()));
//! assert_eq!(score.segments, 2.0);
//! assert_eq!(score.adjusted_rand, 1.0);
//! ```

#![forbid(unsafe_code)]

pub mod blocks;
pub mod extract;
pub mod figures;
pub mod gold;
pub mod learn;
pub mod metadata;
pub mod metrics;
pub mod plot;
pub mod segmentation;
pub mod strata;
pub mod table;
