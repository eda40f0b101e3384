//! Precision or recall: the verdicts of a second method narrow or widen those of the first.
//!
//! The second method is `density-min` (thesis 4.4.5: density at least 7, links at most 0.35). Of the seven methods
//! tried with `article`, it gains the most in both directions: on a third of wcxb precision goes from .868 to .885 and recall from .721
//! to .879, on l3s-gn1 from .971 to .976 and from .957 to .988 (macro, by words). `strata` needs no second method: it
//! predicts probabilities, and a different balance of precision and recall keeps fewer or more blocks.

use super::{Change, ExtractOptions, Selection};
use crate::label::strata::{self, StrataLabeller};
use crate::label::{Input, Labeller, Labels, Preset};
use std::fmt;
use std::str::FromStr;

const SECOND: Preset = Preset::DensityMin;

/// Whether precision or recall matters more.
///
/// ```
/// use webstrata::select::Mode;
/// assert_eq!("recall".parse(), Ok(Mode::Recall));
/// assert_eq!(Mode::default().to_string(), "balanced");
/// assert!("both".parse::<Mode>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// The method's own verdicts.
    #[default]
    Balanced,
    /// Would rather lose content than keep boilerplate.
    Precision,
    /// Would rather keep boilerplate than lose content.
    Recall,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::Balanced, Mode::Precision, Mode::Recall];

    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Balanced => "balanced",
            Mode::Precision => "precision",
            Mode::Recall => "recall",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown mode name.
///
/// ```
/// use webstrata::select::Mode;
/// assert_eq!("x".parse::<Mode>().unwrap_err().to_string(), "unknown mode 'x'; use balanced, precision or recall");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown mode '{0}'; use balanced, precision or recall")]
pub struct UnknownMode(String);

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Mode::ALL.into_iter().find(|mode| mode.name() == text).ok_or_else(|| UnknownMode(text.to_owned()))
    }
}

/// The learned method with the balance of the mode, if it is the preset.
pub(crate) fn strata_for(options: &ExtractOptions) -> Option<StrataLabeller<'static>> {
    let strata = (options.preset == Preset::Strata).then(|| StrataLabeller::shipped().ok()).flatten()?;
    Some(match options.mode {
        Mode::Balanced => strata,
        Mode::Precision => strata.beta(strata::PRECISION_BETA),
        Mode::Recall => strata.beta(strata::RECALL_BETA),
    })
}

/// Narrows or widens the selection. The block with the page's title is never dropped: titles are short.
pub(super) fn apply(mode: Mode, input: &Input<'_>, labels: &Labels, selection: &mut Selection) {
    if mode == Mode::Balanced {
        return;
    }
    let second = SECOND.label(input);
    for index in 0..labels.len() {
        let verdict = labels.verdict(index);
        let content = match mode {
            Mode::Recall => verdict.content || second.verdict(index).content,
            _ => verdict.content && (second.verdict(index).content || verdict.title),
        };
        if content != verdict.content {
            selection.set(index, content, Some(Change::Mode));
        }
    }
}
