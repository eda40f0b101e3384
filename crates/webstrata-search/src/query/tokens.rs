//! The query tokenizer.

use super::{Filter, Node};
use crate::error::QueryError;
use webstrata_corpus::Timestamp;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Open,
    Close,
    And,
    Or,
    Not,
    Node(Node),
}

/// Splits a query into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, QueryError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let token;
        (token, rest) = match first {
            '(' => (Token::Open, &rest[1..]),
            ')' => (Token::Close, &rest[1..]),
            '-' | '!' if rest[1..].starts_with(|next: char| !next.is_whitespace() && next != '-') => (Token::Not, &rest[1..]),
            '"' | '\u{201c}' | '\u{201e}' => {
                let inside = &rest[first.len_utf8()..];
                let end = inside.find(['"', '\u{201d}', '\u{201c}']).unwrap_or(inside.len());
                let after = inside[end..].chars().next().map_or(0, char::len_utf8);
                (Token::Node(Node::Phrase(inside[..end].to_owned())), &inside[end + after..])
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"')).unwrap_or(rest.len());
                let word = &rest[..end];
                let token = match word {
                    "AND" | "&&" => Token::And,
                    "OR" | "||" => Token::Or,
                    "NOT" => Token::Not,
                    _ => Token::Node(filter(word)?.map_or_else(|| Node::Word(word.to_owned()), Node::Filter)),
                };
                (token, &rest[end..])
            }
        };
        tokens.push(token);
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// Parses a word as a filter, if it is one.
fn filter(word: &str) -> Result<Option<Filter>, QueryError> {
    let Some((name, value)) = word.split_once(':') else { return Ok(None) };
    let text = || Some(value.to_lowercase()).filter(|value| !value.is_empty());
    Ok(Some(match name {
        "site" => Filter::Site(text().ok_or(QueryError::Filter("site:", "a host", "example.org"))?),
        "lang" => Filter::Language(text().ok_or(QueryError::Filter("lang:", "a language", "en"))?),
        "kind" => Filter::Kind(text().ok_or(QueryError::Filter("kind:", "a page type", "article"))?),
        "after" => Filter::After(day(value).ok_or(QueryError::Filter("after:", "a year, month or day", "2024-05-01"))?),
        "before" => Filter::Before(day(value).ok_or(QueryError::Filter("before:", "a year, month or day", "2024-05-01"))?),
        _ => return Ok(None),
    }))
}

/// The first second of a year, month or day, as a timestamp.
fn day(text: &str) -> Option<i64> {
    let is_date = text.len() <= 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let full = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let time = Timestamp::parse(&full).filter(|_| is_date)?;
    Some(time.micros().div_euclid(1_000_000))
}
