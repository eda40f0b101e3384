//! Clusters of near duplicates found by `webstrata dedup`, which is more careful than the hashes stored with every page.

use crate::SearchError;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use webstrata_corpus::io::IoError;
use xxhash_rust::xxh3::xxh3_64;

/// Clusters by page id. Pages without a duplicate take no memory.
///
/// ```
/// use webstrata_search::Clusters;
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("clusters.jsonl");
/// let row = |id: &str, cluster: &str, size: u32| format!("{{\"id\":\"{id}\",\"cluster\":\"{cluster}\",\"keep\":true,\"size\":{size}}}\n");
/// std::fs::write(&file, [row("a", "a", 2), row("b", "a", 2), row("c", "c", 1)].concat()).unwrap();
/// assert_eq!(Clusters::read(&file)?.len(), 2);
/// # Ok::<(), webstrata_search::SearchError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clusters(HashMap<u64, u64>);

#[derive(Deserialize)]
struct Row {
    id: String,
    cluster: String,
    size: u32,
}

impl Clusters {
    /// Reads the rows of `webstrata dedup`, as JSON Lines.
    ///
    /// # Errors
    /// If the file cannot be read or has lines of another form.
    pub fn read(path: &Path) -> Result<Clusters, SearchError> {
        let file = File::open(path).map_err(IoError::on("read", path))?;
        let mut clusters = HashMap::new();
        for (number, line) in BufReader::new(file).lines().enumerate() {
            let line = line.map_err(IoError::on("read", path))?;
            let row: Row = serde_json::from_str(&line).map_err(|error| {
                let reason = format!("{}, line {}: {error}; give the JSON Lines of `webstrata dedup`", path.display(), number + 1);
                SearchError::Option(reason)
            })?;
            if row.size > 1 {
                clusters.insert(xxh3_64(row.id.as_bytes()), xxh3_64(row.cluster.as_bytes()).max(1));
            }
        }
        Ok(Clusters(clusters))
    }

    /// Number of pages with a duplicate.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no page has a duplicate.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The cluster of a page; 0 for none.
    pub(crate) fn of(&self, id: &str) -> u64 {
        self.0.get(&xxh3_64(id.as_bytes())).copied().unwrap_or(0)
    }
}
