//! A tree of topics and the pages that belong to them, read from a file.
//!
//! A line is `topic<TAB>page`. A topic is a path from the root, `Science/Biology/Mammals` or `Science.Biology.Mammals`: separated by
//! slashes if any topic contains one, else by dots. Pages are named as in the graph. `#` starts a comment; the file is plain, gzip or
//! Zstandard.

use super::super::build::Lines;
use super::super::{Graph, GraphError};
use super::{SEPARATOR, UNBIASED};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;

/// Longest path of a topic in bytes.
pub const MAX_TOPIC_LEN: usize = 1024;
/// Maximum number of topics. The Open Directory had 600,000.
pub const MAX_TOPICS: usize = 1 << 20;
/// Maximum number of levels.
pub const MAX_LEVELS: usize = 64;
/// Maximum number of lines with a page of the graph: each takes eight bytes.
const MAX_ENTRIES: usize = 1 << 28;
/// Unknown pages kept as examples.
const EXAMPLES: usize = 3;

/// How a taxonomy is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaxonomyOptions {
    /// Lines are `page<TAB>topic`.
    pub pages_first: bool,
    /// Separator between a topic and its parent; if none is given, slashes if any topic contains one, else dots.
    pub separator: Option<char>,
    /// Use only topics below this one, and drop its path from theirs: for trees with a single root. Its own pages are dropped.
    pub root: Option<String>,
}

/// A topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its path from the root, with slashes.
    pub path: String,
    /// Its parent.
    pub parent: Option<usize>,
    /// Its level, from 1.
    pub level: usize,
    /// Its own pages, ascending, without those of topics below it.
    pub own: Vec<u32>,
    /// The end of the range of its descendants.
    end: usize,
}

impl Topic {
    /// The last part of its path.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit(SEPARATOR).next().unwrap_or_default()
    }
}

/// Pages of the file that are not in the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Number of lines with such a page.
    pub lines: u64,
    /// The first of them.
    pub examples: Vec<String>,
}

/// A tree of topics, in depth-first order, with siblings sorted by name.
///
/// ```
/// use webstrata_corpus::graph::{Graph, topics::{Taxonomy, TaxonomyOptions}};
/// let graph = Graph::from_names([("fox", "wolf"), ("wolf", "mars"), ("mars", "fox")])?;
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("topics.tsv");
/// std::fs::write(&file, "# two levels\nlife/dogs\tfox\nlife/dogs\twolf\nsky\tmars\nsky\tpluto\n").unwrap();
/// let taxonomy = Taxonomy::read(&file, &graph, &TaxonomyOptions::default())?;
/// let paths: Vec<&str> = taxonomy.topics().iter().map(|topic| topic.path.as_str()).collect();
/// assert_eq!(paths, ["life", "life/dogs", "sky"]);
/// assert_eq!(taxonomy.pages(0), [graph.find("fox").unwrap() as u32, graph.find("wolf").unwrap() as u32]);
/// assert_eq!((taxonomy.unknown().lines, taxonomy.find("life.dogs")), (1, Some(1)));
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Taxonomy {
    topics: Vec<Topic>,
    unknown: Unknown,
}

impl Taxonomy {
    /// Reads a file. Pages that are not in the graph are skipped and counted.
    ///
    /// # Errors
    /// If the file cannot be read, if a line is invalid, if the tree is too large, or if no page is in the graph.
    pub fn read(path: &Path, graph: &Graph, options: &TaxonomyOptions) -> Result<Taxonomy, GraphError> {
        let mut lines = Lines::open(path)?;
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut entries: Vec<(u32, u32)> = Vec::new();
        let (mut unknown, mut slashes) = (Unknown::default(), false);
        while lines.advance()? {
            let (topic, page) = entry(&lines, options.pages_first)?;
            slashes |= topic.contains(SEPARATOR);
            let number = match numbers.get(topic) {
                Some(&number) => number,
                None => {
                    check(topic, &lines, numbers.len())?;
                    let number = numbers.len() as u32;
                    numbers.insert(topic.to_owned(), number);
                    number
                }
            };
            match graph.find(page) {
                Some(page) => entries.push((number, page as u32)),
                None => {
                    unknown.lines += 1;
                    if unknown.examples.len() < EXAMPLES {
                        let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
                        unknown.examples.push(page.chars().take(80).map(shown).collect());
                    }
                }
            }
            if entries.len() > MAX_ENTRIES {
                return Err(lines.invalid(format!("more than {MAX_ENTRIES} pages of topics; use part of the tree")));
            }
        }
        let invalid = |reason: String| Err(GraphError::Option(format!("{}: {reason}", path.display())));
        if numbers.is_empty() {
            return invalid("it has no topics; a line is topic<TAB>page".into());
        }
        if entries.is_empty() {
            let example = unknown.examples.first().map(String::as_str).unwrap_or_default();
            return invalid(format!(
                "none of its {} pages is in the graph, such as {example:?}; write pages as the graph names them, and topics before \
                 them (or use --pages-first)",
                unknown.lines
            ));
        }
        let separator = options.separator.unwrap_or(if slashes { SEPARATOR } else { '.' });
        let mut texts: Vec<&str> = vec![""; numbers.len()];
        numbers.iter().for_each(|(text, &number)| texts[number as usize] = text);
        let root = options.root.as_deref().map(|root| parts(root, separator).collect::<Vec<_>>()).unwrap_or_default();
        let below: Vec<Option<Vec<&str>>> = texts.iter().map(|text| below(text, separator, &root)).collect();
        if below.iter().all(Option::is_none) {
            return invalid(format!(
                "no topic is below {:?}; write --root as in the file",
                options.root.clone().unwrap_or_default()
            ));
        }
        let mut taxonomy = match tree(&below) {
            Ok(topics) => Taxonomy { topics, unknown },
            Err(reason) => return invalid(reason),
        };
        taxonomy.fill(&below, entries);
        if taxonomy.topics.iter().all(|topic| topic.own.is_empty()) {
            return invalid("no topic has a page of the graph; choose another --root".into());
        }
        Ok(taxonomy)
    }

    /// Assigns pages to topics.
    fn fill(&mut self, below: &[Option<Vec<&str>>], entries: Vec<(u32, u32)>) {
        let place: Vec<Option<usize>> =
            below.iter().map(|parts| parts.as_ref().and_then(|parts| self.find_path(&joined(parts)))).collect();
        for (number, page) in entries {
            if let Some(topic) = place.get(number as usize).copied().flatten() {
                self.topics[topic].own.push(page);
            }
        }
        for topic in &mut self.topics {
            topic.own.sort_unstable();
            topic.own.dedup();
        }
    }

    /// All topics.
    #[must_use]
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// Pages of the file that are not in the graph.
    #[must_use]
    pub fn unknown(&self) -> &Unknown {
        &self.unknown
    }

    /// A topic and its descendants; empty for an unknown topic.
    #[must_use]
    pub fn branch(&self, topic: usize) -> Range<usize> {
        self.topics.get(topic).map_or(0..0, |found| topic..found.end)
    }

    /// The children of a topic, or the top-level topics.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let mut at = parent.map_or(0, |parent| parent + 1);
        let end = parent.map_or(self.topics.len(), |parent| self.branch(parent).end);
        std::iter::from_fn(move || {
            let child = at;
            at = self.topics.get(child).filter(|_| child < end)?.end;
            Some(child)
        })
    }

    /// The pages of a topic and its descendants, ascending.
    #[must_use]
    pub fn pages(&self, topic: usize) -> Vec<u32> {
        let mut pages: Vec<u32> = self.topics[self.branch(topic)].iter().flat_map(|topic| topic.own.iter().copied()).collect();
        pages.sort_unstable();
        pages.dedup();
        pages
    }

    /// The topic with this path, with slashes or dots.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<usize> {
        let cut = |separator| joined(&parts(path, separator).collect::<Vec<_>>());
        self.find_path(&cut(SEPARATOR)).or_else(|| self.find_path(&cut('.')))
    }

    fn find_path(&self, path: &str) -> Option<usize> {
        let key = |path: &str| -> Vec<String> { parts(path, SEPARATOR).map(str::to_owned).collect() };
        let want = key(path);
        self.topics.binary_search_by(|topic| parts(&topic.path, SEPARATOR).cmp(want.iter().map(String::as_str))).ok()
    }

    /// The topics of the first `levels` levels, starting from the given topics, or from the top level if none is given; in order, each
    /// once, without topics that have no page.
    #[must_use]
    pub fn choose(&self, from: &[usize], levels: usize) -> Vec<usize> {
        let tops: Vec<usize> = if from.is_empty() { self.children(None).collect() } else { from.to_vec() };
        let mut chosen = BTreeSet::new();
        for top in tops {
            let Some(first) = self.topics.get(top) else { continue };
            let within = |topic: &usize| self.topics[*topic].level - first.level < levels;
            chosen.extend(self.branch(top).filter(within));
        }
        chosen.into_iter().filter(|&topic| self.topics[self.branch(topic)].iter().any(|topic| !topic.own.is_empty())).collect()
    }
}

/// Splits a line.
fn entry(lines: &Lines, pages_first: bool) -> Result<(&str, &str), GraphError> {
    let text = str::from_utf8(&lines.text).map_err(|_| lines.invalid("it is not UTF-8; convert the file"))?;
    let count = text.split('\t').count();
    let (one, two) = text.split_once('\t').map_or((text, ""), |(one, two)| (one.trim(), two.trim()));
    if count != 2 || one.is_empty() || two.is_empty() {
        let wanted = if pages_first { "page<TAB>topic" } else { "topic<TAB>page" };
        return Err(lines.invalid(format!("{count} fields instead of two; write {wanted}, separated by a tab")));
    }
    Ok(if pages_first { (two, one) } else { (one, two) })
}

/// Checks that a topic is valid and that the limit on topics is not exceeded.
fn check(topic: &str, lines: &Lines, known: usize) -> Result<(), GraphError> {
    if topic.len() > MAX_TOPIC_LEN || topic.chars().any(char::is_control) {
        return Err(lines.invalid(format!("a topic has at most {MAX_TOPIC_LEN} bytes and no control characters; shorten it")));
    }
    if topic == UNBIASED || topic.split(['.', SEPARATOR]).all(|part| part.trim().is_empty()) {
        return Err(lines.invalid(format!("{topic:?} is not a topic; write its path, such as Science/Biology")));
    }
    if known >= MAX_TOPICS {
        return Err(lines.invalid(format!("more than {MAX_TOPICS} topics; use part of the tree, or fewer levels of it")));
    }
    Ok(())
}

/// The parts of a path without empty ones.
fn parts(path: &str, separator: char) -> impl Iterator<Item = &str> {
    path.split(separator).map(str::trim).filter(|part| !part.is_empty())
}

/// The parts of a path below the root; `None` if it is not below it.
fn below<'p>(path: &'p str, separator: char, root: &[&str]) -> Option<Vec<&'p str>> {
    let mut parts = parts(path, separator);
    root.iter().all(|wanted| parts.next() == Some(wanted)).then_some(())?;
    let rest: Vec<&str> = parts.collect();
    (!rest.is_empty()).then_some(rest)
}

fn joined(parts: &[&str]) -> String {
    parts.join("/")
}

/// All topics of these paths and their ancestors.
fn tree(paths: &[Option<Vec<&str>>]) -> Result<Vec<Topic>, String> {
    let mut all: BTreeSet<&[&str]> = BTreeSet::new();
    for parts in paths.iter().flatten() {
        if parts.len() > MAX_LEVELS {
            return Err(format!(
                "topic {:?} has more than {MAX_LEVELS} levels; choose another separator, or a flatter tree",
                joined(parts)
            ));
        }
        if let Some(part) = parts.iter().find(|part| part.contains(SEPARATOR)) {
            return Err(format!("topic {part:?} has a slash in its name, which would make two topics in the output; rename it"));
        }
        // If a topic exists, so do its ancestors.
        for levels in (1..=parts.len()).rev() {
            if !all.insert(&parts[..levels]) {
                break;
            }
        }
        if all.len() > MAX_TOPICS {
            return Err(format!("more than {MAX_TOPICS} topics; use part of the tree, or fewer levels of it"));
        }
    }
    let mut topics: Vec<Topic> = Vec::with_capacity(all.len());
    let mut open: Vec<usize> = Vec::new();
    for (at, parts) in all.into_iter().enumerate() {
        for closed in open.drain(parts.len() - 1..) {
            topics[closed].end = at;
        }
        topics.push(Topic { path: joined(parts), parent: open.last().copied(), level: parts.len(), own: Vec::new(), end: at + 1 });
        open.push(at);
    }
    let end = topics.len();
    open.into_iter().for_each(|topic| topics[topic].end = end);
    Ok(topics)
}
