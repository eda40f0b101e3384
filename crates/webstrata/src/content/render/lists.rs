//! List items, and the distinction of loose lists, whose items are separated by blank lines, from tight ones (CommonMark).

use super::build::Walk;
use super::containers::ContainerId;
use super::{Document, Event, Part};

impl Walk<'_> {
    /// An item in the list `container`, or in an implied list; `number` is its explicit number.
    pub(super) fn item(&mut self, container: ContainerId, number: Option<u32>) -> ContainerId {
        let mut list = container;
        if !matches!(self.out.containers.part(list), Part::List(_)) {
            let implied = self.frames.last().map_or(0, |f| f.implied);
            let text_container = self.out.containers.text_container(container);
            list = if implied != 0 { implied } else { self.out.containers.inside(text_container, Part::List(None)) };
            if !matches!(self.out.containers.part(list), Part::List(_)) {
                return text_container;
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.implied = list;
            }
        }
        let list = self.out.containers.list_for(list, number);
        self.out.containers.inside(list, Part::Item)
    }
}

impl Document {
    /// For each list, in document order: whether blank lines separate its items.
    pub(in crate::content) fn loose_lists(&self) -> Vec<bool> {
        let mut loose: Vec<bool> = Vec::new();
        // The open lists, each with the number of parts of its current item.
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut bases: Vec<usize> = Vec::new(); // number of open lists where each open quote, table or note started
        for event in self.events() {
            let Event::Start(part) = event else {
                match event {
                    Event::End(Part::List(_)) => drop(open.pop()),
                    Event::End(Part::Quote | Part::Table(_) | Part::Note(_)) => drop(bases.pop()),
                    _ => {}
                }
                continue;
            };
            let base = bases.last().copied().unwrap_or(0);
            if !matches!(part, Part::Item | Part::Row | Part::Cell(_) | Part::Caption)
                && open.len() > base
                && let Some((list, parts)) = open.last_mut()
            {
                *parts += 1;
                // A list may directly follow the first part, but Markdown recognises it there only if it starts at 1.
                let plain = match part {
                    Part::Paragraph | Part::Heading(_) => *parts == 1,
                    Part::List(start) => start.is_none_or(|n| n == 1),
                    _ => false,
                };
                loose[*list] |= !plain;
            }
            match part {
                Part::List(_) => {
                    open.push((loose.len(), 0));
                    loose.push(false);
                }
                Part::Item => open.iter_mut().last().into_iter().for_each(|(_, parts)| *parts = 0),
                Part::Quote | Part::Table(_) | Part::Note(_) => bases.push(open.len()),
                _ => {}
            }
        }
        loose
    }
}
