//! Text direction, inferred from the letters, since pages often set it only in a style sheet.

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

/// Letters counted by direction, and the direction of the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Letters {
    left_to_right: u32,
    right_to_left: u32,
    first: Option<Direction>,
}

impl Letters {
    pub(super) fn count(&mut self, text: &str) {
        let mut letters = text.chars().filter(|c| c.is_alphabetic()).map(is_right_to_left).peekable();
        if self.first.is_none() {
            self.first =
                letters.peek().map(|&right_to_left| if right_to_left { Direction::RightToLeft } else { Direction::LeftToRight });
        }
        for right_to_left in letters {
            let count = if right_to_left { &mut self.right_to_left } else { &mut self.left_to_right };
            *count = count.saturating_add(1);
        }
    }

    /// The direction of a line if both its first letter and most of its letters differ from the surrounding text.
    pub(super) fn differing_from(self, surrounding: Direction) -> Option<Direction> {
        self.direction().filter(|&direction| direction != surrounding && self.first == Some(direction))
    }

    /// The direction of most letters; `None` without letters.
    pub(super) fn direction(self) -> Option<Direction> {
        match (self.left_to_right, self.right_to_left) {
            (0, 0) => None,
            (left_to_right, right_to_left) if right_to_left > left_to_right => Some(Direction::RightToLeft),
            _ => Some(Direction::LeftToRight),
        }
    }
}

/// The direction of a document, ignoring code.
pub(super) fn document_direction(document: &Document) -> Direction {
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

/// Whether `c` is a letter of a script written from right to left.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}
