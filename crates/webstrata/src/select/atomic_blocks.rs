//! Code and data tables are kept whole or not at all. Methods judge their lines and cells one by one, but half a program or
//! a single cell is useless.

use super::areas::{Area, Areas, Cause};
use super::tables::DataTable;
use super::{Change, Selection};
use crate::block::{Blocks, Context};
use crate::html::{Node, Tag};

/// Makes the blocks of each piece agree: the larger part, by words, decides.
pub(super) fn apply(blocks: Blocks<'_>, selection: &mut Selection) {
    let mut pieces = pieces(blocks, &selection.tables);
    let first_run = |index: usize| blocks.runs_of(index).first().map(|&run| Blocks::run_node(run));
    let mut at = 0;
    while let Some(run) = first_run(at) {
        let Some(end) = pieces.around(run).map(|area| area.end) else {
            at += 1;
            continue;
        };
        let first = at;
        let (mut content, mut other) = (0u64, 0u64);
        while first_run(at).is_some_and(|run| run < end) {
            let words = blocks.get(at).map_or(0, |block| u64::from(block.counts().words));
            *(if selection.keeps(at) { &mut content } else { &mut other }) += words;
            at += 1;
        }
        let keeps = content >= other;
        if content > 0 && other > 0 {
            for index in first..at {
                if selection.keeps(index) != keeps {
                    selection.set(index, keeps, Some(Change::Atomic));
                }
            }
        }
        at = at.max(first + 1);
    }
}

/// The outermost `pre` elements and data tables. On most pages the blocks alone show that there are none.
fn pieces(blocks: Blocks<'_>, tables: &[DataTable]) -> Areas {
    let code = blocks.records().iter().any(|record| record.context.intersects(Context::PRE));
    let mut areas = Vec::new();
    let dom = blocks.dom();
    if code {
        // The cause is never read, so any will do.
        let pre = dom.records().iter().enumerate().filter(|(_, record)| record.tag == Tag::PRE);
        areas.extend(pre.map(|(id, _)| Area::new(Node::new(dom, id as u32), Cause::Tables)));
    }
    areas.extend(tables.iter().map(|table| Area::new(Node::new(dom, table.node), Cause::Tables)));
    Areas::new(areas)
}
