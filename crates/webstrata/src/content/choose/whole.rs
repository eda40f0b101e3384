//! Code and tables of data are kept whole or not at all. Methods judge their lines and cells one by one, and half a program
//! or a lonely cell is no use to anyone.

use super::{Area, Areas, Cause, Choice, Overruling, tables};
use crate::block::{Blocks, Context};
use crate::html::{Node, Tag};
use crate::label::Labels;

/// Overrules the verdicts on the blocks of each piece where they differ: the words of the larger part decide.
pub(super) fn keep(blocks: Blocks<'_>, labels: &mut Labels, choice: &mut Choice) {
    let mut pieces = pieces(blocks);
    let first_run = |index: usize| blocks.runs_of(index).first().map(|&run| Blocks::run_node(run));
    let mut at = 0;
    while let Some(run) = first_run(at) {
        let Some(end) = pieces.round(run).map(|area| area.end) else {
            at += 1;
            continue;
        };
        let first = at;
        let (mut content, mut other) = (0u64, 0u64);
        while first_run(at).is_some_and(|run| run < end) {
            let words = blocks.get(at).map_or(0, |block| u64::from(block.counts().words));
            *(if labels.verdict(at).content { &mut content } else { &mut other }) += words;
            at += 1;
        }
        let keeps = content >= other;
        if content > 0 && other > 0 {
            for index in first..at {
                if labels.verdict(index).content != keeps {
                    labels.set(index, keeps);
                    choice.note(index, Overruling::Whole);
                }
            }
        }
        at = at.max(first + 1);
    }
}

/// The outermost `pre` and tables of data. Most pages have neither, and their blocks say so.
fn pieces(blocks: Blocks<'_>) -> Areas {
    let (mut code, mut cells) = (false, false);
    for record in blocks.records() {
        code |= record.context.contains(Context::PRE);
        cells |= record.context.contains(Context::CELL);
    }
    let mut areas = Vec::new();
    let dom = blocks.dom();
    if code {
        // Nobody asks for the cause of a piece.
        let pre = dom.records().iter().enumerate().filter(|(_, record)| record.tag == Tag::PRE);
        areas.extend(pre.map(|(id, _)| Area::of(Node::new(dom, id as u32), Cause::Tables)));
    }
    if cells {
        tables::find(dom, &mut areas);
    }
    Areas::new(areas)
}
