//! A file of site evidence as a run asks it: site by site, from several threads, with some sites kept in memory.

use super::evidence::EvidenceFile;
use super::facts::{Signals, SiteJudge};
use super::file::FileError;
use super::som::PageTree;
use crate::pipeline::Evidence;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use webstrata::Page;
use webstrata::label::strata::SiteEvidence;
use webstrata::segment::Segments;

/// Sites that are kept in memory: crawls come site by site, more or less.
const KEPT: usize = 64;

/// The sites of a file of evidence.
#[derive(Debug)]
pub struct KnownSites {
    file: EvidenceFile,
    signals: Signals,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    sites: BTreeMap<String, Option<Known>>,
    order: VecDeque<String>,
    /// What was wrong with the first site that could not be read.
    trouble: Option<String>,
}

#[derive(Clone, Debug)]
struct Known {
    evidence: Arc<SiteEvidence>,
    judge: Arc<SiteJudge>,
}

impl KnownSites {
    /// Opens a file that `webstrata site` wrote.
    ///
    /// # Errors
    /// When it cannot be read, is something else, or damaged.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Ok(KnownSites { file: EvidenceFile::open(path)?, signals: Signals::default(), kept: Mutex::default() })
    }

    /// The first site that could not be read, and why. Its pages are extracted as if nothing were known of it.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.kept().trouble.clone()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, domain: &str) -> Option<Known> {
        if let Some(known) = self.kept().sites.get(domain) {
            return known.clone();
        }
        // Read without the lock: other threads have other sites. Two may read the same one, and read the same.
        let read = self.file.site(domain);
        let mut kept = self.kept();
        let known = match read {
            Ok(facts) => facts.map(|facts| {
                let judge = Arc::new(facts.judge(self.signals));
                Known { evidence: Arc::new(SiteEvidence::from_signals(Arc::<SiteJudge>::clone(&judge))), judge }
            }),
            Err(error) => {
                kept.trouble.get_or_insert_with(|| format!("{domain}: {error}"));
                None
            }
        };
        if kept.sites.insert(domain.to_owned(), known.clone()).is_none() {
            kept.order.push_back(domain.to_owned());
        }
        while kept.order.len() > KEPT {
            if let Some(oldest) = kept.order.pop_front() {
                kept.sites.remove(&oldest);
            }
        }
        known
    }
}

impl Evidence for KnownSites {
    fn site(&self, domain: &str) -> Option<Arc<SiteEvidence>> {
        self.known(domain).map(|known| known.evidence)
    }

    /// Of a segment that lies in several classes the one with most of its words counts.
    fn classes(&self, domain: &str, _page: &Page<'_>, segments: &Segments<'_>) -> Option<Vec<Option<String>>> {
        let known = self.known(domain)?;
        let pruned = known.judge.pruned();
        let atoms = segments.blocks();
        let tree = PageTree::of(atoms);
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
        format!("{:016x} {:?}", self.file.sum(), self.signals)
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
    fn a_run_asks_for_sites_and_classes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evidence");
        let mut writer = EvidenceWriter::create(&path).unwrap();
        let html =
            |n: u32| format!("<div id=menu><a href=/>Home</a></div><h1>Title</h1><p>Text {} here.", "y".repeat(n as usize + 1));
        for site in 0..100 {
            let name = format!("site{site}.org");
            let mut builder = FactsBuilder::default();
            (0..5).for_each(|n| builder.add(&Digest::of(&Page::parse(html(n).as_bytes()), &name, n, "x")));
            writer.add(&name, &builder.finish().to_bytes().unwrap()).unwrap();
        }
        writer.finish().unwrap();
        let known = KnownSites::open(&path).unwrap();
        assert!(known.site("other.org").is_none());
        for round in 0..2 {
            for site in 0..100 {
                assert!(known.site(&format!("site{site}.org")).is_some(), "{round}");
            }
        }
        assert!(known.kept().sites.len() <= KEPT && known.trouble().is_none());
        let unseen = html(40);
        let page = Page::parse(unseen.as_bytes());
        let classes = known.classes("site7.org", &page, &page.segments(Method::TagGap)).unwrap();
        let labels: Vec<&str> = classes.iter().map(|class| class.as_deref().unwrap()).collect();
        assert_eq!(labels, ["a/href/div/id/body/html", "h1/body/html", "p/body/html"]);
        assert_eq!(known.fingerprint(), KnownSites::open(&path).unwrap().fingerprint());
    }
}
