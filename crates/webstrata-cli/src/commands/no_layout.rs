//! Stands in for `layout.rs` in builds without layouts.

use crate::args::SegmentArgs;
use crate::driver::PageInput;
use anyhow::Result;
use webstrata::Page;
use webstrata::content::Content;
use webstrata::layout::Layout;
use webstrata::segment::Segments;

/// Never constructed: there are no layouts.
pub(crate) enum Layouts {}

/// A rendered page; never constructed.
pub(crate) struct Captured {
    pub(crate) layout: Layout,
}

impl Layouts {
    pub(crate) fn new(_: &SegmentArgs) -> Result<Option<Self>> {
        Ok(None)
    }

    pub(crate) fn name(&self) -> &'static str {
        match *self {}
    }

    pub(crate) fn draws(&self) -> bool {
        match *self {}
    }

    pub(crate) fn capture(&self, _: &PageInput<'_>, _: &Page<'_>) -> Result<Captured, String> {
        match *self {}
    }

    pub(crate) fn draw(&self, _: &Captured, _: &Segments<'_>, _: &Content<'_>) -> Result<String, String> {
        match *self {}
    }
}
