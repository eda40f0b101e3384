//! Methods that need other pages of a site: names and parameters, shared by `extract`, `segment` and `run`.

use clap::{Args, ValueHint};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use webstrata::label::Preset;
use webstrata_corpus::site::content_extractor::ContentExtractorOptions;
use webstrata_corpus::site::method::{MethodOptions, SiteMethod};
use webstrata_corpus::site::shingling::ShinglingOptions;

/// A method that decides what is content: one that needs only the page, or one that needs its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PresetName {
    Page(Preset),
    Site(SiteMethod),
}

impl Default for PresetName {
    fn default() -> Self {
        PresetName::Page(Preset::Strata)
    }
}

impl FromStr for PresetName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if let Ok(method) = name.parse() {
            return Ok(PresetName::Site(method));
        }
        let sites = SiteMethod::ALL.map(SiteMethod::name).join(" ");
        name.parse().map(PresetName::Page).map_err(|error| format!("{error}; and with --site: {sites}"))
    }
}

impl fmt::Display for PresetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PresetName::Page(preset) => preset.fmt(f),
            PresetName::Site(method) => method.fmt(f),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct SiteMethodArgs {
    /// Output folder of `webstrata site`, for the presets and methods that need other pages
    ///
    /// A page belongs to the site of its address (--base-url gives one); without an address, DIR must contain a single site. A page
    /// whose site is not in DIR fails.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Site")]
    pub(crate) site: Option<PathBuf>,
    /// content-extractor: a block is content if its inverse block document frequency, 1 / (other pages with it + 1), is above this
    /// value from 0 to 1
    #[arg(long, value_name = "THETA", default_value_t = ContentExtractorOptions::paper().theta, value_parser = share, help_heading = "Site")]
    pub(crate) ibdf_threshold: f64,
    /// content-extractor: two blocks are the same if their cosine is above this value from 0 to 1
    #[arg(long, value_name = "EPSILON", default_value_t = ContentExtractorOptions::paper().epsilon, value_parser = share, help_heading = "Site")]
    pub(crate) epsilon: f64,
    /// shingling: an element that at least this many pages share is not content
    #[arg(long, value_name = "N", default_value_t = ShinglingOptions::default().share_factor, help_heading = "Site",
        value_parser = clap::value_parser!(u64).range(2..))]
    pub(crate) share_factor: u64,
    /// shingling: minimum resemblance, from 0 to 1, for two elements to be the same
    #[arg(long, value_name = "SHARE", default_value_t = ShinglingOptions::default().min_match, value_parser = share, help_heading = "Site")]
    pub(crate) min_match: f64,
    /// fingerprints: minimum occurrences in the whole corpus for a segment to be a template
    #[arg(long, value_name = "N", default_value_t = webstrata_corpus::site::frequencies::MIN_FREQUENCY, help_heading = "Site",
        value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) template_frequency: u32,
}

impl SiteMethodArgs {
    /// The options of the methods.
    pub(crate) fn options(&self) -> MethodOptions {
        MethodOptions {
            content_extractor: ContentExtractorOptions { epsilon: self.epsilon, theta: self.ibdf_threshold },
            shingling: ShinglingOptions {
                share_factor: self.share_factor,
                min_match: self.min_match,
                ..ShinglingOptions::default()
            },
            template_frequency: self.template_frequency,
            ..MethodOptions::default()
        }
    }
}

/// A share from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (0.0..=1.0).contains(value));
    value.ok_or_else(|| "give a number from 0 to 1".to_owned())
}
