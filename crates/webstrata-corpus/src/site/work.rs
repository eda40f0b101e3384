//! Learns all sites of a crawl in bounded memory, resumable at any moment: the pages' digests are written to disk by site
//! (`spill.rs`), then one bucket of sites after another is evaluated.
//!
//! The file `state.json` in the work folder records the progress. It is replaced atomically, after what it refers to is on disk. Whatever
//! came later is done again, with the same result.

use super::cache::Cache;
use super::design::{Structure, designs};
use super::digest::Digest;
use super::evidence::EvidenceWriter;
use super::facts::{FactsBuilder, MIN_PAGES, SiteFacts};
use super::file::{self, FileError};
use super::report::{DesignReport, SiteReport};
use super::som::{Som, SomOptions};
use super::spill::{self, BUCKETS, SeenTwice, Spill};
use crate::io::{IoError, remove_temporaries, write_atomically};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Why sites could not be learned.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A file in the work folder is damaged.
    #[error("{}: {error}; remove the folder and start over", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FileError,
    },
    /// The folder contains the work of another command.
    #[error("{} contains the unfinished work of another command (other inputs or options); finish that one, or choose another folder", .0.display())]
    Other(PathBuf),
}

impl From<IoError> for WorkError {
    fn from(IoError { path, error, .. }: IoError) -> WorkError {
        WorkError::Io { path, error }
    }
}

/// What to learn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkOptions {
    /// How trees are pruned.
    pub som: SomOptions,
    /// Whether to make a tree for each design.
    pub by_design: bool,
    /// Whether to compute what storing each block once would save.
    pub cache_savings: bool,
}

/// Progress of the work.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    /// What must be the same for the work to be resumed.
    settings: String,
    /// Pages read.
    pages: u32,
    /// The position of the input, in its own format.
    position: serde_json::Value,
    lengths: Vec<u64>,
    /// Whether all pages were read.
    gathered: bool,
    /// Buckets done.
    buckets: usize,
    /// Whether everything is done.
    finished: bool,
}

/// The work on a crawl's sites.
#[derive(Debug)]
pub struct SiteWork {
    folder: PathBuf,
    state: State,
    spill: Option<Spill>,
}

/// The sites of a bucket until all buckets are done: name, facts, report.
type Part = Vec<(String, Vec<u8>, String)>;

const PART: &[u8] = b"webstrata sites 1\n";

impl SiteWork {
    /// Starts work in a folder, or resumes what is there. `settings` identifies what the result depends on: inputs and options.
    ///
    /// # Errors
    /// If the folder cannot be written, or contains work with other settings.
    pub fn open(folder: &Path, settings: &str) -> Result<SiteWork, WorkError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| WorkError::Io { path, error }
        };
        fs::create_dir_all(folder).map_err(at(folder))?;
        remove_temporaries(folder)?;
        let path = folder.join("state.json");
        let state = match fs::read(&path) {
            Ok(bytes) => {
                let state: State =
                    serde_json::from_slice(&bytes).map_err(|_| WorkError::File { path, error: FileError::Damaged })?;
                if state.settings != settings {
                    return Err(WorkError::Other(folder.to_owned()));
                }
                state
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => State { settings: settings.to_owned(), ..State::default() },
            Err(error) => return Err(WorkError::Io { path, error }),
        };
        let spill = if state.gathered { None } else { Some(Spill::open(folder, &state.lengths).map_err(at(folder))?) };
        let work = SiteWork { folder: folder.to_owned(), state, spill };
        work.save()?;
        Ok(work)
    }

    /// Pages read so far.
    #[must_use]
    pub fn pages(&self) -> u32 {
        self.state.pages
    }

    /// The position of the input after them; null at its start.
    #[must_use]
    pub fn position(&self) -> &serde_json::Value {
        &self.state.position
    }

    /// Whether all pages were read.
    #[must_use]
    pub fn is_gathered(&self) -> bool {
        self.state.gathered
    }

    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.state.finished
    }

    /// Adds a page. Its number must be [`SiteWork::pages`].
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, digest: &Digest) -> Result<(), WorkError> {
        if let Some(spill) = &mut self.spill {
            spill.push(digest).map_err(|error| WorkError::Io { path: self.folder.clone(), error })?;
            self.state.pages += 1;
        }
        Ok(())
    }

    /// Makes what was added durable; `position` is the position of the input after it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn checkpoint(&mut self, position: serde_json::Value) -> Result<(), WorkError> {
        if let Some(spill) = &mut self.spill {
            self.state.lengths = spill.checkpoint().map_err(|error| WorkError::Io { path: self.folder.clone(), error })?;
            self.state.position = position;
            self.save()?;
        }
        Ok(())
    }

    /// Ends the reading of pages.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn gathered(&mut self, position: serde_json::Value) -> Result<(), WorkError> {
        self.checkpoint(position)?;
        self.spill = None;
        self.state.gathered = true;
        self.save()
    }

    /// Evaluates all sites and writes their facts to `evidence`. `step` receives the number of buckets done, and `site` the
    /// reports, site by site, in an order that depends only on the sites' names.
    ///
    /// # Errors
    /// If something cannot be read or written.
    pub fn finish<E: From<WorkError>>(
        &mut self,
        options: &WorkOptions,
        evidence: &Path,
        mut step: impl FnMut(usize),
        mut site: impl FnMut(SiteReport) -> Result<(), E>,
    ) -> Result<(), E> {
        for bucket in self.state.buckets..BUCKETS {
            let path = self.part(bucket);
            let part = self.bucket(bucket, options)?;
            let bytes = file::pack(PART, &part).map_err(|error| WorkError::File { path: path.clone(), error })?;
            write_atomically(&path, &bytes).map_err(WorkError::from)?;
            self.state.buckets = bucket + 1;
            self.save()?;
            step(bucket + 1);
        }
        let io = |error| WorkError::Io { path: evidence.to_owned(), error };
        let mut writer = EvidenceWriter::create(evidence).map_err(WorkError::from)?;
        for bucket in 0..BUCKETS {
            let path = self.part(bucket);
            let bytes = fs::read(&path).map_err(|error| WorkError::Io { path: path.clone(), error })?;
            let part: Part = file::unpack(PART, &bytes).map_err(|error| WorkError::File { path: path.clone(), error })?;
            for (name, facts, report) in part {
                writer.add(&name, &facts).map_err(io)?;
                let report: SiteReport =
                    serde_json::from_str(&report).map_err(|_| WorkError::File { path: path.clone(), error: FileError::Damaged })?;
                site(report)?;
            }
        }
        writer.finish().map_err(|error| WorkError::File { path: evidence.to_owned(), error })?;
        Ok(())
    }

    /// Removes what is no longer needed. When run again, the command finds that everything is done.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn close(mut self) -> Result<(), WorkError> {
        self.state.finished = true;
        self.save()?;
        for bucket in 0..BUCKETS {
            for path in [spill::name(&self.folder, bucket), self.part(bucket)] {
                match fs::remove_file(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(WorkError::Io { path, error }),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn part(&self, bucket: usize) -> PathBuf {
        self.folder.join(format!("sites-{bucket:02}"))
    }

    fn save(&self) -> Result<(), WorkError> {
        let path = self.folder.join("state.json");
        let bytes = serde_json::to_vec_pretty(&self.state).unwrap_or_default();
        Ok(write_atomically(&path, &bytes)?)
    }

    /// The sites of a bucket.
    fn bucket(&self, bucket: usize, options: &WorkOptions) -> Result<Part, WorkError> {
        let path = spill::name(&self.folder, bucket);
        let digests = || spill::read(&self.folder, bucket).map_err(|error| WorkError::Io { path: path.clone(), error });
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
        let Some(twice) = twice else { return Ok(Part::new()) };
        let mut design_of: BTreeMap<u32, u32> = BTreeMap::new();
        for pages in structures.values_mut() {
            pages.sort_by_key(|page| page.0);
            let (numbers, structures): (Vec<u32>, Vec<Structure>) = std::mem::take(pages).into_iter().unzip();
            design_of.extend(numbers.into_iter().zip(designs(&structures)));
        }
        let mut builders: BTreeMap<String, (FactsBuilder, BTreeMap<u32, Som>)> = BTreeMap::new();
        for digest in digests()? {
            let digest = digest.map_err(broken)?;
            let (builder, soms) = builders.entry(digest.site.clone()).or_default();
            let site = hash(&digest.site);
            builder.add_if(&digest, |print| twice.may_have(site, print));
            if let Some(&design) = design_of.get(&digest.number) {
                soms.entry(design).or_default().add(digest.number, &digest.tree);
            }
        }
        drop(twice);
        let mut sites: BTreeMap<String, (SiteFacts, Vec<DesignReport>, Option<Cache>)> = BTreeMap::new();
        for (site, (builder, soms)) in builders {
            let facts = builder.finish();
            let designs = if soms.is_empty() {
                vec![DesignReport::new(facts.som(), &options.som)]
            } else {
                soms.values().map(|som| DesignReport::new(som, &options.som)).collect()
            };
            sites.insert(site, (facts, designs, options.cache_savings.then(Cache::default)));
        }
        if options.cache_savings {
            for digest in digests()? {
                let digest = digest.map_err(broken)?;
                if let Some((facts, _, Some(cache))) = sites.get_mut(&digest.site) {
                    let blocks = digest.blocks();
                    cache.add(&blocks, &facts.template().apply(&blocks));
                }
            }
        }
        let mut part = Part::new();
        for (site, (facts, designs, cache)) in sites {
            let report = SiteReport {
                site: site.clone(),
                pages: facts.pages(),
                template_blocks: facts.template().len(),
                designs,
                cache: cache.map(|cache| cache.savings()),
            };
            // One or two pages are too few for evidence; the report lists them.
            let bytes = if facts.pages() >= MIN_PAGES { facts.to_bytes().map_err(broken)? } else { Vec::new() };
            part.push((site, bytes, serde_json::to_string(&report).unwrap_or_default()));
        }
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::evidence::EvidenceFile;
    use webstrata::Page;

    fn digest(number: u32) -> Digest {
        let site = format!("site{}.org", number % 5);
        let extra = if number.is_multiple_of(2) {
            "<table><tr><td><b>Prices</b></td><td>12</td></tr></table><form><label>Search</label></form>"
        } else {
            ""
        };
        let html = format!(
            "<div>Menu of {site}, news and sports</div>{extra}<h1>T{number}</h1><p>Text {} of it.",
            "z".repeat(number as usize)
        );
        Digest::new(&Page::parse(html.as_bytes()), &site, number, "name")
    }

    /// Runs and stops after this many steps; true if it reached the end.
    fn run(folder: &Path, options: &WorkOptions, steps: usize) -> (bool, Vec<SiteReport>) {
        let mut left = steps;
        let mut work = SiteWork::open(&folder.join("work"), "x").unwrap();
        if !work.is_gathered() {
            while work.pages() < 60 {
                if left == 0 {
                    return (false, Vec::new());
                }
                left -= 1;
                let number = work.pages();
                work.push(&digest(number)).unwrap();
                if number.is_multiple_of(7) {
                    work.checkpoint((number + 1).into()).unwrap();
                }
            }
            work.gathered(60.into()).unwrap();
        }
        if left == 0 {
            return (false, Vec::new());
        }
        let mut reports = Vec::new();
        work.finish::<WorkError>(
            options,
            &folder.join("evidence"),
            |_| (),
            |report| {
                reports.push(report);
                Ok(())
            },
        )
        .unwrap();
        work.close().unwrap();
        (true, reports)
    }

    #[test]
    fn work_stopped_anywhere_resumes_to_the_same_result() {
        for options in [WorkOptions::default(), WorkOptions { by_design: true, cache_savings: true, ..WorkOptions::default() }] {
            let whole = tempfile::tempdir().unwrap();
            let (_, expected) = run(whole.path(), &options, 1000);
            assert_eq!(expected.len(), 5);
            assert_eq!(expected.iter().map(|r| r.pages).sum::<u64>(), 60);
            assert!(expected.iter().all(|r| r.designs.len() == if options.by_design { 2 } else { 1 }), "{expected:?}");
            assert!(expected.iter().all(|r| r.cache.is_some_and(|c| c.content < c.whole) == options.cache_savings));
            let evidence = fs::read(whole.path().join("evidence")).unwrap();
            let stopped = tempfile::tempdir().unwrap();
            for steps in [0, 1, 9, 20, 3, 60] {
                if let (true, reports) = run(stopped.path(), &options, steps) {
                    assert_eq!(reports, expected);
                }
            }
            assert_eq!(fs::read(stopped.path().join("evidence")).unwrap(), evidence);
            let file = EvidenceFile::open(&stopped.path().join("evidence")).unwrap();
            assert_eq!(file.site("site3.org").unwrap().unwrap().pages(), 12);
        }
    }

    #[test]
    fn other_settings_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        drop(SiteWork::open(folder.path(), "one").unwrap());
        assert!(matches!(SiteWork::open(folder.path(), "two"), Err(WorkError::Other(_))));
    }
}
