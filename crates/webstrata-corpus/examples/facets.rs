//! Evaluates facets on the articles and category tree of wikispeedia, and measures the cost of ranking by a batch of 16 topics.
//!
//! ```text
//! WEBSTRATA_DATA=… cargo run --release -p webstrata-corpus --example facets
//! ```
//!
//! A page in the preference vector of its own topic scores high there regardless of its links. So everything is measured twice:
//! *plain*, with all pages of a topic, and *held out*: pages are split into ten folds, ranks are computed ten times without the
//! pages of one fold in any topic, and the scores of a page are those computed without it. Scores are those of the thesis, where a
//! page counts for a topic from the mean on, or *relative*: divided by the score without a topic. Relative scores are also computed
//! from links only, without the preference vector. Chance is measured in three ways: the most common category for all pages;
//! the answers against categories reassigned at random among the articles; and ranks by reassigned categories.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::build::{BuildOptions, Pages, edge_list};
use webstrata_corpus::graph::facets::{FacetOptions, Facets};
use webstrata_corpus::graph::rank::{DAMPING, Preference, SolveOptions, solve, solve_many};
use webstrata_corpus::graph::topics::{Taxonomy, TaxonomyOptions};

/// Number of folds.
const FOLDS: usize = 10;
/// Random reassignments of categories, for chance.
const REASSIGNMENTS: u64 = 20;
/// A word is a query if at least this many titles contain it.
const TITLES: usize = 5;
/// Repetitions of the time measurement.
const REPETITIONS: usize = 5;

fn main() {
    let Some(data) = std::env::var_os("WEBSTRATA_DATA") else {
        println!("!!!! facets: NOT MEASURED (WEBSTRATA_DATA is not set)");
        println!("!!!! Remedy: set it to the folder that has graphs/wikispeedia and graphs/cnr-2000.");
        return;
    };
    let graphs = Path::new(&data).join("graphs");
    wikispeedia(&graphs.join("wikispeedia"));
    if !std::env::args().any(|argument| argument == "--no-speed") {
        measure_batches(&graphs.join("cnr-2000/edges.txt"));
    }
}

/// Pages by topic.
type Sets = Vec<Vec<u32>>;

/// The evaluation set.
struct Measured<'g> {
    taxonomy: &'g Taxonomy,
    /// Topics that serve as facets.
    topics: Vec<usize>,
    /// Topics of each page.
    own: Vec<Vec<usize>>,
    /// Results of each query, best first.
    queries: Vec<Vec<usize>>,
}

fn wikispeedia(folder: &Path) {
    let options = BuildOptions { pages: Pages::Names, ..BuildOptions::default() };
    let graph = edge_list(&folder.join("links.tsv"), None, &options, &mut |_| true).unwrap().graph;
    let reading = TaxonomyOptions { pages_first: true, root: Some("subject".into()), ..TaxonomyOptions::default() };
    let taxonomy = Taxonomy::read(&folder.join("categories.tsv"), &graph, &reading).unwrap();
    println!(
        "wikispeedia: {} pages, {} links, {} topics ({} at the top level), {} lines with pages that are not in the graph",
        graph.num_pages(),
        graph.num_links(),
        taxonomy.topics().len(),
        taxonomy.children(None).count(),
        taxonomy.unknown().lines
    );
    let mut own = vec![Vec::new(); graph.num_pages()];
    for (at, topic) in taxonomy.topics().iter().enumerate() {
        topic.own.iter().for_each(|&page| own[page as usize].push(at));
    }
    let labelled: Vec<usize> = (0..own.len()).filter(|&page| !own[page].is_empty()).collect();
    let ranks = solve(&graph, &Preference::Uniform, &SolveOptions::default()).unwrap().values;
    let queries = queries(&graph, &ranks);
    println!("{} pages have categories; {} words occur in at least {TITLES} titles\n", labelled.len(), queries.len());
    for (name, levels) in [("top-level categories", 1), ("all categories", 64)] {
        if levels > 1 && std::env::args().any(|argument| argument == "--top-only") {
            continue;
        }
        let topics = taxonomy.choose(&[], levels);
        let measured = Measured { taxonomy: &taxonomy, topics, own: own.clone(), queries: queries.clone() };
        println!("== facets: {} {name} ==", measured.topics.len());
        let sets: Sets = measured.topics.iter().map(|&topic| taxonomy.pages(topic)).collect();
        let general: Vec<f64> = ranks.iter().map(|rank| rank * graph.num_pages() as f64).collect();
        // Ranks are computed with reassigned categories; answers are compared with the real ones.
        let moved: BTreeMap<usize, usize> = labelled.iter().copied().zip(reassigned(&labelled, 1)).collect();
        let moved =
            |pages: &Vec<u32>| pages.iter().filter_map(|page| moved.get(&(*page as usize))).map(|&page| page as u32).collect();
        let shuffled: Sets = sets.iter().map(moved).collect();
        for (how, sets, held_out) in [("plain", &sets, false), ("held out", &sets, true), ("reassigned, held out", &shuffled, true)]
        {
            let (whole, links) = scores(&graph, sets, held_out);
            measured.report(how, &facets(&whole, None));
            measured.report(&format!("{how}, relative"), &facets(&whole, Some(&general)));
            measured.report(&format!("{how}, relative, links"), &facets(&links, Some(&over_links(&graph, &general))));
        }
        println!();
    }
}

/// The share of each page's rank that comes over links.
fn over_links(graph: &Graph, scores: &[f64]) -> Vec<f64> {
    let given = |source: u32| scores[source as usize] / f64::from(graph.out_degree(source as usize));
    graph.scan(0..graph.num_pages()).map(|(_, predecessors)| DAMPING * predecessors.map(given).sum::<f64>()).collect()
}

/// Scores of all pages for all sets: plain, or each page by ranks computed without its fold; and the share that comes over links.
fn scores(graph: &Graph, sets: &Sets, held_out: bool) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let pages = graph.num_pages();
    let (mut whole, mut links) = (vec![vec![0.0; pages]; sets.len()], vec![vec![0.0; pages]; sets.len()]);
    for fold in 0..if held_out { FOLDS } else { 1 } {
        let is_out = |page: usize| held_out && page % FOLDS == fold;
        let (mut places, mut preferences) = (Vec::new(), Vec::new());
        for (at, set) in sets.iter().enumerate() {
            let set: Vec<(u32, f64)> = set.iter().filter(|&&page| !is_out(page as usize)).map(|&page| (page, 1.0)).collect();
            // A topic without pages has no ranks.
            if !set.is_empty() {
                places.push(at);
                preferences.push(Preference::Pages(set));
            }
        }
        for (at, ranks) in places.into_iter().zip(solve_many(graph, &preferences, &SolveOptions::default()).unwrap()) {
            let scaled: Vec<f64> = ranks.values.iter().map(|rank| rank * pages as f64).collect();
            let linked = over_links(graph, &scaled);
            for page in (0..pages).filter(|&page| !held_out || is_out(page)) {
                (whole[at][page], links[at][page]) = (scaled[page], linked[page]);
            }
        }
    }
    (whole, links)
}

/// Facets by plain scores, as in the thesis, or relative to the rank without a topic.
fn facets(scores: &[Vec<f64>], general: Option<&[f64]>) -> Facets {
    let mut facets = Facets::default();
    for scores in scores {
        let relative = |(page, score): (usize, &f64)| match general {
            None => *score,
            Some(general) if general[page] > 0.0 => score / general[page],
            Some(_) => 0.0,
        };
        facets.push_scores(0, scores.iter().enumerate().map(relative).collect()).unwrap();
    }
    facets
}

impl Measured<'_> {
    /// A topic and its ancestors.
    fn and_above(&self, topic: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(topic), |&topic| self.taxonomy.topics()[topic].parent)
    }

    /// The correct facets for these topics: the topics themselves and their ancestors.
    fn right(&self, topics: &[usize]) -> BTreeSet<usize> {
        let all = topics.iter().flat_map(|&topic| self.and_above(topic));
        all.filter_map(|topic| self.topics.binary_search(&topic).ok()).collect()
    }

    fn report(&self, how: &str, facets: &Facets) {
        let labelled: Vec<usize> = (0..self.own.len()).filter(|&page| !self.own[page].is_empty()).collect();
        let gold: Vec<BTreeSet<usize>> = labelled.iter().map(|&page| self.right(&self.own[page])).collect();
        let answers: Vec<Option<usize>> = labelled.iter().map(|&page| facets.strongest(page).map(|found| found.0)).collect();
        let unsure = answers.iter().filter(|answer| answer.is_none()).count();
        // The facet with the highest score, however small.
        let highest = |&page: &usize| best(&(0..facets.len()).map(|facet| facets.score(facet, page)).collect::<Vec<_>>());
        let highest: Vec<Option<usize>> = labelled.iter().map(highest).collect();
        let count = gold.len() as f64;
        println!(
            "{how:<38} articles: {} right, {} without a facet, {} right of the others; chance {} (most common category {})",
            percent(hits(&answers, &gold), count),
            percent(unsure as f64, count),
            percent(hits(&answers, &gold), count - unsure as f64),
            percent(chance(&answers, &gold), count),
            percent(most_common(&gold), count),
        );
        println!(
            "{how:<38} articles: {} right by the highest score alone; chance {}",
            percent(hits(&highest, &gold), count),
            percent(chance(&highest, &gold), count)
        );
        let options = FacetOptions::default();
        let gold: Vec<BTreeSet<usize>> = self.queries.iter().map(|results| self.right(&self.majority(results))).collect();
        let shares: Vec<Vec<f64>> = self.queries.iter().map(|results| facets.shares(results, &options)).collect();
        let answers: Vec<Option<usize>> = shares.iter().map(|shares| best(shares)).collect();
        let count = gold.len() as f64;
        println!(
            "{how:<38} queries:  {} right, chance {} (most common category {})",
            percent(hits(&answers, &gold), count),
            percent(chance(&answers, &gold), count),
            percent(most_common(&gold), count),
        );
        // As in the thesis: right if the category or an ancestor is among the facets shown.
        for max_passes in [1, 10] {
            let options = FacetOptions { max_passes, ..options };
            let seed: Vec<usize> =
                (0..self.topics.len()).filter(|&at| self.taxonomy.topics()[self.topics[at]].parent.is_none()).collect();
            let found: Vec<Vec<usize>> = self
                .queries
                .iter()
                .map(|results| {
                    let results: Vec<(usize, f64)> = results.iter().map(|&page| (page, 1.0)).collect();
                    facets.clone().identify(&results, &seed, &options, &mut |_, _| Ok(())).unwrap().found
                })
                .collect();
            let shown: usize = found.iter().map(Vec::len).sum();
            let hit = |gold: &[BTreeSet<usize>]| {
                found.iter().zip(gold).filter(|(found, gold)| found.iter().any(|facet| gold.contains(facet))).count() as f64
            };
            let by_chance = (0..REASSIGNMENTS).map(|seed| hit(&reassigned(&gold, seed))).sum::<f64>() / REASSIGNMENTS as f64;
            println!(
                "{how:<38} queries:  {} among {:.1} facets of Algorithm 3.1 in {max_passes:>2} passes, chance {}",
                percent(hit(&gold), count),
                shown as f64 / count,
                percent(by_chance, count)
            );
        }
    }

    /// The most common topics of the results, at the level of the facets.
    fn majority(&self, results: &[usize]) -> Vec<usize> {
        let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
        for &page in results {
            // The lowest facet among the ancestors of each topic.
            let lowest = |&topic: &usize| self.and_above(topic).find(|topic| self.topics.binary_search(topic).is_ok());
            let topics: BTreeSet<usize> = self.own[page].iter().filter_map(lowest).collect();
            topics.into_iter().for_each(|topic| *votes.entry(topic).or_default() += 1);
        }
        let most = votes.values().copied().max().unwrap_or_default();
        votes.into_iter().filter(|&(_, count)| count == most).map(|(topic, _)| topic).collect()
    }
}

/// The facet with the largest share above 0; the first of equal ones.
fn best(shares: &[f64]) -> Option<usize> {
    let positive = shares.iter().copied().enumerate().filter(|(_, share)| *share > 0.0);
    positive.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|found| found.0)
}

fn hits(answers: &[Option<usize>], gold: &[BTreeSet<usize>]) -> f64 {
    answers.iter().zip(gold).filter(|(answer, gold)| answer.is_some_and(|answer| gold.contains(&answer))).count() as f64
}

/// Mean hits of the same answers against reassigned gold.
fn chance(answers: &[Option<usize>], gold: &[BTreeSet<usize>]) -> f64 {
    (0..REASSIGNMENTS).map(|seed| hits(answers, &reassigned(gold, seed))).sum::<f64>() / REASSIGNMENTS as f64
}

/// Hits of the best constant answer.
fn most_common(gold: &[BTreeSet<usize>]) -> f64 {
    let most = gold.iter().flatten().copied().max().unwrap_or_default();
    (0..=most).map(|facet| gold.iter().filter(|gold| gold.contains(&facet)).count()).max().unwrap_or_default() as f64
}

/// A reproducible random permutation.
fn reassigned<T: Clone>(things: &[T], seed: u64) -> Vec<T> {
    let mut things = things.to_vec();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    for at in (1..things.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        things.swap(at, (state >> 33) as usize % (at + 1));
    }
    things
}

/// Words that enough titles contain, each with its articles by rank.
fn queries(graph: &Graph, ranks: &[f64]) -> Vec<Vec<usize>> {
    let mut words: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for page in 0..graph.num_pages() {
        let title = decoded(&graph.name(page)).to_lowercase();
        let parts = title.split(|c: char| !c.is_alphanumeric());
        for word in parts.filter(|word| word.chars().count() >= 4 && !word.chars().all(|c| c.is_ascii_digit())) {
            words.entry(word.to_owned()).or_default().insert(page);
        }
    }
    let by_rank = |pages: BTreeSet<usize>| {
        let mut pages: Vec<usize> = pages.into_iter().collect();
        pages.sort_by(|&one, &two| ranks[two].total_cmp(&ranks[one]));
        pages
    };
    words.into_values().filter(|pages| pages.len() >= TITLES).map(by_rank).collect()
}

/// A percent-decoded name.
fn decoded(name: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), name.as_bytes());
    while let [first, tail @ ..] = rest {
        let hex = |at: usize| tail.get(at).and_then(|&digit| char::from(digit).to_digit(16));
        match (first, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn percent(part: f64, all: f64) -> String {
    format!("{:5.1}%", 100.0 * part / all)
}

/// Measures the time for 16 topics, as a batch and one by one.
fn measure_batches(edges: &Path) {
    let graph = edge_list(edges, None, &BuildOptions::default(), &mut |_| true).unwrap().graph;
    let pages = graph.num_pages() as u32;
    // Neighbouring pages belong together: a topic is 200 of 2000 consecutive pages.
    let topic = |topic: u32| Preference::Pages((0..200).map(|at| ((topic * (pages / 16) + at * 10) % pages, 1.0)).collect());
    let preferences: Vec<Preference> = (0..16).map(topic).collect();
    for threads in [1, 2] {
        let options = SolveOptions { threads, ..SolveOptions::default() };
        let mut ratios = Vec::new();
        for repetition in 0..REPETITIONS {
            let begun = Instant::now();
            let single: Vec<_> = preferences.iter().map(|preference| solve(&graph, preference, &options).unwrap()).collect();
            let alone = begun.elapsed().as_secs_f64();
            let begun = Instant::now();
            let many = solve_many(&graph, &preferences, &options).unwrap();
            let blocked = begun.elapsed().as_secs_f64();
            let distance = |(one, two): (&webstrata_corpus::graph::rank::Ranks, &webstrata_corpus::graph::rank::Ranks)| {
                one.values.iter().zip(&two.values).map(|(one, two)| (one - two).abs()).sum::<f64>()
            };
            assert!(single.iter().zip(&many).map(distance).all(|distance| distance < 1e-8));
            println!(
                "cnr-2000, {threads} threads, repetition {repetition}: 16 topics one by one {alone:.2} s, as a batch {blocked:.2} s, ratio {:.3}",
                blocked / alone
            );
            ratios.push(blocked / alone);
        }
        ratios.sort_by(f64::total_cmp);
        println!("cnr-2000, {threads} threads: median ratio {:.3} (target: at most 0.25)", ratios[REPETITIONS / 2]);
    }
}
