//! Clusters of duplicates, and the page of each that is kept.
//!
//! A cluster is named after the page that is kept, so its name does not depend on the order of pages. Members are sorted on disk by
//! (set, rank by the rule, id); the first is kept, and a second sort restores the order of the pages.

use super::error::{DedupError, damaged};
use super::index::{Doc, Index};
use super::join::roots;
use super::options::Keep;
use super::watch::{Stage, Watch};
use crate::io::TempDir;
use crate::io::external_sort::ExternalSorter;
use crate::io::record_file::{Record, RecordError, RecordSource, write_bytes};
use serde::Serialize;
use std::io::{self, Write};
use std::iter::Peekable;

/// The verdict on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The page.
    pub id: String,
    /// The page of its cluster that is kept; the page itself if it is kept or has no duplicates.
    pub cluster: String,
    /// Whether this is the page that is kept.
    pub keep: bool,
    /// Pages in the cluster.
    pub size: u32,
    /// How it matches the page that is kept; `None` if it is that page.
    #[serde(rename = "match")]
    pub same: Option<MatchKind>,
}

/// How a page matches the one that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchKind {
    /// The same text.
    Exact,
    /// Nearly the same text, directly or through a chain of near duplicates.
    Near,
}

impl MatchKind {
    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MatchKind::Exact => "exact",
            MatchKind::Near => "near",
        }
    }
}

/// A page with duplicates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    root: u32,
    rank: u64,
    id: String,
    content: u64,
    doc: u32,
}

impl Record for Member {
    const KIND: [u8; 4] = *b"memb";

    fn memory(&self) -> usize {
        size_of::<Self>() + self.id.len()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.root.to_le_bytes())?;
        out.write_all(&self.rank.to_le_bytes())?;
        write_bytes(self.id.as_bytes(), out)?;
        out.write_all(&self.content.to_le_bytes())?;
        out.write_all(&self.doc.to_le_bytes())
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        Ok(Member { root: from.u32()?, rank: from.u64()?, id: from.text()?, content: from.u64()?, doc: from.u32()? })
    }
}

/// The verdict on a page with duplicates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Verdict {
    doc: u32,
    size: u32,
    keep: bool,
    exact: bool,
    cluster: String,
}

impl Record for Verdict {
    const KIND: [u8; 4] = *b"verd";

    fn memory(&self) -> usize {
        size_of::<Self>() + self.cluster.len()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.doc.to_le_bytes())?;
        out.write_all(&self.size.to_le_bytes())?;
        out.write_all(&[self.keep.into(), self.exact.into()])?;
        write_bytes(self.cluster.as_bytes(), out)
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        let (doc, size, [keep, exact]) = (from.u32()?, from.u32()?, from.array()?);
        Ok(Verdict { doc, size, keep: keep != 0, exact: exact != 0, cluster: from.text()? })
    }
}

impl Index {
    /// The verdict on each page, in the order in which pages were added, over all batches.
    pub fn clusters(&self, keep: Keep, watch: &dyn Watch) -> Result<Clusters, DedupError> {
        let roots = roots(self, watch)?;
        watch.stage(Stage::Keeping);
        let verdicts = verdicts(self, keep, &roots)?;
        let docs: Docs = Box::new(self.batches().to_vec().into_iter().flat_map(|batch| batch.docs()));
        Ok(Clusters { docs, verdicts: verdicts.peekable(), doc: 0 })
    }
}

type Docs = Box<dyn Iterator<Item = Result<Doc, DedupError>> + Send>;
type Verdicts = Box<dyn Iterator<Item = Result<Verdict, RecordError>> + Send>;

/// The verdicts on pages with duplicates, in page order.
fn verdicts(index: &Index, keep: Keep, roots: &[u32]) -> Result<Verdicts, DedupError> {
    // A root precedes its members, so whether it has any is not known until all pages have been read.
    let mut shared = vec![false; roots.len()];
    for (&root, page) in roots.iter().zip(0..) {
        shared[root as usize] |= root != page;
    }
    let budget = index.resources().sort / 2;
    let work = TempDir::new(index.dir());
    let mut members = ExternalSorter::new(&work, budget);
    let mut docs = index.batches().iter().flat_map(super::index::CompleteBatch::docs);
    for (&root, number) in roots.iter().zip(0u32..) {
        let doc = docs.next().unwrap_or_else(|| Err(damaged(index.dir(), "it has fewer pages than recorded")))?;
        if shared[root as usize] {
            members.push(Member { root, rank: doc.rank(keep), id: doc.id, content: doc.content, doc: number })?;
        }
    }
    if docs.next().is_some() {
        return Err(damaged(index.dir(), "it has more pages than recorded"));
    }
    let mut verdicts = ExternalSorter::new(&work, budget);
    let mut group: Option<Group> = None;
    for member in members.finish()? {
        let member = member?;
        match &mut group {
            Some(group) if group.first.root == member.root => {
                group.others.push((member.doc, member.content == group.first.content));
            }
            _ => {
                if let Some(group) = group.replace(Group { first: member, others: Vec::new() }) {
                    group.write(&mut verdicts)?;
                }
            }
        }
    }
    if let Some(group) = group {
        group.write(&mut verdicts)?;
    }
    Ok(Box::new(verdicts.finish()?))
}

/// A cluster: the page that is kept, the numbers of the others, and whether they have the same text.
struct Group {
    first: Member,
    others: Vec<(u32, bool)>,
}

impl Group {
    fn write(self, verdicts: &mut ExternalSorter<Verdict>) -> Result<(), DedupError> {
        let size = u32::try_from(self.others.len() + 1).unwrap_or(u32::MAX);
        for (doc, exact) in self.others {
            verdicts.push(Verdict { doc, size, keep: false, exact, cluster: self.first.id.clone() })?;
        }
        Ok(verdicts.push(Verdict { doc: self.first.doc, size, keep: true, exact: true, cluster: self.first.id })?)
    }
}

/// The verdicts on all pages.
pub struct Clusters {
    docs: Docs,
    verdicts: Peekable<Verdicts>,
    doc: u32,
}

impl Clusters {
    fn row(&mut self, doc: Doc) -> Result<Row, DedupError> {
        let number = self.doc;
        self.doc += 1;
        match self.verdicts.next_if(|verdict| verdict.as_ref().map_or(true, |verdict| verdict.doc == number)) {
            None => Ok(Row { cluster: doc.id.clone(), id: doc.id, keep: true, size: 1, same: None }),
            Some(verdict) => {
                let verdict = verdict?;
                let same = if verdict.exact { MatchKind::Exact } else { MatchKind::Near };
                let same = (!verdict.keep).then_some(same);
                Ok(Row { id: doc.id, cluster: verdict.cluster, keep: verdict.keep, size: verdict.size, same })
            }
        }
    }
}

impl Iterator for Clusters {
    type Item = Result<Row, DedupError>;

    fn next(&mut self) -> Option<Self::Item> {
        let doc = self.docs.next()?;
        Some(doc.and_then(|doc| self.row(doc)))
    }
}

impl std::fmt::Debug for Clusters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clusters").field("doc", &self.doc).finish_non_exhaustive()
    }
}
