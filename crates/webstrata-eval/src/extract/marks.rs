//! Which words of two texts are not in the other: what was missed, what was wrongly kept.

use crate::metrics::words::split;
use std::collections::HashMap;

/// A stretch of a text, and whether its words are missing in the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch<'t> {
    /// The text, white space and signs included.
    pub text: &'t str,
    /// Is it missing in the other?
    pub missing: bool,
}

/// Cuts a text into stretches that the other has and that it has not. As in the bag-of-words score a word that occurs
/// oftener here than there is missing as often as it is too many; the last ones count as too many.
///
/// ```
/// use webstrata_eval::extract::marks::stretches;
/// let marked: Vec<(&str, bool)> = stretches("Home: it rained again", "It rained").iter().map(|s| (s.text, s.missing)).collect();
/// assert_eq!(marked, [("Home: ", true), ("it rained ", false), ("again", true)]);
/// ```
#[must_use]
pub fn stretches<'t>(text: &'t str, other: &str) -> Vec<Stretch<'t>> {
    let lower = other.to_lowercase();
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in split(&lower) {
        *left.entry(word).or_default() += 1;
    }
    let mut found: Vec<Stretch<'t>> = Vec::new();
    let mut start = 0;
    let mut state = None;
    for word in split(text) {
        // A slice of the text: its place is the distance of the two.
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let count = left.get_mut(word.to_lowercase().as_str());
        let missing = match count {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        if state.is_some_and(|before| before != missing) {
            found.push(Stretch { text: &text[start..at], missing: !missing });
            start = at;
        }
        state = Some(missing);
    }
    if start < text.len() {
        found.push(Stretch { text: &text[start..], missing: state.unwrap_or(false) });
    }
    found
}
