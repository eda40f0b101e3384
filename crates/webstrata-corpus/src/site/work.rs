//! All sites of a crawl, in bounded memory, and so that work can stop at any moment and go on: the pages' digests are written to disk by site
//! (`spill.rs`), then one bucket of sites after the other is gathered.
//!
//! The folder of the work has a file `state.json` that says how far it has come. It is written, under another name first, after what it
//! speaks of is on disk. Whatever came later is done again, and gives the same.

use super::cache::Cache;
use super::design::{Structure, designs};
use super::digest::Digest;
use super::evidence::EvidenceWriter;
use super::facts::{FactsBuilder, LEAST_PAGES, SiteFacts};
use super::file::{self, FileError};
use super::report::{DesignReport, SiteReport};
use super::som::{Som, SomOptions};
use super::spill::{self, BUCKETS, Spill, Twice};
use crate::io::{IoError, remove_temporaries, write_atomically};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Why sites could not be worked out.
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
    /// A file of the work is damaged.
    #[error("{}: {error}; remove the folder and start over", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FileError,
    },
    /// The folder has the work of another command.
    #[error("{} has the unfinished work of another command (other inputs or options); finish that one, or give another folder", .0.display())]
    Other(PathBuf),
}

impl From<IoError> for WorkError {
    fn from(IoError { path, error, .. }: IoError) -> WorkError {
        WorkError::Io { path, error }
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkOptions {
    /// How trees are pruned.
    pub som: SomOptions,
    /// Is there a tree for each design?
    pub by_design: bool,
    /// Is it worked out what storing each block once would save?
    pub cache_savings: bool,
}

/// How far the work has come.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    /// What must be the same for the work to go on.
    settings: String,
    /// Pages that were read.
    pages: u32,
    /// Where the input stands, in its own words.
    position: serde_json::Value,
    lengths: Vec<u64>,
    /// All pages were read.
    gathered: bool,
    /// Buckets that are done.
    buckets: usize,
    /// All of it is done.
    finished: bool,
}

/// The work on a crawl's sites.
#[derive(Debug)]
pub struct SiteWork {
    folder: PathBuf,
    state: State,
    spill: Option<Spill>,
}

/// A bucket's sites as they are kept until all are there: name, facts, report.
type Part = Vec<(String, Vec<u8>, String)>;

const PART: &[u8] = b"webstrata sites 1\n";

impl SiteWork {
    /// Starts work in a folder, or goes on with what is there. `settings` says what the answer depends on: inputs and options.
    ///
    /// # Errors
    /// When the folder cannot be written, or has the work of other settings.
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

    /// Pages that were read before.
    #[must_use]
    pub fn pages(&self) -> u32 {
        self.state.pages
    }

    /// Where the input stood then; null at its start.
    #[must_use]
    pub fn position(&self) -> &serde_json::Value {
        &self.state.position
    }

    /// Were all pages read?
    #[must_use]
    pub fn is_gathered(&self) -> bool {
        self.state.gathered
    }

    /// Is nothing left to do?
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.state.finished
    }

    /// Adds a page. Its number must be [`SiteWork::pages`] when it is read.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn push(&mut self, digest: &Digest) -> Result<(), WorkError> {
        if let Some(spill) = &mut self.spill {
            spill.push(digest).map_err(|error| WorkError::Io { path: self.folder.clone(), error })?;
            self.state.pages += 1;
        }
        Ok(())
    }

    /// Makes what was added last: the input stands at `position` behind it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn checkpoint(&mut self, position: serde_json::Value) -> Result<(), WorkError> {
        if let Some(spill) = &mut self.spill {
            self.state.lengths = spill.checkpoint().map_err(|error| WorkError::Io { path: self.folder.clone(), error })?;
            self.state.position = position;
            self.save()?;
        }
        Ok(())
    }

    /// All pages were added.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn gathered(&mut self, position: serde_json::Value) -> Result<(), WorkError> {
        self.checkpoint(position)?;
        self.spill = None;
        self.state.gathered = true;
        self.save()
    }

    /// Works out all sites and writes what is known of them to `evidence`; `done` is told how many of all buckets are done and gets
    /// the reports, site by site, in an order that only the sites' names give.
    ///
    /// # Errors
    /// When something cannot be read or written.
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

    /// Removes what is needed no longer. Called again, the command finds that all is done.
    ///
    /// # Errors
    /// When it cannot be removed.
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
        let mut twice: Option<Twice> = None;
        let mut structures: BTreeMap<String, Vec<(u32, Structure)>> = BTreeMap::new();
        for digest in digests()? {
            let digest = digest.map_err(broken)?;
            let twice = twice.get_or_insert_with(Twice::new);
            digest.prints.iter().for_each(|&print| twice.add(hash(&digest.site), print));
            if options.by_design {
                structures.entry(digest.site.clone()).or_default().push((digest.number, Structure::of(&digest.tree)));
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
                vec![DesignReport::of(facts.som(), &options.som)]
            } else {
                soms.values().map(|som| DesignReport::of(som, &options.som)).collect()
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
            // Of a page or two nothing can be said; the report says that they are there.
            let bytes = if facts.pages() >= LEAST_PAGES { facts.to_bytes().map_err(broken)? } else { Vec::new() };
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
        Digest::of(&Page::parse(html.as_bytes()), &site, number, "name")
    }

    /// Runs, and stops after so many steps; true if it came to the end.
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
    fn stopped_anywhere_it_goes_on_to_the_same_end() {
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
