//! Segments of low text density are templates (Kohlschütter's thesis, 4.3.3 and 4.3.4): "segment each document using the BlockFusion
//! algorithm and remove all segments which have a maximum text density of 5".
//!
//! Segments are those of BF-RuleBased, and densities are rounded. On the thesis' corpus this removes 23% of the words, where templates
//! found by fingerprint make up 28%, and it needs no other pages.

use super::unit::{StageInfo, Trail, Unit};
use super::{Input, Stage};
use crate::block::{BlockTable, Blocks, GapModel};
use crate::segment::{Fusion, FusionOptions, RuleSet, Segmenter, Segments};

static INFO: StageInfo = StageInfo {
    name: "density-above",
    source: "Kohlschütter's thesis, 4.3.4",
    rules: &["content: rounded density {} of its segment > {}", "boilerplate: rounded density {} of its segment <= {}"],
};

/// The stage; units are judged by the segment in which they start.
#[derive(Clone, Copy, Debug)]
pub(super) struct DensityAbove {
    /// The highest rounded density that is removed.
    pub(super) density: u32,
    pub(super) rules: RuleSet,
}

impl Stage for DensityAbove {
    fn info(&self) -> &'static StageInfo {
        &INFO
    }

    fn apply(&self, input: &Input<'_>, mut units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let dom = input.blocks.dom();
        let table = BlockTable::new(dom, &input.blocks.options().gaps(GapModel::Tags));
        let atoms = table.with(dom);
        let segments = Segments::new(atoms, Fusion::new(FusionOptions::rule_based(self.rules)).segment(atoms));
        // Rounded density of each segment, keyed by its first text node, ascending.
        let first_run = |number: usize| atoms.runs_of(number).first().map_or(0, |&run| Blocks::run_node(run));
        let densities: Vec<(u32, f32)> = segments
            .iter()
            .map(|segment| (first_run(segment.block_numbers().start), segment.counts().density().value().round() as f32))
            .collect();
        for unit in &mut units {
            let run = input.blocks.runs_of(unit.first as usize).first().map_or(0, |&run| Blocks::run_node(run));
            let at = densities.partition_point(|&(first, _)| first <= run);
            let density = at.checked_sub(1).map_or(0.0, |at| densities[at].1);
            let content = density > self.density as f32;
            let step = trail.note(&INFO, u8::from(!content), &[density, self.density as f32]);
            trail.judge(unit, step);
            *unit = unit.decided(content, step);
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Labeller, Preset};
    use crate::Page;

    #[test]
    fn short_lines_go_and_sentences_stay() {
        let text = "It has been raining in the valley for three days now, and nobody remembers when that happened last. ".repeat(3);
        let html = format!("<ul><li>Home<li>News<li>Sports</ul><h1>Rain</h1><p>{text}</p>");
        let page = Page::parse(html.as_bytes());
        let kept = |preset: Preset| preset.label(&page.input()).content().collect::<Vec<_>>();
        assert_eq!(kept(Preset::DensityAbove(5)), [4]);
        assert!(kept(Preset::DensityAbove(100)).is_empty());
        assert_eq!("density-above=5".parse(), Ok(Preset::DensityAbove(5)));
        assert_eq!("density-above".parse(), Ok(Preset::DensityAbove(5)));
        let why = Preset::DensityAbove(5).explain(&page.input()).why(0);
        assert_eq!(why, "density-above: boilerplate: rounded density 1 of its segment <= 5");
    }
}
