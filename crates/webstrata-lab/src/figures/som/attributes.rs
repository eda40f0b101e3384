//! Adjusted Rand of segment classes against attributes, site by site.

use super::super::sites::SitePage;
use super::{Figure, Labels, Site, choices, tree_of};
use crate::metrics::partition::Contingency;
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::{Table, share};
use rayon::prelude::*;
use std::collections::BTreeMap;
use webstrata::Page;
use webstrata::block::GapModel;

/// Compares partitions of the attributes of a site's pages, by name and by segment class; sites are sorted by agreement.
#[must_use]
pub fn attributes(sites: &[Site]) -> Vec<Figure> {
    // Per site: attributes found, and for each method Adjusted Rand and the share in the attribute's most frequent class.
    let scored: Vec<(&Site, usize, [[f64; 2]; 3])> = sites
        .par_iter()
        .filter_map(|site| Some((site, score_attributes(site)?)))
        .map(|(site, (found, scores))| (site, found, scores))
        .collect();
    if scored.is_empty() {
        return Vec::new();
    }
    let names = ["SOM, default", "SOM, paper", "path of tags"];
    let mut numbers = Table::new(&["site", "pages", "found", "method", "adjusted_rand", "most_frequent_class"]);
    for (site, found, scores) in &scored {
        for (name, [rand, most]) in names.iter().zip(scores) {
            let row = [
                &site.name,
                &site.pages.len().to_string(),
                &found.to_string(),
                *name,
                &format!("{rand:.4}"),
                &format!("{most:.4}"),
            ];
            numbers.row(row.map(ToString::to_string).to_vec());
        }
    }
    let curve = |at: usize| {
        let mut values: Vec<f64> = scored.iter().map(|site| site.2[at][0]).collect();
        values.sort_by(f64::total_cmp);
        (1..).zip(values).map(|(number, value)| (f64::from(number), value)).collect()
    };
    let series = names.iter().enumerate().map(|(at, name)| Series { name: (*name).into(), points: curve(at) }).collect();
    let mut summary =
        Table::new(&["method", "sites", "attributes found", "mean AdjRand", "sites below .6", "in the most frequent class"]);
    let found: usize = scored.iter().map(|site| site.1).sum();
    for (at, name) in names.iter().enumerate() {
        let mean = |k: usize| scored.iter().map(|site| site.2[at][k]).sum::<f64>() / scored.len() as f64;
        let low = scored.iter().filter(|site| site.2[at][0] < 0.6).count();
        summary.row(vec![
            (*name).to_owned(),
            scored.len().to_string(),
            found.to_string(),
            share(mean(0)),
            low.to_string(),
            share(mean(1)),
        ]);
    }
    let title = "Segment classes against attributes of template-driven sites, sites sorted";
    let chart = Chart {
        title: title.into(),
        x: "site".into(),
        y: "AdjRand".into(),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    vec![Figure { file: "som-attributes".into(), title: title.into(), charts: vec![chart], numbers, summary }]
}

/// The number of attributes found on the pages of a site, and the scores of the three partitions.
fn score_attributes(site: &Site) -> Option<(usize, [[f64; 2]; 3])> {
    let som = tree_of(site);
    let pruned = choices().map(|(_, options)| som.pruned(&options));
    let mut items: Vec<(&str, [String; 3])> = Vec::new();
    for (number, SitePage { gold, bytes }) in site.pages.iter().enumerate() {
        let page = Page::parse(bytes);
        let labels = [0, 1].map(|at| Labels::new(&page, number, &pruned[at]));
        let atoms: Vec<(String, u32, String)> = page
            .blocks_by(GapModel::Tags)
            .iter()
            .filter_map(|atom| {
                let path: Vec<&str> = atom.node().ancestors().map(|node| node.name()).collect();
                Some((folded(&atom.text()), atom.spans().first()?.start, path.join("/")))
            })
            .collect();
        for (name, values) in &gold.attributes {
            let found = values.iter().map(|value| folded(value)).filter(|value| !value.is_empty()).find_map(|value| {
                let exact = atoms.iter().find(|atom| atom.0 == value);
                exact.or_else(|| atoms.iter().filter(|atom| atom.0.contains(&value)).min_by_key(|atom| atom.0.len()))
            });
            if let Some((_, byte, path)) = found {
                let [default, paper] = [0, 1].map(|at| format!("{:?}", labels[at].at(*byte)));
                items.push((name, [default, paper, path.clone()]));
            }
        }
    }
    let kinds: std::collections::BTreeSet<&str> = items.iter().map(|item| item.0).collect();
    // With a single attribute there is nothing to separate.
    if kinds.len() < 2 {
        return None;
    }
    let scores = [0, 1, 2].map(|at| {
        let rand = Contingency::new(items.iter().map(|item| (item.0, item.1[at].as_str()))).adjusted_rand();
        let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for (name, classes) in &items {
            *counts.entry(name).or_default().entry(&classes[at]).or_default() += 1;
        }
        let most: usize = counts.values().filter_map(|classes| classes.values().max()).sum();
        [rand, most as f64 / items.len() as f64]
    });
    Some((items.len(), scores))
}

/// Text in lower case with single spaces.
fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
