//! Tokens in the form of html5lib's tokenizer tests, made by our tokenizer and by html5ever's.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, TagKind, Token as Theirs, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use std::cell::RefCell;
use std::collections::BTreeMap;
use webstrata::html::entity::{Place, decode};
use webstrata::html::token::{Doctype, RawAttribute, RawTag, Repair, Sink, TextKind, TokenizerState, tokenize, tokenize_inside};

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Doctype { name: Option<String>, public: Option<String>, system: Option<String>, force_quirks: bool },
    Start { name: String, attributes: BTreeMap<String, String>, self_closing: bool },
    End(String),
    Comment(String),
    Text(String),
}

/// Appends text to a token list; adjacent texts are merged.
pub fn push_text(tokens: &mut Vec<Token>, text: &str) {
    match tokens.last_mut() {
        Some(Token::Text(before)) => before.push_str(text),
        _ if text.is_empty() => {}
        _ => tokens.push(Token::Text(text.to_owned())),
    }
}

/// Whether start tags switch the state of the tokenizer. In html5lib's tests they do not: there is no tree builder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Switching {
    Off,
    On,
}

/// Turns our spans into tokens.
struct Reader<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    switching: Switching,
}

fn newlines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Normalises newlines as the standard does, and replaces NUL with U+FFFD.
fn plain(text: &str) -> String {
    newlines(text).replace('\0', "\u{fffd}")
}

impl Reader<'_> {
    fn name(&self, start: usize, end: usize) -> String {
        plain(&self.source[start..end]).to_ascii_lowercase()
    }
}

impl Sink for Reader<'_> {
    fn text(&mut self, start: usize, end: usize, kind: TextKind) {
        let source = &self.source[start..end];
        let mut text = String::new();
        match kind {
            TextKind::Data => decode(&newlines(source), Place::Text, &mut text),
            TextKind::Rcdata => decode(&plain(source), Place::Text, &mut text),
            TextKind::Raw => text = plain(source),
            TextKind::Cdata => text = newlines(source),
        }
        push_text(&mut self.tokens, &text);
    }

    fn start(&mut self, tag: RawTag, raw: &[RawAttribute]) -> TokenizerState {
        let mut attributes = BTreeMap::new();
        for a in raw {
            let mut value = String::new();
            decode(&plain(&self.source[a.value_start as usize..a.value_end as usize]), Place::Attribute, &mut value);
            attributes.entry(self.name(a.name_start as usize, a.name_end as usize)).or_insert(value);
        }
        let name = self.name(tag.start + 1, tag.name_end);
        let state = match name.as_str() {
            _ if self.switching == Switching::Off => TokenizerState::Data,
            "script" => TokenizerState::Script,
            "style" | "xmp" => TokenizerState::Rawtext,
            "title" | "textarea" => TokenizerState::Rcdata,
            "plaintext" => TokenizerState::Plaintext,
            _ => TokenizerState::Data,
        };
        self.tokens.push(Token::Start { name, attributes, self_closing: tag.self_closing });
        state
    }

    fn end(&mut self, tag: RawTag) {
        self.tokens.push(Token::End(self.name(tag.start + 2, tag.name_end)));
    }

    fn comment(&mut self, start: usize, end: usize) {
        self.tokens.push(Token::Comment(plain(&self.source[start..end])));
    }

    fn doctype(&mut self, start: usize, end: usize) {
        let doctype = Doctype::parse(&self.source[start..end], end == self.source.len());
        self.tokens.push(Token::Doctype {
            name: doctype.name.map(|name| plain(name).to_ascii_lowercase()),
            public: doctype.public.map(plain),
            system: doctype.system.map(plain),
            force_quirks: doctype.force_quirks,
        });
    }
}

/// The tokens of a page by our tokenizer.
pub fn ours(source: &str, switching: Switching) -> Vec<Token> {
    let mut reader = Reader { source, tokens: Vec::new(), switching };
    tokenize(source.as_bytes(), 0, Repair::Off, &mut reader, &mut Vec::new());
    reader.tokens
}

/// Our tokens when the tokenizer starts inside an element.
pub fn ours_inside(source: &str, state: TokenizerState, name: &str) -> Vec<Token> {
    let mut reader = Reader { source, tokens: Vec::new(), switching: Switching::Off };
    tokenize_inside(source.as_bytes(), state, name, &mut reader, &mut Vec::new());
    reader.tokens
}

#[derive(Default)]
struct Collector(RefCell<Vec<Token>>);

impl TokenSink for Collector {
    type Handle = ();

    fn process_token(&self, token: Theirs, _: u64) -> TokenSinkResult<()> {
        let tokens = &mut *self.0.borrow_mut();
        match token {
            Theirs::CharacterTokens(text) => push_text(tokens, &text),
            Theirs::NullCharacterToken => push_text(tokens, "\0"),
            Theirs::CommentToken(text) => tokens.push(Token::Comment(text.to_string())),
            Theirs::DoctypeToken(doctype) => {
                let own = |text: Option<StrTendril>| text.map(|t| t.to_string());
                tokens.push(Token::Doctype {
                    name: own(doctype.name),
                    public: own(doctype.public_id),
                    system: own(doctype.system_id),
                    force_quirks: doctype.force_quirks,
                });
            }
            Theirs::TagToken(tag) if tag.kind == TagKind::EndTag => tokens.push(Token::End(tag.name.to_string())),
            Theirs::TagToken(tag) => {
                let mut attributes = BTreeMap::new();
                for a in &tag.attrs {
                    attributes.entry(a.name.local.to_string()).or_insert_with(|| a.value.to_string());
                }
                tokens.push(Token::Start { name: tag.name.to_string(), attributes, self_closing: tag.self_closing });
                return match &*tag.name {
                    "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                    "style" | "xmp" => TokenSinkResult::RawData(RawKind::Rawtext),
                    "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                    "plaintext" => TokenSinkResult::Plaintext,
                    _ => TokenSinkResult::Continue,
                };
            }
            Theirs::EOFToken | Theirs::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

/// The tokens of a page by html5ever's tokenizer, with [`Switching::On`].
pub fn theirs(source: &str) -> Vec<Token> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(source));
    let tokenizer = Tokenizer::new(Collector::default(), TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() });
    let _ = tokenizer.feed(&input); // done: the sink never asks for a script to be run
    tokenizer.end();
    tokenizer.sink.0.take()
}
