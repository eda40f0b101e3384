//! Parses dates in the formats that pages use: text is split into numbers, words and marks, and each token is tried as the
//! start of a date.

use super::date::Date;
use super::months::month;
use super::read_time::time_in;
use crate::span::floor_char_boundary;

/// Longer texts are truncated, since dates do not occur at the end of a paragraph.
const MAX_BYTES: usize = 400;

/// The first date in a text; see [`Date::parse`].
pub(super) fn read(text: &str, language: Option<&str>) -> Option<Date> {
    let text = text.trim();
    let tokens = tokens(&text[..floor_char_boundary(text, MAX_BYTES)]);
    if let [Token::Number(seconds, digits @ (10 | 13))] = tokens.as_slice() {
        return Date::from_unix(if *digits == 13 { seconds / 1000 } else { *seconds });
    }
    (0..tokens.len()).find_map(|at| {
        let (date, used) = day_at(&tokens, at, language)?;
        Some(date.with_time(time_in(&tokens, at, used)))
    })
}

/// A token of a date.
#[derive(Debug, PartialEq)]
pub(super) enum Token {
    /// A number, and how many digits it has.
    Number(u64, usize),
    /// Letters, in lower case.
    Word(String),
    /// Any other character; white space becomes one space.
    Mark(char),
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if let Some(mut value) = c.to_digit(10).map(u64::from).or_else(|| fullwidth_digit(c)) {
            let mut digits = 1;
            while let Some(next) = chars.peek().and_then(|c| c.to_digit(10).map(u64::from).or_else(|| fullwidth_digit(*c))) {
                value = value.saturating_mul(10).saturating_add(next);
                digits += 1;
                chars.next();
            }
            tokens.push(Token::Number(value, digits));
        } else if matches!(c, '年' | '月' | '日' | '년' | '월' | '일' | '时' | '時' | '分' | '秒' | '시' | '분' | '초')
        {
            tokens.push(Token::Mark(c));
        } else if c.is_alphabetic() {
            let mut word: String = c.to_lowercase().collect();
            while let Some(next) = chars.next_if(|c| c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36f}')) {
                word.extend(next.to_lowercase());
            }
            tokens.push(Token::Word(word));
        } else if c.is_whitespace() || c.is_control() {
            if tokens.last() != Some(&Token::Mark(' ')) {
                tokens.push(Token::Mark(' '));
            }
        } else if !matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}') {
            tokens.push(Token::Mark(if matches!(c, '–' | '—' | '−' | '‑') { '-' } else { c }));
        }
    }
    tokens
}

fn fullwidth_digit(c: char) -> Option<u64> {
    ('０'..='９').contains(&c).then(|| u64::from(c) - u64::from('０'))
}

/// The next token that is not a space.
pub(super) fn skip_spaces(tokens: &[Token], mut at: usize) -> usize {
    while tokens.get(at) == Some(&Token::Mark(' ')) {
        at += 1;
    }
    at
}

/// The token after one of `marks`, which may be surrounded by spaces.
pub(super) fn skip_mark(tokens: &[Token], at: usize, marks: &[char]) -> Option<usize> {
    let at = skip_spaces(tokens, at);
    matches!(tokens.get(at), Some(Token::Mark(c)) if marks.contains(c)).then(|| skip_spaces(tokens, at + 1))
}

pub(super) fn number(tokens: &[Token], at: usize, digits: std::ops::RangeInclusive<usize>) -> Option<(u64, usize)> {
    match tokens.get(at) {
        Some(Token::Number(value, n)) if digits.contains(n) => Some((*value, at + 1)),
        _ => None,
    }
}

fn date(year: u64, month: u64, day: u64) -> Option<Date> {
    Date::new(u16::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
}

/// The date that starts at a token, and the token after it.
fn day_at(tokens: &[Token], at: usize, language: Option<&str>) -> Option<(Date, usize)> {
    // A number that continues another (a version, a price) is not part of a date.
    if at > 1 && matches!((&tokens[at - 2], &tokens[at - 1]), (Token::Number(..), Token::Mark('.' | ',' | ':'))) {
        return None;
    }
    match &tokens[at] {
        Token::Number(value, 8) => Some((date(value / 10_000, value / 100 % 100, value % 100)?, at + 1)),
        Token::Number(year, 4) => year_first(tokens, at, *year),
        Token::Number(first, 1 | 2) => day_month_name(tokens, at, *first).or_else(|| numeric(tokens, at, *first, language)),
        Token::Word(word) => month(word).and_then(|m| month_name_first(tokens, at, m)),
        _ => None,
    }
}

/// 2024-05-13, 2024/5/13, 2024年5月13日, 2024 May 13.
fn year_first(tokens: &[Token], at: usize, year: u64) -> Option<(Date, usize)> {
    let separators = ['-', '/', '.', '年', '년'];
    if let Some(to) = skip_mark(tokens, at + 1, &separators) {
        let (month, to) = number(tokens, to, 1..=2)?;
        let to = skip_mark(tokens, to, &['-', '/', '.', '月', '월'])?;
        let (day, to) = number(tokens, to, 1..=2)?;
        let to = skip_mark(tokens, to, &['日', '일']).unwrap_or(to);
        return Some((date(year, month, day)?, to));
    }
    let at = skip_spaces(tokens, at + 1);
    let Some(Token::Word(word)) = tokens.get(at) else { return None };
    let (day, to) = number(tokens, skip_spaces(tokens, at + 1), 1..=2)?;
    Some((date(year, u64::from(month(word)?), day)?, to))
}

/// Skips fillers between the parts of a written date: dots, commas, dashes, `de`, `of`, ordinal endings.
fn skip_fillers(tokens: &[Token], mut at: usize) -> usize {
    for _ in 0..4 {
        match tokens.get(at) {
            Some(Token::Mark(' ' | '.' | ',' | '-' | '/' | 'º' | '°' | '،' | '\'' | '’')) => at += 1,
            Some(Token::Word(word))
                if matches!(word.as_str(), "de" | "of" | "st" | "nd" | "rd" | "th" | "er" | "del" | "the" | "º") =>
            {
                at += 1;
            }
            _ => break,
        }
    }
    at
}

/// A year of four digits, or of two after a dash or an apostrophe as in 13-May-24.
fn year_at(tokens: &[Token], at: usize) -> Option<(u64, usize)> {
    number(tokens, at, 4..=4).or_else(|| {
        let short = at > 0 && matches!(tokens[at - 1], Token::Mark('-' | '\'' | '’'));
        let (year, to) = number(tokens, at, 2..=2).filter(|_| short)?;
        (!matches!(tokens.get(to), Some(Token::Mark(':')))).then_some((if year < 70 { 2000 + year } else { 1900 + year }, to))
    })
}

/// 13 May 2024, 13. Mai 2024, 13 de mayo de 2024, 13th of May, 2024.
fn day_month_name(tokens: &[Token], at: usize, day: u64) -> Option<(Date, usize)> {
    let at = skip_fillers(tokens, at + 1);
    let Some(Token::Word(word)) = tokens.get(at) else { return None };
    let month = month(word)?;
    let (year, to) = year_at(tokens, skip_fillers(tokens, at + 1))?;
    Some((date(year, u64::from(month), day)?, to))
}

/// May 13, 2024; May 13th 2024.
fn month_name_first(tokens: &[Token], at: usize, month: u8) -> Option<(Date, usize)> {
    let (day, to) = number(tokens, skip_fillers(tokens, at + 1), 1..=2)?;
    if matches!(tokens.get(to), Some(Token::Mark(':'))) {
        return None;
    }
    let year = skip_fillers(tokens, to);
    // "Mon May 13 17:42:00 +0000 2024": the time precedes the year.
    let (year, to) = year_at(tokens, year).or_else(|| {
        (1..12).find_map(|k| {
            let time = tokens.get(year..year + k)?;
            let colon = time.contains(&Token::Mark(':')) && time.last() == Some(&Token::Mark(' '));
            number(tokens, year + k, 4..=4).filter(|(y, _)| colon && (1900..=2100).contains(y)).map(|(y, _)| (y, to))
        })
    })?;
    Some((date(year, u64::from(month), day)?, to))
}

/// 13.05.2024, 13/05/2024, 05/13/2024.
fn numeric(tokens: &[Token], at: usize, first: u64, language: Option<&str>) -> Option<(Date, usize)> {
    let Some(Token::Mark(separator @ ('.' | '/' | '-'))) = tokens.get(at + 1) else { return None };
    let to = at + 2;
    // "13. 5. 2024"
    let to = if *separator == '.' { skip_spaces(tokens, to) } else { to };
    let (second, to) = number(tokens, to, 1..=2)?;
    if tokens.get(to) != Some(&Token::Mark(*separator)) {
        return None;
    }
    let to = if *separator == '.' { skip_spaces(tokens, to + 1) } else { to + 1 };
    let (year, to) = number(tokens, to, 4..=4)?;
    // More digits follow: a version number.
    if matches!((tokens.get(to), tokens.get(to + 1)), (Some(Token::Mark('.' | '-')), Some(Token::Number(..)))) {
        return None;
    }
    let (day, month) = match (first, second) {
        (13.., _) => (first, second),
        (_, 13..) => (second, first),
        _ if first == second || *separator == '.' => (first, second),
        _ => match language?.to_ascii_lowercase().replace('_', "-").as_str() {
            "en-us" | "en-ph" => (second, first),
            // English without a region is ambiguous.
            "en" => return None,
            _ => (first, second),
        },
    };
    Some((date(year, month, day)?, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_formats() {
        let table = [
            ("2024-05-13", "2024-05-13"),
            ("2024-05-13T17:42:00Z", "2024-05-13T17:42:00Z"),
            ("2024-05-13T17:42:00.123+02:00", "2024-05-13T17:42:00+02:00"),
            ("2024-05-13T17:42-0500", "2024-05-13T17:42:00-05:00"),
            ("20240513T174230Z", "2024-05-13T17:42:30Z"),
            ("20240513", "2024-05-13"),
            ("2024-05-13 17:42", "2024-05-13T17:42:00"),
            ("2024/5/3", "2024-05-03"),
            ("Mon, 13 May 2024 17:42:00 GMT", "2024-05-13T17:42:00Z"),
            ("Mon, 13 May 2024 17:42:00 +0200", "2024-05-13T17:42:00+02:00"),
            ("Mon May 13 17:42:00 2024", "2024-05-13T17:42:00"),
            ("Mon May 13 17:42:00 +0000 2024", "2024-05-13T17:42:00Z"),
            ("Mon May 13 2024 17:42:00 GMT+0200 (CEST)", "2024-05-13T17:42:00+02:00"),
            ("13 May 2024", "2024-05-13"),
            ("13-May-24", "2024-05-13"),
            ("Published: 13th of May, 2024 at 5.42 pm", "2024-05-13T17:42:00"),
            ("May 13, 2024 5:42 PM EST", "2024-05-13T17:42:00-05:00"),
            ("May 13th, 2024, 12:05 a.m.", "2024-05-13T00:05:00"),
            ("Updated Sept. 3, 2023", "2023-09-03"),
            ("13.05.2024", "2024-05-13"),
            ("13. 5. 2024, 17.42 Uhr", "2024-05-13T17:42:00"),
            ("13. März 2024, 17:42 Uhr", "2024-03-13T17:42:00"),
            ("le 13 août 2024 à 17h42", "2024-08-13T17:42:00"),
            ("1er février 2024", "2024-02-01"),
            ("13 de mayo de 2024", "2024-05-13"),
            ("13 мая 2024 г., 17:42", "2024-05-13T17:42:00"),
            ("2024年5月13日 17時42分", "2024-05-13T17:42:00"),
            ("２０２４年５月１３日", "2024-05-13"),
            ("2024년 5월 13일", "2024-05-13"),
            ("13/05/2024", "2024-05-13"),
            ("05/13/2024", "2024-05-13"),
            ("2024 May 13", "2024-05-13"),
            ("1715622120", "2024-05-13T17:42:00Z"),
            ("1715622120000", "2024-05-13T17:42:00Z"),
            ("17:42, 13 May 2024", "2024-05-13T17:42:00"),
            ("13 mei 2024", "2024-05-13"),
            ("13 maggio 2024", "2024-05-13"),
        ];
        for (text, expected) in table {
            assert_eq!(Date::parse(text, None).map(|d| d.to_string()).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn texts_without_dates() {
        for text in [
            "",
            "May",
            "May 2024",
            "2024",
            "31.02.2024",
            "2023-02-29",
            "2024-13-01",
            "version 1.2.2024.5",
            "Call 555-05-2024x",
            "5:42",
            "99999999999999999999",
            "0000-00-00",
            "05/06/2024",
            "may 5:30",
            "3 days ago",
        ] {
            assert_eq!(Date::parse(text, None), None, "{text}");
        }
    }

    #[test]
    fn the_language_decides_ambiguous_dates() {
        let parse = |language| Date::parse("05/06/2024", Some(language)).map(|d| d.to_string());
        assert_eq!(parse("en-US").as_deref(), Some("2024-05-06"));
        assert_eq!(parse("en_us").as_deref(), Some("2024-05-06"));
        assert_eq!(parse("en-GB").as_deref(), Some("2024-06-05"));
        assert_eq!(parse("fr").as_deref(), Some("2024-06-05"));
        assert_eq!(parse("en"), None);
    }
}
