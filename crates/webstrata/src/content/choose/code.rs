//! Code is kept whole or not at all. Methods judge its lines one by one, and half a program is no use to anyone.

use super::{Choice, Overruling};
use crate::block::{Blocks, Context};
use crate::html::Tag;
use crate::label::Labels;

/// Overrules the verdicts on the blocks of each `pre` where they differ: the words of the larger part decide.
pub(super) fn keep_whole(blocks: Blocks<'_>, labels: &mut Labels, choice: &mut Choice) {
    let mut at = 0;
    let mut until = 0; // end of the `pre` that is looked at
    let mut from = 0; // node from which on to look for the next one
    while at < blocks.len() {
        let Some(block) = blocks.get(at).filter(|block| block.context().contains(Context::PRE)) else {
            at += 1;
            continue;
        };
        let node = blocks.runs_of(at).first().map_or(0, |&run| Blocks::run_node(run));
        if node >= until {
            let dom = blocks.dom();
            let found = (from.max(until)..node).find(|&id| dom.record(id).tag == Tag::PRE && dom.record(id).end > node);
            // Context says that there is one; if there is none the block stands alone.
            until = found.map_or(node + 1, |id| dom.record(id).end);
            from = node;
        }
        let first = block.index();
        let (mut content, mut other) = (0u64, 0u64);
        while blocks.runs_of(at).first().is_some_and(|&run| Blocks::run_node(run) < until) {
            let words = blocks.get(at).map_or(0, |block| u64::from(block.counts().words));
            *(if labels.verdict(at).content { &mut content } else { &mut other }) += words;
            at += 1;
        }
        if content > 0 && other > 0 {
            for index in (first..at).filter(|&index| labels.verdict(index).content != (content >= other)).collect::<Vec<_>>() {
                labels.set(index, content >= other);
                choice.note(index, Overruling::Code);
            }
        }
        at = at.max(first + 1);
    }
}
