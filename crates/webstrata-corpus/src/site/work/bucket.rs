//! Learns the sites of one bucket from their pages.

use super::{Before, WorkError, WorkOptions};
use crate::site::cache::Cache;
use crate::site::design::{Structure, designs};
use crate::site::digest::Digest;
use crate::site::facts::{FactsBuilder, SiteFacts};
use crate::site::file::FileError;
use crate::site::report::{DesignReport, SiteReport};
use crate::site::sample::SiteSample;
use crate::site::som::{Som, SomOptions};
use crate::site::spill::{self, SeenTwice};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Minimum number of pages for a site to be saved: site methods compare pages, and most sites of a crawl have only one.
const MIN_PAGES: u64 = 2;

/// The data learned about a site.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// The facts, as [`SiteFacts::to_bytes`] writes them; empty if there are too few pages to compare.
    pub facts: Vec<u8>,
    /// The sample of its pages; also empty in that case.
    pub sample: Vec<u8>,
    /// The [`SiteReport`] as JSON.
    pub report: String,
}

/// Learns one site from all of its pages, in any order, for programs that group pages by site themselves.
///
/// # Errors
/// If a digest cannot be read.
pub fn learn_site(
    name: &str,
    digests: impl IntoIterator<Item = Result<Digest, FileError>>,
    som: &SomOptions,
) -> Result<Known, FileError> {
    let mut builder = FactsBuilder::default();
    for digest in digests {
        builder.add(&digest?);
    }
    let sample = builder.sample().clone();
    let facts = builder.finish();
    let designs = vec![DesignReport::new(facts.som(), som)];
    Site { facts, sample, designs, cache: None }.known(name.to_owned())
}

/// The sites of a bucket.
pub(super) type Part = Vec<Known>;

/// Learns the sites of a bucket.
pub(super) fn evaluate(folder: &Path, bucket: usize, before: Option<&Before>, options: &WorkOptions) -> Result<Part, WorkError> {
    let path = spill::name(folder, bucket);
    let digests = || spill::read(folder, bucket).map_err(|error| WorkError::Io { path: path.clone(), error });
    let broken = |error| WorkError::File { path: path.clone(), error };
    let hash = |site: &str| xxh3_64(site.as_bytes());
    let mut twice: Option<SeenTwice> = None;
    let mut structures: BTreeMap<String, Vec<(u32, Structure)>> = BTreeMap::new();
    for digest in digests()? {
        let digest = digest.map_err(broken)?;
        let twice = twice.get_or_insert_with(SeenTwice::new);
        digest.fingerprints.iter().for_each(|&print| twice.add(hash(&digest.site), print));
        if options.by_design {
            structures.entry(digest.site.clone()).or_default().push((digest.number, Structure::new(&digest.tree)));
        }
    }
    let mut builders: BTreeMap<String, (FactsBuilder, BTreeMap<u32, Som>)> = BTreeMap::new();
    for (site, builder) in learned_before(before, bucket)? {
        builders.insert(site, (builder, BTreeMap::new()));
    }
    let mut design_of: BTreeMap<u32, u32> = BTreeMap::new();
    for pages in structures.values_mut() {
        pages.sort_by_key(|page| page.0);
        let (numbers, structures): (Vec<u32>, Vec<Structure>) = std::mem::take(pages).into_iter().unzip();
        design_of.extend(numbers.into_iter().zip(designs(&structures)));
    }
    if let Some(twice) = twice {
        for digest in digests()? {
            let digest = digest.map_err(broken)?;
            let (builder, soms) = builders.entry(digest.site.clone()).or_default();
            let site = hash(&digest.site);
            builder.add_if(&digest, |print| twice.may_have(site, print));
            if let Some(&design) = design_of.get(&digest.number) {
                soms.entry(design).or_default().add(digest.number, &digest.tree);
            }
        }
    }
    let mut sites: BTreeMap<String, Site> = BTreeMap::new();
    for (site, (builder, soms)) in builders {
        let sample = builder.sample().clone();
        let facts = builder.finish();
        let designs = if soms.is_empty() {
            vec![DesignReport::new(facts.som(), &options.som)]
        } else {
            soms.values().map(|som| DesignReport::new(som, &options.som)).collect()
        };
        sites.insert(site, Site { facts, sample, designs, cache: options.cache_savings.then(Cache::default) });
    }
    if options.cache_savings {
        for digest in digests()? {
            let digest = digest.map_err(broken)?;
            if let Some(Site { facts, cache: Some(cache), .. }) = sites.get_mut(&digest.site) {
                let blocks = digest.blocks();
                cache.add(&blocks, &facts.template().apply(&blocks));
            }
        }
    }
    sites.into_iter().map(|(name, site)| site.known(name).map_err(broken)).collect()
}

/// A site whose pages were all read.
struct Site {
    facts: SiteFacts,
    sample: SiteSample,
    designs: Vec<DesignReport>,
    cache: Option<Cache>,
}

impl Site {
    fn known(self, name: String) -> Result<Known, FileError> {
        let report = SiteReport {
            site: name.clone(),
            pages: self.facts.pages(),
            template_blocks: self.facts.template().len(),
            designs: self.designs,
            cache: self.cache.map(|cache| cache.savings()),
        };
        let saved = self.facts.pages() >= MIN_PAGES;
        Ok(Known {
            name,
            facts: if saved { self.facts.to_bytes()? } else { Vec::new() },
            sample: if saved { self.sample.to_bytes()? } else { Vec::new() },
            report: serde_json::to_string(&report).unwrap_or_default(),
        })
    }
}

/// The sites of a bucket that were learned before, ready for more pages.
fn learned_before(before: Option<&Before>, bucket: usize) -> Result<Vec<(String, FactsBuilder)>, WorkError> {
    let Some(before) = before else { return Ok(Vec::new()) };
    let read = |site: &str| -> Result<Option<FactsBuilder>, FileError> {
        let Some((facts, sample)) = before.evidence.site(site)?.zip(before.samples.section(site)?) else { return Ok(None) };
        Ok(Some(FactsBuilder::resume(facts, SiteSample::from_bytes(&sample)?)))
    };
    let mut builders = Vec::new();
    for site in before.evidence.sites().filter(|site| spill::bucket_of(site) == bucket) {
        let builder = read(site).map_err(|error| WorkError::File { path: before.folder.clone(), error })?;
        builders.extend(builder.map(|builder| (site.to_owned(), builder)));
    }
    Ok(builders)
}
