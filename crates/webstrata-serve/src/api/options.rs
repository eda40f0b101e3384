//! Parameters that several resources share, named as on the command line.

use crate::http::error::ApiError;
use serde::Deserialize;
use std::ops::Deref;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};
use webstrata::ExtractOptions;
use webstrata::label::Preset;
use webstrata::segment::{Granularity, Method, RuleSet, SegmentOptions};
use webstrata::select::Mode;

/// Maximum length of an address or an id in characters.
pub(crate) const MAX_ADDRESS: usize = 2000;

/// Maximum length of a topic or a site name in characters.
pub(crate) const MAX_TOPIC: usize = 300;

/// Pattern of preset names; those with a number are `NAME=NUMBER`.
const PRESETS: &str = "^(strata|article|article-sentences|boilerpipe-default|largest-content|canola|num-words-rules|keep-everything|density-rules|density-min|1r|main-content|density-largest-content|density-main-content|feature-extractor|k-feature-extractor|l-extractor|bte|(min-words|keep-everything-with-min-k-words|density-above)=[1-9][0-9]{0,3})$";

/// The name of a preset. The OpenAPI document takes its pattern from here, so there is only one list.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct PresetName(String);

impl Deref for PresetName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialSchema for PresetName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(PRESETS)).into()
    }
}

impl ToSchema for PresetName {}

/// Whether a method favours precision or recall.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ModeName {
    /// Neither.
    Balanced,
    /// Rather lose content than keep boilerplate.
    Precision,
    /// Rather keep boilerplate than lose content.
    Recall,
}

/// The rule set of segmentation methods with rules.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RulesName {
    /// The tags of the papers.
    Paper,
    /// Those and the tags of HTML5.
    Html5,
}

/// A segmentation method.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MethodName {
    /// Learned from pages segmented by hand.
    Strata,
    /// Block Fusion with smoothing and tag rules.
    BfRulebased,
    /// Block Fusion with smoothing.
    BfSmoothed,
    /// Block Fusion with the smoothing of the thesis' footnote 6.
    BfSmoothedLow,
    /// Block Fusion, densities only.
    BfPlain,
    /// Tag rules only.
    JustRules,
    /// Partitioning tags of the TKDE paper.
    Getblockset,
    /// Energy-minimising graph cuts.
    Gcuts,
    /// Graph cuts without costs between parents and children.
    GcutsNp,
    /// Graph cuts without learned weights.
    GcutsNl,
    /// Correlation clustering.
    Cclus,
    /// Correlation clustering without learned weights.
    CclusNl,
    /// One segment per atom.
    Taggap,
    /// Lines of 80 characters.
    Wordwrap,
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Method {
        match name {
            MethodName::Strata => Method::Strata,
            MethodName::BfRulebased => Method::BfRulebased,
            MethodName::BfSmoothed => Method::BfSmoothed,
            MethodName::BfSmoothedLow => Method::BfSmoothedLow,
            MethodName::BfPlain => Method::BfPlain,
            MethodName::JustRules => Method::JustRules,
            MethodName::Getblockset => Method::GetBlockSet,
            MethodName::Gcuts => Method::GCuts,
            MethodName::GcutsNp => Method::GCutsNp,
            MethodName::GcutsNl => Method::GCutsNl,
            MethodName::Cclus => Method::CClus,
            MethodName::CclusNl => Method::CClusNl,
            MethodName::Taggap => Method::TagGap,
            MethodName::Wordwrap => Method::WordWrap,
        }
    }
}

/// Options of extraction.
pub(crate) fn extraction(preset: Option<&str>, mode: Option<ModeName>) -> Result<ExtractOptions, ApiError> {
    let preset: Preset = preset.unwrap_or("strata").parse().map_err(ApiError::bad)?;
    let mode = match mode.unwrap_or(ModeName::Balanced) {
        ModeName::Balanced => Mode::Balanced,
        ModeName::Precision => Mode::Precision,
        ModeName::Recall => Mode::Recall,
    };
    Ok(ExtractOptions::default().preset(preset).mode(mode))
}

/// Options of segmentation.
pub(crate) fn segmentation(
    theta: Option<f64>,
    granularity: Option<f64>,
    rules: Option<RulesName>,
) -> Result<SegmentOptions, ApiError> {
    let mut options = SegmentOptions::from(match rules.unwrap_or(RulesName::Html5) {
        RulesName::Html5 => RuleSet::html5(),
        RulesName::Paper => RuleSet::paper(),
    });
    if let Some(theta) = theta {
        if !(0.0..=1.0).contains(&theta) {
            return Err(ApiError::bad("theta must be a number from 0 to 1"));
        }
        options = options.theta(theta);
    }
    if let Some(granularity) = granularity {
        if !(0.0..=1.0).contains(&granularity) {
            return Err(ApiError::bad("granularity must be a number from 0 to 1"));
        }
        options = options.granularity(Granularity::Value(granularity as f32));
    }
    Ok(options)
}

/// An address in a parameter.
pub(crate) fn address(url: Option<String>) -> Result<Option<String>, ApiError> {
    match url {
        Some(url) => bounded("an address", &url, MAX_ADDRESS).map(|()| Some(url)),
        None => Ok(None),
    }
}

/// Refuses a text that is too long.
pub(crate) fn bounded(what: &str, text: &str, most: usize) -> Result<(), ApiError> {
    match text.chars().nth(most) {
        Some(_) => Err(ApiError::bad(format!("{what} must have at most {most} characters"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_those_of_the_library() {
        for preset in Preset::ALL {
            assert!(PRESETS.contains(preset.name()), "{preset}");
        }
        for name in PRESETS.trim_start_matches("^(").split('|').take_while(|name| !name.starts_with('(')) {
            assert!(extraction(Some(name), None).is_ok(), "{name}");
        }
        assert!(extraction(Some("min-words=5"), Some(ModeName::Recall)).is_ok() && extraction(Some("x"), None).is_err());
    }

    #[test]
    fn numbers_are_in_range() {
        for wrong in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
            assert!(segmentation(Some(wrong), None, None).is_err() && segmentation(None, Some(wrong), None).is_err());
        }
        assert!(segmentation(Some(0.38), Some(1.0), Some(RulesName::Paper)).is_ok());
    }
}
