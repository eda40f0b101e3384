//! L-Extractor (Debnath, Mitra, Pal, Giles: Automatic Identification of Informative Sections of Web Pages, IEEE TKDE 17(9), 2005,
//! section 7): a linear support vector machine on the features of the parts into which GetBlockSet partitions a page.
//!
//! The plane was trained as the paper describes (C-SVC, cost and weights 1) on 89,805 parts of 830 pages labelled for this project; in
//! 5-fold cross-validation its accuracy is .841. To train on another set, run `webstrata-lab train blocks SET --l-extractor -o FILE`; the
//! resulting model labels pages on its own.

use super::unit::{StageInfo, Trail, Unit};
use super::{Input, Stage};
use crate::segment::{Feature, FeatureCounts, GetBlockSet};

/// Weights of the features' shares, in the order of [`Feature::ALL`].
const WEIGHTS: [f64; Feature::COUNT] = [3.3831, 0.0649, 0.0, 0.0, -3.0759, 0.0216, 0.0105, 0.0, -0.7201, -1.5053];
const BIAS: f64 = -1.1159;

static INFO: StageInfo = StageInfo {
    name: "l-extractor",
    source: "Debnath et al. 2005, section 7",
    rules: &["content: score {} > 0: text {}, links {}", "boilerplate: score {} <= 0: text {}, links {}"],
};

/// The stage; units are judged by the part that contains them.
#[derive(Clone, Copy, Debug)]
pub(super) struct LExtractor {
    pub(super) partition: GetBlockSet,
}

/// A part's features, each divided by its largest value on the page.
fn shares(counts: &FeatureCounts, most: &FeatureCounts) -> [f64; Feature::COUNT] {
    Feature::ALL.map(|feature| f64::from(counts[feature as usize]) / f64::from(most[feature as usize].max(1)))
}

impl Stage for LExtractor {
    fn info(&self) -> &'static StageInfo {
        &INFO
    }

    fn apply(&self, input: &Input<'_>, mut units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let (parts, of_blocks) = self.partition.parts_and_blocks(input.blocks);
        let most = Feature::ALL.map(|feature| parts.iter().map(|part| part.get(feature)).max().unwrap_or(0));
        for unit in &mut units {
            let part = of_blocks.get(unit.first as usize).and_then(|&part| parts.get(part as usize));
            let shares = part.map_or([0.0; Feature::COUNT], |part| shares(&part.counts, &most));
            let score = shares.iter().zip(WEIGHTS).map(|(share, weight)| share * weight).sum::<f64>() + BIAS;
            let operands = [score, shares[Feature::Text as usize], shares[Feature::Links as usize]].map(|value| value as f32);
            let step = trail.note(&INFO, u8::from(score <= 0.0), &operands);
            trail.judge(unit, step);
            *unit = unit.decided(score > 0.0, step);
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Labeller, Preset};
    use crate::Page;

    /// Links are evidence against a part and words for it, each compared with the largest part of the page.
    #[test]
    fn text_is_content_and_menus_are_not() {
        let menu = "<ul><li><a href=a>Home</a><li><a href=b>News</a><li><a href=c>Sport</a></ul>";
        let html = format!("{menu}<p>{}</p><p>{}</p><p>Short.</p>", "word ".repeat(60), "more ".repeat(45));
        let page = Page::parse(html.as_bytes());
        let labels = Preset::LExtractor.label(&page.input());
        assert_eq!(labels.content().collect::<Vec<_>>(), [3, 4]);
        assert_eq!(Preset::LExtractor.explain(&page.input()).why(3), "l-extractor: content: score 2.27 > 0: text 1, links 0");
    }
}
