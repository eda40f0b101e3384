//! Options of a run.

use super::{Evidence, Signer, SkipList};
use crate::Extraction;
use crate::store::{Format, Manifest, Table};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use webstrata::PageOptions;
use webstrata::segment::{Method, SegmentOptions};

/// Options of a run.
///
/// ```
/// use webstrata_corpus::{run::RunOptions, store::{Format, Table}};
/// let options = RunOptions { format: Format::Jsonl, tables: vec![Table::Links], ..RunOptions::default() };
/// assert_eq!(options.shard_pages, 10_000);
/// ```
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The format.
    pub format: Format,
    /// The tables, for formats that have tables.
    pub tables: Vec<Table>,
    /// How content is extracted.
    pub extraction: Extraction,
    /// The method that makes segments.
    pub method: Method,
    /// Its options.
    pub segment: SegmentOptions,
    /// How pages are parsed, with limits.
    pub page: PageOptions,
    /// Time limit for a page. The engine takes milliseconds; a page that exceeds the limit has uncovered a bug.
    pub timeout: Option<Duration>,
    /// Maximum pages and failures per shard.
    pub shard_pages: u64,
    /// Maximum bytes of the rows of a shard before they are encoded; the page that exceeds it is included.
    pub shard_bytes: u64,
    /// Number of threads; 0 = one per core. The output does not depend on it.
    pub threads: usize,
    /// Evidence about sites.
    pub evidence: Option<Arc<dyn Evidence>>,
    /// Makes signatures.
    pub signer: Option<Arc<dyn Signer>>,
    /// Pages to leave out.
    pub skip: Option<Arc<SkipList>>,
    /// Other settings that determine the output, by name, such as how the input is read. A run with different values is a different run.
    pub further: BTreeMap<String, String>,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            format: Format::Parquet,
            tables: Table::ALL.to_vec(),
            extraction: Extraction::default(),
            method: Method::Strata,
            segment: SegmentOptions::default(),
            page: PageOptions::default(),
            timeout: Some(Duration::from_secs(30)),
            shard_pages: 10_000,
            shard_bytes: 512 << 20,
            threads: 0,
            evidence: None,
            signer: None,
            skip: None,
            further: BTreeMap::new(),
        }
    }
}

impl RunOptions {
    /// All settings that determine the output, besides format and tables.
    fn settings(&self) -> BTreeMap<String, String> {
        let limits = &self.page.limits;
        let mut settings = BTreeMap::from([
            ("method".to_owned(), self.method.to_string()),
            ("granularity".to_owned(), self.segment.granularity.to_string()),
            ("noscript".to_owned(), self.page.noscript.to_string()),
            ("max-bytes".to_owned(), limits.bytes.to_string()),
            ("max-nodes".to_owned(), limits.nodes.to_string()),
            ("max-depth".to_owned(), limits.depth.to_string()),
            ("max-attributes".to_owned(), limits.attributes.to_string()),
            ("shard-pages".to_owned(), self.shard_pages.to_string()),
            ("shard-bytes".to_owned(), self.shard_bytes.to_string()),
        ]);
        let (default, words) = (SegmentOptions::default(), self.page.words.line_width);
        if self.segment.rules != default.rules {
            settings.insert("segment-rules".to_owned(), self.segment.rules.name.to_owned());
        }
        if let Some(theta) = self.segment.theta {
            settings.insert("theta".to_owned(), theta.to_string());
        }
        if words != default.width {
            settings.insert("width".to_owned(), words.to_string());
        }
        settings.extend(self.extraction.settings());
        settings.extend(self.further.clone());
        if let Some(evidence) = &self.evidence {
            settings.insert("site-evidence".to_owned(), evidence.fingerprint());
        }
        if let Some(signer) = &self.signer {
            settings.insert("signature".to_owned(), signer.name());
        }
        if let Some(skip) = &self.skip {
            settings.insert("skip".to_owned(), skip.fingerprint());
        }
        settings
    }

    /// The manifest of a run over this input.
    pub(super) fn manifest(&self, tables: &[Table], input: Value) -> Manifest {
        Manifest::new(self.format, tables, self.settings(), input)
    }
}
