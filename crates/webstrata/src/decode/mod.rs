//! Decoding: determines the encoding of a page and converts its text to UTF-8.
//!
//! The framework is the HTML standard's "determining the character encoding" and the WHATWG Encoding
//! standard's decoders (by `encoding_rs`). The standard trusts declarations in a fixed order and
//! never checks whether they are true; an extractor wants the text that was written. So here
//! evidence comes first:
//!
//! 1. an encoding the caller forces;
//! 2. a byte order mark;
//! 3. UTF-16 without a mark, by its NULs; ISO-2022-JP, by its escapes (both are otherwise valid
//!    UTF-8, so they are checked first);
//! 4. valid UTF-8, *over any declaration*: text in another encoding is practically never valid
//!    UTF-8 by accident. A very short text that a legacy multi-byte declaration explains as well
//!    is the exception;
//! 5. UTF-8 with a few errors: several where UTF-8 is declared, very few where it is not;
//! 6. the transport's declaration, then the page's own, each provided that it fits the bytes and
//!    that the statistics do not firmly say otherwise;
//! 7. the statistics alone;
//! 8. windows-1252, in which every byte is valid.
//!
//! If transport and page declare different encodings and both fit, the transport wins, as in the standard, unless
//! the statistics agree with the page: servers declare one encoding for all their files.
//!
//! Valid UTF-8, ASCII included, is validated once and never copied, and keeps its byte order mark
//! so that offsets in the text are offsets in the input.

mod bom;
mod detect;
mod label;
mod language;
mod prescan;
mod sample;
#[cfg(test)]
mod tests;

use crate::options::setters;
use bom::Utf8Audit;
use detect::Detection;
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use label::Script;
use std::borrow::Cow;
use std::fmt;

/// Malformed runs of bytes tolerated in declared UTF-8: one per this many well-formed sequences. Pages
/// assembled from parts in two encodings reach this limit. Of the other encodings, EUC-JP full of katakana
/// looks most like UTF-8, and it has as many malformed runs as accidental sequences.
const MIN_SEQUENCES_PER_ERROR_DECLARED: usize = 2;

/// The same limit where nothing or something else is declared: allows a stray byte in a longer text.
const MIN_SEQUENCES_PER_ERROR_UNDECLARED: usize = 8;

/// Number of valid sequences that prove UTF-8 against a declared legacy multi-byte encoding.
const CONVINCING_SEQUENCES: usize = 4;

/// What the caller knows about the encoding of the bytes.
///
/// ```
/// use webstrata::decode::{DecodeOptions, EncodingEvidence, decode};
///
/// let options = DecodeOptions::default().transport("text/html; charset=euc-kr");
/// let page = decode(b"<p>\xBE\xC8\xB3\xE7", &options);
/// assert_eq!(page.text, "<p>안녕");
/// assert_eq!(page.evidence, EncodingEvidence::Transport);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeOptions<'h> {
    /// The HTTP `Content-Type`, whole or just its charset label.
    pub transport: Option<&'h str>,
    /// The encoding to use, regardless of the bytes and declarations.
    pub forced: Option<&'static Encoding>,
}

setters! { DecodeOptions<'h> {  } into { transport: Option<&'h str>, forced: Option<&'static Encoding> } }

/// Why an encoding was chosen.
///
/// ```
/// use webstrata::decode::{DecodeOptions, EncodingEvidence, decode};
///
/// let page = decode("<meta charset=gbk><p>naïve café, déjà vu".as_bytes(), &DecodeOptions::default());
/// assert_eq!(page.evidence, EncodingEvidence::Utf8);
/// assert_eq!(page.evidence.to_string(), "bytes are valid UTF-8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingEvidence {
    /// Forced by the caller.
    Forced,
    /// A byte order mark.
    Bom,
    /// The NUL bytes of UTF-16 without a mark.
    Nuls,
    /// The escape sequences of ISO-2022-JP.
    Escapes,
    /// The bytes are valid UTF-8 or, if [`Decoded::replaced`] is set, closer to it than to anything else.
    Utf8,
    /// The transport's declaration, which fits the bytes.
    Transport,
    /// The page's own declaration, which fits the bytes.
    Meta,
    /// Statistics of the text.
    Detected,
    /// No evidence; windows-1252 is used because it decodes anything.
    Fallback,
}

impl fmt::Display for EncodingEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Forced => "forced by the caller",
            Self::Bom => "byte order mark",
            Self::Nuls => "NUL bytes of UTF-16",
            Self::Escapes => "escape sequences of ISO-2022-JP",
            Self::Utf8 => "bytes are valid UTF-8",
            Self::Transport => "declared by the transport",
            Self::Meta => "declared by the page",
            Self::Detected => "detected from the text",
            Self::Fallback => "fallback",
        })
    }
}

/// A page's text and how it was decoded.
///
/// ```
/// use webstrata::decode::{DecodeOptions, decode};
///
/// let page = decode(b"\xEF\xBB\xBF<p>x", &DecodeOptions::default());
/// assert_eq!(page.text.get(page.start..), Some("<p>x"));
/// assert!(!page.is_transcoded() && !page.replaced);
/// assert_eq!(page.encoding.name(), "UTF-8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded<'a> {
    /// The text; the input bytes themselves where they are UTF-8.
    pub text: Cow<'a, str>,
    /// Where the content begins in `text`: 3 after a UTF-8 byte order mark, else 0.
    pub start: usize,
    /// The encoding used to decode the bytes.
    pub encoding: &'static Encoding,
    /// Why this encoding was chosen.
    pub evidence: EncodingEvidence,
    /// The transport's declaration, else the page's, whether it was followed or overruled. If both
    /// declared an encoding and the page's was followed, this is the page's.
    pub declared: Option<&'static Encoding>,
    /// Whether malformed sequences became U+FFFD.
    pub replaced: bool,
}

impl Decoded<'_> {
    /// Whether `text` is not the input bytes themselves, so that offsets differ.
    #[must_use]
    pub fn is_transcoded(&self) -> bool {
        matches!(self.text, Cow::Owned(_))
    }
}

/// Decodes a page.
///
/// ```
/// use webstrata::decode::{DecodeOptions, EncodingEvidence, decode};
///
/// // Declared as Latin-1, but Russian.
/// let page = b"<meta charset=iso-8859-1><p>\xC2\xF1\xB8 \xF5\xEE\xF0\xEE\xF8\xEE, \
///     \xEF\xF0\xE5\xEA\xF0\xE0\xF1\xED\xE0\xFF \xEC\xE0\xF0\xEA\xE8\xE7\xE0.";
/// let page = decode(page, &DecodeOptions::default());
/// assert!(page.text.ends_with("Всё хорошо, прекрасная маркиза."));
/// assert_eq!(page.evidence, EncodingEvidence::Detected);
/// assert_eq!(page.declared.map(|encoding| encoding.name()), Some("windows-1252"));
/// ```
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], options: &DecodeOptions<'_>) -> Decoded<'a> {
    let transport = options.transport.and_then(label::encoding_of_transport);
    let page = prescan::prescan(bytes);
    let declared = transport.or(page.encoding);

    let (encoding, evidence) = if let Some(encoding) = options.forced {
        (encoding, EncodingEvidence::Forced)
    } else if let Some(encoding) = bom::sniff(bytes) {
        (encoding, EncodingEvidence::Bom)
    } else if let Some(encoding) = bom::utf16_by_nuls(bytes, declared.is_some_and(is_utf16)) {
        (encoding, EncodingEvidence::Nuls)
    } else if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        let legacy = declared.filter(|encoding| explains_short_text(encoding, text));
        if bom::is_iso_2022_jp(bytes) {
            (ISO_2022_JP, EncodingEvidence::Escapes)
        } else if let Some(encoding) = legacy {
            let source = if transport.is_some() { EncodingEvidence::Transport } else { EncodingEvidence::Meta };
            (encoding, source)
        } else {
            return Decoded {
                text: Cow::Borrowed(text),
                start: bom::kept_bom_length(bytes, UTF_8),
                encoding: UTF_8,
                evidence: EncodingEvidence::Utf8,
                declared,
                replaced: false,
            };
        }
    } else {
        choose_encoding(bytes, transport, page)
    };

    let declared = if evidence == EncodingEvidence::Meta { page.encoding } else { declared };
    decode_as(bytes, encoding, evidence, declared)
}

/// Chooses an encoding for bytes that are not valid UTF-8.
fn choose_encoding(
    bytes: &[u8],
    transport: Option<&'static Encoding>,
    page: prescan::Declaration<'_>,
) -> (&'static Encoding, EncodingEvidence) {
    let audit = Utf8Audit::new(bytes);
    if transport == Some(UTF_8) && audit.tolerable(MIN_SEQUENCES_PER_ERROR_DECLARED) {
        return (UTF_8, EncodingEvidence::Transport);
    }
    if page.encoding == Some(UTF_8) && audit.tolerable(MIN_SEQUENCES_PER_ERROR_DECLARED) {
        return (UTF_8, EncodingEvidence::Meta);
    }
    if audit.tolerable(MIN_SEQUENCES_PER_ERROR_UNDECLARED) {
        return (UTF_8, EncodingEvidence::Utf8);
    }

    let detection = Detection::new(bytes, page.language);
    let guess = detection.guess();
    let fits = |encoding: &&'static Encoding| label::script(encoding) != Script::Unicode && detection.fit(encoding).is_good();
    let transport = transport.filter(fits);
    let meta = page.encoding.filter(fits);
    let (declared, evidence) = match (transport, meta, guess) {
        // The statistics break the tie between two declarations that fit.
        (Some(transport), Some(meta), Some(guess))
            if label::are_compatible(guess, meta) && !label::are_compatible(guess, transport) =>
        {
            (meta, EncodingEvidence::Meta)
        }
        (Some(transport), ..) => (transport, EncodingEvidence::Transport),
        (None, Some(meta), _) => (meta, EncodingEvidence::Meta),
        (None, None, Some(guess)) => return (guess, EncodingEvidence::Detected),
        (None, None, None) if audit.tolerable(1) => return (UTF_8, EncodingEvidence::Utf8),
        (None, None, None) => return (WINDOWS_1252, EncodingEvidence::Fallback),
    };
    match guess {
        Some(guess) if detection.overrules(guess, declared) => (guess, EncodingEvidence::Detected),
        _ => (declared, evidence),
    }
}

/// Whether a declared legacy multi-byte encoding explains a very short text, valid as UTF-8, as
/// well as UTF-8 does.
fn explains_short_text(encoding: &'static Encoding, text: &str) -> bool {
    label::script(encoding) == Script::Cjk
        && bom::may_be_legacy_pairs(text, CONVINCING_SEQUENCES)
        && !encoding.decode_without_bom_handling(text.as_bytes()).1
}

fn is_utf16(encoding: &'static Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

/// Decodes the bytes in the chosen encoding. A byte order mark is kept in UTF-8 and removed in UTF-16.
fn decode_as<'a>(
    bytes: &'a [u8],
    encoding: &'static Encoding,
    evidence: EncodingEvidence,
    declared: Option<&'static Encoding>,
) -> Decoded<'a> {
    let (text, replaced) = if encoding == UTF_8 {
        match simdutf8::basic::from_utf8(bytes) {
            Ok(text) => (Cow::Borrowed(text), false),
            Err(_) => UTF_8.decode_without_bom_handling(bytes),
        }
    } else {
        encoding.decode_with_bom_removal(bytes)
    };
    Decoded { text, start: bom::kept_bom_length(bytes, encoding), encoding, evidence, declared, replaced }
}
