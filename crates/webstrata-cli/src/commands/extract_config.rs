//! How content is extracted, from the options of the command line.

use crate::args::{ContentArgs, PresetName};
use crate::config::GivenOptions;
use anyhow::{Context, Result, anyhow, bail};
use std::fs;
use webstrata::ExtractOptions;
use webstrata::label::Preset;
use webstrata::select::{Mode, Rules, SiteRules};
use webstrata_corpus::site::method::{SiteFolder, SiteMethod};
use webstrata_corpus::{Extraction, Fixed};

/// Refuses options of site methods that would have no effect. `som` is whether segments need a site as well.
pub(crate) fn check_site_options(args: &ContentArgs, given: &GivenOptions, som: bool) -> Result<()> {
    let method = if let PresetName::Site(method) = args.preset { Some(method) } else { None };
    if given.has("site") && method.is_none() && !som {
        bail!("--site requires --preset with one of: {}", SiteMethod::ALL.map(SiteMethod::name).join(", "));
    }
    let extractor = matches!(method, Some(SiteMethod::ContentExtractor | SiteMethod::ContentExtractorPlaces));
    for (option, used, preset) in [
        ("ibdf-threshold", extractor, "content-extractor or content-extractor-places"),
        ("epsilon", extractor, "content-extractor or content-extractor-places"),
        ("share-factor", method == Some(SiteMethod::Shingling), "shingling"),
        ("min-match", method == Some(SiteMethod::Shingling), "shingling"),
        ("template-frequency", method == Some(SiteMethod::Fingerprints), "fingerprints"),
    ] {
        if given.has(option) && !used {
            bail!("--{option} requires --preset {preset}");
        }
    }
    Ok(())
}

/// How content is extracted. Options on the command line take precedence over site rules.
pub(crate) fn extraction(args: &ContentArgs, given: &GivenOptions) -> Result<Extraction> {
    let mode = match (args.precision, args.recall) {
        (true, _) => Mode::Precision,
        (_, true) => Mode::Recall,
        _ => Mode::Balanced,
    };
    let rules = Rules::new(args.only_in.clone(), args.include.clone(), args.exclude.clone());
    // A method that needs other pages overrides the preset.
    let preset = if let PresetName::Page(preset) = args.preset { preset } else { Preset::KeepEverything };
    let options = ExtractOptions::from(preset)
        .features(args.method.features())
        .mode(mode)
        .comments(!args.no_comments)
        .tables(!args.no_tables)
        .title(!args.no_title)
        .keep_roles(args.keep_roles)
        .drop_roles(args.drop_roles)
        .rules(rules);
    let of_site = matches!(args.preset, PresetName::Site(_));
    let options = if args.method.verdicts_only || of_site { options.refine(false).duplicates(true) } else { options };
    let mut extraction = Extraction::new(options);
    if let PresetName::Site(method) = args.preset {
        let Some(folder) = &args.site.site else {
            bail!("--preset {method} needs other pages: run `webstrata site` on them and pass its folder with --site DIR");
        };
        extraction = extraction.with_site_method(method, SiteFolder::open(folder, args.site.options())?);
    }
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
