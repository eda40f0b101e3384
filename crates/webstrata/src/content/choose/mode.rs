//! Precision or recall: a second method is asked, and its answer narrows or widens the first one's.
//!
//! The second method is `density-min` (thesis 4.4.5: density at least 7, links at most 0.35). Of the seven that were
//! tried beside `article` it gives most either way: on a third of wcxb precision goes from .868 to .885 and recall from .721
//! to .879, on l3s-gn1 from .971 to .976 and from .957 to .988 (macro, by words). `strata` needs no second method: it knows
//! probabilities, and another balance of precision and recall keeps fewer or more of its blocks.

use super::{Choice, Overruling};
use crate::content::ExtractOptions;
use crate::label::strata::{self, Strata};
use crate::label::{Input, Labeller, Labels, Preset};
use std::fmt;
use std::str::FromStr;

const SECOND: Preset = Preset::DensityMin;

/// What matters more: that all that is kept is content, or that all content is kept.
///
/// ```
/// use webstrata::content::Mode;
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
    /// Rather lose content than keep boilerplate.
    Precision,
    /// Rather keep boilerplate than lose content.
    Recall,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::Balanced, Mode::Precision, Mode::Recall];

    /// Its name.
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

/// A mode's name that is not known.
///
/// ```
/// use webstrata::content::Mode;
/// assert_eq!("x".parse::<Mode>().unwrap_err().to_string(), "no mode 'x'; there are: balanced precision recall");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no mode '{0}'; there are: balanced precision recall")]
pub struct UnknownMode(String);

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Mode::ALL.into_iter().find(|mode| mode.name() == text).ok_or_else(|| UnknownMode(text.to_owned()))
    }
}

/// The learned method leaning as the mode asks, where it is the preset: it knows by how much each block is content.
pub(in crate::content) fn leaning(options: &ExtractOptions) -> Option<Strata<'static>> {
    let strata = (options.preset == Preset::Strata).then(|| Strata::shipped().ok()).flatten()?;
    Some(match options.mode {
        Mode::Balanced => strata,
        Mode::Precision => strata.with_beta(strata::PRECISION),
        Mode::Recall => strata.with_beta(strata::RECALL),
    })
}

/// Narrows or widens the verdicts. The block that says the page's title stays what it is: it is short everywhere.
pub(super) fn apply(mode: Mode, input: &Input<'_>, labels: &mut Labels, choice: &mut Choice) {
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
            labels.set(index, content);
            choice.note(index, Overruling::Mode);
        }
    }
}
