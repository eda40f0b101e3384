//! Where a run reads from.

use super::RunError;
use super::cutter::Place;
use crate::input::{Input, Item};

/// An input, as the pipeline needs it.
pub(super) trait Source: Send {
    /// The next item; an error is the end of the run.
    fn next(&mut self) -> Option<Result<Item, RunError>>;
    /// Where the input is behind that item.
    fn place(&self) -> Place;
}

impl Source for Input {
    fn next(&mut self) -> Option<Result<Item, RunError>> {
        Iterator::next(self).map(|item| item.map_err(RunError::Input))
    }

    fn place(&self) -> Place {
        Place { position: serde_json::to_value(self.position()).unwrap_or_default(), read: self.read_bytes() }
    }
}

/// An item of the input and the place behind it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) item: Item,
    pub(super) place: Place,
}

impl Entry {
    /// Bytes that it takes.
    pub(super) fn size(&self) -> usize {
        match &self.item {
            Item::Document(document) => document.bytes.len() + 512,
            Item::Broken(_) => 512,
        }
    }
}

/// Items that are taken from the input at once, by number and by bytes. Handing a batch on wakes other threads; a page alone would
/// not be worth it.
const MOST_ITEMS: usize = 32;
const MOST_BYTES: usize = 1 << 20;

/// The next items, and whether the input is at its end.
pub(super) fn take(source: &mut dyn Source) -> Result<(Vec<Entry>, bool), RunError> {
    let (mut entries, mut bytes) = (Vec::new(), 0);
    while entries.len() < MOST_ITEMS && bytes < MOST_BYTES {
        let Some(item) = source.next() else { return Ok((entries, true)) };
        let entry = Entry { item: item?, place: source.place() };
        bytes += entry.size();
        entries.push(entry);
    }
    Ok((entries, false))
}
