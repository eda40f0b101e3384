//! Figure 8 of the SOM paper: segments of pages against manual segments of the site's template.
//!
//! The paper's volunteers segmented one page per structure, and the result was applied to all pages of that structure. We do the same:
//! `gold/swde-segments.json` has selectors for eight sites of SWDE, written from the outline of one page each.

use super::{Figure, Labels, Site, choices, tree_of};
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::segmentation::Task;
use crate::table::{Table, share};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use webstrata::Page;
use webstrata::html::{NodeKind, Selector};
use webstrata::segment::{Method, RuleSet};

const TEMPLATES: &str = include_str!("../../../../../gold/swde-segments.json");

#[derive(Deserialize)]
struct Templates {
    sites: BTreeMap<String, Vec<String>>,
}

/// The segments of a page according to the selectors of its site: the index of the innermost matching element for each run of text.
struct Gold {
    /// Start and end of each run of text, and its segment; ascending.
    runs: Vec<(u32, u32, Option<u32>)>,
}

impl Gold {
    fn new(page: &Page<'_>, selectors: &[Selector]) -> Self {
        let dom = page.dom();
        let mut of_node: Vec<Option<u32>> = vec![None; dom.len()];
        for node in selectors.iter().flat_map(|selector| dom.select(selector)) {
            of_node[node.id().index()] = Some(node.id().index() as u32);
        }
        let mut runs = Vec::new();
        for node in dom.nodes() {
            // Parents precede their children.
            let at = node.id().index();
            of_node[at] = of_node[at].or_else(|| node.parent().and_then(|parent| of_node[parent.id().index()]));
            if node.kind() == NodeKind::Text {
                runs.push((node.span().start, node.span().end, of_node[at]));
            }
        }
        Gold { runs }
    }

    fn at(&self, byte: u32) -> Option<u32> {
        let before = self.runs.partition_point(|run| run.0 <= byte);
        self.runs.get(before.checked_sub(1)?).filter(|run| byte < run.1)?.2
    }
}

/// Figure 8: adjusted Rand of each page, sorted.
#[must_use]
pub fn figure_8(sites: &[Site]) -> Vec<Figure> {
    let Ok(templates) = serde_json::from_str::<Templates>(TEMPLATES) else { return Vec::new() };
    let known = sites.iter().filter_map(|site| Some((site, selectors(templates.sites.get(&site.name)?)?)));
    figure(&known.collect::<Vec<_>>())
}

/// Parses selectors; `None` if one of them is invalid.
fn selectors(texts: &[String]) -> Option<Vec<Selector>> {
    texts.iter().map(|text| Selector::parse(text).ok()).collect()
}

fn figure(sites: &[(&Site, Vec<Selector>)]) -> Vec<Figure> {
    let names = ["SOM, default", "SOM, paper", "bf-rulebased", "just-rules", "strata"];
    let published = ["–", ".83 IG, .85 CNN", ".72 IG, .58 CNN", "–", "–"];
    let scored: Vec<(&str, [f64; 5])> = sites
        .par_iter()
        .flat_map_iter(|(site, selectors)| {
            let som = tree_of(site);
            let pruned = choices().map(|(_, options)| som.pruned(&options));
            let of_page = |(number, bytes): (usize, &super::super::sites::SitePage)| {
                let page = Page::parse(&bytes.bytes);
                let gold = Gold::new(&page, selectors);
                let task = Task::new(&page, |byte| gold.at(byte)).ok()?;
                let [default, paper] = [0, 1].map(|at| {
                    let labels = Labels::new(&page, number, &pruned[at]);
                    task.score_labels(|byte| labels.at(byte)).adjusted_rand
                });
                let by = |method: Method| task.score(&*method.segmenter(RuleSet::paper())).adjusted_rand;
                let scores = [default, paper, by(Method::BfRulebased), by(Method::JustRules), by(Method::Strata)];
                Some((site.name.as_str(), scores))
            };
            site.pages.iter().enumerate().filter_map(of_page).collect::<Vec<_>>()
        })
        .collect();
    if scored.is_empty() {
        return Vec::new();
    }
    let mut numbers = Table::new(&["site", "method", "adjusted_rand"]);
    let mut summary = Table::new(&["method", "sites", "pages", "mean AdjRand", "paper", "median", "pages below .6"]);
    let mut series = Vec::new();
    for (at, name) in names.iter().enumerate() {
        for (site, scores) in &scored {
            numbers.row(vec![(*site).to_owned(), (*name).to_owned(), format!("{:.4}", scores[at])]);
        }
        let mut values: Vec<f64> = scored.iter().map(|page| page.1[at]).collect();
        values.sort_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let low = values.iter().filter(|value| **value < 0.6).count() as f64 / values.len() as f64;
        summary.row(vec![
            (*name).to_owned(),
            sites.len().to_string(),
            values.len().to_string(),
            share(mean),
            published[at].to_owned(),
            share(values[values.len() / 2]),
            format!("{:.0}%", low * 100.0),
        ]);
        let points = (1..).zip(&values).map(|(page, value)| (f64::from(page), *value)).collect();
        series.push(Series { name: (*name).to_owned(), points });
    }
    let title = "Figure 8 of the SOM paper: adjusted Rand of each page, sorted";
    let chart = Chart {
        title: title.into(),
        x: "page".into(),
        y: "AdjRand".into(),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    vec![Figure { file: "som-figure-8".into(), title: title.into(), charts: vec![chart], numbers, summary }]
}

#[cfg(test)]
mod tests {
    use super::super::tests::site;
    use super::*;

    #[test]
    fn templates_are_valid() {
        let templates: Templates = serde_json::from_str(TEMPLATES).unwrap();
        assert_eq!(templates.sites.len(), 8);
        for (site, texts) in &templates.sites {
            assert!(selectors(texts).is_some_and(|list| list.len() > 5), "{site}");
        }
    }

    #[test]
    fn the_innermost_element_is_the_segment() {
        let page = Page::parse(b"<div id=a>one <p id=b>two</p> three</div>four");
        let gold = Gold::new(&page, &selectors(&["#a".to_owned(), "#b".to_owned()]).unwrap());
        let at = |text: &str| gold.at(page.dom().source().find(text).unwrap() as u32);
        assert_eq!((at("one"), at("four")), (at("three"), None));
        assert!(at("one").is_some() && at("two").is_some() && at("one") != at("two"));
    }

    #[test]
    fn a_site_is_cut_at_its_segments() {
        let lamps = site();
        let list = selectors(&["#menu", "h1", ".price", ".text"].map(str::to_owned)).unwrap();
        let figure = figure(&[(&lamps, list)]).remove(0);
        // The method merges consecutive elements that look alike into one region, so it cannot be exact here.
        let first = figure.summary.lines().nth(1).and_then(|row| row[3].parse::<f64>().ok());
        assert!(first.is_some_and(|mean| mean > 0.6), "{}", figure.summary.csv());
        assert!(figure.svg().is_ok_and(|svg| svg.is_some()));
    }
}
