//! A site method as a labeller of pages: verdicts on parts of a page become verdicts on its blocks.

use super::SiteMethod;
use super::prepared::{PartVerdict, Prepared};
use std::sync::Arc;
use webstrata::block::{BlockTable, Blocks, GapModel};
use webstrata::label::{Explanation, Input, Labeller, Labels, StageInfo, Verdict};

/// Labels the pages of a site by a method that was prepared for it.
///
/// ```
/// use webstrata::Page;
/// use webstrata_corpus::site::method::{Prepared, SiteLabeller, SiteMethod};
/// use webstrata_corpus::site::sample::{SamplePage, SiteSample};
/// let html = |text: &str| format!("<div><a href=/>Home</a> <a href=/n>News</a></div><p>{text}</p>");
/// let mut sample = SiteSample::default();
/// for (number, text) in (0..).zip(["It rains in the valley.", "Snow fell on Tuesday night."]) {
///     sample.add(number, SamplePage::new(&Page::parse(html(text).as_bytes()), &Default::default()));
/// }
/// let prepared = Prepared::new(SiteMethod::ContentExtractor, &sample, Default::default(), &Default::default()).unwrap();
/// let labeller = SiteLabeller::new(SiteMethod::ContentExtractor, prepared.into());
/// let later = html("The sun is back again.");
/// let page = Page::parse(later.as_bytes());
/// assert_eq!(page.label(&labeller).content().collect::<Vec<_>>(), [1]);
/// assert_eq!(page.explain(&labeller).why(0), "content-extractor: boilerplate: IBDF 0.33 <= 0.50: 2 of 2 other pages have this block");
/// ```
#[derive(Clone, Debug)]
pub struct SiteLabeller {
    method: SiteMethod,
    prepared: Arc<Prepared>,
}

impl SiteLabeller {
    /// The labeller of a method that was prepared for a site.
    #[must_use]
    pub fn new(method: SiteMethod, prepared: Arc<Prepared>) -> Self {
        SiteLabeller { method, prepared }
    }

    /// For each block: its verdict, and the part of the page with most of its words.
    fn judge(&self, blocks: Blocks<'_>) -> Vec<(bool, Option<PartVerdict>)> {
        let table = BlockTable::new(blocks.dom(), &blocks.options().gaps(GapModel::Tags));
        let atoms = table.with(blocks.dom());
        let mut parts = self.prepared.judge(atoms);
        parts.retain(|part| !part.atoms.is_empty());
        // By text node, ascending: the part it is in, and the words of its atom; an atom is listed at its first text node.
        let mut runs: Vec<(usize, usize, u32)> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            for atom in part.atoms.clone().filter_map(|atom| atoms.get(atom)) {
                let mut words = atom.counts().words.max(1);
                for run in atom.runs() {
                    runs.push((run.index(), at, std::mem::take(&mut words)));
                }
            }
        }
        runs.sort_unstable();
        let judge = |block: webstrata::block::Block<'_>| {
            let mut votes: Vec<(usize, u32)> = Vec::new();
            for run in block.runs() {
                let Ok(at) = runs.binary_search_by_key(&run.index(), |run| run.0) else { continue };
                let (_, part, words) = runs[at];
                match votes.last_mut() {
                    Some((last, sum)) if *last == part => *sum += words,
                    _ => votes.push((part, words)),
                }
            }
            let content: u32 = votes.iter().filter(|(part, _)| parts[*part].content).map(|(_, words)| words).sum();
            let all: u32 = votes.iter().map(|(_, words)| words).sum();
            let kept = content > 0 && 2 * u64::from(content) >= u64::from(all);
            let agree = votes.into_iter().filter(|(part, _)| parts[*part].content == kept);
            let largest = agree.max_by_key(|&(part, words)| (words, std::cmp::Reverse(part))).map(|(part, _)| parts[part].clone());
            (kept, largest)
        };
        blocks.iter().map(judge).collect()
    }

    fn info(&self) -> &'static StageInfo {
        match self.method {
            SiteMethod::ContentExtractor => &CONTENT_EXTRACTOR,
            SiteMethod::ContentExtractorPlaces => &PLACES,
            SiteMethod::LinHo => &LIN_HO,
            SiteMethod::LinHoTables => &LIN_HO_TABLES,
            SiteMethod::Shingling => &SHINGLING,
            SiteMethod::Fingerprints => &FINGERPRINTS,
        }
    }
}

static CONTENT_EXTRACTOR: StageInfo =
    StageInfo { name: "content-extractor", source: "Debnath et al. 2005, Algorithms 1 and 2", rules: &[] };
static PLACES: StageInfo = StageInfo { name: "content-extractor-places", source: "Debnath et al. 2005, 4.4.2", rules: &[] };
static LIN_HO: StageInfo = StageInfo { name: "lin-ho", source: "Lin and Ho 2002", rules: &[] };
static LIN_HO_TABLES: StageInfo = StageInfo { name: "lin-ho-tables", source: "Lin and Ho 2002", rules: &[] };
static SHINGLING: StageInfo = StageInfo { name: "shingling", source: "Ramaswamy et al. 2004", rules: &[] };
static FINGERPRINTS: StageInfo = StageInfo { name: "fingerprints", source: "Kohlschütter's thesis, 4.3.3", rules: &[] };

impl Labeller for SiteLabeller {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn label(&self, input: &Input<'_>) -> Labels {
        self.judge(input.blocks).into_iter().map(|(content, _)| Verdict { content, title: false }).collect()
    }

    fn explain(&self, input: &Input<'_>) -> Explanation<'static> {
        let verdicts = self.judge(input.blocks);
        let why = |(content, part): &(bool, Option<PartVerdict>)| {
            let verdict = if *content { "content" } else { "boilerplate" };
            let why = part.as_ref().map(|part| part.why.to_string()).unwrap_or_default();
            format!("{}: {verdict}: {why}", self.method)
        };
        let reasons = verdicts.iter().map(why).collect();
        let labels = verdicts.iter().map(|&(content, _)| Verdict { content, title: false }).collect();
        Explanation::from_reasons(labels, self.info(), reasons)
    }
}
