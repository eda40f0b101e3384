//! Generates graphs that resemble the Web in the properties that matter for ranking: hosts of very different sizes, most links within their host,
//! few pages with many in-links, and pages without links.
//!
//! The graph is written as it is generated, target by target, so it needs only four bytes of memory per page. The same options give
//! the same graph on every machine: all random numbers come from [`Random`], with a separate generator for each page.
//!
//! - Host sizes follow a power law, truncated so that their sum is the number of pages.
//! - In-degrees follow a power law (exponent 2.1: A. Broder et al.: Graph structure in the Web. WWW 2000), scaled to the number of links.
//! - A link stays on its host with the given probability; its source is then likely to be close by, otherwise it is any page.

use super::assemble::{Assembler, Finish, InMemory};
use super::error::GraphError;
use super::file::{FileWriter, NamesToWrite};
use super::{Graph, MAX_PAGES};
use crate::io::Random;
use std::path::Path;

/// Pages between two calls of `progress`.
const PROGRESS_INTERVAL: u32 = 1 << 16;

/// Properties of a generated graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GenerateOptions {
    /// Number of pages.
    pub pages: u32,
    /// Number of hosts.
    pub hosts: u32,
    /// Approximate number of links.
    pub links: u64,
    /// Share of the links that stay on their host.
    pub inside: f64,
    /// Pages of the largest host.
    pub largest_host: u32,
    /// Exponent of the power law of in-degrees.
    pub exponent: f64,
    /// Share of the pages that have no links.
    pub dangling: f64,
    /// Seed of the random generator.
    pub seed: u64,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        GenerateOptions {
            pages: 100_000,
            hosts: 1_000,
            links: 1_000_000,
            inside: 0.9381,
            largest_host: 5_084,
            exponent: 2.1,
            dangling: 0.2,
            seed: 1,
        }
    }
}

impl GenerateOptions {
    /// Like Stanford's LargeWeb, as described in section 3.2.3 and table 3.2 of the thesis: 62.8 million pages on 470,000 hosts (the
    /// largest with 5,084), 601 million links, 93.81% of them within their host.
    #[must_use]
    pub fn large_web() -> Self {
        GenerateOptions { pages: 62_800_000, hosts: 470_000, links: 601_000_000, ..GenerateOptions::default() }
    }

    fn check(&self) -> Result<(), GraphError> {
        let invalid = |reason: String| Err(GraphError::Option(reason));
        if self.pages == 0 || self.pages as usize >= MAX_PAGES {
            return invalid(format!("{} pages; give a number from 1 to {}", self.pages, MAX_PAGES - 1));
        }
        if self.hosts == 0 || self.hosts > self.pages {
            return invalid(format!("{} hosts for {} pages; each host has at least one page", self.hosts, self.pages));
        }
        if u64::from(self.hosts) * u64::from(self.largest_host) < u64::from(self.pages) {
            return invalid(format!(
                "{} hosts of at most {} pages have fewer than {} pages in total",
                self.hosts, self.largest_host, self.pages
            ));
        }
        if !(0.0..=1.0).contains(&self.inside) || !(0.0..1.0).contains(&self.dangling) {
            return invalid("shares must be numbers from 0 to 1, and some pages must have links".into());
        }
        if !(1.5..=4.0).contains(&self.exponent) {
            return invalid(format!("invalid exponent {}; give a number from 1.5 to 4", self.exponent));
        }
        if self.links / u64::from(self.pages) > 1000 {
            return invalid("more than 1000 links per page; give fewer links or more pages".into());
        }
        Ok(())
    }
}

/// Rounds up or down at random so that the expected value is the number.
fn rounded(random: &mut Random, number: f64) -> u32 {
    let whole = number as u32;
    whole + u32::from(random.unit() < number - f64::from(whole))
}

/// Host sizes that sum to the number of pages: the k-th is proportional to `1 / (k + c)`, with c such that the largest has the
/// requested size and no host is empty; in random order.
fn starts(options: &GenerateOptions) -> Vec<u32> {
    let hosts = options.hosts;
    let (pages, largest) = (f64::from(options.pages), f64::from(options.largest_host));
    // The sum of largest * c / (k + c) over all hosts grows with c; find where it equals the number of pages. Only basic arithmetic
    // is used, which gives the same results on every machine.
    let sum = |c: f64| (0..hosts).map(|k| (largest * c / (f64::from(k) + c)).max(1.0)).sum::<f64>();
    let (mut low, mut high) = (1e-6, 1e-6);
    while sum(high) < pages && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if sum(middle) < pages { low = middle } else { high = middle }
    }
    let size = |k: u32| ((largest * high / (f64::from(k) + high)) as u32).clamp(1, options.largest_host);
    let mut sizes: Vec<u32> = (0..hosts).map(size).collect();
    // Distribute the rounding error, one page per host.
    let mut missing = i64::from(options.pages) - sizes.iter().map(|&size| i64::from(size)).sum::<i64>();
    while missing != 0 {
        let before = missing;
        for size in sizes.iter_mut().rev() {
            if missing > 0 && *size < options.largest_host {
                *size += 1;
                missing -= 1;
            } else if missing < 0 && *size > 1 {
                *size -= 1;
                missing += 1;
            }
        }
        if missing == before {
            break;
        }
    }
    let mut random = Random::for_item(options.seed, u64::MAX);
    for at in (1..sizes.len()).rev() {
        sizes.swap(at, random.scaled(at as u32 + 1) as usize);
    }
    let mut starts = Vec::with_capacity(sizes.len() + 1);
    let mut page = 0;
    starts.push(0);
    for size in sizes {
        page += size;
        starts.push(page);
    }
    starts
}

/// Draws in-degrees from a table of the distribution, so that powers are computed once.
struct Degrees {
    /// Cumulative probabilities by degree.
    up_to: Vec<f64>,
    scale: f64,
}

impl Degrees {
    /// Largest degree of the table.
    const LARGEST: usize = 20_000;

    fn new(exponent: f64, mean: f64) -> Degrees {
        // In steps of one half, so that the power consists of integer powers and roots, which are rounded alike on every machine.
        let power = |degree: f64| {
            let (mut result, mut part, mut rest) = (1.0, degree, exponent);
            while rest >= 1.0 {
                result *= degree;
                rest -= 1.0;
            }
            for _ in 0..24 {
                part = part.sqrt();
                rest *= 2.0;
                if rest >= 1.0 {
                    result *= part;
                    rest -= 1.0;
                }
            }
            result
        };
        let chances: Vec<f64> = (1..=Self::LARGEST).map(|degree| 1.0 / power(degree as f64)).collect();
        let sum: f64 = chances.iter().sum();
        let expected: f64 = chances.iter().enumerate().map(|(at, chance)| (at + 1) as f64 * chance).sum::<f64>() / sum;
        let mut so_far = 0.0;
        let up_to = chances.iter().map(|chance| {
            so_far += chance / sum;
            so_far
        });
        Degrees { up_to: up_to.collect(), scale: mean / expected }
    }

    fn draw(&self, random: &mut Random) -> u32 {
        let share = random.unit();
        let degree = self.up_to.partition_point(|&up_to| up_to < share).min(Self::LARGEST - 1) + 1;
        rounded(random, degree as f64 * self.scale)
    }
}

/// Generates a graph. With `out`, it is written there and mapped; otherwise it is in memory. `progress` receives the number of
/// finished pages, and stops the work by returning false.
///
/// ```
/// use webstrata_corpus::graph::generate::{GenerateOptions, generate};
/// let options = GenerateOptions { pages: 5_000, hosts: 50, links: 40_000, ..GenerateOptions::default() };
/// let graph = generate(&options, None, &mut |_| true)?;
/// assert_eq!((graph.num_pages(), graph.num_hosts()), (5_000, 50));
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
///
/// # Errors
/// If the options are inconsistent, or if the file cannot be written.
pub fn generate(options: &GenerateOptions, out: Option<&Path>, progress: &mut dyn FnMut(u64) -> bool) -> Result<Graph, GraphError> {
    options.check()?;
    match out {
        Some(out) => write(options, FileWriter::create(out)?, progress),
        None => write(options, InMemory::default(), progress),
    }
}

/// Links of one kind: within hosts or between them.
#[derive(Debug, Default)]
struct Links {
    /// Predecessors of the current page, ascending.
    predecessors: Vec<u32>,
    /// Links that did not fit because hosts were too small; later pages get them.
    owed: u64,
}

impl Links {
    /// Draws `wanted` predecessors, and some of those owed, among `pages` pages.
    fn find(&mut self, wanted: u32, pages: u32, random: &mut Random, mut draw: impl FnMut(&mut Random) -> Option<u32>) {
        self.predecessors.clear();
        let more = self.owed.min(u64::from(wanted / 2 + 1));
        let target = usize::try_from(u64::from(wanted) + more).unwrap_or(usize::MAX);
        let most = target.min(pages as usize / 2);
        // Draws that hit a dangling page or an earlier predecessor are wasted.
        let mut tries = if most == 0 { 0 } else { most * 3 + 8 };
        while self.predecessors.len() < most && tries > 0 {
            tries -= 1;
            self.predecessors.extend(draw(random));
            if self.predecessors.len() == most {
                self.predecessors.sort_unstable();
                self.predecessors.dedup();
            }
        }
        self.predecessors.sort_unstable();
        self.predecessors.dedup();
        self.owed = (self.owed + u64::from(wanted)).saturating_sub(self.predecessors.len() as u64);
    }
}

fn write<S: Finish>(options: &GenerateOptions, sink: S, progress: &mut dyn FnMut(u64) -> bool) -> Result<Graph, GraphError> {
    let starts = starts(options);
    let degrees = Degrees::new(options.exponent, options.links as f64 / f64::from(options.pages));
    let dangles = |page: u32| Random::for_item(!options.seed, u64::from(page)).unit() < options.dangling;
    let mut assembler = Assembler::new(options.pages as usize, sink)?;
    let (mut inside, mut outside) = (Links::default(), Links::default());
    let mut predecessors: Vec<u32> = Vec::new();
    for host in starts.windows(2) {
        let (first, size) = (host[0], host[1] - host[0]);
        for page in host[0]..host[1] {
            let mut random = Random::for_item(options.seed, u64::from(page));
            let wanted = degrees.draw(&mut random);
            let staying = rounded(&mut random, f64::from(wanted) * options.inside).min(wanted);
            let local = page - first;
            inside.find(staying, if size > 1 { size } else { 0 }, &mut random, |random| {
                let source = if random.next() & 1 == 0 {
                    // Close by: the probability falls with the distance.
                    let reach = 1 + random.scaled(32).min(random.scaled(32));
                    let up = random.next() & 1 == 0;
                    first + if up { local.saturating_add(reach).min(size - 1) } else { local.saturating_sub(reach) }
                } else {
                    first + random.scaled(size)
                };
                (source != page && !dangles(source)).then_some(source)
            });
            outside.find(wanted - staying, options.pages - size, &mut random, |random| {
                let source = random.scaled(options.pages);
                (!(first..host[1]).contains(&source) && !dangles(source)).then_some(source)
            });
            predecessors.clear();
            predecessors.extend_from_slice(&inside.predecessors);
            predecessors.extend_from_slice(&outside.predecessors);
            predecessors.sort_unstable();
            assembler.push(&predecessors)?;
            if page % PROGRESS_INTERVAL == 0 && !progress(u64::from(page)) {
                return Err(GraphError::Stopped);
            }
        }
    }
    S::finish(assembler, Some(starts), NamesToWrite::Dense)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_have_the_requested_properties() {
        let options =
            GenerateOptions { pages: 60_000, hosts: 500, links: 570_000, largest_host: 2_000, ..GenerateOptions::default() };
        let graph = generate(&options, None, &mut |_| true).unwrap();
        assert_eq!((graph.num_pages(), graph.num_hosts()), (60_000, 500));
        let links = graph.num_links() as f64 / 570_000.0;
        assert!((0.95..1.05).contains(&links), "{links} of the links");
        let (inside, between) = graph.count_inside();
        let share = inside as f64 / (inside + between) as f64;
        assert!((share - 0.9381).abs() < 0.02, "{share} inside");
        let largest = (0..graph.num_hosts()).map(|host| graph.pages_of(host).len()).max().unwrap();
        assert!((1_000..=2_000).contains(&largest), "{largest}");
        let dangling = (0..graph.num_pages()).filter(|&page| graph.out_degree(page) == 0).count() as f64 / 60_000.0;
        assert!((dangling - 0.2).abs() < 0.02, "{dangling} dangle");
        let most = (0..graph.num_pages()).map(|page| graph.predecessors(page).count()).max().unwrap();
        assert!(most > 500, "{most} links to one page");
    }

    #[test]
    fn the_same_seed_gives_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let options = GenerateOptions { pages: 3_000, hosts: 40, links: 20_000, ..GenerateOptions::default() };
        let made = |name: &str, seed| {
            let path = folder.path().join(name);
            generate(&GenerateOptions { seed, ..options }, Some(&path), &mut |_| true).unwrap();
            Graph::open(&path).unwrap();
            std::fs::read(path).unwrap()
        };
        assert_eq!(made("a", 7), made("b", 7));
        assert_ne!(made("a", 7), made("b", 8));
        // Pinned: a different number here means that seeds no longer give the same graphs.
        let graph = generate(&options, None, &mut |_| true).unwrap();
        let sum: u64 =
            (0..3_000).flat_map(|page| graph.predecessors(page).map(move |source| u64::from(source) * (page as u64 + 1))).sum();
        assert_eq!((graph.num_links(), sum), PINNED);
    }

    const PINNED: (u64, u64) = (22_666, 51_756_334_725);

    #[test]
    fn inconsistent_options_are_refused() {
        let invalid = |change: &dyn Fn(&mut GenerateOptions)| {
            let mut options = GenerateOptions::default();
            change(&mut options);
            generate(&options, None, &mut |_| true).unwrap_err().to_string()
        };
        assert!(invalid(&|options| options.pages = 0).contains("pages"));
        assert!(invalid(&|options| options.hosts = 200_000).contains("at least one page"));
        assert!(invalid(&|options| options.hosts = 2).contains("have fewer"));
        assert!(invalid(&|options| options.inside = f64::NAN).contains("shares"));
        assert!(invalid(&|options| options.exponent = 9.0).contains("exponent"));
    }
}
