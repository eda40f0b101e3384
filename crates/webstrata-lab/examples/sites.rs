//! Experiment: how much the other pages of a site improve extraction, compared with the methods of the TKDE paper.
//!
//! ```text
//! cargo run --release -p webstrata-lab --example sites -- SETS/daniel SETS/cleanportaleval
//! cargo run --release -p webstrata-lab --example sites -- --l-extractor SETS/own-articles SETS/own-pages
//! ```
//!
//! The second command prints the plane of the preset `l-extractor`: a linear C-SVC (C = 1) on all blocks of all pages, as in section 7 of
//! the paper.
//!
//! Pages are grouped by registrable domain; sites with fewer than five pages with gold are skipped. A site's evidence comes from its
//! own pages, without their gold. Word F1 is the mean over pages; b-P, b-R and b-F count blocks of GetBlockSet (html5 list), where a
//! block is content if half of its words are in the gold. Run times are totals over all pages, without parsing.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, reason = "a program for measuring")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use webstrata::block::GapModel;
use webstrata::content::TextOptions;
use webstrata::label::strata::{SiteEvidence, StrataLabeller};
use webstrata::label::trained::classifier::Svm;
use webstrata::label::{FeatureOptions, Winners};
use webstrata::segment::GetBlockSet;
use webstrata::{ExtractOptions, Page};
use webstrata_corpus::site::blocks::{Maxima, SiteBlock, block_set};
use webstrata_corpus::site::content_extractor::{ContentExtractor, ContentExtractorOptions};
use webstrata_corpus::site::digest::{Digest, site_of};
use webstrata_corpus::site::facts::{FactsBuilder, Signals};
use webstrata_corpus::site::lin_ho::{lin_ho, tables};
use webstrata_corpus::site::method::Places;
use webstrata_corpus::site::shingling::{ShingledPage, ShinglingOptions, shared_fragments};
use webstrata_lab::extract::score::PageScore;
use webstrata_lab::gold::set::{GoldPage, GoldSet};
use webstrata_lab::learn::column::Column;
use webstrata_lab::learn::dataset::{Classes, Dataset};
use webstrata_lab::learn::svm::{self, SvmOptions};
use webstrata_lab::metrics::words::Vocabulary;
use webstrata_lab::strata::align::shares;
use webstrata_lab::table::Table;

/// A page, the texts of its blocks, whether each is content, and the rows of its blocks.
type Sample<'g> = (&'g GoldPage, Vec<String>, Vec<Option<bool>>, Vec<usize>);

/// Minimum number of pages per site.
const MIN_PAGES: usize = 5;

/// A page of a site with its gold, parsed.
struct SitePage<'p> {
    gold: &'p GoldPage,
    page: Page<'p>,
    blocks: Vec<SiteBlock>,
    /// For each block: whether it is content according to the gold; `None` for a block without words.
    wanted: Vec<Option<bool>>,
}

/// Totals of a method.
#[derive(Default)]
struct Sums {
    f1: f64,
    precision: f64,
    recall: f64,
    pages: u32,
    right: u64,
    answered: u64,
    wanted: u64,
    time: Duration,
}

fn main() {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    if let [option, sets @ ..] = folders.as_slice()
        && option == "--l-extractor"
    {
        return print_plane(sets);
    }
    for folder in &folders {
        measure(&GoldSet::read(Path::new(folder)).expect("a set"));
    }
}

fn measure(set: &GoldSet) {
    let bytes: Vec<Vec<u8>> = set.pages.iter().map(|page| std::fs::read(&page.file).unwrap_or_default()).collect();
    let mut sites: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, page) in set.pages.iter().enumerate().filter(|(_, page)| page.gold_text.is_some()) {
        // Sets without addresses have the host between underscores in their ids.
        let host = page.id.split('_').find(|part| part.contains('.')).unwrap_or("unnamed");
        let address = page.url.clone().unwrap_or_else(|| format!("http://{host}/"));
        sites.entry(site_of(Some(&address), "unnamed")).or_default().push(at);
    }
    sites.retain(|_, pages| pages.len() >= MIN_PAGES);
    let mut methods: BTreeMap<String, Sums> = BTreeMap::new();
    let mut rows: Vec<(Vec<f32>, u8, u32, u32)> = Vec::new();
    let mut samples: Vec<Sample<'_>> = Vec::new();
    let mut pages_seen = 0;
    for pages in sites.values() {
        let known: Vec<SitePage<'_>> = pages.iter().map(|&at| SitePage::new(&set.pages[at], &bytes[at])).collect();
        pages_seen += known.len();
        measure_evidence(&known, &mut methods);
        measure_block_methods(&known, &mut methods);
        for page in &known {
            let maxima = Maxima::new(&page.blocks);
            let mut of_page = Vec::new();
            for (block, wanted) in page.blocks.iter().zip(&page.wanted) {
                of_page.push(rows.len());
                let values = maxima.shares(&block.values).iter().map(|&share| share as f32).collect();
                rows.push((values, u8::from(*wanted == Some(true)), 1, samples.len() as u32));
            }
            let texts = page.blocks.iter().map(|block| page.text_of(block)).collect();
            samples.push((page.gold, texts, page.wanted.clone(), of_page));
        }
    }
    l_extractor(&rows, &samples, &mut methods);
    println!("\n## {}: {} sites, {pages_seen} pages\n", set.name, sites.len());
    let mut table = Table::new(&["method", "word P", "word R", "word F1", "b-P", "b-R", "b-F", "ms"]);
    for (name, sums) in methods {
        let pages = f64::from(sums.pages.max(1));
        let (p, r) = (sums.right as f64 / sums.answered.max(1) as f64, sums.right as f64 / sums.wanted.max(1) as f64);
        let figures = [sums.precision / pages, sums.recall / pages, sums.f1 / pages, p, r, 2.0 * p * r / (p + r).max(1e-9)];
        let mut cells = vec![name.split_once(' ').map_or(name.as_str(), |(_, name)| name).to_owned()];
        cells.extend(figures.iter().map(|figure| format!("{figure:.3}")));
        cells.push(sums.time.as_millis().to_string());
        table.row(cells);
    }
    println!("{}", table.markdown());
}

/// Trains L-Extractor on all pages of some sets.
fn print_plane(sets: &[String]) {
    let mut rows: Vec<(Vec<f32>, u8, u32, u32)> = Vec::new();
    let mut pages = 0;
    for set in sets {
        let set = GoldSet::read(Path::new(set)).expect("a set");
        for gold in set.pages.iter().filter(|page| page.gold_text.is_some()) {
            let bytes = std::fs::read(&gold.file).unwrap_or_default();
            let page = SitePage::new(gold, &bytes);
            let maxima = Maxima::new(&page.blocks);
            for (block, wanted) in page.blocks.iter().zip(&page.wanted) {
                let values = maxima.shares(&block.values).iter().map(|&share| share as f32).collect();
                rows.push((values, u8::from(*wanted == Some(true)), 1, pages));
            }
            pages += 1;
        }
    }
    let columns = Column::all().into_iter().take(rows.first().map_or(0, |row| row.0.len())).collect();
    let data = Dataset::from_rows(columns, &rows, Classes::Two);
    let accuracy = |machine: &Svm, rows_of: &dyn Fn(u32) -> bool| {
        let of_rows: Vec<_> = rows.iter().filter(|row| rows_of(row.3)).collect();
        let right = of_rows.iter().filter(|row| machine.predict(&row.0) == usize::from(row.1)).count();
        (right, of_rows.len())
    };
    let (mut right, mut all) = (0, 0);
    for fold in 0..5 {
        let others: Vec<u32> = (0..rows.len() as u32).filter(|&row| rows[row as usize].3 % 5 != fold).collect();
        let (r, n) = accuracy(&svm::fit(&data, &others, &SvmOptions::default()), &|page| page % 5 == fold);
        (right, all) = (right + r, all + n);
    }
    let machine = svm::fit(&data, &data.rows(), &SvmOptions::default());
    println!("{pages} pages, {} blocks; accuracy {:.3} (5 folds)", rows.len(), right as f64 / all as f64);
    println!("{:?}", machine.planes());
}

impl<'p> SitePage<'p> {
    fn new(gold: &'p GoldPage, bytes: &'p [u8]) -> Self {
        let page = Page::parse(bytes);
        let blocks = block_set(&page, &GetBlockSet::html5());
        let mut known = SitePage { gold, page, blocks, wanted: Vec::new() };
        let mut vocabulary = Vocabulary::default();
        let words: Vec<Vec<u32>> = known.blocks.iter().map(|block| vocabulary.read(&known.text_of(block))).collect();
        let gold_words = vocabulary.read(gold.gold_text.as_deref().unwrap_or_default());
        let wanted = shares(&words, &gold_words);
        known.wanted = wanted.iter().zip(&words).map(|(&share, words)| (!words.is_empty()).then_some(share >= 0.5)).collect();
        known
    }

    fn text_of(&self, block: &SiteBlock) -> String {
        let atoms = self.page.blocks_by(GapModel::Tags);
        block.atoms.clone().filter_map(|atom| atoms.get(atom)).map(|atom| atom.text()).collect::<Vec<_>>().join(" ")
    }
}

impl Sums {
    fn add(&mut self, gold: &GoldPage, text: &str, wanted: &[Option<bool>], answer: &[bool]) {
        if let Some(words) = PageScore::new(gold, text).words {
            self.f1 += words.bag.f1();
            self.precision += words.bag.precision;
            self.recall += words.bag.recall;
            self.pages += 1;
        }
        for (wanted, answer) in wanted.iter().zip(answer).filter_map(|(wanted, answer)| Some(((*wanted)?, *answer))) {
            self.right += u64::from(wanted && answer);
            self.answered += u64::from(answer);
            self.wanted += u64::from(wanted);
        }
    }
}

/// Measures the learned labeller alone, and with each type of evidence.
fn measure_evidence(site: &[SitePage<'_>], methods: &mut BTreeMap<String, Sums>) {
    let none = Signals { fingerprints: 0.0, ibdf: 0.0, som: 0.0 };
    let strong = Signals { fingerprints: 6.0, ibdf: 6.0, som: 6.0 };
    let choices = [
        ("1 strata, page alone", none),
        ("2 strata + SOM", Signals { som: strong.som, ..none }),
        ("3 strata + IBDF", Signals { ibdf: strong.ibdf, ..none }),
        ("4 strata + fingerprints", Signals { fingerprints: strong.fingerprints, ..none }),
        ("5 strata + all", Signals::default()),
    ];
    let start = Instant::now();
    let mut builder = FactsBuilder::default();
    for (number, known) in (0..).zip(site) {
        builder.add(&Digest::new(&known.page, "site", number, &known.gold.id));
    }
    let judge = builder.finish().judge(none);
    let building = start.elapsed();
    for (name, signals) in choices {
        let sums = methods.entry(name.to_owned()).or_default();
        let start = Instant::now();
        let strata = StrataLabeller::shipped().unwrap();
        if signals == none {
            site.iter().for_each(|known| add_strata(known, strata, sums));
        } else {
            let evidence = judge.clone().with(signals).evidence();
            site.iter().for_each(|known| add_strata(known, strata.site(&evidence), sums));
        }
        sums.time += start.elapsed() + if signals == none { Duration::ZERO } else { building };
    }
    let mut exact = SiteEvidence::default();
    site.iter().for_each(|known| exact.add(known.page.blocks()));
    let sums = methods.entry("6 strata + exact text of blocks".to_owned()).or_default();
    let start = Instant::now();
    site.iter().for_each(|known| add_strata(known, StrataLabeller::shipped().unwrap().site(&exact), sums));
    sums.time += start.elapsed();
}

fn add_strata(known: &SitePage<'_>, labeller: StrataLabeller<'_>, sums: &mut Sums) {
    let text = known.page.extract_by(&labeller, &ExtractOptions::default()).text_with(&TextOptions::BARE);
    let labels = known.page.label(&labeller);
    let kept: std::collections::BTreeSet<usize> = known
        .page
        .blocks()
        .iter()
        .filter(|block| labels.verdict(block.index()).content)
        .flat_map(|block| block.runs().map(|run| run.index()).collect::<Vec<_>>())
        .collect();
    let atoms = known.page.blocks_by(GapModel::Tags);
    let answer = known.blocks.iter().map(|block| {
        let (mut inside, mut all) = (0, 0);
        for atom in block.atoms.clone().filter_map(|atom| atoms.get(atom)) {
            all += atom.counts().words;
            inside += atom.counts().words * u32::from(atom.runs().any(|run| kept.contains(&run.index())));
        }
        all > 0 && 2 * inside >= all
    });
    sums.add(known.gold, &text, &known.wanted, &answer.collect::<Vec<_>>());
}

/// Measures the methods of the TKDE paper and its baselines.
fn measure_block_methods(site: &[SitePage<'_>], methods: &mut BTreeMap<String, Sums>) {
    let blocks: Vec<&[SiteBlock]> = site.iter().map(|known| known.blocks.as_slice()).collect();
    judge(site, methods, "a ContentExtractor", || ContentExtractor::default().run(&blocks).content);
    judge(site, methods, "b ContentExtractor, template of 5 pages", || {
        let template = ContentExtractor::default().run(&blocks[..blocks.len().min(5)]).template;
        blocks.iter().map(|page| template.apply(page)).collect()
    });
    judge(site, methods, "b2 ContentExtractor, fixed places", || {
        let places = Places::new(&blocks, ContentExtractorOptions::paper());
        (0..).zip(&blocks).map(|(number, page)| places.content(page, Some(number))).collect()
    });
    judge(site, methods, "c LH on blocks", || lin_ho(&blocks).content);
    judge(site, methods, "d LH on tables", || {
        let pages: Vec<Vec<SiteBlock>> = site.iter().map(|known| block_set(&known.page, &tables())).collect();
        let content = lin_ho(&pages).content;
        site.iter().zip(pages.iter().zip(content)).map(|(known, (parts, content))| known.map_verdicts(parts, &content)).collect()
    });
    judge(site, methods, "e Shingling", || {
        let options = ShinglingOptions::default();
        let pages: Vec<ShingledPage> = site.iter().map(|known| ShingledPage::new(&known.page, &options)).collect();
        let content = shared_fragments(&pages, &options);
        let of_block = |block: &SiteBlock, content: &[bool]| content[block.atoms.clone()].iter().any(|&c| c);
        site.iter().zip(&content).map(|(known, c)| known.blocks.iter().map(|block| of_block(block, c)).collect()).collect()
    });
    judge(site, methods, "f FeatureExtractor", || blocks.iter().map(|page| by_features(page, Winners::Best)).collect());
    judge(site, methods, "g K-FeatureExtractor", || blocks.iter().map(|page| by_features(page, Winners::Cluster)).collect());
    judge(site, methods, "i keep everything", || blocks.iter().map(|page| vec![true; page.len()]).collect());
}

/// The verdicts of FeatureExtractor or K-FeatureExtractor.
fn by_features(blocks: &[SiteBlock], winners: Winners) -> Vec<bool> {
    let counts: Vec<_> = blocks.iter().map(|block| block.values).collect();
    let content = FeatureOptions::default().winners(&counts, winners);
    (0..blocks.len()).map(|block| content.binary_search(&block).is_ok()).collect()
}

impl SitePage<'_> {
    /// Maps verdicts on other parts to blocks: a block gets the verdict of the part it starts in.
    fn map_verdicts(&self, parts: &[SiteBlock], content: &[bool]) -> Vec<bool> {
        let of_block = |block: &SiteBlock| {
            let part = parts.partition_point(|part| part.atoms.end <= block.atoms.start);
            content.get(part).copied().unwrap_or(false)
        };
        self.blocks.iter().map(of_block).collect()
    }
}

fn judge(site: &[SitePage<'_>], methods: &mut BTreeMap<String, Sums>, name: &str, run: impl FnOnce() -> Vec<Vec<bool>>) {
    let sums = methods.entry(name.to_owned()).or_default();
    let start = Instant::now();
    let content = run();
    sums.time += start.elapsed();
    for (known, content) in site.iter().zip(&content) {
        let kept = known.blocks.iter().zip(content).filter(|(_, content)| **content).map(|(block, _)| known.text_of(block));
        sums.add(known.gold, &kept.collect::<Vec<_>>().join("\n"), &known.wanted, content);
    }
}

/// L-Extractor: a linear C-SVC (C = 1) on the features of blocks, by 5-fold cross-validation over pages.
#[allow(clippy::type_complexity, reason = "used only here")]
fn l_extractor(
    rows: &[(Vec<f32>, u8, u32, u32)],
    pages: &[(&GoldPage, Vec<String>, Vec<Option<bool>>, Vec<usize>)],
    methods: &mut BTreeMap<String, Sums>,
) {
    // The learner uses only the values; the names of the columns do not matter.
    let columns = Column::all().into_iter().take(rows.first().map_or(0, |row| row.0.len())).collect();
    let data = Dataset::from_rows(columns, rows, Classes::Two);
    let sums = methods.entry("h L-Extractor, 5 folds".to_owned()).or_default();
    let start = Instant::now();
    let machines: Vec<Svm> = (0..5)
        .map(|fold| {
            let others: Vec<u32> = (0..rows.len() as u32).filter(|&row| rows[row as usize].3 % 5 != fold).collect();
            svm::fit(&data, &others, &SvmOptions::default())
        })
        .collect();
    for (number, (gold, texts, wanted, of_page)) in pages.iter().enumerate() {
        let answer: Vec<bool> = of_page.iter().map(|&row| machines[number % 5].predict(&rows[row].0) == 1).collect();
        let kept: Vec<&str> = texts.iter().zip(&answer).filter(|(_, kept)| **kept).map(|(text, _)| text.as_str()).collect();
        sums.add(gold, &kept.join("\n"), wanted, &answer);
    }
    sums.time += start.elapsed();
}
