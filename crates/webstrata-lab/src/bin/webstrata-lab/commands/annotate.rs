//! `webstrata-lab annotate`: marking pages in a browser, agreement, export.

use crate::Summary;
use crate::args::{AnnotateArgs, TableFormat};
use anyhow::{Context, Result, ensure};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use webstrata_corpus::progress::error;
use webstrata_lab::annotate::agreement::{Agreement, PageAgreement};
use webstrata_lab::annotate::export::export;
use webstrata_lab::annotate::folder::{Annotator, Folder};
use webstrata_lab::annotate::marks::Start;
use webstrata_lab::annotate::server::Server;

pub(crate) fn run(args: &AnnotateArgs) -> Result<Summary> {
    let folder = Folder::open(&args.folder)?;
    match (&args.agreement, &args.export) {
        (Some(names), _) => compare(&folder, names, args.format),
        (None, Some(to)) => export_to(&folder, &args.annotator, to),
        (None, None) => {
            let pages = folder.pages().len();
            let start = Start::from(args.start);
            let server = Server::bind(folder, &args.annotator, start, args.port)?;
            print(&format!("{}, {pages} pages, starting {}: {}\n", args.annotator, described(start), server.url()))?;
            server.run();
            Ok(Summary { done: pages as u64, failed: 0 })
        }
    }
}

fn described(start: Start) -> String {
    match start {
        Start::Empty => "empty".to_owned(),
        other => format!("from the prediction of {other}"),
    }
}

fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot write to standard output")
}

/// Returns an annotator who has annotated pages in the folder.
fn known<'f>(folder: &'f Folder, name: &str) -> Result<Annotator<'f>> {
    let annotator = folder.annotator(name)?;
    let names = folder.annotators();
    ensure!(
        names.iter().any(|known| known == name),
        "{name} has not annotated {}{}",
        folder.root().display(),
        if names.is_empty() { "; nobody has".to_owned() } else { format!("; these have: {}", names.join(", ")) }
    );
    Ok(annotator)
}

fn compare(folder: &Folder, names: &[String], format: TableFormat) -> Result<Summary> {
    let [first, second] = names else { anyhow::bail!("--agreement needs two annotators") };
    let (first, second) = (known(folder, first)?, known(folder, second)?);
    let agreement = Agreement::new(folder, &first, &second);
    for problem in &agreement.problems {
        error(&format!("{problem}; skipped"));
    }
    if agreement.pages.is_empty() {
        error(&format!("there is no page that both {} and {} have finished", first.name(), second.name()));
    }
    let table = agreement.table();
    print(&match format {
        TableFormat::Table => format!("{} and {}\n\n{}", first.name(), second.name(), table.text()),
        TableFormat::Markdown => table.markdown(),
        TableFormat::Csv => table.csv(),
        TableFormat::Json => {
            let page = |page: &PageAgreement| {
                json!({
                    "id": page.id, "start": page.starts, "blocks": page.blocks, "word_f1": page.word_f1,
                    "kappa_content": page.content.kappa(), "kappa_roles": page.roles.kappa(), "adjusted_rand": page.segments,
                    "same_type": page.same_type,
                })
            };
            let all = json!({ "kappa_content": agreement.content().kappa(), "kappa_roles": agreement.roles().kappa() });
            let pages: Vec<_> = agreement.pages.iter().map(page).collect();
            let value = json!({ "format": "webstrata.annotate.agreement/1", "annotators": names, "pages": pages, "all": all });
            serde_json::to_string_pretty(&value)? + "\n"
        }
    })?;
    Ok(Summary {
        done: agreement.pages.len() as u64,
        failed: agreement.problems.len().max(usize::from(agreement.pages.is_empty())) as u64,
    })
}

fn export_to(folder: &Folder, name: &str, to: &Path) -> Result<Summary> {
    let exported = export(folder, &known(folder, name)?, to)?;
    for problem in &exported.problems {
        error(problem);
    }
    print(&format!("{}: {} finished pages exported, {} not finished\n", to.display(), exported.pages, exported.unfinished))?;
    let failed = exported.problems.len().max(usize::from(exported.pages == 0)) as u64;
    Ok(Summary { done: exported.pages as u64, failed })
}
