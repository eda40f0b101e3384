//! A bounded sample of a page's non-ASCII text, for statistics that are too slow for whole pages.
//!
//! No standard covers this; browsers feed a detector the bytes as they arrive. The detector in
//! use runs at a few tens of megabytes per second, and ASCII is no evidence for it, so it gets only
//! windows around non-ASCII bytes: first from the text between tags, then from everything (attribute
//! values, scripts) if the text has too few.
//!
//! A window opens after a byte that is never the second half of a character in any encoding a
//! page can be in, so that no sequence is read from its middle.

use encoding_rs::Encoding;
use memchr::{memchr, memmem};

/// Size of the whole sample. The detector takes about 0.15 µs per byte of dense multi-byte text,
/// so a full sample costs a millisecond.
const SAMPLE_BYTES: usize = 8 * 1024;

/// Non-ASCII bytes after which sampling stops: letter statistics settle within a thousand characters.
const MAX_NON_ASCII: usize = 2048;

/// Maximum size of a window, so that one dense passage does not fill the whole sample.
const WINDOW_BYTES: usize = 2 * MAX_NON_ASCII;

/// ASCII kept on each side of a non-ASCII byte. The detector scores a letter by its neighbours,
/// so a word's worth is enough.
const CONTEXT: usize = 24;

/// With fewer non-ASCII bytes than this between the tags, the tags are also sampled.
const MIN_NON_ASCII_IN_TEXT: usize = 64;

/// The sampled bytes, windows separated by line feeds.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    bytes: Vec<u8>,
    non_ascii: usize,
    full: bool,
}

impl Sample {
    /// Samples a page; linear in its length at worst, and ends as soon as the sample is full.
    pub(crate) fn new(page: &[u8]) -> Self {
        let mut sample = Self::default();
        sample.take_text(page);
        if sample.non_ascii < MIN_NON_ASCII_IN_TEXT {
            sample = Self::default();
            sample.take_windows(page);
        }
        sample
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn is_full(&self) -> bool {
        self.full || self.non_ascii >= MAX_NON_ASCII || self.bytes.len() >= SAMPLE_BYTES
    }

    /// Takes windows from the text between tags. Telling text from tags needs no parser here:
    /// `<` and `>` are the same bytes in every encoding concerned, and a mistake costs a few bytes.
    fn take_text(&mut self, page: &[u8]) {
        let mut rest = page;
        while !rest.is_empty() && !self.is_full() {
            let open = memchr(b'<', rest).unwrap_or(rest.len());
            let (text, markup) = rest.split_at_checked(open).unwrap_or((rest, &[]));
            self.take_windows(text);
            let length = markup_length(markup);
            rest = markup.get(length..).unwrap_or_default();
        }
    }

    /// Takes windows around the non-ASCII bytes of a byte range.
    fn take_windows(&mut self, stretch: &[u8]) {
        let mut rest = stretch;
        while !self.is_full() {
            let ascii = Encoding::ascii_valid_up_to(rest);
            if ascii == rest.len() {
                return;
            }
            let start = window_start(rest, ascii);
            let room = SAMPLE_BYTES.saturating_sub(self.bytes.len()).clamp(CONTEXT * 2, WINDOW_BYTES);
            let limit = start.saturating_add(room);
            let end = window_end(rest, ascii, limit.min(rest.len()));
            let window = rest.get(start..end).unwrap_or_default();
            self.non_ascii += window.iter().filter(|b| !b.is_ascii()).count();
            self.bytes.extend_from_slice(window);
            self.full = limit < rest.len() && end + CONTEXT >= limit;
            // A window cut for lack of room may end within a character, which a line feed would
            // make malformed; consumers of the sample treat it as unfinished.
            if !self.full {
                self.bytes.push(b'\n');
            }
            rest = rest.get(end.max(ascii + 1)..).unwrap_or_default();
        }
    }
}

/// Whether a byte is never the second, third or fourth byte of a character: below `0` or between
/// `9` and `@`. (Trail bytes of Shift_JIS, Big5, GBK and EUC-KR start at `@`, the digits occur
/// in four-byte GB18030.)
fn is_boundary(byte: u8) -> bool {
    byte < b'0' || (byte > b'9' && byte < b'@')
}

/// The earliest boundary byte within the context before `at`, else the context's limit.
fn window_start(bytes: &[u8], at: usize) -> usize {
    let earliest = at.saturating_sub(CONTEXT);
    bytes
        .get(earliest..at)
        .and_then(|context| context.iter().position(|&b| is_boundary(b)))
        .map_or(earliest, |offset| earliest + offset)
}

/// The end of the window with a non-ASCII byte at `at`: after a run of plain ASCII longer than
/// the context, else at the limit, or rather the last boundary shortly before it.
fn window_end(bytes: &[u8], at: usize, limit: usize) -> usize {
    let mut run = 0;
    let mut boundary = None;
    for (offset, &byte) in bytes.iter().enumerate().take(limit).skip(at) {
        if !byte.is_ascii() {
            run = 0;
            continue;
        }
        run += 1;
        if is_boundary(byte) {
            boundary = Some(offset);
            if run > CONTEXT {
                return offset;
            }
        }
    }
    // Either the range or the room ended; only the latter may have cut a character.
    match boundary {
        Some(offset) if limit < bytes.len() && offset + CONTEXT >= limit => offset,
        _ => limit,
    }
}

/// The length of the tag, comment, or script element that starts here; everything when it is
/// unclosed, which keeps the walk linear (the caller then samples without regard to tags).
fn markup_length(markup: &[u8]) -> usize {
    let closed = if markup.starts_with(b"<!--") {
        memmem::find(markup, b"-->").map(|at| at + 3)
    } else if is_tag(markup, b"<script") {
        element_length(markup, b"</script")
    } else if is_tag(markup, b"<style") {
        element_length(markup, b"</style")
    } else {
        memchr(b'>', markup).map(|at| at + 1)
    };
    closed.unwrap_or(markup.len())
}

/// The length up to the end tag of an element whose content is not markup.
fn element_length(markup: &[u8], end_tag: &[u8]) -> Option<usize> {
    memmem::find_iter(markup, b"</").find(|&at| markup.get(at..).is_some_and(|rest| is_tag(rest, end_tag)))
}

fn is_tag(markup: &[u8], tag: &[u8]) -> bool {
    markup.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{GB18030, SHIFT_JIS};

    #[test]
    fn text_is_preferred_to_markup() {
        let text = "ä ".repeat(MIN_NON_ASCII_IN_TEXT);
        let page = format!("<p title='ö'>{text}</p><script>'ü'</script><!-- ß -->{text}");
        let sample = Sample::new(page.as_bytes());
        let sampled = String::from_utf8_lossy(sample.bytes());
        assert!(sampled.contains('ä') && !sampled.contains(['ö', 'ü', 'ß']));
        let sample = Sample::new("<p title='ö'>ä</p>".as_bytes());
        let sampled = String::from_utf8_lossy(sample.bytes());
        assert!(sampled.contains('ä') && sampled.contains('ö'));
    }

    #[test]
    fn ascii_is_left_out_and_characters_stay_whole() {
        let plain = "plain words and more of them ".repeat(9);
        let page = format!("{plain}表示ソース、{plain}欧米の能力。{plain}").repeat(40);
        for encoding in [SHIFT_JIS, GB18030] {
            let (bytes, ..) = encoding.encode(&page);
            let sample = Sample::new(&bytes);
            assert!(sample.bytes().len() * 2 < bytes.len());
            let (text, errors) = encoding.decode_without_bom_handling(sample.bytes());
            assert!(!errors && text.contains("欧米の能力"), "{text}");
        }
    }

    #[test]
    fn size_is_bounded() {
        for page in [
            vec![0xFF; 1 << 20],
            b"\xFF ".repeat(1 << 19),
            b"\xFF<".repeat(1 << 19),
            b"<script><!--\xFF".repeat(1 << 16),
            [&[0xE4; 70][..], &[b'a'; 70]].concat().repeat(9999),
        ] {
            let sample = Sample::new(&page);
            assert!(sample.bytes().len() <= SAMPLE_BYTES + 4 * CONTEXT);
            assert!(sample.bytes().len() >= MAX_NON_ASCII);
        }
        assert!(Sample::new(b"").bytes().is_empty());
        assert!(Sample::new(b"only ASCII").bytes().is_empty());
    }
}
