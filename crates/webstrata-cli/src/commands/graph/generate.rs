//! `webstrata graph generate`.

use super::input::{note, start_progress, summary};
use crate::args::GraphGenerateArgs;
use anyhow::Result;
use webstrata_corpus::graph::generate::{GenerateOptions, generate};

/// Generates a graph and writes it.
pub(super) fn run(args: &GraphGenerateArgs) -> Result<()> {
    let mut options = if args.large_web { GenerateOptions::large_web() } else { GenerateOptions::default() };
    fn set<T: Copy>(option: &mut T, value: Option<T>) {
        if let Some(value) = value {
            *option = value;
        }
    }
    set(&mut options.pages, args.num_pages);
    set(&mut options.hosts, args.num_hosts);
    set(&mut options.largest_host, args.largest_host);
    set(&mut options.links, args.num_links);
    set(&mut options.inside, args.inside);
    set(&mut options.exponent, args.exponent);
    set(&mut options.dangling, args.dangling);
    set(&mut options.seed, args.seed);
    let progress = start_progress(&args.progress);
    let graph = generate(&options, Some(&args.out), &mut |pages| {
        progress.update(|| format!("{pages} of {} pages", options.pages));
        true
    })?;
    drop(progress);
    note(args.progress.quiet, &format!("{}: {}", args.out.display(), summary(&graph)));
    Ok(())
}
