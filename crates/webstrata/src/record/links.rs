//! Links and images as plain data.

use super::block::names;
use super::{Pair, pair};
use crate::content::{Content, Image, Link, LinkOptions, Place};
use crate::html::{Facts, NodeId, Paths};
use serde::{Deserialize, Serialize};

/// One link of a page.
///
/// ```
/// use webstrata::{Page, record::{PageRecord, RecordOptions}};
/// let page = Page::parse(b"<p><a rel=NoFollow href=//example.com/>one</a>");
/// let options = RecordOptions::default().url("https://example.org/a").links(true);
/// let link = &PageRecord::new(&page, &page.extract(), &options).links.unwrap()[0];
/// assert_eq!((link.text.as_str(), link.path.as_str(), link.same_host), ("one", "/html/body/p/a", Some(false)));
/// assert_eq!((link.rel[0].as_str(), link.place.block, link.span), ("nofollow", Some(0), [3, 39]));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// Byte range of the start tag.
    pub span: Pair,
    /// DOM path of the element.
    pub path: String,
    /// The text, or the `alt` of its images.
    pub text: String,
    /// The address as written in the page.
    pub href: String,
    /// The address, resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Words of the `rel` attribute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rel: Vec<String>,
    /// The `title` attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether the target is on the host of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_host: Option<bool>,
    /// Visibility, and the place in the page.
    #[serde(flatten)]
    pub place: PlaceRecord,
}

/// One image of a page.
///
/// ```
/// use webstrata::{Page, record::{PageRecord, RecordOptions}};
/// let page = Page::parse(b"<p>The ferry: <img src=ferry.jpg alt=Ferry width=640>");
/// let options = RecordOptions::default().url("https://example.org/a").images(true);
/// let image = &PageRecord::new(&page, &page.extract(), &options).images.unwrap()[0];
/// assert_eq!(image.src.as_deref(), Some("https://example.org/ferry.jpg"));
/// assert_eq!((image.alt.as_deref(), image.width, image.place.block), (Some("Ferry"), Some(640), Some(0)));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageRecord {
    /// Byte range of the tag.
    pub span: Pair,
    /// DOM path of the element.
    pub path: String,
    /// The address, resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub src: Option<String>,
    /// Address of the largest version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest: Option<String>,
    /// The `alt` text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// The `title` attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Width in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// The caption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// Target of the link around the image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Visibility, and the place in the page.
    #[serde(flatten)]
    pub place: PlaceRecord,
}

/// The place of a link or an image. In JSON its fields are fields of the link or image itself.
///
/// ```
/// use webstrata::{Page, record::{PageRecord, RecordOptions}};
/// let page = Page::parse(b"<p hidden><a href=/valley>The valley</a></p>");
/// let link = &PageRecord::new(&page, &page.extract(), &RecordOptions::default().links(true)).links.unwrap()[0];
/// assert_eq!((link.place.block, link.place.facts[0].as_str()), (Some(0), "hidden"));
/// assert!(serde_json::to_string(link)?.contains(r#""facts":["hidden"],"block":0,"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaceRecord {
    /// Facts about visibility.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// Index of the block that contains it or is nearest to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    /// Index of that block's segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<usize>,
    /// Role of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Whether the block is content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<bool>,
}

impl PlaceRecord {
    fn new(facts: Facts, place: Option<Place>) -> Self {
        PlaceRecord {
            facts: names(facts),
            block: place.map(|place| place.block),
            segment: place.and_then(|place| place.segment),
            role: place.map(|place| place.role.name().to_owned()),
            content: place.map(|place| place.content),
        }
    }
}

fn path(content: &Content<'_>, paths: &Paths, node: NodeId) -> String {
    content.blocks().dom().node(node).map_or_else(String::new, |node| paths.path(node))
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
        place: PlaceRecord::new(link.facts, link.place),
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
        place: PlaceRecord::new(image.facts, image.place),
    };
    content.images(options).into_iter().map(record).collect()
}
