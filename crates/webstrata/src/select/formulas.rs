//! Formulas follow the text around them, and only one copy of each is kept.
//!
//! Methods judge blocks by their words, but a block that is only a formula has no informative words, and a formula whose
//! source is in a script or in a picture has no block at all. Both follow the text nearest to them in the tree.

use super::areas::Overrides;
use super::{Change, ExtractOptions, Selection};
use crate::block::Blocks;
use crate::formula::Formulas;
use crate::html::{Dom, is_white};

/// Maximum number of levels above a formula that are searched for a common ancestor.
const MAX_LEVELS: usize = 64;

/// Keeps blocks that are only formulas if the text next to them is kept.
pub(super) fn keep(blocks: Blocks<'_>, selection: &mut Selection) {
    if selection.formulas.is_empty() {
        return;
    }
    let only: Vec<bool> = (0..blocks.len()).map(|index| is_only_formulas(blocks, index, &selection.formulas)).collect();
    let first_run = |index: usize| blocks.runs_of(index).first().map(|&run| Blocks::run_node(run));
    let last_run = |index: usize| blocks.runs_of(index).last().map(|&run| Blocks::run_node(run));
    let mut before = None; // the last block with words
    let mut at = 0;
    while at < blocks.len() {
        if !only[at] {
            before = Some(at);
            at += 1;
            continue;
        }
        let end = (at..blocks.len()).find(|&index| !only[index]).unwrap_or(blocks.len());
        let near = |index: Option<usize>, run: Option<u32>| index.zip(run).map(|(index, run)| (run, selection.keeps(index)));
        let before = near(before, before.and_then(last_run));
        let after = near((end < blocks.len()).then_some(end), first_run(end));
        let kept: Vec<usize> = (at..end)
            .filter(|&index| !selection.keeps(index))
            .filter(|&index| first_run(index).is_some_and(|run| follows_kept(blocks.dom(), run, before, after)))
            .collect();
        for index in kept {
            selection.set(index, true, Some(Change::Formula));
        }
        at = end;
    }
}

/// Decides on every formula, and leaves out all but one of its copies.
pub(super) fn finish(blocks: Blocks<'_>, options: &ExtractOptions, selection: &mut Selection) {
    if selection.formulas.is_empty() {
        return;
    }
    let mut runs: Vec<(u32, u32, bool)> = Vec::new(); // text nodes, their blocks, whether they are kept
    for index in 0..blocks.len() {
        let keeps = selection.keeps(index);
        runs.extend(blocks.runs_of(index).iter().map(|&run| {
            let node = Blocks::run_node(run);
            (node, index as u32, keeps && !selection.leaves_out(node))
        }));
    }
    let mut formulas = std::mem::take(&mut selection.formulas);
    let mut overrides = Overrides::new(blocks.dom(), &selection.tables, options);
    for formula in formulas.iter_mut() {
        let from = runs.partition_point(|(node, _, _)| *node < formula.nodes.start);
        let to = from + runs[from..].partition_point(|(node, _, _)| *node < formula.nodes.end);
        let inside = &runs[from..to];
        let mut shown = inside.iter().filter(|(node, _, _)| formula.shown.contains(node)).peekable();
        formula.kept = !formula.tex.is_empty()
            && match shown.peek() {
                Some(&&(_, block, _)) => {
                    // A `math` element is on one line; other formulas may span several.
                    let whole = |(_, other, kept): &(u32, u32, bool)| *kept && (*other == block || formula.mathml.is_none());
                    shown.all(whole)
                }
                None => {
                    let side = |run: Option<&(u32, u32, bool)>| run.map(|(node, _, kept)| (*node, *kept));
                    let before = side(from.checked_sub(1).and_then(|at| runs.get(at)));
                    let near = follows_kept(blocks.dom(), formula.nodes.start, before, side(runs.get(to)));
                    overrides.keeps(formula.nodes.start).unwrap_or(near)
                }
            };
        if formula.within.is_none() {
            let copies = inside.iter().filter(|(node, _, kept)| *kept && !formula.shown.contains(node));
            selection.left_out.extend(copies.map(|(node, _, _)| *node));
        }
    }
    selection.formulas = formulas;
    selection.left_out.sort_unstable();
}

/// Whether the text nearest to a node is kept. `before` and `after` are the texts on both sides, each a node and its verdict. The
/// nearest is the one with the deeper common ancestor, or the one before if both have the same.
fn follows_kept(dom: &Dom<'_>, node: u32, before: Option<(u32, bool)>, after: Option<(u32, bool)>) -> bool {
    let ((before, keeps_before), (after, keeps_after)) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (Some((_, kept)), None) | (None, Some((_, kept))) => return kept,
        (None, None) => return true,
    };
    if keeps_before == keeps_after {
        return keeps_before;
    }
    let mut ancestor = dom.record(node).parent;
    for _ in 0..MAX_LEVELS {
        if ancestor < before {
            return keeps_before;
        }
        let record = dom.record(ancestor);
        if record.end > after {
            return keeps_after;
        }
        ancestor = record.parent;
    }
    keeps_before
}

/// Whether all letters of a block are in formulas. An equation number may be next to it.
fn is_only_formulas(blocks: Blocks<'_>, index: usize, formulas: &Formulas) -> bool {
    let dom = blocks.dom();
    let mut any = false;
    blocks.runs_of(index).iter().all(|&run| {
        let node = Blocks::run_node(run);
        if formulas.around(node).is_some() {
            any = true;
            return true;
        }
        let text = dom.run_text(node);
        let mut rest = 0;
        for formula in formulas.touching(node) {
            any = true;
            let range = formula.range_in(node, text.len());
            if text.get(rest..range.start).is_some_and(has_words) {
                return false;
            }
            rest = range.end;
        }
        !text.get(rest..).is_some_and(has_words)
    }) && any
}

fn has_words(text: &str) -> bool {
    text.split(is_white).any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
}
