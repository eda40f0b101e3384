//! `webstrata-lab eval facets`: accuracy of the first facet.

use super::write;
use crate::Summary;
use crate::args::{EvalFacetsArgs, TableFormat};
use anyhow::{Context, Result, bail};
use std::fs;
use webstrata_lab::search::facets::{Topics, measure};
use webstrata_lab::table::Table;
use webstrata_search::Index;

pub(super) fn run(args: &EvalFacetsArgs) -> Result<Summary> {
    let form: fn(&Table) -> String = match args.output.format {
        TableFormat::Table => Table::text,
        TableFormat::Markdown => Table::markdown,
        TableFormat::Csv => Table::csv,
        TableFormat::Json => bail!("choose table, markdown or csv"),
    };
    let text = fs::read_to_string(&args.taxonomy).with_context(|| format!("cannot read {}", args.taxonomy.display()))?;
    let topics = Topics::parse(&text);
    if topics.is_empty() {
        bail!("{} has no lines of topic<TAB>address", args.taxonomy.display());
    }
    let index = Index::open(&args.index)?;
    let Some(ranks) = index.topic_ranks()? else { bail!("{} has no ranks; build it with --ranks", args.index.display()) };
    let (table, queries) = measure(&index, &ranks, &topics, args.least)?;
    write(&args.output, &format!("{queries} queries on {} pages\n\n{}", index.pages(), form(&table)))?;
    Ok(Summary { done: queries as u64, failed: 0 })
}
