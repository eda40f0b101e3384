//! Figures 3.1 to 3.6: links within and between hosts, and partitions of whole hosts.
//!
//! The thesis' graph, LargeWeb, is not available. Figures 3.1a and b are drawn on cnr-2000, whose pages are sorted by address but have no
//! names; the others need hosts and are drawn on a generated graph with the proportions of LargeWeb. Some of what they show was put into
//! the graph (sizes of hosts, links within hosts); what follows from that (partitions, votes, convergence) was not.

use super::Figure;
use super::dot_plots::Raster;
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::Table;
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::generate::GenerateOptions;
use webstrata_corpus::graph::rank::{Preference, SolveOptions, solve};

/// Partitions, as in the thesis.
const PARTITIONS: usize = 8;
/// The thesis' residual, and the maximum number of iterations drawn.
const TOLERANCE: f64 = 1e-3;
const MAX_ITERATIONS: usize = 40;
/// Points per curve of hosts.
const MAX_POINTS: usize = 200;

/// The proportions of LargeWeb at a hundredth of its size: pages, hosts and links.
#[must_use]
pub fn large_web_hundredth() -> GenerateOptions {
    let whole = GenerateOptions::large_web();
    GenerateOptions { pages: whole.pages / 100, hosts: whole.hosts / 100, links: whole.links / 100, ..whole }
}

/// Partitions of whole hosts: hosts are sorted by their number of pages, descending, and dealt out in turn (thesis, 3.2.3).
struct Partitions {
    /// The partition of each host.
    of_host: Vec<usize>,
}

impl Partitions {
    fn new(graph: &Graph) -> Self {
        let mut hosts: Vec<usize> = (0..graph.num_hosts()).collect();
        hosts.sort_by_key(|&host| (std::cmp::Reverse(graph.pages_of(host).len()), host));
        let mut of_host = vec![0; hosts.len()];
        for (turn, host) in hosts.into_iter().enumerate() {
            of_host[host] = turn % PARTITIONS;
        }
        Partitions { of_host }
    }

    /// The partition of each page.
    fn of_pages(&self, graph: &Graph) -> Vec<u8> {
        let mut of = vec![0; graph.num_pages()];
        for (host, partition) in self.of_host.iter().enumerate() {
            of[graph.pages_of(host)].fill(*partition as u8);
        }
        of
    }
}

/// Figure 3.2: links of pages grouped by partition.
#[must_use]
pub fn partitioned(graph: &Graph) -> Vec<Figure> {
    let partitions = Partitions::new(graph);
    let mut hosts: Vec<usize> = (0..graph.num_hosts()).collect();
    hosts.sort_by_key(|&host| (partitions.of_host[host], host));
    let mut place = vec![0; graph.num_pages()];
    for (next, page) in hosts.into_iter().flat_map(|host| graph.pages_of(host)).enumerate() {
        place[page] = next;
    }
    let raster = Raster::new(graph, 0..graph.num_pages(), |page| place[page]);
    vec![raster.figure("figure-3.2", "Links of the generated graph, pages grouped by partition and host")]
}

/// Figure 3.3: pages per host, over all partitions and in each.
#[must_use]
pub fn pages_per_host(graph: &Graph) -> Vec<Figure> {
    let partitions = Partitions::new(graph);
    let sizes = |of: Option<usize>| {
        let hosts = (0..graph.num_hosts()).filter(|&host| of.is_none_or(|of| partitions.of_host[host] == of));
        let mut sizes: Vec<usize> = hosts.map(|host| graph.pages_of(host).len()).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    };
    let name = |of: Option<usize>| of.map_or("all".to_owned(), |of| format!("partition {}", of + 1));
    let lists: Vec<(String, Vec<usize>)> =
        std::iter::once(None).chain((0..PARTITIONS).map(Some)).map(|of| (name(of), sizes(of))).collect();
    let mut numbers = Table::new(&["hosts of", "share_of_hosts", "pages"]);
    let mut series = Vec::new();
    for (name, sizes) in &lists {
        let every = sizes.len().div_ceil(MAX_POINTS).max(1);
        let mut points = Vec::new();
        for (rank, pages) in sizes.iter().enumerate().filter(|(rank, _)| rank % every == 0) {
            let share = (rank + 1) as f64 / sizes.len() as f64;
            points.push((share, *pages as f64));
            numbers.row(vec![name.clone(), format!("{share:.5}"), pages.to_string()]);
        }
        series.push(Series { name: name.clone(), points });
    }
    let title = "Pages per host, largest first, in all partitions and in each";
    let chart = Chart {
        title: title.into(),
        x: "share of the hosts".into(),
        y: "pages of the host".into(),
        logarithmic: (true, true),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    let mut summary = Table::new(&["", "ours", "thesis"]);
    let all = &lists[0].1;
    let mean = all.iter().sum::<usize>() as f64 / all.len().max(1) as f64;
    summary.row(vec!["hosts".into(), all.len().to_string(), "470,000".into()]);
    summary.row(vec!["pages per host".into(), format!("{mean:.1}"), "137.5".into()]);
    summary.row(vec!["pages of the largest host".into(), all.first().copied().unwrap_or(0).to_string(), "5084".into()]);
    vec![Figure { file: "figure-3.3".into(), title: title.into(), charts: vec![chart], numbers, summary }]
}

/// Link counts of a partition.
#[derive(Clone, Copy, Default)]
struct Tally {
    pages: u64,
    inside_host: u64,
    /// To other hosts of the same partition.
    inside: u64,
    /// To other partitions.
    out: u64,
    /// Votes: distinct pages of other partitions that are linked to.
    votes: u64,
}

fn tally(graph: &Graph) -> Vec<Tally> {
    let of = Partitions::new(graph).of_pages(graph);
    let mut tallies = vec![Tally::default(); PARTITIONS];
    of.iter().for_each(|&partition| tallies[usize::from(partition)].pages += 1);
    for host in 0..graph.num_hosts() {
        let pages = graph.pages_of(host);
        for (target, sources) in graph.scan(pages.clone()) {
            let mut voters = 0u8;
            for source in sources.map(|source| source as usize) {
                let from = &mut tallies[usize::from(of[source])];
                if pages.contains(&source) {
                    from.inside_host += 1;
                } else if of[source] == of[target] {
                    from.inside += 1;
                } else {
                    from.out += 1;
                    voters |= 1 << of[source];
                }
            }
            (0..PARTITIONS).filter(|from| voters & (1 << from) != 0).for_each(|from| tallies[from].votes += 1);
        }
    }
    tallies
}

/// Figure 3.4: pages per partition.
#[must_use]
pub fn pages_per_partition(graph: &Graph) -> Vec<Figure> {
    let tallies = tally(graph);
    let title = "Pages per partition";
    let points = tallies.iter().enumerate().map(|(at, tally)| (at as f64, tally.pages as f64)).collect();
    let chart = Chart {
        title: title.into(),
        x: "partition".into(),
        y: "pages".into(),
        names: (1..=PARTITIONS).map(|number| number.to_string()).collect(),
        ..Chart::new(ChartKind::Bars, vec![Series { name: "pages".into(), points }])
    };
    let mut numbers = Table::new(&["partition", "pages"]);
    for (at, tally) in tallies.iter().enumerate() {
        numbers.row(vec![(at + 1).to_string(), tally.pages.to_string()]);
    }
    let pages = |pick: fn(u64, u64) -> u64| tallies.iter().map(|tally| tally.pages).reduce(pick).unwrap_or(0);
    let (least, most) = (pages(u64::min), pages(u64::max));
    let mut summary = Table::new(&["", "ours", "thesis"]);
    summary.row(vec!["fewest and most pages".into(), format!("{least}, {most}"), "“equal”".into()]);
    summary.row(vec!["difference".into(), format!("{:.2}%", (most - least) as f64 / most.max(1) as f64 * 100.0), "–".into()]);
    vec![Figure { file: "figure-3.4".into(), title: title.into(), charts: vec![chart], numbers, summary }]
}

/// Figure 3.5: links between partitions, with tables 3.1 and 3.2.
#[must_use]
pub fn links_between(graph: &Graph) -> Vec<Figure> {
    let tallies = tally(graph);
    let title = "Links and votes to other partitions";
    let series = |name: &str, value: fn(&Tally) -> u64| Series {
        name: name.into(),
        points: tallies.iter().enumerate().map(|(at, tally)| (at as f64, value(tally) as f64)).collect(),
    };
    let chart = Chart {
        title: title.into(),
        x: "partition".into(),
        y: "links".into(),
        names: (1..=PARTITIONS).map(|number| number.to_string()).collect(),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Bars, vec![series("links", |tally| tally.out), series("votes", |tally| tally.votes)])
    };
    let mut numbers = Table::new(&["partition", "inside_host", "to_hosts_of_the_partition", "to_other_partitions", "votes"]);
    for (at, tally) in tallies.iter().enumerate() {
        numbers.row([at as u64 + 1, tally.inside_host, tally.inside, tally.out, tally.votes].map(|n| n.to_string()).to_vec());
    }
    let sum = |value: fn(&Tally) -> u64| tallies.iter().map(value).sum::<u64>();
    let all = sum(|tally| tally.inside_host + tally.inside + tally.out);
    let mut summary = Table::new(&["links", "ours", "share", "thesis"]);
    let mut row = |name: &str, links: u64, thesis: &str| {
        summary.row(vec![
            name.into(),
            links.to_string(),
            format!("{:.2}%", links as f64 / all.max(1) as f64 * 100.0),
            thesis.into(),
        ]);
    };
    row("all", all, "100%");
    row("within hosts", sum(|tally| tally.inside_host), "93.81%");
    row("between hosts", sum(|tally| tally.inside + tally.out), "6.19%");
    row("between partitions", sum(|tally| tally.out), "5.44%");
    row("between hosts of a partition", sum(|tally| tally.inside), "0.74%");
    row("votes between partitions", sum(|tally| tally.votes), "0.6%");
    vec![Figure { file: "figure-3.5".into(), title: title.into(), charts: vec![chart], numbers, summary }]
}

/// Figure 3.6: convergence over all partitions and in each, without the network.
#[must_use]
pub fn convergence(graph: &Graph) -> Vec<Figure> {
    let of = Partitions::new(graph).of_pages(graph);
    let mut before = vec![1.0 / graph.num_pages().max(1) as f64; graph.num_pages()];
    let mut series: Vec<Series> = std::iter::once("all".to_owned())
        .chain((1..=PARTITIONS).map(|number| format!("partition {number}")))
        .map(|name| Series { name, points: Vec::new() })
        .collect();
    let mut numbers = Table::new(&["iteration", "of", "change"]);
    let (mut iterations, mut seconds) = (0, 0.0);
    for iteration in 1..=MAX_ITERATIONS {
        // One iteration at a time, because the solver does not expose ranks between iterations.
        let options = SolveOptions {
            tolerance: f64::MIN_POSITIVE,
            partitions: PARTITIONS,
            max_iterations: 1,
            start: Some(before.clone()),
            ..SolveOptions::default()
        };
        let Ok(ranks) = solve(graph, &Preference::Uniform, &options) else { return Vec::new() };
        let (mut change, mut rank) = ([0.0; PARTITIONS], [0.0; PARTITIONS]);
        for ((new, old), of) in ranks.values.iter().zip(&before).zip(&of) {
            change[usize::from(*of)] += (new - old).abs();
            rank[usize::from(*of)] += new;
        }
        let all = change.iter().sum::<f64>() / rank.iter().sum::<f64>();
        let each = change.iter().zip(&rank).map(|(change, rank)| change / rank);
        for (series, change) in series.iter_mut().zip(std::iter::once(all).chain(each)) {
            series.points.push((iteration as f64, change));
            numbers.row(vec![iteration.to_string(), series.name.clone(), format!("{change:.3e}")]);
        }
        (before, iterations, seconds) = (ranks.values, iteration, seconds + ranks.seconds);
        if all < TOLERANCE {
            break;
        }
    }
    let last: Vec<f64> = series.iter().filter_map(|series| series.points.last()).map(|point| point.1).collect();
    let apart = last.iter().skip(1).map(|change| (change / last[0] - 1.0).abs()).fold(0.0, f64::max);
    let title = "Change of the ranks by iteration, in all partitions and in each";
    let chart = Chart {
        title: title.into(),
        x: "iteration".into(),
        y: "change".into(),
        logarithmic: (false, true),
        legend: Legend::Beside,
        ..Chart::new(ChartKind::Line, series)
    };
    let mut summary = Table::new(&["", "ours", "thesis"]);
    summary.row(vec!["iterations to 0.001".into(), iterations.to_string(), "17".into()]);
    summary.row(vec!["seconds for them, one machine".into(), format!("{seconds:.2}"), "66".into()]);
    summary.row(vec![
        "a partition differs from all by at most".into(),
        format!("{:.0}%", apart * 100.0),
        "“matched almost perfectly”".into(),
    ]);
    vec![Figure { file: "figure-3.6".into(), title: title.into(), charts: vec![chart], numbers, summary }]
}

#[cfg(test)]
mod tests {
    use super::super::dot_plots::{grouped, sorted};
    use super::*;
    use webstrata_corpus::graph::generate::generate;

    /// Two hosts of two pages and one of one page.
    fn small() -> Graph {
        let links = [(0, 1), (1, 0), (2, 3), (0, 2), (1, 2), (3, 4), (4, 0)].map(|(from, to)| (from, to, 0));
        Graph::with_hosts(&[0, 0, 1, 1, 2], links).unwrap()
    }

    #[test]
    fn links_are_counted_by_partition() {
        let tallies = tally(&small());
        // Host 0 is in the first partition, 1 in the second, 2 in the third.
        let sums = |value: fn(&Tally) -> u64| tallies.iter().map(value).collect::<Vec<_>>();
        assert_eq!(sums(|tally| tally.pages)[..3], [2, 2, 1]);
        assert_eq!(sums(|tally| tally.inside_host)[..3], [2, 1, 0]);
        assert_eq!(sums(|tally| tally.out)[..3], [2, 1, 1]);
        // Two links from the first partition to page 2 are one vote.
        assert_eq!(sums(|tally| tally.votes)[..3], [1, 1, 1]);
        assert_eq!(sums(|tally| tally.inside).iter().sum::<u64>(), 0);
        let summary = links_between(&small()).remove(0).summary.csv();
        assert!(summary.contains("within hosts,3,42.86%,93.81%") && summary.contains("votes between partitions,3,"), "{summary}");
    }

    #[test]
    fn all_figures_of_a_generated_graph() {
        let options = GenerateOptions { pages: 4000, hosts: 200, links: 40_000, largest_host: 200, ..GenerateOptions::default() };
        let graph = generate(&options, None, &mut |_| true).unwrap();
        let figures = [sorted(&graph), grouped(&graph), partitioned(&graph), pages_per_host(&graph), pages_per_partition(&graph)];
        for figure in figures.into_iter().flatten().chain(links_between(&graph)).chain(convergence(&graph)) {
            assert!(figure.svg().is_ok_and(|svg| svg.is_some()), "{}", figure.file);
            assert!(!figure.summary.is_empty() && !figure.numbers.is_empty(), "{}", figure.file);
        }
        // Links within hosts are near the diagonal whenever pages are grouped by host.
        for figure in [grouped(&graph).remove(0), partitioned(&graph).remove(0)] {
            let near = figure
                .summary
                .csv()
                .lines()
                .nth(2)
                .unwrap()
                .split(',')
                .nth(1)
                .unwrap()
                .trim_end_matches('%')
                .parse::<f64>()
                .unwrap();
            assert!(near > 70.0, "{near}");
        }
    }
}
