//! `webstrata-lab eval search`: rankings against judgements.

use super::write;
use crate::Summary;
use crate::args::{EvalSearchArgs, TableFormat};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use webstrata_corpus::progress::error;
use webstrata_lab::gold::judgements::{Problems, Query};
use webstrata_lab::search::gold_queries;
use webstrata_lab::search::judge::{Candidate, Measured, differences, mean, measure, table};
use webstrata_lab::table::{Table, share};
use webstrata_search::{Index, Ranking, SearchOptions, TopicRanks, Weights};

pub(super) fn run(args: &EvalSearchArgs) -> Result<Summary> {
    let index = Index::open(&args.index)?;
    let mut problems = Problems::default();
    let read = |path: &Path| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let queries = match &args.qrels {
        Some(qrels) => Query::from_trec(&read(&args.queries)?, &read(qrels)?, &mut problems),
        None if args.from_gold => gold_queries::queries(&read(&args.queries)?, &mut problems),
        None => Query::from_lines(&read(&args.queries)?, &mut problems),
    };
    for problem in &problems.0 {
        error(&format!("{problem}; skipped"));
    }
    if queries.is_empty() {
        bail!("{} has no queries", args.queries.display());
    }
    let mut candidates = candidates(args);
    let ranks = match &args.rank {
        Some(file) => Some(TopicRanks::read(file)?),
        None => index.topic_ranks()?,
    };
    if let Some(ranks) = ranks {
        let plain = candidates.clone();
        let topics = args.topic.iter().map(String::as_str).chain([""]);
        for topic in topics {
            for weight in &args.rank_weight {
                let mixed = Arc::new(ranks.mix(topic, *weight)?);
                for candidate in &plain {
                    let options = SearchOptions { ranks: Some(Arc::clone(&mixed)), ..candidate.options.clone() };
                    let name = if topic.is_empty() { "rank" } else { topic };
                    candidates.push(Candidate { name: format!("{} × ({name})^{weight}", candidate.name), options });
                }
            }
        }
    }
    let measured = measure(&index, &queries, &candidates)?;
    let Measured { measures, skipped, .. } = &measured;
    let form: fn(&Table) -> String = match args.output.format {
        TableFormat::Table => Table::text,
        TableFormat::Markdown => Table::markdown,
        TableFormat::Csv => Table::csv,
        TableFormat::Json => bail!("choose table, markdown or csv"),
    };
    let asked = queries.len() - *skipped;
    let mut out = format!("{asked} queries on {} pages\n\n{}", index.pages(), form(&table(&candidates, measures)));
    if args.curve {
        out.push('\n');
        out.push_str(&form(&curve(&index, &queries)?));
    }
    if args.losses > 0 {
        for (at, candidate) in candidates.iter().enumerate().filter(|(_, one)| one.options.ranking == Ranking::Segments) {
            let table = differences(&measured, at, args.losses as usize);
            out.push_str(&format!("\n{} against {}\n\n{}", candidate.name, candidates[0].name, form(&table)));
        }
    }
    write(&args.output, &out)?;
    Ok(Summary { done: asked as u64, failed: (problems.0.len() + *skipped) as u64 })
}

fn candidates(args: &EvalSearchArgs) -> Vec<Candidate> {
    let of = |ranking: Ranking, weights: Weights| {
        let name = if ranking == Ranking::Segments { format!("{ranking} ({weights})") } else { ranking.to_string() };
        Candidate { name, options: SearchOptions { ranking, weights, ..SearchOptions::default() } }
    };
    let role = Weights::default();
    let mut all = vec![of(Ranking::Bm25, role), of(Ranking::NoTemplates, role)];
    all.extend([role, Weights::Site].iter().chain(&args.weights).map(|weights| of(Ranking::Segments, *weights)));
    all.extend(
        [Ranking::MinWords(5), Ranking::MinWords(11), Ranking::MinDensity(5), Ranking::MinDensity(11)]
            .map(|ranking| of(ranking, role)),
    );
    all
}

/// Measures minimum words and densities from 1 to 20.
fn curve(index: &Index, queries: &[Query]) -> Result<Table> {
    let mut table = Table::new(&["at least", "words: MRR", "P@10", "MAP", "NDCG@10", "density: MRR", "P@10", "MAP", "NDCG@10"]);
    for least in 1..=20 {
        let of = |ranking: Ranking| Candidate {
            name: ranking.to_string(),
            options: SearchOptions { ranking, ..SearchOptions::default() },
        };
        let measured = measure(index, queries, &[of(Ranking::MinWords(least)), of(Ranking::MinDensity(least))])?;
        let mut row = vec![least.to_string()];
        for own in &measured.measures {
            row.push(share(mean(own, |measures| measures.reciprocal_rank)));
            row.push(share(mean(own, |measures| measures.precision_at_10)));
            row.push(share(mean(own, |measures| measures.average_precision)));
            row.push(share(mean(own, |measures| measures.ndcg_at_10)));
        }
        table.row(row);
    }
    Ok(table)
}
