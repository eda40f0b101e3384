//! Learns all sites of a crawl in bounded memory, resumable at any moment: the pages' digests are written to disk by site
//! (`spill.rs`), then one bucket of sites after another is evaluated.
//!
//! The file `state.json` in the work folder records the progress. It is replaced atomically, once the data it refers to is on disk. Later
//! work is repeated, with the same result. A new command can continue from what an earlier one learned; that folder is only read.

mod bucket;
#[cfg(test)]
mod tests;

use super::digest::{Digest, DigestOptions};
use super::evidence::{EvidenceFile, EvidenceWriter};
use super::file::{self, FileError};
use super::frequencies::FrequencyCounter;
use super::method::{LearnedInfo, SAMPLES, VERSION};
use super::report::SiteReport;
use super::sections::{SectionFile, SectionWriter};
use super::som::SomOptions;
use super::spill::{self, BUCKETS, Spill};
use crate::io::{IoError, remove_temporaries, write_atomically};
pub use bucket::{Known, learn_site};
use bucket::{Part, evaluate};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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
        /// A description of the problem.
        error: FileError,
    },
    /// The folder to continue from cannot be used.
    #[error("cannot continue {}: {reason}", folder.display())]
    Continue {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The folder contains the work of another command.
    #[error("{} contains the unfinished work of another command (different inputs or options); finish that one, or choose another folder", .0.display())]
    Other(PathBuf),
}

impl From<IoError> for WorkError {
    fn from(IoError { path, error, .. }: IoError) -> WorkError {
        WorkError::Io { path, error }
    }
}

/// Options of learning sites.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkOptions {
    /// Contents of the digests of pages.
    pub digest: DigestOptions,
    /// A folder of pages learned before, to continue from.
    pub add_to: Option<PathBuf>,
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
    /// Settings that must be the same for the work to be resumed.
    settings: String,
    /// The number of the first page: pages that were learned before have smaller ones.
    first: u32,
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
    before: Option<Before>,
}

/// The data learned before.
#[derive(Debug)]
struct Before {
    folder: PathBuf,
    info: LearnedInfo,
    evidence: EvidenceFile,
    samples: SectionFile,
}

impl Before {
    fn open(folder: &Path, options: &WorkOptions) -> Result<Before, WorkError> {
        let wrong = |reason: String| WorkError::Continue { folder: folder.to_owned(), reason };
        let info = LearnedInfo::read(folder).map_err(|error| wrong(error.to_string()))?;
        if info.tags != options.digest.tags || info.shingles != options.digest.shingles {
            return Err(wrong("it was learned with different values of --rules or --shingles".to_owned()));
        }
        let evidence = EvidenceFile::open(&folder.join("evidence")).map_err(|error| wrong(error.to_string()))?;
        let samples = SectionFile::open(&folder.join("samples"), SAMPLES).map_err(|error| wrong(error.to_string()))?;
        Ok(Before { folder: folder.to_owned(), info, evidence, samples })
    }
}

/// Sorts sites in the order of files of evidence and samples.
pub fn in_file_order<S>(sites: &mut [S], name: impl Fn(&S) -> &str) {
    sites.sort_by(|a, b| (spill::bucket_of(name(a)), name(a)).cmp(&(spill::bucket_of(name(b)), name(b))));
}

const PART: &[u8] = b"webstrata sites 2\n";

impl SiteWork {
    /// Starts work in a folder, or resumes unfinished work there. `settings` identifies the inputs and options.
    ///
    /// # Errors
    /// If the folder cannot be written, or contains work with different settings, or if the folder to continue from cannot be read.
    pub fn open(folder: &Path, settings: &str, options: &WorkOptions) -> Result<SiteWork, WorkError> {
        let before = options.add_to.as_deref().map(|before| Before::open(before, options)).transpose()?;
        let first = before.as_ref().map_or(0, |before| before.info.pages);
        let sums = before.as_ref().map(|before| format!(" {:x} {:x}", before.evidence.checksum(), before.samples.checksum()));
        let settings = format!("{settings}{}", sums.unwrap_or_default());
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
            Err(error) if error.kind() == io::ErrorKind::NotFound => State { settings, first, ..State::default() },
            Err(error) => return Err(WorkError::Io { path, error }),
        };
        let spill = if state.gathered { None } else { Some(Spill::open(folder, &state.lengths).map_err(at(folder))?) };
        let work = SiteWork { folder: folder.to_owned(), state, spill, before };
        work.save()?;
        Ok(work)
    }

    /// Pages read so far.
    #[must_use]
    pub fn pages(&self) -> u32 {
        self.state.pages
    }

    /// The number of the next page.
    #[must_use]
    pub fn next_number(&self) -> u32 {
        self.state.first.saturating_add(self.state.pages)
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

    /// Adds a page. Its number must be [`SiteWork::next_number`].
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

    /// Makes the added pages durable; `position` is the position in the input after them.
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

    /// Evaluates all sites and writes the learned data to the folder `out`. `step` receives the number of buckets done, and `site` the
    /// reports, site by site, in an order that depends only on the sites' names.
    ///
    /// # Errors
    /// If something cannot be read or written.
    pub fn finish<E: From<WorkError>>(
        &mut self,
        options: &WorkOptions,
        out: &Path,
        mut step: impl FnMut(usize),
        mut site: impl FnMut(SiteReport) -> Result<(), E>,
    ) -> Result<(), E> {
        for bucket in self.state.buckets..BUCKETS {
            let path = self.part(bucket);
            let part = evaluate(&self.folder, bucket, self.before.as_ref(), options)?;
            let bytes = file::pack(PART, &part).map_err(|error| WorkError::File { path: path.clone(), error })?;
            write_atomically(&path, &bytes).map_err(WorkError::from)?;
            self.state.buckets = bucket + 1;
            self.save()?;
            step(bucket + 1);
        }
        let [evidence, samples] = ["evidence", "samples"].map(|name| out.join(name));
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| WorkError::Io { path, error }
        };
        let mut facts_writer = EvidenceWriter::create(&evidence).map_err(WorkError::from)?;
        let mut samples_writer = SectionWriter::create(&samples, SAMPLES).map_err(WorkError::from)?;
        for bucket in 0..BUCKETS {
            let path = self.part(bucket);
            let bytes = fs::read(&path).map_err(io(&path))?;
            let part: Part = file::unpack(PART, &bytes).map_err(|error| WorkError::File { path: path.clone(), error })?;
            for known in part {
                facts_writer.add(&known.name, &known.facts).map_err(io(&evidence))?;
                samples_writer.add(&known.name, &known.sample).map_err(io(&samples))?;
                let report: SiteReport = serde_json::from_str(&known.report)
                    .map_err(|_| WorkError::File { path: path.clone(), error: FileError::Damaged })?;
                site(report)?;
            }
        }
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| WorkError::File { path, error }
        };
        facts_writer.finish().map_err(failed(&evidence))?;
        samples_writer.finish().map_err(failed(&samples))?;
        self.count_fingerprints(&out.join("fingerprints"))?;
        let DigestOptions { tags, shingles } = options.digest;
        let info = LearnedInfo { version: VERSION, tags, shingles, pages: self.next_number() };
        let json = serde_json::to_vec(&info).unwrap_or_default();
        write_atomically(&out.join("learned.json"), &json).map_err(WorkError::from)?;
        Ok(())
    }

    /// Counts the fingerprints of all segments.
    fn count_fingerprints(&self, path: &Path) -> Result<(), WorkError> {
        let broken = |path: &Path| {
            let path = path.to_owned();
            move |error| WorkError::File { path, error }
        };
        let mut counter = FrequencyCounter::new(&self.folder);
        if let Some(before) = &self.before {
            let known = before.folder.join("fingerprints");
            counter.add_file(&known).map_err(broken(&known))?;
        }
        for bucket in 0..BUCKETS {
            let name = spill::name(&self.folder, bucket);
            let digests = spill::read(&self.folder, bucket).map_err(|error| WorkError::Io { path: name.clone(), error })?;
            for digest in digests {
                let digest = digest.map_err(broken(&name))?;
                counter.add(&digest.segments).map_err(broken(path))?;
            }
        }
        counter.finish(path).map_err(broken(path))
    }

    /// Removes files that are no longer needed. When run again, the command finds that everything is done.
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
}
