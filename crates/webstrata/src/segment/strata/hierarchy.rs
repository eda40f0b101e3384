//! Gaps by strength: a segmentation for every granularity, each nested in the coarser ones.

use crate::segment::Segmentation;
use std::fmt;
use std::str::FromStr;

/// How finely a page is cut.
///
/// ```
/// use webstrata::segment::Granularity;
/// assert_eq!("coarse".parse(), Ok(Granularity::Coarse));
/// assert_eq!("0.5".parse(), Ok(Granularity::Value(0.5)));
/// assert_eq!(Granularity::default(), Granularity::Fine);
/// assert!("2".parse::<Granularity>().unwrap_err().to_string().contains("coarse"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Granularity {
    /// Header, menu, main part, sidebar, footer.
    Coarse,
    /// The blocks that a person would outline.
    #[default]
    Fine,
    /// From 0 (one segment) to 1 (cut at every gap). One third is [`Granularity::Coarse`], two thirds [`Granularity::Fine`].
    Value(f32),
}

/// The positions of the two levels on the scale.
pub(super) const COARSE: f32 = 1.0 / 3.0;
pub(super) const FINE: f32 = 2.0 / 3.0;

impl Granularity {
    /// The granularity as a number between 0 and 1.
    #[must_use]
    pub fn value(self) -> f32 {
        match self {
            Granularity::Coarse => COARSE,
            Granularity::Fine => FINE,
            Granularity::Value(value) if value.is_nan() => FINE,
            Granularity::Value(value) => value.clamp(0.0, 1.0),
        }
    }
}

impl fmt::Display for Granularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Granularity::Coarse => f.write_str("coarse"),
            Granularity::Fine => f.write_str("fine"),
            Granularity::Value(_) => self.value().fmt(f),
        }
    }
}

/// An unknown granularity.
///
/// ```
/// use webstrata::segment::Granularity;
/// assert!("medium".parse::<Granularity>().unwrap_err().to_string().contains("medium"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid granularity '{0}'; use coarse, fine, or a number from 0 (one segment) to 1 (cut at every gap)")]
pub struct UnknownGranularity(String);

impl FromStr for Granularity {
    type Err = UnknownGranularity;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "coarse" => Ok(Granularity::Coarse),
            "fine" => Ok(Granularity::Fine),
            _ => match name.parse::<f32>() {
                Ok(value) if (0.0..=1.0).contains(&value) => Ok(Granularity::Value(value)),
                _ => Err(UnknownGranularity(name.to_owned())),
            },
        }
    }
}

/// The gaps of a page with their strengths.
///
/// ```
/// use webstrata::segment::{Granularity, Hierarchy};
/// // A page of four blocks: a strong gap after the second, a weak one after the third.
/// let hierarchy = Hierarchy::new(vec![(2, 0.9), (3, 0.5)], 4);
/// assert_eq!(hierarchy.at(Granularity::Coarse).len(), 2);
/// assert_eq!(hierarchy.at(Granularity::Fine).len(), 3);
/// assert_eq!(hierarchy.at(Granularity::Value(0.0)).len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hierarchy {
    gaps: Vec<(u32, f32)>,
    blocks: usize,
}

/// Maximum strength: below 1, so that a granularity of 0 cuts nothing.
const MAX_STRENGTH: f32 = 1.0 - f32::EPSILON;

impl Hierarchy {
    /// Creates a hierarchy. `gaps` has the first block after each gap, ascending, with the strength of the gap from 0 to 1;
    /// `blocks` is the number of blocks.
    #[must_use]
    pub fn new(mut gaps: Vec<(u32, f32)>, blocks: usize) -> Self {
        for (_, strength) in &mut gaps {
            *strength = if strength.is_nan() { 0.0 } else { strength.clamp(0.0, MAX_STRENGTH) };
        }
        Hierarchy { gaps, blocks }
    }

    /// The first block after each gap, and the strength of the gap. It is cut at granularities of at least 1 minus its
    /// strength.
    pub fn gaps(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.gaps.iter().copied()
    }

    /// The segments at a granularity. A cut at one granularity is a cut at all finer ones.
    #[must_use]
    pub fn at(&self, granularity: Granularity) -> Segmentation {
        let min = 1.0 - granularity.value();
        let cuts = self.gaps.iter().filter(|(_, strength)| *strength >= min).map(|(block, _)| *block);
        Segmentation::from_blocks(cuts, self.blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_the_scale() {
        let hierarchy = Hierarchy::new(vec![(1, 0.0), (2, 1.0), (3, f32::NAN), (4, -7.0)], 5);
        assert_eq!(hierarchy.at(Granularity::Value(0.0)).len(), 1);
        assert_eq!(hierarchy.at(Granularity::Value(1.0)).len(), 5);
        assert_eq!(hierarchy.at(Granularity::Value(f32::NAN)), hierarchy.at(Granularity::Fine));
        assert_eq!(hierarchy.at(Granularity::Value(9.0)), hierarchy.at(Granularity::Value(1.0)));
        assert!(Hierarchy::default().at(Granularity::Fine).is_empty());
    }

    #[test]
    fn granularities_survive_a_round_trip() {
        for granularity in [Granularity::Coarse, Granularity::Fine, Granularity::Value(0.25), Granularity::Value(1.0)] {
            assert_eq!(granularity.to_string().parse(), Ok(granularity));
        }
        for wrong in ["", "-0.1", "1.1", "nan", "inf", "Coarse"] {
            assert!(wrong.parse::<Granularity>().is_err(), "{wrong}");
        }
    }
}
