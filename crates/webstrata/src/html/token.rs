//! Tokenizer: splits the bytes of a page into tags, text runs, comments and doctypes, each a byte span.
//!
//! Hand-written from the tokenization section of the HTML standard (WHATWG, 13.2.5): the states of
//! its machine are positions in this code. It is three times as fast as a generic tokenizer with
//! callbacks and, unlike the fastest of those, knows byte offsets. Nothing is copied: names and
//! values are spans, character references are left undecoded (see [`super::entity`] for the lazy
//! decoding), parse errors are not reported.
//!
//! Departures from the standard that move work without changing the result: carriage returns, NULs
//! and character references are left in the spans for the consumer. A tag cut off by the end of the
//! input is dropped, as the standard requires.
//! One departure changes the result, under [`Repair::On`]: a raw-text element without an end tag does
//! not swallow the rest of the page. Browsers let it do so, but an extractor needs that text.
//!
//! Time is linear: every byte is visited at most a fixed number of times on any input. Only
//! the search for the end of a raw-text element needs care: an end tag that was not found once is
//! never searched for again.

use super::scan::{ALPHA, TAG_END, UNQUOTED_END, WHITE, attribute_name_end, find, is, skip, tag_name_end, until};
use super::tag::{Tag, lookup};
use crate::span::offset;

pub use super::doctype::Doctype;

/// How the characters of a text run are to be read.
///
/// ```
/// use webstrata::html::token::{TokenizerState, RawAttribute, RawTag, Repair, Sink, TextKind, tokenize};
/// struct Kinds(Vec<TextKind>);
/// impl Sink for Kinds {
///     fn text(&mut self, _: usize, _: usize, kind: TextKind) { self.0.push(kind) }
///     fn start(&mut self, _: RawTag, _: &[RawAttribute]) -> TokenizerState { TokenizerState::Rawtext }
///     fn end(&mut self, _: RawTag) {}
/// }
/// let mut kinds = Kinds(Vec::new());
/// tokenize(b"a<style>b</style>c", 0, Repair::On, &mut kinds, &mut Vec::new());
/// assert_eq!(kinds.0, [TextKind::Data, TextKind::Raw, TextKind::Data]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextKind {
    /// Ordinary text with character references.
    Data,
    /// Text of `title` or `textarea`: has character references, but no tags.
    Rcdata,
    /// Text of raw-text elements such as `script` and `style`, taken literally.
    Raw,
    /// Text of a CDATA section in foreign content, taken literally.
    Cdata,
}

/// The state the tokenizer switches to after a start tag.
///
/// ```
/// use webstrata::html::token::{TokenizerState, RawAttribute, RawTag, Repair, Sink, TextKind, tokenize};
/// struct FirstTag(Option<(usize, usize)>);
/// impl Sink for FirstTag {
///     fn text(&mut self, _: usize, _: usize, _: TextKind) {}
///     fn start(&mut self, tag: RawTag, _: &[RawAttribute]) -> TokenizerState { self.0 = Some((tag.start, tag.end)); TokenizerState::Stop }
///     fn end(&mut self, _: RawTag) {}
/// }
/// let mut first = FirstTag(None);
/// tokenize(b"text <p> more <b>", 0, Repair::On, &mut first, &mut Vec::new());
/// assert_eq!(first.0, Some((5, 8)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenizerState {
    /// Markup.
    Data,
    /// Text with character references, up to the end tag.
    Rcdata,
    /// Literal text, up to the end tag.
    Rawtext,
    /// Literal text with the script states, up to the end tag.
    Script,
    /// Literal text, up to the end of the input.
    Plaintext,
    /// Stop: the sink needs no more tokens.
    Stop,
}

/// Whether a raw-text element without an end tag is closed where markup resumes.
///
/// ```
/// use webstrata::html::{ParseOptions, Parser, token::Repair};
/// let mut literal = Parser::new(ParseOptions::default().repair(Repair::Off));
/// assert_eq!(literal.parse("<textarea>all of <p>this").nodes().count(), 4);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Repair {
    /// It swallows the rest of the input, as the standard requires.
    Off,
    /// It ends where markup resumes.
    #[default]
    On,
}

/// The spans of one attribute; a missing value is an empty span.
///
/// ```
/// use webstrata::html::token::{TokenizerState, RawAttribute, RawTag, Repair, Sink, TextKind, tokenize};
/// struct Names<'s>(&'s str, Vec<&'s str>);
/// impl Sink for Names<'_> {
///     fn text(&mut self, _: usize, _: usize, _: TextKind) {}
///     fn start(&mut self, _: RawTag, attributes: &[RawAttribute]) -> TokenizerState {
///         self.1.extend(attributes.iter().map(|a| &self.0[a.name_start as usize..a.name_end as usize]));
///         TokenizerState::Data
///     }
///     fn end(&mut self, _: RawTag) {}
/// }
/// let source = "<a href=x rel=\"next\">";
/// let mut names = Names(source, Vec::new());
/// tokenize(source.as_bytes(), 0, Repair::On, &mut names, &mut Vec::new());
/// assert_eq!(names.1, ["href", "rel"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RawAttribute {
    /// Start of the name.
    pub name_start: u32,
    /// End of the name.
    pub name_end: u32,
    /// Start of the value, after its opening quote.
    pub value_start: u32,
    /// End of the value, before its closing quote.
    pub value_end: u32,
}

/// A tag, from its `<` to just past its `>`.
///
/// ```
/// use webstrata::html::token::RawTag;
/// let source = "<br/>";
/// let tag = RawTag { start: 0, name_end: 3, end: 5, self_closing: true };
/// assert_eq!(&source[tag.start + 1..tag.name_end], "br");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RawTag {
    /// Position of `<`.
    pub start: usize,
    /// End of the name.
    pub name_end: usize,
    /// Position just past `>`.
    pub end: usize,
    /// Whether it ends in `/>`.
    pub self_closing: bool,
}

/// Receives the tokens of a page in order.
///
/// ```
/// use webstrata::html::token::{TokenizerState, RawAttribute, RawTag, Repair, Sink, TextKind, tokenize};
/// struct Count(usize);
/// impl Sink for Count {
///     fn text(&mut self, _: usize, _: usize, _: TextKind) {}
///     fn start(&mut self, _: RawTag, _: &[RawAttribute]) -> TokenizerState { self.0 += 1; TokenizerState::Data }
///     fn end(&mut self, _: RawTag) {}
/// }
/// let mut count = Count(0);
/// tokenize(b"<p>one<br>two", 0, Repair::On, &mut count, &mut Vec::new());
/// assert_eq!(count.0, 2);
/// ```
pub trait Sink {
    /// A run of text at `start..end`.
    fn text(&mut self, start: usize, end: usize, kind: TextKind);
    /// A start tag; the returned state says how the text after it is read.
    fn start(&mut self, tag: RawTag, attributes: &[RawAttribute]) -> TokenizerState;
    /// An end tag.
    fn end(&mut self, tag: RawTag);
    /// A comment; the span excludes its delimiters.
    fn comment(&mut self, _start: usize, _end: usize) {}
    /// A doctype; the span lies between `<!doctype` and `>`.
    fn doctype(&mut self, _start: usize, _end: usize) {}
    /// Whether the current element is foreign, so that CDATA sections are recognised.
    fn foreign(&self) -> bool {
        false
    }
    /// A raw-text element had no end tag and was closed at `at`, right after the last text run.
    fn repaired(&mut self, _tag: Tag, _at: usize) {}
}

/// Tokenizes `bytes` starting at `from`. `attributes` is scratch space that the caller may reuse for the next page.
///
/// ```
/// use webstrata::html::token::{RawAttribute, RawTag, Repair, Sink, TextKind, TokenizerState, tokenize};
/// struct Text<'s>(&'s str, Vec<&'s str>);
/// impl Sink for Text<'_> {
///     fn text(&mut self, start: usize, end: usize, _: TextKind) { self.1.push(&self.0[start..end]) }
///     fn start(&mut self, _: RawTag, _: &[RawAttribute]) -> TokenizerState { TokenizerState::Data }
///     fn end(&mut self, _: RawTag) {}
/// }
/// let source = "<p>one<br>two";
/// let mut text = Text(source, Vec::new());
/// let mut scratch = Vec::new();
/// tokenize(source.as_bytes(), 0, Repair::On, &mut text, &mut scratch);
/// assert_eq!(text.1, ["one", "two"]);
/// ```
pub fn tokenize<S: Sink>(bytes: &[u8], from: usize, repair: Repair, sink: &mut S, attributes: &mut Vec<RawAttribute>) {
    let mut tokenizer = Tokenizer { bytes, sink, attributes, repair, missing: [false; RAW_TAGS.len()] };
    tokenizer.run(from, from);
}

/// Like [`tokenize`], but starts inside an element `name` in the state `state`, as conformance tests require.
///
/// ```
/// use webstrata::html::token::{RawAttribute, RawTag, Sink, TextKind, TokenizerState, tokenize_inside};
/// struct Runs(Vec<(usize, usize, TextKind)>);
/// impl Sink for Runs {
///     fn text(&mut self, start: usize, end: usize, kind: TextKind) { self.0.push((start, end, kind)) }
///     fn start(&mut self, _: RawTag, _: &[RawAttribute]) -> TokenizerState { TokenizerState::Data }
///     fn end(&mut self, _: RawTag) {}
/// }
/// let mut runs = Runs(Vec::new());
/// tokenize_inside(b"a<b></title>c", TokenizerState::Rcdata, "title", &mut runs, &mut Vec::new());
/// assert_eq!(runs.0, [(0, 4, TextKind::Rcdata), (12, 13, TextKind::Data)]);
/// ```
pub fn tokenize_inside<S: Sink>(bytes: &[u8], state: TokenizerState, name: &str, sink: &mut S, attributes: &mut Vec<RawAttribute>) {
    let mut tokenizer = Tokenizer { bytes, sink, attributes, repair: Repair::Off, missing: [false; RAW_TAGS.len()] };
    let from = if state == TokenizerState::Data { 0 } else { tokenizer.raw_text(0, state, name.as_bytes()) };
    tokenizer.run(from, from);
}

/// Elements whose content is raw text or RCDATA, in the order of [`Tokenizer::missing`].
pub(crate) const RAW_TAGS: [Tag; 8] =
    [Tag::TITLE, Tag::TEXTAREA, Tag::STYLE, Tag::XMP, Tag::IFRAME, Tag::NOEMBED, Tag::NOFRAMES, Tag::SCRIPT];

struct Tokenizer<'t, S> {
    bytes: &'t [u8],
    sink: &'t mut S,
    attributes: &'t mut Vec<RawAttribute>,
    repair: Repair,
    /// End tags of [`RAW_TAGS`] that do not occur in the rest of the input.
    missing: [bool; RAW_TAGS.len()],
}

impl<S: Sink> Tokenizer<'_, S> {
    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn flush(&mut self, start: usize, end: usize) {
        if start < end {
            self.sink.text(start, end, TextKind::Data);
        }
    }

    /// The data state: `text` is where the pending text run starts, `at` where the search continues.
    fn run(&mut self, mut text: usize, mut at: usize) {
        let bytes = self.bytes;
        loop {
            let lt = find(bytes, at, b'<');
            if lt >= bytes.len() {
                self.flush(text, bytes.len());
                return;
            }
            let next = self.byte(lt + 1);
            if is(next, ALPHA) {
                self.flush(text, lt);
                let name_end = tag_name_end(bytes, lt + 2);
                self.attributes.clear();
                let Some((end, self_closing)) = self.tag_rest(name_end) else { return };
                let state = self.sink.start(RawTag { start: lt, name_end, end, self_closing }, self.attributes);
                at = match state {
                    TokenizerState::Data => end,
                    TokenizerState::Stop => return,
                    _ => self.raw_text(end, state, &bytes[lt + 1..name_end]),
                };
            } else if next == b'/' {
                let first = self.byte(lt + 2);
                if is(first, ALPHA) {
                    self.flush(text, lt);
                    let name_end = tag_name_end(bytes, lt + 3);
                    let end = if self.byte(name_end) == b'>' {
                        name_end + 1
                    } else {
                        self.attributes.clear();
                        let Some((end, _)) = self.tag_rest(name_end) else { return };
                        end
                    };
                    self.sink.end(RawTag { start: lt, name_end, end, self_closing: false });
                    at = end;
                } else if lt + 2 >= bytes.len() {
                    at = lt + 2; // "</" at the end of the input is text
                    continue;
                } else {
                    self.flush(text, lt);
                    at = if first == b'>' { lt + 3 } else { self.bogus_comment(lt + 2) };
                }
            } else if next == b'!' {
                self.flush(text, lt);
                at = self.declaration(lt);
            } else if next == b'?' {
                self.flush(text, lt);
                at = self.bogus_comment(lt + 1);
            } else {
                at = lt + 1; // a lone '<' is text
                continue;
            }
            text = at;
        }
    }

    fn bogus_comment(&mut self, start: usize) -> usize {
        let end = find(self.bytes, start, b'>');
        self.sink.comment(start, end);
        (end + 1).min(self.bytes.len())
    }

    /// `<!…`: comment, doctype, CDATA section or bogus comment. Returns where the data state resumes.
    fn declaration(&mut self, lt: usize) -> usize {
        let rest = &self.bytes[lt + 2..];
        if rest.starts_with(b"--") {
            return self.comment(lt + 4);
        }
        if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            // '>' ends a doctype in every one of its states.
            let end = find(self.bytes, lt + 9, b'>');
            self.sink.doctype(lt + 9, end);
            return (end + 1).min(self.bytes.len());
        }
        if rest.starts_with(b"[CDATA[") && self.sink.foreign() {
            return self.cdata(lt + 9);
        }
        self.bogus_comment(lt + 2)
    }

    fn comment(&mut self, start: usize) -> usize {
        let bytes = self.bytes;
        let mut at = start;
        loop {
            let gt = find(bytes, at, b'>');
            let inside = &bytes[start..gt];
            if gt >= bytes.len() {
                // An unclosed comment: trailing dashes belong to an unfinished `-->`.
                let unfinished = [&b"--!"[..], b"--", b"-"].into_iter().find(|tail| inside.ends_with(tail)).map_or(0, <[u8]>::len);
                self.sink.comment(start, gt - unfinished);
                return gt;
            }
            let end = if inside.is_empty() || inside == b"-" {
                start
            } else if inside.ends_with(b"--") {
                gt - 2
            } else if inside.ends_with(b"--!") {
                gt - 3
            } else {
                at = gt + 1;
                continue;
            };
            self.sink.comment(start, end);
            return gt + 1;
        }
    }

    fn cdata(&mut self, start: usize) -> usize {
        let mut at = start;
        loop {
            let gt = find(self.bytes, at, b'>');
            let inside = &self.bytes[start..gt];
            let closed = gt < self.bytes.len();
            if !closed || inside.ends_with(b"]]") {
                let end = if closed { gt - 2 } else { gt };
                if start < end {
                    self.sink.text(start, end, TextKind::Cdata);
                }
                return (gt + 1).min(self.bytes.len());
            }
            at = gt + 1;
        }
    }

    /// Reads from the end of a tag name to just past its '>'; `None` if the input ends inside the tag.
    #[inline(always)]
    fn tag_rest(&mut self, mut at: usize) -> Option<(usize, bool)> {
        let bytes = self.bytes;
        loop {
            // Before an attribute name. A slash right before '>' makes the tag self-closing.
            let mut slash = false;
            loop {
                let c = *bytes.get(at)?;
                if c == b'>' {
                    return Some((at + 1, slash));
                }
                if is(c, WHITE) {
                    slash = false;
                } else if c == b'/' {
                    slash = true;
                } else {
                    break;
                }
                at += 1;
            }
            let name_start = at;
            at = attribute_name_end(bytes, at + 1); // the first byte may be '='
            let name_end = at;
            at = skip(bytes, at, WHITE);
            let (mut value_start, mut value_end) = (name_end, name_end);
            if *bytes.get(at)? == b'=' {
                at = skip(bytes, at + 1, WHITE);
                let quote = *bytes.get(at)?;
                if quote == b'"' || quote == b'\'' {
                    value_start = at + 1;
                    value_end = find(bytes, value_start, quote);
                    if value_end >= bytes.len() {
                        return None;
                    }
                    at = value_end + 1;
                } else {
                    value_start = at;
                    value_end = if quote == b'>' { at } else { until(bytes, at, UNQUOTED_END) };
                    at = value_end;
                }
            }
            self.attributes.push(RawAttribute {
                name_start: offset(name_start),
                name_end: offset(name_end),
                value_start: offset(value_start),
                value_end: offset(value_end),
            });
        }
    }

    /// Text of a raw-text element, up to its end tag (which the data state then reads). Returns where the data state resumes.
    fn raw_text(&mut self, start: usize, state: TokenizerState, name: &[u8]) -> usize {
        let bytes = self.bytes;
        let kind = if state == TokenizerState::Rcdata { TextKind::Rcdata } else { TextKind::Raw };
        let tag = lookup(name);
        let slot = RAW_TAGS.iter().position(|&t| t == tag);
        let known_missing = slot.is_some_and(|k| self.missing[k]);
        let mut end = match state {
            TokenizerState::Plaintext => bytes.len(),
            _ if known_missing => bytes.len(),
            TokenizerState::Script => script_end(bytes, start, name),
            _ => raw_end(bytes, start, name),
        };
        let mut repaired = false;
        if end >= bytes.len() && state != TokenizerState::Plaintext && self.repair == Repair::On {
            if let Some(k) = slot {
                self.missing[k] = true;
            }
            end = repaired_end(bytes, start, state);
            repaired = end < bytes.len();
        }
        if start < end {
            self.sink.text(start, end, kind);
        }
        if repaired {
            self.sink.repaired(tag, end);
        }
        end
    }
}

/// Position of the first `</name` at or after `start` that closes the element, or the end of the input.
fn raw_end(bytes: &[u8], start: usize, name: &[u8]) -> usize {
    let mut at = start;
    loop {
        at = find(bytes, at, b'<');
        if at >= bytes.len() || closes(bytes, at, name) {
            return at.min(bytes.len());
        }
        at += 1;
    }
}

/// Where a raw-text element without an end tag is closed: at the next thing that looks like markup.
///
/// Titles and style sheets do not contain tags, so the first tag ends them. Scripts contain strings
/// with tags, so they end at the first `<\/script` (a serialiser's escape) or at a tag that cannot
/// occur in the head.
fn repaired_end(bytes: &[u8], start: usize, state: TokenizerState) -> usize {
    let mut at = start;
    loop {
        at = find(bytes, at, b'<');
        if at >= bytes.len() {
            return bytes.len();
        }
        let rest = &bytes[at + 1..];
        let stop = if state == TokenizerState::Script {
            rest.get(..8).is_some_and(|r| r.eq_ignore_ascii_case(b"\\/script"))
                || [&b"body"[..], b"/head", b"/body", b"/html"].into_iter().any(|name| word_at(rest, 0, name))
        } else {
            rest.first().is_some_and(|&c| is(c, ALPHA))
                || (rest.first() == Some(&b'/') && rest.get(1).is_some_and(|&c| is(c, ALPHA)))
        };
        if stop {
            // The escaped end tag itself is also skipped.
            return if rest.first() == Some(&b'\\') { (find(bytes, at, b'>') + 1).min(bytes.len()) } else { at };
        }
        at += 1;
    }
}

/// Whether `</name`, followed by white space, '/' or '>', is at `at`.
#[inline(always)]
fn closes(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    bytes.get(at + 1) == Some(&b'/') && !name.is_empty() && word_at(bytes, at + 2, name)
}

#[inline(always)]
fn word_at(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    bytes.get(at..at + name.len()).is_some_and(|x| x.eq_ignore_ascii_case(name))
        && bytes.get(at + name.len()).is_some_and(|&c| is(c, TAG_END))
}

/// End of script data, through its escaped and double escaped states.
fn script_end(bytes: &[u8], start: usize, name: &[u8]) -> usize {
    #[derive(PartialEq)]
    enum State {
        Plain,
        Escaped,
        DoubleEscaped,
    }
    let mut state = State::Plain;
    let mut at = start;
    let mut dashes = start; // where the search for "-->" continues
    loop {
        let lt = find(bytes, at, b'<');
        if state != State::Plain {
            // The first "-->" before that '<' leaves the escaped states.
            loop {
                let gt = find(&bytes[..lt], dashes, b'>');
                if gt >= lt {
                    dashes = dashes.max(lt);
                    break;
                }
                dashes = gt + 1;
                if bytes[..gt].ends_with(b"--") {
                    state = State::Plain;
                    break;
                }
            }
        }
        if lt >= bytes.len() {
            return bytes.len();
        }
        at = lt + 1;
        match state {
            State::Plain => {
                if closes(bytes, lt, name) {
                    return lt;
                }
                if bytes[lt..].starts_with(b"<!--") {
                    state = State::Escaped;
                    // "<!-->" leaves the state that it enters, since its dashes also count towards "-->".
                    dashes = lt + 4;
                    at = lt + 4;
                }
            }
            State::Escaped => {
                if closes(bytes, lt, name) {
                    return lt;
                }
                if word_at(bytes, lt + 1, b"script") {
                    state = State::DoubleEscaped;
                }
            }
            State::DoubleEscaped => {
                if closes(bytes, lt, b"script") {
                    state = State::Escaped;
                }
            }
        }
    }
}
