//! The rows of single pages, for programs that bring their own driver.

use super::RunOptions;
use super::rows::{MakeRows, RowMaker};
use crate::executor::{ItemReader, Times, panic_guard};
use crate::input::{Failure, Item, Reason};
use crate::store::{Encoder, ErrorRow, PageRows, StoreError};

/// Makes the rows that a run writes, page by page. Threads and time limits are left to the driver.
///
/// ```
/// use webstrata_corpus::{Document, Origin, input::Item, run::{PageRowMaker, RunOptions}};
/// let mut maker = PageRowMaker::new(&RunOptions::default())?;
/// let page = Document::new(Origin::new("a.html", 0), b"<title>Rain</title><p>It rains.".to_vec());
/// assert_eq!(maker.rows(&Item::Document(page)).unwrap().page.title.as_deref(), Some("Rain"));
/// # Ok::<(), webstrata_corpus::store::StoreError>(())
/// ```
#[derive(Debug)]
pub struct PageRowMaker {
    rows: RowMaker,
    reader: ItemReader,
    times: Times,
}

impl PageRowMaker {
    /// Makes rows according to the options of a run.
    ///
    /// # Errors
    /// If the format has no encoder, which would be a bug.
    pub fn new(options: &RunOptions) -> Result<Self, StoreError> {
        let rows = RowMaker::new(options, &Encoder::new(options.format, &options.tables)?);
        let reader = ItemReader::new(rows.page_options());
        Ok(PageRowMaker { rows, reader, times: Times::default() })
    }

    /// The rows of an item.
    ///
    /// # Errors
    /// If the item has no rows: its row in the list of errors.
    pub fn rows(&mut self, item: &Item) -> Result<PageRows, ErrorRow> {
        let PageRowMaker { rows, reader, times } = self;
        let made = panic_guard::catch(|| rows.rows(reader, item, &|_| {}, times));
        let failure = match made {
            Ok(Ok(rows)) => return Ok(rows),
            Ok(Err(failure)) => failure,
            Err(message) => {
                // After a panic, its buffers may be in any state.
                self.reader = ItemReader::new(self.rows.page_options());
                Failure::new(Reason::Failed, message)
            }
        };
        Err(ErrorRow::new(item.origin(), item.url(), failure))
    }
}
