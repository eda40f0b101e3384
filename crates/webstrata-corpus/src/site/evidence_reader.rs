//! Reads site evidence for a run: site by site, from several threads, with some sites cached in memory.

use super::evidence::EvidenceFile;
use super::facts::{Signals, SiteJudge};
use super::file::FileError;
use super::som::PageTree;
use crate::run::Evidence;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use webstrata::Page;
use webstrata::label::strata::SiteEvidence;
use webstrata::segment::Segments;

/// Number of sites cached in memory: the pages of a crawl come more or less site by site.
const CACHED_SITES: usize = 64;

/// Reads sites from an evidence file.
#[derive(Debug)]
pub struct EvidenceReader {
    file: EvidenceFile,
    signals: Signals,
    cache: Mutex<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    sites: BTreeMap<String, Option<CachedSite>>,
    order: VecDeque<String>,
    /// The error of the first site that could not be read.
    first_error: Option<String>,
}

#[derive(Clone, Debug)]
struct CachedSite {
    evidence: Arc<SiteEvidence>,
    judge: Arc<SiteJudge>,
}

impl EvidenceReader {
    /// Opens a file written by `webstrata site`.
    ///
    /// # Errors
    /// If it cannot be read, is not an evidence file, or is damaged.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Ok(EvidenceReader { file: EvidenceFile::open(path)?, signals: Signals::default(), cache: Mutex::default() })
    }

    /// The first site that could not be read, and why. Its pages are extracted without evidence.
    #[must_use]
    pub fn first_error(&self) -> Option<String> {
        self.cache().first_error.clone()
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cached(&self, domain: &str) -> Option<CachedSite> {
        if let Some(site) = self.cache().sites.get(domain) {
            return site.clone();
        }
        // Read without the lock, because other threads need other sites. Two threads may read the same site, with the same result.
        let read = self.file.site(domain);
        let mut cache = self.cache();
        let site = match read {
            Ok(facts) => facts.map(|facts| {
                let judge = Arc::new(facts.judge(self.signals));
                CachedSite { evidence: Arc::new(SiteEvidence::from_signals(Arc::<SiteJudge>::clone(&judge))), judge }
            }),
            Err(error) => {
                cache.first_error.get_or_insert_with(|| format!("{domain}: {error}"));
                None
            }
        };
        if cache.sites.insert(domain.to_owned(), site.clone()).is_none() {
            cache.order.push_back(domain.to_owned());
        }
        while cache.order.len() > CACHED_SITES {
            if let Some(oldest) = cache.order.pop_front() {
                cache.sites.remove(&oldest);
            }
        }
        site
    }
}

impl Evidence for EvidenceReader {
    fn site(&self, domain: &str) -> Option<Arc<SiteEvidence>> {
        self.cached(domain).map(|site| site.evidence)
    }

    /// A segment that spans several classes gets the class with most of its words.
    fn classes(&self, domain: &str, _page: &Page<'_>, segments: &Segments<'_>) -> Option<Vec<Option<String>>> {
        let site = self.cached(domain)?;
        let pruned = site.judge.pruned();
        let atoms = segments.blocks();
        let tree = PageTree::from_blocks(atoms);
        let mut class_of = vec![None; tree.nodes.len()];
        for segment in pruned.segments(&tree) {
            segment.leaves.iter().for_each(|&leaf| class_of[leaf] = segment.class);
        }
        let of_segment = |numbers: std::ops::Range<usize>| {
            let mut words: BTreeMap<usize, u32> = BTreeMap::new();
            for atom in numbers.filter_map(|number| atoms.get(number)) {
                let leaf = atom.runs().next().and_then(|run| tree.leaf_of(run));
                if let Some(class) = leaf.and_then(|leaf| class_of[leaf]) {
                    *words.entry(class).or_default() += atom.counts().words;
                }
            }
            let most = words.into_iter().max_by_key(|&(class, words)| (words, std::cmp::Reverse(class)));
            most.and_then(|(class, _)| pruned.classes().get(class)).map(|class| class.label.clone())
        };
        Some(segments.iter().map(|segment| of_segment(segment.block_numbers())).collect())
    }

    fn fingerprint(&self) -> String {
        format!("{:016x} {:?}", self.file.checksum(), self.signals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::digest::Digest;
    use crate::site::evidence::EvidenceWriter;
    use crate::site::facts::FactsBuilder;
    use webstrata::segment::Method;

    #[test]
    fn sites_and_classes_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evidence");
        let mut writer = EvidenceWriter::create(&path).unwrap();
        let html =
            |n: u32| format!("<div id=menu><a href=/>Home</a></div><h1>Title</h1><p>Text {} here.", "y".repeat(n as usize + 1));
        for site in 0..100 {
            let name = format!("site{site}.org");
            let mut builder = FactsBuilder::default();
            (0..5).for_each(|n| builder.add(&Digest::new(&Page::parse(html(n).as_bytes()), &name, n, "x")));
            writer.add(&name, &builder.finish().to_bytes().unwrap()).unwrap();
        }
        writer.finish().unwrap();
        let reader = EvidenceReader::open(&path).unwrap();
        assert!(reader.site("other.org").is_none());
        for round in 0..2 {
            for site in 0..100 {
                assert!(reader.site(&format!("site{site}.org")).is_some(), "{round}");
            }
        }
        assert!(reader.cache().sites.len() <= CACHED_SITES && reader.first_error().is_none());
        let unseen = html(40);
        let page = Page::parse(unseen.as_bytes());
        let classes = reader.classes("site7.org", &page, &page.segments(Method::TagGap)).unwrap();
        let labels: Vec<&str> = classes.iter().map(|class| class.as_deref().unwrap()).collect();
        assert_eq!(labels, ["a/href/div/id/body/html", "h1/body/html", "p/body/html"]);
        assert_eq!(reader.fingerprint(), EvidenceReader::open(&path).unwrap().fingerprint());
    }
}
