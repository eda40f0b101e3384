//! `webstrata search`.

use crate::args::{SearchArgs, SearchFormat};
use crate::summary::Summary;
use anstyle::{AnsiColor, Style};
use anyhow::{Result, bail};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use webstrata_corpus::graph::facets::{FacetOptions, RESULTS};
use webstrata_corpus::progress::error;
use webstrata_search::{Facet, Hit, Index, Membership, Query, Results, SearchOptions, Snippet, TopicRanks, plain};

/// Searches and prints.
pub(crate) fn run(args: &SearchArgs) -> Result<Summary> {
    let query: Query = args.query.join(" ").parse()?;
    let index = Index::open(&args.index)?;
    if !index.is_complete() {
        error("the index is not complete; run `webstrata index` again to resume it");
    }
    let ranks = ranks(args, &index)?;
    let topic = args.topic.as_deref().unwrap_or_default();
    let is_mixed = args.rank.is_some() || args.topic.is_some() || args.rank_weight.is_some();
    let mixed = ranks.as_ref().filter(|_| is_mixed).map(|ranks| ranks.mix(topic, args.rank_weight.unwrap_or(RANK_WEIGHT)));
    let options = SearchOptions {
        ranking: args.ranking,
        weights: args.weights,
        k1: args.k1,
        b: args.b,
        limit: args.limit as usize,
        fold: !args.no_fold,
        explain: args.explain,
        ranks: mixed.transpose()?.map(Arc::new),
        exhaustive: false,
    };
    let results = index.search(&query, &options)?;
    let facets = match &ranks {
        Some(ranks) if args.facets => {
            // More results than are shown: the thesis considers the first 100 for each topic.
            let wide = SearchOptions { limit: 10 * RESULTS, explain: false, ranks: None, ..options.clone() };
            let below = args.topic.as_deref().filter(|topic| ranks.names().contains(topic));
            let hits = index.search(&query, &wide)?.hits;
            Some(ranks.facets_by(&hits, below, Membership::default(), &FacetOptions::default())?)
        }
        _ => None,
    };
    let text = match args.format {
        SearchFormat::Text => text(&results, facets.as_deref()),
        SearchFormat::Json => {
            let object =
                json!({ "format": "webstrata.search/1", "query": query.to_string(), "hits": results.hits, "facets": facets });
            serde_json::to_string_pretty(&object)? + "\n"
        }
        SearchFormat::Jsonl => {
            let mut lines = String::new();
            for hit in &results.hits {
                writeln!(lines, "{}", serde_json::to_string(hit)?)?;
            }
            lines
        }
    };
    anstream::stdout().lock().write_all(text.as_bytes())?;
    let found = u64::from(!results.hits.is_empty());
    if found == 0 {
        error("nothing found");
    }
    Ok(Summary { done: 1, blank: 1 - found, ..Summary::default() })
}

/// Exponent of ranks. It is small: ranks have a long tail, and the query words should decide.
const RANK_WEIGHT: f64 = 0.2;

/// The ranks from the file that was given, otherwise those stored in the index; `None` if the search uses no ranks.
fn ranks(args: &SearchArgs, index: &Index) -> Result<Option<TopicRanks>> {
    if let Some(file) = &args.rank {
        return Ok(Some(TopicRanks::read(file)?));
    }
    if !(args.facets || args.topic.is_some() || args.rank_weight.is_some()) {
        return Ok(None);
    }
    let ranks = index.topic_ranks()?;
    if ranks.is_none() {
        bail!("{} has no ranks; give a file with --rank, or build the index with --ranks", args.index.display());
    }
    Ok(ranks)
}

const TITLE: Style = Style::new().bold();
const ADDRESS: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
const MARKED: Style = Style::new().bold().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));

fn text(results: &Results, facets: Option<&[Facet]>) -> String {
    let mut out = String::new();
    for (number, hit) in results.hits.iter().enumerate() {
        one(&mut out, number + 1, hit);
    }
    if let Some(facets) = facets {
        let _ = writeln!(out, "Topics:");
        for facet in facets.iter().take(10) {
            let _ = writeln!(out, "  {:3.0}%  {}", 100.0 * facet.share, plain(&facet.topic));
        }
    }
    out
}

fn one(out: &mut String, number: usize, hit: &Hit) {
    let address = plain(hit.url.as_deref().unwrap_or(&hit.id));
    let title = hit.title.as_deref().map(plain).filter(|title| !title.is_empty()).unwrap_or_else(|| address.clone());
    let _ = writeln!(out, "{number}. {TITLE}{title}{TITLE:#}");
    let day = hit.date.as_deref().map(|date| date.get(..10).unwrap_or(date).to_owned());
    let facts = [Some(format!("{:.3}", hit.score)), hit.language.clone(), hit.kind.clone(), day].into_iter().flatten();
    let _ = writeln!(out, "   {ADDRESS}{address}{ADDRESS:#}  ({})", plain(&facts.collect::<Vec<_>>().join(", ")));
    if !hit.snippet.text.is_empty() {
        let _ = writeln!(out, "   {}", marked(&hit.snippet));
    }
    if !hit.similar.is_empty() {
        let _ = writeln!(out, "   and {} like it; --no-fold shows them", crate::summary::count(hit.similar.len() as u64, "page"));
    }
    if let Some(explanation) = &hit.explanation {
        for line in explanation.to_string().lines() {
            let _ = writeln!(out, "     {line}");
        }
    }
    out.push('\n');
}

/// The snippet with its hits marked.
fn marked(snippet: &Snippet) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for &[start, end] in &snippet.hits {
        let parts = (snippet.text.get(at..start), snippet.text.get(start..end));
        if let (Some(before), Some(hit)) = parts {
            let _ = write!(out, "{before}{MARKED}{hit}{MARKED:#}");
            at = end;
        }
    }
    out.push_str(snippet.text.get(at..).unwrap_or_default());
    out
}
