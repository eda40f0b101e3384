//! Layouts for webstrata's pages: where their nodes are on a screen and how they look, from a real browser.
//!
//! [`Chromium`] renders a page in a headless Chromium that can reach neither the network nor any files except those saved next to
//! the page ([`Assets`]), and maps the result to webstrata's tree. [`NoLayout`] provides none. Methods of [`webstrata::segment`]
//! that can use a layout find it in the page ([`Page::with_layout`]).
//!
//! ```no_run
//! use webstrata::Page;
//! use webstrata_layout::{Assets, Chromium};
//! let path = std::path::Path::new("saved/page.html");
//! let html = std::fs::read(path)?;
//! let page = Page::parse(&html);
//! let capture = Chromium::default().capture(&page, Some(&Assets::beside(path)?), true)?;
//! let page = page.with_layout(capture.layout);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A layout can be saved and read again ([`save`], [`read`]), so that the browser is needed only once.

#![forbid(unsafe_code)]

mod assets;
mod chromium;
mod error;
mod markers;
mod picture;
mod store;

pub use assets::Assets;
pub use chromium::{Capture, Chromium, ChromiumOptions};
pub use error::LayoutError;
pub use picture::{Outline, data_address, outlined, segment_areas};
pub use store::{read, save};

use webstrata::Page;
use webstrata::layout::Layout;

/// A source of layouts.
///
/// ```
/// use webstrata::Page;
/// use webstrata_layout::{LayoutProvider, NoLayout};
/// let mut provider: Box<dyn LayoutProvider> = Box::new(NoLayout);
/// assert_eq!(provider.layout(&Page::parse(b"<p>Rain"), None)?, None);
/// # Ok::<(), webstrata_layout::LayoutError>(())
/// ```
pub trait LayoutProvider: Send {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// The layout of a page with the files next to it; `None` if the provider has none.
    ///
    /// # Errors
    /// If the engine is missing, or it failed on this page. It can still be used for other pages.
    fn layout(&mut self, page: &Page<'_>, assets: Option<&Assets>) -> Result<Option<Layout>, LayoutError>;
}

/// No layout: methods use content and tree alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLayout;

impl LayoutProvider for NoLayout {
    fn name(&self) -> &'static str {
        "none"
    }

    fn layout(&mut self, _: &Page<'_>, _: Option<&Assets>) -> Result<Option<Layout>, LayoutError> {
        Ok(None)
    }
}
