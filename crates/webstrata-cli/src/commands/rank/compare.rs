//! `webstrata rank compare`.

use super::input;
use super::progress::{progress, say};
use crate::args::RankCompareArgs;
use anyhow::{Result, bail};
use std::fmt::Write as _;
use std::io::{self, Write};
use webstrata_corpus::graph::topics::{
    CompareOptions, Judgements, Likeness, Pairs, RankTable, Relation, UNBIASED, compare, draw, pairs,
};
use webstrata_corpus::io::write_atomically;

/// Compares rankings.
pub(crate) fn run(args: &RankCompareArgs) -> Result<()> {
    for file in &args.files {
        input::refuse_same(file, &[args.out.as_ref(), args.svg.as_ref()])?;
    }
    let table = RankTable::read(&args.files)?;
    let names: Vec<&str> = table.rankings().iter().map(|ranking| ranking.name.as_str()).collect();
    if names.len() < 2 && args.judgements.is_none() {
        bail!("there is one ranking only; give another file, or one with several columns as `rank topics` writes it");
    }
    let which = args.pairs.map_or_else(|| chosen(&names, args.files.len()), Pairs::from);
    let wanted = pairs(&names, which)?;
    let options = CompareOptions { at: args.at.clone(), tau_top: args.tau_top, threads: args.threads.into() };
    let shown = progress(&args.saying);
    let found = compare(&table, &wanted, &options, &mut |done| {
        shown.update(|| format!("{done} of {} pairs", wanted.len()));
        true
    })?;
    drop(shown);
    let mut text = if found.is_empty() { String::new() } else { likeness(&names, &found, &args.at)? };
    let mut precisions = vec![None; names.len()];
    if let Some(judgements) = &args.judgements {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&precision(&table, &Judgements::read(judgements, &table)?, &mut precisions)?);
    }
    if let Some(svg) = &args.svg {
        write_atomically(svg, draw(&table, &found, &precisions)?.as_bytes())?;
    }
    match input::file(args.out.as_ref()) {
        Some(out) => write_atomically(out, text.as_bytes())?,
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    for relation in [Relation::Unbiased, Relation::Child, Relation::Sibling] {
        let taus: Vec<f64> = found.iter().filter(|pair| pair.relation == relation).map(|pair| pair.tau).collect();
        if !taus.is_empty() && which == Pairs::Tree {
            let mean = taus.iter().sum::<f64>() / taus.len() as f64;
            say(args.saying.quiet, &format!("{}: {} pairs, mean tau {mean:.3}", relation.name(), taus.len()));
        }
    }
    Ok(())
}

/// The tree, if the names of one file make one.
fn chosen(names: &[&str], files: usize) -> Pairs {
    if files == 1 && names.iter().any(|name| *name == UNBIASED || name.contains('/')) { Pairs::Tree } else { Pairs::All }
}

/// How alike rankings are, as lines.
fn likeness(names: &[&str], found: &[Likeness], at: &[usize]) -> Result<String> {
    let mut text = String::from("one\ttwo\trelation\tpages\ttau");
    for k in at {
        write!(text, "\toverlap@{k}")?;
    }
    text.push('\n');
    for pair in found {
        let Likeness { one, two, relation, pages, tau, overlaps } = pair;
        write!(text, "{}\t{}\t{}\t{pages}\t{tau:.6}", names[*one], names[*two], relation.name())?;
        for overlap in overlaps {
            write!(text, "\t{overlap:.4}")?;
        }
        text.push('\n');
    }
    Ok(text)
}

/// The precision of rankings, as lines; and how many times that of the unbiased one it is.
fn precision(table: &RankTable, judgements: &Judgements, times: &mut [Option<f64>]) -> Result<String> {
    let mut text = String::from("ranking\tqueries\tmap\tunbiased_map\n");
    let unbiased = table.rankings().iter().find(|ranking| ranking.name == UNBIASED);
    for (ranking, times) in table.rankings().iter().zip(times) {
        let (map, queries) = judgements.precision(table, ranking, &ranking.name);
        if queries == 0 {
            continue;
        }
        write!(text, "{}\t{queries}\t{map:.6}\t", ranking.name)?;
        if let Some(unbiased) = unbiased {
            let (without, _) = judgements.precision(table, unbiased, &ranking.name);
            *times = (without > 0.0 && ranking.name != UNBIASED).then(|| map / without);
            write!(text, "{without:.6}")?;
        }
        text.push('\n');
    }
    Ok(text)
}
