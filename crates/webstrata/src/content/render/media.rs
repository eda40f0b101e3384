//! Audio and video: links to their files where images are written.

use super::build::Walk;
use super::frame::{Frame, Pending};
use super::marks::visible;
use super::{Event, Style};
use crate::html::{Node, Tag, address};

/// Maximum number of nodes inside a player searched for its address.
const NEAR: usize = 16;

impl Walk<'_> {
    /// Queues a link to the file of a player, like an image.
    pub(super) fn media(&mut self, id: u32, frame: Frame) {
        let node = Node::new(self.dom, id);
        let sources = node.descendants().take(NEAR).filter(|n| n.tag() == Tag::SOURCE);
        let source = std::iter::once(node).chain(sources).find_map(|n| {
            let value = n.attribute("src")?;
            address::source(self.base.as_deref(), &value)
        });
        let Some(source) = source else { return };
        let label = ["title", "aria-label"].iter().find_map(|name| node.attribute(name).filter(|label| !label.trim().is_empty()));
        let label = visible(&label.unwrap_or_else(|| file_name(&source).to_owned().into()))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let label = if label.is_empty() { node.tag().name().to_owned() } else { label };
        let (text, link) = (self.out.document.intern(&label), self.out.document.intern(&source));
        let event = Event::Text { text, style: Style::GENERATED, link: Some(link) };
        self.queue(Pending { event, container: frame.container, figure: frame.figure, line_ended: true });
    }
}

/// The last segment of the path of an address.
fn file_name(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}
