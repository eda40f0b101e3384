//! Tables 2, 3 and 6 of the TKDE paper.

use super::{BlockTags, Counts, Figure, Method, Pages, Site, mean};
use crate::table::{Table, share};
use rayon::prelude::*;

/// Tables 2, 3 and 6: b-precision, b-recall and b-F of all methods, site by site.
#[must_use]
pub fn table_2(sites: &[Site]) -> Vec<Figure> {
    if sites.is_empty() {
        return Vec::new();
    }
    let mut numbers = Table::new(&["site", "pages", "tags", "method", "b_precision", "b_recall", "b_f"]);
    let mut summary =
        Table::new(&["mean of sites", "tags", "b-P", "paper", "b-R", "paper", "b-F", "paper", "worst b-F", "best b-F"]);
    for (tags, name) in [(BlockTags::Paper, "paper"), (BlockTags::Html5, "html5")] {
        let scored: Vec<[[f64; 3]; 5]> = sites
            .par_iter()
            .map(|site| {
                let pages = Pages::new(site, usize::MAX, tags);
                let wanted = pages.wanted(site);
                Method::ALL.map(|method| Counts::new(&wanted, &pages.run(method).content).scores())
            })
            .collect();
        for (at, method) in Method::ALL.into_iter().enumerate() {
            let of_method: Vec<[f64; 3]> = scored.iter().map(|site| site[at]).collect();
            for (site, scores) in sites.iter().zip(&of_method) {
                let mut row = vec![site.name.clone(), site.pages.len().to_string(), name.to_owned(), method.name().to_owned()];
                row.extend(scores.map(|score| format!("{score:.4}")));
                numbers.row(row);
            }
            let mut row = vec![method.name().to_owned(), name.to_owned()];
            for (ours, theirs) in mean(&of_method).iter().zip(method.paper().unwrap_or_default()) {
                row.extend([share(*ours), share(theirs)]);
            }
            let ends = |pick: fn(f64, f64) -> f64| of_method.iter().map(|score| score[2]).reduce(pick).unwrap_or(0.0);
            row.extend([share(ends(f64::min)), share(ends(f64::max))]);
            summary.row(row);
        }
    }
    let title = "Tables 2, 3 and 6 of the TKDE paper: blocks of sites";
    vec![Figure { file: "tkde-table-2".into(), title: title.into(), charts: Vec::new(), numbers, summary }]
}
