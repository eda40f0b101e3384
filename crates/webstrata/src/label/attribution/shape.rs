//! Credits, bylines and dates recognised by the shape and place of a line.

use super::{Evidence, Found, MAX_CREDIT_WORDS, MAX_LINE_WORDS};
use crate::block::{Blocks, Context};
use crate::html::{Tag, TagSet};
use crate::label::Role;
use crate::label::letter_case::is_capital;

/// Blocks between a headline and a byline without a name.
const BYLINE_DISTANCE: usize = 5;

/// Blocks with this many words are running text.
const LONG_WORDS: u32 = 25;

/// Pictures and the elements around them.
const PICTURES: TagSet = TagSet::from_tags(&[Tag::IMG, Tag::PICTURE, Tag::FIGURE, Tag::VIDEO, Tag::IFRAME, Tag::OBJECT]);
/// Whether a line is largely a date, in any language: it has a year, or three numbers with the same separator between
/// them, and few letters besides its digits.
pub(super) fn is_dated(blocks: Blocks<'_>, index: usize) -> bool {
    let (mut digits, mut letters) = (0u32, 0u32);
    let (mut year, mut date) = (false, false);
    // The digits of the current number, its value, the last separator, and how many numbers it has connected.
    let (mut length, mut value, mut sign, mut connected) = (0u32, 0u32, ' ', 0u32);
    for &run in blocks.runs_of(index) {
        for c in blocks.dom().run_text(Blocks::run_node(run)).chars().chain([' ']) {
            if let Some(digit) = digit_of(c) {
                digits += 1;
                length += 1;
                value = (value * 10 + digit).min(10_000);
                continue;
            }
            letters += u32::from(c.is_alphabetic());
            if length > 0 {
                year |= length == 4 && (1900..2100).contains(&value);
                date |= connected >= 2 && length <= 4;
                connected =
                    if matches!(c, '.' | '/' | '-') && length <= 4 && (connected == 0 || c == sign) { connected + 1 } else { 0 };
                sign = c;
            } else if c != ' ' || sign != '.' {
                // Only "13. 5. 2024" has spaces inside.
                connected = 0;
            }
            if matches!(c, '$' | '€' | '£' | '¥' | '%') {
                return false;
            }
            (length, value) = (0, 0);
        }
    }
    (year || date) && digits * 4 >= letters
}

/// The value of a digit, in all scripts that write dates with their own digits.
fn digit_of(c: char) -> Option<u32> {
    let zero = match c {
        '0'..='9' => '0',
        '٠'..='٩' => '٠',
        '۰'..='۹' => '۰',
        '०'..='९' => '०',
        '০'..='৯' => '০',
        '๐'..='๙' => '๐',
        '０'..='９' => '０',
        _ => return None,
    };
    Some(u32::from(c) - u32::from(zero))
}

/// Prefixes of explicit credits, in lower case.
const CREDITS: [&str; 42] = [
    "photo:", "photo :", "photos:", "photo by ", "photos by ", "photo credit", "photograph:", "photograph by ", "photography:",
    "picture:", "pictures:", "image:", "images:", "image credit", "image courtesy", "photo courtesy", "image source:", "foto:",
    "fotos:", "foto ©", "foto di ", "bild:", "bilder:", "bildquelle:", "bildnachweis", "bildrechte", "symbolbild:", "crédit photo",
    "crédits photo", "crédit :", "imagen:", "imagem:", "fotografía:", "fotografia:", "fot.", "fotó:", "kuva:", "beeld:", "фото:",
    "写真：", "사진=", "图片来源",
];

/// Prefixes of credits that also begin other lines: they count only next to a picture.
const WEAK_CREDITS: [&str; 3] = ["©", "(c)", "credit:"];

/// Agencies whose names end a credit. They count only next to a picture.
const AGENCIES: [&str; 14] = [
    "getty images", "reuters", "afp", "ap", "ap photo", "dpa", "epa", "shutterstock", "istock", "unsplash", "alamy", "imago",
    "keystone", "picture alliance",
];

/// Words before an author's name at the start of a line, in lower case.
const BY: [&str; 19] = [
    "by", "von", "par", "por", "di", "door", "av", "af", "text:", "autor:", "author:", "words:", "reporting by", "written by",
    "posted by", "publié par", "geschrieben von", "автор:", "текст:",
];

/// Words that may occur between names.
const BETWEEN: [&str; 22] = [
    "and", "und", "et", "y", "e", "i", "och", "og", "en", "with", "for", "in", "at", "on", "de", "van", "von", "der", "da", "di",
    "la", "the",
];

/// The role by the shape of a line and its place.
pub(super) fn role_by_shape(blocks: Blocks<'_>, index: usize, words: u32) -> Option<Found> {
    if words > MAX_CREDIT_WORDS {
        return None;
    }
    let record = &blocks.records()[index];
    if record.context.intersects(Context::CELL) || record.context.intersects(Context::LIST) {
        return None;
    }
    let text = blocks.get(index)?.text();
    let lower = text.to_lowercase();
    let starts_with = |start: &&str| lower.as_bytes().first() == start.as_bytes().first() && lower.starts_with(*start);
    if CREDITS.iter().any(|start| lower.len() > start.len() && starts_with(start)) {
        return Some((Role::Credit, Evidence::Shape));
    }
    // Most lines are in neither place, which is cheaper to check than their shape.
    if next_to_picture(blocks, index)
        && (WEAK_CREDITS.iter().any(starts_with) || (words <= MAX_LINE_WORDS && ends_in_agency(&lower)))
    {
        return Some((Role::Credit, Evidence::Shape));
    }
    let line = words <= MAX_LINE_WORDS && below_headline(blocks, index) && (is_by_line(&text, &lower) || is_dated(blocks, index));
    line.then_some((Role::Byline, Evidence::Shape))
}

/// Whether a line, in lower case, ends in the name of an agency.
fn ends_in_agency(lower: &str) -> bool {
    AGENCIES.iter().any(|name| {
        let start = lower.strip_suffix(')').unwrap_or(lower).strip_suffix(name);
        start.is_some_and(|start| start.is_empty() || start.ends_with(['/', ' ', '-', '|', '©', '(', ',', '–']))
    })
}

/// Whether a line consists of a word like "by" and names.
fn is_by_line(text: &str, lower: &str) -> bool {
    let by = BY.iter().filter(|by| lower.strip_prefix(**by).is_some_and(|rest| rest.starts_with(char::is_whitespace)));
    let Some(length) = by.map(|by| by.split(' ').count()).max() else { return false };
    let mut names = text.split_whitespace().skip(length).peekable();
    names.peek().is_some_and(|name| name.starts_with(is_capital))
        && names.all(|name| name.starts_with(|c: char| is_capital(c) || !c.is_alphabetic()) || BETWEEN.contains(&name))
        && !text.ends_with(['.', '?', '!', ':'])
}

/// Whether a picture is in the gap before a block or after it.
fn next_to_picture(blocks: Blocks<'_>, index: usize) -> bool {
    let gap = |index: usize| blocks.get(index).is_some_and(|block| block.gap().intersects(PICTURES));
    gap(index) || gap(index + 1)
}

/// Whether an `h1` is a few blocks above, with no running text in between.
fn below_headline(blocks: Blocks<'_>, index: usize) -> bool {
    let above = blocks.records()[index.saturating_sub(BYLINE_DISTANCE)..index].iter().rev();
    let headline = |record: &crate::block::Record| record.context.intersects(Context::H1);
    above.take_while(|record| record.counts.words < LONG_WORDS || headline(record)).any(headline)
}
