//! `strata`: the learned method, and the default.
//!
//! A page goes through four steps. **PageFeatures** (`evidence.rs`): a row of numbers for each block, from its text (`letters.rs`),
//! the elements round it (`aggregates.rs`, `elements.rs`, `rows.rs`), what repeats (`repeats.rs`), where the long text is (`places.rs`), titles and headings (`titles.rs`),
//! names of classes and ids (`names.rs`) and the verdicts of the published rules. **PageType** (`page_type.rs`, `page_row.rs`): an article, a forum, a product…,
//! because that changes what content means. **Probabilities** (`model.rs`): a forest looks at each block, and a second, tiny one at
//! what the first said of the blocks round it (`second.rs`). **Choice** (`choose.rs`, `labeller.rs`): the set of blocks with
//! the best expected F1 is kept.
//!
//! Nothing in the evidence depends on a language: there are no lists of words but those for names in markup, and scripts
//! without capitals, commas or spaces are part of the training ([`crate::block::Mask`]). How the model is learned is in the lab.

mod aggregates;
mod containers;
mod context_pass;
mod elements;
mod features;
mod head;
mod labeller;
mod letters;
mod model;
mod names;
mod page_row;
mod page_type;
mod repeats;
mod roles;
mod rows;
mod select;
mod site;
mod titles;

pub use context_pass::CONTEXT_COLUMNS;
pub use features::{PageFeatures, PageNames};
pub(crate) use labeller::{PRECISION, RECALL};
pub use labeller::{Strata, shipped_file};
pub use model::{ContentModel, apply_rule_prior, context_probabilities, page_type_probabilities};
pub(crate) use names::COMMENTS as COMMENT_WORDS;
pub use page_type::{PageType, UnknownPageType};
pub use select::best as best_threshold;
pub use site::{SiteEvidence, SiteSignals};
