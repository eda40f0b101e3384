//! HTTP responses as archives store them: headers, and a body in its transfer and content encodings.
//!
//! Archives are not faithful. Some decoded the body but kept the header that says it is encoded; some stopped in the middle. So
//! a header is trusted only if the bytes agree with it, and a truncated page consists of whatever can be decoded.

use super::headers::{Headers, media_type};
use super::{InputOptions, Skipped};
use crate::document::Capture;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::{self, BufRead, Read};

/// Longest headers of a response.
pub(super) const MAX_HEADERS: usize = 1 << 16;
/// Maximum number of content encodings that are decoded; servers use one, sometimes two.
const MAX_ENCODINGS: usize = 4;
/// Bytes at the start that show whether something is a page.
const SNIFFED: usize = 1024;
/// Largest Zstandard window in HTTP as a power of two (23 in RFC 9659; some servers exceed it).
const MAX_WINDOW: u32 = 27;

/// The page in a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Payload {
    /// Status, type and language; the record has the rest.
    pub(super) capture: Capture,
    pub(super) bytes: Vec<u8>,
    pub(super) problems: Vec<String>,
}

/// The content of a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    Page(Payload),
    /// Something that does not claim to be a page.
    Other(Skipped),
}

impl Content {
    fn with_status() -> Content {
        Content::Other(Skipped { status: 1, ..Skipped::default() })
    }

    fn not_html() -> Content {
        Content::Other(Skipped { not_html: 1, ..Skipped::default() })
    }

    fn truncated() -> Content {
        Content::Other(Skipped { truncated: 1, ..Skipped::default() })
    }
}

/// Properties of the payload stated in the record.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RecordInfo<'a> {
    /// The type that the crawler detected.
    pub(super) payload_type: Option<&'a str>,
    /// Whether the record is truncated.
    pub(super) is_cut: bool,
}

/// The content of a response.
pub(super) fn response(content: &[u8], info: RecordInfo<'_>, options: &InputOptions) -> Result<Content, String> {
    let Some((head, body)) = Headers::read(content, MAX_HEADERS) else {
        return if info.is_cut { Ok(Content::truncated()) } else { Err("the HTTP headers are not terminated".into()) };
    };
    let Some(status) = status(head.first_line) else { return Err("the record does not contain an HTTP response".into()) };
    if !options.any_status && !(200..300).contains(&status) {
        return Ok(Content::with_status());
    }
    let content_type = head.get("content-type");
    if !may_be_page(content_type.as_deref(), info.payload_type) {
        return Ok(Content::not_html());
    }
    let mut problems = Vec::new();
    let limit = usize::try_from(options.max_bytes).unwrap_or(usize::MAX);
    let unchunked = if head.list("transfer-encoding").iter().any(|name| name == "chunked") {
        let decoded = chunked(body);
        // A page over the limit is truncated anyway, and its record may have been truncated before the last chunk.
        if let Some((bytes, false)) = &decoded
            && bytes.len() <= limit
        {
            problems.push(format!("the chunked body ends after {} bytes", bytes.len()));
        }
        decoded.map(|(bytes, _)| bytes)
    } else {
        None
    };
    let encoded = unchunked.as_deref().unwrap_or(body);
    let mut encodings = head.list("content-encoding");
    // Some servers put it in the wrong header.
    encodings.extend(head.list("transfer-encoding").into_iter().filter(|name| name != "chunked"));
    let bytes = decode(encoded, &encodings, limit, &mut problems)?;
    let bytes = match (bytes, unchunked) {
        (Some(bytes), _) => bytes,
        (None, Some(mut bytes)) => {
            bytes.truncate(limit.saturating_add(1));
            bytes
        }
        (None, None) => head_of(body, limit),
    };
    if info.payload_type.is_none() && content_type.is_none() && !looks_like_page(&bytes) {
        return Ok(Content::not_html());
    }
    let content_language = head.get("content-language").filter(|language| !language.is_empty());
    let capture = Capture { status: Some(status), content_type, content_language, ..Capture::default() };
    Ok(Content::Page(Payload { capture, bytes, problems }))
}

/// The content of a record without HTTP headers.
pub(super) fn resource(content: &[u8], content_type: Option<&str>, info: RecordInfo<'_>, options: &InputOptions) -> Content {
    if !may_be_page(content_type, info.payload_type) || content_type.is_none() && !looks_like_page(content) {
        return Content::not_html();
    }
    let limit = usize::try_from(options.max_bytes).unwrap_or(usize::MAX);
    let capture = Capture { content_type: content_type.map(str::to_owned), ..Capture::default() };
    Content::Page(Payload { capture, bytes: head_of(content, limit), problems: Vec::new() })
}

/// The status of a response, from its first line.
fn status(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP/")?;
    let digits = rest.split(|&byte| byte == b' ').filter(|part| !part.is_empty()).nth(1)?;
    std::str::from_utf8(digits).ok()?.trim().parse().ok()
}

/// Whether a payload of these types can be a page. The type that the crawler detected takes precedence over the one that the server sent.
fn may_be_page(content_type: Option<&str>, payload_type: Option<&str>) -> bool {
    let is_page = |kind: &str| matches!(media_type(kind).as_str(), "text/html" | "application/xhtml+xml");
    match (payload_type, content_type) {
        (Some(detected), _) if is_page(detected) => true,
        // Crawlers that sniff call pages with little markup plain text or XML.
        (Some(detected), Some(declared)) => {
            is_page(declared) && (media_type(detected).starts_with("text/") || media_type(detected).ends_with("xml"))
        }
        (Some(_), None) => false,
        (None, Some(declared)) => is_page(declared),
        (None, None) => true,
    }
}

/// Whether the first bytes look like a page.
pub(super) fn looks_like_page(bytes: &[u8]) -> bool {
    let start = bytes[..bytes.len().min(SNIFFED)].to_ascii_lowercase();
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start).trim_ascii_start();
    let has = |tag: &[u8]| text.windows(tag.len()).any(|window| window == tag);
    text.starts_with(b"<") && [b"<!doctype html".as_slice(), b"<html", b"<head", b"<body", b"<title"].into_iter().any(has)
}

/// The bytes of a chunked body and whether it is complete; `None` if it is not chunked after all.
fn chunked(body: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    let mut rest = body;
    loop {
        let line = rest.iter().position(|&byte| byte == b'\n').filter(|&end| end < 4096);
        let size = line.and_then(|end| {
            let text = rest[..end].split(|&byte| byte == b';').next()?.trim_ascii();
            if text.is_empty() || text.len() > 15 || !text.iter().all(u8::is_ascii_hexdigit) {
                return None;
            }
            let size = usize::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok()?;
            Some((size, end + 1))
        });
        let Some((size, begin)) = size else {
            // The first line decides whether it is chunked at all.
            return if rest.len() == body.len() { None } else { Some((bytes, false)) };
        };
        if size == 0 {
            return Some((bytes, true));
        }
        let here = (rest.len() - begin).min(size);
        bytes.extend_from_slice(&rest[begin..begin + here]);
        rest = &rest[begin + here..];
        if here < size {
            return Some((bytes, false));
        }
        rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        if rest.is_empty() {
            return Some((bytes, false));
        }
    }
}

/// Decodes the content encodings. `None` if there are none.
fn decode(body: &[u8], encodings: &[String], limit: usize, problems: &mut Vec<String>) -> Result<Option<Vec<u8>>, String> {
    let mut decoded: Option<Vec<u8>> = None;
    for name in encodings.iter().rev().take(MAX_ENCODINGS) {
        let encoded = decoded.as_deref().unwrap_or(body);
        if encoded.is_empty() {
            break;
        }
        let decoded_part = match name.as_str() {
            "gzip" | "x-gzip" if encoded.starts_with(&[0x1f, 0x8b]) => drain(MultiGzDecoder::new(encoded), limit),
            "deflate" if is_zlib(encoded) => drain(ZlibDecoder::new(encoded), limit),
            "deflate" if !looks_like_page(encoded) => drain(DeflateDecoder::new(encoded), limit),
            "br" if !looks_like_page(encoded) => drain(brotli_decompressor::Decompressor::new(encoded, 4096), limit),
            "zstd" if encoded.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => {
                drain(zstd_reader(encoded).map_err(|e| e.to_string())?, limit)
            }
            // Encoded according to the header, but not according to the bytes.
            "gzip" | "x-gzip" | "deflate" | "br" | "zstd" | "identity" | "none" | "" => continue,
            other if looks_like_page(encoded) || other.starts_with("utf") => continue,
            other => return Err(format!("unknown content encoding {other:?}")),
        };
        match decoded_part {
            (bytes, None) => decoded = Some(bytes),
            (bytes, Some(_)) if bytes.len() > limit => decoded = Some(bytes),
            (bytes, Some(error)) if bytes.is_empty() => return Err(format!("the {name} body cannot be decoded: {error}")),
            (bytes, Some(error)) => {
                problems.push(format!("the {name} body cannot be decoded after {} bytes: {error}", bytes.len()));
                decoded = Some(bytes);
            }
        }
    }
    Ok(decoded)
}

fn zstd_reader<R: BufRead>(encoded: R) -> io::Result<zstd::stream::read::Decoder<'static, R>> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(encoded)?;
    decoder.window_log_max(MAX_WINDOW)?;
    Ok(decoder)
}

/// The first two bytes of a zlib stream (RFC 1950).
fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [one, two, ..] if one & 0x0f == 8 && one >> 4 <= 7 && (u16::from(*one) << 8 | u16::from(*two)).is_multiple_of(31))
}

/// Reads as much as possible, at most one byte more than `limit`. Also returns the error that ended it early.
fn drain(reader: impl Read, limit: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut bytes = Vec::new();
    let result = reader.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes);
    (bytes, result.err())
}

/// The first `limit` bytes of a page and one more, which shows the page library that the page was truncated.
pub(super) fn head_of(bytes: &[u8], limit: usize) -> Vec<u8> {
    bytes[..bytes.len().min(limit.saturating_add(1))].to_vec()
}
