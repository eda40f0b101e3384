//! Cuts by strength: one answer for every granularity, each nested in the finer ones.

use crate::segment::Segmentation;
use std::fmt;
use std::str::FromStr;

/// How fine a page is cut.
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
    /// From 0, the page is one segment, to 1, it is cut wherever it can be. One third is [`Granularity::Coarse`], two thirds
    /// are [`Granularity::Fine`].
    Value(f32),
}

/// The places of the two levels on the scale.
pub(super) const COARSE: f32 = 1.0 / 3.0;
pub(super) const FINE: f32 = 2.0 / 3.0;

impl Granularity {
    /// Its place between 0 and 1.
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

/// A granularity that is not known.
///
/// ```
/// use webstrata::segment::Granularity;
/// assert!("medium".parse::<Granularity>().unwrap_err().to_string().contains("medium"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no granularity '{0}'; there are: coarse fine, or a number from 0 (one segment) to 1 (cut wherever it can be)")]
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

/// The gaps of a page with the strength of each.
///
/// ```
/// use webstrata::segment::{Granularity, Hierarchy};
/// // A page of four blocks: a strong gap behind the second, a weak one behind the third.
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

/// The strongest gap there is: it is not cut where nothing is.
const STRONGEST: f32 = 1.0 - f32::EPSILON;

impl Hierarchy {
    /// From the first block behind each gap, ascending, with the gap's strength between 0 and 1; and the number of blocks.
    #[must_use]
    pub fn new(mut gaps: Vec<(u32, f32)>, blocks: usize) -> Self {
        for (_, strength) in &mut gaps {
            *strength = if strength.is_nan() { 0.0 } else { strength.clamp(0.0, STRONGEST) };
        }
        Hierarchy { gaps, blocks }
    }

    /// The first block behind each gap and the gap's strength: it is cut from the granularity on that is 1 less that.
    pub fn gaps(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.gaps.iter().copied()
    }

    /// The segments at a granularity. What is a cut at one is a cut at all finer ones.
    #[must_use]
    pub fn at(&self, granularity: Granularity) -> Segmentation {
        let least = 1.0 - granularity.value();
        let cuts = self.gaps.iter().filter(|(_, strength)| *strength >= least).map(|(block, _)| *block);
        Segmentation::from_blocks(cuts, self.blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_scale() {
        let hierarchy = Hierarchy::new(vec![(1, 0.0), (2, 1.0), (3, f32::NAN), (4, -7.0)], 5);
        assert_eq!(hierarchy.at(Granularity::Value(0.0)).len(), 1);
        assert_eq!(hierarchy.at(Granularity::Value(1.0)).len(), 5);
        assert_eq!(hierarchy.at(Granularity::Value(f32::NAN)), hierarchy.at(Granularity::Fine));
        assert_eq!(hierarchy.at(Granularity::Value(9.0)), hierarchy.at(Granularity::Value(1.0)));
        assert!(Hierarchy::default().at(Granularity::Fine).is_empty());
    }

    #[test]
    fn names_come_back() {
        for granularity in [Granularity::Coarse, Granularity::Fine, Granularity::Value(0.25), Granularity::Value(1.0)] {
            assert_eq!(granularity.to_string().parse(), Ok(granularity));
        }
        for wrong in ["", "-0.1", "1.1", "nan", "inf", "Coarse"] {
            assert!(wrong.parse::<Granularity>().is_err(), "{wrong}");
        }
    }
}
