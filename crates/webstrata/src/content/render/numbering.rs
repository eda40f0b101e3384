//! Explicit item numbers: `<li value=7>` and `<ol reversed>`.
//!
//! In a document, a list counts up from its first number. Where the page deviates, a new list starts at the right number.

use super::Part;
use super::containers::{ContainerId, Containers};
use std::collections::HashMap;

/// The largest number written: Markdown reads at most nine digits.
pub(super) const MAX_NUMBER: u32 = 100_000_000;

/// Lists that do not simply count up.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// For each list: the list to which further items are added.
    continued_in: HashMap<ContainerId, ContainerId>,
    /// For each list that counts down: the number of its next item.
    down: HashMap<ContainerId, u32>,
    /// For each ordered list: number of items written.
    written: HashMap<ContainerId, u32>,
}

impl Containers {
    /// Makes a list count down from a number.
    pub(super) fn count_down(&mut self, list: ContainerId, from: u32) {
        if matches!(self.part(list), Part::List(Some(_))) {
            self.numbering.down.insert(list, from);
        }
    }

    /// Counts a written item.
    pub(super) fn count_item(&mut self, item: ContainerId) {
        let list = self.parent(item);
        if let Part::List(Some(_)) = self.part(list) {
            *self.numbering.written.entry(list).or_default() += 1;
        }
    }

    fn written(&self, list: ContainerId) -> u32 {
        self.numbering.written.get(&list).copied().unwrap_or(0)
    }

    /// The number of the next item of a list.
    fn next_number(&self, list: ContainerId) -> Option<u32> {
        if let Part::List(start) = self.part(list) { start?.checked_add(self.written(list)) } else { None }
    }

    /// The list to which items of `list` are currently added.
    pub(super) fn current(&self, list: ContainerId) -> ContainerId {
        self.numbering.continued_in.get(&list).copied().unwrap_or(list)
    }

    /// The list to which the next item of `list` is added; `value` is the item's explicit number.
    pub(super) fn list_for(&mut self, list: ContainerId, value: Option<u32>) -> ContainerId {
        let at = self.current(list);
        let mut wanted = value.map(|value| value.min(MAX_NUMBER));
        if let Some(next) = self.numbering.down.get_mut(&list) {
            let number = wanted.unwrap_or(*next);
            *next = number.saturating_sub(1);
            wanted = Some(number);
        }
        let differs = |&wanted: &u32| self.next_number(at).is_some_and(|next| next != wanted);
        let Some(wanted) = wanted.filter(differs) else { return at };
        if self.written(at) == 0 {
            self.start_with(at, wanted);
            return at;
        }
        let new = self.inside(self.parent(at), Part::List(Some(wanted)));
        if !matches!(self.part(new), Part::List(_)) {
            return at;
        }
        self.numbering.continued_in.insert(list, new);
        new
    }
}
