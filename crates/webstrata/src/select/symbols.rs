//! Symbols in data tables. Text without letters and digits is in no block, so no method judges it; a tick or a dash in a cell is
//! kept with the table around it.

use super::Selection;
use super::areas::Overrides;
use crate::block::{Blocks, is_entered};
use crate::html::{Tag, is_white};

/// Records the symbols in data tables that are kept at least in part.
pub(super) fn keep(blocks: Blocks<'_>, overrides: &mut Overrides, selection: &mut Selection) {
    let (dom, options) = (blocks.dom(), blocks.options());
    let first_run = |index: usize| blocks.runs_of(index).first().map_or(u32::MAX, |&run| Blocks::run_node(run));
    let mut signs = Vec::new();
    overrides.rewind();
    let (mut block, mut runs) = (0, blocks.runs());
    let mut covered = 0;
    for table in &selection.tables {
        // Nested tables are covered by the outermost one.
        let mut id = covered.max(table.node);
        covered = covered.max(table.end);
        let mut kept = false;
        while first_run(block) < table.end {
            kept |= first_run(block) > id && selection.keeps(block);
            block += 1;
        }
        while kept && id < table.end {
            let record = dom.record(id);
            if record.tag != Tag::TEXT {
                id = if is_entered(record.tag, &options) { id + 1 } else { record.end.max(id + 1) };
                continue;
            }
            runs = &runs[runs.iter().take_while(|&&run| Blocks::run_node(run) < id).count()..];
            let in_block = runs.first().is_some_and(|&run| Blocks::run_node(run) == id);
            if !in_block && is_visible(&dom.run_text(id)) && !overrides.drops_sign(id) {
                signs.push(id);
            }
            id += 1;
        }
    }
    selection.signs = signs;
}

/// Whether the text has visible characters.
fn is_visible(text: &str) -> bool {
    text.contains(|c: char| {
        !is_white(c) && !c.is_whitespace() && !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    })
}
