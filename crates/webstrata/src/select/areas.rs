//! Elements on which the options override a method's verdicts: one sweep over the text runs of a page.

use super::tables::DataTable;
use super::{Change, ExtractOptions, Selection, comments};
use crate::block::Blocks;
use crate::html::{Dom, Node};

/// The effect of an option on the text of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Override {
    /// Keeps all text inside and none outside.
    Only,
    /// Keeps all text inside.
    Include,
    /// Drops all text inside.
    Exclude,
}

impl Override {
    pub(super) fn name(self) -> &'static str {
        match self {
            Override::Only => "only",
            Override::Include => "include",
            Override::Exclude => "exclude",
        }
    }
}

/// The option that an area comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Comments,
    Tables,
    /// The rule with this number among those of the same kind.
    Rule(u32),
}

/// An element and its descendants, by node numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) cause: Cause,
}

impl Area {
    pub(super) fn new(node: Node<'_>, cause: Cause) -> Self {
        let start = node.number();
        Area { start, end: node.dom().record(start).end.max(start + 1), cause }
    }
}

/// Areas in document order; of nested ones, only the outermost.
#[derive(Debug, Default)]
pub(super) struct Areas {
    all: Vec<Area>,
    /// Areas before this index end before every run that is still to come.
    at: usize,
}

impl Areas {
    pub(super) fn new(mut all: Vec<Area>) -> Self {
        all.sort_by_key(|area| (area.start, std::cmp::Reverse(area.end)));
        let mut covered = 0;
        all.retain(|area| {
            let outermost = area.end > covered;
            covered = covered.max(area.end);
            outermost
        });
        Areas { all, at: 0 }
    }

    /// The area that contains text node `run`. Runs must come in ascending order.
    pub(super) fn around(&mut self, run: u32) -> Option<Area> {
        while self.all.get(self.at).is_some_and(|area| area.end <= run) {
            self.at += 1;
        }
        self.all.get(self.at).copied().filter(|area| area.start <= run)
    }
}

/// The areas of each override.
#[derive(Debug, Default)]
pub(super) struct Overrides {
    /// `None` if there is no such rule, which differs from a rule that matches no element.
    only: Option<Areas>,
    include: Areas,
    exclude: Areas,
}

impl Overrides {
    pub(super) fn new(dom: &Dom<'_>, tables: &[DataTable], options: &ExtractOptions) -> Self {
        let mut exclude = Vec::new();
        if !options.comments {
            comments::find(dom, &mut exclude);
        }
        if !options.tables {
            exclude.extend(tables.iter().map(|table| Area::new(Node::new(dom, table.node), Cause::Tables)));
        }
        let rules = &options.rules;
        exclude.extend(rules.areas(dom, Override::Exclude));
        let include = rules.areas(dom, Override::Include);
        let only = (!rules.of_kind(Override::Only).is_empty()).then(|| Areas::new(rules.areas(dom, Override::Only)));
        Overrides { only, include: Areas::new(include), exclude: Areas::new(exclude) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.only.is_none() && self.include.all.is_empty() && self.exclude.all.is_empty()
    }

    /// The override that applies to a text node, if any.
    fn at(&mut self, run: u32) -> Option<Change> {
        if let Some(area) = self.exclude.around(run) {
            return Some(Change::Override(Override::Exclude, area.cause));
        }
        if let Some(area) = self.include.around(run) {
            return Some(Change::Override(Override::Include, area.cause));
        }
        let only = self.only.as_mut()?;
        Some(only.around(run).map_or(Change::Outside, |area| Change::Override(Override::Only, area.cause)))
    }

    /// Whether an override drops a symbol, which no block contains. Symbols must come in ascending order.
    pub(super) fn drops_sign(&mut self, node: u32) -> bool {
        self.at(node).is_some_and(|change| !change.keeps())
    }

    /// Resets the position for another pass over the nodes.
    pub(super) fn rewind(&mut self) {
        for areas in [Some(&mut self.exclude), Some(&mut self.include), self.only.as_mut()].into_iter().flatten() {
            areas.at = 0;
        }
    }

    /// Whether an override keeps or drops a node; `None` if none applies. Nodes must come in ascending order.
    pub(super) fn keeps(&mut self, node: u32) -> Option<bool> {
        self.at(node).map(Change::keeps)
    }

    /// Decides on every run of every block: a block is kept if one of its runs is.
    pub(super) fn apply(&mut self, blocks: Blocks<'_>, selection: &mut Selection) {
        for index in 0..blocks.len() {
            let judged = selection.keeps(index);
            let mut kept = false;
            let mut first = None;
            let before = selection.left_out.len();
            for &run in blocks.runs_of(index) {
                let node = Blocks::run_node(run);
                let change = self.at(node);
                let keeps = change.map_or(judged, Change::keeps);
                if !keeps {
                    selection.left_out.push(node);
                }
                kept |= keeps;
                first = first.or(change.filter(|change| change.keeps() != judged));
            }
            if !kept {
                selection.left_out.truncate(before);
            }
            selection.set(index, kept, first);
        }
    }
}
