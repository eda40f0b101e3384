//! Times of day and time zones next to a date.

use super::date::Time;
use super::months::zone;
use super::read_date::{Token, number, skip_mark, skip_spaces};

/// The time after the date at `from..to`, else right before it.
pub(super) fn time_in(tokens: &[Token], from: usize, to: usize) -> Option<Time> {
    let after = (to..(to + 8).min(tokens.len())).find_map(|at| time_at(tokens, at));
    after.or_else(|| (from.saturating_sub(12)..from).find_map(|at| time_at(tokens, at)))
}

/// 17:42, 17:42:30.123+02:00, 5:42 PM EST, 17時42分, 17h42, 174230 after a T.
fn time_at(tokens: &[Token], at: usize) -> Option<Time> {
    let after_t = at > 0 && matches!(&tokens[at - 1], Token::Word(w) if w == "t");
    if let Some((compact, to)) = number(tokens, at, 6..=6).filter(|_| after_t) {
        return finish(tokens, to, compact / 10_000, compact / 100 % 100, compact % 100);
    }
    if at > 0 && matches!(tokens[at - 1], Token::Mark(':' | '+')) {
        return None;
    }
    let (hour, to) = number(tokens, at, 1..=2)?;
    let cjk = skip_mark(tokens, to, &['时', '時', '시']);
    let (minute, mut to) = match tokens.get(to) {
        Some(Token::Mark(':')) => number(tokens, to + 1, 2..=2)?,
        Some(Token::Word(h)) if h == "h" => number(tokens, skip_spaces(tokens, to + 1), 2..=2)?,
        Some(Token::Mark('.')) if matches!(tokens.get(skip_spaces(tokens, to + 2)), Some(Token::Word(w)) if matches!(w.as_str(), "uhr" | "am" | "pm")) => {
            number(tokens, to + 1, 2..=2)?
        }
        _ => number(tokens, cjk?, 1..=2)?,
    };
    let mut second = 0;
    if let Some((value, end)) = matches!(tokens.get(to), Some(Token::Mark(':'))).then(|| number(tokens, to + 1, 2..=2)).flatten() {
        (second, to) = (value, end);
        // Fractions of a second.
        if matches!((tokens.get(to), tokens.get(to + 1)), (Some(Token::Mark('.' | ',')), Some(Token::Number(..)))) {
            to += 2;
        }
    }
    finish(tokens, to, hour, minute, second)
}

/// Reads AM or PM and the zone, and builds the time.
fn finish(tokens: &[Token], mut to: usize, mut hour: u64, minute: u64, second: u64) -> Option<Time> {
    let half = skip_spaces(tokens, to);
    // "p.m." is four tokens.
    let (letter, end) = match (tokens.get(half), tokens.get(half + 1), tokens.get(half + 2), tokens.get(half + 3)) {
        (Some(Token::Word(w)), ..) if w == "am" || w == "pm" => (w.as_bytes()[0], half + 1),
        (Some(Token::Word(a)), Some(Token::Mark('.')), Some(Token::Word(m)), dot) if m == "m" && (a == "a" || a == "p") => {
            (a.as_bytes()[0], half + 3 + usize::from(dot == Some(&Token::Mark('.'))))
        }
        _ => (0, to),
    };
    match letter {
        b'p' if hour < 12 => hour += 12,
        b'a' if hour == 12 => hour = 0,
        _ => {}
    }
    to = skip_spaces(tokens, end);
    let offset = match tokens.get(to) {
        Some(Token::Mark(sign @ ('+' | '-'))) => utc_offset(tokens, to + 1, *sign == '-'),
        Some(Token::Mark('(')) => named_zone(tokens, to + 1),
        _ => named_zone(tokens, to),
    };
    let (hour, minute, second) = (u8::try_from(hour).ok()?, u8::try_from(minute).ok()?, u8::try_from(second).ok()?);
    (hour < 24 && minute < 60 && second <= 60).then_some(Time { hour, minute, second: second.min(59), offset })
}

/// A named zone, optionally with an offset: `GMT`, `UTC+2`, `GMT-0500`.
fn named_zone(tokens: &[Token], at: usize) -> Option<i16> {
    let Some(Token::Word(word)) = tokens.get(at) else { return None };
    let base = zone(word)?;
    match tokens.get(at + 1) {
        Some(Token::Mark(sign @ ('+' | '-'))) if base == 0 => utc_offset(tokens, at + 2, *sign == '-').or(Some(0)),
        _ => Some(base),
    }
}

/// 02:00, 0200, 2.
fn utc_offset(tokens: &[Token], at: usize, west: bool) -> Option<i16> {
    let minutes = match (number(tokens, at, 4..=4), number(tokens, at, 1..=2)) {
        (Some((value, _)), _) => value / 100 * 60 + value % 100,
        (_, Some((hours, to))) => match (tokens.get(to), number(tokens, to + 1, 2..=2)) {
            (Some(Token::Mark(':')), Some((minutes, _))) => hours * 60 + minutes,
            _ => hours * 60,
        },
        _ => return None,
    };
    let minutes = i16::try_from(minutes).ok().filter(|m| *m <= 14 * 60)?;
    Some(if west { -minutes } else { minutes })
}
