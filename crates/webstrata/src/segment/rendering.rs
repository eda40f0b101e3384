//! Layout data for segmenters: the style of a block's text, and the relative placement of two areas.

use crate::block::Block;
use crate::layout::{Area, Layout, Rendered};

/// How the text nodes of a block are rendered. A text node without a box of its own has that of its parent.
pub(super) fn styles<'b>(block: Block<'b>, layout: &'b Layout) -> impl Iterator<Item = &'b Rendered> {
    let dom = block.node().dom();
    block.runs().filter_map(move |run| {
        let parent = || layout.get(dom.node(run)?.parent()?.id());
        layout.get(run).or_else(parent).filter(|style| !style.area.is_empty())
    })
}

/// Distance between two areas, horizontal and vertical gaps, overlapping shares of their extents, and whether their edges are aligned.
pub(super) fn on_screen(a: Area, b: Area) -> [f32; 7] {
    if a.is_empty() || b.is_empty() {
        return [0.0; 7];
    }
    let log = |value: f32| ((1.0 + value.max(0.0)).ln() / 7.0).min(1.5);
    let gap = |low: f32, high: f32, other_low: f32, other_high: f32| (other_low - high).max(low - other_high).max(0.0);
    let overlap = |low: f32, high: f32, extent: f32| ((high - low) / extent.max(1.0)).clamp(0.0, 1.0);
    [
        log(a.distance(b)),
        log(gap(a.x, a.right(), b.x, b.right())),
        log(gap(a.y, a.bottom(), b.y, b.bottom())),
        overlap(a.x.max(b.x), a.right().min(b.right()), a.width.min(b.width)),
        overlap(a.y.max(b.y), a.bottom().min(b.bottom()), a.height.min(b.height)),
        f32::from(u8::from((a.x - b.x).abs() < 2.0)),
        f32::from(u8::from((a.right() - b.right()).abs() < 2.0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_on_the_screen_are_compared() {
        let (left, right) = (Area::new(0.0, 0.0, 100.0, 20.0), Area::new(150.0, 10.0, 100.0, 20.0));
        let [distance, across, down, over, beside, aligned, _] = on_screen(left, right);
        assert!(distance > 0.0 && across == distance && down == 0.0);
        assert_eq!((over, beside, aligned), (0.0, 0.5, 0.0));
        assert_eq!(on_screen(left, Area::default()), [0.0; 7]);
    }
}
