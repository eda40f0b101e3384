//! State of the traversal for each open element.

use super::containers::ContainerId;
use super::{Event, Style};
use crate::html::{Node, Tag, TagSet};
use crate::select::table_marks::leading_number;
use crate::span::Span;

/// Elements whose text is not shown, besides those with the flag [`crate::html::HIDDEN`].
pub(super) const SKIPPED: TagSet = TagSet::from_tags(&[Tag::SVG, Tag::ANNOTATION, Tag::ANNOTATION_XML]);

/// Elements that end a line and whose text is not shown.
pub(super) const FIELDS: TagSet =
    TagSet::from_tags(&[Tag::HEAD, Tag::TITLE, Tag::SELECT, Tag::OPTION, Tag::OPTGROUP, Tag::TEXTAREA, Tag::IFRAME, Tag::FRAMESET]);

/// Elements that end the effect of an enclosing heading.
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

/// An open element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    pub(super) end: u32,
    pub(super) tag: Option<Tag>,
    pub(super) container: ContainerId,
    /// The implied list of items outside any list.
    pub(super) implied: ContainerId,
    pub(super) style: Style,
    pub(super) link: u32,
    pub(super) heading: u8,
    /// The enclosing heading, and the outermost enclosing inline code element.
    pub(super) heading_node: u32,
    pub(super) code: u32,
    pub(super) pre: u32,
    /// End of the enclosing figure; 0 if there is none.
    pub(super) figure: u32,
    /// Whether it is in a cell of a data table, and in the head of one.
    pub(super) in_cell: bool,
    pub(super) in_head: bool,
}

/// An image queued until the text after it is known.
pub(super) struct Pending {
    pub(super) event: Event<Span>,
    pub(super) container: ContainerId,
    pub(super) figure: u32,
    /// Whether a line ended between it and the previous text or image.
    pub(super) line_ended: bool,
}

/// The style that an element gives its text.
pub(super) fn style_of(tag: Tag) -> Style {
    match tag {
        Tag::B | Tag::STRONG | Tag::DT | Tag::SUMMARY => Style::STRONG,
        Tag::I | Tag::EM | Tag::CITE | Tag::DFN | Tag::VAR => Style::EMPHASIS,
        Tag::S | Tag::DEL | Tag::STRIKE => Style::STRIKETHROUGH,
        Tag::CODE | Tag::KBD | Tag::SAMP | Tag::TT => Style::CODE,
        Tag::SUP => Style::SUPERSCRIPT,
        Tag::SUB => Style::SUBSCRIPT,
        _ => Style::PLAIN,
    }
}

/// The number at the start of an attribute value.
pub(super) fn number(node: Node<'_>, name: &str) -> Option<u32> {
    leading_number(&node.attribute(name)?)
}
