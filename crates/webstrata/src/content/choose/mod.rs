//! What of a page is kept: the method's verdicts, and what the caller wants otherwise.
//!
//! A method speaks of blocks. Modes ask a second method (`mode.rs`), and code and tables stay whole (`whole.rs`). The wish
//! for no comments or no tables, and rules by selector, name elements: `comments.rs`, `tables.rs` and the rules make areas
//! of the tree, and one sweep over the text runs settles which of them are kept. A rule may keep or drop a part of a
//! block. Last, what is kept twice is kept once (`copies.rs`).

mod comments;
mod copies;
pub(super) mod mode;
mod tables;
mod whole;

pub use mode::{Mode, UnknownMode};

use super::ExtractOptions;
use crate::block::Blocks;
use crate::html::{Dom, Node};
use crate::label::{Explanation, Input, Labels};
use crate::span::offset;

/// A wish that overrules the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// All text inside is content, and none outside.
    Only,
    /// All text inside is content.
    Include,
    /// No text inside is content.
    Exclude,
}

/// Why an area is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Comments,
    Tables,
    /// The rule with this number among those of the same wish.
    #[cfg(feature = "select")]
    Rule(u32),
}

/// An element and what is below it, by node numbers.
#[derive(Clone, Copy, Debug)]
struct Area {
    start: u32,
    end: u32,
    cause: Cause,
}

/// Areas of one wish, in document order, the outermost where they nest.
#[derive(Debug, Default)]
struct Areas {
    all: Vec<Area>,
    /// Areas before this one end before every run that is still to come.
    at: usize,
}

impl Area {
    fn of(node: Node<'_>, cause: Cause) -> Self {
        let start = node.number();
        Area { start, end: node.dom().record(start).end.max(start + 1), cause }
    }
}

impl Areas {
    fn new(mut all: Vec<Area>) -> Self {
        all.sort_by_key(|area| (area.start, std::cmp::Reverse(area.end)));
        let mut covered = 0;
        all.retain(|area| {
            let outermost = area.end > covered;
            covered = covered.max(area.end);
            outermost
        });
        Areas { all, at: 0 }
    }

    /// The area that text node `run` is in. Runs must be asked for in ascending order.
    fn round(&mut self, run: u32) -> Option<Area> {
        while self.all.get(self.at).is_some_and(|area| area.end <= run) {
            self.at += 1;
        }
        self.all.get(self.at).copied().filter(|area| area.start <= run)
    }
}

/// What became of the verdicts.
#[derive(Debug, Default)]
pub(super) struct Choice {
    /// Text nodes, ascending, that are not kept although their blocks are.
    left_out: Vec<u32>,
    /// Blocks that a wish decided on, in the order of decisions.
    overruled: Vec<(u32, Overruling)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overruling {
    Mode,
    Whole,
    Outside,
    Wish(Wish, Cause),
    /// It says what this block said.
    Copy(u32),
}

impl Choice {
    fn note(&mut self, index: usize, overruling: Overruling) {
        self.overruled.push((offset(index), overruling));
    }

    /// Is this text node of a block that is kept not kept itself?
    pub(super) fn leaves_out(&self, run: u32) -> bool {
        !self.left_out.is_empty() && self.left_out.binary_search(&run).is_ok()
    }
}

/// Applies the wishes of `options` to the verdicts of a method.
pub(super) fn choose(input: &Input<'_>, labels: &mut Labels, options: &ExtractOptions, leaned: bool) -> Choice {
    let mut choice = Choice::default();
    // A learned method leans by itself.
    if !leaned {
        mode::apply(options.mode, input, labels, &mut choice);
    }
    whole::keep(input.blocks, labels, &mut choice);
    let mut wishes = Wishes::new(input.blocks.dom(), options);
    if !wishes.is_empty() {
        wishes.settle(input.blocks, labels, &mut choice);
    }
    if !options.duplicates {
        copies::drop(input.blocks, labels, &mut choice);
    }
    choice
}

/// The areas of each wish.
#[derive(Debug, Default)]
struct Wishes {
    /// None where nobody asked for it: that is not the same as no element found.
    only: Option<Areas>,
    include: Areas,
    exclude: Areas,
}

impl Wishes {
    fn new(dom: &Dom<'_>, options: &ExtractOptions) -> Self {
        let mut wishes = Wishes::default();
        let mut exclude = Vec::new();
        if !options.comments {
            comments::find(dom, &mut exclude);
        }
        if !options.tables {
            tables::find(dom, &mut exclude);
        }
        #[cfg(feature = "select")]
        {
            exclude.extend(ruled(dom, &options.rules.exclude));
            wishes.include = Areas::new(ruled(dom, &options.rules.include).collect());
            let only = &options.rules.only;
            wishes.only = (!only.is_empty()).then(|| Areas::new(ruled(dom, only).collect()));
        }
        wishes.exclude = Areas::new(exclude);
        wishes
    }

    fn is_empty(&self) -> bool {
        self.only.is_none() && self.include.all.is_empty() && self.exclude.all.is_empty()
    }

    /// What is wished for a text node, if anything.
    fn on(&mut self, run: u32) -> Option<Overruling> {
        if let Some(area) = self.exclude.round(run) {
            return Some(Overruling::Wish(Wish::Exclude, area.cause));
        }
        if let Some(area) = self.include.round(run) {
            return Some(Overruling::Wish(Wish::Include, area.cause));
        }
        let only = self.only.as_mut()?;
        Some(only.round(run).map_or(Overruling::Outside, |area| Overruling::Wish(Wish::Only, area.cause)))
    }

    /// Settles every run of every block: a block is content when a run of it is.
    fn settle(&mut self, blocks: Blocks<'_>, labels: &mut Labels, choice: &mut Choice) {
        for index in 0..blocks.len() {
            let judged = labels.verdict(index).content;
            let mut kept = false;
            let mut first = None;
            let before = choice.left_out.len();
            for &run in blocks.runs_of(index) {
                let node = Blocks::run_node(run);
                let wish = self.on(node);
                let keeps = wish.map_or(judged, Overruling::keeps);
                if !keeps {
                    choice.left_out.push(node);
                }
                kept |= keeps;
                first = first.or(wish.filter(|wish| wish.keeps() != judged));
            }
            if !kept {
                choice.left_out.truncate(before);
            }
            if let Some(wish) = first {
                choice.note(index, wish);
            }
            labels.set(index, kept);
        }
    }
}

/// The elements that selectors pick, each with the number of its selector.
#[cfg(feature = "select")]
fn ruled<'r>(dom: &'r Dom<'r>, selectors: &'r [crate::html::Selector]) -> impl Iterator<Item = Area> + 'r {
    selectors.iter().enumerate().flat_map(|(number, selector)| {
        let cause = Cause::Rule(offset(number));
        selector.select(dom).into_iter().map(move |node| Area::of(node, cause))
    })
}

/// Adds to an explanation what the wishes of `options` decided.
pub(super) fn explain(choice: &Choice, labels: &Labels, options: &ExtractOptions, explanation: &mut Explanation) {
    // The mode decides before the wishes do, on all blocks.
    let mut overruled = choice.overruled.clone();
    overruled.sort_by_key(|(index, _)| *index);
    for (index, overruling) in overruled {
        let index = index as usize;
        let content = labels.verdict(index).content;
        explanation.overrule(index, content, overruling.say(options, content));
    }
}

impl Overruling {
    fn keeps(self) -> bool {
        matches!(self, Overruling::Wish(Wish::Only | Wish::Include, _))
    }

    /// The reason in words. A block may be content although a part of it was left out.
    fn say(self, options: &ExtractOptions, content: bool) -> String {
        let verdict = match (self.keeps(), content) {
            (true, _) => "content",
            (false, true) => "left out in part",
            (false, false) => "not content",
        };
        match self {
            Overruling::Mode if content => format!("mode {}: content: the second method keeps it", options.mode),
            Overruling::Mode => format!("mode {}: not content: the second method does not keep it", options.mode),
            Overruling::Whole if content => "whole: content: most of the code or table that it is part of is".to_owned(),
            Overruling::Whole => "whole: not content: most of the code or table that it is part of is not".to_owned(),
            Overruling::Copy(of) => format!("copies: not content: says again what block {of} says"),
            Overruling::Outside => format!("rule: {verdict}: outside of what the rules keep"),
            Overruling::Wish(_, Cause::Comments) => format!("no comments: {verdict}: stands among readers' comments"),
            Overruling::Wish(_, Cause::Tables) => format!("no tables: {verdict}: stands in a table of data"),
            #[cfg(feature = "select")]
            Overruling::Wish(wish, Cause::Rule(number)) => {
                let (name, selectors) = match wish {
                    Wish::Only => ("only", &options.rules.only),
                    Wish::Include => ("include", &options.rules.include),
                    Wish::Exclude => ("exclude", &options.rules.exclude),
                };
                let css = selectors.get(number as usize).map(ToString::to_string).unwrap_or_default();
                format!("rule: {verdict}: {name} `{css}`")
            }
        }
    }
}
