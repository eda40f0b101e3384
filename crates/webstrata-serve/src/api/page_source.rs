//! The page of a request: its body, or the page fetched from an address.

use super::options::address;
use crate::http::body::PageBody;
use crate::http::error::ApiError;
use crate::state::App;
use std::cell::RefCell;
use std::sync::Arc;
use webstrata::{Page, PageOptions, PageReader};

/// A page before it is parsed.
pub(crate) struct PageSource {
    body: PageBody,
    url: Option<String>,
    fetched: Option<(Vec<u8>, Option<String>)>,
}

thread_local! {
    /// Parsers keep their buffers from page to page.
    static READER: RefCell<Option<PageReader>> = const { RefCell::new(None) };
}

impl PageSource {
    /// The page in the body, or the one at `fetch` if that is an address.
    pub(crate) async fn new(app: &App, body: PageBody, url: Option<String>, fetch: Option<String>) -> Result<PageSource, ApiError> {
        let url = address(url)?;
        let Some(wanted) = address(fetch)? else { return Ok(PageSource { body, url, fetched: None }) };
        let Some(fetcher) = &app.fetcher else {
            return Err(ApiError::Forbidden("this server does not fetch pages; --allow-fetch enables it".into()));
        };
        let fetcher = Arc::clone(fetcher);
        let task = move || fetcher.get(&wanted);
        let page = tokio::time::timeout(app.options.timeout, tokio::task::spawn_blocking(task));
        let page = page.await.map_err(|_| ApiError::Timeout)?.map_err(|_| ApiError::Internal)?;
        let page = page.map_err(|error| ApiError::Fetch(error.to_string()))?;
        Ok(PageSource { body, url: Some(page.url), fetched: Some((page.body, page.content_type)) })
    }

    /// The URL.
    pub(crate) fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Bytes of the page.
    pub(crate) fn len(&self) -> usize {
        self.fetched.as_ref().map_or(self.body.bytes.len(), |(bytes, _)| bytes.len())
    }

    /// Parses the page and passes it to a function.
    pub(crate) fn parsed<T>(&self, with: impl FnOnce(&Page<'_>) -> T) -> T {
        let (bytes, transport) = match &self.fetched {
            Some((bytes, content_type)) => (bytes.as_slice(), content_type.as_deref()),
            None => (&self.body.bytes[..], self.body.content_type.as_deref()),
        };
        if let Some(transport) = transport {
            return with(&Page::parse_with(bytes, &PageOptions::default().transport(transport.to_owned())));
        }
        // It is taken out while in use: after a panic, the next page gets a new one.
        let mut reader = READER.with(RefCell::take).unwrap_or_else(|| PageReader::new(PageOptions::default()));
        let page = reader.read(bytes);
        let result = with(&page);
        reader.recycle(page);
        READER.with(|place| place.replace(Some(reader)));
        result
    }
}
