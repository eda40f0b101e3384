//! Task list items: list items that start with a check box.

use super::build::Walk;
use super::frame::Frame;
use super::{Event, Part};
use crate::html::Node;

impl Walk<'_> {
    /// Records a check box if it starts an item. Boxes with a name belong to a form.
    pub(super) fn check_box(&mut self, id: u32, frame: Frame) {
        if self.out.containers.part(frame.container) != Part::Item || self.out.open.contains(&frame.container) {
            return;
        }
        let node = Node::new(self.dom, id);
        let is_box = node.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        if is_box && (node.has_attribute("disabled") || !node.has_attribute("name")) {
            self.task = Some((frame.container, node.has_attribute("checked")));
        }
    }

    /// Writes the box of the item whose first line is starting.
    pub(super) fn write_box(&mut self) {
        if let Some((item, checked)) = self.task.take()
            && self.out.leaf == Some((item, 0))
        {
            self.out.document.events.push(Event::Task(checked));
        }
    }
}
