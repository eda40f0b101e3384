//! Images: in the line of the text that they stand beside, or a paragraph each.

use super::Event;
use super::build::Walk;
use super::frame::{Frame, Pending};
use super::marks::visible;
use crate::html::Node;
use crate::html::address;

/// Images in a row, with no text between them, that are kept.
const MAX_IMAGES: usize = 64;

impl Walk<'_> {
    /// Takes note of an image; it is written when the text behind it is known.
    pub(super) fn image(&mut self, id: u32, frame: Frame) {
        if self.images.len() >= MAX_IMAGES {
            return;
        }
        let node = Node::new(self.dom, id);
        let source = ["src", "data-src", "data-original"].iter().find_map(|name| {
            let value = node.attribute(name)?;
            address::source(self.base.as_deref(), &value)
        });
        let Some(source) = source else { return };
        let alt = visible(&node.attribute("alt").unwrap_or_default()).split_whitespace().collect::<Vec<_>>().join(" ");
        let link = if self.options.links && frame.link != 0 { self.target_of(frame.link) } else { None };
        let event = Event::Image { alt: self.out.document.intern(&alt), source: self.out.document.intern(&source), link };
        self.images.push(Pending { event, container: frame.container, figure: frame.figure, apart: self.apart });
        self.apart = false;
    }

    /// Writes the images before a text: those in a line with the text before into that line, others as paragraphs.
    /// Gives back those in a line with the text behind.
    pub(super) fn flush_images(&mut self, next: u32, first: bool, frame: Frame) -> Vec<Pending> {
        let mut images = std::mem::take(&mut self.images);
        if images.is_empty() {
            return images;
        }
        let home = self.out.containers.home(frame.container);
        let mut beside = images.len();
        while first && frame.pre == 0 && !self.apart && beside > 0 && self.out.containers.home(images[beside - 1].container) == home
        {
            beside -= 1;
            self.apart = images[beside].apart;
        }
        let behind = images.split_off(beside);
        images.retain(|image| self.after_content || image.figure > next);
        let mut goes_on = self.after_content && !self.out.fresh;
        for image in images {
            let home = self.out.containers.home(image.container);
            goes_on &= !image.apart && self.out.leaf.is_some_and(|(at, _)| at == home);
            if (!first && self.out.leaf.is_some()) || goes_on {
                self.in_line(image);
                continue;
            }
            self.out.start(home, 0);
            self.out.document.events.push(image.event);
            self.out.sync(home);
            self.hard = true;
        }
        behind
    }

    pub(super) fn in_line(&mut self, image: Pending) {
        self.out.document.events.push(image.event);
        self.out.fresh = false;
        self.out.space = true;
    }
}
