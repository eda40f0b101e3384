//! One page: parsed, given to the job. A panic in it is this page's error.

use super::Job;
use crate::inputs::Input;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use webstrata::{PageOptions, PageReader};

/// Buffers larger than this are not kept for the next page: one large page would occupy memory to the end of the run.
const MOST_KEPT: usize = 16 << 20;

thread_local! {
    /// Is this thread inside a page? A panic there is reported with the page.
    static IN_PAGE: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the default message of a panic off standard error where the page's own report says the same.
pub(crate) fn keep_panics_quiet() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !IN_PAGE.get() {
            default(panic);
        }
    }));
}

/// What a worker uses again for page after page.
pub(super) struct Tools {
    reader: PageReader,
    buffer: Vec<u8>,
}

impl Tools {
    pub(super) fn new(options: &PageOptions) -> Self {
        Tools { reader: PageReader::new(options.clone()), buffer: Vec::new() }
    }

    /// Room for the bytes of a page; [`Tools::keep`] takes it back.
    pub(super) fn buffer(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.buffer)
    }

    pub(super) fn keep(&mut self, buffer: Vec<u8>) {
        if buffer.capacity() <= MOST_KEPT {
            self.buffer = buffer;
        }
    }

    /// What the job makes of a page.
    pub(super) fn run(&mut self, job: &dyn Job, options: &PageOptions, input: &Input, bytes: &[u8]) -> Result<String, String> {
        IN_PAGE.set(true);
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            let page = self.reader.read(bytes);
            let result = job.page(input, &page);
            self.reader.recycle(page);
            result
        }));
        IN_PAGE.set(false);
        if attempt.is_err() || bytes.len() > MOST_KEPT {
            self.reader = PageReader::new(options.clone()); // its buffers may be half written, or large
        }
        match attempt {
            Ok(result) => result.map_err(|error| format!("{error:#}")),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
                Err(format!("webstrata failed on it ({}); please report the page", text.unwrap_or("panic")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests, and a job that panics on purpose")]
    use super::*;
    use webstrata::Page;

    /// Panics on pages that ask for it.
    struct Fragile;

    impl Job for Fragile {
        fn page(&self, _: &Input, page: &Page<'_>) -> anyhow::Result<String> {
            assert!(!page.dom().text().contains("boom"), "asked for it");
            Ok(page.dom().text())
        }

        fn failure(&self, _: &str, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn a_panic_is_the_error_of_its_page_only() {
        let options = PageOptions::default();
        let mut tools = Tools::new(&options);
        let mut run = |html: &str| tools.run(&Fragile, &options, &Input::default(), html.as_bytes());
        assert_eq!(run("<p>fine").unwrap(), "fine");
        let error = run("<p>boom").unwrap_err();
        assert!(error.contains("asked for it") && error.contains("report"), "{error}");
        assert_eq!(run("<p>fine again").unwrap(), "fine again");
    }
}
