//! `webstrata rank topics`.

use super::input::{self, note, start_progress, summary};
use super::require_convergence;
use crate::args::{ProgressArgs, RankFormatName, RankTopicsArgs};
use anyhow::{Context, Result, bail};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{Iteration, Preference, SolveOptions};
use webstrata_corpus::graph::topics::{
    Mixture, Taxonomy, TaxonomyOptions, TopPages, TopicRanks, UNBIASED, write_table, write_table_lines, write_top, write_top_lines,
};

/// Ranks pages by topics and writes the ranks.
pub(super) fn run(args: &RankTopicsArgs) -> Result<()> {
    let out = args.output.out.as_ref();
    input::refuse_overwrite(&args.input.graph, &[out])?;
    input::refuse_overwrite(&args.taxonomy, &[out])?;
    if input::output_file(out).is_none() && args.output.format == RankFormatName::Parquet {
        bail!("Parquet cannot be written to standard output; name a file with --out");
    }
    let graph = input::open(&args.input, None, &args.progress)?;
    let taxonomy = read_taxonomy(&args.taxonomy, &graph, &(&args.reading).into(), &args.progress)?;
    let roots = find_topics(&taxonomy, &args.topic, &args.taxonomy)?;
    let chosen = taxonomy.choose(&roots, args.reading.depth.into());
    if chosen.is_empty() {
        bail!(
            "{}: no topic has a page of the graph; choose others with --topic, or more levels with --depth",
            args.taxonomy.display()
        );
    }
    let mixtures = mixtures(args, &taxonomy, &chosen)?;
    let options = SolveOptions::from(&args.solve);
    if args.output.top.is_none() || !mixtures.is_empty() {
        let preferences = taxonomy.preferences(&chosen);
        let solved = solve(&graph, preferences, &options, &args.progress, 0, chosen.len() + 1)?;
        let mixed = mixtures.iter().map(|mixture| solved.mix(&graph, mixture)).collect::<Result<Vec<_>, _>>()?;
        let named = solved.names.iter().zip(&solved.ranks).map(|(name, ranks)| (name.as_str(), ranks.values.as_slice()));
        let rankings: Vec<(&str, &[f64])> =
            named.chain(mixtures.iter().zip(&mixed).map(|(mixture, mixed)| (mixture.name.as_str(), mixed.as_slice()))).collect();
        match args.output.top {
            Some(count) => {
                write_tops(args, &graph, &rankings.iter().map(|(name, values)| best(name, values, count)).collect::<Vec<_>>())?;
            }
            None => write_all(args, &graph, &rankings)?,
        }
    } else if let Some(count) = args.output.top {
        // However many topics there are, only one batch of vectors is in memory.
        let (mut tops, mut rest) = (Vec::new(), taxonomy.preferences(&chosen));
        while !rest.is_empty() {
            let after = rest.split_off(options.batch_size.clamp(1, rest.len()));
            let solved = solve(&graph, rest, &options, &args.progress, tops.len(), chosen.len() + 1)?;
            let named = solved.names.into_iter().zip(&solved.ranks);
            tops.extend(named.map(|(topic, ranks)| TopPages { topic, pages: ranks.top(count) }));
            rest = after;
        }
        write_tops(args, &graph, &tops)?;
    }
    note(args.progress.quiet, &format!("{}: ranked by {} topics and {} mixtures", summary(&graph), chosen.len(), mixtures.len()));
    Ok(())
}

/// Reads the taxonomy, and reports pages that are not in the graph.
pub(super) fn read_taxonomy(path: &Path, graph: &Graph, options: &TaxonomyOptions, progress: &ProgressArgs) -> Result<Taxonomy> {
    let taxonomy = Taxonomy::read(path, graph, options)?;
    let unknown = taxonomy.unknown();
    if unknown.lines > 0 {
        let text = format!(
            "{}: {} lines have a page that is not in the graph, such as {}; they are skipped",
            path.display(),
            unknown.lines,
            unknown.examples.join(", ")
        );
        note(progress.quiet, &text);
    }
    Ok(taxonomy)
}

/// Finds topics by name.
fn find_topics(taxonomy: &Taxonomy, names: &[String], path: &Path) -> Result<Vec<usize>> {
    let find = |name: &String| {
        let tops: Vec<&str> = taxonomy.children(None).take(8).map(|topic| taxonomy.topics()[topic].path.as_str()).collect();
        taxonomy
            .find(name)
            .with_context(|| format!("no topic {name:?} in {}; top-level topics are {} …", path.display(), tops.join(", ")))
    };
    names.iter().map(find).collect()
}

/// The mixtures, with the full names of their topics, which must be among the chosen ones.
fn mixtures(args: &RankTopicsArgs, taxonomy: &Taxonomy, chosen: &[usize]) -> Result<Vec<Mixture>> {
    let mut mixtures = args.combine.clone();
    for at in 0..mixtures.len() {
        let name = mixtures[at].name.clone();
        if taxonomy.find(&name).is_some() || mixtures[..at].iter().any(|other| other.name == name) {
            bail!("--combine: {name:?} is the name of another ranking; name the mixture, as in NAME: A=0.7,B=0.3");
        }
        for (topic, _) in &mut mixtures[at].parts {
            if topic == UNBIASED {
                continue;
            }
            let Some(found) = taxonomy.find(topic).filter(|found| chosen.contains(found)) else {
                bail!("--combine: {topic:?} is not among the ranked topics; choose it with --topic, or more levels with --depth");
            };
            topic.clone_from(&taxonomy.topics()[found].path);
        }
    }
    Ok(mixtures)
}

/// Solves for a batch of preference vectors, all of which must converge. So far, `done` of `all` vectors have been solved.
pub(super) fn solve(
    graph: &Graph,
    preferences: Vec<(String, Preference)>,
    options: &SolveOptions,
    progress: &ProgressArgs,
    done: usize,
    all: usize,
) -> Result<TopicRanks> {
    let display = start_progress(progress);
    let mut progress = |iteration: Iteration| {
        display.update(|| {
            let Iteration { number, residual, done: more } = iteration;
            format!("{} of {all} topics, iteration {number}, residual {residual:.1e}", done + more)
        });
        true
    };
    let solved = TopicRanks::solve(graph, preferences, options, &mut progress)?;
    solved.ranks.iter().try_for_each(require_convergence)?;
    Ok(solved)
}

fn best(name: &str, values: &[f64], count: usize) -> TopPages {
    let mut pages: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
    pages.sort_by(|one, two| two.1.total_cmp(&one.1));
    pages.truncate(count);
    TopPages { topic: name.to_owned(), pages }
}

fn write_all(args: &RankTopicsArgs, graph: &Graph, rankings: &[(&str, &[f64])]) -> Result<()> {
    if let Some(out) = input::output_file(args.output.out.as_ref()) {
        return Ok(write_table(out, graph, rankings, args.output.format.into())?);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    write_table_lines(&mut out, graph, rankings)?;
    Ok(out.flush()?)
}

fn write_tops(args: &RankTopicsArgs, graph: &Graph, tops: &[TopPages]) -> Result<()> {
    if let Some(out) = input::output_file(args.output.out.as_ref()) {
        return Ok(write_top(out, graph, tops, args.output.format.into())?);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    write_top_lines(&mut out, graph, tops)?;
    Ok(out.flush()?)
}
