//! Lists whose items hold more than a line each, told from those that are written without blank lines.

use super::{Document, Event, Part};

impl Document {
    /// By list, in the order in which they begin: do blank lines part its items?
    pub(in crate::content) fn loose_lists(&self) -> Vec<bool> {
        let mut loose: Vec<bool> = Vec::new();
        // Lists that are open, each with the number of parts that its item has so far.
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut quotes: Vec<usize> = Vec::new(); // how many lists were open where a quote or a table began
        for event in self.events() {
            let Event::Start(part) = event else {
                match event {
                    Event::End(Part::List(_)) => drop(open.pop()),
                    Event::End(Part::Quote | Part::Table(_) | Part::Note(_)) => drop(quotes.pop()),
                    _ => {}
                }
                continue;
            };
            let base = quotes.last().copied().unwrap_or(0);
            if !matches!(part, Part::Item | Part::Row | Part::Cell(_))
                && open.len() > base
                && let Some((list, parts)) = open.last_mut()
            {
                *parts += 1;
                // A list may follow the first part directly, but only one that starts at 1 is seen as a list there.
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
                Part::Quote | Part::Table(_) | Part::Note(_) => quotes.push(open.len()),
                _ => {}
            }
        }
        loose
    }
}
