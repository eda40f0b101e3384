//! Extraction options per page: those of the command line, and rules for the page's site.

use crate::args::ExtractArgs;
use crate::config::GivenOptions;
use anyhow::{Context, Result, anyhow};
use std::borrow::Cow;
use std::fs;
use webstrata::select::{Mode, Rules, SiteRules};
use webstrata::{ExtractOptions, Page};

/// Extraction options for each page.
pub(crate) struct ExtractConfig {
    options: ExtractOptions,
    sites: Option<SiteRules>,
    given: GivenOptions,
}

impl ExtractConfig {
    pub(crate) fn new(args: &ExtractArgs, given: &GivenOptions) -> Result<Self> {
        let mode = match (args.precision, args.recall) {
            (true, _) => Mode::Precision,
            (_, true) => Mode::Recall,
            _ => Mode::Balanced,
        };
        let rules = Rules::new(args.only_in.clone(), args.include.clone(), args.exclude.clone());
        let options = ExtractOptions::from(args.preset)
            .mode(mode)
            .comments(!args.no_comments)
            .tables(!args.no_tables)
            .title(!args.no_title)
            .keep_roles(args.keep_roles)
            .drop_roles(args.drop_roles)
            .rules(rules);
        let sites = args.site_rules.as_ref().map(|path| {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read the site rules {}", path.display()))?;
            SiteRules::parse(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
        });
        Ok(ExtractConfig { options, sites: sites.transpose()?, given: given.clone() })
    }

    /// The options for a page that came from `url`.
    pub(crate) fn for_page(&self, page: &Page<'_>, url: Option<&str>) -> Cow<'_, ExtractOptions> {
        let Some(sites) = &self.sites else { return Cow::Borrowed(&self.options) };
        let own = || page.metadata().canonical.map(|canonical| canonical.value);
        let url = url.map(str::to_owned).or_else(own).unwrap_or_default();
        let Some(site) = sites.for_url(&url) else { return Cow::Borrowed(&self.options) };
        let mut options = site.apply(self.options.clone());
        // Options on the command line take precedence.
        if self.given.has("preset") {
            options.preset = self.options.preset;
        }
        if self.given.has("precision") || self.given.has("recall") {
            options.mode = self.options.mode;
        }
        options.comments &= !self.given.has("no-comments");
        options.tables &= !self.given.has("no-tables");
        Cow::Owned(options)
    }
}
