//! Presets: the learned method, boilerpipe's methods under the names that its users know, and the single classifiers of the
//! thesis.

use super::bte::Bte;
use super::classify::{canola, density_min, keep_everything, min_words, one_r};
use super::feature_extractor::{FeatureExtractor, Winners};
use super::filter::{
    clauses, cut_after_end, drop_boilerplate, large_same_level, largest, largest_and_same_level, list_at_end, main_content,
    title_to_content, trailing_headline,
};
use super::fuse::{Proximity, equal_density};
use super::l_extractor::LExtractor;
use super::low_density::DensityAbove;
use super::strata::StrataLabeller;
use super::terminators::terminators;
use super::title::TitleMatch;
use super::tree::{ARTICLE_WORDS, DENSITOMETRIC, NUM_WORDS, Tree};
use super::unit::{Trail, Unit};
use super::{Explanation, FeatureOptions, Input, Labeller, Labels, Stage};
use crate::segment::{GetBlockSet, RuleSet};
use std::fmt;
use std::str::FromStr;

/// A method by name.
///
/// ```
/// use webstrata::label::Preset;
/// let preset: Preset = "article".parse()?;
/// assert_eq!(preset, Preset::Article);
/// assert_eq!("keep-everything-with-min-k-words=5".parse(), Ok(Preset::KeepEverythingWithMinKWords(5)));
/// assert!("artikel".parse::<Preset>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// The learned method, for all types of pages; the default.
    #[default]
    Strata,
    /// News articles: boilerpipe's ArticleExtractor.
    Article,
    /// `Article`, restricted to paragraphs with sentences.
    ArticleSentences,
    /// Any page, by density: boilerpipe's DefaultExtractor.
    BoilerpipeDefault,
    /// The largest run of content.
    LargestContent,
    /// Trained on the Canola corpus.
    Canola,
    /// The NumWords tree alone (Algorithm 4.3).
    NumWordsRules,
    /// All text.
    KeepEverything,
    /// All blocks with at least this many words.
    KeepEverythingWithMinKWords(u32),
    /// The densitometric tree alone (Algorithm 4.2).
    DensityRules,
    /// Blocks with at least this many words, not fused (thesis 4.4.3).
    MinWords(u32),
    /// The rule trained on CleanEval: density at least 7, links at most 0.35.
    DensityMin,
    /// 1R on text density.
    OneR,
    /// NumWords and the thesis' main-content filter.
    MainContent,
    /// The densitometric tree and the thesis' largest-content filter.
    DensityLargest,
    /// The densitometric tree and the thesis' main-content filter.
    DensityMain,
    /// FeatureExtractor.
    FeatureExtractor,
    /// K-FeatureExtractor.
    KFeatureExtractor,
    /// L-Extractor, with a plane trained for this project.
    LExtractor,
    /// Segments whose rounded density is above this (thesis 4.3.4).
    DensityAbove(u32),
    /// Body Text Extraction: the stretch with the most words and the fewest tags.
    Bte,
}

/// Default of `keep-everything-with-min-k-words` and `min-words` (thesis 4.4.3).
const DEFAULT_MIN_WORDS: u32 = 10;

/// Default of `density-above` (thesis 4.3.4).
const LOW_DENSITY: u32 = 5;

impl Preset {
    /// All presets; those with a number use its default.
    pub const ALL: [Preset; 21] = [
        Preset::Strata,
        Preset::Article,
        Preset::ArticleSentences,
        Preset::BoilerpipeDefault,
        Preset::LargestContent,
        Preset::Canola,
        Preset::NumWordsRules,
        Preset::KeepEverything,
        Preset::KeepEverythingWithMinKWords(DEFAULT_MIN_WORDS),
        Preset::DensityRules,
        Preset::MinWords(DEFAULT_MIN_WORDS),
        Preset::DensityMin,
        Preset::OneR,
        Preset::MainContent,
        Preset::DensityLargest,
        Preset::DensityMain,
        Preset::FeatureExtractor,
        Preset::KFeatureExtractor,
        Preset::LExtractor,
        Preset::DensityAbove(LOW_DENSITY),
        Preset::Bte,
    ];

    /// The name shown to users.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Strata => "strata",
            Preset::Article => "article",
            Preset::ArticleSentences => "article-sentences",
            Preset::BoilerpipeDefault => "boilerpipe-default",
            Preset::LargestContent => "largest-content",
            Preset::Canola => "canola",
            Preset::NumWordsRules => "num-words-rules",
            Preset::KeepEverything => "keep-everything",
            Preset::KeepEverythingWithMinKWords(_) => "keep-everything-with-min-k-words",
            Preset::DensityRules => "density-rules",
            Preset::MinWords(_) => "min-words",
            Preset::DensityMin => "density-min",
            Preset::OneR => "1r",
            Preset::MainContent => "main-content",
            Preset::DensityLargest => "density-largest-content",
            Preset::DensityMain => "density-main-content",
            Preset::FeatureExtractor => "feature-extractor",
            Preset::KFeatureExtractor => "k-feature-extractor",
            Preset::LExtractor => "l-extractor",
            Preset::DensityAbove(_) => "density-above",
            Preset::Bte => "bte",
        }
    }

    /// The stages, in order.
    #[must_use]
    pub fn pipeline(self) -> Pipeline {
        self.pipeline_with(&FeatureOptions::default())
    }

    /// The stages with parameters, which affect only FeatureExtractor and K-FeatureExtractor.
    #[must_use]
    pub fn pipeline_with(self, features: &FeatureOptions) -> Pipeline {
        let by_features = |winners: Winners| FeatureExtractor { options: *features, winners };
        let article: fn() -> Vec<Box<dyn Stage>> = || {
            vec![
                Box::new(terminators()),
                Box::new(TitleMatch),
                Box::new(&ARTICLE_WORDS),
                Box::new(cut_after_end()),
                Box::new(trailing_headline()),
                Box::new(Proximity::within(1)),
                Box::new(drop_boilerplate()),
                Box::new(Proximity::content_at_same_level(1)),
                Box::new(largest_and_same_level()),
                Box::new(title_to_content()),
                Box::new(large_same_level()),
                Box::new(list_at_end()),
            ]
        };
        // The thesis applies both filters to both of its trees.
        let largest_content: fn(&'static Tree) -> Vec<Box<dyn Stage>> =
            |tree| vec![Box::new(tree), Box::new(Proximity::within(1)), Box::new(largest())];
        let main: fn(&'static Tree) -> Vec<Box<dyn Stage>> = |tree| {
            vec![
                Box::new(terminators()),
                Box::new(TitleMatch),
                Box::new(tree),
                Box::new(main_content()),
                Box::new(Proximity::within(1)),
                Box::new(largest()),
            ]
        };
        let stages: Vec<Box<dyn Stage>> = match self {
            Preset::Strata | Preset::Article => article(),
            Preset::ArticleSentences => {
                let mut stages = article();
                stages.push(Box::new(clauses()));
                stages
            }
            Preset::BoilerpipeDefault => vec![Box::new(equal_density()), Box::new(Proximity::within(1)), Box::new(&DENSITOMETRIC)],
            Preset::LargestContent => largest_content(&NUM_WORDS),
            Preset::Canola => vec![Box::new(canola())],
            Preset::NumWordsRules => vec![Box::new(&NUM_WORDS)],
            Preset::KeepEverything => vec![Box::new(keep_everything())],
            Preset::KeepEverythingWithMinKWords(k) => vec![Box::new(equal_density()), Box::new(min_words(k))],
            Preset::DensityRules => vec![Box::new(&DENSITOMETRIC)],
            Preset::MinWords(k) => vec![Box::new(min_words(k))],
            Preset::DensityMin => vec![Box::new(density_min())],
            Preset::OneR => vec![Box::new(one_r())],
            Preset::MainContent => main(&NUM_WORDS),
            Preset::DensityLargest => largest_content(&DENSITOMETRIC),
            Preset::DensityMain => main(&DENSITOMETRIC),
            Preset::FeatureExtractor => vec![Box::new(by_features(Winners::Best))],
            Preset::KFeatureExtractor => vec![Box::new(by_features(Winners::Cluster))],
            Preset::LExtractor => vec![Box::new(LExtractor { partition: features.partition })],
            Preset::DensityAbove(density) => {
                let is_paper = features.partition == GetBlockSet::paper();
                let rules = if is_paper { RuleSet::paper() } else { RuleSet::html5() };
                vec![Box::new(DensityAbove { density, rules })]
            }
            Preset::Bte => vec![Box::new(Bte)],
        };
        // A test guarantees that the shipped model can be read; if it could not, the rules of `article` are the next best.
        let learned = (self == Preset::Strata).then(|| StrataLabeller::shipped().ok()).flatten();
        Pipeline { name: self.name(), stages, learned }
    }
}

/// The stages of a preset, in order. Make it once and use it for many pages.
///
/// ```
/// use webstrata::label::Preset;
/// assert_eq!(Preset::LargestContent.pipeline().stages().map(|s| s.name).collect::<Vec<_>>(), ["num-words", "proximity", "largest"]);
/// ```
#[derive(Debug)]
pub struct Pipeline {
    name: &'static str,
    pub(super) stages: Vec<Box<dyn Stage>>,
    /// A learned method instead of the stages.
    learned: Option<StrataLabeller<'static>>,
}

impl Pipeline {
    /// The descriptions of its stages.
    pub fn stages(&self) -> impl Iterator<Item = &'static super::StageInfo> + '_ {
        let stages = if self.learned.is_some() { &[] } else { self.stages.as_slice() };
        self.learned.iter().map(|_| StrataLabeller::info()).chain(stages.iter().map(|stage| stage.info()))
    }

    fn run(&self, input: &Input<'_>, trail: &mut Trail) -> Vec<Unit> {
        self.stages.iter().fold(Unit::for_blocks(input.blocks), |units, stage| stage.apply(input, units, trail))
    }
}

impl Labeller for Pipeline {
    fn name(&self) -> &'static str {
        self.name
    }

    fn label(&self, input: &Input<'_>) -> Labels {
        if let Some(strata) = &self.learned {
            return strata.label(input);
        }
        let mut trail = Trail::without_reasons(input.blocks.len());
        let units = self.run(input, &mut trail);
        Labels::new(input.blocks.len(), &units, &trail)
    }

    fn explain(&self, input: &Input<'_>) -> Explanation<'static> {
        if let Some(strata) = &self.learned {
            return strata.explain(input);
        }
        let mut trail = Trail::with_reasons(input.blocks.len());
        let units = self.run(input, &mut trail);
        Explanation::new(Labels::new(input.blocks.len(), &units, &trail), &units, trail)
    }
}

impl Labeller for Preset {
    fn name(&self) -> &'static str {
        Preset::name(*self)
    }

    fn label(&self, input: &Input<'_>) -> Labels {
        self.pipeline().label(input)
    }

    fn explain(&self, input: &Input<'_>) -> Explanation<'static> {
        self.pipeline().explain(input)
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Preset::KeepEverythingWithMinKWords(k) | Preset::MinWords(k) | Preset::DensityAbove(k) => {
                write!(f, "{}={k}", self.name())
            }
            _ => f.write_str(self.name()),
        }
    }
}

/// An unknown preset name.
///
/// ```
/// use webstrata::label::Preset;
/// assert!("x".parse::<Preset>().unwrap_err().to_string().contains("article-sentences"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown preset '{0}'; choose one of: strata article article-sentences boilerpipe-default largest-content canola num-words-rules keep-everything \
     keep-everything-with-min-k-words[=K] density-rules min-words[=K] density-min 1r main-content \
     density-largest-content density-main-content feature-extractor k-feature-extractor l-extractor density-above[=D] bte"
)]
pub struct UnknownPreset(String);

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownPreset(text.to_owned());
        let (name, number) = match text.split_once('=') {
            Some((name, number)) => (name, Some(number.parse::<u32>().map_err(|_| unknown())?)),
            None => (text, None),
        };
        let preset = Preset::ALL.into_iter().find(|p| p.name() == name).ok_or_else(unknown)?;
        match (preset, number) {
            (preset, None) => Ok(preset),
            (Preset::KeepEverythingWithMinKWords(_), Some(k)) => Ok(Preset::KeepEverythingWithMinKWords(k)),
            (Preset::MinWords(_), Some(k)) => Ok(Preset::MinWords(k)),
            (Preset::DensityAbove(_), Some(density)) => Ok(Preset::DensityAbove(density)),
            _ => Err(unknown()),
        }
    }
}
