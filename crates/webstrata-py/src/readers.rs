//! A pool of page readers, whose buffers are allocated once.

use std::sync::{Mutex, PoisonError};
use webstrata::{Page, PageOptions, PageReader};

/// Maximum number of readers kept; with more threads, some allocate for each page.
const MAX_READERS: usize = 16;

/// A reader keeps buffers in proportion to its largest page; one that has read a page above this size is not kept.
const MAX_PAGE: usize = 1 << 20;

/// Readers with the same options, for any number of threads.
#[derive(Debug)]
pub(crate) struct Readers {
    options: PageOptions,
    idle: Mutex<Vec<PageReader>>,
}

impl Readers {
    pub(crate) fn new(options: PageOptions) -> Self {
        Readers { options, idle: Mutex::default() }
    }

    /// How pages are read.
    pub(crate) fn options(&self) -> &PageOptions {
        &self.options
    }

    /// Reads a page and passes it to a function.
    pub(crate) fn read<T>(&self, bytes: &[u8], work: impl FnOnce(&Page<'_>) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle().pop();
        let mut reader = kept.unwrap_or_else(|| PageReader::new(self.options.clone()));
        let page = reader.read(bytes);
        let result = work(&page);
        reader.recycle(page);
        if bytes.len() <= MAX_PAGE {
            let mut idle = idle();
            if idle.len() < MAX_READERS {
                idle.push(reader);
            }
        }
        result
    }
}
