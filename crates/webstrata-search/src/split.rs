//! The tokenizer of the index. Words have already been segmented, and are separated by control characters that no word contains.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Ends a word.
pub(crate) const WORD_END: char = '\u{1f}';
/// Leaves a position empty, so that no phrase extends from one block to the next.
pub(crate) const GAP: char = '\u{1e}';

/// Splits at [`WORD_END`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Split {
    token: Token,
}

/// Iterates over the words of a text.
#[derive(Debug)]
pub(crate) struct SplitStream<'s> {
    token: &'s mut Token,
    rest: &'s str,
    offset: usize,
}

impl Tokenizer for Split {
    type TokenStream<'s> = SplitStream<'s>;

    fn token_stream<'s>(&'s mut self, text: &'s str) -> SplitStream<'s> {
        self.token.reset();
        SplitStream { token: &mut self.token, rest: text, offset: 0 }
    }
}

impl TokenStream for SplitStream<'_> {
    fn advance(&mut self) -> bool {
        let mut skipped = 1;
        while let Some(rest) = self.rest.strip_prefix(GAP) {
            (self.rest, self.offset, skipped) = (rest, self.offset + 1, skipped + 1);
        }
        let Some((word, rest)) = self.rest.split_once(WORD_END) else { return false };
        self.token.position = self.token.position.wrapping_add(skipped);
        self.token.text.clear();
        self.token.text.push_str(word);
        (self.token.offset_from, self.token.offset_to) = (self.offset, self.offset + word.len());
        self.offset += word.len() + 1;
        self.rest = rest;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_take_a_position() {
        let mut split = Split::default();
        let text = format!("the{WORD_END}rain{WORD_END}{GAP}snow{WORD_END}");
        let mut stream = split.token_stream(&text);
        let mut found = Vec::new();
        while stream.advance() {
            found.push((stream.token().text.clone(), stream.token().position));
        }
        assert_eq!(found, [("the".to_owned(), 0), ("rain".to_owned(), 1), ("snow".to_owned(), 3)]);
    }
}
