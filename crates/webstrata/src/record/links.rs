//! Links and images as plain data.

use super::block::names;
use super::{Pair, pair};
use crate::content::{Content, Image, Link, LinkOptions, Place};
use crate::html::{NodeId, Paths};
use serde::{Deserialize, Serialize};

/// One link of a page.
///
/// ```
/// use webstrata::{Page, record::{PageRecord, RecordOptions}};
/// let page = Page::parse(b"<p><a rel=NoFollow href=//example.com/>one</a>");
/// let options = RecordOptions::default().url("https://example.org/a").links(true);
/// let link = &PageRecord::new(&page, &page.extract(), &options).links.unwrap()[0];
/// assert_eq!((link.text.as_str(), link.path.as_str(), link.same_host), ("one", "/html/body/p/a", Some(false)));
/// assert_eq!((link.rel[0].as_str(), link.block, link.span), ("nofollow", Some(0), [3, 39]));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// Byte range of its start tag.
    pub span: Pair,
    /// DOM path of its element.
    pub path: String,
    /// Its text, or the `alt` of its images.
    pub text: String,
    /// Its address as the page has it.
    pub href: String,
    /// Its address, resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Words of its `rel` attribute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rel: Vec<String>,
    /// Its `title` attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Does it lead to the host of the page?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_host: Option<bool>,
    /// What is known about whether it can be seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// Number of its block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    /// Number of its segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<usize>,
    /// What the block is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Is it content?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<bool>,
}

/// One image of a page.
///
/// ```
/// use webstrata::{Page, record::{PageRecord, RecordOptions}};
/// let page = Page::parse(b"<p>The ferry: <img src=ferry.jpg alt=Ferry width=640>");
/// let options = RecordOptions::default().url("https://example.org/a").images(true);
/// let image = &PageRecord::new(&page, &page.extract(), &options).images.unwrap()[0];
/// assert_eq!(image.src.as_deref(), Some("https://example.org/ferry.jpg"));
/// assert_eq!((image.alt.as_deref(), image.width, image.block), (Some("Ferry"), Some(640), Some(0)));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageRecord {
    /// Byte range of its tag.
    pub span: Pair,
    /// DOM path of its element.
    pub path: String,
    /// Its address, resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub src: Option<String>,
    /// Address of its largest version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest: Option<String>,
    /// What stands for it where it is not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// Its `title` attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its width in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Its height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// Its caption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// Where the link leads that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// What is known about whether it can be seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// Number of the block nearest to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    /// Number of that block's segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<usize>,
    /// What the block is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Is the block content?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<bool>,
}

fn path(content: &Content<'_>, paths: &Paths, node: NodeId) -> String {
    content.blocks().dom().node(node).map_or_else(String::new, |node| paths.path(node))
}

fn role(place: Place) -> String {
    place.role.name().to_owned()
}

pub(super) fn links(content: &Content<'_>, options: &LinkOptions<'_>, paths: &Paths) -> Vec<LinkRecord> {
    let record = |link: Link| LinkRecord {
        span: pair(link.span),
        path: path(content, paths, link.node),
        text: link.text,
        href: link.href,
        target: link.target,
        rel: link.rel,
        title: link.title,
        same_host: link.same_host,
        facts: names(link.facts),
        block: link.place.map(|place| place.block),
        segment: link.place.and_then(|place| place.segment),
        role: link.place.map(role),
        content: link.place.map(|place| place.content),
    };
    content.links(options).into_iter().map(record).collect()
}

pub(super) fn images(content: &Content<'_>, options: &LinkOptions<'_>, paths: &Paths) -> Vec<ImageRecord> {
    let record = |image: Image| ImageRecord {
        span: pair(image.span),
        path: path(content, paths, image.node),
        src: image.src,
        largest: image.largest,
        alt: image.alt,
        title: image.title,
        width: image.width,
        height: image.height,
        caption: image.caption,
        link: image.link,
        facts: names(image.facts),
        block: image.place.map(|place| place.block),
        segment: image.place.and_then(|place| place.segment),
        role: image.place.map(role),
        content: image.place.map(|place| place.content),
    };
    content.images(options).into_iter().map(record).collect()
}
