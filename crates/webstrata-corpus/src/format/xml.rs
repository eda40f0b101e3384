//! Parts of CSV rows and XML documents besides the content: metadata, readers' comments, a fingerprint.

use webstrata::content::metadata::Metadata;
use webstrata::content::{Content, XmlOptions};

/// The parts of a page besides its content.
pub(crate) struct PageParts<'p> {
    pub(crate) metadata: &'p Metadata,
    pub(crate) url: Option<&'p str>,
    pub(crate) id: &'p str,
    pub(crate) fingerprint: String,
    pub(crate) comments: Vec<String>,
}

impl PageParts<'_> {
    /// The address of the page: the given one, else the one that it declares.
    pub(crate) fn source(&self) -> Option<&str> {
        self.url.or_else(|| self.metadata.canonical.as_ref().map(|address| address.value.as_str()))
    }

    pub(crate) fn xml_options(&self) -> XmlOptions<'_> {
        XmlOptions::default()
            .metadata(Some(self.metadata))
            .url(self.url)
            .id(self.id)
            .fingerprint(self.fingerprint.as_str())
            .comments(&self.comments)
    }
}

/// The texts of readers' comments: blocks of the content with comments that the content without them does not have.
pub(crate) fn comments(with: &Content<'_>, without: &Content<'_>) -> Vec<String> {
    let only_with = |index: usize| with.is_content(index) && !without.is_content(index);
    with.blocks().iter().filter(|block| only_with(block.index())).map(|block| block.text()).collect()
}
