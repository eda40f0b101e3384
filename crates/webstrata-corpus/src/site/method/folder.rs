//! The folder written by `webstrata site`, read site by site as pages need it.
//!
//! The folder has `learned.json` (how pages were divided, and how many there are), `evidence` (each site's merged tree), `samples` (each
//! site's sample of pages) and `fingerprints` (how often segments occur in the whole corpus). Only the files that a method needs are opened.

use super::{MethodOptions, Prepared, SiteLabeller, SiteMethod};
use crate::site::blocks::BlockTags;
use crate::site::digest::site_of;
use crate::site::evidence::EvidenceFile;
use crate::site::file::FileError;
use crate::site::frequencies::Templates;
use crate::site::sample::SiteSample;
use crate::site::sections::SectionFile;
use crate::site::som::{PrunedSom, Som};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of prepared sites in memory: the pages of a crawl come more or less site by site.
const PREPARED_SITES: usize = 16;

/// First line of the file of samples.
pub(crate) const SAMPLES: &[u8] = b"webstrata samples 1\n";

/// Maximum size of `learned.json`.
const MAX_LEARNED: u64 = 1 << 16;

/// Why a page cannot be judged by its site.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SiteError {
    /// A file cannot be used.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// A description of the problem.
        reason: String,
    },
    /// Nothing was learned about the page's site.
    #[error("{} has nothing about {site}; learn it from at least two of its pages with `webstrata site`", folder.display())]
    Unknown {
        /// The folder.
        folder: PathBuf,
        /// The site.
        site: String,
    },
    /// The page has no address, and the folder has several sites.
    #[error("the page has no address to identify its site, and {} has several sites; give --base-url", folder.display())]
    NoAddress {
        /// The folder.
        folder: PathBuf,
    },
    /// The site was learned without shingles.
    #[error("{} has no shingles; learn the site again with `webstrata site --shingles`", folder.display())]
    NoShingles {
        /// The folder.
        folder: PathBuf,
    },
}

/// The pruned tree of a site.
pub type SomTree = PrunedSom<Arc<Som>>;

/// How the pages of a folder were learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LearnedInfo {
    pub(crate) version: u32,
    pub(crate) tags: BlockTags,
    pub(crate) shingles: bool,
    /// Pages that were read: later pages are numbered from here.
    pub(crate) pages: u32,
}

/// The version of [`LearnedInfo`].
pub(crate) const VERSION: u32 = 1;

impl LearnedInfo {
    /// Reads the description of a folder.
    pub(crate) fn read(folder: &Path) -> Result<LearnedInfo, SiteError> {
        let path = folder.join("learned.json");
        let wrong = |reason: String| SiteError::File { path: path.clone(), reason };
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(|error| wrong(format!("{error}; give a folder written by `webstrata site`")))?;
        file.take(MAX_LEARNED).read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
        let info: Option<LearnedInfo> = serde_json::from_slice(&bytes).ok();
        info.filter(|info| info.version == VERSION).ok_or_else(|| wrong(FileError::Kind.to_string()))
    }
}

/// A folder written by `webstrata site`, and the options of methods.
///
/// A page belongs to the site of its address. Without an address, it belongs to the only site in the folder.
#[derive(Debug)]
pub struct SiteFolder {
    folder: PathBuf,
    info: LearnedInfo,
    options: MethodOptions,
    evidence: EvidenceFile,
    samples: SectionFile,
    cache: Mutex<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    labellers: Recent<(SiteMethod, String), SiteLabeller>,
    trees: Recent<String, Arc<SomTree>>,
    templates: Option<Arc<Templates>>,
}

/// The values used last.
#[derive(Debug)]
struct Recent<K, V> {
    values: BTreeMap<K, V>,
    order: VecDeque<K>,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Recent { values: BTreeMap::new(), order: VecDeque::new() }
    }
}

impl<K: Ord + Clone, V: Clone> Recent<K, V> {
    fn insert(&mut self, key: K, value: V) {
        if self.values.insert(key.clone(), value).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > PREPARED_SITES {
            if let Some(oldest) = self.order.pop_front() {
                self.values.remove(&oldest);
            }
        }
    }
}

impl SiteFolder {
    /// Opens a folder.
    ///
    /// # Errors
    /// If it was not written by `webstrata site`, or is damaged.
    pub fn open(folder: &Path, options: MethodOptions) -> Result<SiteFolder, SiteError> {
        let info = LearnedInfo::read(folder)?;
        let in_folder = |name: &str| folder.join(name);
        let evidence = EvidenceFile::open(&in_folder("evidence")).map_err(file_error(in_folder("evidence")))?;
        let samples = SectionFile::open(&in_folder("samples"), SAMPLES).map_err(file_error(in_folder("samples")))?;
        Ok(SiteFolder { folder: folder.to_owned(), info, options, evidence, samples, cache: Mutex::default() })
    }

    /// Identifies the contents of the folder and these options: a resumed run must have the same.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        format!("{:016x} {:016x} {:?}", self.evidence.checksum(), self.samples.checksum(), self.options)
    }

    /// The site of a page with this address.
    ///
    /// # Errors
    /// If the folder does not have it.
    pub fn site(&self, address: Option<&str>) -> Result<String, SiteError> {
        let site = match address {
            Some(_) => site_of(address, ""),
            None => {
                let mut sites = self.evidence.sites();
                match (sites.next(), sites.next()) {
                    (Some(only), None) => only.to_owned(),
                    _ => return Err(SiteError::NoAddress { folder: self.folder.clone() }),
                }
            }
        };
        if self.evidence.has(&site) {
            return Ok(site);
        }
        Err(SiteError::Unknown {
            folder: self.folder.clone(),
            site: if site.is_empty() { address.unwrap_or("").to_owned() } else { site },
        })
    }

    /// The labeller for a page with this address.
    ///
    /// # Errors
    /// If the folder does not have its site, or a file is damaged.
    pub fn labeller(&self, method: SiteMethod, address: Option<&str>) -> Result<SiteLabeller, SiteError> {
        if method == SiteMethod::Fingerprints {
            let prepared = Prepared::fingerprints(self.templates()?, self.info.tags, self.options.template_frequency);
            return Ok(SiteLabeller::new(method, Arc::new(prepared)));
        }
        let site = self.site(address)?;
        let key = (method, site);
        if let Some(known) = self.cache().labellers.values.get(&key) {
            return Ok(known.clone());
        }
        // Read without the lock, because other threads need other sites. Two threads may prepare the same site, with the same result.
        let path = self.folder.join("samples");
        let bytes = self.samples.section(&key.1).map_err(file_error(path.clone()))?;
        let unknown = || SiteError::Unknown { folder: self.folder.clone(), site: key.1.clone() };
        let sample = SiteSample::from_bytes(&bytes.ok_or_else(unknown)?).map_err(file_error(path))?;
        let prepared = Prepared::new(method, &sample, self.info.tags, &self.options);
        let prepared = prepared.ok_or_else(|| SiteError::NoShingles { folder: self.folder.clone() })?;
        let labeller = SiteLabeller::new(method, Arc::new(prepared));
        self.cache().labellers.insert(key, labeller.clone());
        Ok(labeller)
    }

    /// The pruned tree of the site of a page with this address.
    ///
    /// # Errors
    /// If the folder does not have its site, or a file is damaged.
    pub fn som(&self, address: Option<&str>) -> Result<Arc<SomTree>, SiteError> {
        let site = self.site(address)?;
        if let Some(known) = self.cache().trees.values.get(&site) {
            return Ok(Arc::clone(known));
        }
        let facts = self.evidence.site(&site).map_err(file_error(self.folder.join("evidence")))?;
        let unknown = || SiteError::Unknown { folder: self.folder.clone(), site: site.clone() };
        let pruned = Arc::new(PrunedSom::new(Arc::clone(&facts.ok_or_else(unknown)?.som), &self.options.som));
        self.cache().trees.insert(site, Arc::clone(&pruned));
        Ok(pruned)
    }

    fn templates(&self) -> Result<Arc<Templates>, SiteError> {
        if let Some(known) = &self.cache().templates {
            return Ok(Arc::clone(known));
        }
        let path = self.folder.join("fingerprints");
        let templates = Arc::new(Templates::open(&path, self.options.template_frequency).map_err(file_error(path))?);
        self.cache().templates = Some(Arc::clone(&templates));
        Ok(templates)
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn file_error(path: PathBuf) -> impl FnOnce(FileError) -> SiteError {
    move |error| SiteError::File { path, reason: error.to_string() }
}
