//! Table 1 of the SOM paper.

use super::{Figure, Site, choices, tree_of};
use crate::table::Table;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Number of elements below which a class is small: the paper's beta.
const SMALL: u64 = 8;
/// Collections of the paper: name, pages, segments, and segments in small classes, if its text gives them.
const PAPER: [(&str, u64, &str, &str); 4] = [
    ("IG", 34_460, "1404512", "0.08%"),
    ("CNN", 16_257, "–", "0.03%"),
    ("CNET", 352_770, "–", "0.3%"),
    ("BLOGS", 54_055, "–", "0.05%"),
];

/// Table 1: segments and classes of sites, by group.
#[must_use]
pub fn table_1(sites: &[Site]) -> Vec<Figure> {
    if sites.is_empty() {
        return Vec::new();
    }
    // Per site and set of options: classes, segments, segments in small classes.
    let counted: Vec<[[u64; 3]; 2]> = sites
        .par_iter()
        .map(|site| {
            let som = tree_of(site);
            choices().map(|(_, options)| {
                let sizes: Vec<u64> = som.classes(&options).iter().map(|class| class.pages.len()).collect();
                [sizes.len() as u64, sizes.iter().sum(), sizes.iter().filter(|&&size| size < SMALL).sum()]
            })
        })
        .collect();
    let mut numbers = Table::new(&["site", "pages", "options", "classes", "segments", "in_small_classes"]);
    let mut groups: BTreeMap<&str, (u64, [[u64; 3]; 2], u64)> = BTreeMap::new();
    for (site, counts) in sites.iter().zip(&counted) {
        let group = groups.entry(&site.group).or_default();
        group.0 += site.pages.len() as u64;
        group.2 += 1;
        for (at, (name, _)) in choices().iter().enumerate() {
            (0..3).for_each(|k| group.1[at][k] += counts[at][k]);
            let mut row = vec![site.name.clone(), site.pages.len().to_string(), (*name).to_owned()];
            row.extend(counts[at].map(|count| count.to_string()));
            numbers.row(row);
        }
    }
    let mut summary = Table::new(&[
        "collection",
        "sites",
        "pages",
        "classes",
        "segments",
        "per page",
        "in small classes",
        "classes, paper's options",
        "segments",
        "in small classes",
    ]);
    let mut all = (0, [[0; 3]; 2], 0);
    let percent = |part: u64, of: u64| format!("{:.2}%", part as f64 / of.max(1) as f64 * 100.0);
    let mut row = |name: &str, pages: u64, counts: &[[u64; 3]; 2], sites: u64| {
        let [[classes, segments, small], [paper_classes, paper_segments, paper_small]] = *counts;
        summary.row(vec![
            name.to_owned(),
            sites.to_string(),
            pages.to_string(),
            classes.to_string(),
            segments.to_string(),
            format!("{:.1}", segments as f64 / pages.max(1) as f64),
            percent(small, segments),
            paper_classes.to_string(),
            paper_segments.to_string(),
            percent(paper_small, paper_segments),
        ]);
    };
    for (name, (pages, counts, sites)) in &groups {
        row(name, *pages, counts, *sites);
        all.0 += pages;
        all.2 += sites;
        (0..2).for_each(|at| (0..3).for_each(|k| all.1[at][k] += counts[at][k]));
    }
    row("all", all.0, &all.1, all.2);
    for (name, pages, segments, small) in PAPER {
        let mut cells = vec![format!("paper: {name}"), "–".to_owned(), pages.to_string()];
        cells.extend(["–", "–", "–", "–", "–", segments, small].map(str::to_owned));
        summary.row(cells);
    }
    let title = "Table 1 of the SOM paper: segments and classes";
    vec![Figure { file: "som-table-1".into(), title: title.into(), charts: Vec::new(), numbers, summary }]
}
