//! The query language.
//!
//! ```text
//! rain snow            pages with either word; those about both rank higher
//! rain AND snow        both;  rain OR snow: one of them, as without OR
//! rain -snow           without a word; NOT snow is the same
//! "hot water"          the words next to each other, in one segment
//! (rain OR snow) AND -"hot water"
//! site:example.org     on a host or site;  lang:pt, kind:article, after:2024-05, before:2025
//! ```
//!
//! Operators are written in capitals. Exclusions and filters apply to the list of words in which they occur.

mod parser;
mod tokens;

use crate::error::QueryError;
use parser::Parser;
use std::str::FromStr;
use tokens::{Token, tokens};
use webstrata_corpus::Timestamp;

/// Longest query in bytes.
pub const MAX_BYTES: usize = 1 << 16;
/// Maximum number of words.
pub const MAX_WORDS: usize = 256;
/// Maximum nesting of parentheses.
pub const MAX_DEPTH: usize = 64;

/// A parsed query.
///
/// ```
/// use webstrata_search::Query;
/// let query: Query = "rain \"hot water\" -snow site:example.org".parse()?;
/// assert_eq!(query.to_string(), "(rain OR \"hot water\") AND site:example.org AND NOT snow");
/// # Ok::<(), webstrata_search::QueryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub(crate) root: Node,
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// A word as written; the index may divide it into several words.
    Word(String),
    /// Words in sequence, as written.
    Phrase(String),
    /// A filter.
    Filter(Filter),
    /// All of them.
    All(Vec<Node>),
    /// One of the first (if there are any), all of the second, none of the third.
    List { any: Vec<Node>, all: Vec<Node>, none: Vec<Node> },
}

/// A restriction on pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    /// A host or site.
    Site(String),
    /// A language.
    Language(String),
    /// A page type.
    Kind(String),
    /// Dates from this one on, in seconds.
    After(i64),
    /// Dates before this one, in seconds.
    Before(i64),
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Query, QueryError> {
        if text.len() > MAX_BYTES {
            return Err(QueryError::TooLong(text.len()));
        }
        let tokens = tokens(text)?;
        let mut parser = Parser::new(&tokens);
        let root = parser.list(0)?;
        match parser.rest().first() {
            Some(Token::Close) => Err(QueryError::Unbalanced(')', '(')),
            _ => Ok(Query { root }),
        }
    }
}

impl Query {
    /// Builds a query of words alone: operators, quotation marks and filters are words like any other.
    ///
    /// ```
    /// use webstrata_search::Query;
    /// assert_eq!(Query::of_words("NOT (rain")?.to_string(), "NOT OR (rain");
    /// # Ok::<(), webstrata_search::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no word, or if there are too many.
    pub fn of_words(text: &str) -> Result<Query, QueryError> {
        let mut words: Vec<Node> = text.split_whitespace().map(|word| Node::Word(word.to_owned())).collect();
        match words.len() {
            _ if text.len() > MAX_BYTES => Err(QueryError::TooLong(text.len())),
            0 => Err(QueryError::Empty),
            1 => Ok(Query { root: words.remove(0) }),
            2..=MAX_WORDS => Ok(Query { root: Node::List { any: words, all: Vec::new(), none: Vec::new() } }),
            _ => Err(QueryError::TooManyWords),
        }
    }
}

impl std::fmt::Display for Query {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&shown(&self.root, false))
    }
}

/// Writes the query in full; in parentheses if it is part of another.
fn shown(node: &Node, inner: bool) -> String {
    let date = |seconds: i64| {
        Timestamp::from_micros(seconds.saturating_mul(1_000_000)).map_or(String::new(), |t| t.to_string()[..10].to_owned())
    };
    let text = match node {
        Node::Word(word) => return word.clone(),
        Node::Phrase(text) => return format!("\"{text}\""),
        Node::Filter(Filter::Site(value)) => return format!("site:{value}"),
        Node::Filter(Filter::Language(value)) => return format!("lang:{value}"),
        Node::Filter(Filter::Kind(value)) => return format!("kind:{value}"),
        Node::Filter(Filter::After(value)) => return format!("after:{}", date(*value)),
        Node::Filter(Filter::Before(value)) => return format!("before:{}", date(*value)),
        Node::All(parts) => parts.iter().map(|part| shown(part, true)).collect::<Vec<_>>().join(" AND "),
        Node::List { any, all, none } => {
            let mut parts = Vec::new();
            let or = any.iter().map(|part| shown(part, true)).collect::<Vec<_>>().join(" OR ");
            match any.len() {
                0 => {}
                1 => parts.push(or),
                _ if all.is_empty() && none.is_empty() => parts.push(or),
                _ => parts.push(format!("({or})")),
            }
            parts.extend(all.iter().map(|part| shown(part, true)));
            parts.extend(none.iter().map(|part| format!("NOT {}", shown(part, true))));
            parts.join(" AND ")
        }
    };
    if inner { format!("({text})") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> String {
        text.parse::<Query>().map_or_else(|error| format!("! {error}"), |query| query.to_string())
    }

    #[test]
    fn queries_are_parsed() {
        for (text, want) in [
            ("rain", "rain"),
            ("rain snow", "rain OR snow"),
            ("rain OR snow", "rain OR snow"),
            ("rain AND snow hail", "(rain AND snow) OR hail"),
            ("rain -snow", "rain AND NOT snow"),
            ("rain NOT snow", "rain AND NOT snow"),
            ("rain AND -(snow hail)", "rain AND NOT (snow OR hail)"),
            ("\"hot water", "\"hot water\""),
            ("rock-n-roll - 5", "rock-n-roll OR - OR 5"),
            ("site:Example.org", "site:example.org"),
            ("rain lang:de after:2024 before:2024-05-02", "rain AND lang:de AND after:2024-01-01 AND before:2024-05-02"),
            ("http://example.org/", "http://example.org/"),
            ("((((rain))))", "rain"),
            ("--rain", "--rain"),
            ("rain )", "! the query has a ) without a ("),
            ("OR", "! OR needs words on both sides; write it in lower case to search for the word"),
            ("after:soon", "! after: needs a year, month or day, such as after:2024-05-01"),
            ("()", "! the query has no words; give some, such as: rain \"hot water\" -snow site:example.org"),
        ] {
            assert_eq!(parsed(text), want, "{text}");
        }
    }

    #[test]
    fn hostile_queries_end() {
        let deep = |depth: usize| format!("{}rain{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(deep(10_000).parse::<Query>(), Err(QueryError::TooDeep));
        assert_eq!("(".repeat(60_000).parse::<Query>(), Err(QueryError::TooDeep));
        assert!(deep(MAX_DEPTH).parse::<Query>().is_ok());
        assert_eq!("a".repeat(1 << 20).parse::<Query>(), Err(QueryError::TooLong(1 << 20)));
        assert_eq!("a ".repeat(20_000).parse::<Query>(), Err(QueryError::TooManyWords));
        assert_eq!(format!("\"{}\"", "a ".repeat(20_000)).parse::<Query>(), Err(QueryError::TooManyWords));
        for odd in ["\u{202e}\u{0}\u{feff}", "🦀👩‍👩‍👧", "e\u{301}\u{301}", "* ? ~ ^ []{}", "-\u{301}", "a\u{0}b", "\u{10ffff}"]
        {
            let _ = odd.parse::<Query>();
        }
        assert!("-".repeat(60_000).parse::<Query>().is_ok());
        assert!("NOT ".repeat(10_000).parse::<Query>().is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Printed queries parse to the same query.
        #[test]
        fn any_text_is_parsed(text in "(\\PC|[ab()\"-]|AND |OR |NOT |site:|after:2024 ){0,30}") {
            if let Ok(query) = text.parse::<Query>() {
                let shown = query.to_string();
                prop_assert!(!shown.is_empty() || text.trim().is_empty());
            }
        }
    }
}
