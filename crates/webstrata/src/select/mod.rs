//! Selection: which blocks and text runs are kept, given a method's verdicts and the caller's options.
//!
//! Verdicts ([`Labels`]) are never changed. A [`Selection`] is a table beside them: it starts as a copy of the verdicts, and
//! every block on which it differs has a cause. The steps, in order (with [`ExtractOptions::refine`] off, only those that the caller
//! asks for):
//!
//! 1. A mode other than balanced consults a second method (`mode.rs`).
//! 2. Lines such as "Advertisement" are dropped (`furniture.rs`), and so are captions, credits, bylines and unwanted roles (`roles.rs`).
//! 3. The headline is added (`headline.rs`).
//! 4. Code, data tables, lists and quotations are kept whole or not at all (`whole_elements.rs`), and headings between kept texts are
//!    kept (`section_headings.rs`).
//! 5. Formulas follow the text around them (`formulas.rs`).
//! 6. Switched-off comments and tables (`comments.rs`, `tables.rs`) and rules by CSS selector (`rules.rs`) override the verdicts on whole
//!    elements, run by run, so a rule may keep or drop a part of a block.
//! 7. Repeated text is kept only once (`duplicates.rs`).
//! 8. Symbols such as ticks, which are in no block, are kept with the table around them (`symbols.rs`).
//!
//! Segments also get their verdicts here, from the blocks that they contain (`segments.rs`).

mod areas;
mod comments;
mod duplicates;
mod formulas;
mod furniture;
mod furniture_table;
mod headline;
mod mode;
mod options;
mod roles;
mod rules;
mod section_headings;
mod segments;
#[cfg(feature = "site-rules")]
mod site_rules;
mod symbols;
pub(crate) mod table_marks;
pub(crate) mod tables;
mod whole_elements;

pub(crate) use mode::strata_for;
pub use mode::{Mode, UnknownMode};
pub use options::ExtractOptions;
pub use rules::Rules;
pub use segments::SegmentVerdict;
pub(crate) use segments::label_segments;
#[cfg(feature = "site-rules")]
pub use site_rules::{SiteRule, SiteRules, SiteRulesError};

use crate::block::listing::{self, Listing};
use crate::formula::Formulas;
use crate::html::Dom;
use crate::label::attribution::Evidence;
use crate::label::strata::PageType;
use crate::label::{Input, Labels, Role};
use crate::span::offset;
use areas::{Cause, Override, Overrides};
use tables::DataTable;

/// The blocks of a page that are kept, and the text runs inside them that are left out.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset};
/// let text = "It rained again in the valley, and nobody who lives there can remember when that last happened, not in years. ";
/// let html = format!("<p>{text}</p><p>{text}</p>");
/// let page = Page::parse(html.as_bytes());
/// let content = page.extract_with(&ExtractOptions::from(Preset::MinWords(5)));
/// assert_eq!(content.labels().content().collect::<Vec<_>>(), [0, 1]); // the method's verdicts
/// assert_eq!(content.selection().blocks().collect::<Vec<_>>(), [0]); // the second block is a duplicate
/// assert!(content.explain().why(1).ends_with("duplicates: not content: repeats block 0"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Whether each block is kept.
    kept: Vec<bool>,
    /// Text nodes, ascending, that are left out of blocks that are kept.
    left_out: Vec<u32>,
    /// Captions and credits, ascending, that are left out of text but stay with pictures.
    with_pictures: Vec<u32>,
    /// Data tables in document order.
    tables: Vec<DataTable>,
    /// Text nodes, ascending, that are in no block but in the cells of a table that is kept.
    signs: Vec<u32>,
    /// The listings of the page, if they had to be found.
    listings: Option<Vec<Listing>>,
    /// The formulas of the page.
    pub(crate) formulas: Formulas,
    /// Blocks on which the selection differs from the verdicts, in the order of decisions.
    changes: Vec<(u32, Change)>,
}

/// The page type, if the method predicts one; computed on the first call.
pub(crate) type PageTypeOf<'f> = dyn Fn() -> Option<PageType> + 'f;

/// Why the selection differs from a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Mode,
    /// The line belongs to the page rather than to its text.
    Furniture,
    /// The role is dropped or kept by default or by the caller.
    Role(Role, Option<Evidence>),
    /// The headline is kept, or dropped because the caller does not want it.
    Headline,
    NoTitle,
    /// It is only a formula and follows the text around it.
    Formula,
    /// Most of the element around it is kept, or is not.
    Whole,
    /// The element around it is inside kept text.
    Surrounded,
    /// A heading between texts that are kept.
    SectionHeading,
    Outside,
    Override(Override, Cause),
    /// The block repeats this one.
    Duplicate(u32),
}

impl Selection {
    /// Applies `options` to the verdicts of a method. `mode_applied` means that the method has already applied the mode.
    pub(crate) fn new(
        input: &Input<'_>,
        labels: &Labels,
        page_type: &PageTypeOf<'_>,
        options: &ExtractOptions,
        mode_applied: bool,
    ) -> Self {
        let kept = labels.iter().map(|verdict| verdict.content).collect();
        let formulas = Formulas::find(input.blocks.dom());
        let mut selection = Selection { kept, tables: tables::find(input.blocks), formulas, ..Selection::default() };
        if !mode_applied {
            mode::apply(options.mode, input, labels, &mut selection);
        }
        let refines = options.refine && !roles::keeps_everything(options.preset);
        if refines {
            furniture::drop(input.blocks, &mut selection);
        }
        roles::drop(input, labels, page_type, options, &mut selection);
        if options.refine || !options.title {
            headline::apply(input, options, &mut selection);
        }
        roles::keep(input, labels, options, &mut selection);
        if options.refine {
            whole_elements::apply(input.blocks, labels, page_type, &mut selection);
        }
        if refines {
            section_headings::apply(input.blocks, &mut selection);
        }
        if options.refine {
            formulas::keep(input.blocks, &mut selection);
        }
        let mut overrides = Overrides::new(input.blocks.dom(), &selection.tables, options);
        if !overrides.is_empty() {
            overrides.apply(input.blocks, &mut selection);
        }
        if !options.duplicates {
            duplicates::drop(input.blocks, &mut selection);
        }
        if !selection.tables.is_empty() {
            symbols::keep(input.blocks, &mut overrides, &mut selection);
        }
        formulas::finish(input.blocks, options, &mut selection);
        selection
    }

    /// Whether block `index` is kept, wholly or in part.
    #[must_use]
    pub fn keeps(&self, index: usize) -> bool {
        self.kept.get(index).copied().unwrap_or(false)
    }

    /// Indices of the blocks that are kept, ascending.
    pub fn blocks(&self) -> impl Iterator<Item = usize> + '_ {
        self.kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(index, _)| index)
    }

    /// Number of blocks of the page.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether the page has no blocks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether this text node is left out of a block that is kept.
    pub(crate) fn leaves_out(&self, run: u32) -> bool {
        !self.left_out.is_empty() && self.left_out.binary_search(&run).is_ok()
    }

    /// The outermost listings of the page, in document order.
    pub(crate) fn listings(&self, dom: &Dom<'_>) -> Vec<Listing> {
        self.listings.clone().unwrap_or_else(|| listing::find(dom))
    }

    /// The data tables of the page, in document order.
    pub(crate) fn tables(&self) -> &[DataTable] {
        &self.tables
    }

    /// Text nodes, ascending, that are in no block and are kept with the table around them.
    pub(crate) fn signs(&self) -> &[u32] {
        &self.signs
    }

    /// Whether a block that is not kept is a caption or credit that is written together with its picture.
    pub(crate) fn keeps_with_pictures(&self, index: usize) -> bool {
        !self.with_pictures.is_empty() && !self.keeps(index) && self.with_pictures.binary_search(&offset(index)).is_ok()
    }

    /// Decides on block `index`, and records the cause if this changes the decision.
    fn set(&mut self, index: usize, kept: bool, change: Option<Change>) {
        if let Some(decision) = self.kept.get_mut(index) {
            *decision = kept;
            self.changes.extend(change.map(|change| (offset(index), change)));
        }
    }

    /// Descriptions of the causes of all changes, ascending by block.
    pub(crate) fn reasons(&self, options: &ExtractOptions) -> Vec<(usize, String)> {
        let mut changes = self.changes.clone();
        // Stable: the changes of one block stay in the order of decisions.
        changes.sort_by_key(|(index, _)| *index);
        let mut reasons: Vec<(usize, String)> = Vec::new();
        for (index, change) in changes {
            let index = index as usize;
            let reason = change.reason(options, self.keeps(index));
            match reasons.last_mut() {
                Some((last, text)) if *last == index => {
                    text.push_str("; ");
                    text.push_str(&reason);
                }
                _ => reasons.push((index, reason)),
            }
        }
        reasons
    }
}

impl Change {
    fn keeps(self) -> bool {
        matches!(self, Change::Override(Override::Only | Override::Include, _))
    }

    /// A description of the cause. A block may be kept although a part of it is left out.
    fn reason(self, options: &ExtractOptions, kept: bool) -> String {
        let verdict = match (self.keeps(), kept) {
            (true, _) => "content",
            (false, true) => "left out in part",
            (false, false) => "not content",
        };
        match self {
            Change::Mode if kept => format!("mode {}: content: the second method keeps it", options.mode),
            Change::Mode => format!("mode {}: not content: the second method does not keep it", options.mode),
            Change::Furniture => "furniture: not content: such lines belong to the page, not to its text".to_owned(),
            Change::Role(role, _) if kept => format!("roles: content: {role}"),
            Change::Role(role, Some(evidence)) => format!("roles: not content: {role}, {}", evidence.name()),
            Change::Role(role, None) => format!("roles: not content: {role}"),
            Change::Headline => "title: content: the page's headline".to_owned(),
            Change::NoTitle => "no title: not content: the page's headline".to_owned(),
            Change::Whole if kept => "whole: content: most of the code, table, list or quotation around it is".to_owned(),
            Change::Whole => "whole: not content: most of the code, table, list or quotation around it is not".to_owned(),
            Change::Surrounded => "whole: content: the code, table, list or quotation around it is inside the text".to_owned(),
            Change::SectionHeading => "heading: content: between texts that are content".to_owned(),
            Change::Formula => "formulas: content: the text around the formula is".to_owned(),
            Change::Duplicate(of) => format!("duplicates: not content: repeats block {of}"),
            Change::Outside => format!("rule: {verdict}: outside the elements that the rules keep"),
            Change::Override(_, Cause::Comments) => format!("no comments: {verdict}: inside readers' comments"),
            Change::Override(_, Cause::Tables) => format!("no tables: {verdict}: inside a data table"),
            Change::Override(kind, Cause::Rule(number)) => {
                let css = options.rules.of_kind(kind).get(number as usize).map(ToString::to_string).unwrap_or_default();
                format!("rule: {verdict}: {} `{css}`", kind.name())
            }
        }
    }
}
