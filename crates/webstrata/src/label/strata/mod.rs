//! `strata`: the learned labeller, and the default.
//!
//! A page goes through four steps.
//!
//! 1. **Features** (`features.rs`): a row of numbers per block, from its text (`text_stats.rs`), the elements around it
//!    (`aggregates.rs`, `element_stats.rs`, `block_rows`), repetition (`repetition.rs`), where the long text is
//!    (`containers.rs`, `text_clusters.rs`), titles and headings (`titles.rs`), mentions of the headline's words (`topic.rs`),
//!    class and id names (`names.rs`), and the verdicts of the published rules.
//! 2. **Page type** (`page_type.rs`, `page_row.rs`): article, forum, product and so on. It changes what counts as content. The page
//!    type that is reported also depends on the words of headings and buttons (`text_words.rs`).
//! 3. **Probabilities** (`model.rs`): a forest scores each block, one for articles and one for other pages, and a second, tiny
//!    one corrects the scores by those of the blocks around it (`context_pass.rs`).
//! 4. **Decision** (`select.rs`, `answers.rs`, `answer_row.rs`, `decision.rs`): several answers for the page as a whole are
//!    considered, a forest predicts the F1 of each, and the best one is kept.
//!
//! Verdicts do not depend on the language: the only word lists are for names in markup, and pages stripped of capitals, commas
//! or full stops are part of the training ([`crate::block::Mask`]). The model is trained in the lab.

mod aggregates;
mod answer_row;
mod answers;
mod block_rows;
mod containers;
mod context_pass;
mod decision;
mod declared_types;
mod element_stats;
mod features;
mod labeller;
mod model;
mod names;
mod page_row;
mod page_type;
mod repetition;
mod reported_type;
mod roles;
mod select;
mod site;
mod site_limits;
mod tags;
mod text_clusters;
mod text_stats;
mod text_words;
mod titles;
mod topic;
mod word_keys;
mod word_tables;

#[doc(hidden)]
pub use answer_row::ANSWER_COLUMNS;
#[doc(hidden)]
pub use context_pass::CONTEXT_COLUMNS;
#[doc(hidden)]
pub use decision::{answers_of, choose_answer};
#[doc(hidden)]
pub use features::PageFeatures;
pub use labeller::StrataLabeller;
#[doc(hidden)]
pub use labeller::shipped_file;
pub(crate) use labeller::{PRECISION_BETA, RECALL_BETA};
pub use model::ContentModel;
#[doc(hidden)]
pub use model::{apply_rule_prior, context_probabilities, is_article, most_probable, page_type_probabilities};
pub(crate) use names::COMMENTS as COMMENT_WORDS;
pub use page_type::{PageType, UnknownPageType};
pub(crate) use reported_type::ReportedType;
pub(crate) use roles::BlockRoles;
#[doc(hidden)]
pub use select::best_threshold;
pub use site::{SiteEvidence, SiteSignals};
#[doc(hidden)]
pub use text_words::page_scale;
#[doc(hidden)]
pub use word_tables::PageWords;
pub use word_tables::WordTables;
