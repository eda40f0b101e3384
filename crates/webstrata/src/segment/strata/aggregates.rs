//! What is summed up over blocks, elements and the children of parts before any gap is looked at.

use super::hints::{Names, names};
use super::parts::{NONE, Part, Parts};
use crate::block::outline::{Within, group_equal_keys, splitmix64};
use crate::block::{Blocks, Context};
use crate::html::Tag;

/// An atom is long from so many words on, if less than half of them are linked.
const LONG: u32 = 12;

/// Children whose tags make the pattern of a part.
const PATTERN: u32 = 6;

/// Steps up from a run of text to look for bold letters.
const STEPS: usize = 4;

/// Kinds of elements that are counted inside parts.
pub(super) const COUNTED: [&str; 8] = ["paragraphs", "lists", "items", "tables", "rows", "headings", "boxes", "forms"];

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

/// What an atom is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Atom {
    pub(super) words: u32,
    pub(super) links: u32,
    pub(super) chars: u32,
    pub(super) lines: u32,
    /// Level of the heading that it stands in, 0 for none.
    pub(super) heading: u8,
    /// Its first letters are bold.
    pub(super) bold: bool,
}

/// Aggregates over all atoms before one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    pub(super) words: u32,
    pub(super) links: u32,
    pub(super) chars: u32,
    pub(super) headings: u32,
    pub(super) long: u32,
    pub(super) link_runs: u32,
    pub(super) bold: u32,
}

/// How the children of a part are alike.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Children {
    /// Spread of their words (of the logarithms) and of their shares of links.
    pub(super) words: f32,
    pub(super) links: f32,
    /// Share of the children with the commonest tag, with the commonest look.
    pub(super) same_tag: f32,
    pub(super) same_look: f32,
    /// Share of the words in the largest.
    pub(super) largest: f32,
    /// Share of the children that begin with a heading, that are higher than a row of text.
    pub(super) headed: f32,
    pub(super) high: f32,
}

/// All sums.
#[derive(Debug, Default)]
pub(super) struct Aggregates {
    pub(super) atoms: Vec<Atom>,
    pub(super) before: Vec<Before>,
    /// By element: those counted before it.
    counts: Vec<[u32; COUNTED.len()]>,
    pub(super) names: Vec<Names>,
    /// By part: tag and class as a number.
    pub(super) looks: Vec<u64>,
    /// By part: its tag and those of its first children as a number.
    pub(super) patterns: Vec<u64>,
    /// By part: siblings with its look, itself included.
    pub(super) alike: Vec<u32>,
    pub(super) children: Vec<Children>,
}

impl Aggregates {
    pub(super) fn new(blocks: Blocks<'_>, parts: &Parts) -> Self {
        let mut sums = Aggregates { names: names(blocks, parts), ..Aggregates::default() };
        sums.add_atoms(blocks, parts);
        sums.add_elements(parts);
        sums.find_looks(parts);
        sums.find_children(parts);
        sums
    }

    fn add_atoms(&mut self, blocks: Blocks<'_>, parts: &Parts) {
        let mut sum = Before::default();
        self.before.push(sum);
        for pair in parts.atoms.windows(2) {
            let mut atom = Atom::default();
            let mut link_runs = 0;
            for at in pair[0] as usize..pair[1] as usize {
                let record = &blocks.records()[at];
                atom.words = atom.words.saturating_add(record.counts.words);
                atom.links = atom.links.saturating_add(record.counts.link_words);
                atom.chars = atom.chars.saturating_add(record.counts.chars);
                atom.lines = atom.lines.saturating_add(record.counts.lines);
                link_runs += blocks.runs_of(at).iter().filter(|&&run| Blocks::run_is_linked(run)).count() as u32;
            }
            let first = pair[0] as usize;
            let holder = parts.outline.innermost.get(first).map(|&holder| parts.outline.elements[holder as usize]);
            // A mask that hides headings hides them here too.
            if holder.is_some_and(|element| element.within.has(Within::HEADING)) {
                let context = blocks.records()[first].context;
                atom.heading = (1..=6u8).find(|&level| context.contains(Context::heading(level))).unwrap_or(6);
            }
            atom.bold = is_bold(blocks, first);
            sum.words = sum.words.saturating_add(atom.words);
            sum.links = sum.links.saturating_add(atom.links);
            sum.chars = sum.chars.saturating_add(atom.chars);
            sum.headings = sum.headings.saturating_add(if atom.heading > 0 { atom.words } else { 0 });
            sum.bold = sum.bold.saturating_add(if atom.bold { atom.words } else { 0 });
            let long = atom.words >= LONG && atom.links.saturating_mul(2) < atom.words;
            sum.long = sum.long.saturating_add(if long { atom.words } else { 0 });
            sum.link_runs = sum.link_runs.saturating_add(link_runs);
            self.atoms.push(atom);
            self.before.push(sum);
        }
    }

    fn add_elements(&mut self, parts: &Parts) {
        let mut sum = [0u32; COUNTED.len()];
        self.counts.reserve(parts.outline.elements.len() + 1);
        self.counts.push(sum);
        for element in &parts.outline.elements {
            if let Some(kind) = counted(element.tag) {
                sum[kind] += 1;
            }
            self.counts.push(sum);
        }
    }

    /// How many elements of each kind are in a part.
    pub(super) fn counts_in(&self, parts: &Parts, part: &Part) -> [u32; COUNTED.len()] {
        if part.top == NONE {
            return [0; COUNTED.len()];
        }
        let behind = parts.subtree[part.top as usize] as usize;
        let (before, after) = (&self.counts[part.top as usize], &self.counts[behind]);
        std::array::from_fn(|kind| after[kind] - before[kind])
    }

    /// The sums over the atoms of a part.
    pub(super) fn of(&self, part: &Part) -> Before {
        let (start, end) = (&self.before[part.start as usize], &self.before[part.end as usize]);
        Before {
            words: end.words - start.words,
            links: end.links - start.links,
            chars: end.chars - start.chars,
            headings: end.headings - start.headings,
            long: end.long - start.long,
            link_runs: end.link_runs - start.link_runs,
            bold: end.bold - start.bold,
        }
    }

    fn find_looks(&mut self, parts: &Parts) {
        let tag = |part: &Part| parts.outside(part).map_or(0, |element| element.tag.index() as u64 + 1);
        self.looks = parts.parts.iter().zip(&self.names).map(|(part, names)| splitmix64(tag(part)) ^ names.class).collect();
        self.patterns = parts.parts.iter().map(|part| splitmix64(tag(part))).collect();
        for gap in &parts.gaps {
            for child in [gap.left, gap.right] {
                let part = &parts.parts[child as usize];
                // Every child but the first stands to the right of one gap of its parent.
                if (child == gap.right || part.place == 0) && part.place < PATTERN {
                    let pattern = &mut self.patterns[gap.outer as usize];
                    *pattern = splitmix64(*pattern ^ tag(part));
                }
            }
        }
    }

    fn find_children(&mut self, parts: &Parts) {
        let count = parts.parts.len();
        let mut groups = Vec::new();
        // By part: the size of its group among its siblings, and by parent: that of the largest.
        let tally = |keys: Vec<u64>, groups: &mut Vec<u32>| {
            let mut sizes = vec![0u32; group_equal_keys(&keys, groups)];
            groups.iter().for_each(|&group| sizes[group as usize] += 1);
            let own: Vec<u32> = groups.iter().map(|&group| sizes[group as usize]).collect();
            let mut most = vec![0u32; count];
            for (part, &size) in parts.parts.iter().zip(&own).skip(1) {
                let most = &mut most[part.parent as usize];
                *most = size.max(*most);
            }
            (own, most)
        };
        let key = |part: &Part, look: u64| splitmix64(u64::from(part.parent) ^ splitmix64(look));
        let tag = |part: &Part| parts.outside(part).map_or(0, |element| element.tag.index() as u64 + 1);
        let (_, tags) = tally(parts.parts.iter().map(|part| key(part, tag(part))).collect(), &mut groups);
        let looks = parts.parts.iter().zip(&self.looks).map(|(part, &look)| key(part, look)).collect();
        let (alike, looks) = tally(looks, &mut groups);
        self.alike = alike;
        let mut sums = vec![[0f64; 8]; count];
        for part in parts.parts.iter().skip(1) {
            let own = self.of(part);
            let words = f64::from(own.words);
            let logarithm = words.ln_1p();
            let links = f64::from(own.links) / words.max(1.0);
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
                let [children, words, words2, links, links2, largest, headed, high] = sums[at];
                if children == 0.0 {
                    return Children::default();
                }
                let spread = |sum: f64, squares: f64| (squares / children - (sum / children).powi(2)).max(0.0).sqrt() as f32;
                Children {
                    words: spread(words, words2),
                    links: spread(links, links2),
                    same_tag: (f64::from(tags[at]) / children) as f32,
                    same_look: (f64::from(looks[at]) / children) as f32,
                    largest: (largest / f64::from(self.of(&parts.parts[at]).words).max(1.0)) as f32,
                    headed: (headed / children) as f32,
                    high: (high / children) as f32,
                }
            })
            .collect();
    }
}

/// Are the first letters of a block bold?
fn is_bold(blocks: Blocks<'_>, block: usize) -> bool {
    let Some(&run) = blocks.runs_of(block).first() else { return false };
    let mut at = blocks.dom().record(Blocks::run_node(run)).parent;
    for _ in 0..STEPS {
        let record = blocks.dom().record(at);
        match record.tag {
            Tag::B | Tag::STRONG | Tag::BIG | Tag::TH | Tag::DT => return true,
            Tag::A | Tag::SPAN | Tag::EM | Tag::I | Tag::FONT | Tag::U => at = record.parent,
            _ => return false,
        }
    }
    false
}
