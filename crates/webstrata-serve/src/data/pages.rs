//! The pages of a run.

use serde::Serialize;
use std::path::{Path, PathBuf};
use webstrata_corpus::store::{self, LinkRow, Manifest, PageRow, SegmentRow, StoreError};

/// Maximum number of links returned for a page.
const MAX_LINKS: usize = 5000;

/// Tables of a complete run. Pages are found by scanning them, which is fine for crawls of some ten thousand pages.
pub(crate) struct PageTables {
    root: PathBuf,
    pages: u64,
}

/// A page with all its rows in the tables.
#[derive(Serialize)]
pub(crate) struct StoredPage {
    pub(crate) schema: &'static str,
    pub(crate) page: PageRow,
    pub(crate) segments: Vec<SegmentRow>,
    pub(crate) links: Vec<LinkRow>,
}

/// A page in a list.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListedPage {
    /// Its id.
    pub(crate) id: String,
    /// Its address.
    pub(crate) url: Option<String>,
    /// Its title.
    pub(crate) title: Option<String>,
    /// Its language.
    pub(crate) language: Option<String>,
    /// Its type.
    pub(crate) page_type: Option<String>,
}

impl PageTables {
    pub(crate) fn open(root: &Path) -> Result<Self, StoreError> {
        let manifest = Manifest::read(root)?;
        store::pages(root)?;
        Ok(PageTables { root: root.to_owned(), pages: manifest.rows.pages })
    }

    pub(crate) fn pages(&self) -> u64 {
        self.pages
    }

    /// Pages in the order of the tables.
    pub(crate) fn list(&self, skip: usize, limit: usize) -> Result<Vec<ListedPage>, StoreError> {
        let listed = |row: PageRow| ListedPage {
            id: row.id,
            url: row.url,
            title: row.title,
            language: row.language,
            page_type: row.page_type,
        };
        store::pages(&self.root)?.skip(skip).take(limit).map(|row| row.map(listed)).collect()
    }

    /// The row of the page with this id or address.
    pub(crate) fn row(&self, name: &str) -> Result<Option<PageRow>, StoreError> {
        for row in store::pages(&self.root)? {
            let row = row?;
            if row.id == name || row.url.as_deref() == Some(name) {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// The page with this id or address.
    pub(crate) fn page(&self, name: &str) -> Result<Option<StoredPage>, StoreError> {
        let Some(page) = self.row(name)? else { return Ok(None) };
        let segments = of(store::segments(&self.root), |row: &SegmentRow| row.page == page.id, usize::MAX)?;
        let links = of(store::links(&self.root), |row: &LinkRow| row.page == page.id, MAX_LINKS)?;
        Ok(Some(StoredPage { schema: "webstrata.stored-page/1", page, segments, links }))
    }
}

/// The rows of a page, which are contiguous. A run may lack the table.
fn of<R>(
    rows: Result<impl Iterator<Item = Result<R, StoreError>>, StoreError>,
    mine: impl Fn(&R) -> bool,
    most: usize,
) -> Result<Vec<R>, StoreError> {
    let rows = match rows {
        Err(StoreError::NoTable { .. }) => return Ok(Vec::new()),
        rows => rows?,
    };
    let mut found = Vec::new();
    for row in rows {
        let row = row?;
        match mine(&row) {
            true if found.len() < most => found.push(row),
            true => break,
            false if found.is_empty() => {}
            false => break,
        }
    }
    Ok(found)
}
