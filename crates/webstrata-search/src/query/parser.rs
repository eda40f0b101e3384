//! The query parser.

use super::tokens::Token;
use super::{MAX_DEPTH, MAX_WORDS, Node};
use crate::error::QueryError;

/// The state of the parser.
pub(super) struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    words: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(tokens: &'t [Token]) -> Parser<'t> {
        Parser { tokens, at: 0, words: 0 }
    }

    /// The tokens that have not been read.
    pub(super) fn rest(&self) -> &'t [Token] {
        self.tokens.get(self.at..).unwrap_or_default()
    }

    /// Parses parts next to each other, or separated by OR.
    pub(super) fn list(&mut self, depth: usize) -> Result<Node, QueryError> {
        if depth > MAX_DEPTH {
            return Err(QueryError::TooDeep);
        }
        let (mut any, mut all, mut none) = (Vec::new(), Vec::new(), Vec::new());
        let mut after_or = false;
        loop {
            match self.tokens.get(self.at) {
                None | Some(Token::Close) => break,
                Some(Token::Or) if after_or || (any.is_empty() && all.is_empty() && none.is_empty()) => {
                    return Err(QueryError::Operand("OR"));
                }
                Some(Token::Or) => {
                    self.at += 1;
                    after_or = true;
                    continue;
                }
                Some(_) => after_or = false,
            }
            let mut parts = Vec::new();
            let mut excluded = Vec::new();
            loop {
                let (node, is_excluded) = self.part(depth)?;
                if is_excluded {
                    excluded.push(node);
                } else {
                    parts.push(node);
                }
                if self.tokens.get(self.at) != Some(&Token::And) {
                    break;
                }
                self.at += 1;
            }
            none.append(&mut excluded);
            let is_filter = |node: &Node| matches!(node, Node::Filter(_));
            all.extend(parts.iter().filter(|node| is_filter(node)).cloned());
            parts.retain(|node| !is_filter(node));
            match parts.len() {
                0 => {}
                1 => any.append(&mut parts),
                _ => any.push(Node::All(parts)),
            }
        }
        if after_or {
            return Err(QueryError::Operand("OR"));
        }
        if any.is_empty() && all.is_empty() {
            return Err(if none.is_empty() { QueryError::Empty } else { QueryError::Operand("NOT") });
        }
        Ok(match (any.len(), all.is_empty() && none.is_empty()) {
            (1, true) => any.remove(0),
            _ => Node::List { any, all, none },
        })
    }

    /// Parses a part. Returns it and whether it is excluded.
    fn part(&mut self, depth: usize) -> Result<(Node, bool), QueryError> {
        let mut excluded = false;
        while self.tokens.get(self.at) == Some(&Token::Not) {
            (excluded, self.at) = (!excluded, self.at + 1);
        }
        let token = self.tokens.get(self.at).ok_or(QueryError::Operand(if excluded { "NOT" } else { "AND" }))?;
        self.at += 1;
        match token {
            Token::Open => {
                let inside = self.list(depth + 1)?;
                if self.tokens.get(self.at) != Some(&Token::Close) {
                    return Err(QueryError::Unbalanced('(', ')'));
                }
                self.at += 1;
                Ok((inside, excluded))
            }
            Token::Node(node) => {
                self.words += match node {
                    Node::Phrase(text) => text.split_whitespace().count().max(1),
                    _ => 1,
                };
                if self.words > MAX_WORDS { Err(QueryError::TooManyWords) } else { Ok((node.clone(), excluded)) }
            }
            Token::Or => Err(QueryError::Operand("OR")),
            Token::And | Token::Close => Err(QueryError::Operand("AND")),
            Token::Not => Err(QueryError::Operand("NOT")),
        }
    }
}
