//! webstrata's lab: gold standards, metrics, learners, figures, and the training of shipped models.
//!
//! [`gold`] reads gold standards (from a folder given by the user; none is shipped); [`metrics`]
//! has the measures, each with its formula and source; [`extract`], [`blocks`] and [`segmentation`] combine pages, methods and
//! gold, and [`search`] does so for rankings. [`learn`] and [`strata`] train models, [`figures`] reproduces the thesis, and [`annotate`]
//! is for labelling pages.
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

pub mod annotate;
pub mod blocks;
pub mod extract;
pub mod fidelity;
pub mod figures;
pub mod gold;
pub mod graphcut;
pub mod layouts;
pub mod learn;
pub mod metadata;
pub mod metrics;
pub mod search;
pub mod segmentation;
pub mod strata;

pub use webstrata_stats::{plot, table};
