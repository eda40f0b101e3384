//! Sums over blocks, elements and the children of parts, computed before any gap is scored.

use super::name_hints::{Names, names};
use super::parts::{NONE, Part, Parts};
use crate::block::groups::group_equal_keys;
use crate::block::outline::{Within, splitmix64};
use crate::block::{Blocks, Context};
use crate::html::Tag;

/// An atom is long if it has at least this many words and less than half of them are linked.
const LONG_MIN_WORDS: u32 = 12;

/// Number of children whose tags make up the pattern of a part.
const PATTERN_LENGTH: u32 = 6;

/// Ancestors of a text run that are checked for bold type.
const BOLD_ANCESTORS: usize = 4;

/// Number of classes of elements that are counted inside parts.
pub(super) const COUNTED: usize = 8;

/// The class of a counted element.
fn counted(tag: Tag) -> Option<usize> {
    Some(match tag {
        Tag::P => 0,
        Tag::UL | Tag::OL | Tag::DL | Tag::MENU => 1,
        Tag::LI | Tag::DT | Tag::DD => 2,
        Tag::TABLE => 3,
        Tag::TR => 4,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => 5,
        Tag::DIV | Tag::SECTION | Tag::ARTICLE | Tag::ASIDE | Tag::NAV | Tag::HEADER | Tag::FOOTER | Tag::MAIN => 6,
        Tag::FORM => 7,
        _ => return None,
    })
}

/// Counts over an atom.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Atom {
    pub(super) words: u32,
    pub(super) link_words: u32,
    pub(super) chars: u32,
    pub(super) lines: u32,
    /// Level of the heading that contains it, 0 for none.
    pub(super) heading: u8,
    /// Whether it starts in bold.
    pub(super) bold: bool,
}

/// Totals over consecutive atoms.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) words: u32,
    pub(super) link_words: u32,
    pub(super) chars: u32,
    pub(super) heading_words: u32,
    pub(super) long_words: u32,
    pub(super) link_runs: u32,
    pub(super) bold_words: u32,
}

/// Similarity of the children of a part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Children {
    /// Standard deviation of the logarithms of their word counts, and of their link densities.
    pub(super) word_spread: f32,
    pub(super) link_spread: f32,
    /// Share of the children with the most common tag, and with the most common tag and class.
    pub(super) same_tag: f32,
    pub(super) same_appearance: f32,
    /// Share of the words in the largest child.
    pub(super) largest: f32,
    /// Share of the children that start with a heading, and that are more than one level deep.
    pub(super) headed: f32,
    pub(super) deep: f32,
}

/// All sums of a page.
#[derive(Debug, Default)]
pub(super) struct Aggregates {
    pub(super) atoms: Vec<Atom>,
    /// For each atom: totals over all atoms before it.
    pub(super) prefix: Vec<Totals>,
    /// For each element: number of counted elements before it, by class.
    counts: Vec<[u32; COUNTED]>,
    pub(super) names: Vec<Names>,
    /// For each part: hash of its tag and class.
    pub(super) appearance: Vec<u64>,
    /// For each part: hash of its tag and those of its first children.
    pub(super) child_patterns: Vec<u64>,
    /// For each part: number of siblings with its tag and class, itself included.
    pub(super) similar: Vec<u32>,
    pub(super) children: Vec<Children>,
}

impl Aggregates {
    pub(super) fn new(blocks: Blocks<'_>, parts: &Parts) -> Self {
        let mut aggregates = Aggregates { names: names(blocks, parts), ..Aggregates::default() };
        aggregates.add_atoms(blocks, parts);
        aggregates.add_elements(parts);
        aggregates.hash_appearance(parts);
        aggregates.compare_children(parts);
        aggregates
    }

    fn add_atoms(&mut self, blocks: Blocks<'_>, parts: &Parts) {
        let mut sum = Totals::default();
        self.prefix.push(sum);
        for pair in parts.atoms.windows(2) {
            let mut atom = Atom::default();
            let mut link_runs = 0;
            for at in pair[0] as usize..pair[1] as usize {
                let record = &blocks.records()[at];
                atom.words = atom.words.saturating_add(record.counts.words);
                atom.link_words = atom.link_words.saturating_add(record.counts.link_words);
                atom.chars = atom.chars.saturating_add(record.counts.chars);
                atom.lines = atom.lines.saturating_add(record.counts.lines);
                link_runs += blocks.runs_of(at).iter().filter(|&&run| Blocks::run_is_linked(run)).count() as u32;
            }
            let first = pair[0] as usize;
            let innermost = parts.outline.innermost.get(first).map(|&innermost| parts.outline.elements[innermost as usize]);
            // A mask that hides headings also hides them here.
            if innermost.is_some_and(|element| element.within.has(Within::HEADING)) {
                let context = blocks.records()[first].context;
                atom.heading = (1..=6u8).find(|&level| context.intersects(Context::heading(level))).unwrap_or(6);
            }
            atom.bold = is_bold(blocks, first);
            sum.words = sum.words.saturating_add(atom.words);
            sum.link_words = sum.link_words.saturating_add(atom.link_words);
            sum.chars = sum.chars.saturating_add(atom.chars);
            sum.heading_words = sum.heading_words.saturating_add(if atom.heading > 0 { atom.words } else { 0 });
            sum.bold_words = sum.bold_words.saturating_add(if atom.bold { atom.words } else { 0 });
            let long = atom.words >= LONG_MIN_WORDS && atom.link_words.saturating_mul(2) < atom.words;
            sum.long_words = sum.long_words.saturating_add(if long { atom.words } else { 0 });
            sum.link_runs = sum.link_runs.saturating_add(link_runs);
            self.atoms.push(atom);
            self.prefix.push(sum);
        }
    }

    fn add_elements(&mut self, parts: &Parts) {
        let mut sum = [0u32; COUNTED];
        self.counts.reserve(parts.outline.elements.len() + 1);
        self.counts.push(sum);
        for element in &parts.outline.elements {
            if let Some(class) = counted(element.tag) {
                sum[class] += 1;
            }
            self.counts.push(sum);
        }
    }

    /// Number of elements of each class in a part.
    pub(super) fn counts_in(&self, parts: &Parts, part: &Part) -> [u32; COUNTED] {
        if part.top == NONE {
            return [0; COUNTED];
        }
        let end = parts.subtree_end[part.top as usize] as usize;
        let (before, after) = (&self.counts[part.top as usize], &self.counts[end]);
        std::array::from_fn(|class| after[class] - before[class])
    }

    /// Totals over the atoms of a part.
    pub(super) fn totals(&self, part: &Part) -> Totals {
        let (start, end) = (&self.prefix[part.start as usize], &self.prefix[part.end as usize]);
        Totals {
            words: end.words - start.words,
            link_words: end.link_words - start.link_words,
            chars: end.chars - start.chars,
            heading_words: end.heading_words - start.heading_words,
            long_words: end.long_words - start.long_words,
            link_runs: end.link_runs - start.link_runs,
            bold_words: end.bold_words - start.bold_words,
        }
    }

    fn hash_appearance(&mut self, parts: &Parts) {
        let tag = |part: &Part| parts.outside(part).map_or(0, |element| element.tag.index() as u64 + 1);
        self.appearance = parts.parts.iter().zip(&self.names).map(|(part, names)| splitmix64(tag(part)) ^ names.class).collect();
        self.child_patterns = parts.parts.iter().map(|part| splitmix64(tag(part))).collect();
        for gap in &parts.gaps {
            for child in [gap.left, gap.right] {
                let part = &parts.parts[child as usize];
                // Every child but the first is to the right of one gap of its parent.
                if (child == gap.right || part.index == 0) && part.index < PATTERN_LENGTH {
                    let pattern = &mut self.child_patterns[gap.outer as usize];
                    *pattern = splitmix64(*pattern ^ tag(part));
                }
            }
        }
    }

    fn compare_children(&mut self, parts: &Parts) {
        let count = parts.parts.len();
        let mut groups = Vec::new();
        // For each part: size of its group of equal siblings; for each parent: size of the largest such group.
        let tally = |keys: Vec<u64>, groups: &mut Vec<u32>| {
            let mut sizes = vec![0u32; group_equal_keys(&keys, groups)];
            groups.iter().for_each(|&group| sizes[group as usize] += 1);
            let own: Vec<u32> = groups.iter().map(|&group| sizes[group as usize]).collect();
            let mut largest = vec![0u32; count];
            for (part, &size) in parts.parts.iter().zip(&own).skip(1) {
                let largest = &mut largest[part.parent as usize];
                *largest = size.max(*largest);
            }
            (own, largest)
        };
        let key = |part: &Part, hash: u64| splitmix64(u64::from(part.parent) ^ splitmix64(hash));
        let tag = |part: &Part| parts.outside(part).map_or(0, |element| element.tag.index() as u64 + 1);
        let (_, tags) = tally(parts.parts.iter().map(|part| key(part, tag(part))).collect(), &mut groups);
        let keys = parts.parts.iter().zip(&self.appearance).map(|(part, &hash)| key(part, hash)).collect();
        let (similar, appearances) = tally(keys, &mut groups);
        self.similar = similar;
        let mut sums = vec![[0f64; 8]; count];
        for part in parts.parts.iter().skip(1) {
            let own = self.totals(part);
            let words = f64::from(own.words);
            let logarithm = words.ln_1p();
            let links = f64::from(own.link_words) / words.max(1.0);
            let sum = &mut sums[part.parent as usize];
            sum[0] += 1.0;
            sum[1] += logarithm;
            sum[2] += logarithm * logarithm;
            sum[3] += links;
            sum[4] += links * links;
            sum[5] = sum[5].max(words);
            sum[6] += f64::from(u8::from(self.atoms[part.start as usize].heading > 0));
            sum[7] += f64::from(u8::from(part.height > 1));
        }
        self.children = (0..count)
            .map(|at| {
                let [children, words, words2, links, links2, largest, headed, deep] = sums[at];
                if children == 0.0 {
                    return Children::default();
                }
                let spread = |sum: f64, squares: f64| (squares / children - (sum / children).powi(2)).max(0.0).sqrt() as f32;
                Children {
                    word_spread: spread(words, words2),
                    link_spread: spread(links, links2),
                    same_tag: (f64::from(tags[at]) / children) as f32,
                    same_appearance: (f64::from(appearances[at]) / children) as f32,
                    largest: (largest / f64::from(self.totals(&parts.parts[at]).words).max(1.0)) as f32,
                    headed: (headed / children) as f32,
                    deep: (deep / children) as f32,
                }
            })
            .collect();
    }
}

/// Whether a block starts in bold.
fn is_bold(blocks: Blocks<'_>, block: usize) -> bool {
    let Some(&run) = blocks.runs_of(block).first() else { return false };
    let mut at = blocks.dom().record(Blocks::run_node(run)).parent;
    for _ in 0..BOLD_ANCESTORS {
        let record = blocks.dom().record(at);
        match record.tag {
            Tag::B | Tag::STRONG | Tag::BIG | Tag::TH | Tag::DT => return true,
            Tag::A | Tag::SPAN | Tag::EM | Tag::I | Tag::FONT | Tag::U => at = record.parent,
            _ => return false,
        }
    }
    false
}
