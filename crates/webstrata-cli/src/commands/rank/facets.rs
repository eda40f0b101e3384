//! `webstrata rank facets`.

use super::progress::say;
use super::{input, topics};
use crate::args::{DimensionName, RankFacetsArgs};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::path::Path;
use webstrata_corpus::graph::facets::{FacetOptions, Facets};
use webstrata_corpus::graph::rank::SolveOptions;
use webstrata_corpus::graph::topics::{RankTable, SEPARATOR, Taxonomy, TopicRanks, UNBIASED};
use webstrata_corpus::graph::{Graph, GraphError};

/// Most bytes of a list of results.
const MAX_LIST_LEN: u64 = 1 << 30;

/// Facets and where they come from.
struct Source {
    facets: Facets,
    /// What they are called.
    names: Vec<String>,
    /// The numbers of the dimensions, by the topic above.
    dimensions: HashMap<String, u32>,
    by: DimensionName,
    /// Are scores relative to ranks without a topic?
    relative: bool,
    /// Ranks without a topic.
    general: Option<Vec<f64>>,
}

impl Source {
    fn new(args: &RankFacetsArgs) -> Source {
        let (by, relative) = (args.dimension, args.relative);
        Source { facets: Facets::default(), names: Vec::new(), dimensions: HashMap::new(), by, relative, general: None }
    }

    fn push(&mut self, name: &str, ranks: &[f64]) -> Result<(), GraphError> {
        let dimension = self.dimension(name);
        if name == UNBIASED {
            self.general = Some(ranks.to_vec());
        }
        match &self.general {
            Some(general) if self.relative && name != UNBIASED => self.facets.push_relative(dimension, ranks, general)?,
            None if self.relative => {
                return Err(GraphError::Option("--relative needs a first column *, as `rank topics` writes it".into()));
            }
            _ => self.facets.push(dimension, ranks)?,
        };
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Topics are alternatives of each other, or only those below the same; what prefers none is no alternative to any.
    fn dimension(&mut self, name: &str) -> u32 {
        let key = match (name, self.by) {
            (UNBIASED, _) => UNBIASED.to_owned(),
            (_, DimensionName::All) => String::new(),
            (_, DimensionName::Siblings) => name.rsplit_once(SEPARATOR).map_or("", |(above, _)| above).to_owned(),
        };
        let next = self.dimensions.len() as u32;
        *self.dimensions.entry(key).or_insert(next)
    }
}

/// Finds the facets of pages or of a list, and writes them.
pub(crate) fn run(args: &RankFacetsArgs) -> Result<()> {
    if args.page.is_empty() && args.list.is_none() {
        bail!("name a page with --page, or a list of results with --list");
    }
    let text = match (args.input(), &args.taxonomy, &args.ranks) {
        (Some(input), Some(taxonomy), _) => {
            let graph = input::open(&input, None, &args.saying)?;
            let taxonomy = topics::read(taxonomy, &graph, &(&args.reading).into(), &args.saying)?;
            let mut source = Source::new(args);
            let chosen = taxonomy.choose(&[], args.depth.into());
            let found = topics::solve(
                &graph,
                taxonomy.preferences(&chosen),
                &SolveOptions::from(&args.solving),
                &args.saying,
                0,
                chosen.len() + 1,
            )?;
            add(&mut source, &found)?;
            answer(args, source, &|name| graph.find(name), &mut |source, new| below(args, &graph, &taxonomy, source, new))?
        }
        (_, _, Some(ranks)) => {
            let table = RankTable::read(&[ranks])?;
            let mut source = Source::new(args);
            for ranking in table.rankings() {
                source.push(&ranking.name, &ranking.filled(table.num_pages()))?;
            }
            answer(args, source, &|name| table.find(name).map(|page| page as usize), &mut |_, _| Ok(()))?
        }
        _ => bail!("give a graph and its --taxonomy, or --ranks that `webstrata rank topics` has written"),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn add(source: &mut Source, found: &TopicRanks) -> Result<(), GraphError> {
    found.names.iter().zip(&found.ranks).try_for_each(|(name, ranks)| source.push(name, &ranks.values))
}

/// Ranks by the topics below facets that were found, unless they are there.
fn below(args: &RankFacetsArgs, graph: &Graph, taxonomy: &Taxonomy, source: &mut Source, new: &[usize]) -> Result<()> {
    let known: HashSet<&str> = source.names.iter().map(String::as_str).collect();
    let found = new.iter().filter_map(|&facet| taxonomy.find(&source.names[facet]));
    let children = found.flat_map(|topic| taxonomy.children(Some(topic)).collect::<Vec<_>>());
    let children: Vec<usize> = children.filter(|&child| !known.contains(taxonomy.topics()[child].path.as_str())).collect();
    let with_pages = taxonomy.choose(&children, 1);
    if children.is_empty() || with_pages.is_empty() {
        return Ok(());
    }
    let preferences: Vec<_> = taxonomy.preferences(&with_pages).into_iter().skip(1).collect();
    let count = preferences.len();
    let ranked = topics::solve(graph, preferences, &SolveOptions::from(&args.solving), &args.saying, 0, count)?;
    Ok(add(source, &ranked)?)
}

type Find<'f> = &'f dyn Fn(&str) -> Option<usize>;

/// What is said of the pages or of the list.
fn answer(
    args: &RankFacetsArgs,
    mut source: Source,
    find: Find<'_>,
    below: &mut dyn FnMut(&mut Source, &[usize]) -> Result<()>,
) -> Result<String> {
    let options = FacetOptions {
        results: args.results,
        membership: args.membership,
        share: args.share,
        iterations: args.iterations as usize,
    };
    let Some(list) = &args.list else { return pages(args, &source, find) };
    let results = read_list(list, find, args.saying.quiet)?;
    let mut shares = if args.identify {
        let seed: Vec<usize> = (0..source.facets.len()).collect();
        let mut failure = None;
        // The facets are lent to the search, which gives them back with each question.
        let mut facets = std::mem::take(&mut source.facets);
        let found = facets.identify(&results, &seed, &options, &mut |facets, new| {
            std::mem::swap(facets, &mut source.facets);
            let done = below(&mut source, new);
            std::mem::swap(facets, &mut source.facets);
            done.map_err(|error| {
                failure = Some(error);
                GraphError::Stopped
            })
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let found = found?;
        say(args.saying.quiet, &format!("{} iterations, results ranked by {} facets", found.iterations, found.sampled.len()));
        let asked = |facet: &usize| args.all || found.found.contains(facet);
        (0..found.shares.len()).filter(asked).map(|facet| (facet, found.shares[facet])).collect::<Vec<_>>()
    } else {
        let list: Vec<usize> = results.iter().map(|&(page, _)| page).collect();
        let shares = source.facets.of_list(&list, &options);
        shares.into_iter().enumerate().filter(|(_, share)| args.all || *share > 0.0).collect()
    };
    shares.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
    let mut text = String::from("facet\tshare\n");
    for (facet, share) in shares {
        writeln!(text, "{}\t{share:.4}", source.names[facet])?;
    }
    Ok(text)
}

/// The facets of pages.
fn pages(args: &RankFacetsArgs, source: &Source, find: Find<'_>) -> Result<String> {
    let mut text = String::from("page\tfacet\tmembership\tscore\n");
    for name in &args.page {
        let page =
            find(name).with_context(|| format!("{name} has no rank; write the page as the graph has it, with https:// and all"))?;
        let mut facets: Vec<(usize, f64)> = source.facets.memberships(page).into_iter().enumerate().collect();
        facets.retain(|(_, membership)| args.all || *membership > 0.0);
        let score = |facet: usize| source.facets.score(facet, page);
        facets.sort_by(|one, two| two.1.total_cmp(&one.1).then(score(two.0).total_cmp(&score(one.0))).then(one.0.cmp(&two.0)));
        for (facet, membership) in facets {
            writeln!(text, "{name}\t{}\t{membership:.4}\t{:.4}", source.names[facet], score(facet))?;
        }
    }
    Ok(text)
}

/// Reads a list of results. Pages that have no rank are counted and left out; of a page that is there twice the first counts.
fn read_list(path: &Path, find: Find<'_>, quiet: bool) -> Result<Vec<(usize, f64)>> {
    let mut text = String::new();
    let shown = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MAX_LIST_LEN).read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MAX_LIST_LEN).read_to_string(&mut text))
    };
    read.with_context(|| format!("cannot read {shown}"))?;
    let (mut results, mut seen, mut unknown) = (Vec::new(), BTreeMap::new(), 0);
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let (name, weight) = line.split_once('\t').unwrap_or((line.trim(), "1"));
        let weight = weight.trim().parse::<f64>().ok().filter(|weight| *weight >= 0.0 && weight.is_finite());
        let weight = weight.with_context(|| format!("{shown}, line {}: a weight is a number of 0 and more", at + 1))?;
        match find(name) {
            Some(page) if seen.insert(page, ()).is_none() => results.push((page, weight)),
            Some(_) => {}
            None => unknown += 1,
        }
    }
    if results.is_empty() {
        bail!("{shown}: none of {unknown} pages has a rank; write pages as the graph has them");
    }
    if unknown > 0 {
        say(quiet, &format!("{shown}: {unknown} pages have no rank and are left out"));
    }
    Ok(results)
}
