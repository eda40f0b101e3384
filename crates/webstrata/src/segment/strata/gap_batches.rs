//! Rows of gaps as batches for the forests.
//!
//! A part is next to several gaps, and both passes see every gap: the values of parts and gaps are computed once, and each
//! batch collects those that some tree tests.

use super::context_pass::ContextRows;
use super::gap_rows::{GapRows, OWN_COLUMNS, OwnValues, PART_COLUMNS, PartValues};
use crate::model::{Batch, Column, LANES};
use std::ops::Range;

/// Values of more parts and gaps than this are recomputed for each batch instead of kept, so that no page takes much memory.
const MAX_KEPT: usize = 1 << 14;

/// First columns of the parts, of the page, and of the context pass.
const LEFT: usize = OWN_COLUMNS + PART_COLUMNS;
const RIGHT: usize = LEFT + PART_COLUMNS;
const PAGE: usize = RIGHT + PART_COLUMNS;
const CONTEXT: usize = PAGE + 2;

/// The rows of a page's gaps.
#[derive(Debug)]
pub(super) struct GapBatches<'g> {
    rows: GapRows<'g>,
    /// For each gap and each part: its values; empty on large pages.
    own: Vec<OwnValues>,
    parts: Vec<PartValues>,
}

impl<'g> GapBatches<'g> {
    pub(super) fn new(rows: GapRows<'g>) -> Self {
        let (gaps, parts) = (rows.parts.gaps.len(), rows.parts.parts.len());
        let (gaps, parts) = if gaps + parts <= MAX_KEPT { (gaps, parts) } else { (0, 0) };
        GapBatches {
            own: (0..gaps).map(|gap| rows.own_values(gap)).collect(),
            parts: (0..parts as u32).map(|part| rows.part_values(part)).collect(),
            rows,
        }
    }

    /// Fills a batch with the rows of up to [`LANES`] gaps; with those of the context pass if `context` is given.
    pub(super) fn fill(&self, gaps: Range<usize>, context: Option<&ContextRows<'_>>, batch: &mut Batch) {
        let Some(last) = gaps.len().checked_sub(1) else { return };
        // The last gap is repeated to fill the batch.
        let gap = |lane: usize| gaps.start + lane.min(last);
        let places: [_; LANES] = std::array::from_fn(|lane| &self.rows.parts.gaps[gap(lane)]);
        let sides = [places.map(|gap| gap.outer), places.map(|gap| gap.left), places.map(|gap| gap.right)];
        let computed: Vec<(OwnValues, [PartValues; 3])> = if self.own.is_empty() {
            let of_lane = |lane: usize| (self.rows.own_values(gap(lane)), sides.map(|parts| self.rows.part_values(parts[lane])));
            (0..LANES).map(of_lane).collect()
        } else {
            Vec::new()
        };
        let own: [&OwnValues; LANES] =
            std::array::from_fn(|lane| computed.get(lane).map_or_else(|| &self.own[gap(lane)], |(own, _)| own));
        let part = |side: usize| -> [&PartValues; LANES] {
            std::array::from_fn(|lane| {
                computed.get(lane).map_or_else(|| &self.parts[sides[side][lane] as usize], |(_, parts)| &parts[side])
            })
        };
        let (outer, left, right) = (part(0), part(1), part(2));
        let page = self.rows.page_values();
        let around = context.map(|context| std::array::from_fn::<_, LANES, _>(|lane| context.values(gap(lane))));
        batch.fill(|at, column| match at {
            ..OWN_COLUMNS => collect(column, &own, at),
            OWN_COLUMNS..LEFT => collect(column, &outer, at - OWN_COLUMNS),
            LEFT..RIGHT => collect(column, &left, at - LEFT),
            RIGHT..PAGE => collect(column, &right, at - RIGHT),
            PAGE..CONTEXT => column.fill(page[at - PAGE]),
            CONTEXT.. => {
                for (value, row) in column.iter_mut().zip(around.iter().flatten()) {
                    *value = row.get(at - CONTEXT).copied().unwrap_or(0.0);
                }
            }
        });
        batch.finish(LANES);
    }
}

/// Sets a column to one value of each row.
fn collect<const N: usize>(column: &mut Column, rows: &[&[f32; N]; LANES], at: usize) {
    if at < N {
        for (value, row) in column.iter_mut().zip(rows) {
            *value = row[at];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::GapFeatures;
    use super::*;
    use crate::Page;
    use crate::block::{GapModel, Mask};
    use crate::model::{Forest, Split, Tree};

    /// A forest that tests every column, so that batches have all of them.
    fn forest(columns: usize) -> Forest {
        let tree = |column| Tree { splits: vec![Split { column, threshold: 0.5 }], values: vec![0.0; 3] };
        Forest::new(columns as u16, 0.0, &(0..columns as u16).map(tree).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn batches_have_the_values_of_rows() {
        let small =
            "<div class=menu><ul><li><a href=a>One</a><li>Two</ul></div><div id=text><h2>Rain</h2><p>It rained.<p>Again.</div>";
        let large = format!("<ul>{}</ul>", "<li>a <b>b</b><p>c".repeat(MAX_KEPT / 2));
        for html in ["", "<p>one", small, &small.repeat(12), &large] {
            let page = Page::parse(html.as_bytes());
            let features = GapFeatures::new(page.blocks_by(GapModel::Tags), Mask::default());
            let first: Vec<f32> = (0..features.gaps()).map(|gap| (gap % 7) as f32 / 7.0).collect();
            let coarse: Vec<f32> = (0..features.gaps()).map(|gap| (gap % 5) as f32 / 5.0).collect();
            let context = features.context(&first, &coarse);
            let width = GapFeatures::context_columns().len();
            let mut batch = Batch::new(std::iter::once(&forest(width)));
            let batches = features.batches();
            for start in (0..features.gaps().min(3 * LANES)).step_by(LANES) {
                let gaps = start..(start + LANES).min(features.gaps());
                let mut rows = Vec::new();
                features.context_rows(&context, gaps.clone(), &mut rows);
                batches.fill(gaps.clone(), Some(&context), &mut batch);
                for (lane, row) in rows.chunks_exact(width).enumerate() {
                    let filled: Vec<f32> = batch.columns().iter().map(|column| column[lane]).collect();
                    assert_eq!(filled, row, "gap {}", start + lane);
                }
            }
        }
    }
}
