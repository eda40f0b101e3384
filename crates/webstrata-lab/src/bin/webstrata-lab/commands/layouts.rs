//! `layouts`: renders the pages of a set and saves their layouts.

use crate::Summary;
use crate::args::LayoutsArgs;
use anyhow::{Context, Result};
use std::fs;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};
use webstrata_corpus::progress::error;
use webstrata_lab::gold::seg_popular::MarkedPage;
use webstrata_lab::layouts::{assets, layout_file, texts};
use webstrata_layout::{Chromium, ChromiumOptions};

pub(crate) fn run(args: &LayoutsArgs) -> Result<Summary> {
    let mut pages = MarkedPage::read_all(&args.set)?;
    pages.retain(|page| args.only.is_empty() || args.only.iter().any(|id| id == page.id()));
    for folder in [Some(&args.out), args.pictures.as_ref()].into_iter().flatten() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let options = ChromiumOptions::default().width(args.width).timeout(Duration::from_secs(args.timeout));
    let mut chromium = Chromium::new(options);
    // A missing browser is an error of the command, not of every page.
    chromium.find()?;
    let mut out = stdout().lock();
    writeln!(out, "id\ttexts\tfound\tvisible\tseconds")?;
    let mut summary = Summary::default();
    let mut seconds = Vec::new();
    let mut sums = [0; 3];
    for marked in &pages {
        let page = marked.parse();
        let files = match &args.assets {
            Some(folder) => assets(folder, marked.id())?,
            None => None,
        };
        let started = Instant::now();
        let capture = match chromium.capture(&page, files.as_ref(), args.pictures.is_some()) {
            Ok(capture) => capture,
            Err(reason) => {
                error(&format!("{}: {reason}", marked.id()));
                summary.failed += 1;
                continue;
            }
        };
        let took = started.elapsed().as_secs_f64();
        webstrata_layout::save(&layout_file(&args.out, marked.id()), &page, &capture.layout)?;
        if let (Some(folder), Some(picture)) = (&args.pictures, &capture.screenshot) {
            let path = folder.join(format!("{}.png", marked.id()));
            fs::write(&path, picture).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let counts = texts(&page, &capture);
        writeln!(out, "{}\t{}\t{}\t{}\t{took:.2}", marked.id(), counts[0], counts[1], counts[2])?;
        sums = [sums[0] + counts[0], sums[1] + counts[1], sums[2] + counts[2]];
        seconds.push(took);
        summary.done += 1;
    }
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| seconds.get((share * seconds.len().saturating_sub(1) as f64).round() as usize).copied().unwrap_or(0.0);
    let share = |part: usize| 100.0 * part as f64 / sums[0].max(1) as f64;
    writeln!(
        out,
        "{} pages, {} failed; {} texts, {:.2}% found, {:.2}% visible; seconds: median {:.2}, p99 {:.2}, max {:.2}",
        summary.done,
        summary.failed,
        sums[0],
        share(sums[1]),
        share(sums[2]),
        at(0.5),
        at(0.99),
        at(1.0)
    )?;
    Ok(summary)
}
