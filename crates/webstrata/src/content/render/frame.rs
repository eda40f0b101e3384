//! What the walk over the tree knows of an element.

use super::containers::ContainerId;
use super::{Event, Style};
use crate::html::{Node, Tag, TagSet};
use crate::span::Span;

/// Elements whose text is none of the page's, beside those with the flag.
pub(super) const UNREAD: TagSet = TagSet::from_tags(&[Tag::SVG, Tag::ANNOTATION, Tag::ANNOTATION_XML]);

/// The same, but they end a line.
pub(super) const FIELDS: TagSet =
    TagSet::from_tags(&[Tag::HEAD, Tag::TITLE, Tag::SELECT, Tag::OPTION, Tag::OPTGROUP, Tag::TEXTAREA, Tag::IFRAME, Tag::FRAMESET]);

/// Elements that a heading does not reach into.
pub(super) const FLOW: TagSet = TagSet::from_tags(&[
    Tag::LI,
    Tag::TABLE,
    Tag::UL,
    Tag::OL,
    Tag::DL,
    Tag::SECTION,
    Tag::ARTICLE,
    Tag::BLOCKQUOTE,
    Tag::TD,
    Tag::TH,
]);

/// An element that the walk is inside of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    pub(super) end: u32,
    pub(super) tag: Option<Tag>,
    pub(super) container: ContainerId,
    /// The list of items that stand in no list.
    pub(super) implied: ContainerId,
    pub(super) style: Style,
    pub(super) link: u32,
    pub(super) heading: u8,
    pub(super) pre: u32,
    /// Behind the figure that it is in.
    pub(super) figure: u32,
}

/// An image that waits for the text behind it.
pub(super) struct Pending {
    pub(super) event: Event<Span>,
    pub(super) container: ContainerId,
    pub(super) figure: u32,
    /// A line ended between it and the text or image before it.
    pub(super) apart: bool,
}

/// What an element does to the looks of its text.
pub(super) fn style_of(tag: Tag) -> Style {
    match tag {
        Tag::B | Tag::STRONG | Tag::DT | Tag::SUMMARY => Style::STRONG,
        Tag::I | Tag::EM | Tag::CITE | Tag::DFN | Tag::VAR => Style::EMPHASIS,
        Tag::S | Tag::DEL | Tag::STRIKE => Style::STRIKETHROUGH,
        Tag::CODE | Tag::KBD | Tag::SAMP | Tag::TT => Style::CODE,
        _ => Style::PLAIN,
    }
}

/// The number that an attribute starts with.
pub(super) fn number(node: Node<'_>, name: &str) -> Option<u32> {
    let value = node.attribute(name)?;
    let digits = value.trim().trim_start_matches('+');
    let digits = &digits[..digits.bytes().take_while(u8::is_ascii_digit).count()];
    (!digits.is_empty()).then(|| digits.parse().unwrap_or(u32::MAX))
}

/// Does a table say that it is none?
pub(super) fn is_presentation(node: Node<'_>) -> bool {
    node.attribute("role").is_some_and(|role| matches!(&*role, "presentation" | "none"))
}
