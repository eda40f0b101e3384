//! The 67 features of a block as an object: names to numbers, in the order of the table.

use crate::block::{FEATURES, Feature, Neighbour};
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The features of a block, in the order of [`FEATURES`]. In JSON they have names: `words` of the block itself,
/// `previous_words` and `next_words` of its neighbours.
///
/// ```
/// use webstrata::{block::{FEATURES, Features}, Page, record::FeatureRecord};
/// let page = Page::parse(b"<p>one two<p>three");
/// let record = FeatureRecord::new(Features::new(page.blocks()).row(1));
/// assert_eq!((record.get("words"), record.get("previous_words")), (Some(1.0), Some(2.0)));
/// assert_eq!(FeatureRecord::names().count(), FEATURES.len());
/// let json = serde_json::to_string(&record)?;
/// assert!(json.starts_with(r#"{"words":1.0,"text_density":1.0,"#));
/// assert_eq!(serde_json::from_str::<FeatureRecord>(&json)?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureRecord {
    values: Vec<f32>,
}

impl FeatureRecord {
    /// Creates a record from a row of [`crate::block::Features::row`]; missing values are 0.
    #[must_use]
    pub fn new(mut values: Vec<f32>) -> Self {
        values.resize(FEATURES.len(), 0.0);
        FeatureRecord { values }
    }

    /// The names, in the order of the values.
    pub fn names() -> impl Iterator<Item = String> {
        FEATURES.iter().map(|&(feature, of)| format!("{}{}", prefix(of), name(feature)))
    }

    /// The values.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The feature with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f32> {
        position(name).and_then(|at| self.values.get(at).copied())
    }
}

fn position(name: &str) -> Option<usize> {
    FEATURES.iter().position(|&(feature, of)| name.strip_prefix(prefix(of)) == Some(self::name(feature)))
}

fn prefix(of: Neighbour) -> &'static str {
    match of {
        Neighbour::Previous => "previous_",
        Neighbour::Current => "",
        Neighbour::Next => "next_",
    }
}

fn name(feature: Feature) -> &'static str {
    match feature {
        Feature::Words => "words",
        Feature::TextDensity => "text_density",
        Feature::LinkDensity => "link_density",
        Feature::WordLength => "word_length",
        Feature::SentenceLength => "sentence_length",
        Feature::InH1 => "in_h1",
        Feature::InH2 => "in_h2",
        Feature::InH3 => "in_h3",
        Feature::InH4 => "in_h4",
        Feature::InH5 => "in_h5",
        Feature::InH6 => "in_h6",
        Feature::InP => "in_p",
        Feature::InDiv => "in_div",
        Feature::InA => "in_a",
        Feature::Capitalised => "capitalised",
        Feature::CapitalisedRatio => "capitalised_ratio",
        Feature::UpperCase => "upper_case",
        Feature::UpperCaseRatio => "upper_case_ratio",
        Feature::FullStops => "full_stops",
        Feature::Dates => "dates",
        Feature::Bars => "bars",
        Feature::Position => "position",
        Feature::RelativePosition => "relative_position",
        Feature::DensityQuotient => "density_quotient",
        Feature::WordsQuotient => "words_quotient",
    }
}

impl Serialize for FeatureRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len()))?;
        let mut key = String::new();
        for (&(feature, of), value) in FEATURES.iter().zip(&self.values) {
            key.clear();
            key.push_str(prefix(of));
            key.push_str(name(feature));
            map.serialize_entry(&key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for FeatureRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = FeatureRecord;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of features")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<FeatureRecord, M::Error> {
                let mut values = vec![0.0; FEATURES.len()];
                while let Some((key, value)) = map.next_entry::<String, f32>()? {
                    let at = position(&key).ok_or_else(|| M::Error::custom(format!("unknown feature `{key}`")))?;
                    values[at] = value;
                }
                Ok(FeatureRecord { values })
            }
        }

        deserializer.deserialize_map(Object)
    }
}
