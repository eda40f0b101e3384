//! Items as parsed pages: loaded, checked to be HTML or text, parsed with buffers that are reused.

use super::Phase;
use crate::Document;
use crate::input::{Failure, Item, sniff};
use webstrata::{Page, PageOptions, PageReader};

/// Readers kept per thread, one for each charset that servers declare.
const MAX_READERS: usize = 4;
/// Pages above this size do not keep their buffers: one large page would occupy memory until the end.
const MAX_KEPT: usize = 16 << 20;

/// Turns items into pages on one thread.
#[derive(Debug)]
pub struct ItemReader {
    options: PageOptions,
    /// One for each declared charset, the latest first.
    readers: Vec<(Option<String>, PageReader)>,
    buffer: Vec<u8>,
    page_bytes: u64,
}

impl ItemReader {
    /// A reader that parses with `options`.
    #[must_use]
    pub fn new(options: PageOptions) -> ItemReader {
        ItemReader { options, readers: Vec::new(), buffer: Vec::new(), page_bytes: 0 }
    }

    /// Loads and parses an item and calls `f` with it.
    ///
    /// # Errors
    /// When the item cannot be read, is empty, or is not HTML or text.
    pub fn read<T>(&mut self, item: &Item, phase: &dyn Fn(Phase), f: impl FnOnce(&Document, &Page<'_>) -> T) -> Result<T, Failure> {
        self.page_bytes = 0;
        match item {
            Item::Broken(broken) => Err(broken.failure.clone()),
            Item::Document(document) => {
                phase(Phase::Working);
                self.parse(document, f)
            }
            Item::File(file) => {
                let document = file.load(std::mem::take(&mut self.buffer), self.options.limits.bytes)?;
                phase(Phase::Working);
                let result = self.parse(&document, f);
                if document.bytes.capacity() <= MAX_KEPT {
                    self.buffer = document.bytes;
                }
                result
            }
        }
    }

    /// Bytes of the page that was read last.
    #[must_use]
    pub fn page_bytes(&self) -> u64 {
        self.page_bytes
    }

    fn parse<T>(&mut self, document: &Document, f: impl FnOnce(&Document, &Page<'_>) -> T) -> Result<T, Failure> {
        self.page_bytes = document.bytes.len() as u64;
        sniff::check(&document.bytes)?;
        let reader = self.reader(document.charset.as_deref());
        let page = reader.read(&document.bytes);
        let result = f(document, &page);
        reader.recycle(page);
        if document.bytes.len() > MAX_KEPT {
            self.readers.clear();
        }
        Ok(result)
    }

    /// The reader for a charset.
    fn reader(&mut self, charset: Option<&str>) -> &mut PageReader {
        match self.readers.iter().position(|(known, _)| known.as_deref() == charset) {
            Some(at) => self.readers[..=at].rotate_right(1),
            None => {
                let transport = charset.map(str::to_owned);
                let reader = PageReader::new(self.options.clone().transport(transport.clone()));
                self.readers.truncate(MAX_READERS - 1);
                self.readers.insert(0, (transport, reader));
            }
        }
        &mut self.readers[0].1
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Origin;

    #[test]
    fn the_declared_charset_counts() {
        let mut reader = ItemReader::new(PageOptions::default());
        let mut text = |charset: Option<&str>| {
            let mut document = Document::new(Origin::new("a", 0), b"<p>\xcf\xf0\xe8\xe2\xe5\xf2".to_vec());
            document.charset = charset.map(str::to_owned);
            reader.read(&Item::Document(document), &|_| {}, |_, page| page.dom().text()).unwrap()
        };
        for (charset, want) in [("windows-1251", "Привет"), ("iso-8859-1", "Ïðèâåò"), ("windows-1251", "Привет")]
        {
            assert_eq!(text(Some(charset)), want);
        }
        for number in 0..10 {
            text(Some(&format!("x-unknown-{number}")));
        }
        assert_eq!(text(Some("windows-1251")), "Привет");
        assert!(reader.readers.len() <= MAX_READERS);
    }
}
