//! `webstrata rank facets`.

use super::input::{self, note};
use super::topics;
use crate::args::{DimensionName, RankFacetsArgs};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use webstrata_corpus::graph::facets::{FacetOptions, Facets};
use webstrata_corpus::graph::rank::SolveOptions;
use webstrata_corpus::graph::topics::{RankTable, SEPARATOR, Taxonomy, TopicRanks, UNBIASED};
use webstrata_corpus::graph::{Graph, GraphError};

/// Facets with their names.
struct NamedFacets {
    facets: Facets,
    names: Vec<String>,
    /// Indices of the dimensions, by parent topic.
    dimensions: HashMap<String, u32>,
    dimension: DimensionName,
    /// Whether scores are relative to the ranks without a topic.
    relative: bool,
    /// The ranks without a topic.
    general: Option<Vec<f64>>,
}

impl NamedFacets {
    fn new(args: &RankFacetsArgs) -> NamedFacets {
        let (dimension, relative) = (args.dimension, args.relative);
        NamedFacets { facets: Facets::default(), names: Vec::new(), dimensions: HashMap::new(), dimension, relative, general: None }
    }

    fn push(&mut self, name: &str, ranks: &[f64]) -> Result<(), GraphError> {
        let dimension = self.dimension_of(name);
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

    /// The index of the dimension of a topic. The ranking without a preference has its own.
    fn dimension_of(&mut self, name: &str) -> u32 {
        let key = match (name, self.dimension) {
            (UNBIASED, _) => UNBIASED.to_owned(),
            (_, DimensionName::All) => String::new(),
            (_, DimensionName::Siblings) => name.rsplit_once(SEPARATOR).map_or("", |(above, _)| above).to_owned(),
        };
        let next = self.dimensions.len() as u32;
        *self.dimensions.entry(key).or_insert(next)
    }
}

/// Finds the facets of pages or of a list and writes them.
pub(super) fn run(args: &RankFacetsArgs) -> Result<()> {
    if args.page.is_empty() && args.list.is_none() {
        bail!("give a page with --page, or a list of results with --list");
    }
    let text = match (args.input(), &args.taxonomy, &args.ranks) {
        (Some(input), Some(taxonomy), _) => {
            let graph = input::open(&input, None, &args.progress)?;
            let taxonomy = topics::read_taxonomy(taxonomy, &graph, &(&args.reading).into(), &args.progress)?;
            let mut source = NamedFacets::new(args);
            let chosen = taxonomy.choose(&[], args.reading.depth.into());
            let found = topics::solve(
                &graph,
                taxonomy.preferences(&chosen),
                &SolveOptions::from(&args.solve),
                &args.progress,
                0,
                chosen.len() + 1,
            )?;
            add(&mut source, &found)?;
            answer(args, source, &|name| graph.find(name), &mut |source, new| below(args, &graph, &taxonomy, source, new))?
        }
        (_, _, Some(ranks)) => {
            let table = RankTable::read(&[ranks])?;
            let mut source = NamedFacets::new(args);
            for ranking in table.rankings() {
                source.push(&ranking.name, &ranking.filled(table.num_pages()))?;
            }
            answer(args, source, &|name| table.find(name).map(|page| page as usize), &mut |_, _| Ok(()))?
        }
        _ => bail!("give a graph and its --taxonomy, or --ranks written by `webstrata rank topics`"),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn add(source: &mut NamedFacets, found: &TopicRanks) -> Result<(), GraphError> {
    found.names.iter().zip(&found.ranks).try_for_each(|(name, ranks)| source.push(name, &ranks.values))
}

/// Ranks by the topics below the facets found, unless already done.
fn below(args: &RankFacetsArgs, graph: &Graph, taxonomy: &Taxonomy, source: &mut NamedFacets, new: &[usize]) -> Result<()> {
    let ranked: HashSet<&str> = source.names.iter().map(String::as_str).collect();
    let found = new.iter().filter_map(|&facet| taxonomy.find(&source.names[facet]));
    let children = found.flat_map(|topic| taxonomy.children(Some(topic)).collect::<Vec<_>>());
    let children: Vec<usize> = children.filter(|&child| !ranked.contains(taxonomy.topics()[child].path.as_str())).collect();
    let with_pages = taxonomy.choose(&children, 1);
    if children.is_empty() || with_pages.is_empty() {
        return Ok(());
    }
    let preferences: Vec<_> = taxonomy.preferences(&with_pages).into_iter().skip(1).collect();
    let count = preferences.len();
    let solved = topics::solve(graph, preferences, &SolveOptions::from(&args.solve), &args.progress, 0, count)?;
    Ok(add(source, &solved)?)
}

type Find<'f> = &'f dyn Fn(&str) -> Option<usize>;

/// The facets of the pages or of the list as text.
fn answer(
    args: &RankFacetsArgs,
    mut source: NamedFacets,
    find: Find<'_>,
    below: &mut dyn FnMut(&mut NamedFacets, &[usize]) -> Result<()>,
) -> Result<String> {
    let options = FacetOptions {
        results: args.results,
        membership: args.membership,
        share: args.share,
        max_passes: args.max_passes as usize,
    };
    let Some(list) = &args.list else { return pages(args, &source, find) };
    let results = read_list(list, find, args.progress.quiet)?;
    let mut shares = if args.identify {
        let seed: Vec<usize> = (0..source.facets.len()).collect();
        let mut failure = None;
        // The search borrows the facets and returns them with each call.
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
        note(args.progress.quiet, &format!("{} passes, results ranked by {} facets", found.passes, found.sampled.len()));
        let shown = |facet: &usize| args.all || found.found.contains(facet);
        (0..found.shares.len()).filter(shown).map(|facet| (facet, found.shares[facet])).collect::<Vec<_>>()
    } else {
        let list: Vec<usize> = results.iter().map(|&(page, _)| page).collect();
        let shares = source.facets.shares(&list, &options);
        shares.into_iter().enumerate().filter(|(_, share)| args.all || *share > 0.0).collect()
    };
    shares.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
    let mut text = String::from("facet\tshare\n");
    for (facet, share) in shares {
        writeln!(text, "{}\t{share:.4}", source.names[facet])?;
    }
    Ok(text)
}

/// The facets of pages as text.
fn pages(args: &RankFacetsArgs, source: &NamedFacets, find: Find<'_>) -> Result<String> {
    let mut text = String::from("page\tfacet\tmembership\tscore\n");
    for name in &args.page {
        let page =
            find(name).with_context(|| format!("{name} has no rank; write the page as the graph names it, including https://"))?;
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

/// Reads a list of results. Pages without a rank are skipped and counted; only the first occurrence of a page is used.
fn read_list(path: &Path, find: Find<'_>, quiet: bool) -> Result<Vec<(usize, f64)>> {
    let (mut results, unknown) = input::weighted_pages(path, find)?;
    let mut seen = BTreeSet::new();
    results.retain(|&(page, _)| seen.insert(page));
    if unknown > 0 {
        note(quiet, &format!("{}: {unknown} pages have no rank and are skipped", path.display()));
    }
    Ok(results)
}
