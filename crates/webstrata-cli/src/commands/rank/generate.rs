//! `webstrata rank generate`.

use super::input::described;
use super::progress::{progress, say};
use crate::args::RankGenerateArgs;
use anyhow::Result;
use webstrata_corpus::graph::generate::{GenerateOptions, generate};

/// Makes a graph and writes it.
pub(crate) fn run(args: &RankGenerateArgs) -> Result<()> {
    let mut options = if args.large_web { GenerateOptions::large_web() } else { GenerateOptions::default() };
    fn set<T: Copy>(place: &mut T, value: Option<T>) {
        if let Some(value) = value {
            *place = value;
        }
    }
    set(&mut options.pages, args.page_count);
    set(&mut options.hosts, args.hosts);
    set(&mut options.largest_host, args.largest_host);
    set(&mut options.links, args.links);
    set(&mut options.inside, args.inside);
    set(&mut options.exponent, args.exponent);
    set(&mut options.dangling, args.dangling);
    set(&mut options.seed, args.seed);
    let shown = progress(&args.saying);
    let graph = generate(&options, Some(&args.out), &mut |pages| {
        shown.update(|| format!("{pages} of {} pages", options.pages));
        true
    })?;
    drop(shown);
    say(args.saying.quiet, &format!("{}: {}", args.out.display(), described(&graph)));
    Ok(())
}
