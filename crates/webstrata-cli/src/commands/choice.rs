//! What is content, page by page: options that were typed, and rules for the page's site.

use crate::args::ExtractArgs;
use crate::config::Typed;
use anyhow::{Context, Result, anyhow};
use std::borrow::Cow;
use std::fs;
use webstrata::content::{Mode, Rules, SiteRules};
use webstrata::{ExtractOptions, Page};

/// Decides what is asked of each page.
pub(crate) struct Choice {
    options: ExtractOptions,
    sites: Option<SiteRules>,
    typed: Typed,
}

impl Choice {
    pub(crate) fn new(args: &ExtractArgs, typed: &Typed) -> Result<Self> {
        let mode = match (args.precision, args.recall) {
            (true, _) => Mode::Precision,
            (_, true) => Mode::Recall,
            _ => Mode::Balanced,
        };
        let rules = Rules { only: args.only_in.clone(), include: args.include.clone(), exclude: args.exclude.clone() };
        let options = ExtractOptions {
            mode,
            comments: !args.no_comments,
            tables: !args.no_tables,
            rules,
            ..ExtractOptions::from(args.preset)
        };
        let sites = args.site_rules.as_ref().map(|path| {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read the rules for sites {}", path.display()))?;
            SiteRules::parse(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
        });
        Ok(Choice { options, sites: sites.transpose()?, typed: typed.clone() })
    }

    /// The options for a page that came from `url`.
    pub(crate) fn for_page(&self, page: &Page<'_>, url: Option<&str>) -> Cow<'_, ExtractOptions> {
        let Some(sites) = &self.sites else { return Cow::Borrowed(&self.options) };
        let own = || page.metadata(&Default::default()).canonical.map(|canonical| canonical.value);
        let url = url.map(str::to_owned).or_else(own).unwrap_or_default();
        let Some(site) = sites.for_host(host(&url)) else { return Cow::Borrowed(&self.options) };
        let mut options = site.apply(self.options.clone());
        // What is typed comes before what a file says.
        if self.typed.has("preset") {
            options.preset = self.options.preset;
        }
        if self.typed.has("precision") || self.typed.has("recall") {
            options.mode = self.options.mode;
        }
        options.comments &= !self.typed.has("no-comments");
        options.tables &= !self.typed.has("no-tables");
        Cow::Owned(options)
    }
}

/// The host of an address.
fn host(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else { return "" };
    let server = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let server = server.rsplit('@').next().unwrap_or_default();
    match server.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_addresses() {
        for (url, want) in [
            ("https://example.org/a?b#c", "example.org"),
            ("http://User:pass@www.Example.org:8080?x", "www.Example.org"),
            ("https://[::1]:80/", "[::1]"),
            ("https://[::1]/", "[::1]"),
            ("https://evil.org\\@example.org/", "evil.org"),
            ("/relative", ""),
            ("", ""),
        ] {
            assert_eq!(host(url), want, "{url}");
        }
    }
}
