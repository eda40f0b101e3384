//! Layouts from a headless Chromium.
//!
//! A page is untrusted, and rendering it must not reach anything but the files next to it. Therefore:
//! - the browser gets the page's source from us, at an address that does not exist, and every request of the page is intercepted: its own
//!   source and the files next to it ([`Assets`]) are served, everything else fails;
//! - scripts are off, in three ways: by command, by the browser's settings, and by a policy sent with the page, which also forbids
//!   frames, plugins, forms and other origins;
//! - the browser could not connect anyway: no name resolves, and there is a proxy that does not exist (`process.rs`);
//! - it has a fresh profile, keeps its sandbox (except as root, where Chromium refuses to), and is killed with all its processes.
//!
//! Responses from the browser are checked like any other input: sizes, indices, numbers, and time.

mod boxes;
mod connection;
mod process;
mod requests;
mod snapshot;
mod style;
mod tab;

use crate::markers::Marked;
use crate::{Assets, LayoutError, LayoutProvider};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use connection::{Connection, Deadline};
use requests::Requests;
use serde::Deserialize;
use serde_json::json;
use snapshot::{Answer, Snapshot};
use std::path::PathBuf;
use std::time::Duration;
use tab::Tab;
use webstrata::Page;
use webstrata::html::NodeId;
use webstrata::layout::Layout;

/// Maximum size of a page given to a browser, in bytes.
const MAX_PAGE: usize = 64 << 20;

/// Number of pages after which a browser is replaced, so that its leaks do not accumulate.
const PAGES_PER_BROWSER: u32 = 500;

/// Options of [`Chromium`].
///
/// ```
/// use std::time::Duration;
/// use webstrata_layout::ChromiumOptions;
/// let options = ChromiumOptions::default().width(1024).timeout(Duration::from_secs(60));
/// assert_eq!((options.width, options.max_height), (1024, 16_384));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChromiumOptions {
    /// The browser's executable. By default the value of `WEBSTRATA_BROWSER`, or a known name on the search path.
    pub browser: Option<PathBuf>,
    /// Width of the window in CSS pixels.
    pub width: u32,
    /// Height of the window in CSS pixels: the value of `100vh`. Pages are captured as a whole.
    pub height: u32,
    /// Height in CSS pixels at which screenshots are cut off.
    pub max_height: u32,
    /// Time limit for a page, and for starting the browser.
    pub timeout: Duration,
    /// Whether to run without Chromium's sandbox, for systems that do not allow it. As root, the sandbox is always off.
    pub no_sandbox: bool,
}

impl Default for ChromiumOptions {
    fn default() -> Self {
        ChromiumOptions {
            browser: None,
            width: 1280,
            height: 800,
            max_height: 16_384,
            timeout: Duration::from_secs(20),
            no_sandbox: false,
        }
    }
}

impl ChromiumOptions {
    /// Uses this executable.
    #[must_use]
    pub fn browser(self, browser: impl Into<PathBuf>) -> Self {
        ChromiumOptions { browser: Some(browser.into()), ..self }
    }

    /// With a window of this width; 1 to 10,000.
    #[must_use]
    pub fn width(self, width: u32) -> Self {
        ChromiumOptions { width: width.clamp(1, 10_000), ..self }
    }

    /// With a window of this height; 1 to 10,000.
    #[must_use]
    pub fn height(self, height: u32) -> Self {
        ChromiumOptions { height: height.clamp(1, 10_000), ..self }
    }

    /// With screenshots of at most this height; 1 to 16,384, the largest that Chromium draws.
    #[must_use]
    pub fn max_height(self, max_height: u32) -> Self {
        ChromiumOptions { max_height: max_height.clamp(1, 16_384), ..self }
    }

    /// With this time limit per page.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        ChromiumOptions { timeout, ..self }
    }

    /// With or without the sandbox.
    #[must_use]
    pub fn no_sandbox(self, no_sandbox: bool) -> Self {
        ChromiumOptions { no_sandbox, ..self }
    }
}

/// A page as a browser shows it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Capture {
    /// Boxes and styles of its nodes.
    pub layout: Layout,
    /// A screenshot as a PNG file, if requested.
    pub screenshot: Option<Vec<u8>>,
    /// The texts of the page that the browser has, visible or not. The rest was parsed differently.
    pub texts: Vec<NodeId>,
}

/// Layouts from a Chromium without network, scripts or access to files other than those next to the page.
///
/// The browser is started for the first page, serves the following ones, and is replaced after an error. It is terminated when this
/// is dropped.
///
/// ```no_run
/// use webstrata::Page;
/// use webstrata_layout::{Assets, Chromium, LayoutProvider};
/// let path = std::path::Path::new("saved/page.html");
/// let html = std::fs::read(path)?;
/// let page = Page::parse(&html);
/// let mut chromium = Chromium::default();
/// if let Some(layout) = chromium.layout(&page, Some(&Assets::beside(path)?))? {
///     println!("{} of {} nodes are visible", layout.rendered(), page.dom().len());
///     let page = page.with_layout(layout);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Chromium {
    options: ChromiumOptions,
    running: Option<Connection>,
    pages: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metrics {
    css_content_size: Size,
}

#[derive(Deserialize)]
struct Size {
    width: f32,
    height: f32,
}

#[derive(Deserialize)]
struct Picture {
    data: String,
}

impl Chromium {
    /// Creates a provider whose browser is started when first needed.
    #[must_use]
    pub fn new(options: ChromiumOptions) -> Self {
        Chromium { options, ..Chromium::default() }
    }

    /// Checks that there is a browser to start.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self) -> Result<PathBuf, LayoutError> {
        process::find(self.options.browser.as_deref())
    }

    /// Captures the layout of a page and, if requested, a screenshot of it.
    ///
    /// # Errors
    /// If there is no browser, or it fails, or it takes too long. The next page gets a new one.
    pub fn capture(&mut self, page: &Page<'_>, assets: Option<&Assets>, screenshot: bool) -> Result<Capture, LayoutError> {
        let marked = Marked::new(page);
        if marked.html.len() > MAX_PAGE {
            return Err(LayoutError::TooLarge { what: "the page", limit: format!("{} MB", MAX_PAGE >> 20) });
        }
        // The browser is put back only on success.
        let mut connection = match self.running.take() {
            Some(connection) if self.pages < PAGES_PER_BROWSER => connection,
            _ => {
                self.pages = 0;
                process::start(&self.options)?
            }
        };
        let capture = self.capture_with(&mut connection, page, marked, assets, screenshot)?;
        self.running = Some(connection);
        self.pages += 1;
        Ok(capture)
    }

    fn capture_with(
        &self,
        connection: &mut Connection,
        page: &Page<'_>,
        mut marked: Marked,
        assets: Option<&Assets>,
        screenshot: bool,
    ) -> Result<Capture, LayoutError> {
        let requests = Requests::new(std::mem::take(&mut marked.html), assets);
        let deadline = Deadline::after(self.options.timeout);
        let mut tab = Tab::open(connection, requests, (self.options.width, self.options.height), deadline)?;
        tab.load()?;
        let metrics: Metrics = tab.ask("Page.getLayoutMetrics", json!({}))?;
        let Size { width, height } = metrics.css_content_size;
        let wanted = json!({"computedStyles": style::PROPERTIES, "includePaintOrder": false, "includeDOMRects": false});
        let answer: Answer = tab.ask("DOMSnapshot.captureSnapshot", wanted)?;
        let screenshot = if screenshot { Some(self.screenshot(&mut tab, height)?) } else { None };
        tab.close()?;
        let (layout, texts) = boxes::layout(page, &marked, &Snapshot::new(answer)?, (width, height));
        Ok(Capture { layout, screenshot, texts })
    }

    /// A PNG file of the page at its full height, up to the limit, in the width of the window.
    fn screenshot(&self, tab: &mut Tab<'_, '_>, height: f32) -> Result<Vec<u8>, LayoutError> {
        let height = if height.is_finite() { height.clamp(1.0, self.options.max_height as f32) } else { 1.0 };
        let clip = json!({"x": 0, "y": 0, "width": self.options.width, "height": height.ceil(), "scale": 1});
        let wanted = json!({"format": "png", "captureBeyondViewport": true, "clip": clip});
        let picture: Picture = tab.ask("Page.captureScreenshot", wanted)?;
        let nonsense =
            |error: base64::DecodeError| LayoutError::Nonsense { step: "Page.captureScreenshot", reason: error.to_string() };
        STANDARD.decode(picture.data).map_err(nonsense)
    }
}

impl LayoutProvider for Chromium {
    fn name(&self) -> &'static str {
        "chromium"
    }

    fn layout(&mut self, page: &Page<'_>, assets: Option<&Assets>) -> Result<Option<Layout>, LayoutError> {
        self.capture(page, assets, false).map(|capture| Some(capture.layout))
    }
}
