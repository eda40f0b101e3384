//! Parameters that the papers vary, for the commands that segment pages or extract content.

use clap::Args;
use webstrata::block::WordOptions;
use webstrata::label::{FeatureOptions, FeatureWeights, FeatureWeightsError};
use webstrata::segment::{GetBlockSet, Granularity, RuleSet, SegmentOptions};

#[derive(Debug, Args)]
pub(crate) struct MethodArgs {
    /// Tags that divide a page: those of the papers (2005, 2008), or these plus newer HTML tags
    ///
    /// The papers are Debnath et al.: Automatic Identification of Informative Sections of Web Pages, 2005, and Kohlschütter and
    /// Nejdl: A Densitometric Approach to Web Page Segmentation, 2008.
    /// For the methods bf-rulebased, just-rules and getblockset and the presets feature-extractor and k-feature-extractor.
    #[arg(long, default_value = "html5", value_name = "paper|html5", help_heading = "Parameters of methods")]
    pub(crate) rules: RuleSet,
    /// Block Fusion: maximum slope delta between the text densities of fused blocks, 0 to 1 [default: 0.38, with rules 0.60]
    #[arg(long, value_name = "THETA", value_parser = theta, help_heading = "Parameters of methods")]
    pub(crate) theta: Option<f64>,
    /// Line width in characters for text density and for the method wordwrap (w_max)
    #[arg(long, value_name = "CHARS", default_value_t = 80, help_heading = "Parameters of methods",
        value_parser = clap::value_parser!(u32).range(10..=1000))]
    pub(crate) width: u32,
    /// K-FeatureExtractor: number of clusters; the highest one is content
    #[arg(long, value_name = "K", default_value_t = 2, help_heading = "Parameters of methods",
        value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) k: u8,
    /// FeatureExtractor: features to use, such as text,links,objects [default: all]
    ///
    /// Features are text, text-tags, lists, tables, links, objects, frames, forms, scripts and style-sheets.
    #[arg(long, value_name = "FEATURE,…", value_parser = weights, default_value_t = FeatureWeights::ALL, hide_default_value = true,
        help_heading = "Parameters of methods")]
    pub(crate) features: FeatureWeights,
    /// FeatureExtractor: features that dominate in content, with weights, such as text=1,objects=0.5
    #[arg(long, value_name = "FEATURE=WEIGHT,…", value_parser = weights, default_value_t = FeatureWeights::TEXT,
        help_heading = "Parameters of methods")]
    pub(crate) desired: FeatureWeights,
    /// Keep exactly the blocks that the method classifies as content
    ///
    /// Otherwise its verdicts are refined: the headline is added; code, tables, lists and quotations are kept whole or not at all;
    /// bylines, repeated text and lines such as "Advertisement" are dropped.
    #[arg(long, help_heading = "Parameters of methods")]
    pub(crate) verdicts_only: bool,
}

impl MethodArgs {
    /// The options of segmenters.
    pub(crate) fn segment(&self, granularity: Granularity) -> SegmentOptions {
        SegmentOptions::from(self.rules).theta(self.theta).width(self.width).granularity(granularity)
    }

    /// The options of FeatureExtractor.
    pub(crate) fn features(&self) -> FeatureOptions {
        FeatureOptions::default()
            .partition(GetBlockSet::for_rules(&self.rules))
            .features(self.features)
            .desired(self.desired)
            .clusters(self.k)
    }

    /// How words and lines are counted.
    pub(crate) fn words(&self) -> WordOptions {
        WordOptions::default().line_width(self.width)
    }
}

fn theta(text: &str) -> Result<f64, String> {
    let theta = text.parse::<f64>().ok().filter(|theta| (0.0..=1.0).contains(theta));
    theta.ok_or_else(|| "give a number from 0 (equal densities only) to 1 (everything)".to_owned())
}

/// Parses weights. A separate function, so that clap does not repeat the list in its error message.
fn weights(text: &str) -> Result<FeatureWeights, FeatureWeightsError> {
    text.parse()
}
