//! Images: inline next to text, or each in a paragraph of its own.

use super::Event;
use super::build::Walk;
use super::frame::{Frame, Pending};
use super::marks::visible;
use crate::html::Node;
use crate::html::address;

/// Maximum number of consecutive images without text between them.
const MAX_IMAGES: usize = 64;

impl Walk<'_> {
    /// Queues an image until the text after it is known.
    pub(super) fn image(&mut self, id: u32, frame: Frame) {
        let node = Node::new(self.dom, id);
        let source = ["src", "data-src", "data-original"].iter().find_map(|name| {
            let value = node.attribute(name)?;
            address::source(self.base.as_deref(), &value)
        });
        let Some(source) = source else { return };
        let alt = visible(&node.attribute("alt").unwrap_or_default()).split_whitespace().collect::<Vec<_>>().join(" ");
        let link = if self.options.links && frame.link != 0 { self.target_of(frame.link) } else { None };
        let event = Event::Image { alt: self.out.document.intern(&alt), source: self.out.document.intern(&source), link };
        self.queue(Pending { event, container: frame.container, figure: frame.figure, line_ended: self.line_ended });
    }

    /// Queues an image or a media file until the text after it is known.
    pub(super) fn queue(&mut self, pending: Pending) {
        if self.images.len() < MAX_IMAGES {
            self.images.push(pending);
            self.line_ended = false;
        }
    }

    /// Writes the images before a text: those on the line of the previous text into that line, others as paragraphs.
    /// Returns those on the line of the next text.
    pub(super) fn flush_images(&mut self, next: u32, first: bool, frame: Frame) -> Vec<Pending> {
        let mut images = std::mem::take(&mut self.images);
        if images.is_empty() {
            return images;
        }
        let text_container = self.out.containers.text_container(frame.container);
        let mut first_inline = images.len();
        while first
            && frame.pre == 0
            && !self.line_ended
            && first_inline > 0
            && self.out.containers.text_container(images[first_inline - 1].container) == text_container
        {
            first_inline -= 1;
            self.line_ended = images[first_inline].line_ended;
        }
        let inline = images.split_off(first_inline);
        images.retain(|image| self.after_content || image.figure > next);
        let mut continues = self.after_content && !self.out.fresh;
        for image in images {
            let text_container = self.out.containers.text_container(image.container);
            continues &= !image.line_ended && self.out.leaf.is_some_and(|(at, _)| at == text_container);
            if (!first && self.out.leaf.is_some()) || continues {
                self.write_inline(image);
                continue;
            }
            self.out.start(text_container, 0);
            self.out.document.events.push(image.event);
            self.out.sync(text_container);
            self.hard_break = true;
        }
        inline
    }

    pub(super) fn write_inline(&mut self, image: Pending) {
        self.out.document.events.push(image.event);
        self.out.fresh = false;
        self.out.space = true;
    }
}
