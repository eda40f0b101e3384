//! Accuracy, run time and storage against the number of pages: figures 7 to 9 of the TKDE paper.

use super::{BlockTags, Counts, Figure, Method, Pages, Site, mean};
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::{Table, share};
use rayon::prelude::*;
use std::time::Duration;

/// Accuracy against the number of pages: how much a method gains from more pages of a site, scored on all pages it saw.
#[must_use]
pub fn accuracy(sites: &[Site]) -> Vec<Figure> {
    const PAGES: [usize; 6] = [2, 3, 5, 10, 15, 20];
    let sites: Vec<&Site> = sites.iter().filter(|site| site.pages.len() >= PAGES[PAGES.len() - 1]).collect();
    if sites.is_empty() {
        return Vec::new();
    }
    let methods = [Method::LinHo, Method::ContentExtractor, Method::Shingling];
    let scored: Vec<Vec<[[f64; 3]; 3]>> = PAGES
        .par_iter()
        .map(|&count| {
            let of_site = |site: &&Site| {
                let pages = Pages::new(site, count, BlockTags::Html5);
                let wanted = pages.wanted(site);
                methods.map(|method| Counts::new(&wanted, &pages.run(method).content).scores())
            };
            sites.iter().map(of_site).collect()
        })
        .collect();
    let mut numbers = Table::new(&["method", "pages", "b_precision", "b_recall", "b_f"]);
    let mut summary = Table::new(&["method", "measure", "2 pages", "3", "5", "10", "15", "20"]);
    let (mut precision, mut recall) = (Vec::new(), Vec::new());
    for (at, method) in methods.into_iter().enumerate() {
        let curve: Vec<[f64; 3]> =
            scored.iter().map(|sites| mean(&sites.iter().map(|site| site[at]).collect::<Vec<_>>())).collect();
        for (pages, scores) in PAGES.iter().zip(&curve) {
            let mut row = vec![method.name().to_owned(), pages.to_string()];
            row.extend(scores.map(|score| format!("{score:.4}")));
            numbers.row(row);
        }
        for (k, measure) in ["b-P", "b-R", "b-F"].into_iter().enumerate() {
            let mut row = vec![method.name().to_owned(), measure.to_owned()];
            row.extend(curve.iter().map(|scores| share(scores[k])));
            summary.row(row);
        }
        let points = |k: usize| PAGES.iter().zip(&curve).map(|(pages, scores)| (*pages as f64, scores[k])).collect();
        precision.push(Series { name: method.name().into(), points: points(0) });
        recall.push(Series { name: method.name().into(), points: points(1) });
    }
    let chart = |title: &str, y: &str, series| Chart {
        title: title.into(),
        x: "pages of the site".into(),
        y: y.into(),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    let title = format!("Blocks by the number of pages, mean of {} sites", sites.len());
    let charts = vec![chart(&title, "b-precision", precision), chart("", "b-recall", recall)];
    vec![Figure { file: "tkde-pages".into(), title, charts, numbers, summary }]
}

/// Figures 7 and 9: run time against the number of pages; figure 8: storage. Times are for one thread, without parsing.
#[must_use]
pub fn costs(sites: &[Site]) -> Vec<Figure> {
    const PAGES: [usize; 5] = [2, 5, 10, 20, 40];
    let sites: Vec<&Site> = sites.iter().filter(|site| site.pages.len() >= PAGES[PAGES.len() - 1]).collect();
    if sites.is_empty() {
        return Vec::new();
    }
    let mut times = Table::new(&["method", "pages", "milliseconds_per_site"]);
    let mut bytes = Table::new(&["method", "pages", "bytes_per_site"]);
    let mut time_series = Vec::new();
    let mut byte_series = vec![Series { name: "whole pages".into(), points: Vec::new() }];
    let mut time_summary =
        Table::new(&["milliseconds per site", "2 pages", "5", "10", "20", "40", "times as long for 20 times the pages"]);
    let mut byte_summary = Table::new(&["kilobytes per site", "2 pages", "5", "10", "20", "40", "of whole pages"]);
    let each = |total: f64| total / sites.len() as f64;
    let whole: Vec<f64> = PAGES.iter().map(|&count| each(sites.iter().map(|site| size(site, count)).sum::<u64>() as f64)).collect();
    byte_series[0].points = PAGES.iter().zip(&whole).map(|(pages, bytes)| (*pages as f64, *bytes)).collect();
    for method in Method::ALL {
        let (mut milliseconds, mut stored) = (Vec::new(), Vec::new());
        for count in PAGES {
            let mut sums = (Duration::ZERO, 0);
            for site in &sites {
                let verdicts = Pages::new(site, count, BlockTags::Html5).run(method);
                sums.0 += verdicts.time;
                sums.1 += verdicts.stored();
            }
            milliseconds.push(each(sums.0.as_secs_f64() * 1000.0));
            stored.push(each(sums.1 as f64));
        }
        let points = |values: &[f64]| PAGES.iter().zip(values).map(|(pages, value)| (*pages as f64, *value)).collect();
        for (pages, time) in PAGES.iter().zip(&milliseconds) {
            times.row(vec![method.name().into(), pages.to_string(), format!("{time:.3}")]);
        }
        let mut row = vec![method.name().to_owned()];
        row.extend(milliseconds.iter().map(|time| format!("{time:.1}")));
        row.push(format!("{:.0}", milliseconds[PAGES.len() - 1] / milliseconds[0]));
        time_summary.row(row);
        time_series.push(Series { name: method.name().into(), points: points(&milliseconds) });
        if matches!(method, Method::ContentExtractor | Method::Shingling) {
            for (pages, stored) in PAGES.iter().zip(&stored) {
                bytes.row(vec![method.name().into(), pages.to_string(), format!("{stored:.0}")]);
            }
            let mut row = vec![method.name().to_owned()];
            row.extend(stored.iter().map(|bytes| format!("{:.0}", bytes / 1000.0)));
            row.push(format!("{:.0}%", stored[PAGES.len() - 1] / whole[PAGES.len() - 1] * 100.0));
            byte_summary.row(row);
            byte_series.push(Series { name: method.name().into(), points: points(&stored) });
        }
    }
    let chart = |title: &str, y: &str, series| Chart {
        title: title.into(),
        x: "pages of the site".into(),
        y: y.into(),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    let run_time = "Run time by the number of pages";
    let storage = "Storage of a cache by the number of pages";
    let logarithmic = |chart: Chart| Chart { logarithmic: (true, true), ..chart };
    vec![
        Figure {
            file: "tkde-figure-7".into(),
            title: format!("{run_time} (figures 7 and 9 of the TKDE paper), mean of {} sites", sites.len()),
            charts: vec![logarithmic(chart(run_time, "milliseconds per site", time_series))],
            numbers: times,
            summary: time_summary,
        },
        Figure {
            file: "tkde-figure-8".into(),
            title: format!("{storage} (figure 8 of the TKDE paper), mean of {} sites", sites.len()),
            charts: vec![chart(storage, "bytes per site", byte_series)],
            numbers: bytes,
            summary: byte_summary,
        },
    ]
}

/// Total size in bytes of the first pages of a site.
pub(super) fn size(site: &Site, pages: usize) -> u64 {
    site.pages.iter().take(pages).map(|page| page.bytes.len() as u64).sum()
}
