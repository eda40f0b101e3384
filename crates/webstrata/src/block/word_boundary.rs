//! Decides whether text on both sides of an inline tag, without white space in between, is one word or two.
//!
//! Markup alone does not decide this: `H<sub>2</sub>O` and `<b>D</b>rop` are one word, but `<a>Home</a><a>News</a>` and
//! `<span>Comments</span><span>12</span>` are two, because a style sheet separates them. Words glued together
//! are a frequent complaint about other tools. The rules: tags that only change the appearance of letters join them (unless a
//! capital follows a lower-case letter); adjacent links, or adjacent pieces of code, are separate words; otherwise a change
//! of case, or between letters and digits, starts a new word.

use super::WordBoundary;
use crate::html::{Tag, TagSet};

/// Tags that only change the appearance of letters.
const STYLE: TagSet = TagSet::from_tags(&[
    Tag::B,
    Tag::STRONG,
    Tag::I,
    Tag::EM,
    Tag::U,
    Tag::S,
    Tag::SUB,
    Tag::SUP,
    Tag::FONT,
    Tag::BIG,
    Tag::SMALL,
    Tag::TT,
    Tag::CODE,
    Tag::KBD,
    Tag::SAMP,
    Tag::VAR,
    Tag::MARK,
    Tag::INS,
    Tag::DEL,
    Tag::STRIKE,
    Tag::NOBR,
    Tag::WBR,
    Tag::RUBY,
    Tag::RB,
    Tag::RP,
    Tag::RT,
    Tag::RTC,
    Tag::BDI,
    Tag::BDO,
    Tag::ABBR,
    Tag::DFN,
    Tag::ACRONYM,
    Tag::SCRIPT,
    Tag::STYLE,
]);

const RAISED: TagSet = TagSet::from_tags(&[Tag::SUB, Tag::SUP]);

/// The tags between two runs of text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TagsBetween {
    /// Tags other than `a`.
    pub(super) tags: TagSet,
    /// Start and end tags of `a`.
    pub(super) link_tags: u32,
    /// Start and end tags of `code`, `kbd` and `samp`.
    pub(super) code_tags: u32,
}

/// The last characters of a run, whose final word may continue in the next run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tail {
    last: Option<char>,
    before: Option<char>,
    /// Whether it ends with at least four letters, so it is not a symbol or a unit.
    word: bool,
}

impl Tail {
    pub(super) fn new(text: &str) -> Self {
        let mut back = text.chars().rev();
        let (last, before) = (back.next(), back.next());
        let letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        Tail { last, before, word: letter(last) && letter(before) && letter(back.next()) && letter(back.next()) }
    }
}

/// What separates `next` from a run that ends with `tail`, if only the inline tags of `between` lie between them.
pub(super) fn across(between: TagsBetween, tail: Tail, next: &str) -> WordBoundary {
    let (Some(before), Some(after)) = (tail.last, next.chars().next()) else { return WordBoundary::None };
    if !after.is_alphanumeric() {
        return WordBoundary::None;
    }
    // `wbr` only allows a line break inside a word. A double colon is part of a name: `std::iter`.
    if between.tags.contains(Tag::WBR) || (before == ':' && tail.before == Some(':')) {
        return WordBoundary::None;
    }
    let styled = between.link_tags == 0 && between.tags.is_subset(STYLE);
    if !before.is_alphanumeric() {
        // A clause or quotation ends and another begins: `VIDEO:` `Most`, but not `3.` `5` or `www.` `name`.
        let ends = matches!(before, ':' | ';' | ',' | '!' | '?' | '…')
            || (matches!(before, '.' | '\'' | '"' | '”' | '’' | ')') && after.is_uppercase());
        return if ends && !styled { WordBoundary::Space } else { WordBoundary::None };
    }
    let digits = before.is_numeric() && after.is_numeric();
    let new_capital = before.is_lowercase() && after.is_uppercase();
    let separate = if between.link_tags > 1 || between.code_tags > 1 {
        true
    } else if styled {
        // A footnote number after a number or a word, or `<b>Size</b>Large`.
        let note = tail.word && after.is_numeric() && between.tags.contains(Tag::SUP);
        new_capital || note || (digits && between.tags.intersects(RAISED))
    } else {
        let all_caps = before.is_uppercase() && after.is_uppercase() && tail.before.is_some_and(char::is_alphanumeric);
        digits || before.is_numeric() != after.is_numeric() || new_capital || all_caps
    };
    if separate { WordBoundary::Space } else { WordBoundary::None }
}

#[cfg(test)]
mod tests {
    use crate::Page;

    #[test]
    fn words_across_inline_tags() {
        for (html, want) in [
            ("H<sub>2</sub>O", "H2O"),
            ("<b>D</b>rop", "Drop"),
            ("<span>D</span>rop <span>W</span>ASHINGTON", "Drop WASHINGTON"),
            ("<a>Home</a><a>News</a>", "Home News"),
            ("<a>home</a><a>news</a>", "home news"),
            ("<a>apple</a>s", "apples"),
            ("<code>get</code><code>put</code> <code>set</code>s <kbd>Alt</kbd><kbd>F4</kbd>", "get put sets Alt F4"),
            ("<span>Comments</span><span>12</span>", "Comments 12"),
            ("<span>1</span><a>Euro</a>", "1 Euro"),
            ("13,200<sup>1</sup>", "13,200 1"),
            ("10<sup>th</sup>", "10th"),
            ("valley<sup>1</sup>, km<sup>2</sup>, x<sup>2</sup>, area<sub>1</sub>", "valley 1, km2, x2, area1"),
            ("E<math><mi>x</mi><mo>=</mo><mn>1</mn></math>, so", "Ex = 1, so"),
            ("<math><mi>a</mi></math><math><mi>b</mi></math> c", "a b c"),
            ("<span>wo</span><span>rd</span>", "word"),
            ("<label>Name</label><span>Age</span>", "Name Age"),
            ("(<a>see</a>)", "(see)"),
            ("<span>地</span><span>層</span>", "地層"),
            ("VOA<span>Sites</span>", "VOA Sites"),
            ("<span>VIDEO:</span><span>Most read</span>", "VIDEO: Most read"),
            ("<span>3.</span><span>5</span> www.<span>name</span>", "3.5 www.name"),
            ("<b>Size</b>Large", "Size Large"),
            ("<a>std</a>::<wbr><a>iter</a>::<a>Once</a> <a>super</a><wbr><a>cali</a>", "std::iter::Once supercali"),
        ] {
            let page = Page::parse(html.as_bytes());
            assert_eq!(page.blocks().get(0).map(|b| b.text()).as_deref(), Some(want), "{html}");
        }
    }
}
