//! Terminators: short blocks that mark the end of the text ("User comments:", "© Reuters", "12 comments").

use super::unit::{FnStage, Marks, StageInfo};

/// A block with at least this many words is too long to be a terminator.
const TOO_MANY_WORDS: u32 = 15;

/// Prefixes of terminators, in lower case. Counts such as "12 comments" are recognised separately.
const BEGINNINGS: [&str; 13] = [
    "comments",
    "user comments",
    "© reuters",
    "please rate this",
    "post a comment",
    "add your comment",
    "add comment",
    "reader comments",
    "reader views",
    "have your say",
    "what you think...",
    "what you think…",
    "tell us what you think",
];

/// Whether the text of a short block marks the end of the article.
pub(super) fn is_terminator(text: &str) -> bool {
    let lower = text.to_lowercase();
    let text = lower.trim();
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let counted =
        number.len() < text.len() && [" comments", " comment", " users responded in"].iter().any(|t| number.starts_with(t));
    counted || text == "comment" || BEGINNINGS.iter().any(|t| text.starts_with(t))
}

/// For each first letter, the second letters of the prefixes, one bit each.
const SECOND: [u32; 26] = {
    let mut second = [0; 26];
    let mut at = 0;
    while at < BEGINNINGS.len() {
        if let [first @ b'a'..=b'z', next @ b'a'..=b'z', ..] = BEGINNINGS[at].as_bytes() {
            second[(*first - b'a') as usize] |= 1 << (*next - b'a');
        }
        at += 1;
    }
    second
};

/// Whether a text that starts with these bytes may be a terminator. Rules out most blocks without reading further.
fn may_be_terminator(start: &[u8]) -> bool {
    match start {
        [] => false,
        [b'0'..=b'9', rest @ ..] => {
            // A number may be one if a space follows, possibly as a character reference or in another run.
            let next = rest.iter().find(|byte| !byte.is_ascii_digit());
            next.is_none_or(|byte| !byte.is_ascii_graphic() || *byte == b'&')
        }
        // ©, and white space beyond ASCII.
        [first, ..] if !first.is_ascii() => matches!(first, 0xc2 | 0xe1..=0xe3),
        [b'&', ..] => true,
        [first, second, ..] => match [first.to_ascii_lowercase(), second.to_ascii_lowercase()] {
            [first @ b'a'..=b'z', second @ b'a'..=b'z'] => SECOND[usize::from(first - b'a')] >> (second - b'a') & 1 != 0,
            _ => false,
        },
        [_] => true, // the word continues after a tag
    }
}

/// Marks the terminators.
pub(super) fn terminators() -> FnStage {
    static INFO: StageInfo = StageInfo { name: "terminators", source: "boilerpipe", rules: &["end of text"] };
    FnStage::new(&INFO, |input, mut units, _| {
        for unit in &mut units {
            if unit.counts.words < TOO_MANY_WORDS && may_be_terminator(input.first_bytes(unit)) && is_terminator(&input.text(unit))
            {
                unit.marks = unit.marks.with(Marks::END);
            }
        }
        units
    })
}

#[cfg(test)]
mod tests {
    use super::{BEGINNINGS, is_terminator, may_be_terminator};

    #[test]
    fn terminators_by_their_text() {
        for yes in [
            "Comments", "Comments (12)", "User comments:", "12 comments", "1 Comment", "© Reuters 2008", "Have your say",
            "Add your comment", "What you think…",
        ] {
            assert!(is_terminator(yes) && may_be_terminator(yes.as_bytes()), "{yes}");
        }
        for no in ["He comments on the news", "Commentary", "12 people", "Reuters", "", "The comments were kind"] {
            assert!(!is_terminator(no), "{no}");
        }
    }

    #[test]
    fn no_terminator_begins_with_another_letter() {
        for c in '\u{80}'..=char::MAX {
            if !may_be_terminator(c.to_string().as_bytes()) {
                let first = c.to_lowercase().next();
                assert!(!c.is_whitespace() && !first.is_some_and(|first| first.is_ascii_digit()), "{c:?}");
                assert!(BEGINNINGS.iter().all(|beginning| beginning.chars().next() != first), "{c:?}");
            }
        }
    }
}
