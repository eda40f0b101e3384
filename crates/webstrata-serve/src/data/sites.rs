//! The results of `webstrata site`.

use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use webstrata_corpus::site::report::{MIN_REPORT_PAGES, SiteReport, report_path};

/// Maximum size of a file.
const MAX_FILE: u64 = 256 << 20;

/// The folder of `webstrata site`.
pub(crate) struct Sites {
    root: PathBuf,
    /// The lines of `sites.jsonl`, by name.
    lines: Vec<(String, Value)>,
}

impl Sites {
    pub(crate) fn is_in(root: &Path) -> bool {
        root.join("sites.jsonl").is_file()
    }

    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        let mut lines = Vec::new();
        for line in read(&root.join("sites.jsonl"))?.lines() {
            let value: Value = serde_json::from_str(line).map_err(io::Error::other)?;
            let name = value
                .get("site")
                .and_then(Value::as_str)
                .ok_or_else(|| io::Error::other("sites.jsonl has a line without a site"))?;
            lines.push((name.to_owned(), value));
        }
        lines.sort_by(|one, two| one.0.cmp(&two.0));
        Ok(Sites { root: root.to_owned(), lines })
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The lines of all sites, those with the most pages first.
    pub(crate) fn list(&self, limit: usize) -> Vec<&Value> {
        let pages = |value: &Value| value.get("pages").and_then(Value::as_u64).unwrap_or_default();
        let mut all: Vec<&Value> = self.lines.iter().map(|(_, value)| value).collect();
        all.sort_by_key(|value| std::cmp::Reverse(pages(value)));
        all.truncate(limit);
        all
    }

    /// The report on a site; `None` for a site that is not in the list or has a single page. The path is made from the name in the
    /// list, never from the name in the request.
    pub(crate) fn report(&self, name: &str) -> io::Result<Option<SiteReport>> {
        let Ok(at) = self.lines.binary_search_by(|(site, _)| site.as_str().cmp(name)) else { return Ok(None) };
        let (site, line) = &self.lines[at];
        if line.get("pages").and_then(Value::as_u64).unwrap_or_default() < MIN_REPORT_PAGES {
            return Ok(None);
        }
        let text = read(&self.root.join(report_path(site, "json")))?;
        Ok(Some(serde_json::from_str(&text).map_err(io::Error::other)?))
    }
}

fn read(path: &Path) -> io::Result<String> {
    if std::fs::metadata(path)?.len() > MAX_FILE {
        return Err(io::Error::other(format!("{} is too large", path.display())));
    }
    std::fs::read_to_string(path)
}
