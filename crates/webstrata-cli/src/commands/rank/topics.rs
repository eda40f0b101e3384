//! `webstrata rank topics`.

use super::input::{self, described};
use super::progress::{progress, say};
use crate::args::{RankFormatName, RankTopicsArgs, Saying};
use anyhow::{Context, Result, bail};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{Iteration, Preference, SolveOptions};
use webstrata_corpus::graph::topics::{
    Mixture, Taxonomy, TaxonomyOptions, TopPages, TopicRanks, UNBIASED, write_table, write_table_lines, write_top, write_top_lines,
};

/// Ranks pages by topics and writes the ranks.
pub(crate) fn run(args: &RankTopicsArgs) -> Result<()> {
    input::refuse_same(&args.input.graph, &[args.out.as_ref()])?;
    input::refuse_same(&args.taxonomy, &[args.out.as_ref()])?;
    if input::file(args.out.as_ref()).is_none() && args.format == RankFormatName::Parquet {
        bail!("Parquet is not written to standard output; name a file with --out");
    }
    let graph = input::open(&args.input, None, &args.saying)?;
    let taxonomy = read(&args.taxonomy, &graph, &(&args.reading).into(), &args.saying)?;
    let from = named(&taxonomy, &args.topic, &args.taxonomy)?;
    let chosen = taxonomy.choose(&from, args.depth.into());
    if chosen.is_empty() {
        bail!(
            "{}: none of the topics has a page of the graph; choose others with --topic, or more levels with --depth",
            args.taxonomy.display()
        );
    }
    let mixtures = mixtures(args, &taxonomy, &chosen)?;
    let options = SolveOptions::from(&args.solving);
    if args.top.is_none() || !mixtures.is_empty() {
        let preferences = taxonomy.preferences(&chosen);
        let found = solve(&graph, preferences, &options, &args.saying, 0, chosen.len() + 1)?;
        let mixed = mixtures.iter().map(|mixture| found.mix(&graph, mixture)).collect::<Result<Vec<_>, _>>()?;
        let named = found.names.iter().zip(&found.ranks).map(|(name, ranks)| (name.as_str(), ranks.values.as_slice()));
        let rankings: Vec<(&str, &[f64])> =
            named.chain(mixtures.iter().zip(&mixed).map(|(mixture, mixed)| (mixture.name.as_str(), mixed.as_slice()))).collect();
        match args.top {
            Some(count) => {
                write_best(args, &graph, &rankings.iter().map(|(name, values)| best(name, values, count)).collect::<Vec<_>>())?;
            }
            None => write_all(args, &graph, &rankings)?,
        }
    } else if let Some(count) = args.top {
        // Of any number of topics no more vectors are held than go over the links together.
        let (mut tops, mut rest) = (Vec::new(), taxonomy.preferences(&chosen));
        while !rest.is_empty() {
            let behind = rest.split_off(options.batch_size.clamp(1, rest.len()));
            let found = solve(&graph, rest, &options, &args.saying, tops.len(), chosen.len() + 1)?;
            let named = found.names.into_iter().zip(&found.ranks);
            tops.extend(named.map(|(topic, ranks)| TopPages { topic, pages: ranks.top(count) }));
            rest = behind;
        }
        write_best(args, &graph, &tops)?;
    }
    say(
        args.saying.quiet,
        &format!("{}: ranked by {} topics and {} mixtures of them", described(&graph), chosen.len(), mixtures.len()),
    );
    Ok(())
}

/// Reads the taxonomy, and says what the graph does not have of it.
pub(super) fn read(path: &Path, graph: &Graph, options: &TaxonomyOptions, saying: &Saying) -> Result<Taxonomy> {
    let taxonomy = Taxonomy::read(path, graph, options)?;
    let unknown = taxonomy.unknown();
    if unknown.lines > 0 {
        let text = format!(
            "{}: {} lines have a page that is not in the graph, such as {}; they are left out",
            path.display(),
            unknown.lines,
            unknown.examples.join(", ")
        );
        say(saying.quiet, &text);
    }
    Ok(taxonomy)
}

/// The topics that were named.
fn named(taxonomy: &Taxonomy, names: &[String], path: &Path) -> Result<Vec<usize>> {
    let find = |name: &String| {
        let tops: Vec<&str> = taxonomy.children(None).take(8).map(|topic| taxonomy.topics()[topic].path.as_str()).collect();
        taxonomy
            .find(name)
            .with_context(|| format!("there is no topic {name:?} in {}; topics on top are {} …", path.display(), tops.join(", ")))
    };
    names.iter().map(find).collect()
}

/// The mixtures, with topics called as the taxonomy calls them. What they need must be among the chosen topics.
fn mixtures(args: &RankTopicsArgs, taxonomy: &Taxonomy, chosen: &[usize]) -> Result<Vec<Mixture>> {
    let mut mixtures = args.combine.clone();
    for at in 0..mixtures.len() {
        let name = mixtures[at].name.clone();
        if taxonomy.find(&name).is_some() || mixtures[..at].iter().any(|other| other.name == name) {
            bail!("--combine: {name:?} is the name of another ranking; give the mixture a name, NAME: A=0.7,B=0.3");
        }
        for (topic, _) in &mut mixtures[at].parts {
            if topic == UNBIASED {
                continue;
            }
            let Some(found) = taxonomy.find(topic).filter(|found| chosen.contains(found)) else {
                bail!(
                    "--combine: {topic:?} is not among the topics that are ranked; choose it with --topic, or more levels with --depth"
                );
            };
            topic.clone_from(&taxonomy.topics()[found].path);
        }
    }
    Ok(mixtures)
}

/// Solves for jump vectors, telling how far it has come; all of them must come to the residual.
pub(super) fn solve(
    graph: &Graph,
    preferences: Vec<(String, Preference)>,
    options: &SolveOptions,
    saying: &Saying,
    done: usize,
    all: usize,
) -> Result<TopicRanks> {
    let shown = progress(saying);
    let mut watch = |iteration: Iteration| {
        shown.update(|| {
            format!(
                "{} of {all} topics, iteration {}, residual {:.1e}",
                done + iteration.done,
                iteration.iterations,
                iteration.residual
            )
        });
        true
    };
    let found = TopicRanks::solve(graph, preferences, options, &mut watch)?;
    if let Some(ranks) = found.ranks.iter().find(|ranks| !ranks.converged) {
        let residual = ranks.residuals.iter().copied().next_back().unwrap_or(f64::INFINITY);
        let iterations = ranks.residuals.len();
        bail!(
            "after {iterations} iterations the residual is {residual:.1e}; give more of them with --max-iterations, or a larger --tolerance"
        );
    }
    Ok(found)
}

fn best(name: &str, values: &[f64], count: usize) -> TopPages {
    let mut pages: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
    pages.sort_by(|one, two| two.1.total_cmp(&one.1));
    pages.truncate(count);
    TopPages { topic: name.to_owned(), pages }
}

fn write_all(args: &RankTopicsArgs, graph: &Graph, rankings: &[(&str, &[f64])]) -> Result<()> {
    if let Some(out) = input::file(args.out.as_ref()) {
        return Ok(write_table(out, graph, rankings, args.format.into())?);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    write_table_lines(&mut out, graph, rankings)?;
    Ok(out.flush()?)
}

fn write_best(args: &RankTopicsArgs, graph: &Graph, tops: &[TopPages]) -> Result<()> {
    if let Some(out) = input::file(args.out.as_ref()) {
        return Ok(write_top(out, graph, tops, args.format.into())?);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    write_top_lines(&mut out, graph, tops)?;
    Ok(out.flush()?)
}
