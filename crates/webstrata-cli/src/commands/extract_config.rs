//! How content is extracted, from the options of the command line.

use crate::args::ContentArgs;
use crate::config::GivenOptions;
use anyhow::{Context, Result, anyhow};
use std::fs;
use webstrata::ExtractOptions;
use webstrata::select::{Mode, Rules, SiteRules};
use webstrata_corpus::{Extraction, Fixed};

/// How content is extracted. Options on the command line take precedence over rules for sites.
pub(crate) fn extraction(args: &ContentArgs, given: &GivenOptions) -> Result<Extraction> {
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
    let mut extraction = Extraction::new(options);
    if let Some(path) = &args.model {
        extraction = extraction.with_model_file(path)?;
    }
    if let Some(path) = &args.site_rules {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read the site rules {}", path.display()))?;
        let sites = SiteRules::parse(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        let fixed = Fixed {
            preset: given.has("preset"),
            mode: given.has("precision") || given.has("recall"),
            comments: given.has("no-comments"),
            tables: given.has("no-tables"),
        };
        extraction = extraction.with_site_rules(sites).with_fixed(fixed);
    }
    Ok(extraction)
}
