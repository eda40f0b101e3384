//! Which way text runs: by its letters, since pages often say it in a style sheet only.

use crate::content::Document;
use crate::content::render::{Event, Part};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Direction {
    #[default]
    LeftToRight,
    RightToLeft,
}

impl Direction {
    /// The value of `dir`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Direction::LeftToRight => "ltr",
            Direction::RightToLeft => "rtl",
        }
    }
}

/// Letters of either kind, and the kind of the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Letters {
    right: u32,
    left: u32,
    first: Option<Direction>,
}

impl Letters {
    pub(super) fn count(&mut self, text: &str) {
        let mut letters = text.chars().filter(|c| c.is_alphabetic()).map(runs_left).peekable();
        if self.first.is_none() {
            self.first = letters.peek().map(|&left| if left { Direction::RightToLeft } else { Direction::LeftToRight });
        }
        for left in letters {
            let kind = if left { &mut self.left } else { &mut self.right };
            *kind = kind.saturating_add(1);
        }
    }

    /// The direction of a line, if it is surely not that of the text round it: by its first letter and by most of them.
    pub(super) fn other_than(self, round: Direction) -> Option<Direction> {
        self.direction().filter(|&direction| direction != round && self.first == Some(direction))
    }

    /// The direction of most letters; none where there are no letters.
    pub(super) fn direction(self) -> Option<Direction> {
        match (self.right, self.left) {
            (0, 0) => None,
            (right, left) if left > right => Some(Direction::RightToLeft),
            _ => Some(Direction::LeftToRight),
        }
    }
}

/// The direction of a document; code does not count.
pub(super) fn of_document(document: &Document) -> Direction {
    let mut letters = Letters::default();
    let mut code = false;
    for event in document.events() {
        match event {
            Event::Start(Part::Code(_)) => code = true,
            Event::End(Part::Code(_)) => code = false,
            Event::Text { text, .. } if !code => letters.count(text),
            _ => {}
        }
    }
    letters.direction().unwrap_or_default()
}

/// Is it a letter of a script that is written from right to left?
fn runs_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}
