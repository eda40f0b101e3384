//! Parameters of FeatureExtractor and K-FeatureExtractor.

use crate::options::setters;
use crate::segment::{Feature, GetBlockSet, UnknownFeature};
use std::fmt;
use std::str::FromStr;

/// Parameters of FeatureExtractor and K-FeatureExtractor (Debnath et al., IEEE TKDE 17(9), 2005, 5).
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::{FeatureOptions, Preset}};
/// let html = "<p>One two three four five six.</p><ul><li><a href=a>Home</a><li><a href=b>News</a></ul>";
/// let page = Page::parse(html.as_bytes());
/// let links = FeatureOptions::paper().desired("links".parse()?);
/// let options = ExtractOptions::paper(Preset::FeatureExtractor).features(links);
/// assert_eq!(page.extract_with(&options).text(), "- Home\n- News");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeatureOptions {
    /// What partitions the page.
    pub partition: GetBlockSet,
    /// The features that are compared. Their weights are ignored.
    pub features: FeatureWeights,
    /// The desired features with their weights: content has more of these than of all others.
    pub desired: FeatureWeights,
    /// Number of clusters of K-FeatureExtractor, which keeps the highest. The paper uses 2 or 3.
    pub clusters: u8,
}

setters! { FeatureOptions { partition: GetBlockSet, features: FeatureWeights, desired: FeatureWeights, clusters: u8 } }

impl FeatureOptions {
    /// As in the paper: its list of tags, all features, text desired, two clusters.
    #[must_use]
    pub const fn paper() -> Self {
        FeatureOptions {
            partition: GetBlockSet::paper(),
            features: FeatureWeights::ALL,
            desired: FeatureWeights::TEXT,
            clusters: 2,
        }
    }
}

impl Default for FeatureOptions {
    /// As in [`FeatureOptions::paper`], but with a list of tags for newer HTML.
    fn default() -> Self {
        FeatureOptions { partition: GetBlockSet::html5(), ..FeatureOptions::paper() }
    }
}

/// Features with weights, as in `text` or `text=1,objects=0.5`.
///
/// ```
/// use webstrata::{label::FeatureWeights, segment::Feature};
/// let both: FeatureWeights = "text,objects=0.5".parse()?;
/// assert_eq!((both.get(Feature::Text), both.get(Feature::Objects), both.get(Feature::Links)), (1.0, 0.5, 0.0));
/// assert_eq!(both.to_string(), "text,objects=0.5");
/// assert!("text=200".parse::<FeatureWeights>().unwrap_err().to_string().contains("from 0.001 to 100"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FeatureWeights([u32; Feature::COUNT]);

/// Weights are stored in thousandths.
const ONE: u32 = 1000;
const MAX: f64 = 100.0;

impl FeatureWeights {
    /// All features with weight 1.
    pub const ALL: FeatureWeights = FeatureWeights([ONE; Feature::COUNT]);

    /// Text only.
    pub const TEXT: FeatureWeights = {
        let mut weights = [0; Feature::COUNT];
        weights[Feature::Text as usize] = ONE;
        FeatureWeights(weights)
    };

    /// The weight of a feature; 0 if it is not listed.
    #[must_use]
    pub fn get(&self, feature: Feature) -> f64 {
        f64::from(self.0[feature as usize]) / f64::from(ONE)
    }
}

impl fmt::Display for FeatureWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for feature in Feature::ALL {
            match self.0[feature as usize] {
                0 => continue,
                ONE => write!(f, "{separator}{feature}")?,
                _ => write!(f, "{separator}{feature}={}", self.get(feature))?,
            }
            separator = ",";
        }
        Ok(())
    }
}

/// Why a list of features is invalid.
///
/// ```
/// use webstrata::label::FeatureWeights;
/// assert!("".parse::<FeatureWeights>().unwrap_err().to_string().contains("at least one"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeatureWeightsError {
    /// A feature has an unknown name.
    #[error(transparent)]
    Unknown(#[from] UnknownFeature),
    /// A weight is not a number or is out of range.
    #[error("'{0}' is not a weight; weights range from 0.001 to 100, as in text=1,objects=0.5")]
    Weight(String),
    /// The list is empty.
    #[error("give at least one feature, as in text or text=1,objects=0.5")]
    Empty,
}

impl FromStr for FeatureWeights {
    type Err = FeatureWeightsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut weights = [0; Feature::COUNT];
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, weight) = part.split_once('=').unwrap_or((part, "1"));
            let feature: Feature = name.trim().parse()?;
            let number = weight.trim().parse::<f64>().ok().filter(|number| (0.001..=MAX).contains(number));
            let number = number.ok_or_else(|| FeatureWeightsError::Weight(weight.trim().to_owned()))?;
            weights[feature as usize] = (number * f64::from(ONE)).round() as u32;
        }
        if weights == [0; Feature::COUNT] {
            return Err(FeatureWeightsError::Empty);
        }
        Ok(FeatureWeights(weights))
    }
}
