//! `webstrata rank compare`.

use super::input::{self, note, start_progress};
use crate::args::RankCompareArgs;
use anyhow::{Result, bail};
use std::fmt::Write as _;
use std::io::{self, Write};
use webstrata_corpus::graph::topics::{
    CompareOptions, Judgements, Pairs, RankTable, Relation, Similarity, UNBIASED, compare, draw, pairs,
};
use webstrata_corpus::io::write_atomically;

/// Compares rankings.
pub(super) fn run(args: &RankCompareArgs) -> Result<()> {
    for file in &args.files {
        input::refuse_overwrite(file, &[args.out.as_ref(), args.svg.as_ref()])?;
    }
    let table = RankTable::read(&args.files)?;
    let names: Vec<&str> = table.rankings().iter().map(|ranking| ranking.name.as_str()).collect();
    if names.len() < 2 && args.judgements.is_none() {
        bail!("there is only one ranking; give another file, or one with several columns as `rank topics` writes it");
    }
    let which = args.pairs.map_or_else(|| default_pairs(&names, args.files.len()), Pairs::from);
    let wanted = pairs(&names, which)?;
    let options = CompareOptions { at: args.at.clone(), tau_top: args.tau_top, threads: args.threads.threads.into() };
    let display = start_progress(&args.progress);
    let found = compare(&table, &wanted, &options, &mut |done| {
        display.update(|| format!("{done} of {} pairs", wanted.len()));
        true
    })?;
    drop(display);
    let mut text = if found.is_empty() { String::new() } else { similarity_table(&names, &found, &args.at)? };
    let mut gains = vec![None; names.len()];
    if let Some(judgements) = &args.judgements {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&precision_table(&table, &Judgements::read(judgements, &table)?, &mut gains)?);
    }
    if let Some(svg) = &args.svg {
        write_atomically(svg, draw(&table, &found, &gains)?.as_bytes())?;
    }
    match input::output_file(args.out.as_ref()) {
        Some(out) => write_atomically(out, text.as_bytes())?,
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    for relation in [Relation::Unbiased, Relation::Child, Relation::Sibling] {
        let taus: Vec<f64> = found.iter().filter(|pair| pair.relation == relation).map(|pair| pair.tau).collect();
        if !taus.is_empty() && which == Pairs::Tree {
            let mean = taus.iter().sum::<f64>() / taus.len() as f64;
            note(args.progress.quiet, &format!("{}: {} pairs, mean tau {mean:.3}", relation.name(), taus.len()));
        }
    }
    Ok(())
}

/// The tree, if the names of a single file form one.
fn default_pairs(names: &[&str], files: usize) -> Pairs {
    if files == 1 && names.iter().any(|name| *name == UNBIASED || name.contains('/')) { Pairs::Tree } else { Pairs::All }
}

/// The similarities of rankings as lines.
fn similarity_table(names: &[&str], found: &[Similarity], at: &[usize]) -> Result<String> {
    let mut text = String::from("one\ttwo\trelation\tpages\ttau");
    for k in at {
        write!(text, "\toverlap@{k}")?;
    }
    text.push('\n');
    for pair in found {
        let Similarity { one, two, relation, pages, tau, overlaps } = pair;
        write!(text, "{}\t{}\t{}\t{pages}\t{tau:.6}", names[*one], names[*two], relation.name())?;
        for overlap in overlaps {
            write!(text, "\t{overlap:.4}")?;
        }
        text.push('\n');
    }
    Ok(text)
}

/// The mean average precision of rankings as lines. Sets `gains` to their ratio to the unbiased ranking.
fn precision_table(table: &RankTable, judgements: &Judgements, gains: &mut [Option<f64>]) -> Result<String> {
    let mut text = String::from("ranking\tqueries\tmap\tunbiased_map\n");
    let unbiased = table.rankings().iter().find(|ranking| ranking.name == UNBIASED);
    for (ranking, gain) in table.rankings().iter().zip(gains) {
        let (map, queries) = judgements.precision(table, ranking, &ranking.name);
        if queries == 0 {
            continue;
        }
        write!(text, "{}\t{queries}\t{map:.6}\t", ranking.name)?;
        if let Some(unbiased) = unbiased {
            let (without, _) = judgements.precision(table, unbiased, &ranking.name);
            *gain = (without > 0.0 && ranking.name != UNBIASED).then(|| map / without);
            write!(text, "{without:.6}")?;
        }
        text.push('\n');
    }
    Ok(text)
}
