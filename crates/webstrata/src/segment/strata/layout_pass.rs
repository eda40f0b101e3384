//! The layout pass: corrects the probabilities of cuts by the rendering, if the page has a layout.
//!
//! The model for pages without a layout is unchanged. On a page with one, a small forest takes that model's probabilities at each gap, and
//! the position and style of the lines and parts on both sides. Text that is not rendered, such as closed menus, has no position; that is
//! also a feature. Only fine cuts are corrected: a forest for coarse cuts, of which annotators mark few, lost .017 at the default
//! granularity (cross-validated AdjRand on level 1, .682 without it).

use super::features::GapFeatures;
use super::model::CutProbabilities;
use crate::block::Blocks;
use crate::layout::{Area, Rendered};
use crate::model::{Forest, ModelError, ModelReader, ModelWriter, probability};
use crate::segment::rendering::{on_screen, styles};
use std::sync::LazyLock;

/// Number of visual features.
const VISUAL: usize = 27;

/// Number of features: three probabilities, then the visual ones.
const COLUMNS: usize = 3 + VISUAL;

/// The visual features of each gap of a page.
#[derive(Clone, Debug, Default)]
pub struct LayoutRows {
    rows: Vec<[f32; VISUAL]>,
}

/// The area of some text, and the style of its first line.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    area: Area,
    style: Option<Rendered>,
}

impl LayoutRows {
    /// The rows of a page; `None` without a layout. `features` must be those of the same blocks.
    #[must_use]
    pub fn new(blocks: Blocks<'_>, features: &GapFeatures) -> Option<LayoutRows> {
        let layout = blocks.layout().filter(|layout| layout.rendered() > 0)?;
        let parts = features.parts();
        let atoms: Vec<Place> = parts
            .atoms
            .windows(2)
            .map(|pair| {
                let mut place = Place::default();
                for block in (pair[0]..pair[1]).filter_map(|index| blocks.get(index as usize)) {
                    for style in styles(block, layout) {
                        place.area = place.area.union(style.area);
                        place.style = place.style.or(Some(*style));
                    }
                }
                place
            })
            .collect();
        // Children come after their parents.
        let mut areas = vec![Area::default(); parts.parts.len()];
        for (atom, &part) in atoms.iter().zip(&parts.leaf) {
            let place = &mut areas[part as usize];
            *place = place.union(atom.area);
        }
        for part in (1..areas.len()).rev() {
            let parent = parts.parts[part].parent as usize;
            areas[parent] = areas[parent].union(areas[part]);
        }
        let page = layout.page();
        let row = |(gap, places): (&super::parts::Gap, &[Place])| {
            let mut row = [0.0; VISUAL];
            let [left, right] = [gap.left, gap.right].map(|part| areas[part as usize]);
            row[..7].copy_from_slice(&on_screen(places[0].area, places[1].area));
            row[7..14].copy_from_slice(&on_screen(left, right));
            row[14..20].copy_from_slice(&styles_of(places[0].style, places[1].style));
            let share = |value: f32, whole: f32| (value / whole.max(1.0)).clamp(0.0, 1.0);
            let last = [
                share(left.width, page.width),
                share(right.width, page.width),
                share(left.height, page.height),
                share(right.height, page.height),
                share(places[1].area.y, page.height),
                f32::from(u8::from(places[0].area.is_empty())),
                f32::from(u8::from(places[1].area.is_empty())),
            ];
            row[20..].copy_from_slice(&last);
            row
        };
        Some(LayoutRows { rows: parts.gaps.iter().zip(atoms.windows(2)).map(row).collect() })
    }

    /// Number of features in a row.
    #[must_use]
    pub const fn columns() -> usize {
        COLUMNS
    }

    /// The features of a gap.
    #[must_use]
    pub fn row(&self, gap: usize, cuts: &CutProbabilities) -> [f32; COLUMNS] {
        let mut row = [0.0; COLUMNS];
        row[..3].copy_from_slice(&[cuts.coarse[gap], cuts.first[gap], cuts.fine[gap]]);
        row[3..].copy_from_slice(&self.rows[gap]);
        row
    }
}

/// Differences between two styles.
fn styles_of(a: Option<Rendered>, b: Option<Rendered>) -> [f32; 6] {
    let (Some(a), Some(b)) = (a, b) else { return [0.0; 6] };
    [
        (b.font_size / a.font_size.max(1.0)).max(1e-3).ln(),
        (f32::from(b.font_weight) - f32::from(a.font_weight)) / 500.0,
        a.background.difference(b.background),
        a.color.difference(b.color),
        f32::from(u8::from(a.font_family == b.font_family)),
        (1.0 + b.font_size).ln(),
    ]
}

/// The forest of the layout pass.
///
/// ```
/// use webstrata::segment::strata::LayoutModel;
/// let model = LayoutModel::shipped().unwrap();
/// assert_eq!(&LayoutModel::read(&model.write())?, model);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutModel {
    /// For fine cuts.
    pub fine: Forest,
}

static SHIPPED: LazyLock<Option<LayoutModel>> = LazyLock::new(|| LayoutModel::read(include_bytes!("cuts-layout.model")).ok());

impl LayoutModel {
    /// The model that ships with the library.
    #[must_use]
    pub fn shipped() -> Option<&'static LayoutModel> {
        SHIPPED.as_ref()
    }

    /// The corrected probabilities.
    #[must_use]
    pub fn correct(&self, rows: &LayoutRows, cuts: &CutProbabilities) -> CutProbabilities {
        let fine = (0..cuts.fine.len()).map(|gap| probability(self.fine.score(&rows.row(gap, cuts)))).collect();
        CutProbabilities { fine, ..cuts.clone() }
    }

    /// Reads a model.
    ///
    /// # Errors
    /// If the file is not a model, is damaged, has a different version, or was trained with different features.
    pub fn read(file: &[u8]) -> Result<LayoutModel, ModelError> {
        let mut input = ModelReader::new(file)?;
        let fine = Forest::read(&mut input)?;
        match fine.columns() {
            COLUMNS => Ok(LayoutModel { fine }),
            found => Err(ModelError::Features { found, expected: COLUMNS }),
        }
    }

    /// Writes the model.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out = ModelWriter::default();
        self.fine.write(&mut out);
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use crate::block::{GapModel, Mask};
    use crate::layout::Layout;

    #[test]
    fn rows_show_where_text_is() {
        let page = Page::parse(b"<div><p>a</div><div><p>b<p>c</div>");
        let blocks = page.blocks_by(GapModel::Tags);
        assert!(LayoutRows::new(blocks, &GapFeatures::new(blocks, Mask::default())).is_none());
        let mut layout = Layout::new(1000.0, 500.0, page.dom().len());
        let texts: Vec<_> = blocks.iter().flat_map(|block| block.runs().collect::<Vec<_>>()).collect();
        for (&text, (x, y)) in texts.iter().zip([(0.0, 0.0), (600.0, 0.0)]) {
            layout.set(text, Rendered::new(Area::new(x, y, 400.0, 20.0)));
        }
        let page = page.with_layout(layout);
        let blocks = page.blocks_by(GapModel::Tags);
        let features = GapFeatures::new(blocks, Mask::default());
        let rows = LayoutRows::new(blocks, &features).unwrap();
        let cuts = CutProbabilities { coarse: vec![0.1, 0.2], first: vec![0.3, 0.4], fine: vec![0.5, 0.6] };
        let [beside, hidden] = [0, 1].map(|gap| rows.row(gap, &cuts));
        assert_eq!(beside[..3], [0.1, 0.3, 0.5]);
        // The second paragraph is on the same line as the first, the third is not rendered.
        assert_eq!((beside[3 + 4], beside[COLUMNS - 1]), (1.0, 0.0));
        assert_eq!((hidden[3], hidden[COLUMNS - 1]), (0.0, 1.0));
    }

    #[test]
    fn the_shipped_model_is_valid_and_others_are_rejected() {
        let file = include_bytes!("cuts-layout.model");
        assert!(LayoutModel::read(file).is_ok());
        assert!(file.len() < 60_000);
        assert!(LayoutModel::read(&file[..file.len() / 2]).is_err());
        let other = LayoutModel { fine: Forest::new(7, 0.0, &[]).unwrap() }.write();
        assert!(matches!(LayoutModel::read(&other), Err(ModelError::Features { found: 7, .. })));
    }
}
